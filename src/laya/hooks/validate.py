"""Checks of hooks, policies and timeouts, made where they are set: before anything runs."""

from __future__ import annotations

import math
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError, HookConfigError
from laya.hooks.protocol import HOOK_EVENTS, EndHook, HookArg, PredictHookArg, StartHook

if TYPE_CHECKING:
    from collections.abc import Callable

_MISSING: Final = object()


def normalise_hooks(
    hooks: HookArg = None, on_predict_start: PredictHookArg = None, on_predict_end: PredictHookArg = None
) -> list[Any]:
    """Check hooks and put them into one list: `hooks`, then start callables, then end callables.

    Args:
        hooks: one hook, a list or tuple of hooks, or None.
        on_predict_start: one callable, a list or tuple of them, or None.
        on_predict_end: likewise.

    Raises:
        HookConfigError: an entry is a class, has no event method, or has one that cannot be called.
    """
    found = [_checked_hook(hook) for hook in _entries(hooks)]
    found += [StartHook(_checked_callable(call, "on_predict_start")) for call in _entries(on_predict_start)]
    found += [EndHook(_checked_callable(call, "on_predict_end")) for call in _entries(on_predict_end)]
    return found


def compose_hooks(
    installed: HookArg,
    hooks: HookArg = None,
    on_predict_start: PredictHookArg = None,
    on_predict_end: PredictHookArg = None,
) -> list[Any]:
    """Put installed hooks and the hooks of one call into one list, installed first; arguments as `normalise_hooks`."""
    return list(_entries(installed)) + normalise_hooks(hooks, on_predict_start, on_predict_end)


def check_hooks_raise(value: Any) -> bool | None:
    """Return the failure policy as it is.

    Raises:
        HookConfigError: it is neither a bool nor None.
    """
    return _checked_bool(value, "hooks_raise") if value is not None else None


def check_hooks_concurrent(value: Any) -> bool:
    """Return the concurrency policy as it is.

    Raises:
        HookConfigError: it is not a bool.
    """
    return _checked_bool(value, "hooks_concurrent")


def check_timeout(value: Any) -> float | None:
    """Return a timeout in seconds as a float, or None for no limit.

    Raises:
        ArgumentError: it is a bool, not a number, not finite, or not positive.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        raise ArgumentError(f"hooks_timeout must be a positive finite number or None, not a bool; got {value}")
    try:
        seconds = float(value) if isinstance(value, Real) else math.nan
    except OverflowError:
        seconds = math.inf
    if not (math.isfinite(seconds) and seconds > 0):
        raise ArgumentError(f"hooks_timeout must be a positive finite number or None; got {value!r:.80}")
    return seconds


def _entries(value: Any) -> list[Any] | tuple[Any, ...]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else (value,)


def _checked_hook(hook: Any) -> Any:
    if isinstance(hook, type):
        raise HookConfigError(
            f"hooks entries must be instances, not classes; got {hook.__name__}. Instantiate it first."
        )
    kind = type(hook).__name__
    implemented = False
    for event in HOOK_EVENTS:
        method = getattr(hook, event, _MISSING)
        implemented = implemented or method is not _MISSING
        if method is not _MISSING and method is not None and not callable(method):
            raise HookConfigError(f"hooks entry {kind}.{event} must be callable, got {type(method).__name__}")
    if not implemented:
        raise HookConfigError(
            f"hooks entries must implement at least one of {', '.join(HOOK_EVENTS)}; got {kind}. "
            "Pass a plain callable as on_predict_start=/on_predict_end= instead."
        )
    return hook


def _checked_callable(call: Any, argument: str) -> Callable[..., Any]:
    if not callable(call):
        raise HookConfigError(f"{argument} must be callable, got {type(call).__name__}")
    return call  # type: ignore[no-any-return]  # callable() leaves Any as it is


def _checked_bool(value: Any, argument: str) -> bool:
    if not isinstance(value, bool):
        raise HookConfigError(f"{argument} must be True or False, got {value!r:.80} ({type(value).__name__})")
    return value
