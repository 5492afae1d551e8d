"""ConfidenceGate: the min_confidence argument as a hook."""

from __future__ import annotations

import pickle

import pytest

from laya import check_min_confidence
from laya.errors import AbstentionError, ArgumentError, ArgumentTypeError
from laya.hooks.builtin import ConfidenceGate
from laya.testing import fake_agent

Q = {
    "kind": {"type": "choice", "instructions": "which?", "criteria": ["a", "b", "c"]},
    "true": {"type": "noul", "instructions": "Is it?"},
}


@pytest.mark.parametrize("value", [True, -0.1, 1.1, "0.5", float("nan"), {}, {"choice": 0.5}, {"default": 2}])
def test_the_hook_refuses_exactly_what_the_argument_refuses(value):
    with pytest.raises(ArgumentError) as by_hook:
        ConfidenceGate(value)
    with pytest.raises(ArgumentError) as by_argument:
        check_min_confidence(value)
    assert str(by_hook.value) == str(by_argument.value)


def test_a_call_gives_the_same_results_as_with_the_argument():
    gates = {"choice:3-5": 0.99, "default": 0.0}
    by_hook = fake_agent(hooks=[ConfidenceGate(gates)]).predict_batch(["x", "y"], Q)
    assert by_hook == fake_agent().predict_batch(["x", "y"], Q, min_confidence=gates)
    assert {answer["abstention"] for result in by_hook for answer in result["answers"].values()} == {
        "abstained",
        "passed",
    }


def test_raise_names_the_question_and_the_state():
    agent = fake_agent(hooks=[ConfidenceGate({"choice:3-5": 1.0}, on_abstain="raise")])
    with pytest.raises(AbstentionError, match="question 'kind', state 0: the answer is less sure than 1;") as caught:
        agent.predict("x", Q)
    assert (caught.value.question, caught.value.index, caught.value.code) == ("kind", 0, "abstained")
    assert pickle.loads(pickle.dumps(caught.value)).question == "kind"


def test_a_function_may_replace_an_answer_or_leave_it():
    asked = []

    def fallback(found):
        asked.append((found.index, found.state, found.question, found.answer["abstention"]))
        return {"type": "choice", "choice": "human"} if found.state == "x" else None

    agent = fake_agent(hooks=[ConfidenceGate({"choice:3-5": 1.0}, on_abstain=fallback)])
    first, second = agent.predict_batch(["x", "y"], Q)
    assert asked == [(0, "x", "kind", "abstained"), (1, "y", "kind", "abstained")]
    assert first["answers"]["kind"] == {"type": "choice", "choice": "human"}
    assert second["answers"]["kind"]["low_confidence"] is True
    assert first["answers"]["true"]["abstention"] == "passed"


def test_a_function_that_returns_something_else_is_named():
    agent = fake_agent(hooks=[ConfidenceGate(1.0, on_abstain=lambda found: "human")])
    with pytest.raises(ArgumentTypeError, match="on_abstain returned str for question 'kind'"):
        agent.predict("x", Q)


def test_a_failed_call_is_not_gated():
    agent = fake_agent(hooks=[ConfidenceGate(1.0, on_abstain="raise")])
    with pytest.raises(ValueError, match="question 'q'"):
        agent.predict("x", {"q": {"type": "none"}})


@pytest.mark.parametrize(("value", "error"), [("fail", ArgumentError), (5, ArgumentTypeError)])
def test_on_abstain_is_checked_when_the_hook_is_made(value, error):
    with pytest.raises(error, match="on_abstain must be"):
        ConfidenceGate(0.5, on_abstain=value)
