import numpy as np
import onnx
import onnxruntime
import pytest

import golden
from laya.errors import ArgumentError, ForwardError
from laya.model.checkpoint import Checkpoint
from laya.model.export import export_graph
from tiny import BERT, MODERNBERT, write_checkpoint

INPUTS = {
    "input_ids": ("tensor(int64)", ["batch_size", "seq_len"]),
    "attention_mask": ("tensor(int64)", ["batch_size", "seq_len"]),
    "marker_pos": ("tensor(int64)", ["batch_size", "num_markers"]),
    "marker_mask": ("tensor(bool)", ["batch_size", "num_markers"]),
    "qtype": ("tensor(int64)", ["batch_size"]),
}


def exported(path, **config):
    return export_graph(Checkpoint.open(write_checkpoint(path, **config)), path / "laya.onnx")


@pytest.mark.parametrize("encoder", [BERT, MODERNBERT], ids=["bert", "modernbert"])
@pytest.mark.parametrize("head_layers", [0, 2])
def test_the_contract(tmp_path, encoder, head_layers):
    file = exported(tmp_path, encoder_config=encoder, head_layers=head_layers, dtype=np.float16)
    model = onnx.load(file)
    onnx.checker.check_model(model, full_check=True)
    assert [(entry.domain, entry.version) for entry in model.opset_import] == [("", 17)]
    assert all(tensor.data_location == onnx.TensorProto.DEFAULT for tensor in model.graph.initializer)
    session = onnxruntime.InferenceSession(file, providers=["CPUExecutionProvider"])
    assert {entry.name: (entry.type, entry.shape) for entry in session.get_inputs()} == INPUTS
    assert [(entry.name, entry.type, entry.shape) for entry in session.get_outputs()] == [
        ("logits", "tensor(float)", ["batch_size", "num_markers"]),
        ("act_logits", "tensor(float)", ["batch_size", 2]),
    ]
    assert sorted(path.name for path in tmp_path.iterdir() if "export" in path.name) == []


def test_padding_changes_nothing_and_is_masked(tmp_path):
    session = onnxruntime.InferenceSession(exported(tmp_path), providers=["CPUExecutionProvider"])
    ids = np.arange(3, 9)[None]
    one = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "marker_pos": np.array([[1, 3]]),
        "marker_mask": np.array([[True, True]]),
        "qtype": np.array([1]),
    }
    wide = {
        "input_ids": np.pad(ids, ((0, 1), (0, 4)), constant_values=7),
        "attention_mask": np.pad(one["attention_mask"], ((0, 1), (0, 4))),
        "marker_pos": np.pad(one["marker_pos"], ((0, 1), (0, 2))),
        "marker_mask": np.pad(one["marker_mask"], ((0, 1), (0, 2))),
        "qtype": np.array([1, 0]),
    }
    wide["attention_mask"][1, :5], wide["marker_mask"][1, 0] = 1, True
    logits, act = session.run(None, one)
    padded_logits, padded_act = session.run(None, wide)
    assert padded_logits[0] == pytest.approx([*logits[0], -1e4, -1e4], abs=1e-5)
    assert padded_act[0] == pytest.approx(act[0], abs=1e-5)
    assert np.isfinite(padded_logits).all()
    assert np.isfinite(padded_act).all()


@pytest.mark.parametrize("layout", ["parallel", "reader"])
def test_layouts_that_the_contract_cannot_express(tmp_path, layout):
    with pytest.raises(ArgumentError, match=f"option_layout='{layout}' is not supported"):
        exported(tmp_path, option_layout=layout, reader={})
    assert not (tmp_path / "laya.onnx").exists()


def test_files_that_cannot_be_written(tmp_path):
    checkpoint = Checkpoint.open(write_checkpoint(tmp_path / "c"))
    with pytest.raises(ArgumentError, match="its folder does not exist"):
        export_graph(checkpoint, tmp_path / "no" / "laya.onnx")
    with pytest.raises(ArgumentError, match="it is a folder"):
        export_graph(checkpoint, tmp_path)


def test_a_graph_that_fails_the_check_replaces_nothing(tmp_path):
    old = tmp_path / "laya.onnx"
    old.write_bytes(b"old")
    checkpoint = Checkpoint.open(
        write_checkpoint(tmp_path / "c", tensors={"scorer.3.bias": np.full(1, np.nan, np.float32)})
    )
    with pytest.raises(ForwardError, match="nothing was written"):
        export_graph(checkpoint, old)
    assert old.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["c", "laya.onnx"]
    export_graph(checkpoint, old, verify=False)
    assert old.read_bytes() != b"old"


@golden.needs_golden
def test_a_golden_checkpoint_passes_the_check(tmp_path):
    out = export_graph(Checkpoint.open(golden.directory("tiny-seq")), tmp_path / "laya.onnx")
    assert out.stat().st_size > 1_000_000
