"""What `/metrics` tells: HTTP requests, the queue, and what the calls of the engine did."""

from __future__ import annotations

import dataclasses
import logging
from typing import TYPE_CHECKING, Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily

from laya.hooks.builtin import Metrics
from laya.hooks.builtin.metrics import BUCKETS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from laya.server.calls import Call
    from laya.server.options import SchedulerStats

_GAUGES: Final = {"queued", "queued_bytes", "in_flight", "largest_batch"}


class ServerMetrics:
    """Counts in a registry of their own.

    Attributes:
        hook: the hook that counts calls, tokens, cuts, cache hits, loads and evictions; for the Router.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.hook = Metrics(self._registry)
        labels = ("route", "method", "status")
        self._requests = Counter("laya_http_requests_total", "HTTP requests.", labels, registry=self._registry)
        self._seconds = Histogram(
            "laya_http_request_seconds", "Time of HTTP requests.", ("route",), buckets=BUCKETS, registry=self._registry
        )
        self._hooks = Counter(
            "laya_hook_failures_total",
            "Failures of hooks that did not fail a call.",
            ("hook",),
            registry=self._registry,
        )
        self._watch = _HookFailures(self._hooks)
        self._stats: Callable[[], SchedulerStats] | None = None
        self._registry.register(self)  # it has `collect`, which is all that is asked

    def start(self, stats: Callable[[], SchedulerStats]) -> None:
        """Tell the state of a scheduler, and count failing hooks, from now on."""
        self._stats = stats
        logging.getLogger("laya.hooks").addHandler(self._watch)

    def stop(self) -> None:
        """Stop counting failing hooks."""
        logging.getLogger("laya.hooks").removeHandler(self._watch)

    def count(self, call: Call) -> None:
        """Count an HTTP request that is over."""
        self._requests.labels(call.route, call.method, str(call.status)).inc()
        self._seconds.labels(call.route).observe(call.seconds)

    def text(self) -> bytes:
        """Everything, in the text format of Prometheus."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Any]:
        """State of the queue, as Prometheus asks for it."""
        if self._stats is None:
            return
        for name, value in dataclasses.asdict(self._stats()).items():
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                continue
            text = f"Engine room: {name.replace('_', ' ')}."
            if name in _GAUGES:
                yield GaugeMetricFamily(f"laya_queue_{name}", text, value)
            else:
                yield CounterMetricFamily(f"laya_queue_{name}", text, value)


class _HookFailures(logging.Handler):
    """Counts the records that the hook engine writes about lenient failures."""

    def __init__(self, counter: Counter) -> None:
        super().__init__(logging.WARNING)
        self._counter = counter

    def emit(self, record: logging.LogRecord) -> None:
        hook = getattr(record, "hook", None)
        if hook is not None:
            self._counter.labels(str(hook)).inc()
