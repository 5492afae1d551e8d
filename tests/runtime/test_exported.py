import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import golden
from laya.encoding.pack import pack_rows, unpack
from laya.errors import ArgumentError, CheckpointError, CheckpointNotFoundError, ClosedError, ForwardError
from laya.model.checkpoint import Checkpoint
from laya.model.export import export_graph
from laya.runtime.base import Runtime
from laya.runtime.exported import ExportedGraphRuntime
from laya.runtime.onnx import OnnxRuntime
from tiny import one_pack, row, write_checkpoint


@pytest.fixture
def graph(tmp_path):
    return export_graph(Checkpoint.open(write_checkpoint(tmp_path)), tmp_path / "laya.onnx", verify=False)


def rows():
    return [row(20, type_index=0), row(9, (1, 2, 5), type_index=1, seed=1), row(4, (2,), type_index=2, seed=2)]


@golden.needs_golden
@pytest.mark.parametrize("name", [name for name in golden.NAMES if name != "tiny-par"])
def test_golden_numbers(name, tmp_path):
    wanted = golden.rows(name)
    out = export_graph(Checkpoint.open(golden.directory(name)), tmp_path / "laya.onnx")
    runtime = ExportedGraphRuntime(out, pad_id=0)
    encoded = [entry.row for entry in wanted]
    seen = 0
    for limit in (1, 2048):
        for batch in pack_rows(encoded, range(len(encoded)), max_tokens=limit):
            for number, output in unpack(batch, runtime.forward(batch)):
                seen += 1
                assert np.abs(output.logits - wanted[number].logits).max() < 2e-5, wanted[number].case
                assert np.abs(output.act - wanted[number].act).max() < 2e-5, wanted[number].case
    assert seen == 2 * len(wanted)


def test_it_agrees_with_the_packed_graph(graph, tmp_path):
    packed = OnnxRuntime(Checkpoint.open(tmp_path), threads=1)
    runtime = ExportedGraphRuntime(str(graph), pad_id=3, threads=1)
    for batch in (one_pack(rows()), one_pack(rows()[2:]), *pack_rows(rows(), range(3))):
        found, wanted = runtime.forward(batch), packed.forward(batch)
        marked = np.delete(np.arange(len(batch.out_index)), batch.out_starts[:-1])
        assert np.abs(found.scores - wanted.scores)[marked].max() < 1e-5
        assert np.abs(found.act - wanted.act).max() < 1e-6 * np.abs(wanted.act).max()


def test_a_graph_whose_marker_mask_is_an_integer(graph, tmp_path):
    model = onnx.load(graph)
    (mask,) = [entry for entry in model.graph.input if entry.name == "marker_mask"]
    mask.type.tensor_type.elem_type = TensorProto.INT64
    for node in model.graph.node:
        for i, name in enumerate(node.input):
            if name == "marker_mask":
                node.input[i] = "as_bool"
    model.graph.node.insert(0, helper.make_node("Cast", ["marker_mask"], ["as_bool"], to=TensorProto.BOOL))
    onnx.save(model, tmp_path / "older.onnx")
    found = ExportedGraphRuntime(tmp_path / "older.onnx", pad_id=0).forward(one_pack(rows()))
    wanted = ExportedGraphRuntime(graph, pad_id=0).forward(one_pack(rows()))
    assert np.array_equal(found.scores, wanted.scores)


def test_what_it_says_of_itself(graph):
    runtime = ExportedGraphRuntime(graph, pad_id=0, device=None, threads=2)
    assert isinstance(runtime, Runtime)
    facts = runtime.capabilities
    assert (facts.name, facts.device, facts.threads, facts.layouts) == ("onnx-graph", "cpu", 2, ("sequential",))
    assert repr(runtime) == f"ExportedGraphRuntime({str(graph)!r})"


def test_a_missing_file(tmp_path):
    with pytest.raises(CheckpointNotFoundError, match=r"ONNX model not found at 'no\.onnx'\. .*laya export"):
        ExportedGraphRuntime("no.onnx", pad_id=0)


def test_files_that_are_no_such_graph(tmp_path):
    garbage = tmp_path / "garbage.onnx"
    garbage.write_bytes(b"not a model")
    with pytest.raises(CheckpointError, match=r"cannot run '.*garbage\.onnx'"):
        ExportedGraphRuntime(garbage, pad_id=0)
    info = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])
    out = helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])
    other = helper.make_graph([helper.make_node("Identity", ["x"], ["y"])], "g", [info], [out])
    onnx.save(helper.make_model(other, ir_version=9, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "o.onnx")
    with pytest.raises(CheckpointError, match=r"is not an exported decision graph: it has inputs \['x'\]"):
        ExportedGraphRuntime(tmp_path / "o.onnx", pad_id=0)


def test_arguments(graph):
    with pytest.raises(ArgumentError, match="unknown device"):
        ExportedGraphRuntime(graph, pad_id=0, device="tpu")
    with pytest.raises(ArgumentError, match="threads must be"):
        ExportedGraphRuntime(graph, pad_id=0, threads=0)


def test_failures_of_the_engine(graph):
    runtime = ExportedGraphRuntime(graph, pad_id=0)
    with pytest.raises(ForwardError, match="onnxruntime failed on 1 rows"):
        runtime.forward(one_pack([row(70)]))


def test_closing(graph):
    runtime = ExportedGraphRuntime(graph, pad_id=0)
    runtime.close()
    runtime.close()
    assert "closed" in repr(runtime)
    with pytest.raises(ClosedError, match="closed"):
        runtime.forward(one_pack(rows()))
