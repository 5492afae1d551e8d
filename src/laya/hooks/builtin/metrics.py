"""Counters and timings for Prometheus."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError
from laya.extras import require

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from laya.hooks import PredictContext

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the latency histogram in seconds."""

_DROPPED: Final = {
    "state_tokens_dropped": "state",
    "instruction_tokens_dropped": "instruction",
    "option_tokens_dropped": "option",
}


class Metrics:
    """Counts calls, states, tokens, cuts, cache hits, errors, loads and evictions, and times calls.

    Every family of calls has the labels `layer` ("router" or "agent": a router call contains an agent call) and
    `model`. Needs the extra `metrics`. Install it with `hooks_raise=False`: telemetry must not fail a request.

    Args:
        registry: the Prometheus registry; None is the process-wide one.
        prefix: start of every metric's name.

    Raises:
        MissingExtraError: prometheus-client is not installed.
        ArgumentError: the prefix is no metric name, or is taken in this registry.
    """

    def __init__(self, registry: CollectorRegistry | None = None, prefix: str = "laya") -> None:
        prometheus = require("prometheus_client", "metrics", "the Metrics hook")
        if not isinstance(prefix, str) or not re.fullmatch(r"[A-Za-z_:][\w:]*", prefix, re.ASCII):
            raise ArgumentError(f"prefix must be a metric name such as 'laya', got {prefix!r}")
        target = prometheus.REGISTRY if registry is None else registry
        try:
            self._register(prometheus, target, prefix)
        except ValueError as exc:
            raise ArgumentError(
                f"the registry already has metrics named {prefix}_...; share one Metrics hook between agents, "
                "or pass another registry= or prefix="
            ) from exc
        self._slot = f"laya.metrics.{id(self)}"

    def _register(self, prometheus: Any, registry: Any, prefix: str) -> None:
        def make(kind: Any, name: str, text: str, labels: tuple[str, ...] = (), **more: Any) -> Any:
            return kind(f"{prefix}_{name}", text, labels, registry=registry, **more)

        where = ("layer", "model")
        counter, gauge = prometheus.Counter, prometheus.Gauge
        self._calls = make(counter, "calls_total", "Calls by outcome.", (*where, "outcome"))
        self._states = make(counter, "states_total", "States answered.", where)
        self._tokens = make(counter, "input_tokens_total", "Tokens read.", where)
        self._dropped = make(counter, "dropped_tokens_total", "Tokens that did not fit a budget.", (*where, "part"))
        self._truncated = make(counter, "truncated_states_total", "States that were cut.", where)
        self._cached = make(counter, "cache_hits_total", "States answered from a cache.", where)
        self._errors = make(counter, "errors_total", "Failed calls by exception.", (*where, "type"))
        self._seconds = make(
            prometheus.Histogram, "call_seconds", "Time of calls that succeeded.", where, buckets=BUCKETS
        )
        self._running = make(gauge, "calls_in_flight", "Calls that have started and not ended.", ("layer",))
        self._loads = make(counter, "loads_total", "Checkpoints loaded.", ("model",))
        self._evictions = make(counter, "evictions_total", "Checkpoints freed.", ("model",))

    def on_predict_start(self, ctx: PredictContext) -> None:
        """Count the call as running."""
        # Counted per call: a hook whose start never ran must not count down, one installed twice counts twice.
        ctx.scratch[self._slot] = ctx.scratch.get(self._slot, 0) + 1
        self._running.labels(_layer(ctx)).inc()

    def on_error(self, ctx: PredictContext) -> None:
        """Count the failure by the type of its exception."""
        self._errors.labels(*_where(ctx), type(ctx.error).__name__).inc()

    def on_predict_end(self, ctx: PredictContext) -> None:
        """Count what the call did."""
        running = ctx.scratch.get(self._slot, 0)
        if running:
            ctx.scratch[self._slot] = running - 1
            self._running.labels(_layer(ctx)).dec()
        where = _where(ctx)
        outcome = "error" if ctx.error is not None else "skipped" if ctx.skipped else "ok"
        self._calls.labels(*where, outcome).inc()
        if ctx.error is None:
            self._seconds.labels(*where).observe((ctx.elapsed_ms or 0.0) / 1000)
            for result in ctx.results or ():
                self._count(where, result.get("usage") or {})

    def on_load(self, ctx: PredictContext) -> None:
        """Count a checkpoint that was loaded."""
        self._loads.labels(str(ctx.model)).inc()

    def on_evict(self, ctx: PredictContext) -> None:
        """Count a checkpoint that was freed."""
        self._evictions.labels(str(ctx.model)).inc()

    def _count(self, where: tuple[str, str], usage: dict[str, Any]) -> None:
        self._states.labels(*where).inc()
        if usage.get("cached"):
            self._cached.labels(*where).inc()
            return
        self._tokens.labels(*where).inc(usage.get("input_tokens", 0))
        if usage.get("truncated"):
            self._truncated.labels(*where).inc()
        for key, part in _DROPPED.items():
            if usage.get(key):
                self._dropped.labels(*where, part).inc(usage[key])


def _layer(ctx: PredictContext) -> str:
    return "agent" if ctx.router is None else "router"


def _where(ctx: PredictContext) -> tuple[str, str]:
    return _layer(ctx), str(ctx.model)
