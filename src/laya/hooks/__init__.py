"""Hooks: objects whose methods run around every call, in one order that is written once (`lifecycle`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laya.hooks.context import PredictContext
from laya.hooks.contract import aggregate_usage
from laya.hooks.dispatch import Dispatcher, dispatch
from laya.hooks.protocol import HOOK_EVENTS, BaseHook, Hook, HookArg, PredictHook, PredictHookArg
from laya.hooks.registry import (
    HookRegistry,
    add_default_hook,
    clear_default_hooks,
    default_hooks,
    set_default_hooks,
)
from laya.hooks.validate import check_hooks_raise, check_timeout, compose_hooks, normalise_hooks
from laya.hooks.workers import MAX_STUCK, stuck_hooks

if TYPE_CHECKING:
    from laya.hooks.aio import AsyncHook, run_coroutine_sync

__all__ = [
    "HOOK_EVENTS",
    "MAX_STUCK",
    "AsyncHook",
    "BaseHook",
    "Dispatcher",
    "Hook",
    "HookArg",
    "HookRegistry",
    "PredictContext",
    "PredictHook",
    "PredictHookArg",
    "add_default_hook",
    "aggregate_usage",
    "check_hooks_raise",
    "check_timeout",
    "clear_default_hooks",
    "compose_hooks",
    "default_hooks",
    "dispatch",
    "normalise_hooks",
    "run_coroutine_sync",
    "set_default_hooks",
    "stuck_hooks",
]


def __getattr__(name: str) -> Any:
    if name in {"AsyncHook", "run_coroutine_sync"}:  # asyncio is costly to import and few programs need it
        from laya.hooks import aio  # noqa: PLC0415 - see the line above

        return getattr(aio, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
