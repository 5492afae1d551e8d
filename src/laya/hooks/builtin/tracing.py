"""A span for every call."""

from __future__ import annotations

from contextvars import ContextVar, Token
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from laya.extras import require

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

    from laya.hooks import PredictContext

_SPANS: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""Spans that are open, by run id."""


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    span: Span
    router: Any
    base: Any
    """The OpenTelemetry context in which the span was opened."""
    attached: Any

    def __deepcopy__(self, memo: dict[int, Any]) -> _Open:
        return self  # spans and tokens are handles: a copy would belong to nothing


# Its token can be reset in the contextvars context that made it and in no other: that is how the end of a call knows
# whether it may detach.
_CURRENT: ContextVar[_Open | None] = ContextVar("laya.tracing.current", default=None)


class Tracing:
    """Traces calls with OpenTelemetry; agent calls nest inside router calls, and both inside the caller's span.

    A span is named `classify <model>` and has the GenAI attributes of the call (operation, model, tokens) and
    `laya.*` ones (run_id, parent_run_id, request_id, layer, states, questions, skipped, truncated). No text of
    states or questions is recorded. Needs the extra `tracing`. Install it with `hooks_raise=False`.

    Args:
        tracer: where spans go; None takes the tracer "laya" of the global provider.
        messages: record messages and stack traces of exceptions, which may quote what users wrote; else their type.

    Raises:
        MissingExtraError: opentelemetry-api is not installed.
    """

    def __init__(self, tracer: Tracer | None = None, *, messages: bool = False) -> None:
        self._trace = require("opentelemetry.trace", "tracing", "the Tracing hook")
        self._context = require("opentelemetry.context", "tracing", "the Tracing hook")
        self._tracer = self._trace.get_tracer("laya") if tracer is None else tracer
        self._messages = messages
        self._slot = f"laya.tracing.{id(self)}"

    def on_predict_start(self, ctx: PredictContext) -> None:
        """Open the span and make it the current one."""
        base = self._base(ctx)
        span = self._tracer.start_span(f"classify {ctx.model}", context=base, attributes=_attributes(ctx))
        _SPANS[ctx.run_id] = span
        attached = self._context.attach(self._trace.set_span_in_context(span, base))
        opened = _Open(span, ctx.router, base, attached)
        ctx.scratch.setdefault(self._slot, []).append((opened, _CURRENT.set(opened)))

    def on_error(self, ctx: PredictContext) -> None:
        """Record the exception."""
        for opened, _ in ctx.scratch.get(self._slot, ())[-1:]:
            self._record(opened.span, ctx.error)

    def on_predict_end(self, ctx: PredictContext) -> None:
        """Close the span and make its parent the current one."""
        stack = ctx.scratch.get(self._slot)
        if not stack:
            return
        opened, token = stack.pop()
        self._leave(opened, token)
        span = opened.span
        usage = ctx.usage or {}
        span.set_attribute("gen_ai.usage.input_tokens", usage.get("input_tokens", 0))
        span.set_attribute("gen_ai.usage.output_tokens", usage.get("output_tokens", 0))
        span.set_attribute("laya.truncated", bool(usage.get("truncated")))
        span.set_attribute("laya.skipped", ctx.skipped)
        span.end()

    def _base(self, ctx: PredictContext) -> Any:
        """The OpenTelemetry context to open a span in."""
        parent = None if ctx.parent_run_id is None else _SPANS.get(ctx.parent_run_id)
        if parent is not None:
            return self._trace.set_span_in_context(parent)
        outer = _CURRENT.get()
        if outer is not None and ctx.router is not None and outer.router is ctx.router:
            return outer.base  # requests of one batch are all open at once, but none is part of another
        return self._context.get_current()

    def _leave(self, opened: _Open, token: Token[_Open | None]) -> None:
        try:
            _CURRENT.reset(token)
        except ValueError:  # a timeout moved later hooks to a fresh context, which ends with the call
            return
        self._context.detach(opened.attached)

    def _record(self, span: Span, error: BaseException | None) -> None:
        if error is None:
            return
        name = type(error).__qualname__
        if self._messages:
            span.record_exception(error)
        else:
            span.add_event("exception", {"exception.type": name})
        span.set_attribute("error.type", name)
        code = self._trace.StatusCode.ERROR
        span.set_status(self._trace.Status(code, str(error) if self._messages else name))


def _attributes(ctx: PredictContext) -> dict[str, Any]:
    found = {
        "gen_ai.operation.name": "classify",
        "gen_ai.provider.name": "laya",
        "gen_ai.request.model": ctx.model,
        "laya.run_id": ctx.run_id,
        "laya.parent_run_id": ctx.parent_run_id,
        "laya.request_id": ctx.request_id,
        "laya.layer": "agent" if ctx.router is None else "router",
        "laya.states": len(ctx.states) if isinstance(ctx.states, (list, tuple)) else None,
        "laya.questions": len(ctx.questions) if isinstance(ctx.questions, dict) else None,
    }
    return {name: value for name, value in found.items() if value is not None}
