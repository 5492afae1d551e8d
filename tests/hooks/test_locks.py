from __future__ import annotations

import asyncio
import contextvars
import os
import pickle
import threading
import warnings

import pytest
from hook_builders import Log, Owner, on, result

from laya.hooks import AsyncHook, PredictContext, dispatch
from laya.hooks.locks import HookLock

SOON = 0.03
ENOUGH = 20.0


class Overlap:
    """Counts how many of its runs were under way at once."""

    def __init__(self, patience=0.02):
        self.patience = patience
        self.mutex = threading.Lock()
        self.now = self.most = 0
        self.met = threading.Event()

    def on_predict_start(self, ctx):
        with self.mutex:
            self.now += 1
            self.most = max(self.most, self.now)
            if self.now == 2:
                self.met.set()
        self.met.wait(self.patience)
        with self.mutex:
            self.now -= 1


def in_threads(function, count=4):
    errors = []

    def guarded():
        try:
            function()
        except BaseException as exc:
            errors.append(exc)

    threads = [threading.Thread(target=guarded) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(ENOUGH)
    assert not any(thread.is_alive() for thread in threads)
    assert errors == []


@pytest.mark.parametrize("timeout", [None, ENOUGH])
def test_hooks_run_one_at_a_time_when_they_are_not_concurrent(timeout):
    hook = Overlap()
    in_threads(Owner(hook, hooks_concurrent=False, hooks_timeout=timeout).call)
    assert hook.most == 1


def test_hooks_run_at_the_same_time_by_default():
    hook = Overlap(patience=ENOUGH)
    in_threads(Owner(hook).call, 2)
    assert hook.most == 2


def reentrant(kind, owner_of):
    """A hook that calls back into its owner, once."""

    def back(ctx):
        if ctx.request_id is None:
            owner_of[0].run([PredictContext(["inner"], {}, request_id="inner")])

    async def aback(ctx):
        back(ctx)

    async def through_thread(ctx):
        await asyncio.to_thread(back, ctx)

    async def through_task(ctx):
        await asyncio.create_task(aback(ctx))

    def through_worker(ctx):
        thread = threading.Thread(target=contextvars.copy_context().run, args=(back, ctx))
        thread.start()
        thread.join()

    return {
        "sync": back,
        "async": aback,
        "async in a thread": through_thread,
        "async in a task": through_task,
        "worker thread": through_worker,
    }[kind]


@pytest.mark.parametrize("timeout", [None, ENOUGH])
@pytest.mark.parametrize("kind", ["sync", "async", "async in a thread", "async in a task", "worker thread"])
def test_a_hook_may_call_back_into_its_owner_without_waiting_for_itself(kind, timeout):
    owner = []
    log = Log()
    owner.append(Owner([log], on_predict_start=reentrant(kind, owner), hooks_concurrent=False, hooks_timeout=timeout))
    in_threads(owner[0].call, 2)
    assert log.log.count("h.on_predict_end") == 4


def test_calls_made_side_by_side_from_one_hook_take_turns():
    inner = Overlap()
    owner = []

    class Outer:
        def on_predict_start(self, ctx):
            if ctx.request_id is None:
                contexts = [contextvars.copy_context() for _ in range(2)]
                call = owner[0].run
                threads = [
                    threading.Thread(target=context.run, args=(call, [PredictContext(["x"], {}, request_id="in")]))
                    for context in contexts
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
            else:
                inner.on_predict_start(ctx)

    owner.append(Owner(Outer(), hooks_concurrent=False))
    owner[0].call()
    assert inner.most == 1


def test_the_wait_for_the_lock_counts_against_the_timeout(gate):
    inside = threading.Event()

    def hold(ctx):
        if ctx.request_id == "holder":
            inside.set()
            gate.wait(ENOUGH)

    owner = Owner(on_predict_start=hold, hooks_concurrent=False)
    holder = threading.Thread(target=owner.run, args=([PredictContext(["x"], {}, request_id="holder")],))
    holder.start()
    assert inside.wait(ENOUGH)
    with pytest.raises(TimeoutError, match=r"laya: hook hold\.on_predict_start exceeded 0\.03s waiting for another"):
        owner.call(hooks_timeout=SOON)
    gate.set()
    holder.join(ENOUGH)
    owner.call(hooks_timeout=ENOUGH)


def test_the_lock_is_released_at_the_timeout_and_the_abandoned_hook_no_longer_owns_it(gate):
    seen = []
    turn = threading.Event()
    done = threading.Event()

    class Stuck:
        def on_predict_start(self, ctx):
            if ctx.request_id == "first":
                gate.wait(ENOUGH)
                try:
                    owner.run([PredictContext(["x"], {}, request_id="from the abandoned hook")], hooks_timeout=SOON)
                except TimeoutError as exc:
                    seen.append(str(exc))
                done.set()
            elif ctx.request_id == "second":
                seen.append("second ran")
                gate.set()
                turn.wait(ENOUGH)

    owner = Owner(Stuck(), hooks_concurrent=False)
    with pytest.raises(TimeoutError):
        owner.run([PredictContext(["x"], {}, request_id="first")], hooks_timeout=SOON)
    second = threading.Thread(target=owner.run, args=([PredictContext(["x"], {}, request_id="second")],))
    second.start()
    assert done.wait(ENOUGH)
    turn.set()
    second.join(ENOUGH)
    assert seen[0] == "second ran"
    assert "waiting for another hook" in seen[1]


def test_a_task_that_outlives_its_hook_does_not_own_the_lock(gate):
    outcome = []
    done = threading.Event()
    tasks = set()

    async def later():
        await asyncio.to_thread(gate.wait, ENOUGH)
        try:
            await asyncio.to_thread(owner.run, [PredictContext(["x"], {}, request_id="task")], hooks_timeout=SOON)
        except TimeoutError as exc:
            outcome.append(str(exc))
        done.set()

    class Ships:
        async def on_predict_end(self, ctx):
            if ctx.request_id == "ships":
                tasks.add(asyncio.create_task(later()))

        def on_predict_start(self, ctx):
            if ctx.request_id == "holds":
                gate.set()
                done.wait(ENOUGH)

    owner = Owner(Ships(), hooks_concurrent=False)
    owner.run([PredictContext(["x"], {}, request_id="ships")])
    owner.run([PredictContext(["x"], {}, request_id="holds")])
    assert "waiting for another hook" in outcome[0]


def test_a_coroutine_that_blocks_its_loop_does_not_wait_for_a_hook_that_needs_the_loop(caplog):
    inside = threading.Event()
    let_go = threading.Event()

    class Waits:
        async def on_predict_start(self, ctx):
            if ctx.request_id == "holder":
                inside.set()
                while not let_go.is_set():  # noqa: ASYNC110  # what matters is that it needs the loop
                    await asyncio.sleep(0.001)

    other = Owner(Waits(), hooks_concurrent=False)

    async def blocks(ctx):
        other.run([PredictContext(["x"], {}, request_id="nested")])
        let_go.set()

    holder = threading.Thread(target=other.run, args=([PredictContext(["x"], {}, request_id="holder")],))
    holder.start()
    assert inside.wait(ENOUGH)
    Owner(on_predict_start=blocks).call()
    holder.join(ENOUGH)
    assert not holder.is_alive()
    assert "waits for the event loop that it blocks" in caplog.text


def test_dispatch_takes_any_lock():
    lock = threading.RLock()
    held = []

    def probe(ctx):
        thread = threading.Thread(target=lambda: held.append(not lock.acquire(blocking=False)))
        thread.start()
        thread.join()

    ctx = PredictContext(["x"], {})
    dispatch([on("on_load", probe)], "on_load", ctx, lock=lock)
    dispatch([AsyncHook(on("on_load", probe))], "on_load", ctx, lock=HookLock(), timeout=ENOUGH)
    assert held[0] is True


def test_a_lock_can_be_pickled_with_its_owner():
    owner = pickle.loads(pickle.dumps(Owner(hooks_concurrent=False)))  # its own bytes
    assert not owner.hooks_concurrent
    assert owner.call().results == [result()]


def test_hooks_work_in_a_forked_child_also_when_the_parent_is_in_the_middle_of_one(gate):
    inside = threading.Event()

    def hold(ctx):
        if ctx.request_id == "parent":
            inside.set()
            gate.wait(ENOUGH)

    async def ahook(ctx):
        await asyncio.sleep(0)

    owner = Owner(on_predict_start=[hold, ahook], hooks_concurrent=False, hooks_timeout=ENOUGH)
    owner.call()
    parent = threading.Thread(target=owner.run, args=([PredictContext(["x"], {}, request_id="parent")],))
    parent.start()
    assert inside.wait(ENOUGH)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = 0 if owner.call().results == [result()] else 2
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    gate.set()
    parent.join(ENOUGH)
    assert os.waitstatus_to_exitcode(status) == 0
