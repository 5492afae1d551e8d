import subprocess
import sys

import onnx
import pytest

from laya.model.checkpoint import Checkpoint
from laya.model.graph.weights import graph_weights, rows_of
from tiny import BERT, MODERNBERT, write_checkpoint

ENCODERS = pytest.mark.parametrize("encoder", [BERT, MODERNBERT], ids=["bert", "modernbert"])
LAYOUTS = pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("LAYA_CACHE_DIR", str(folder))
    return folder / "graphs"


def opened(path, **config):
    return Checkpoint.open(write_checkpoint(path, **config))


@LAYOUTS
@ENCODERS
@pytest.mark.parametrize("dialect", ["fused", "standard", "parameters"])
def test_a_graph_asks_for_exactly_the_weights_that_there_are(tmp_path, cache, encoder, layout, dialect):
    checkpoint = opened(tmp_path / "c", encoder_config=encoder, option_layout=layout, reader={})
    graph = onnx.load_model_from_string(checkpoint.graph(dialect)).graph
    asked = {t.name: tuple(t.dims) for t in graph.initializer if t.data_location == onnx.TensorProto.EXTERNAL}
    if dialect == "parameters":
        shapes = {i.name: [d.dim_value for d in i.type.tensor_type.shape.dim] for i in graph.input}
        asked = {name: tuple(shape) for name, shape in shapes.items() if all(shape)}
    values = dict(checkpoint.initializers(dialect))
    assert asked == {name: value.shape for name, value in values.items()}
    assert asked == graph_weights(checkpoint.encoder, layout, 1)
    assert all(value.flags.c_contiguous for value in values.values())


@LAYOUTS
def test_inputs_are_fields_of_a_packed_batch(tmp_path, cache, layout):
    graph = onnx.load_model_from_string(opened(tmp_path / "c", option_layout=layout, reader={}).graph("fused")).graph
    common = ["input_ids", "position_ids", "row", "pack_index", "unpack_index"]
    more = {"reader": [], "sequential": ["type_ids", "out_index"], "parallel": ["option", "type_ids", "out_index"]}
    assert sorted(i.name for i in graph.input) == sorted(common + more[layout])
    outputs = [o.name for o in graph.output]
    assert outputs == (["hidden"] if layout == "reader" else ["logits", "features"])


def test_bytes_depend_on_the_configs_alone(tmp_path, monkeypatch):
    graphs = []
    for run in ("a", "b"):
        monkeypatch.setenv("LAYA_CACHE_DIR", str(tmp_path / f"cache-{run}"))
        graphs.append(opened(tmp_path / run, temperature=[1.0, 2.0, 3.0 if run == "a" else 4.0]).graph("fused"))
    assert graphs[0] == graphs[1]
    assert len(graphs[0]) < 20_000


def test_what_the_graph_depends_on_is_in_the_key(tmp_path, cache):
    opened(tmp_path / "a").graph("fused")
    opened(tmp_path / "a").graph("fused")
    assert len(list(cache.iterdir())) == 1
    opened(tmp_path / "b", head_layers=2).graph("fused")
    opened(tmp_path / "c", option_layout="parallel").graph("fused")
    opened(tmp_path / "d", dtype="float16").graph("fused")
    opened(tmp_path / "e", encoder_config=BERT | {"num_attention_heads": 4}).graph("fused")
    opened(tmp_path / "a").graph("standard")
    assert len(list(cache.iterdir())) == 6


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 5000])
def test_a_damaged_cache_file_is_made_again(tmp_path, cache, content):
    checkpoint = opened(tmp_path / "c")
    wanted = checkpoint.graph("fused")
    (file,) = cache.iterdir()
    good = file.read_bytes()
    file.write_bytes(content)
    assert checkpoint.graph("fused") == wanted
    assert file.read_bytes() == good


def test_a_cache_that_cannot_be_written(tmp_path, monkeypatch):
    checkpoint = opened(tmp_path / "c")
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    monkeypatch.setenv("LAYA_CACHE_DIR", str(blocker))
    assert onnx.load_model_from_string(checkpoint.graph("fused")).graph.name == "laya_packed"
    assert blocker.read_text() == "not a folder"


def test_a_cached_graph_needs_no_onnx(tmp_path, cache):
    directory = write_checkpoint(tmp_path / "c")
    Checkpoint.open(directory).graph("fused")
    code = (
        "import sys; from laya.model.checkpoint import Checkpoint\n"
        f"assert Checkpoint.open({str(directory)!r}).graph('fused'); assert 'onnx' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own code


def test_names_of_parts_of_a_tensor():
    assert rows_of("a.Wqkv.weight", 0, 4) == "a.Wqkv.weight[0:4]"
