"""Builds of checkpoints by many threads, and hooks that call back into the Router from their events."""

import contextlib
import contextvars
import threading

import pytest

from router_builders import CHOICE, ENOUGH, Calls, Fails, Gate, Recorder, Threads, closed, settle, together

Q = {"team": CHOICE}


class AwkwardError(Exception):
    """Its constructor takes something else than what it is copied from."""

    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code


# -- builds -------------------------------------------------------------------------------------------------------


def test_eight_threads_that_load_one_name_share_one_build_and_one_event(make, factory):
    log = []
    router = make(hooks=[Recorder("A", log)])
    agents = together(lambda number: router.load("a"), 8)
    assert all(agent is agents[0] for agent in agents)
    assert factory.built == ["a"]
    assert log == [("A", "on_load", "a")]


def test_those_who_waited_for_a_build_get_the_agent_after_its_load_hooks(make, factory):
    building, hook, seen = Gate(), Gate(), []
    factory.before["a"] = building

    def slow(ctx):
        hook()
        seen.append("loaded")

    router = make(hooks=[Calls("on_load", slow)])

    def load():
        router.load("a")
        return list(seen)

    threads = Threads().start(load)
    building.wait()
    threads.start(load)
    settle()
    building.open()
    hook.wait()
    hook.open()
    assert threads.join() == [["loaded"], ["loaded"]]


@pytest.mark.parametrize("call", ["load", "predict", "unload"])
def test_a_load_hook_may_wait_for_a_thread_of_its_own_that_asks_for_the_checkpoint(make, call):
    def warm_up(ctx):
        calls = {
            "load": lambda: ctx.router.load("a"),
            "predict": lambda: ctx.router.predict("x", Q, model="a"),
            "unload": lambda: ctx.router.unload("a"),
        }
        ctx.scratch["outcomes"] = Threads().start(calls[call]).join()

    ended = []
    router = make(hooks=[Calls("on_load", warm_up)], on_predict_end=ended.append)
    assert router.load("a") is not None
    assert len(ended) == (call == "predict")
    assert router.loaded == ([] if call == "unload" else ["a"])


def test_builds_of_different_names_do_not_wait_for_each_other_nor_do_calls(make, factory):
    gate = factory.before["a"] = Gate()
    router = make()
    threads = Threads().start(router.load, "a")
    gate.wait()
    assert router.predict("x", Q, model="b")["routing"]["model"] == "b"
    assert router.loaded == ["b"]
    gate.open()
    threads.join()
    assert router.loaded == ["b", "a"]


@pytest.mark.parametrize("error", [ValueError("bad weights"), AwkwardError(7, "bad weights")])
def test_every_waiter_gets_an_exception_of_its_own(make, factory, error):
    gate = factory.before["a"] = Gate()
    factory.fail["a"] = error
    router = make()
    threads = Threads().start(router.load, "a")
    gate.wait()
    for _ in range(3):
        threads.start(router.load, "a")
    settle()
    gate.open()
    builder, *waiters = threads.join()
    assert builder is error
    mine = [waiter for waiter in waiters if waiter is not error]  # one that came late has built, too
    assert factory.built.count("a") == 4 - len(mine)
    assert all(waiter.__cause__ is error for waiter in mine)
    assert len({id(waiter) for waiter in mine}) == len(mine) > 0
    assert {(type(waiter), str(waiter), str(vars(waiter))) for waiter in waiters} == {
        (type(error), str(error), str(vars(error)))
    }


def test_a_build_that_failed_can_be_tried_again(make, factory):
    factory.fail["a"] = OSError("away")
    router = make()
    with pytest.raises(OSError, match="away"):
        router.predict("x", Q, model="a")
    del factory.fail["a"]
    assert router.predict("x", Q, model="a")["routing"]["model"] == "a"
    assert factory.built == ["a", "a"]


def test_an_interrupt_of_the_builder_is_its_own_and_waiters_build_themselves(make, factory):
    gate = factory.before["a"] = Gate()
    factory.fail["a"] = KeyboardInterrupt()
    router = make()
    threads = Threads().start(router.load, "a")
    gate.wait()
    threads.start(router.load, "a")
    settle()
    factory.fail = _Once(factory.fail)
    gate.open()
    interrupted, agent = threads.join()
    assert isinstance(interrupted, KeyboardInterrupt)
    assert agent is factory.agents["a"][0]
    assert factory.built == ["a", "a"]


class _Once(dict):
    """Gives each of its items once."""

    def __getitem__(self, key):
        return self.pop(key)


# -- hooks that call back -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("timeout", [None, 20])
def test_a_load_hook_may_load_and_ask_the_checkpoint_that_is_being_loaded(make, factory, timeout):
    seen = []

    def warm(ctx):
        assert ctx.router.load(ctx.model) is ctx.agent
        seen.append(ctx.router.predict("warm", Q, model=ctx.model)["routing"]["model"])

    router = make(hooks=[Calls("on_load", warm)], hooks_timeout=timeout)
    router.load("a")
    assert seen == ["a"]
    assert factory.built == ["a"]


def test_a_load_hook_may_ask_its_checkpoint_though_that_was_evicted_meanwhile(make, factory):
    def crowd_out(ctx):
        if ctx.model == "a":
            ctx.router.load("b")
            assert ctx.router.loaded == ["b"]
            answered.append(ctx.router.predict("warm", Q, model="a")["routing"]["model"])

    answered = []
    router = make(hooks=[Calls("on_load", crowd_out)], max_loaded=1)
    router.load("a")
    assert answered == ["a"]
    assert factory.built == ["a", "b"]
    assert closed(factory.agents["a"][0])


def test_an_agent_that_its_failing_load_hook_evicted_is_closed(make, factory):
    def crowd_out(ctx):
        if ctx.model == "a":
            ctx.router.load("b")
            raise RuntimeError("no")

    router = make(hooks=[Calls("on_load", crowd_out)], max_loaded=1)
    with pytest.raises(RuntimeError, match="no"):
        router.load("a")
    assert router.loaded == ["b"]
    assert closed(factory.agents["a"][0])


def test_load_hooks_of_two_threads_may_each_load_what_the_other_is_loading(make, factory):
    both = threading.Barrier(2)

    def cross(ctx):
        with contextlib.suppress(threading.BrokenBarrierError):
            both.wait(20)
        other = {"a": "b", "b": "a"}[ctx.model]
        ctx.router.load(other)
        ctx.router.unload(other)

    router = make(hooks=[Calls("on_load", cross)])
    threads = Threads().start(router.load, "a").start(router.load, "b")
    assert threads.join() == [factory.agents["a"][0], factory.agents["b"][0]]
    assert router.loaded == []


def test_a_thread_that_outlived_a_load_waits_for_a_later_one_like_any_other(make, factory):
    later, gate, outlived, seen = threading.Event(), Gate(), Threads(), []

    def load(router):
        assert later.wait(ENOUGH)
        return router.load("a"), list(seen)

    def leave_a_thread(ctx):
        if outlived.threads:
            settle()
            seen.append("loaded")
        else:
            outlived.start(contextvars.copy_context().run, load, ctx.router)

    router = make(hooks=[Calls("on_load", leave_a_thread)])
    router.load("a")
    router.unload("a")
    factory.before["a"] = gate
    threads = Threads().start(router.load, "a")
    gate.wait()
    later.set()
    settle()
    gate.open()
    threads.join()
    second = factory.agents["a"][1]
    assert threads.outcomes == [second]
    assert outlived.join() == [(second, ["loaded"])]


def test_a_builder_that_loads_its_own_name_is_told_so(make, factory):
    router = make()
    factory.before["a"] = lambda: router.load("a")
    with pytest.raises(RuntimeError, match="'a' cannot be loaded from inside its own build"):
        router.load("a")


def test_every_evict_hook_and_the_load_hooks_run_though_one_fails(make):
    log = []
    router = make(hooks=[Fails("on_evict", model="a"), Recorder("A", log)], max_loaded=2)
    router.preload(["a", "b"])
    router.max_loaded = 1
    log.clear()
    with pytest.raises(RuntimeError, match="on_evict of a"):
        router.load("c")
    assert log == [("A", "on_evict", "a"), ("A", "on_evict", "b"), ("A", "on_load", "c")]
    assert router.loaded == ["c"]


def test_a_failed_load_hook_leaves_waiters_with_the_agent(make, factory):
    gate = Gate()

    def fail(ctx):
        gate()
        raise RuntimeError("not told")

    router = make(hooks=[Calls("on_load", fail)])
    threads = Threads().start(router.load, "a")
    gate.wait()
    threads.start(router.load, "a")
    settle()
    gate.open()
    failed, agent = threads.join()
    assert str(failed) == "not told"
    assert agent is factory.agents["a"][0]
    assert factory.built == ["a"]
