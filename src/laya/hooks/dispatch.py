"""Dispatcher: runs one event on a list of hooks, in order, under the policies of one call."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TYPE_CHECKING, Any, Final, Protocol

from laya.hooks.failures import join, report, reraise
from laya.hooks.locks import HookLock
from laya.hooks.scope import CallScope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from laya.hooks.context import PredictContext

_STOP_AT_FAILURE: Final = frozenset({"on_predict_start", "on_route"})
"""Events that may refuse the call; the other events always reach every hook."""

_ABSENT: Final = LookupError("the hook has no such event")


class Watch(Protocol):
    """Looks at the context around each hook, and may turn what a hook left there into its failure."""

    def save(self) -> None:
        """Remember the context, before a hook runs."""

    def settle(self, hook: object, event: str, failure: BaseException | None) -> BaseException | None:
        """Return the failure of a hook: what it raised, or what it left behind, or None."""


class Dispatcher:
    """The hooks of one call with its policies. Made per call, since the hooks of a call share context variables.

    Args:
        hooks: validated hooks, in order.
        raise_errors: raise what a hook raises; False warns instead. Interrupts are raised in either case.
        lock: lets one hook run at a time, or None.
        timeout: seconds that each hook may take, or None.
    """

    __slots__ = ("_scope", "hooks", "raise_errors")

    def __init__(
        self,
        hooks: Sequence[Any],
        *,
        raise_errors: bool = True,
        lock: HookLock | None = None,
        timeout: float | None = None,
    ) -> None:
        self.hooks = hooks
        self.raise_errors = raise_errors
        self._scope = None if timeout is None and lock is None else CallScope(timeout, lock)

    @property
    def active(self) -> bool:
        """Whether there is any hook."""
        return bool(self.hooks)

    def fire(self, event: str, ctx: PredictContext) -> None:
        """Run an event on every hook that implements it.

        `on_predict_start` and `on_route` stop at the first failure; the other events reach every hook first.

        Raises:
            BaseException: the first failure; later ones are further down its `__context__` chain. An interrupt comes
                before other exceptions.
        """
        self.fire_all([(event, ctx)])

    def fire_all(self, events: Sequence[tuple[str, PredictContext]]) -> None:
        """Run several events, one after the other, whatever fails in between; then raise like `fire`.

        Args:
            events: each event with its context, in order.
        """
        if not self.hooks:
            return
        found = [failure for event, ctx in events for failure in self.collect(event, ctx)]
        if found:
            reraise(join(found, []) or found[0])

    def collect(self, event: str, ctx: PredictContext, guard: Watch | None = None) -> list[BaseException]:
        """Run an event like `fire`, but return what has to be raised.

        Args:
            event: one of `HOOK_EVENTS`.
            ctx: the context to pass.
            guard: checks what each hook leaves in the context.
        """
        found: list[BaseException] = []
        for hook in self.hooks:
            failure = self._call(hook, event, ctx, guard)
            if failure is _ABSENT:
                continue
            if guard is not None:
                failure = guard.settle(hook, event, failure)
            if failure is None:
                if event == "on_predict_start":
                    ctx.completed.append(hook)
            elif isinstance(failure, Exception) and not self.raise_errors:
                report(hook, event, failure)
            else:
                found.append(failure)
                if event in _STOP_AT_FAILURE:
                    break
        return found

    def inside(self, function: Callable[..., Any], *args: Any) -> None:
        """Call the caller's own code where it sees the context variables that hooks under a timeout have set."""
        if self._scope is None:
            function(*args)
        else:
            self._scope.inside(function, *args)

    def _call(self, hook: object, event: str, ctx: PredictContext, guard: Watch | None) -> BaseException | None:
        scope = self._scope
        try:
            method = getattr(hook, event, None)
            if method is None:
                return _ABSENT
            if guard is not None:
                guard.save()
            if scope is not None and scope.governs:
                return scope.run(hook, method, event, ctx)
            value = method(ctx)
            if value is None or not isinstance(value, Awaitable):
                return None
        except BaseException as exc:
            return exc
        if scope is None:
            scope = self._scope = CallScope(None, None)
        return scope.finish(hook, value, event, ctx)


IDLE: Final = Dispatcher(())
"""The dispatcher of a call without hooks."""


def dispatch(
    hooks: Sequence[Any],
    event: str,
    ctx: PredictContext,
    *,
    raise_errors: bool = True,
    lock: Any = None,
    timeout: float | None = None,
) -> None:
    """Run one event on a list of hooks, outside a call.

    Args:
        hooks: hooks, in order.
        event: one of `HOOK_EVENTS`.
        ctx: the context to pass.
        raise_errors: raise what a hook raises; False warns instead.
        lock: a HookLock, or any lock with `acquire` and `release`, held around each hook.
        timeout: seconds that each hook may take, or None.

    Raises:
        BaseException: as `Dispatcher.fire`.
    """
    if lock is not None and not isinstance(lock, HookLock):
        lock = HookLock(lock)
    Dispatcher(hooks, raise_errors=raise_errors, lock=lock, timeout=timeout).fire(event, ctx)
