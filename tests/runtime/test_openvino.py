import threading

import numpy as np
import pytest

import golden
from laya.encoding.pack import pack_rows, unpack
from laya.errors import ArgumentError, ClosedError, ForwardError
from laya.model.checkpoint import Checkpoint
from laya.runtime.base import Runtime
from laya.runtime.onnx import OnnxRuntime
from laya.runtime.openvino import OpenVINORuntime
from tiny import BERT, MODERNBERT, one_pack, row, write_checkpoint

pytest.importorskip("openvino", reason="the extra 'openvino' is not installed")
ENCODERS = pytest.mark.parametrize("encoder", [BERT, MODERNBERT], ids=["bert", "modernbert"])


def opened(path, *, precision="fp32", **config):
    return OpenVINORuntime(Checkpoint.open(write_checkpoint(path, **config)), threads=1, precision=precision)


def rows():
    return [row(20, type_index=0), row(9, (1, 2, 5), type_index=1, seed=1), row(4, (2,), type_index=2, seed=2)]


@golden.needs_golden
@pytest.mark.parametrize("name", golden.NAMES)
def test_golden_numbers(name):
    wanted = golden.rows(name)
    runtime = OpenVINORuntime(Checkpoint.open(golden.directory(name)))
    encoded = [entry.row for entry in wanted]
    seen = 0
    for limit in (1, 2048):
        for batch in pack_rows(encoded, range(len(encoded)), max_tokens=limit):
            for number, output in unpack(batch, runtime.forward(batch)):
                seen += 1
                assert np.abs(output.logits - wanted[number].logits).max() < 2e-5, wanted[number].case
                assert np.abs(output.act - wanted[number].act).max() < 2e-5, wanted[number].case
    assert seen == 2 * len(wanted)


@ENCODERS
@pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])
def test_it_agrees_with_onnxruntime(tmp_path, encoder, layout):
    runtime = opened(tmp_path, encoder_config=encoder, option_layout=layout, reader={}, dtype=np.float16)
    other = OnnxRuntime(Checkpoint.open(tmp_path), threads=1)
    found, wanted = (one.forward(one_pack(rows())) for one in (runtime, other))
    for part in ("hidden",) if layout == "reader" else ("scores", "act"):
        assert np.abs(getattr(found, part) - getattr(wanted, part)).max() < 1e-4
    assert runtime.capabilities.layouts == (layout,)


@ENCODERS
@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_lower_precisions_are_near_but_not_equal(tmp_path, encoder, precision):
    exact = opened(tmp_path, encoder_config=encoder).forward(one_pack(rows())).scores
    runtime = opened(tmp_path, encoder_config=encoder, precision=precision)
    found = runtime.forward(one_pack(rows())).scores
    assert runtime.capabilities.precision == precision
    if precision == "int8":
        assert not np.array_equal(found, exact)
    assert np.abs(found - exact).max() < 0.3 * np.abs(exact).max()


def test_what_it_says_of_itself(tmp_path):
    runtime = opened(tmp_path)
    assert isinstance(runtime, Runtime)
    facts = runtime.capabilities
    assert (facts.name, facts.device, facts.precision, facts.threads) == ("openvino", "cpu", "fp32", 1)
    assert repr(runtime) == "OpenVINORuntime(precision='fp32')"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"precision": "fp16"}, "unknown precision 'fp16'; openvino offers fp32, bf16, int8"),
        ({"device": "cuda"}, "device 'cuda' is not available on openvino"),
        ({"threads": -1}, "threads must be a positive integer"),
    ],
)
def test_what_cannot_be(tmp_path, options, reason):
    source = Checkpoint.open(write_checkpoint(tmp_path))
    with pytest.raises(ArgumentError, match=reason):
        OpenVINORuntime(source, **options)


def test_numbers_that_are_not_finite(tmp_path):
    runtime = opened(tmp_path, tensors={"scorer.3.bias": np.full(1, np.nan, np.float32)})
    with pytest.raises(ForwardError, match="not finite"):
        runtime.forward(one_pack(rows()))


def test_threads_do_not_disturb_each_other(tmp_path):
    runtime = opened(tmp_path)
    batches = [one_pack([one]) for one in rows()]
    wanted = [runtime.forward(batch).scores for batch in batches]
    found = [[] for _ in batches]

    def work(i):
        found[i] += [runtime.forward(batches[i]).scores for _ in range(5)]

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(batches))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for scores, reference in zip(found, wanted, strict=True):
        assert len(scores) == 5
        assert all(np.abs(one - reference).max() < 1e-6 for one in scores)


def test_closing(tmp_path):
    runtime = opened(tmp_path)
    runtime.close()
    runtime.close()
    assert "closed" in repr(runtime)
    with pytest.raises(ClosedError, match="closed"):
        runtime.forward(one_pack(rows()))
