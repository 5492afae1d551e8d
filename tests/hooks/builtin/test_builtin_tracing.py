"""Tracing: one span per call, nested as the calls are, and nothing left behind."""

from __future__ import annotations

import contextvars
import json
import logging
import sys
import threading

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from laya.errors import MissingExtraError
from laya.hooks import PredictContext
from laya.hooks.builtin import Cache, Tracing
from laya.hooks.dispatch import Dispatcher
from laya.hooks.lifecycle import run
from laya.testing import fake_agent

Q = {"d": {"type": "choice", "instructions": "which secret?", "criteria": {"billing": "invoices", "tech": "bugs"}}}


class Recorder:
    """A tracer that keeps its spans."""

    def __init__(self):
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracer = provider.get_tracer("test")

    @property
    def spans(self):
        return list(self._exporter.get_finished_spans())


@pytest.fixture
def recorder():
    return Recorder()


@pytest.fixture(autouse=True)
def no_otel_errors(caplog):
    """OpenTelemetry logs misuse, such as a detach in the wrong context, in place of raising it."""
    yield
    assert [record for record in caplog.records if record.name.startswith("opentelemetry")] == []


def test_a_call_is_a_span_with_the_facts_and_no_text(recorder):
    agent = fake_agent(hooks=[Tracing(recorder.tracer)])
    result = agent.predict("my secret", Q, request_id="r1")
    (span,) = recorder.spans
    assert span.name == "classify fake"
    assert span.status.status_code is trace.StatusCode.UNSET
    attributes = dict(span.attributes)
    assert attributes["gen_ai.operation.name"] == "classify"
    assert attributes["gen_ai.request.model"] == "fake"
    assert attributes["gen_ai.usage.input_tokens"] == result["usage"]["input_tokens"]
    assert attributes["laya.request_id"] == "r1"
    assert attributes["laya.layer"] == "agent"
    assert (attributes["laya.states"], attributes["laya.questions"]) == (1, 1)
    assert attributes["laya.skipped"] is False
    assert "secret" not in json.dumps(attributes)


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_the_span_is_current_during_inference_and_gone_afterwards(recorder, timeout):
    inside = []

    class Spy:
        def on_predict_start(self, ctx):
            inside.append(trace.get_current_span())

    agent = fake_agent(hooks=[Tracing(recorder.tracer), Spy()], hooks_timeout=timeout)
    before = contextvars.copy_context()
    agent.predict("x", Q)
    assert inside[0].name == "classify fake"
    assert trace.get_current_span() is trace.INVALID_SPAN
    after = contextvars.copy_context()
    assert [var for var in after if after[var] is not before.get(var)] == []


def test_the_callers_span_is_the_parent(recorder):
    agent = fake_agent(hooks=[Tracing(recorder.tracer)])
    with recorder.tracer.start_as_current_span("request") as outer:
        agent.predict("x", Q)
        assert trace.get_current_span() is outer
    inner, request = recorder.spans
    assert inner.parent.span_id == request.context.span_id


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_a_call_made_inside_a_call_is_a_child(recorder, timeout):
    hooks = [Tracing(recorder.tracer)]
    inner = fake_agent(hooks=hooks, hooks_timeout=timeout)
    outer = fake_agent(hooks=hooks, hooks_timeout=timeout)
    outer.predict("x", Q, on_predict_start=lambda ctx: inner.predict("y", Q))
    child, parent = recorder.spans
    assert child.parent.span_id == parent.context.span_id
    assert parent.parent is None


def routed(recorder, router, requests, body=None, timeout=None):
    """Router calls that share inference, as the lifecycle runs them."""
    contexts = [PredictContext([text], Q, model="english", router=router) for text in requests]

    def answer(waiting):
        for ctx in waiting:
            if body is not None:
                body(ctx)
            ctx.results = [{"model": "english", "answers": {}, "usage": {}}]

    run(contexts, Dispatcher([Tracing(recorder.tracer)], timeout=timeout), answer)
    return contexts


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_an_agent_call_nests_in_its_router_call_by_run_id(recorder, timeout):
    def body(ctx):
        inner = PredictContext(ctx.states, Q, model="fake", parent_run_id=ctx.run_id)
        answers = [{"model": "fake", "answers": {}, "usage": {}}]
        # On a thread of its own nothing but the run id leads to the router's span.
        hooks = Dispatcher([Tracing(recorder.tracer)])
        work = threading.Thread(
            target=run, args=([inner], hooks, lambda waiting: [setattr(c, "results", answers) for c in waiting])
        )
        work.start()
        work.join()

    (ctx,) = routed(recorder, object(), ["x"], body, timeout)
    agent, router = recorder.spans
    assert agent.parent.span_id == router.context.span_id
    assert agent.attributes["laya.parent_run_id"] == router.attributes["laya.run_id"] == ctx.run_id
    assert router.attributes["laya.layer"] == "router"


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_requests_of_one_batch_are_siblings_and_unwind(recorder, timeout):
    with recorder.tracer.start_as_current_span("batch") as outer:
        routed(recorder, object(), ["x", "y", "z"], timeout=timeout)
        assert trace.get_current_span() is outer
    *requests, batch = recorder.spans
    assert [span.parent.span_id for span in requests] == [batch.context.span_id] * 3


def test_a_failure_is_an_error_without_its_message(recorder):
    with pytest.raises(ValueError, match="question 'secret'"):
        fake_agent(hooks=[Tracing(recorder.tracer)]).predict("x", {"secret": {}})
    (span,) = recorder.spans
    assert span.status.status_code is trace.StatusCode.ERROR
    assert span.attributes["error.type"] == "QuestionError"
    assert [dict(event.attributes) for event in span.events] == [{"exception.type": "QuestionError"}]
    assert "secret" not in span.to_json()


def test_messages_are_recorded_where_asked(recorder):
    with pytest.raises(ValueError, match="question"):
        fake_agent(hooks=[Tracing(recorder.tracer, messages=True)]).predict("x", {"secret": {}})
    (span,) = recorder.spans
    assert "question 'secret'" in span.events[0].attributes["exception.message"]
    assert "question 'secret'" in span.status.description


def test_a_call_refused_before_its_start_has_no_span(recorder):
    class Guard:
        def on_predict_start(self, ctx):
            raise PermissionError("no")

    with pytest.raises(PermissionError):
        fake_agent(hooks=[Guard(), Tracing(recorder.tracer)]).predict("x", Q)
    assert recorder.spans == []


def test_the_span_ends_after_another_hook_timed_out(recorder, caplog):
    caplog.set_level(logging.ERROR, logger="opentelemetry")
    release = threading.Event()

    class Stuck:
        def on_predict_start(self, ctx):
            release.wait(5)

    agent = fake_agent(hooks=[Tracing(recorder.tracer), Stuck()], hooks_timeout=0.1)
    try:
        with pytest.raises(TimeoutError):
            agent.predict("x", Q)
    finally:
        release.set()
    (span,) = recorder.spans
    assert span.attributes["error.type"] == "HookTimeoutError"
    assert trace.get_current_span() is trace.INVALID_SPAN


def test_a_cache_hit_is_marked(recorder):
    agent = fake_agent(hooks=[Cache(), Tracing(recorder.tracer)])
    for _ in range(2):
        agent.predict("x", Q)
    assert [span.attributes["laya.skipped"] for span in recorder.spans] == [False, True]
    assert recorder.spans[1].attributes["gen_ai.usage.input_tokens"] == 0


def test_without_a_tracer_the_global_one_is_used():
    assert fake_agent(hooks=[Tracing()]).predict("x", Q)["answers"]


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    with pytest.raises(MissingExtraError, match=r"laya-engine\[tracing\]"):
        Tracing()
