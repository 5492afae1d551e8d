"""The tool that makes the small checkpoints: what it keeps, what it rounds, and that it always does the same."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from laya.model.checkpoint import Checkpoint
from tiny import write_checkpoint

TOOLS = Path(__file__).parents[2] / "tools"
WORDS = "encoder.embeddings.word_embeddings.weight"
POSITIONS = "encoder.embeddings.position_embeddings.weight"
QUERY = "encoder.encoder.layer.0.attention.self.query.weight"
SEGMENT = "reader.segment.weight"
READER = {"layers": 0, "pooling": "mean", "normalise": True, "tau": [1.0, 1.0, 1.0]}


@pytest.fixture
def tool(monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    return import_module("build_embedded")


@pytest.fixture
def source(tmp_path):
    """A float32 checkpoint of a known trunk, with a tensor of a reader and one that nothing reads."""
    rng = np.random.default_rng(3)
    extra = {
        SEGMENT: rng.standard_normal((6, 20)).astype(np.float32),
        "encoder.pooler.dense.bias": np.zeros(32, np.float32),
    }
    path = write_checkpoint(
        tmp_path / "float32",
        tensors=extra,
        encoder="BAAI/bge-small-en-v1.5",
        option_layout="reader",
        head_layers=0,
        reader=READER,
    )
    (path / "tokenizer" / "tokenizer.json").write_text('{ "truncation": {"max_length": 9}, "model": "é" }', "utf-8")
    (path / "calibration.json").write_text("{}")
    return path


def build(tool, source, plan, out):
    tool.build(source, tool.PLANS[plan], out)
    return Checkpoint.open(out).tensors


def test_the_english_plan(tool, source, tmp_path):
    small, wide = build(tool, source, "english", tmp_path / "small"), Checkpoint.open(source).tensors
    assert set(small) == set(wide) - {"encoder.pooler.dense.bias"}
    assert [small.dtype(name) for name in (WORDS, POSITIONS, QUERY, SEGMENT)] == ["I8"] * 4
    for name in small:
        assert small.shape(name) == wide.shape(name)
        np.testing.assert_allclose(small.array(name), wide.array(name), atol=0.02)


def test_the_multilingual_plan_keeps_the_tables(tool, source, tmp_path):
    small, wide = build(tool, source, "multilingual", tmp_path / "small"), Checkpoint.open(source).tensors
    assert [small.dtype(name) for name in (WORDS, POSITIONS, QUERY, SEGMENT)] == ["U8", "F32", "U8", "I8"]
    assert np.array_equal(small.array(POSITIONS), wide.array(POSITIONS))
    for name in (WORDS, QUERY):
        np.testing.assert_allclose(small.array(name), wide.array(name), atol=0.15)


def test_everything_else_is_kept_and_the_tokenizer_is_short(tool, source, tmp_path):
    out = tmp_path / "small"
    build(tool, source, "english", out)
    names = {str(path.relative_to(source)) for path in source.rglob("*")}
    assert {str(path.relative_to(out)) for path in out.rglob("*")} == names
    assert (out / "rl_agent_config.json").read_bytes() == (source / "rl_agent_config.json").read_bytes()
    text = (out / "tokenizer" / "tokenizer.json").read_text("utf-8")
    assert text == '{"truncation":null,"model":"é","padding":null}'


def test_the_same_input_gives_the_same_bytes(tool, source, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    build(tool, source, "english", first)
    second.mkdir()
    (second / "left over").write_text("from an earlier build")
    build(tool, source, "english", second)
    files = sorted(path.relative_to(first) for path in first.rglob("*") if path.is_file())
    assert sorted(path.relative_to(second) for path in second.rglob("*") if path.is_file()) == files
    assert all((first / name).read_bytes() == (second / name).read_bytes() for name in files)


def test_a_trunk_without_a_known_license_is_refused(tool, source, tmp_path):
    config = json.loads((source / "rl_agent_config.json").read_text())
    (source / "rl_agent_config.json").write_text(json.dumps(config | {"encoder": "someone/unknown"}))
    with pytest.raises(SystemExit, match="someone/unknown"):
        build(tool, source, "english", tmp_path / "small")


def test_a_checkpoint_is_not_replaced_by_itself(tool, source):
    with pytest.raises(SystemExit, match="is the checkpoint itself"):
        build(tool, source, "english", source)
    assert (source / "model.safetensors").is_file()
