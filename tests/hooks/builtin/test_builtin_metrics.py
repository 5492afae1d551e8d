"""Metrics: counts that add up, also for calls that fail."""

from __future__ import annotations

import sys
import threading

import prometheus_client
import pytest

from laya.errors import ArgumentError, MissingExtraError
from laya.hooks import PredictContext, dispatch
from laya.hooks.builtin import Cache, Metrics
from laya.testing import fake_agent

Q = {"d": {"type": "choice", "instructions": "which?", "criteria": {"billing": "invoices", "tech": "bugs"}}}


class Meter:
    """A Metrics hook on a registry of its own, and its numbers."""

    def __init__(self, **options):
        self.registry = prometheus_client.CollectorRegistry()
        self.hook = Metrics(self.registry, **options)

    def __call__(self, name, **labels):
        where = {"layer": "agent", "model": "fake", **labels}
        return self.registry.get_sample_value(f"laya_{name}", {k: v for k, v in where.items() if v is not None})

    @property
    def in_flight(self):
        return self("calls_in_flight", model=None)


def refuse(ctx):
    raise PermissionError("no")


class Guard:
    on_predict_start = staticmethod(refuse)


def test_a_call_counts_once_with_its_states_and_tokens():
    meter = Meter()
    results = fake_agent(hooks=[meter.hook]).predict_batch(["x", "y"], Q)
    assert meter("calls_total", outcome="ok") == 1
    assert meter("states_total") == 2
    assert meter("input_tokens_total") == sum(result["usage"]["input_tokens"] for result in results)
    assert meter("call_seconds_count") == 1
    assert meter.in_flight == 0


def test_the_gauge_counts_a_call_while_it_runs():
    meter, during = Meter(), []
    fake_agent(hooks=[meter.hook]).predict("x", Q, on_predict_start=lambda ctx: during.append(meter.in_flight))
    assert during == [1]
    assert meter.in_flight == 0


def test_the_gauge_is_not_negative_when_an_earlier_hook_refuses_the_call():
    meter = Meter()
    agent = fake_agent(hooks=[Guard(), meter.hook])
    with pytest.raises(PermissionError):
        agent.predict("x", Q)
    assert meter.in_flight is None
    assert meter("calls_total", outcome="error") == 1
    assert meter("errors_total", type="PermissionError") == 1


@pytest.mark.parametrize("hooks", [1, 2])
def test_the_gauge_returns_to_zero_after_a_failure_also_when_installed_twice(hooks):
    meter = Meter()
    with pytest.raises(PermissionError):
        fake_agent(hooks=[meter.hook] * hooks).predict("x", Q, on_predict_start=refuse)
    assert meter.in_flight == 0


def test_the_gauge_returns_to_zero_under_threads_with_a_timeout():
    meter = Meter()
    agent = fake_agent(hooks=[meter.hook], hooks_timeout=5.0)
    threads = [threading.Thread(target=agent.predict, args=("x", Q)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert meter.in_flight == 0
    assert meter("calls_total", outcome="ok") == 8


def test_a_cache_hit_is_counted_and_adds_no_tokens():
    meter = Meter()
    agent = fake_agent(hooks=[Cache(), meter.hook])
    agent.predict("x", Q)
    tokens = meter("input_tokens_total")
    agent.predict("x", Q)
    assert meter("cache_hits_total") == 1
    assert meter("calls_total", outcome="skipped") == 1
    assert meter("input_tokens_total") == tokens
    assert meter("states_total") == 2


def test_cuts_are_counted():
    meter = Meter()
    result = fake_agent(hooks=[meter.hook], max_len=160, head_max_len=120).predict("word " * 100, Q)
    assert meter("truncated_states_total") == 1
    assert meter("dropped_tokens_total", part="state") == result["usage"]["state_tokens_dropped"] > 0
    assert meter("dropped_tokens_total", part="option") is None


def test_loads_and_evictions_are_counted_by_model():
    meter = Meter()
    dispatch([meter.hook], "on_load", PredictContext([], {}, model="english"))
    dispatch([meter.hook], "on_evict", PredictContext([], {}, model="english"))
    assert meter("loads_total", layer=None, model="english") == 1
    assert meter("evictions_total", layer=None, model="english") == 1


def test_router_calls_are_a_layer_of_their_own():
    meter = Meter()
    ctx = PredictContext(["x"], Q, model="english", router=object(), results=[], elapsed_ms=5.0)
    dispatch([meter.hook], "on_predict_end", ctx)
    assert meter("calls_total", layer="router", model="english", outcome="skipped") == 1


def test_a_prefix_that_is_taken_says_what_to_do():
    meter = Meter()
    with pytest.raises(ArgumentError, match="already has metrics named laya_"):
        Metrics(meter.registry)
    Metrics(meter.registry, prefix="other")


def test_a_prefix_must_be_a_metric_name():
    with pytest.raises(ArgumentError, match="prefix must be"):
        Meter(prefix="no-dash")


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(MissingExtraError, match=r"laya-engine\[metrics\]"):
        Metrics()
