"""Attached agents that are not ours, and long documents over the Router."""

import pytest

from laya.errors import ArgumentError, ArgumentTypeError, HookResultError
from laya.testing import fake_agent
from router_builders import CHOICE, Recorder

Q = {"team": CHOICE}
ANSWER = {"type": "choice", "choice": "tech", "probabilities": {"billing": 0.1, "tech": 0.9}, "answer_confidence": 0.9}


class OneByOne:
    """Answers one state at a time, and knows no options."""

    def __init__(self):
        self.calls = []

    def system_one(self, state, questions):
        self.calls.append(state)
        return {"model": "one", "answers": {"team": dict(ANSWER)}}


class Keeps:
    """Answers lists without budgets, always with the same object."""

    kept = {"model": "keeps", "answers": {"team": dict(ANSWER)}}  # noqa: RUF012 # shared on purpose

    def predict_batch(self, states, questions):
        return [self.kept] * len(states)


class Budgets:
    """Takes whatever it is given."""

    def __init__(self):
        self.options = []

    def predict_batch(self, states, questions, **options):
        self.options.append(options)
        return [{"model": "budgets", "answers": {}} for _ in states]


def request(state, model, **more):
    return {"state": state, "questions": Q, "model": model, **more}


def test_an_agent_with_system_one_alone_answers_calls_and_batches(make):
    router = make()
    agent = router.attach("one", OneByOne())
    assert router.predict("x", Q, model="one", max_len=300)["answers"]["team"]["choice"] == "tech"
    results = router.predict_batch([request("y", "one"), request("z", "one")], batch_size=2)
    assert [result["routing"]["model"] for result in results] == ["one", "one"]
    assert agent.calls == ["x", "y", "z"]


def test_an_agent_without_budgets_is_not_asked_to_keep_them(make):
    router = make()
    router.attach("keeps", Keeps())
    result = router.predict("x", Q, model="keeps", max_len=300, head_max_len=100, lang="en")
    assert result["answers"]["team"]["choice"] == "tech"


def test_what_a_foreign_agent_keeps_is_not_written_to(make):
    router = make()
    router.attach("keeps", Keeps())
    router.attach("same", Keeps())
    router.predict("x", Q, model="keeps", min_confidence=1.0)
    first, second = router.predict_batch([request("x", "same"), request("y", "same", lang="de")])
    assert first["routing"]["reason_code"] == "explicit_model"
    first["answers"].clear()
    assert second["answers"]
    assert Keeps.kept == {"model": "keeps", "answers": {"team": ANSWER}}


def test_an_agent_that_takes_options_gets_those_that_were_given(make):
    router = make()
    agent = router.attach("budgets", Budgets())
    router.predict("x", Q, model="budgets")
    router.predict_batch([request("y", "budgets", max_len=300, lang="de")], batch_size=4)
    assert agent.options == [{}, {"max_len": 300, "lang": "de", "batch_size": 4}]


@pytest.mark.parametrize("results", [[], [{"answers": {}}] * 2])
def test_an_agent_that_gives_another_number_of_results_is_named(make, results):
    router = make()

    class Wrong:
        def predict_batch(self, states, questions):
            return results

    router.attach("wrong", Wrong())
    with pytest.raises(HookResultError, match=f"the agent of 'wrong' gave {len(results)} results for 1 states"):
        router.predict("x", Q, model="wrong")


@pytest.mark.parametrize("result", [None, "text", {}, {"answers": None}])
def test_an_agent_that_gives_something_else_than_results_is_an_error_of_the_call(make, result):
    log = []
    router = make(hooks=[Recorder("A", log)])

    class Wrong:
        def system_one(self, state, questions):
            return result

    router.attach("wrong", Wrong())
    with pytest.raises(HookResultError):
        router.predict("x", Q, model="wrong")
    assert [event for _, event, _ in log][-2:] == ["on_error", "on_predict_end"]


# -- long documents -----------------------------------------------------------------------------------------------

DOCUMENT = "The printer is broken again. " * 40


@pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])
def test_a_long_document_is_read_in_windows_with_the_routing_and_one_round_of_hooks(make, factory, layout):
    log = []
    factory.agent_options["a"] = {"layout": layout, "max_len": 320, "head_max_len": 200}
    router = make(hooks=[Recorder("A", log)])
    result = router.predict_long(DOCUMENT, Q, model="a", request_id="r")
    assert [event for _, event, _ in log] == ["on_route", "on_load", "on_predict_start", "on_predict_end"]
    routing = result.pop("routing")
    assert (routing["model"], routing["reason_code"]) == ("a", "explicit_model")
    assert result == fake_agent(**factory.agent_options["a"]).predict_long(DOCUMENT, Q)
    windows = result["usage"]["windows"]
    where = result["answers"]["team"]["window"]
    assert where["count"] == windows > 1
    assert 0 <= where["index"] < windows


def test_windows_of_a_long_document_can_be_chosen_and_are_checked_first(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    fine = router.predict_long(DOCUMENT, Q, model="a", window=100, stride=100)
    assert fine["usage"]["windows"] == -(-len(DOCUMENT) // 100)
    log.clear()
    for wrong in [{"window": 0}, {"stride": -1}, {"max_windows": True}, {"aggregate": "mean"}, {"batch_size": 0}]:
        with pytest.raises(ArgumentError):
            router.predict_long(DOCUMENT, Q, model="a", **wrong)
    with pytest.raises(ArgumentTypeError, match="predict_long got an unexpected option 'windw'"):
        router.predict_long(DOCUMENT, Q, model="a", windw=5)
    assert log == []
    with pytest.raises(ArgumentError, match="max_windows"):
        router.predict_long(DOCUMENT, Q, model="a", window=100, max_windows=2)
    assert [event for _, event, _ in log] == ["on_route", "on_predict_start", "on_error", "on_predict_end"]


def test_an_agent_that_cannot_read_long_documents_is_named(make):
    router = make()
    router.attach("one", OneByOne())
    with pytest.raises(ArgumentTypeError, match=r"the attached OneByOne has no predict_long\(\)"):
        router.predict_long("x", Q, model="one")


def test_a_long_document_that_a_hook_answers_is_not_read(make, factory):
    ready = {"model": "cache", "answers": {"team": ANSWER}}
    result = make().predict_long(DOCUMENT, Q, model="a", on_predict_start=lambda ctx: ctx.skip([ready]))
    assert result["model"] == "cache"
    assert factory.forwards("a") == 0
