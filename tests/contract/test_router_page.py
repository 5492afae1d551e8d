"""The sentences of the Lifecycle and Errors pages that are about the Router; `docs/contract.md` is the table."""

import contextvars
import threading

import pytest

import laya
from laya import errors
from laya.testing import fake_agent
from router_builders import Recorder

Q = {"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}}
Q2 = {"spam": {"type": "noul", "instructions": "Is it spam?"}}
BAD = {"team": {"type": "choice", "instructions": "?"}}


def request(state, model="a", questions=Q, **more):
    return {"state": state, "questions": questions, "model": model, **more}


class Raises:
    """Raises on one event, for one state or checkpoint."""

    def __init__(self, event, what=None, error=RuntimeError):
        def fail(ctx):
            if what is None or what in {ctx.model, *map(str, ctx.states)}:
                raise error(f"{event} broke")

        setattr(self, event, fail)


def test_predict_routes_then_loads_then_starts_then_infers_then_ends(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    router.predict("x", Q, model="a")
    assert log == [
        ("A", "on_route", "x"),
        ("A", "on_load", "a"),
        ("A", "on_predict_start", "x"),
        ("A", "on_predict_end", "x"),
    ]


def test_installed_hooks_run_before_per_call_hooks(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    router.load("a")
    log.clear()
    router.predict("x", Q, model="a", hooks=[Recorder("B", log)])
    events = ("on_route", "on_predict_start", "on_predict_end")
    assert log == [(name, event, "x") for event in events for name in "AB"]


def test_an_on_route_hook_may_replace_the_decision_and_so_spares_a_load(make, factory):
    def pin(ctx):
        ctx.decision = {**ctx.decision, "model": "b"}

    class Pin:
        on_route = staticmethod(pin)

    router = make(hooks=[Pin()])
    assert router.route("x", Q, model="a").model == "b"
    assert router.predict("x", Q, model="a")["routing"]["model"] == "b"
    assert factory.built == ["b"]


def test_a_resident_checkpoint_is_returned_without_an_event(make, factory):
    log = []
    router = make(hooks=[Recorder("A", log)])
    first = router.load("a")
    assert router.load("a") is first
    assert log == [("A", "on_load", "a")]
    assert factory.built == ["a"]


def test_the_context_is_complete_when_the_start_hooks_run(make):
    seen = []
    router = make(on_predict_start=seen.append)
    router.predict("x", Q, model=" A ", max_len=500, head_max_len=100, request_id="r1")
    (ctx,) = seen
    assert (ctx.states, ctx.questions, ctx.model) == (["x"], Q, "a")
    assert ctx.decision["model"] == "a"
    assert ctx.agent is router.load("a")
    assert ctx.router is router
    assert (ctx.max_len, ctx.head_max_len, ctx.request_id) == (500, 100, "r1")


def test_the_result_is_that_of_the_agent_with_the_routing(make):
    result = make().predict("x", Q, model="a")
    routing = result.pop("routing")
    assert result == fake_agent().predict("x", Q)
    assert routing == {
        "model": "a",
        "repo": "path-a",
        "reason": "explicit model='a'",
        "reason_code": "explicit_model",
        "detection": None,
        "workflow": None,
    }


def test_the_agents_own_hooks_run_inside_and_router_hooks_are_not_forwarded(make):
    log = []
    router = make(hooks=[Recorder("R", log)])
    router.attach("own", fake_agent(hooks=[Recorder("A", log)]))
    router.predict("x", Q, model="own")
    assert [(name, event) for name, event, _ in log] == [
        ("R", "on_route"),
        ("R", "on_predict_start"),
        ("A", "on_predict_start"),
        ("A", "on_predict_end"),
        ("R", "on_predict_end"),
    ]


def test_a_skip_adds_routing_where_it_is_missing(make, factory):
    ready = fake_agent().predict("x", Q)
    router = make()
    result = router.predict("x", Q, model="a", on_predict_start=lambda ctx: ctx.skip([ready]))
    assert result["routing"]["model"] == "a"
    assert "routing" not in ready
    assert factory.runtimes["a"].batches == []
    kept = router.predict("x", Q, model="a", on_predict_start=lambda ctx: ctx.skip([{**ready, "routing": "mine"}]))
    assert kept["routing"] == "mine"


@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("event", ["on_route", "on_load", "on_evict"])
def test_a_failure_before_prediction_propagates_as_it_is_and_nothing_starts(make, event, batch):
    log = []
    router = make(hooks=[Recorder("A", log), Raises(event)], max_loaded=1)
    if event == "on_evict":
        router.load("b")
    call = router.predict_batch if batch else lambda requests: router.predict("x", Q, model="a")
    with pytest.raises(RuntimeError, match=f"{event} broke"):
        call([request("x")])
    assert not {"on_predict_start", "on_error", "on_predict_end"} & {event for _, event, _ in log}


def test_a_failed_on_load_leaves_the_checkpoint_resident_and_is_not_repeated(make, factory):
    log = []
    router = make(hooks=[Raises("on_load"), Recorder("A", log)])
    with pytest.raises(RuntimeError, match="on_load broke"):
        router.load("a")
    assert router.loaded == ["a"]
    assert router.load("a") is not None
    assert log == [("A", "on_load", "a")]
    assert factory.built == ["a"]


def test_a_failed_on_evict_leaves_the_checkpoint_freed(make):
    router = make(hooks=[Raises("on_evict")])
    router.load("a")
    with pytest.raises(RuntimeError, match="on_evict broke"):
        router.unload("a")
    assert router.loaded == []


def test_on_evict_runs_before_on_load_oldest_first(make):
    log = []
    router = make(hooks=[Recorder("A", log)], max_loaded=2)
    router.load("a")
    router.load("b")
    router.max_loaded = 1
    log.clear()
    router.load("c")
    assert log == [("A", "on_evict", "a"), ("A", "on_evict", "b"), ("A", "on_load", "c")]


def test_hooks_of_the_model_lifecycle_may_call_back_into_the_router(make):
    seen = []

    class CallsBack:
        def on_load(self, ctx):
            seen.append(("load", ctx.model, ctx.router.loaded, ctx.router.predict("in", Q, model=ctx.model)["model"]))

        def on_evict(self, ctx):
            seen.append(("evict", ctx.model, ctx.router.loaded))

    router = make(hooks=[CallsBack()], max_loaded=1)
    router.load("a")
    router.load("b")
    assert seen == [("load", "a", ["a"], "fake"), ("evict", "a", ["b"]), ("load", "b", ["b"], "fake")]


def test_unload_frees_then_fires_on_evict(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    router.preload(["a", "b"])
    log.clear()
    router.unload("a")
    router.unload()
    router.unload("a")
    assert log == [("A", "on_evict", "a"), ("A", "on_evict", "b")]


def test_attach_fires_nothing(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    agent = fake_agent()
    assert router.attach("mine", agent) is agent
    assert router.load("mine") is agent
    assert log == []


# -- predict_batch ------------------------------------------------------------------------------------------------


def test_each_result_is_what_predict_returns_for_that_request(make):
    router = make()
    requests = [request("x", "a"), request("y", "b", Q2), request("z", "a", Q2), request("x", "a", max_len=400)]
    assert router.predict_batch(requests) == [
        router.predict(r["state"], r["questions"], **{k: v for k, v in r.items() if k not in {"state", "questions"}})
        for r in requests
    ]


def test_every_request_has_its_own_context_run_id_and_elapsed_time(make):
    ends = []
    make(on_predict_end=ends.append).predict_batch([request("x"), request("y")])
    assert len({ctx.run_id for ctx in ends}) == len({id(ctx) for ctx in ends}) == 2
    assert all(ctx.elapsed_ms > 0 and ctx.usage["input_tokens"] > 0 for ctx in ends)


def test_a_batch_routes_all_first_and_then_takes_checkpoints_in_order_of_first_appearance(make):
    log = []
    make(hooks=[Recorder("A", log)]).predict_batch([request("1", "b"), request("2", "a"), request("3", "b")])
    assert [(event, what) for _, event, what in log] == [
        ("on_route", "1"),
        ("on_route", "2"),
        ("on_route", "3"),
        ("on_load", "b"),
        ("on_predict_start", "1"),
        ("on_predict_start", "3"),
        ("on_predict_end", "3"),
        ("on_predict_end", "1"),
        ("on_load", "a"),
        ("on_predict_start", "2"),
        ("on_predict_end", "2"),
    ]


@pytest.mark.parametrize("nothing", [None, []])
def test_per_call_hooks_of_a_batch_run_after_installed_ones_and_none_adds_nothing(make, nothing):
    log = []
    router = make(hooks=[Recorder("A", log)])
    router.load("a")
    log.clear()
    router.predict_batch([request("x")], hooks=[Recorder("B", log)])
    assert [name for name, event, _ in log if event == "on_route"] == ["A", "B"]
    log.clear()
    router.predict_batch([request("x")], hooks=nothing)
    assert {name for name, _, _ in log} == {"A"}


def test_requests_with_the_same_questions_and_budgets_share_a_forward(make, factory):
    router = make()
    same = [request(f"s{i}", questions=dict(Q)) for i in range(5)]
    router.predict_batch(same)
    assert len(factory.runtimes["a"].batches) == 1
    router.predict_batch([request("1"), request("2", max_len=500), request("3"), request("4", questions=Q2)])
    assert len(factory.runtimes["a"].batches) == 4


def test_options_in_another_order_do_not_share_a_forward(make, factory):
    swapped = {"team": {**Q["team"], "criteria": dict(reversed(Q["team"]["criteria"].items()))}}
    make().predict_batch([request("x"), request("y", questions=swapped)])
    assert len(factory.runtimes["a"].batches) == 2


def test_requests_end_in_reverse_so_that_what_a_start_hook_sets_unwinds(make):
    variable = contextvars.ContextVar("variable", default="outside")

    class Scoped:
        def on_predict_start(self, ctx):
            ctx.scratch["token"] = variable.set(ctx.states[0])

        def on_predict_end(self, ctx):
            assert variable.get() == ctx.states[0]
            variable.reset(ctx.scratch["token"])

    make(hooks=[Scoped()]).predict_batch([request("x"), request("y"), request("z")])
    assert variable.get() == "outside"


def test_a_start_hook_that_assigns_changes_its_own_request_only(make):
    def change(ctx):
        if ctx.states == ["x"]:
            ctx.states, ctx.questions, ctx.max_len = ["changed"], Q2, 400

    router = make()
    first, second = router.predict_batch([request("x"), request("y")], on_predict_start=change)
    assert list(first["answers"]) == ["spam"]
    assert first["answers"] == router.predict("changed", Q2, model="a", max_len=400)["answers"]
    assert second["answers"] == router.predict("y", Q, model="a")["answers"]


def test_mutating_shared_questions_in_place_reaches_every_request_and_the_caller(make):
    shared = dict(Q)

    def mutate(ctx):
        if ctx.states == ["last"]:
            ctx.questions["spam"] = Q2["spam"]

    results = make().predict_batch(
        [request("first", questions=shared), request("last", questions=shared)], on_predict_start=mutate
    )
    assert [list(r["answers"]) for r in results] == [["team", "spam"]] * 2
    assert list(shared) == ["team", "spam"]


def test_an_alias_pinned_by_on_route_shares_the_forward_and_is_resolved(make, factory):
    seen = []

    class Pin:
        def on_route(self, ctx):
            ctx.decision["model"] = {"x": "ml", "y": "multilingual"}[ctx.states[0]]

        def on_predict_start(self, ctx):
            seen.append((ctx.model, ctx.decision["model"]))

    router = make(hooks=[Pin()])
    router.predict_batch([request("x"), request("y")])
    assert seen == [("multilingual", "multilingual")] * 2
    assert len(factory.runtimes["multilingual"].batches) == 1


def test_a_start_hook_overrides_the_budget_of_the_request(make):
    router = make()
    (result,) = router.predict_batch(
        [request("long " * 300, max_len=900)], on_predict_start=lambda ctx: setattr(ctx, "max_len", 300)
    )
    assert result["usage"]["input_tokens"] == 300


def test_every_started_request_ends_once_and_the_first_end_failure_is_raised_after_all(make):
    log = []
    router = make(hooks=[Raises("on_predict_end"), Recorder("A", log)])
    with pytest.raises(RuntimeError, match="on_predict_end broke"):
        router.predict_batch([request("x"), request("y"), request("z")])
    assert [what for _, event, what in log if event == "on_predict_end"] == ["z", "y", "x"]
    assert not [event for _, event, _ in log if event == "on_error"]


@pytest.mark.parametrize("how", ["start hook", "inference"])
def test_a_failing_group_fails_every_started_request_in_reverse_and_no_finished_group(make, how):
    log, errors_seen = [], []
    recorder = Recorder("A", log)
    hooks = [recorder] + ([Raises("on_predict_start", "bad")] if how == "start hook" else [])
    router = make(hooks=hooks, on_predict_end=lambda ctx: errors_seen.append((ctx.states[0], ctx.error)))
    questions = Q if how == "start hook" else BAD
    requests = [request("done", "b"), request("hit"), request("bad", questions=questions), request("next", "c")]
    with pytest.raises((RuntimeError, errors.QuestionError)) as caught:
        router.predict_batch(requests)
    assert [(event, what) for _, event, what in log if event in {"on_error", "on_predict_end"}] == [
        ("on_predict_end", "done"),
        ("on_error", "bad"),
        ("on_predict_end", "bad"),
        ("on_error", "hit"),
        ("on_predict_end", "hit"),
    ]
    assert errors_seen == [("done", None), ("bad", caught.value), ("hit", caught.value)]
    assert ("A", "on_load", "c") not in log


def test_a_cache_hit_in_a_failing_group_fails_with_it(make):
    ready = fake_agent().predict("x", Q)
    seen = []

    class Cache:
        def on_predict_start(self, ctx):
            if ctx.states == ["hit"]:
                ctx.skip([ready])

        def on_error(self, ctx):
            seen.append(ctx.states[0])

    with pytest.raises(errors.QuestionError):
        make(hooks=[Cache()]).predict_batch([request("hit"), request("bad", questions=BAD)])
    assert seen == ["bad", "hit"]


def test_empty_batches_fire_nothing_and_return_nothing(make):
    log = []
    assert make(hooks=[Recorder("A", log)]).predict_batch([]) == []
    assert log == []


def test_the_routing_context_has_the_run_id_of_the_prediction_that_follows(make):
    ids = []

    class Ids:
        def on_route(self, ctx):
            ids.append(ctx.run_id)

        def on_predict_start(self, ctx):
            ids.append(ctx.run_id)

    router = make(hooks=[Ids()])
    inner = []
    router.attach("own", fake_agent(on_predict_start=lambda ctx: inner.append((ctx.parent_run_id, ctx.request_id))))
    router.predict("x", Q, model="own", request_id="r9")
    assert ids[0] == ids[1] == inner[0][0]
    assert inner[0][1] == "r9"


def test_process_wide_hooks_run_once_in_a_router_call(make):
    log = []
    laya.set_default_hooks([Recorder("D", log)])
    try:
        make().predict("x", Q, model="a")
    finally:
        laya.clear_default_hooks()
    assert [event for _, event, _ in log] == ["on_route", "on_load", "on_predict_start", "on_predict_end"]


def test_a_timeout_on_route_is_bounded_too(make):
    release = threading.Event()

    class Slow:
        def on_route(self, ctx):
            release.wait(20)

    router = make(hooks=[Slow()])
    with pytest.raises(TimeoutError, match=r"Slow\.on_route exceeded 0\.05s"):
        router.route("x", Q, model="a", hooks_timeout=0.05)
    release.set()


def test_the_policy_of_a_route_call_beats_that_of_the_instance(make):
    router = make(hooks=[Raises("on_route")])
    with pytest.warns(RuntimeWarning, match=r"Raises\.on_route failed: on_route broke"):
        assert router.route("x", Q, model="a", hooks_raise=False).model == "a"
    with pytest.raises(RuntimeError):
        router.route("x", Q, model="a")
