from __future__ import annotations

import pytest
from hook_builders import Log, Owner, chain_of, on

import laya.hooks
from laya.hooks import HOOK_EVENTS, Dispatcher, PredictContext, dispatch


@pytest.fixture
def ctx():
    return PredictContext(["a"], {})


@pytest.mark.parametrize("event", ["on_predict_start", "on_route"])
def test_start_and_route_stop_at_the_first_hook_that_raises(event, ctx):
    log = []
    with pytest.raises(ValueError):
        Owner([Log("a", log, **{event: ValueError()}), Log("b", log)]).fire(event, ctx)
    assert log == [f"a.{event}"]


@pytest.mark.parametrize("event", ["on_load", "on_evict", "on_error", "on_predict_end"])
def test_other_events_reach_every_hook_and_then_raise_the_first_failure(event, ctx):
    log, first, second = [], ValueError("1"), OSError("2")
    with pytest.raises(ValueError) as caught:
        Owner([Log("a", log, **{event: first}), Log("b", log, **{event: second}), Log("c", log)]).fire(event, ctx)
    assert log == [f"{name}.{event}" for name in "abc"]
    assert chain_of(caught.value) == [first, second]


@pytest.mark.parametrize("event", HOOK_EVENTS)
def test_the_lenient_policy_warns_and_reaches_every_hook(event, ctx):
    log = []
    with pytest.warns(RuntimeWarning, match=f"hook Log.{event} failed: x"):
        dispatch([Log("a", log, **{event: ValueError("x")}), Log("b", log)], event, ctx, raise_errors=False)
    assert log == [f"a.{event}", f"b.{event}"]


@pytest.mark.parametrize("event", HOOK_EVENTS)
def test_an_interrupt_comes_before_other_failures_under_any_policy(event, ctx):
    stop = SystemExit()
    with pytest.raises(SystemExit) as caught, pytest.warns(RuntimeWarning):
        dispatch([Log(**{event: ValueError()}), Log(**{event: stop})], event, ctx, raise_errors=False)
    assert caught.value is stop


def test_a_hook_whose_attribute_raises_is_a_failure_of_the_hook(ctx):
    class Broken:
        @property
        def on_load(self):
            raise RuntimeError("no method")

    with pytest.raises(RuntimeError, match="no method"):
        dispatch([Broken()], "on_load", ctx)


def test_return_values_are_ignored(ctx):
    dispatch([on("on_load", lambda ctx: "value")], "on_load", ctx)


def test_a_dispatcher_knows_whether_it_has_hooks(ctx):
    assert not Owner()._dispatcher().active
    assert Owner(Log())._dispatcher().active
    Dispatcher(()).fire("on_load", ctx)


def test_routing_can_be_changed_by_a_hook(ctx):
    ctx.decision = {"model": "english"}
    Owner(on("on_route", lambda ctx: setattr(ctx, "decision", {"model": "multilingual"}))).fire("on_route", ctx)
    assert ctx.decision == {"model": "multilingual"}


def test_public_names_are_there_and_others_are_not():
    assert all(getattr(laya.hooks, name) is not None for name in laya.hooks.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = laya.hooks.nothing


def test_several_events_all_run_and_then_the_first_failure_is_raised(ctx):
    log, first, second = [], ValueError("evict"), OSError("load")
    hooks = [Log("a", log, on_evict=first, on_load=second), Log("b", log)]
    with pytest.raises(ValueError) as caught:
        Owner(hooks)._dispatcher().fire_all([("on_evict", ctx), ("on_load", ctx)])
    assert log == ["a.on_evict", "b.on_evict", "a.on_load", "b.on_load"]
    assert chain_of(caught.value) == [first, second]
