import math
import threading
import time

import numpy as np
import onnxruntime
import pytest

import golden
from laya.encoding.pack import pack_rows, unpack
from laya.errors import ArgumentError, ClosedError, ForwardError
from laya.model.checkpoint import Checkpoint
from laya.request import EncodedRow
from laya.runtime.base import Runtime
from laya.runtime.onnx import OnnxRuntime
from tiny import BERT, MODERNBERT, one_pack, random_tensors, row, write_checkpoint

TOLERANCE = 2e-5
ENCODERS = pytest.mark.parametrize("encoder", [BERT, MODERNBERT], ids=["bert", "modernbert"])


def opened(path, **config):
    return OnnxRuntime(Checkpoint.open(write_checkpoint(path, **config)), threads=1)


def rows():
    return [row(20, type_index=0), row(9, (1, 2, 5), type_index=1, seed=1), row(4, (2,), type_index=2, seed=2)]


def outputs(runtime, batches):
    return {number: output for batch in batches for number, output in unpack(batch, runtime.forward(batch))}


@golden.needs_golden
@pytest.mark.parametrize("name", golden.NAMES)
@pytest.mark.parametrize("packing", ["row by row", "mixed", "one batch", "one pack"])
def test_golden_numbers_whatever_the_packing(name, packing):
    wanted = golden.rows(name)
    runtime = OnnxRuntime(Checkpoint.open(golden.directory(name)))
    encoded = [entry.row for entry in wanted]
    if packing == "one pack":
        some = range(0, len(encoded), 4)
        batches, chosen = [one_pack([encoded[i] for i in some])], list(some)
    else:
        limit = {"row by row": 1, "mixed": 700, "one batch": 10**9}[packing]
        batches, chosen = pack_rows(encoded, range(len(encoded)), max_tokens=limit), list(range(len(encoded)))
    found = outputs(runtime, batches)
    assert sorted(found) == list(range(len(chosen)))
    for number, output in found.items():
        entry = wanted[chosen[number]]
        assert np.abs(output.logits - entry.logits).max() < TOLERANCE, entry.case
        assert np.abs(output.act - entry.act).max() < TOLERANCE, entry.case


@golden.needs_golden
def test_golden_rows_reach_beyond_the_sliding_window():
    assert max(entry.row.length for entry in golden.rows("tiny-seq")) > 5 * 16


def values_of_rows(runtime, batch):
    """By row: the scores of its markers, or the states of its tokens."""
    forward = runtime.forward(batch)
    values, bounds = forward.scores, batch.out_starts
    if values is None:
        values, bounds = forward.hidden, batch.row_starts
    first = 0 if forward.scores is None else 1
    return {n: values[bounds[i] + first : bounds[i + 1]] for i, n in enumerate(batch.row_numbers)}


@ENCODERS
@pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])
def test_rows_do_not_see_each_other(tmp_path, encoder, layout):
    runtime = opened(tmp_path, encoder_config=encoder, option_layout=layout, reader={})
    alone = [values_of_rows(runtime, one_pack([one], gap=0))[0] for one in rows()]
    for batch in (one_pack(rows()), one_pack(rows(), gap=0), *pack_rows(rows(), range(3))):
        found = values_of_rows(runtime, batch)
        assert sorted(found) == [0, 1, 2]
        for number, values in found.items():
            assert np.abs(values - alone[number]).max() < TOLERANCE


@ENCODERS
def test_options_of_the_parallel_layout_do_not_see_each_other(tmp_path, encoder):
    runtime = opened(tmp_path, encoder_config=encoder, option_layout="parallel", head_layers=0)
    options = np.array([0, 0, 1, 1, 2, 2, 0, 0])
    positions = np.array([0, 1, 2, 3, 2, 3, 4, 5])
    ids = np.array([3, 4, 5, 6, 7, 8, 9, 10])

    def scores(order):
        one = EncodedRow(
            ids=ids[order], positions=positions[order], options=options[order], markers=np.array([2, 4]),
            type_index=0, state_used=0,
        )  # fmt: skip
        return runtime.forward(one_pack([one])).scores[1:]

    swapped = np.array([0, 1, 4, 5, 2, 3, 6, 7])
    assert scores(swapped) == pytest.approx(scores(np.arange(8))[::-1], abs=1e-6)


@ENCODERS
@pytest.mark.parametrize("head_layers", [0, 1, 2])
@pytest.mark.parametrize("act_costs", [{}, {"a": 1, "b": 2}])
def test_all_head_sizes(tmp_path, encoder, head_layers, act_costs):
    runtime = opened(tmp_path, encoder_config=encoder, head_layers=head_layers, act_costs=act_costs)
    forward = runtime.forward(one_pack(rows()))
    assert forward.scores.shape == (9,)
    assert forward.act.shape == (3, len(act_costs) + 1)
    assert forward.scores.dtype == forward.act.dtype == np.float32
    assert forward.hidden is None


def test_a_trunk_gives_the_states_that_a_head_would_read(tmp_path):
    """Scores by hand from the trunk's states, against the graph that has the scorer inside."""
    joint = write_checkpoint(tmp_path / "joint", head_layers=0)
    weights = random_tensors(joint)
    batch = one_pack(rows())
    hidden = opened(tmp_path / "trunk", option_layout="reader", reader={}).forward(batch).hidden
    assert hidden.shape == (33, 32)
    wanted = (hidden + weights["type_emb.weight"][batch.type_ids])[batch.out_index]
    centred = wanted - wanted.mean(1, keepdims=True)
    normed = centred / np.sqrt(wanted.var(1, keepdims=True) + 1e-5) * weights["scorer.0.weight"]
    inner = (normed + weights["scorer.0.bias"]) @ weights["scorer.1.weight"].T + weights["scorer.1.bias"]
    erf = np.vectorize(math.erf)(inner / np.sqrt(2.0))
    scores = (0.5 * inner * (1 + erf)) @ weights["scorer.3.weight"][0] + weights["scorer.3.bias"]
    found = OnnxRuntime(Checkpoint.open(joint), threads=1).forward(batch).scores
    assert found == pytest.approx(scores, abs=1e-4)


@ENCODERS
@pytest.mark.parametrize("mixed", [False, True])
def test_float16_files_give_the_numbers_of_the_same_values_in_float32(tmp_path, encoder, mixed):
    write_checkpoint(tmp_path / "half", encoder_config=encoder, dtype=np.float16)
    values = random_tensors(tmp_path / "half", dtype=np.float16)
    wide = {name: value.astype(np.float32) for name, value in values.items()}
    if mixed:
        write_checkpoint(
            tmp_path / "half",
            encoder_config=encoder,
            dtype=np.float16,
            tensors={"scorer.3.bias": wide["scorer.3.bias"]},
        )
    write_checkpoint(tmp_path / "wide", encoder_config=encoder, tensors=wide)
    found = [
        OnnxRuntime(Checkpoint.open(tmp_path / kind), threads=1).forward(one_pack(rows())) for kind in ("half", "wide")
    ]
    assert found[0].scores == pytest.approx(found[1].scores, abs=1e-6)
    assert found[0].act == pytest.approx(found[1].act, abs=1e-6)


def test_numbers_that_are_not_finite(tmp_path):
    for name in ("encoder.embeddings.word_embeddings.weight", "act_head.2.bias"):
        shape = {"act_head.2.bias": (2,)}.get(name, (50, 32))
        bad = np.full(shape, np.inf, np.float32)
        with pytest.raises(ForwardError, match="not finite") as caught:
            opened(tmp_path, tensors={name: bad}).forward(one_pack(rows()))
        assert isinstance(caught.value, RuntimeError)


def test_a_token_outside_the_vocabulary(tmp_path):
    one = row(5)
    one.ids[2] = 50
    with pytest.raises(ForwardError, match="onnxruntime failed on 1 rows"):
        opened(tmp_path).forward(one_pack([one]))


def test_closing(tmp_path):
    runtime = opened(tmp_path)
    runtime.close()
    runtime.close()
    assert "closed" in repr(runtime)
    with pytest.raises(ClosedError, match="closed"):
        runtime.forward(one_pack(rows()))


def test_threads_share_a_runtime_and_survive_its_close(tmp_path):
    runtime = opened(tmp_path)
    batch, seen = one_pack(rows()), []
    wanted = runtime.forward(batch).scores
    started = threading.Barrier(5)

    def work():
        started.wait()
        try:
            while True:
                seen.append(runtime.forward(batch).scores)
        except ClosedError:
            seen.append(None)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    started.wait()
    while sum(scores is not None for scores in seen) < 20:
        time.sleep(0.001)
    runtime.close()
    for worker in workers:
        worker.join()
    assert sum(scores is None for scores in seen) == 4
    assert all(np.array_equal(scores, wanted) for scores in seen if scores is not None)


def test_what_it_says_of_itself(tmp_path, monkeypatch):
    runtime = opened(tmp_path)
    assert isinstance(runtime, Runtime)
    facts = runtime.capabilities
    assert (facts.name, facts.device, facts.precision, facts.threads) == ("onnxruntime", "cpu", "fp32", 1)
    assert facts.layouts == ("sequential",)
    assert repr(runtime) == "OnnxRuntime(device='cpu')"
    monkeypatch.setenv("LAYA_THREADS", "2")
    source = Checkpoint.open(tmp_path)
    assert OnnxRuntime(source).capabilities.threads == 2
    monkeypatch.delenv("LAYA_THREADS")
    assert OnnxRuntime(source, device=None).capabilities.threads == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"precision": "bf16"}, "precision 'bf16' is not available on onnxruntime; .*runtime='openvino'"),
        ({"precision": "int4"}, "precision 'int4'"),
        ({"device": "gpu"}, "unknown device 'gpu'; use 'auto', 'cpu', 'cuda' or 'cuda:N'"),
        ({"device": "cuda:x"}, "unknown device"),
        ({"threads": 0}, "threads must be a positive integer or None, got 0"),
        ({"threads": True}, "threads must be a positive integer"),
        ({"threads": 2.0}, "threads must be a positive integer"),
    ],
)
def test_what_cannot_be(tmp_path, options, reason):
    source = Checkpoint.open(write_checkpoint(tmp_path))
    with pytest.raises(ArgumentError, match=reason):
        OnnxRuntime(source, **options)


def test_cuda_without_cuda(tmp_path, monkeypatch):
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CPUExecutionProvider"])
    source = Checkpoint.open(write_checkpoint(tmp_path))
    with pytest.raises(ArgumentError, match=r"device 'cuda:1' needs an onnxruntime with CUDA; run: pip install"):
        OnnxRuntime(source, device="cuda:1")
    assert OnnxRuntime(source, device="auto").capabilities.device == "cpu"
