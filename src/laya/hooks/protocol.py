"""What a hook is: an object with at least one of six methods, each taking the context of the call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

if TYPE_CHECKING:
    from laya.hooks.context import PredictContext

HOOK_EVENTS: Final = (
    "on_predict_start",
    "on_predict_end",
    "on_route",
    "on_load",
    "on_evict",
    "on_error",
)


class Hook(Protocol):
    """All six events. A hook may implement any of them; a method may be `async def`; return values are ignored."""

    def on_predict_start(self, ctx: PredictContext) -> object:
        """Before inference: may rewrite states and questions, set budgets, skip, or raise to refuse the call."""

    def on_predict_end(self, ctx: PredictContext) -> object:
        """After every started call, also a failed one (`ctx.error`): may read and change `ctx.results`."""

    def on_route(self, ctx: PredictContext) -> object:
        """After routing, before the checkpoint is loaded: may replace `ctx.decision`."""

    def on_load(self, ctx: PredictContext) -> object:
        """After a router built a checkpoint."""

    def on_evict(self, ctx: PredictContext) -> object:
        """After a router freed a checkpoint."""

    def on_error(self, ctx: PredictContext) -> object:
        """After a started call failed, before `on_predict_end`; `ctx.error` is the exception."""


class BaseHook:
    """A hook that does nothing: subclass it and override what is needed."""

    def on_predict_start(self, ctx: PredictContext) -> object:
        """Do nothing."""

    def on_predict_end(self, ctx: PredictContext) -> object:
        """Do nothing."""

    def on_route(self, ctx: PredictContext) -> object:
        """Do nothing."""

    def on_load(self, ctx: PredictContext) -> object:
        """Do nothing."""

    def on_evict(self, ctx: PredictContext) -> object:
        """Do nothing."""

    def on_error(self, ctx: PredictContext) -> object:
        """Do nothing."""


class _Start(Protocol):
    def on_predict_start(self, ctx: PredictContext) -> object: ...


class _End(Protocol):
    def on_predict_end(self, ctx: PredictContext) -> object: ...


class _Route(Protocol):
    def on_route(self, ctx: PredictContext) -> object: ...


class _Load(Protocol):
    def on_load(self, ctx: PredictContext) -> object: ...


class _Evict(Protocol):
    def on_evict(self, ctx: PredictContext) -> object: ...


class _Error(Protocol):
    def on_error(self, ctx: PredictContext) -> object: ...


AnyHook: TypeAlias = _Start | _End | _Route | _Load | _Evict | _Error
"""An object with at least one event method."""

PredictHook: TypeAlias = Callable[["PredictContext"], object]
"""A plain callable for `on_predict_start=` or `on_predict_end=`."""

HookArg: TypeAlias = AnyHook | Sequence[AnyHook] | None
"""What `hooks=` takes: one hook, a list or tuple of hooks, or None."""

PredictHookArg: TypeAlias = PredictHook | Sequence[PredictHook] | None
"""What `on_predict_start=` and `on_predict_end=` take: one callable, a list or tuple of them, or None."""


class HookWrapper:
    """A hook that stands for another object, its `target`: the one that users name, compare and see in messages."""

    __slots__ = ("target",)

    def __init__(self, target: Any) -> None:
        self.target = target


class CallableHook(HookWrapper):
    """A plain callable as a hook; the target is the callable."""

    __slots__ = ()


class StartHook(CallableHook):
    """A plain callable installed by `on_predict_start=`."""

    __slots__ = ()

    def on_predict_start(self, ctx: PredictContext) -> object:
        """Call the target."""
        result: object = self.target(ctx)
        return result


class EndHook(CallableHook):
    """A plain callable installed by `on_predict_end=`."""

    __slots__ = ()

    def on_predict_end(self, ctx: PredictContext) -> object:
        """Call the target."""
        result: object = self.target(ctx)
        return result


def stands_for(hook: object, wanted: object) -> bool:
    """Whether `wanted` is the hook itself or what it wraps; bound methods of one object are the same callable."""
    while True:
        if hook is wanted:
            return True
        if not isinstance(hook, HookWrapper):
            return isinstance(hook, MethodType) and isinstance(wanted, MethodType) and hook == wanted
        hook = hook.target


def hook_name(hook: object, event: str) -> str:
    """Name of a hook's event in messages: `Type.event`, or `function.event` for a plain callable."""
    is_callable = False
    while isinstance(hook, HookWrapper):
        is_callable = isinstance(hook, CallableHook)
        hook = hook.target
    kind = type(hook).__name__
    return f"{getattr(hook, '__name__', kind) if is_callable else kind}.{event}"
