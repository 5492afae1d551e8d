"""An answer is the same, to the last bit, whatever it is computed together with."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import golden
import laya
from fuzzing import examples
from laya.encoding import pack_rows, unpack
from laya.model.checkpoint import Checkpoint
from laya.request import EncodedRow
from laya.runtime.onnx import OnnxRuntime
from tiny import BERT, MODERNBERT, VOCAB, write_checkpoint

NARROW = {"hidden_size": 40, "intermediate_size": 52}
"""Widths that are no multiple of a vector."""
KINDS = {
    "bert": {"encoder_config": BERT},
    "bert-narrow": {"encoder_config": BERT | NARROW},
    "modernbert": {"encoder_config": MODERNBERT},
    "modernbert-narrow": {"encoder_config": MODERNBERT | NARROW},
    "parallel": {"encoder_config": MODERNBERT, "option_layout": "parallel"},
    "no-head": {"encoder_config": MODERNBERT, "head_layers": 0},
    "half": {"encoder_config": BERT, "dtype": np.float16},
}
TEXTS = [
    "Please refund me.",
    "I was charged twice for the same order and nobody has answered my three messages about it since Monday.",
    "",
    "ok",
    {"subject": "Login", "body": "The password reset mail does not arrive.", "vip": True},
    [{"role": "user", "content": "Where is my parcel?"}, {"role": "assistant", "content": "It is on its way."}],
    "word " * 60,
    "Das Paket ist nicht angekommen, und der Kundendienst schweigt.",
    "the invoice lists a price that is not the one of the offer " * 3,
]
QUESTIONS = {
    "team": {
        "type": "choice",
        "instructions": "Who answers?",
        "criteria": {"billing": "money, refunds", "it": "login"},
    },
    "urgency": {"type": "score", "instructions": "How urgent?", "criteria": ["low", "middle", "high"]},
    "angry": {"type": "noul", "instructions": "Is the writer angry?"},
    "topic": {"type": "choice", "instructions": "Which topic?", "criteria": [f"topic {n}" for n in range(9)]},
}


@pytest.fixture(scope="module", params=KINDS, ids=str)
def runtime(request, tmp_path_factory):
    path = write_checkpoint(tmp_path_factory.mktemp(request.param), **KINDS[request.param])
    return OnnxRuntime(Checkpoint.open(path), threads=2)


def outputs(runtime, rows, max_tokens):
    batches = pack_rows(rows, range(len(rows)), max_tokens=max_tokens)
    found = dict(pair for batch in batches for pair in unpack(batch, runtime.forward(batch)))
    return [found[number] for number in range(len(rows))]


@st.composite
def drawn_rows(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = []
    for length in draw(st.lists(st.integers(3, 64), min_size=2, max_size=30)):
        markers = np.sort(rng.choice(np.arange(1, length), rng.integers(1, min(9, length)), replace=False))
        options = np.zeros(length, dtype=np.int64)
        for slot, marker in enumerate(markers[: length // 2]):
            options[marker : marker + 3] = slot + 1
        rows.append(
            EncodedRow(
                ids=rng.integers(0, VOCAB, length),
                positions=np.arange(length),
                options=options,
                markers=markers,
                type_index=int(rng.integers(3)),
                state_used=0,
            )
        )
    return rows


@settings(deadline=None, max_examples=examples(15))
@given(rows=drawn_rows(), max_tokens=st.sampled_from([40, 200, 512, 10_000]))
def test_a_row_has_the_same_bits_alone_and_in_company(runtime, rows, max_tokens):
    together = outputs(runtime, rows, max_tokens)
    for row, mine in zip(rows, together, strict=True):
        (alone,) = outputs(runtime, [row], max_tokens)
        assert np.array_equal(alone.logits, mine.logits)
        assert np.array_equal(alone.act, mine.act)


@pytest.fixture(
    scope="module", params=["embedded", *(pytest.param(n, marks=golden.needs_golden) for n in golden.NAMES)]
)
def agent(request):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # golden checkpoints warn of the temperatures they ship
        loaded = laya.load(None if request.param == "embedded" else golden.directory(request.param), threads=2)
    with loaded:
        yield loaded


@pytest.fixture(scope="module")
def alone(agent):
    """Answers and logits of each text on its own."""
    return [agent.predict(text, QUESTIONS) for text in TEXTS], [agent.logits([text], QUESTIONS)[0] for text in TEXTS]


@settings(deadline=None, max_examples=examples(8))
@given(
    order=st.lists(st.sampled_from(range(len(TEXTS))), min_size=1, max_size=14),
    batch_size=st.sampled_from([None, 1, 3, 7]),
)
def test_an_answer_is_the_same_alone_and_in_any_company(agent, alone, order, batch_size):
    results, logits = alone
    states = [TEXTS[i] for i in order]
    assert agent.predict_batch(states, QUESTIONS, batch_size) == [results[i] for i in order]
    assert agent.logits(states, QUESTIONS) == [logits[i] for i in order]


def test_an_answer_is_the_same_beside_other_questions(agent, alone):
    for text, result in zip(TEXTS, alone[0], strict=True):
        for qid, question in QUESTIONS.items():
            assert agent.predict(text, {qid: question})["answers"][qid] == result["answers"][qid]


def test_an_answer_is_the_same_among_parallel_callers(agent, alone):
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda i: agent.predict(TEXTS[i % len(TEXTS)], QUESTIONS), range(3 * len(TEXTS))))
    assert results == alone[0] * 3
