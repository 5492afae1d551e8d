"""Long documents, raw logits, text vectors and structured decisions of an agent."""

import json

import numpy as np
import pytest

import laya
from laya import errors
from laya.testing import FakeRuntime, fake_agent

Q = {
    "spam": {"type": "noul", "instructions": "Is it spam?"},
    "team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}},
}
LAYOUTS = ["sequential", "parallel", "reader"]
DOCUMENT = "".join(f"sentence {i}. " for i in range(120))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_document_that_fits_is_answered_as_by_predict(layout):
    agent = fake_agent(layout=layout)
    assert agent.predict_long("short", Q) == agent.predict("short", Q)
    assert agent.predict_long("short", {}) == agent.predict("short", {})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_question_is_answered_by_its_most_telling_window(layout):
    agent = fake_agent(layout=layout)
    result = agent.predict_long(DOCUMENT, Q, window=100, stride=50)
    windows = [DOCUMENT[start : start + 100] for start in range(0, len(DOCUMENT) - 50, 50)]
    alone = [agent.predict(window, Q)["answers"] for window in windows]
    spam, team = result["answers"]["spam"], result["answers"]["team"]
    assert spam["noul"] == pytest.approx(max(a["spam"]["noul"] for a in alone), abs=1e-6)
    assert team["answer_confidence"] == pytest.approx(max(a["team"]["answer_confidence"] for a in alone), abs=1e-6)
    assert spam["window"]["count"] == len(windows)
    best = windows[spam["window"]["index"]]
    assert agent.predict(best, Q)["answers"]["spam"]["noul"] == pytest.approx(spam["noul"], abs=1e-6)
    assert best == DOCUMENT[spam["window"]["token_start"] : spam["window"]["token_end"]]


def test_the_usage_of_windows_is_honest():
    for layout in LAYOUTS:
        agent = fake_agent(layout=layout)
        usage = agent.predict_long(DOCUMENT, Q, window=200, stride=200)["usage"]
        assert set(usage) == set(agent.predict("x", Q)["usage"])
        assert usage["state_tokens"] == len(DOCUMENT)
        assert usage["state_tokens_dropped"] == 0
        assert usage["truncated"] is False
        assert usage["windows"] == -(-len(DOCUMENT) // 200)
        alone = [agent.predict(DOCUMENT[i : i + 200], Q)["usage"] for i in range(0, len(DOCUMENT), 200)]
        again = (len(alone) - 1) * (alone[0]["input_tokens"] - 200 - 2) if layout == "reader" else 0
        assert usage["input_tokens"] == sum(u["input_tokens"] for u in alone) - again


def test_the_reader_layout_reads_the_questions_once_for_all_windows():
    runtime = FakeRuntime()
    agent = fake_agent(layout="reader", runtime=runtime)
    agent.predict_long(DOCUMENT, Q, window=100, stride=100)
    read = sum(len(batch.input_ids) for batch in runtime.batches)
    windows = -(-len(DOCUMENT) // 100)
    questions = sum(head.tokens for head in agent._model._heads.values())
    assert read == len(DOCUMENT) + 2 * windows + questions


def test_hooks_see_the_document_as_the_one_state():
    seen = []
    agent = fake_agent(on_predict_start=lambda ctx: seen.append(ctx.states), on_predict_end=seen.append)
    result = agent.predict_long(DOCUMENT, Q, window=100)
    assert seen[0] == [DOCUMENT]
    assert seen[1].results == [result]
    assert seen[1].usage["windows"] == result["usage"]["windows"]


def test_a_start_hook_may_answer_or_change_a_long_document():
    agent = fake_agent()
    ready = agent.predict("x", Q)
    assert agent.predict_long(DOCUMENT, Q, window=100, on_predict_start=lambda ctx: ctx.skip([ready])) == ready
    other = agent.predict_long(DOCUMENT, Q, on_predict_start=lambda ctx: setattr(ctx, "states", ["short"]))
    assert other == agent.predict("short", Q)
    budget = agent.predict_long(DOCUMENT, Q, on_predict_start=lambda ctx: setattr(ctx, "max_len", 400))
    assert budget["usage"]["windows"] > 1


def test_the_gate_works_on_long_documents():
    answers = fake_agent().predict_long(DOCUMENT, Q, window=100, min_confidence=1.0)["answers"]
    assert answers["team"]["abstention"] == "abstained"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"window": 1}, "window must be None or an int of at least 8, got 1"),
        ({"window": True}, "window must be None or an int"),
        ({"stride": 0}, "stride must be None or an int of at least 1, got 0"),
        ({"stride": "x"}, "stride must be None or an int"),
        ({"aggregate": "mean"}, "only aggregate='auto' is supported"),
        ({"window": 10, "stride": 50}, "steps past the 10-token window"),
        ({"window": 8, "stride": 1, "max_windows": 10}, "more than max_windows=10"),
        ({"windows": 3}, "unexpected option 'windows'; did you mean 'window'?"),
    ],
)
def test_wrong_window_options_are_refused(options, text):
    with pytest.raises((ValueError, TypeError)) as caught:
        fake_agent().predict_long(DOCUMENT, Q, **options)
    assert text in str(caught.value)


def test_questions_that_leave_no_room_are_refused():
    with pytest.raises(errors.BudgetError, match="no room"):
        fake_agent(max_len=60, head_max_len=60).predict_long(DOCUMENT, Q)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_logits_are_raw_and_in_the_order_of_the_criteria(layout):
    agent = fake_agent(layout=layout)
    ordered = {"team": {**Q["team"], "option_order": [1, 0]}}
    (raw,) = agent.logits(["x"], ordered)
    p = agent.predict("x", ordered)["answers"]["team"]["probabilities"]
    e = np.exp(np.array(raw["team"]) - max(raw["team"]))
    assert list(p.values()) == pytest.approx((e / e.sum()).tolist())
    assert agent.logits([], Q) == []


def test_text_vectors_come_from_the_reader_layout_alone():
    vectors = fake_agent(layout="reader").embed(["one", "two", "one"])
    assert vectors.shape[0] == 3
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0)
    assert np.array_equal(vectors[0], vectors[2])
    with pytest.raises(errors.ArgumentError, match="no text vectors"):
        fake_agent().embed(["x"])


def test_an_agent_fills_a_schema():
    schema = {
        "type": "object",
        "required": ["spam", "team"],
        "properties": {
            "spam": {"type": "boolean", "description": "Is it spam?"},
            "team": {"enum": ["billing", "tech"], "description": "Which team?"},
        },
    }
    agent = fake_agent()
    values = agent.decide("x", schema)
    assert json.loads(json.dumps(values)) == values
    assert isinstance(values["spam"], bool)
    assert values["team"] in {"billing", "tech"}
    assert agent.decide_batch(["x", "y"], schema)[0] == values


def test_a_shortlist_can_be_made_from_the_agent_itself():
    agent = laya.load()
    embed = laya.embed_fn_from_agent(agent)
    ranked = laya.shortlist_choice("my card has not arrived", ["card arrival", "exchange rate", "top up"], embed, k=1)
    assert list(ranked) == ["card arrival"]
    agent.close()
