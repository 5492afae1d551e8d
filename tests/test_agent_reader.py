"""An agent on a checkpoint with reader layers: everything beside the logits."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import laya
from laya import errors
from laya.decode import Calibration
from laya.encoding import ReaderLayout
from laya.engine import Model
from laya.loading import Loaded
from laya.testing import FakeRuntime, fake_encoder
from reader_reference import READER, write_reader

QUESTIONS = {
    "pet": {"type": "choice", "instructions": "Which pet?", "criteria": {"cats": "purring", "dogs": None}},
    "good": {"type": "score", "instructions": "How good?", "criteria": ["bad", "so so", "good"]},
    "cat": {"type": "noul", "instructions": "Is it a cat?", "criteria": {"false": "none"}},
}
AROUND = 2
DOCUMENT = "".join(f"sentence {i}. " for i in range(60))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_reader(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module")
def agent(tiny):
    with laya.load(tiny, threads=1) as agent:
        yield agent


def read(*texts):
    """Tokens that the trunk reads for some texts; one token is one byte."""
    return sum(len(text) + AROUND for text in texts)


def test_the_instructions_count_as_read(agent):
    usage = agent.predict("a cat", QUESTIONS)["usage"]
    pet = read("Which pet?", "purring (cats)", "dogs")
    assert usage["input_tokens"] == pet + read("How good?", "bad", "so so", "good", "Is it a cat?", "none") + read(
        "a cat"
    )
    assert (usage["truncated"], usage["instruction_tokens_dropped"], usage["option_tokens_dropped"]) == (False, 0, 0)


def test_cuts_are_counted_apart(agent):
    usage = agent.predict("a cat that is long", QUESTIONS, max_len=12, head_max_len=8)["usage"]
    assert usage["instruction_tokens_dropped"] == 4 + 3 + 6
    assert usage["option_tokens_dropped"] == 8
    assert usage["state_tokens_dropped"] == 18 - 10
    assert usage["truncated_questions"] == ["pet", "good", "cat"]
    with pytest.raises(errors.TruncationError, match="8 state tokens and 13 instruction tokens and 8 option tokens"):
        agent.predict("a cat that is long", QUESTIONS, max_len=12, head_max_len=8, truncation="error")


def test_options_that_are_cut_to_the_same_text_are_reported(agent):
    question = {"q": {"type": "choice", "instructions": "Which of them?", "criteria": ["abcdefx", "abcdefy", "z"]}}
    options = agent.predict("x", question, head_max_len=8)["usage"]["options"]
    assert options == {"q": {"total": 3, "distinct": 2, "tokens_per_option": 6}}
    same = {"q": {"type": "noul", "instructions": "Is it?", "criteria": {"true": "abcdefx", "false": "abcdefy"}}}
    assert agent.predict("x", same, head_max_len=8)["usage"]["options"]["q"]["distinct"] == 1
    assert agent.predict("x", {"q": {"type": "noul", "instructions": "Is it?"}})["usage"]["options"] == {}


def test_the_plan_of_a_call_is_what_it_reads(agent):
    assert agent.plan("a cat", QUESTIONS)["usage"] == agent.predict("a cat", QUESTIONS)["usage"]


def test_a_long_document_is_answered_by_one_of_its_windows(agent):
    result = agent.predict_long(DOCUMENT, QUESTIONS, window=100, stride=50)
    for name, answer in result["answers"].items():
        window = DOCUMENT[answer["window"]["token_start"] : answer["window"]["token_end"]]
        alone = agent.predict(window, QUESTIONS)["answers"][name]
        assert answer["answer_confidence"] == pytest.approx(alone["answer_confidence"], abs=1e-5)
    count = result["usage"]["windows"]
    assert result["usage"]["input_tokens"] == sum(
        read(DOCUMENT[start : start + 100]) for start in range(0, 50 * count, 50)
    ) + read("Which pet?", "purring (cats)", "dogs", "How good?", "bad", "so so", "good", "Is it a cat?", "none")


def test_texts_are_embedded_by_the_last_tap(agent, tmp_path):
    texts = ["a cat", "", "z" * 300]
    vectors = agent.embed(texts)
    assert vectors.shape == (3, 32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    with laya.load(write_reader(tmp_path, taps=[2]), threads=1) as last_alone:
        np.testing.assert_allclose(vectors, last_alone.embed(texts), atol=1e-6)


def test_a_shortlist_uses_its_vectors(agent):
    many = {"q": {"type": "choice", "instructions": "Which?", "criteria": [f"label {i}" for i in range(30)]}}
    result = laya.predict_shortlist(agent, "label 7", many, laya.embed_fn_from_agent(agent), k=5)
    assert len(result["answers"]["q"]["probabilities"]) >= 5


def test_it_travels_as_its_folder(agent):
    copy = pickle.loads(pickle.dumps(agent))
    with copy:
        assert copy.predict("a cat", QUESTIONS)["answers"] == agent.predict("a cat", QUESTIONS)["answers"]


def test_it_closes(tiny):
    agent = laya.load(tiny, threads=1)
    agent.close()
    with pytest.raises(errors.ClosedError):
        agent.predict("x", QUESTIONS)


def test_a_question_is_read_once(tiny):
    with laya.load(tiny, threads=1) as agent:
        model, seen = agent._model, []
        forward = model.runtime.forward
        model.layout._trunk = model.layout._method._engine = Spy(forward, seen)
        agent.predict("a cat", QUESTIONS)
        assert seen.count("question") == 3
        del seen[:]
        agent.predict_batch(["a dog", "a cat"], QUESTIONS)
        assert set(seen) == {"pairs"}


class Spy:
    def __init__(self, forward, seen):
        self._forward = forward
        self._seen = seen

    def forward(self, batch):
        self._seen.append(batch.part)
        return self._forward(batch)


def test_what_is_kept_of_questions_is_bounded(monkeypatch):
    monkeypatch.setattr("laya.engine.HEAD_BYTES", 200_000)
    agent = fake()
    heads = agent._model._heads
    for i in range(30):
        answered = agent.predict("x", {"q": {"type": "choice", "instructions": f"Which {i}?", "criteria": ["a", "b"]}})
        assert answered["answers"]["q"]["choice"] in {"a", "b"}
        assert heads.currsize <= 200_000
    kept = len(heads)
    assert 1 < kept < 30
    many = [f"option {i} {'x' * 100}" for i in range(100)]
    agent.predict("x", {"q": {"type": "choice", "instructions": "Which?", "criteria": many}})
    assert len(heads) == kept
    assert all(head.nbytes > head.payload.read.tokens.nbytes > 0 for head in heads.values())


def fake(layers=1):
    runtime = FakeRuntime()
    layout = ReaderLayout(fake_encoder(), READER | {"layers": layers, "taps": [1]}, runtime)
    model = Model("fake", layout, runtime, max_len=256, head_max_len=128, max_positions=1024)
    return laya.Agent(Loaded(model, Calibration(laya.calibration.Temperatures(), {}), {}, lambda: "fake"))


def test_the_fake_runtime_has_reader_layers():
    agent = fake()
    states = ["a cat", "a dog", "z" * 100]
    together = agent.predict_batch(states, QUESTIONS)
    for state, result in zip(states, together, strict=True):
        assert agent.predict(state, QUESTIONS) == result
    assert together[0]["answers"] != together[1]["answers"]
