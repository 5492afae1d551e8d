"""Checkpoints written for the benchmark load in the engine and tell options apart."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest

import laya

ROOT = Path(__file__).parents[2]
TOKENIZER = ROOT.parent / "shared" / "golden" / "ckpt" / "tiny-seq" / "tokenizer"
needs_golden = pytest.mark.skipif(not TOKENIZER.is_dir(), reason="the golden checkpoints are not beside this checkout")


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("make_checkpoints", ROOT / "benchmarks" / "make_checkpoints.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # slotted dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def small(maker, family):
    if family == "reader":
        reader = maker.ReaderSize(layers=2, width=96, heads=2, ffn=128, taps=(2, 4))
        return maker.Size("bert", layers=4, width=128, heads=2, ffn=192, vocab=1000, reader=reader)
    return maker.Size(family, layers=4, width=128, heads=2, ffn=192, vocab=1000)


@needs_golden
@pytest.mark.parametrize("family", ["bert", "modernbert", "reader"])
def test_written_checkpoint_answers(maker, tmp_path, family):
    count = maker.write(tmp_path, "small", small(maker, family), TOKENIZER, seed=3)
    assert count * 2 < (tmp_path / "model.safetensors").stat().st_size < count * 2 + 20_000
    question = {"type": "choice", "instructions": "Which team?", "criteria": ["billing", "technical", "sales"]}
    with laya.load(str(tmp_path)) as agent:
        first, second = (
            agent.predict(state, {"team": question})["answers"]["team"]["probabilities"]
            for state in ("The customer asks for a refund.", "The login is broken.")
        )
    assert max(first.values()) - min(first.values()) > 0.01
    assert max(abs(first[label] - second[label]) for label in first) > 0.01


@needs_golden
def test_the_same_seed_writes_the_same_weights(maker, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        maker.write(tmp_path / name, "small", small(maker, "bert"), TOKENIZER, seed=seed)
    a, b, c = ((tmp_path / name / "model.safetensors").read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_sizes_are_those_of_the_real_models(maker):
    shapes = {name: (size.layers, size.width, size.heads, size.ffn) for name, size in maker.SIZES.items()}
    assert shapes == {
        "minilm-like": (6, 384, 12, 1536),
        "mmbert-like": (22, 768, 12, 1152),
        "large-like": (28, 1024, 16, 2624),
        "bge-reader-like": (12, 384, 12, 1536),
    }
    kinds = maker.encoder_config(maker.SIZES["large-like"])["layer_types"]
    assert [i for i, kind in enumerate(kinds) if kind == "full_attention"] == list(range(0, 28, 3))
    assert json.dumps(maker.agent_config("large-like", maker.SIZES["large-like"]))
