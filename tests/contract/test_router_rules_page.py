"""The sentences of the Lifecycle page about locks, threads, budgets and caches of a Router; see `docs/contract.md`."""

import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from laya import errors
from laya.testing import fake_agent
from router_builders import Recorder

Q = {"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}}


def request(state, model="a", **more):
    return {"state": state, "questions": Q, "model": model, **more}


def elsewhere(call):
    """What a call returns on a thread of its own, in the context of this one."""
    found = []
    context = contextvars.copy_context()
    thread = threading.Thread(target=context.run, args=(lambda: found.append(call()),), daemon=True)
    thread.start()
    thread.join(20)
    assert found, "the call did not come back"
    return found[0]


def test_the_lock_is_free_while_hooks_of_the_model_lifecycle_run(make):
    seen = []

    class Asks:
        def on_load(self, ctx):
            seen.append(elsewhere(lambda: (ctx.router.loaded, ctx.router.load(ctx.model) is ctx.agent)))

        def on_evict(self, ctx):
            seen.append(elsewhere(lambda: (ctx.router.loaded, ctx.router.predict("x", Q, model="a")["model"])))

    router = make(hooks=[Asks()], max_loaded=2)
    router.load("a")
    router.load("b")
    router.unload("b")
    assert seen == [(["a"], True), (["a", "b"], True), (["a"], "fake")]


def test_a_built_checkpoint_is_registered_and_the_old_one_gone_before_either_event(make):
    seen = []

    class Looks:
        def on_load(self, ctx):
            seen.append(("on_load", ctx.model, ctx.router.loaded))

        def on_evict(self, ctx):
            seen.append(("on_evict", ctx.model, ctx.router.loaded))

    router = make(hooks=[Looks()], max_loaded=1)
    router.load("a")
    seen.clear()
    router.load("b")
    assert seen == [("on_evict", "a", ["b"]), ("on_load", "b", ["b"])]


def test_many_threads_get_their_own_contexts_and_right_answers(make):
    seen = []
    router = make(on_predict_end=lambda ctx: seen.append((ctx.run_id, ctx.states[0], ctx.results[0]["answers"])))
    states = [f"state {i}" for i in range(64)]
    expected = [fake_agent().predict(state, Q)["answers"] for state in states]
    with ThreadPoolExecutor(8) as pool:
        models = ["a" if i % 3 else "b" for i in range(len(states))]
        answered = list(pool.map(lambda state, model: router.predict(state, Q, model=model)["answers"], states, models))
    assert answered == expected
    assert len({run_id for run_id, _, _ in seen}) == len(states)
    assert {state: answers for _, state, answers in seen} == dict(zip(states, expected, strict=True))


@pytest.mark.parametrize("timeout", [None, 20])
def test_without_concurrency_one_hook_runs_at_a_time_and_may_call_back(make, timeout):
    class Nested:
        running = most = 0
        guard = threading.Lock()

        def on_predict_start(self, ctx):
            if ctx.states[0].startswith("inner"):
                return
            with self.guard:
                Nested.running += 1
                Nested.most = max(self.most, self.running)
            ctx.scratch["inner"] = ctx.router.predict(f"inner {ctx.states[0]}", Q, model="a")
            with self.guard:
                Nested.running -= 1

        def on_predict_end(self, ctx):
            if "inner" in ctx.scratch:
                ctx.results[0]["inner"] = ctx.scratch["inner"]["answers"]

    router = make(hooks=[Nested()], hooks_concurrent=False, hooks_timeout=timeout)
    with ThreadPoolExecutor(6) as pool:
        results = list(pool.map(lambda i: router.predict(f"{i}", Q, model="a"), range(24)))
    assert Nested.most == 1
    assert [r["inner"] for r in results] == [fake_agent().predict(f"inner {i}", Q)["answers"] for i in range(24)]


def test_routing_a_batch_fires_once_per_request_and_loads_nothing(make, factory):
    log = []
    router = make(hooks=[Recorder("A", log)])
    decisions = router.route_batch([request("x"), request("y", "b")], hooks=[Recorder("B", log)])
    assert [decision.model for decision in decisions] == ["a", "b"]
    assert log == [(name, "on_route", state) for state in "xy" for name in "AB"]
    assert factory.built == []


def test_the_contexts_of_a_batch_have_the_budgets_and_names_of_their_requests(make):
    seen = []
    router = make(on_predict_start=seen.append)
    router.predict_batch([request("x", max_len=500), request("y", " A ", head_max_len=100, request_id="r2")])
    assert [(c.states, c.model, c.max_len, c.head_max_len, c.request_id) for c in seen] == [
        (["x"], "a", 500, None, None),
        (["y"], "a", None, 100, "r2"),
    ]
    assert all(c.agent is router.load("a") and c.router is router and c.decision["model"] == "a" for c in seen)


def test_one_call_of_the_agent_per_budget(make):
    calls = []
    router = make()
    router.attach("own", fake_agent(on_predict_start=lambda ctx: calls.append((ctx.states, ctx.max_len))))
    router.predict_batch(
        [request("1", "own"), request("2", "own", max_len=500), request("3", "own"), request("4", "own", max_len=500)]
    )
    assert calls == [(["1", "3"], None), (["2", "4"], 500)]


class FillsAtTheEnd:
    def __init__(self):
        self.store, self.hits = {}, []

    def on_predict_start(self, ctx):
        if ctx.states[0] in self.store:
            self.hits.append(ctx.states[0])
            ctx.skip([self.store[ctx.states[0]]])

    def on_predict_end(self, ctx):
        self.store[ctx.states[0]] = ctx.results[0]


def test_a_cache_filled_at_the_end_serves_later_calls_and_not_its_own_group(make, factory):
    cache, log = FillsAtTheEnd(), []
    router = make(hooks=[cache, Recorder("A", log)])
    first = router.predict_batch([request("same"), request("same")])
    assert cache.hits == []
    forwards = factory.forwards("a")
    log.clear()
    assert router.predict_batch([request("same"), request("same")]) == first
    assert cache.hits == ["same", "same"]
    assert factory.forwards("a") == forwards
    assert [event for _, event, _ in log if event != "on_route"] == ["on_predict_start"] * 2 + ["on_predict_end"] * 2


def test_a_group_that_ran_before_another_question_group_failed_fails_with_it(make, factory):
    seen = []
    router = make(on_predict_end=lambda ctx: seen.append((ctx.states[0], type(ctx.error))))
    bad = {"team": {"type": "choice", "instructions": "?"}}
    with pytest.raises(errors.QuestionError):
        router.predict_batch([request("ran"), request("bad") | {"questions": bad}])
    assert factory.forwards("a") == 1
    assert seen == [("bad", errors.QuestionError), ("ran", errors.QuestionError)]


def test_requests_of_a_finished_checkpoint_have_ended_with_their_results(make):
    ended = []
    router = make(on_predict_end=lambda ctx: ended.append((ctx.states[0], bool(ctx.results), ctx.error)))

    def refuse(ctx):
        if ctx.model == "b":
            raise PermissionError("refused")

    with pytest.raises(PermissionError) as caught:
        router.predict_batch([request("done", "a"), request("refused", "b")], on_predict_start=refuse)
    assert ended == [("done", True, None), ("refused", False, caught.value)]


@pytest.mark.parametrize("questions", [{}, Q])
def test_a_request_without_questions_fires_its_hooks_and_gives_an_empty_answer(make, factory, questions):
    log = []
    router = make(hooks=[Recorder("A", log)])
    result = router.predict("x", questions, model="a")
    assert list(result["answers"]) == list(questions)
    assert [event for _, event, _ in log if event.startswith("on_predict")] == ["on_predict_start", "on_predict_end"]
    assert result["routing"]["model"] == "a"
    assert factory.built == (["a"] if questions else [])
