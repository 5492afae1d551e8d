"""What a server needs of a Router: batches of requests of several callers, where a request goes, idle checkpoints."""

import time

import pytest

from laya.errors import ArgumentError, ArgumentTypeError, QuestionError, StateError
from laya.testing import fake_agent
from router_builders import CHOICE, Calls, Recorder, closed

Q = {"team": CHOICE}
BAD_QUESTION = {"team": {"type": "choice", "instructions": "Which?", "criteria": {}}}


def request(state="x", questions=None, **options):
    return {"state": state, "questions": questions or Q, "model": "a", **options}


# -- labels ---------------------------------------------------------------------------------------------------------


def failures(router, requests, **options):
    return router.predict_batch(requests, errors="return", **options)


@pytest.mark.parametrize(
    ("bad", "kind", "alone"),
    [
        (request({"a": float("nan")}), StateError, "state 0: "),
        (request(questions=BAD_QUESTION), QuestionError, "question 'team': "),
        (request(model="nope"), ArgumentError, "unknown model"),
        (["no dict"], ArgumentTypeError, "must be a dict"),
    ],
)
def test_errors_name_a_request_by_its_label(make, bad, kind, alone):
    router = make()
    requests = [request("x"), bad, request("y"), bad]
    by_place = failures(router, requests)
    labelled = failures(router, requests, labels=[None, None, 0, 7])
    assert [error.index for error in (by_place[1], by_place[3], labelled[3])] == [1, 3, 7]
    assert [str(error).split(":")[0] for error in (by_place[1], by_place[3])] == ["request 1", "request 3"]
    assert str(labelled[3]).startswith("request 7: ")
    assert type(labelled[1]) is type(labelled[3]) is kind
    assert str(labelled[1]).startswith(alone)
    assert labelled[1].index == (0 if kind is StateError else None)
    assert all("answers" in result for result in (by_place[0], labelled[0], labelled[2]))


@pytest.mark.parametrize("labels", [[], [None], [0, 1, 2]])
def test_there_is_a_label_for_each_request(make, labels):
    with pytest.raises(ArgumentError, match="one entry per request"):
        make().predict_batch([request(), request()], labels=labels)


# -- one bad request among many -------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0, 5, 31])
def test_one_bad_state_costs_the_others_few_forward_passes(make, factory, place):
    router = make()
    states = [f"state {number}" for number in range(32)]
    states[place] = {"a": float("nan")}
    results = failures(router, [request(state) for state in states])
    assert [isinstance(result, StateError) for result in results] == [number == place for number in range(32)]
    assert factory.forwards("a") == 31  # each of the others once
    assert len(factory.runtimes["a"].batches) <= 12


def test_bad_questions_do_not_part_those_who_ask_something_else(make, factory):
    router = make()
    requests = [request(f"state {n}", BAD_QUESTION if n % 2 else Q) for n in range(16)]
    results = failures(router, requests)
    assert [isinstance(result, QuestionError) for result in results] == [bool(n % 2) for n in range(16)]
    assert factory.forwards("a") == 8
    assert len(factory.runtimes["a"].batches) <= 2


@pytest.mark.parametrize("left", [["one", "two"], None, 5])
def test_a_start_hook_that_leaves_no_single_state_fails_its_own_request(make, left):
    def break_one(ctx):
        if ctx.states == ["bad"]:
            ctx.states = left

    router = make(hooks=[Calls("on_predict_start", break_one)])
    good, bad, fine = failures(router, [request("good"), request("bad"), request("fine")])
    assert isinstance(bad, Exception)
    assert good["answers"]
    assert fine["answers"]


# -- where a request goes -------------------------------------------------------------------------------------------


def test_where_a_request_goes_is_told_without_a_hook_or_a_load(make, factory):
    recorder = Recorder("r", [])
    router = make(hooks=[recorder])
    assert router.checkpoint_for(request(model="b")) == "b"
    assert router.checkpoint_for({"state": "Where is my invoice, please?", "questions": Q, "lang": "en"}) == "english"
    assert router.checkpoint_for(request(task="c", model=None)) == "c"
    assert recorder.log == []
    assert factory.built == []


@pytest.mark.parametrize("bad", [request(model="nope"), request(langs="de"), {"state": "x"}, request(None), "x"])
def test_where_a_malformed_request_goes_nobody_knows(make, bad):
    with pytest.raises((ArgumentError, ArgumentTypeError, TypeError)):
        make().checkpoint_for(bad)


def test_routing_hooks_see_the_request_id(make):
    seen = []
    router = make(hooks=[Calls("on_route", lambda ctx: seen.append(ctx.request_id))])
    router.predict_batch([request(request_id="r1"), request()])
    router.predict(**request(request_id="r2"))
    assert seen == ["r1", None, "r2"]


# -- idle checkpoints -----------------------------------------------------------------------------------------------


def test_idle_checkpoints_are_freed_oldest_first_and_used_or_attached_ones_stay(make, factory):
    recorder = Recorder("r", [])
    router = make(max_loaded=5)
    router.attach("mine", fake_agent())
    for name in ("a", "b", "c"):
        router.load(name)
    router.add_hook(recorder)
    assert router.unload_idle(60) == []
    time.sleep(0.02)
    router.predict(**request(model="b"))
    recorder.log.clear()
    assert router.unload_idle(0.02) == ["a", "c"]
    assert router.loaded == ["mine", "b"]
    assert recorder.log == [("r", "on_evict", "a"), ("r", "on_evict", "c")]
    assert closed(factory.agents["a"][0])
    assert not closed(factory.agents["b"][0])


def test_a_checkpoint_in_use_is_not_idle(make):
    freed = []
    router = make(hooks=[Calls("on_predict_start", lambda ctx: freed.append(ctx.router.unload_idle(0)))])
    assert router.predict(**request())["answers"]
    assert freed == [[]]
    assert router.unload_idle(0) == ["a"]
