from __future__ import annotations

import asyncio
import contextvars
import threading
import time

import pytest
from hook_builders import Log, Owner, chain_of, fail_with, on, result

from laya.errors import ArgumentError, HookConfigError
from laya.hooks import AsyncHook, BaseHook, PredictContext, run_coroutine_sync, stuck_hooks

SOON = 0.03
ENOUGH = 20.0

var = contextvars.ContextVar("var", default="default")
timeouts = pytest.mark.parametrize("timeout", [None, ENOUGH])


@pytest.fixture
def user_loop():
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    while not loop.is_running():
        time.sleep(0.001)
    yield loop
    loop.call_soon_threadsafe(loop.stop)
    thread.join(ENOUGH)
    loop.close()


@timeouts
def test_event_methods_may_be_coroutines(timeout):
    log = []

    class Hook:
        async def on_predict_start(self, ctx):
            await asyncio.sleep(0)
            ctx.states = ["rewritten"]
            log.append("start")

        async def on_error(self, ctx):
            log.append(str(ctx.error))

        async def on_predict_end(self, ctx):
            log.append(ctx.states[0])

    with pytest.raises(ValueError):
        Owner(Hook(), hooks_timeout=timeout).call(body=fail_with(ValueError("broken")))
    assert log == ["start", "broken", "rewritten"]


@timeouts
def test_all_events_of_the_process_share_one_loop(timeout):
    seen = []

    class Client:
        async def on_predict_start(self, ctx):
            self.future = asyncio.get_running_loop().create_future()
            seen.append(asyncio.get_running_loop())

        async def on_predict_end(self, ctx):
            self.future.set_result("works")
            ctx.results[0]["shipped"] = await self.future
            seen.append(asyncio.get_running_loop())

    assert Owner(Client(), hooks_timeout=timeout).call().results[0]["shipped"] == "works"
    Owner(Client()).call()
    assert len(set(map(id, seen))) == 1


def test_a_task_that_a_hook_starts_lives_on():
    shipped = threading.Event()
    tasks = set()

    async def ship():
        await asyncio.sleep(0.01)
        shipped.set()

    async def end(ctx):
        tasks.add(asyncio.create_task(ship()))

    Owner(on_predict_end=end).call()
    assert shipped.wait(ENOUGH)


@timeouts
def test_async_hooks_of_a_call_share_context_variables(timeout):
    seen = []

    class Span:
        async def on_predict_start(self, ctx):
            ctx.scratch[self] = var.set("span")

        async def on_predict_end(self, ctx):
            await asyncio.sleep(0)
            seen.append(var.get())
            var.reset(ctx.scratch[self])
            seen.append(var.get())

    token = var.set("caller")
    try:
        Owner(Span(), hooks_timeout=timeout).call()
        assert var.get() == "caller"
    finally:
        var.reset(token)
    assert seen == ["span", "caller"]


@timeouts
@pytest.mark.parametrize("levels", [1, 3])
def test_nested_calls_from_inside_a_coroutine_never_deadlock(timeout, levels):
    log = []

    class Nests:
        async def on_predict_start(self, ctx):
            level = int(ctx.request_id)
            await asyncio.sleep(0)
            if level:
                owner.run([PredictContext(["x"], {}, request_id=str(level - 1))])
            log.append(level)

    owner = Owner(Nests(), hooks_timeout=timeout)
    owner.run([PredictContext(["x"], {}, request_id=str(levels))])
    assert log == list(range(levels + 1))


def test_hooks_work_under_a_running_loop_of_the_caller():
    async def main():
        return Owner(on_predict_end=ends).call().results

    async def ends(ctx):
        await asyncio.sleep(0)
        ctx.results[0]["ended"] = True

    assert asyncio.run(main())[0]["ended"]


@timeouts
def test_what_a_coroutine_raises_is_the_failure_of_the_hook(timeout):
    async def start(ctx):
        try:
            raise KeyError("inner")
        except KeyError:
            raise ValueError("outer")  # noqa: B904 - the implicit chain is what is tested

    with pytest.raises(ValueError, match="outer") as caught:
        Owner(on_predict_start=start, hooks_timeout=timeout).call()
    assert isinstance(chain_of(caught.value)[1], KeyError)


@timeouts
@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit, asyncio.CancelledError])
def test_an_interrupt_raised_in_a_coroutine_propagates_and_the_loop_lives_on(interrupt, timeout):
    async def start(ctx):
        raise interrupt

    async def fine(ctx):
        await asyncio.sleep(0)

    with pytest.raises(interrupt):
        Owner(on_predict_start=start, hooks_timeout=timeout, hooks_raise=False).call()
    assert Owner(on_predict_start=fine).call().results == [result()]


def test_the_loop_survives_a_task_that_stops_it():
    async def start(ctx):
        asyncio.get_running_loop().call_soon(fail_with(SystemExit()), None)
        asyncio.get_running_loop().stop()

    async def fine(ctx):
        await asyncio.sleep(0)

    assert Owner(on_predict_start=[start, fine]).call().results == [result()]


def test_an_awaitable_that_is_no_coroutine_is_awaited():
    class Later:
        def __await__(self):
            yield from asyncio.sleep(0).__await__()
            done.append(True)

    done = []
    Owner(on_predict_start=lambda ctx: Later()).call()
    assert done == [True]


def test_a_coroutine_that_overruns_goes_on_and_can_no_longer_change_the_call(gate):
    ended = threading.Event()

    async def start(ctx):
        await asyncio.to_thread(gate.wait, ENOUGH)
        ctx.states = ["late"]
        ended.set()

    contexts = [PredictContext(["text"], {})]
    with pytest.warns(RuntimeWarning, match=r"hook start\.on_predict_start exceeded 0\.03s"):
        Owner(on_predict_start=start, hooks_timeout=SOON, hooks_raise=False).run(contexts)
    assert stuck_hooks() == 1
    gate.set()
    assert ended.wait(ENOUGH)
    assert contexts[0].states == ["text"]
    while stuck_hooks():
        time.sleep(0.001)


def test_a_coroutine_that_opts_in_is_cancelled_at_the_deadline():
    cancelled = threading.Event()

    class Hook:
        async def on_predict_start(self, ctx):
            try:
                await asyncio.sleep(ENOUGH)
            except asyncio.CancelledError:
                cancelled.set()
                raise

    with pytest.raises(TimeoutError, match=r"hook Hook\.on_predict_start exceeded"):
        Owner(AsyncHook(Hook(), cancel_on_timeout=True), hooks_timeout=SOON).call()
    assert cancelled.wait(ENOUGH)
    while stuck_hooks():
        time.sleep(0.001)


def test_a_coroutine_that_blocks_the_loop_is_left_behind_with_its_loop(gate, caplog):
    loops, ended = [], threading.Event()

    async def blocks(ctx):
        loops.append((asyncio.get_running_loop(), threading.current_thread()))
        gate.wait(ENOUGH)
        ended.set()

    async def fine(ctx):
        await asyncio.sleep(0)
        loops.append((asyncio.get_running_loop(), threading.current_thread()))

    with pytest.warns(RuntimeWarning, match="exceeded"):
        Owner(on_predict_start=blocks, hooks_timeout=SOON, hooks_raise=False).call()
    for _ in range(2):
        Owner(on_predict_start=fine, hooks_timeout=ENOUGH).call()
    assert loops[0] != loops[1]
    assert loops[1] == loops[2]
    assert "blocks the event loop" in caplog.text
    gate.set()
    assert ended.wait(ENOUGH)
    loops[0][1].join(ENOUGH)
    assert loops[0][0].is_closed()


def test_a_loop_that_still_moves_is_kept_after_a_timeout():
    loops = []

    async def slow(ctx):
        loops.append(asyncio.get_running_loop())
        await asyncio.sleep(SOON * 3)

    async def fine(ctx):
        loops.append(asyncio.get_running_loop())

    with pytest.raises(TimeoutError):
        Owner(on_predict_start=slow, hooks_timeout=SOON).call()
    Owner(on_predict_start=fine).call()
    assert loops[0] is loops[1]
    while stuck_hooks():
        time.sleep(0.001)


def test_an_async_hook_runs_on_the_loop_it_is_given(user_loop):
    seen = []

    class Hook(BaseHook):
        async def on_predict_start(self, ctx):
            seen.append(asyncio.get_running_loop())

    hook = Hook()
    for timeout in (None, ENOUGH):
        ctx = Owner(AsyncHook(hook, user_loop), hooks_timeout=timeout).call()
        assert ctx.started(hook)
    assert seen == [user_loop, user_loop]


def test_a_loop_that_stops_before_the_hook_is_done_is_an_error_and_no_hang():
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    while not loop.is_running():
        time.sleep(0.001)

    class Hook:
        async def on_predict_start(self, ctx):
            loop.stop()
            await asyncio.sleep(ENOUGH)

    with pytest.raises(RuntimeError, match="the event loop stopped"):
        Owner(AsyncHook(Hook(), loop)).call()
    thread.join(ENOUGH)
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()


def test_a_loop_that_does_not_run_or_is_the_callers_own_is_refused_and_the_coroutine_closed():
    async def work():
        pass

    idle = asyncio.new_event_loop()
    coroutine = work()
    with pytest.raises(ArgumentError, match="not running"):
        run_coroutine_sync(coroutine, idle)
    assert coroutine.cr_frame is None
    idle.close()

    async def own():
        coroutine = work()
        with pytest.raises(ValueError, match="calling thread"):
            run_coroutine_sync(coroutine, asyncio.get_running_loop())
        assert coroutine.cr_frame is None

    asyncio.run(own())


def test_run_coroutine_sync_returns_and_raises_what_the_coroutine_does(user_loop):
    async def read():
        await asyncio.sleep(0)
        return var.get()

    token = var.set("caller")
    try:
        assert run_coroutine_sync(read()) == "caller"
        assert run_coroutine_sync(read(), user_loop) == "caller"
    finally:
        var.reset(token)

    async def fails():
        raise KeyError("x")

    with pytest.raises(KeyError):
        run_coroutine_sync(fails())


def test_async_hook_wraps_an_instance_with_events():
    with pytest.raises(HookConfigError, match=r"^AsyncHook wraps an instance, not a class; got Log$"):
        AsyncHook(Log)
    with pytest.raises(TypeError, match="at least one of on_predict_start"):
        AsyncHook(object())
    hook = on("on_load", print)
    assert repr(AsyncHook(hook)) == f"AsyncHook({hook!r})"


def test_a_wrapped_hook_gets_each_event_once():
    log = Log()
    owner = Owner(AsyncHook(log))
    owner.call()
    owner.fire("on_route", PredictContext(["x"], {}))
    assert log.log == ["h.on_predict_start", "h.on_predict_end", "h.on_route"]


def test_failures_of_a_wrapped_hook_carry_its_own_name():
    with pytest.warns(RuntimeWarning, match=r"laya: hook Log\.on_predict_end failed: down"):
        Owner(AsyncHook(Log(on_predict_end=OSError("down")))).call(hooks_raise=False)
