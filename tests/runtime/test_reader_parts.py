"""Runtimes and the graphs of reader layers."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import laya
from laya.errors import ClosedError, ForwardError
from laya.model.checkpoint import Checkpoint
from laya.model.export import export_graph
from laya.model.quantised import SCALE_SUFFIX, dequantise, quantise
from laya.request import PairBatch, QuestionBatch
from laya.runtime.exported import ExportedGraphRuntime
from laya.runtime.registry import create_runtime
from reader_reference import write_reader
from tiny import write_checkpoint

HAS_OPENVINO = importlib.util.find_spec("openvino") is not None
needs_openvino = pytest.mark.skipif(not HAS_OPENVINO, reason="the extra 'openvino' is not installed")
RUNTIMES = ["onnxruntime", pytest.param("openvino", marks=needs_openvino)]
QUESTIONS = {
    "pet": {"type": "choice", "instructions": "Which pet?", "criteria": {"cats": "purring", "dogs": None, "x": "y"}},
    "good": {"type": "score", "instructions": "How good?", "criteria": ["bad", "so so", "good"]},
    "cat": {"type": "noul", "instructions": "Is it a cat?", "criteria": {"true": "a cat", "false": "none"}},
    "many": {"type": "choice", "instructions": "Which?", "criteria": [f"{i} {'x' * (i % 30)}" for i in range(40)]},
}
STATES = ["my cat purrs", "", "z" * 150]


def empty(kind):
    """A batch whose content nobody should look at."""
    nothing = np.zeros(0)
    return kind(**dict.fromkeys((name for name in kind.__slots__), nothing))


def logits(path, **options):
    with laya.load(path, threads=1, **options) as agent:
        return [np.array(answers[name]) for answers in agent.logits(STATES, QUESTIONS) for name in QUESTIONS]


@needs_openvino
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_openvino_agrees_with_onnxruntime(tmp_path, layers, dtype):
    write_reader(tmp_path, layers=layers, dtype=dtype)
    for found, wanted in zip(logits(tmp_path, runtime="openvino"), logits(tmp_path), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-4)


@needs_openvino
@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_lower_precisions_are_near(tmp_path, precision):
    write_reader(tmp_path)
    found, wanted = logits(tmp_path, runtime="openvino", precision=precision), logits(tmp_path)
    for one, other in zip(found, wanted, strict=True):
        assert np.abs(one - other).max() < 0.1 * np.abs(other).max()
    assert precision == "bf16" or any(not np.array_equal(one, other) for one, other in zip(found, wanted, strict=True))


def test_float16_files_give_the_numbers_of_the_same_values_in_float32(tmp_path):
    write_reader(tmp_path / "half", dtype=np.float16)
    half = Checkpoint.open(tmp_path / "half").tensors
    write_reader(tmp_path / "wide", tensors={name: half.array(name) for name in half})
    for found, wanted in zip(logits(tmp_path / "half"), logits(tmp_path / "wide"), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_eight_bit_files_give_the_numbers_of_the_same_values_in_float32(tmp_path):
    write_reader(tmp_path / "wide")
    tensors = load_file(tmp_path / "wide" / "model.safetensors")
    small = dict(tensors)
    for name, value in tensors.items():
        if value.ndim == 2:
            small[name], small[name + SCALE_SUFFIX] = quantise(value)
            tensors[name] = dequantise(name, small)
    write_reader(tmp_path / "wide", tensors=tensors)
    write_reader(tmp_path / "small")
    save_file(small, tmp_path / "small" / "model.safetensors")
    for found, wanted in zip(logits(tmp_path / "small"), logits(tmp_path / "wide"), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("kind", [QuestionBatch, PairBatch])
def test_a_checkpoint_without_reader_layers_refuses_their_batches(tmp_path, runtime, kind):
    engine = create_runtime(Checkpoint.open(write_checkpoint(tmp_path)), runtime=runtime, threads=1)
    with pytest.raises(ForwardError, match=f"no graph for {kind.__name__}; only a checkpoint with reader layers has"):
        engine.forward(empty(kind))
    engine.close()
    with pytest.raises(ClosedError):
        engine.forward(empty(kind))


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_closed_runtime_says_so(tmp_path, runtime):
    engine = create_runtime(Checkpoint.open(write_reader(tmp_path)), runtime=runtime, threads=1)
    with pytest.raises(ForwardError, match="failed on 0 rows"):
        engine.forward(empty(QuestionBatch))
    engine.close()
    with pytest.raises(ClosedError, match="closed"):
        engine.forward(empty(QuestionBatch))


def test_an_exported_graph_has_no_reader_layers(tmp_path):
    file = export_graph(Checkpoint.open(write_checkpoint(tmp_path)), tmp_path / "laya.onnx", verify=False)
    with pytest.raises(ForwardError, match="no graph for PairBatch"):
        ExportedGraphRuntime(file, pad_id=0).forward(empty(PairBatch))


@pytest.mark.parametrize("tensor", ["reader.scorer.bias", "reader.marker.weight"])
def test_numbers_that_are_not_finite(tmp_path, tensor):
    shape = {"reader.scorer.bias": (1,), "reader.marker.weight": (4, 24)}[tensor]
    write_reader(tmp_path, tensors={tensor: np.full(shape, np.nan, np.float32)})
    with pytest.raises(ForwardError, match="not finite"):
        logits(tmp_path)
