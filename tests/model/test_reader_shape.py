"""Checkpoints with reader layers: their settings, their tensors and their graphs."""

from __future__ import annotations

import json

import numpy as np
import onnx
import onnxruntime
import pytest
from safetensors.numpy import load_file, save_file

from laya.encoding.pack import pack_rows, unpack
from laya.encoding.reader_blocks import lay_out
from laya.encoding.reader_pairs import LayeredQuestion, Pair, pair_batch, question_batch
from laya.errors import ArgumentError, CheckpointError
from laya.model.checkpoint import Checkpoint
from laya.model.config import read_config, read_encoder_config
from laya.model.export import export_graph
from laya.model.reader import ReaderShape, reader_shape
from laya.model.schema import expected_tensors
from laya.request import PairBatch, QuestionBatch, QuestionTokens
from laya.runtime.onnx import OnnxRuntime
from reader_reference import READER, TRUNK, write_reader
from tiny import MODERNBERT, row, write_checkpoint, write_configs

PARTS = ["question", "pairs"]


def shape_of(path, **reader):
    config = write_configs(path, option_layout="reader", reader=READER | reader)
    return reader_shape(read_config(config), read_encoder_config(config))


def test_the_shape_of_the_reader(tmp_path):
    sizes = {"layers": 2, "heads": 3, "width": 24, "ffn": 40, "taps": (1, 2), "vector": 32}
    assert shape_of(tmp_path) == ReaderShape(**sizes, compare=True, gate=True)
    plain = {key: value for key, value in READER.items() if key not in {"compare", "gate"}}
    config = write_configs(tmp_path, option_layout="reader", reader=plain)
    assert reader_shape(read_config(config), read_encoder_config(config)) == ReaderShape(**sizes)
    assert shape_of(tmp_path, taps=[2]).hidden == 32
    assert shape_of(tmp_path).hidden == 64


def test_without_layers_there_is_no_shape(tmp_path):
    assert shape_of(tmp_path, layers=0, taps="anything") is None
    config = write_configs(tmp_path)
    assert reader_shape(read_config(config), read_encoder_config(config)) is None


@pytest.mark.parametrize(
    ("key", "value", "wanted"),
    [
        ("layers", "2", "a number of layers, 0 for none"),
        ("layers", True, "a number of layers"),
        ("layers", -1, "a number of layers"),
        ("layers", 1.5, "a number of layers"),
        ("heads", 5, "divide the width 24"),
        ("heads", 0, "positive integer"),
        ("width", None, "positive integer"),
        ("ffn", "40", "positive integer"),
        ("taps", None, "rising order, the last one 2"),
        ("taps", [], "rising order"),
        ("compare", 1, "true or false"),
        ("gate", "yes", "true or false"),
        ("taps", [1], "the last one 2"),
        ("taps", [2, 2], "rising order"),
        ("taps", [0, 2], "rising order"),
        ("taps", [True, 2], "rising order"),
        ("taps", 2, "rising order"),
    ],
)
def test_a_setting_that_cannot_work_is_named(tmp_path, key, value, wanted):
    write_reader(tmp_path)
    config = json.loads((tmp_path / "rl_agent_config.json").read_text())
    config["reader"][key] = value
    (tmp_path / "rl_agent_config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match=rf"^reader\.{key} is .* in rl_agent_config\.json; .*{wanted}") as caught:
        Checkpoint.open(tmp_path)
    assert caught.value.path == f"reader.{key}"


def test_a_checkpoint_of_another_layout_has_no_such_graphs(tmp_path):
    checkpoint = Checkpoint.open(write_checkpoint(tmp_path))
    assert checkpoint.parts == ("rows",)
    with pytest.raises(CheckpointError, match="no reader layers, so it has no graph 'pairs'"):
        checkpoint.graph("fused", "pairs")


def rewrite(path, change):
    tensors = load_file(path / "model.safetensors")
    change(tensors)
    save_file(tensors, path / "model.safetensors")


def test_tensors_are_checked(tmp_path):
    write_reader(tmp_path)
    rewrite(tmp_path, lambda tensors: tensors.pop("reader.layers.1.up.bias"))
    with pytest.raises(
        CheckpointError, match=r"missing 1 parameter tensors \(e\.g\. \['reader\.layers\.1\.up\.bias'\]"
    ):
        Checkpoint.open(tmp_path)
    rewrite(tmp_path, lambda tensors: tensors.update({"reader.layers.1.up.bias": np.zeros(3, np.float32)}))
    with pytest.raises(CheckpointError, match=r"reader\.layers\.1\.up\.bias: expected \(40,\), found \(3,\)"):
        Checkpoint.open(tmp_path)


def test_tensors_of_more_layers_are_refused(tmp_path):
    write_reader(tmp_path)
    config = json.loads((tmp_path / "rl_agent_config.json").read_text())
    config["reader"]["layers"] = 1
    (tmp_path / "rl_agent_config.json").write_text(json.dumps(config))
    with pytest.raises(CheckpointError, match="tensors that the configs do not call for: reader"):
        Checkpoint.open(tmp_path)
    config["reader"]["layers"] = 0
    (tmp_path / "rl_agent_config.json").write_text(json.dumps(config))
    assert Checkpoint.open(tmp_path).parts == ("rows",)


def test_a_reader_without_tensors(tmp_path):
    write_reader(tmp_path)
    rewrite(tmp_path, lambda tensors: [tensors.pop(name) for name in list(tensors) if name.startswith("reader.")])
    with pytest.raises(CheckpointError, match=r"checkpoint is missing 'reader\.' parameters"):
        Checkpoint.open(tmp_path)


def test_it_counts_as_memory(tmp_path):
    path = write_reader(tmp_path)
    shapes = expected_tensors(read_config(path), read_encoder_config(path))
    assert Checkpoint.open(path).memory_bytes() == 4 * sum(int(np.prod(shape)) for shape in shapes.values())


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("dialect", ["fused", "standard", "parameters"])
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_a_graph_asks_for_exactly_the_weights_that_there_are(tmp_path, part, dialect, layers, dtype):
    checkpoint = Checkpoint.open(write_reader(tmp_path, layers=layers, dtype=dtype))
    assert checkpoint.parts == ("rows", "question", "pairs")
    graph = onnx.load_model_from_string(checkpoint.graph(dialect, part)).graph
    asked = {t.name: tuple(t.dims) for t in graph.initializer if t.data_location == onnx.TensorProto.EXTERNAL}
    if dialect == "parameters":
        shapes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in graph.input}
        asked = {name: tuple(shape) for name, shape in shapes.items() if all(shape)}
    values = dict(checkpoint.initializers(dialect, part))
    assert asked == {name: value.shape for name, value in values.items()}
    inputs = {i.name for i in graph.input} - set(values)
    assert inputs <= set({"question": QuestionBatch, "pairs": PairBatch}[part].__slots__)


def noise(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


def some_batch(part):
    """Two questions of two options about a state."""
    if part == "question":
        return question_batch([noise(3, 64), noise(2, 64), noise(4, 64)], [1, 1], noise(2, 32))
    read = QuestionTokens(
        noise(9, 24), noise(9, 24) / 2, noise(9, 24) / 3, noise(9, 24) / 4, noise(2, 24), noise(2, 32)
    )
    blocks = lay_out(3, [2, 4], marked=True)
    question = LayeredQuestion(read, noise(2, 32), blocks, np.arange(2), noise(2, 3), tau=1.0, residual=1.0)
    return pair_batch([Pair(number, question, 0, noise(5, 64), noise(32)) for number in range(2)])


@pytest.mark.parametrize("part", PARTS)
def test_standard_operators_give_the_numbers_of_fused_ones(tmp_path, part):
    checkpoint = Checkpoint.open(write_reader(tmp_path, layers=3))
    batch, found = some_batch(part), []
    for dialect in ("fused", "standard"):
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        weights = dict(checkpoint.initializers(dialect, part))
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(value) for value in weights.values()]
        options.add_external_initializers(list(weights), values)
        session = onnxruntime.InferenceSession(checkpoint.graph(dialect, part), options)
        found.append(session.run(None, {i.name: getattr(batch, i.name) for i in session.get_inputs()}))
    assert len(found[0]) == {"question": 6, "pairs": 1}[part]
    for fused, standard in zip(*found, strict=True):
        np.testing.assert_allclose(fused, standard, atol=1e-5)


def hidden_of(path):
    (batch,) = pack_rows([row(9, ())], [0])
    ((_, output),) = unpack(batch, OnnxRuntime(Checkpoint.open(path), threads=1).forward(batch))
    return output.hidden


@pytest.mark.parametrize("encoder", [TRUNK, MODERNBERT | {"max_position_embeddings": 512}], ids=["bert", "modernbert"])
def test_taps_are_the_states_after_their_layers(tmp_path, encoder):
    """The last tap is what a trunk without taps says; earlier ones are what a shorter BERT says."""
    last = encoder["num_hidden_layers"]
    write_reader(tmp_path / "taps", encoder_config=encoder, taps=[1, last])
    hidden = hidden_of(tmp_path / "taps")
    tensors = load_file(tmp_path / "taps" / "model.safetensors")
    trunk = {name: value for name, value in tensors.items() if name.startswith("encoder.")}
    plain = {"option_layout": "reader", "reader": {}, "tensors": trunk}
    write_checkpoint(tmp_path / "plain", encoder_config=encoder, **plain)
    np.testing.assert_array_equal(hidden[:, 32:], hidden_of(tmp_path / "plain"))
    if encoder is not TRUNK:
        assert not np.allclose(hidden[:, :32], hidden[:, 32:])
        return
    plain["tensors"] = {name: value for name, value in trunk.items() if ".layer.1." not in name}
    write_checkpoint(tmp_path / "short", encoder_config=encoder | {"num_hidden_layers": 1}, **plain)
    np.testing.assert_allclose(hidden[:, :32], hidden_of(tmp_path / "short"), atol=1e-6)


def test_it_cannot_be_exported(tmp_path):
    with pytest.raises(ArgumentError, match="option_layout='reader' is not supported by the exported graph"):
        export_graph(Checkpoint.open(write_reader(tmp_path)), tmp_path / "laya.onnx")
