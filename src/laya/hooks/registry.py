"""HookRegistry: the hooks installed on an agent or a router, and the hooks of the whole process."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from laya.errors import HookConfigError
from laya.hooks.dispatch import IDLE, Dispatcher
from laya.hooks.locks import ForkSafeLock, HookLock
from laya.hooks.protocol import stands_for
from laya.hooks.validate import check_hooks_concurrent, check_hooks_raise, check_timeout, normalise_hooks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typing_extensions import Self

    from laya.hooks.protocol import AnyHook, HookArg, PredictHookArg

_MUTEX: Final = ForkSafeLock()
"""Guards changes of hook lists; calls read the lists, which are replaced and never changed, without it."""

_local_hooks: ContextVar[tuple[tuple[object, tuple[Any, ...]], ...]] = ContextVar("laya_local_hooks", default=())
"""Hooks installed for one context only: (registry, hooks) pairs, oldest first."""


class _Defaults:
    hooks: tuple[Any, ...] = ()


def set_default_hooks(
    hooks: HookArg = None, on_predict_start: PredictHookArg = None, on_predict_end: PredictHookArg = None
) -> None:
    """Replace the hooks that run first in every call of the process.

    Raises:
        HookConfigError: see `normalise_hooks`; the defaults stay as they were.
    """
    new = tuple(normalise_hooks(hooks, on_predict_start, on_predict_end))
    with _MUTEX:
        _Defaults.hooks = new


def add_default_hook(hook: HookArg) -> None:
    """Append a hook, or several, to the hooks that run first in every call of the process.

    Raises:
        HookConfigError: see `normalise_hooks`.
    """
    new = tuple(normalise_hooks(hook))
    with _MUTEX:
        _Defaults.hooks += new


def clear_default_hooks() -> None:
    """Remove all process-wide hooks."""
    with _MUTEX:
        _Defaults.hooks = ()


def default_hooks() -> list[Any]:
    """The process-wide hooks, in order, as a new list."""
    return list(_Defaults.hooks)


class HookRegistry:
    """Gives a class its installed hooks and their policies. Safe under threads; a running call keeps its own list."""

    _hooks: tuple[Any, ...]
    _hooks_raise: bool
    _hooks_timeout: float | None
    _hooks_lock: HookLock | None

    def _init_hooks(
        self,
        hooks: HookArg = None,
        on_predict_start: PredictHookArg = None,
        on_predict_end: PredictHookArg = None,
        *,
        hooks_raise: bool = True,
        hooks_concurrent: bool = True,
        hooks_timeout: float | None = None,
    ) -> None:
        self._hooks = tuple(normalise_hooks(hooks, on_predict_start, on_predict_end))
        policy = check_hooks_raise(hooks_raise)
        self._hooks_raise = True if policy is None else policy
        self._hooks_lock = None if check_hooks_concurrent(hooks_concurrent) else HookLock()
        self._hooks_timeout = check_timeout(hooks_timeout)

    @property
    def hooks(self) -> tuple[Any, ...]:
        """The installed hooks in order, those installed only for the current context last."""
        return self._hooks + self._hooks_here()

    @property
    def hooks_raise(self) -> bool:
        """Whether a failing hook fails the call, unless the call says otherwise."""
        return self._hooks_raise

    @property
    def hooks_concurrent(self) -> bool:
        """Whether hooks of calls in several threads may run at the same time."""
        return self._hooks_lock is None

    @property
    def hooks_timeout(self) -> float | None:
        """Seconds that each hook may take, unless the call says otherwise; None is no limit."""
        return self._hooks_timeout

    def add_hook(self, hook: HookArg) -> Self:
        """Install one hook or a sequence of hooks after the others.

        Raises:
            HookConfigError: see `normalise_hooks`.
        """
        new = tuple(normalise_hooks(hook))
        with _MUTEX:
            self._hooks += new
        return self

    def remove_hook(self, hook: object) -> bool:
        """Remove the latest occurrence of a hook.

        Args:
            hook: the object that was installed, also a plain callable given as `on_predict_start=` and the like, or
                what an AsyncHook wraps.

        Returns:
            Whether it was found.
        """
        with _MUTEX:
            for index in range(len(self._hooks) - 1, -1, -1):
                if stands_for(self._hooks[index], hook):
                    self._hooks = self._hooks[:index] + self._hooks[index + 1 :]
                    return True
        return False

    @contextmanager
    def hooks_installed(
        self, *hooks: AnyHook | list[AnyHook] | tuple[AnyHook, ...], local: bool = False
    ) -> Iterator[Self]:
        """Install hooks for the length of a `with` block.

        Args:
            hooks: hooks, or lists and tuples of hooks.
            local: only for calls made in this context (`contextvars`): other threads and tasks do not see them.

        Raises:
            HookConfigError: see `normalise_hooks`.
        """
        if not isinstance(local, bool):
            raise HookConfigError(f"local must be True or False, got {local!r:.80}")
        new = tuple(hook for entry in hooks for hook in normalise_hooks(entry))
        entry = (self, new)
        if local:
            _local_hooks.set((*_local_hooks.get(), entry))
        else:
            self.add_hook(new)
        try:
            yield self
        finally:
            if local:
                _local_hooks.set(tuple(known for known in _local_hooks.get() if known is not entry))
            else:
                for hook in reversed(new):
                    self.remove_hook(hook)

    def _hooks_here(self) -> tuple[Any, ...]:
        local = _local_hooks.get()
        return tuple(hook for owner, hooks in local if owner is self for hook in hooks) if local else ()

    def _dispatcher(
        self,
        hooks: HookArg = None,
        on_predict_start: PredictHookArg = None,
        on_predict_end: PredictHookArg = None,
        *,
        hooks_raise: bool | None = None,
        hooks_timeout: float | None = None,
        use_defaults: bool = True,
    ) -> Dispatcher:
        """Check the hook arguments of a call and take its hooks: process-wide, installed, then its own."""
        active = _Defaults.hooks + self._hooks if use_defaults else self._hooks
        if _local_hooks.get():
            active += self._hooks_here()
        if hooks is not None or on_predict_start is not None or on_predict_end is not None:
            active += tuple(normalise_hooks(hooks, on_predict_start, on_predict_end))
        policy = check_hooks_raise(hooks_raise)
        timeout = self._hooks_timeout if hooks_timeout is None else check_timeout(hooks_timeout)
        if not active:
            return IDLE
        raise_errors = self._hooks_raise if policy is None else policy
        return Dispatcher(active, raise_errors=raise_errors, lock=self._hooks_lock, timeout=timeout)
