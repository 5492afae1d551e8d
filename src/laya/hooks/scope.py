"""How one call runs its hooks when they need more than a plain function call: a timeout, a lock or an event loop."""

from __future__ import annotations

from collections.abc import Awaitable
from contextvars import Context, copy_context
from functools import partial
from threading import TIMEOUT_MAX
from time import monotonic
from typing import TYPE_CHECKING, Any

from laya.errors import HookTimeoutError
from laya.hooks.copies import Copier
from laya.hooks.locks import HookLock, Lease, current_lease, loop_depth, revoke
from laya.hooks.protocol import hook_name
from laya.hooks.workers import MAX_STUCK, Outcome, is_stuck, leave_behind, submit

if TYPE_CHECKING:
    from collections.abc import Callable

    from laya.hooks.aio import Running
    from laya.hooks.context import PredictContext


class _Run:
    """One run of one hook method."""

    __slots__ = ("context", "deadline", "event", "hook", "lease", "outcome", "running", "timeout")

    def __init__(self, hook: object, event: str, lease: Lease, timeout: float | None) -> None:
        self.hook = hook
        self.event = event
        self.lease = lease
        self.timeout = timeout
        self.deadline = None if timeout is None else monotonic() + timeout
        self.context: Context | None = None
        self.outcome: Outcome | None = None
        """What is being waited for, while the method runs elsewhere."""
        self.running: Running | None = None

    def left(self) -> float | None:
        """Seconds to the deadline, at least 0, or None without one."""
        return None if self.deadline is None else min(max(0.0, self.deadline - monotonic()), TIMEOUT_MAX)

    def overrun(self, why: str = "") -> HookTimeoutError:
        return HookTimeoutError(f"laya: hook {hook_name(self.hook, self.event)} exceeded {self.timeout:g}s{why}")


class CallScope:
    """What the hooks of one logical call share: a copy of the caller's context variables, and its contexts.

    The copy is made when first needed. All hooks that run on a worker or a loop run in it, one after the other, so
    that an end hook can reset what a start hook set. After a timeout the abandoned hook keeps the copy and the later
    hooks go on in a new copy of it; tokens of variables set before that can no longer be reset.

    Args:
        timeout: seconds that each hook may take, the wait for the lock included, or None.
        lock: the instance's lock when it runs one hook at a time, or None.

    Attributes:
        governs: whether every hook must go through `run`; if not, only what it returns to be awaited comes here.
    """

    __slots__ = ("_busy", "_context", "_contexts", "_left_behind", "governs", "lock", "timeout")

    def __init__(self, timeout: float | None, lock: HookLock | None) -> None:
        self.timeout = timeout
        self.lock = lock
        self.governs = timeout is not None or lock is not None
        self._context: Context | None = None
        self._contexts: list[PredictContext] = []
        self._left_behind: tuple[Lease, ...] = ()
        self._busy = False

    def run(self, hook: object, method: Callable[..., Any], event: str, ctx: PredictContext) -> BaseException | None:
        """Run a hook method to its end or its deadline; return what it failed with."""
        run = self._begin(hook, event, ctx)
        held: HookLock | None = None
        try:
            if self.timeout is not None and is_stuck(hook):
                return HookTimeoutError(
                    f"laya: hook {hook_name(hook, event)} is not run: {MAX_STUCK} earlier runs of it exceeded their "
                    "time and still go on; give it a time limit of its own"
                )
            if self.lock is not None:
                held = self.lock.acquire_for(run.lease, run.left())
                if held is None:
                    return run.overrun(" waiting for another hook (hooks_concurrent=False)")
            return self._call(run, method, ctx)
        except BaseException as exc:
            if not isinstance(exc, Exception):  # the caller was interrupted, perhaps while it waited
                self._leave(run)
            return exc
        finally:
            run.lease.active = False
            if held is not None:
                held.release()

    def finish(self, hook: object, awaitable: Awaitable[Any], event: str, ctx: PredictContext) -> BaseException | None:
        """Await what a hook method returned when it was called directly; return what it failed with."""
        run = self._begin(hook, event, ctx)
        try:
            return self._await(run, awaitable)
        except BaseException as exc:
            if not isinstance(exc, Exception):  # the caller was interrupted, perhaps while it waited
                self._leave(run)
            return exc
        finally:
            run.lease.active = False

    def inside(self, function: Callable[..., Any], *args: Any) -> None:
        """Call the caller's own code so that it sees the context variables that timed hooks have set."""
        if self._context is None or self.timeout is None:
            function(*args)
            return
        self._busy = True
        try:
            self._context.run(function, *args)
        finally:
            self._busy = False

    def _begin(self, hook: object, event: str, ctx: PredictContext) -> _Run:
        if not any(known is ctx for known in self._contexts):
            self._contexts.append(ctx)
            if self._left_behind:
                ctx.barred = (*ctx.barred, *self._left_behind)
        return _Run(hook, event, Lease(current_lease.get(), self.lock), self.timeout)

    def _call(self, run: _Run, method: Callable[..., Any], ctx: PredictContext) -> BaseException | None:
        if self.timeout is None:
            value = _leased(run.lease, method, ctx)
        else:
            run.outcome = Outcome()
            submit(partial(self._copy_for(run).run, _leased, run.lease, method, ctx), run.outcome)
            failure = self._wait(run, run.outcome)
            if failure is not None:
                return failure
            value = run.outcome.value
        return self._await(run, value) if isinstance(value, Awaitable) else None

    def _await(self, run: _Run, awaitable: Awaitable[Any]) -> BaseException | None:
        from laya.hooks.aio import AsyncHook, launch  # noqa: PLC0415  # only calls with async hooks need asyncio

        loop = run.hook.loop if isinstance(run.hook, AsyncHook) else None
        run.running = launch(awaitable, run.context or self._copy_for(run), loop, run.lease)
        run.outcome = run.running.outcome
        return self._wait(run, run.running)

    def _wait(self, run: _Run, waiting_for: Outcome | Running) -> BaseException | None:
        done = waiting_for.wait(run.left())
        if not done and self._leave(run):
            return run.overrun()
        return None if run.outcome is None else run.outcome.error

    def _leave(self, run: _Run) -> bool:
        """Give up on a run that is still under way; False when there is none."""
        if run.outcome is None or not leave_behind(run.hook, run.outcome):
            return False
        self._abandon(run)
        if run.running is not None:
            run.running.leave(cancel=getattr(run.hook, "cancel_on_timeout", False))
        return True

    def _copy_for(self, run: _Run) -> Context:
        if self._context is None:
            self._context = copy_context()
        # A context can be entered once at a time; a hook fired from inside the call's own code gets a copy.
        run.context = self._context.copy() if self._busy else self._context
        return run.context

    def _abandon(self, run: _Run) -> None:
        revoke(run.lease, self._contexts)
        self._left_behind = (*self._left_behind, run.lease)
        copy, copy_scratch = Copier(), Copier(deep=False)
        for ctx in self._contexts:
            ctx.raw_states = copy(ctx.raw_states)
            ctx.raw_questions = copy(ctx.raw_questions)
            ctx.raw_results = copy(ctx.raw_results)
            ctx.raw_decision = copy(ctx.raw_decision)
            ctx.raw_usage = copy(ctx.raw_usage)
            ctx.raw_scratch = copy_scratch(ctx.raw_scratch)
        if run.context is not None and run.context is self._context:
            self._context = run.context.copy()
            self._context.run(_restore, run.lease.parent, loop_depth.get())


def _leased(lease: Lease, method: Callable[..., Any], ctx: PredictContext) -> Any:
    token = current_lease.set(lease)
    try:
        return method(ctx)
    finally:
        current_lease.reset(token)


def _restore(lease: Lease | None, depth: int) -> None:
    # The old copy may have been taken in the middle of the abandoned hook.
    current_lease.set(lease)
    loop_depth.set(depth)
