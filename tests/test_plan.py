"""Plans: the usage of a call before it is made, with no forward pass."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import laya
from laya.errors import ArgumentError, ArgumentTypeError, BudgetError, ClosedError, QuestionError, StateTypeError
from laya.plan import plan
from laya.testing import FakeRuntime, fake_agent

QUESTIONS = {
    "topic": {"type": "choice", "instructions": "What is it about?", "criteria": {"a": "money", "b": "bugs " * 20}},
    "late": {"type": "noul", "instructions": "Is it late?", "criteria": {"true": "it is late", "false": "it is not"}},
    "lone": {"type": "noul", "instructions": "Is it a very long statement that somebody made about something?"},
    "mood": {"type": "score", "instructions": "How angry?", "criteria": ["calm", "cross", "furious"]},
}
LAYOUTS = ("sequential", "parallel", "reader")


@pytest.mark.parametrize("layout", LAYOUTS)
@given(
    state=st.text(max_size=80) | st.lists(st.text(max_size=30), max_size=4),
    ids=st.sets(st.sampled_from(sorted(QUESTIONS))),
    max_len=st.integers(40, 300),
    head_max_len=st.integers(10, 200),
)
def test_the_usage_is_that_of_the_call(layout, state, ids, max_len, head_max_len):
    agent, asked = fake_agent(layout=layout), {qid: QUESTIONS[qid] for qid in ids}
    budgets = {"max_len": max_len, "head_max_len": head_max_len}
    try:
        usage = agent.predict(state, asked, **budgets)["usage"]
    except BudgetError:
        with pytest.raises(BudgetError, match=r"max_len"):
            plan(agent, state, asked, **budgets)
        return
    planned = plan(agent, state, asked, **budgets)
    assert planned["usage"] == usage
    assert (planned["max_len"], planned["head_max_len"]) == (max_len, head_max_len)
    cuts = ("state_tokens_dropped", "instruction_tokens_dropped", "option_tokens_dropped")
    assert planned["fits"] is not (any(usage[key] for key in cuts) or bool(usage["options"]))
    of = planned["questions"].values()
    assert sum(q["instruction_tokens_dropped"] for q in of) == usage["instruction_tokens_dropped"]
    assert sum(q["option_tokens_dropped"] for q in of) == usage["option_tokens_dropped"]
    assert max((q["state_tokens_dropped"] for q in of), default=0) == usage["state_tokens_dropped"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nothing_is_run_and_nothing_is_kept(layout):
    runtime = FakeRuntime()
    agent = fake_agent(layout=layout, runtime=runtime, on_predict_start=lambda _ctx: pytest.fail("a hook ran"))
    agent.plan("some text", QUESTIONS)
    assert runtime.batches == []
    answers = fake_agent(layout=layout).predict("some text", QUESTIONS)["answers"]
    agent.remove_hook(agent.hooks[0])
    assert agent.predict("some text", QUESTIONS)["answers"] == answers


def test_what_is_cut_is_told_by_question():
    planned = plan(fake_agent(), "x" * 500, QUESTIONS, max_len=200, head_max_len=90)
    topic, late = planned["questions"]["topic"], planned["questions"]["late"]
    assert topic["option_tokens_dropped"] > 0 == late["option_tokens_dropped"]
    assert topic["tokens"] + topic["state_tokens_read"] + 1 == 200
    assert topic["state_tokens_read"] + topic["state_tokens_dropped"] == 500
    assert planned["state_room"] == min(q["state_tokens_read"] for q in planned["questions"].values())
    assert not planned["fits"]


@pytest.mark.parametrize(("state", "kept"), [("text", "start"), ({"a": 1}, "start"), (["a", "b"], "end")])
def test_which_end_of_a_state_is_kept(state, kept):
    assert plan(fake_agent(), state, QUESTIONS)["kept"] == kept


def test_options_that_read_as_equal_are_counted():
    same = "the same long beginning of a description, and then something else: "
    asked = {"q": {"type": "choice", "instructions": "Which?", "criteria": [f"{same}{i}" for i in range(5)]}}
    planned = plan(fake_agent(), "x", asked)
    assert (planned["questions"]["q"]["options"], planned["questions"]["q"]["options_distinct"]) == (5, 1)
    assert planned["usage"]["options"]["q"]["distinct"] == 1
    assert not planned["fits"]


def test_no_questions_cost_nothing():
    planned = plan(fake_agent(), "text", {})
    assert planned["fits"]
    assert planned["questions"] == {}
    assert planned["usage"]["input_tokens"] == 0


@pytest.mark.parametrize(
    ("state", "questions", "budgets", "error"),
    [
        (None, QUESTIONS, {}, StateTypeError),
        ("x", {"q": {"type": "nul"}}, {}, QuestionError),
        ("x", QUESTIONS, {"max_len": 0}, ArgumentError),
        ("x", QUESTIONS, {"max_len": 8, "head_max_len": 200}, BudgetError),
    ],
)
def test_what_predict_refuses_is_refused(state, questions, budgets, error):
    for ask in (fake_agent().plan, fake_agent().predict):
        with pytest.raises(error):
            ask(state, questions, **budgets)


def test_a_closed_agent_says_so():
    agent = fake_agent()
    agent.close()
    with pytest.raises(ClosedError, match="is closed"):
        plan(agent, "x", QUESTIONS)


@pytest.fixture
def router():
    with laya.Router({"a": "path-a", "b": "path-b"}, build=lambda _name, _source: fake_agent()) as router:
        yield router


def test_a_router_plans_on_what_it_picks(router):
    planned = plan(router, "text", QUESTIONS, model="b", max_len=300)
    assert planned["routing"]["model"] == "b"
    assert planned["max_len"] == 300
    assert router.loaded == ["b"]
    assert planned["usage"] == router.predict("text", QUESTIONS, model="b", max_len=300)["usage"]


def test_a_checkpoint_that_is_evicted_before_it_can_plan_is_loaded_again():
    class Evicted:
        """An agent that another call's eviction closes right after it was loaded."""

        def predict_batch(self, states, questions):
            raise NotImplementedError

        def plan(self, *_args, **_options):
            router.unload("a")
            raise ClosedError("evicted")

    agents = [Evicted(), fake_agent()]
    with laya.Router({"a": "path"}, build=lambda _name, _source: agents.pop(0)) as router:
        assert plan(router, "text", QUESTIONS, model="a")["model"] == "fake"


def test_an_agent_cannot_be_routed():
    with pytest.raises(ArgumentError, match="nothing to route"):
        plan(fake_agent(), "x", QUESTIONS, model="a")
    assert plan(fake_agent(), "x", QUESTIONS, model=None)["model"] == "fake"


def test_unknown_options_and_agents_that_cannot_tell_are_refused():
    with pytest.raises(ArgumentTypeError, match="unexpected option 'modle'; it takes model"):
        plan(fake_agent(), "x", QUESTIONS, modle="a")
    with pytest.raises(ArgumentTypeError, match="int has no plan"):
        plan(3, "x", QUESTIONS)
