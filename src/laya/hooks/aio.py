"""Async hooks: one background event loop for the process, and AsyncHook for a loop of the caller's."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Awaitable, Coroutine
from contextvars import Context, copy_context
from types import coroutine as generator_coroutine
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError, HookConfigError
from laya.hooks.failures import reraise
from laya.hooks.locks import ForkSafeLock, Lease, current_lease, loop_depth
from laya.hooks.protocol import HOOK_EVENTS, HookWrapper
from laya.hooks.workers import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from laya.hooks.context import PredictContext

logger = logging.getLogger("laya.hooks")

_LIVENESS_POLL: Final = 0.25
"""Seconds between looks at whether a loop that is not ours still runs."""

_SIGN_OF_LIFE: Final = 0.02
"""Seconds that a loop under suspicion has to run a callback."""


class _LoopThread(threading.Thread):
    def __init__(self, depth: int) -> None:
        super().__init__(name=f"laya-hook-loop-{depth}", daemon=True)
        self.loop = asyncio.new_event_loop()
        self._answer: threading.Event | None = None
        self._retired = False

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        while not self._retired:  # a task that raises SystemExit, or stops the loop, must not take it from the others
            try:
                self.loop.run_forever()
            except BaseException:  # entered once per accident
                logger.warning("a task on the event loop of the hooks raised", exc_info=True)
        self.loop.close()

    def ask(self) -> None:
        """Have the loop show a sign of life, since a coroutine that may be blocking it was left behind."""
        if self._answer is None:
            self._answer = threading.Event()
            self.loop.call_soon_threadsafe(self._answer.set)

    def is_blocked(self) -> bool:
        """Whether the loop owes a sign of life; waits a moment for it."""
        if self._answer is None or not self._answer.wait(_SIGN_OF_LIFE):
            return self._answer is not None
        self._answer = None
        return False

    def retire(self) -> None:
        """End the loop once it goes on and its tasks are done."""
        self.loop.call_soon_threadsafe(lambda: self.loop.create_task(self._wind_down()))

    async def _wind_down(self) -> None:
        while others := asyncio.all_tasks() - {asyncio.current_task()}:
            await asyncio.wait(others)
        self._retired = True
        self.loop.stop()


class _Loops:
    def __init__(self) -> None:
        self._mutex = ForkSafeLock()
        self._threads: list[_LoopThread] = []
        self._lost: list[list[_LoopThread]] = []

    def take(self, depth: int) -> tuple[asyncio.AbstractEventLoop, int]:
        """The loop of this depth, or of the next one that the current thread does not run itself."""
        current = threading.current_thread()
        with self._mutex:
            for above, thread in enumerate(self._threads[depth:], depth + 1):
                depth = max(depth, above) if thread is current else depth
            while len(self._threads) <= depth:
                self._threads.append(self._started(len(self._threads)))
            if self._threads[depth].is_blocked():
                logger.warning("a coroutine of a hook blocks the event loop of the hooks; others get a new loop")
                self._threads[depth].retire()
                self._threads[depth] = self._started(depth)
            return self._threads[depth].loop, depth + 1

    def suspect(self, loop: asyncio.AbstractEventLoop) -> None:
        """Before the next coroutine is put on this loop, look whether it still moves."""
        with self._mutex:
            for thread in self._threads:
                if thread.loop is loop:
                    thread.ask()

    @staticmethod
    def _started(depth: int) -> _LoopThread:
        thread = _LoopThread(depth)
        thread.start()
        return thread

    def reset(self) -> None:
        # The parent's loops are kept unused: to close them here would touch what the parent still uses.
        self._lost.append(self._threads)
        self._threads = []


_LOOPS = _Loops()


class Running:
    """A coroutine on a loop.

    Attributes:
        outcome: what it came to.
    """

    __slots__ = ("_awaitable", "_loop", "_main", "_ours", "_task", "outcome")

    def __init__(
        self, awaitable: Awaitable[Any], steps: _Steps, loop: asyncio.AbstractEventLoop, *, ours: bool
    ) -> None:
        self.outcome = Outcome()
        self._awaitable = awaitable
        self._main = _main(awaitable, steps, self.outcome)
        self._loop = loop
        self._ours = ours
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Hand it to the loop.

        Raises:
            RuntimeError: the loop is closed; the awaitable is closed too.
        """
        try:
            self._loop.call_soon_threadsafe(self._begin, context=Context())
        except BaseException:
            self._drop()
            raise

    def _begin(self) -> None:
        self._task = self._loop.create_task(self._main)

    def _drop(self) -> None:
        self._main.close()
        _close(self._awaitable)

    def leave(self, *, cancel: bool) -> None:
        """Stop waiting for it; `cancel` asks the coroutine to stop, else it goes on."""
        if cancel:
            with contextlib.suppress(RuntimeError):  # the caller's loop is closed
                self._loop.call_soon_threadsafe(lambda: self._task is not None and self._task.cancel())
        if self._ours:
            _LOOPS.suspect(self._loop)

    def wait(self, timeout: float | None) -> bool:
        """Wait up to `timeout` seconds; True once there is an outcome, also when the caller's loop has stopped."""
        if self._ours:
            return self.outcome.wait(timeout)
        left = timeout
        while not self.outcome.wait(_LIVENESS_POLL if left is None else min(_LIVENESS_POLL, left)):
            if not self._loop.is_running():
                if self._task is None:
                    self._drop()
                self.outcome.settle(error=RuntimeError("the event loop stopped before the async hook was done"))
            elif left is not None:
                left -= _LIVENESS_POLL
                if left <= 0:
                    return False
        return True


def launch(
    awaitable: Awaitable[Any],
    context: Context,
    loop: asyncio.AbstractEventLoop | None = None,
    lease: Lease | None = None,
) -> Running:
    """Start an awaitable on a loop, each of its steps inside `context`.

    Args:
        awaitable: what to await.
        context: context variables that it sees and sets; not entered by anyone else meanwhile.
        loop: a running loop of the caller's, or None for the background loop.
        lease: lease of the hook that it belongs to.

    Raises:
        ArgumentError: `loop` is not running, or runs on this very thread; the awaitable is closed.
        RuntimeError: `loop` has just been closed; likewise.
    """
    depth = loop_depth.get()
    ours = loop is None
    if loop is None:
        loop, depth = _LOOPS.take(depth)
    else:
        _refuse_unusable(loop, awaitable)
    if lease is not None:
        lease.awaited_on(loop)
    running = Running(awaitable, _Steps(context, lease, depth), loop, ours=ours)
    running.start()
    return running


def run_coroutine_sync(coro: Awaitable[Any], loop: asyncio.AbstractEventLoop | None = None) -> Any:
    """Run a coroutine to its end from synchronous code, in a copy of the caller's context variables.

    Args:
        coro: the coroutine.
        loop: a running loop of another thread, or None for the background loop of the hooks.

    Returns:
        What it returned; what it raised is raised.

    Raises:
        ArgumentError: `loop` is not running, or is this thread's own; the coroutine is closed.
    """
    running = launch(coro, copy_context(), loop)
    running.wait(None)
    if running.outcome.error is not None:
        reraise(running.outcome.error)
    return running.outcome.value


class _Steps:
    """Runs the steps of one awaitable in its context, with the lease and the loop depth of the hook set."""

    __slots__ = ("_context", "_depth", "_lease")

    def __init__(self, context: Context, lease: Lease | None, depth: int) -> None:
        self._context = context
        self._lease = lease
        self._depth = depth

    def __call__(self, step: Callable[..., Any], *args: Any) -> Any:
        return self._context.run(self._inside, step, *args)

    def _inside(self, step: Callable[..., Any], *args: Any) -> Any:
        # Both are taken back after each step, so that the next hook in this context does not inherit them.
        depth_token = loop_depth.set(self._depth)
        lease_token = current_lease.set(self._lease) if self._lease is not None else None
        try:
            return step(*args)
        finally:
            if lease_token is not None:
                current_lease.reset(lease_token)
            loop_depth.reset(depth_token)


async def _main(awaitable: Awaitable[Any], steps: _Steps, outcome: Outcome) -> None:
    inner = awaitable if isinstance(awaitable, Coroutine) else _awaiting(awaitable)
    await _drive(inner, steps, outcome)


async def _awaiting(awaitable: Awaitable[Any]) -> Any:
    return await awaitable


@generator_coroutine
def _drive(inner: Coroutine[Any, Any, Any], steps: _Steps, outcome: Outcome) -> Generator[Any, Any, None]:
    step: Callable[..., Any] = inner.send
    argument: Any = None
    while True:
        try:
            waiting_for = steps(step, argument)
        except StopIteration as stop:
            outcome.settle(stop.value)
            return
        except BaseException as exc:  # also an interrupt: it is raised where the hook was called, not on the loop
            outcome.settle(error=exc)
            return
        try:
            argument = yield waiting_for
            step = inner.send
        except GeneratorExit:
            steps(inner.close)
            raise
        except BaseException as exc:
            step, argument = inner.throw, exc


def _refuse_unusable(loop: asyncio.AbstractEventLoop, awaitable: Awaitable[Any]) -> None:
    problem = None
    if not loop.is_running():
        problem = "the event loop for an async hook is not running; start it in another thread first"
    elif asyncio._get_running_loop() is loop:  # noqa: SLF001  # the public twin raises where there is no loop
        problem = (
            "the event loop for an async hook runs on the calling thread, which waits for the hook; "
            "call from another thread (apredict does), or leave out loop="
        )
    if problem is not None:
        _close(awaitable)
        raise ArgumentError(problem)


def _close(awaitable: Awaitable[Any]) -> None:
    close = getattr(awaitable, "close", None)
    if close is not None:
        close()


class AsyncHook(HookWrapper):
    """Runs the coroutines of a hook on a loop of the caller's. Async hooks work without it, on the background loop.

    Args:
        hook: a hook whose methods may be `async def`.
        loop: a running event loop of another thread, or None for the background loop.
        cancel_on_timeout: cancel a coroutine at the deadline instead of letting it go on.

    Raises:
        HookConfigError: `hook` is a class or has no event method.
    """

    __slots__ = ("cancel_on_timeout", "loop")

    def __init__(
        self, hook: Any, loop: asyncio.AbstractEventLoop | None = None, *, cancel_on_timeout: bool = False
    ) -> None:
        if isinstance(hook, type):
            raise HookConfigError(f"AsyncHook wraps an instance, not a class; got {hook.__name__}")
        if not any(callable(getattr(hook, event, None)) for event in HOOK_EVENTS):
            raise HookConfigError(
                f"AsyncHook wraps a hook with at least one of {', '.join(HOOK_EVENTS)}; got {type(hook).__name__}"
            )
        super().__init__(hook)
        self.loop = loop
        self.cancel_on_timeout = cancel_on_timeout

    def on_predict_start(self, ctx: PredictContext) -> object:
        """Call the wrapped hook's method, if it has one; a coroutine is returned unawaited."""
        return self._pass_on("on_predict_start", ctx)

    def on_predict_end(self, ctx: PredictContext) -> object:
        """As `on_predict_start`."""
        return self._pass_on("on_predict_end", ctx)

    def on_route(self, ctx: PredictContext) -> object:
        """As `on_predict_start`."""
        return self._pass_on("on_route", ctx)

    def on_load(self, ctx: PredictContext) -> object:
        """As `on_predict_start`."""
        return self._pass_on("on_load", ctx)

    def on_evict(self, ctx: PredictContext) -> object:
        """As `on_predict_start`."""
        return self._pass_on("on_evict", ctx)

    def on_error(self, ctx: PredictContext) -> object:
        """As `on_predict_start`."""
        return self._pass_on("on_error", ctx)

    def _pass_on(self, event: str, ctx: PredictContext) -> object:
        method = getattr(self.target, event, None)
        return None if method is None else method(ctx)

    def __repr__(self) -> str:
        return f"AsyncHook({self.target!r})"


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_LOOPS.reset)
