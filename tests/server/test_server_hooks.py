"""The hooks that settings install: a cache of answers, and spans of OpenTelemetry."""

import contextlib
import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from laya.server import load_settings
from laya.server.service import build_router, problems_of
from router_builders import Threads
from server_builders import CHOICE, NOUL, body, client


@pytest.fixture
def spans(monkeypatch):
    """What the global provider gets, when a server is built after this."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    return exporter.get_finished_spans


@contextlib.contextmanager
def serve(**settings):
    """A client of a server on the embedded checkpoint, with the hooks of the settings and no others."""
    with client(build_router(load_settings(**settings)), **settings) as made:
        yield made


@pytest.fixture(scope="module")
def api():
    """One with a cache."""
    with serve(cache_size=64) as made:
        yield made


def ask(api, request_id="r", **changes):
    sent = body(**{"model": "english", **changes})
    answered = api.post("/v1/systemone", json=sent, headers={"x-request-id": request_id})
    assert answered.status_code == 200
    return answered.json()


# -- cache -------------------------------------------------------------------------------------------------------


def test_an_answer_is_given_again_without_a_forward_pass(api):
    first, again = ask(api, state="once"), ask(api, state="once")
    assert again["answers"] == first["answers"]
    assert (first["model"], first["x_checkpoint"]) == (again["model"], again["x_checkpoint"])
    assert "cached" not in first["x_usage"]
    assert again["x_usage"]["cached"]
    assert (first["usage"]["input_tokens"] > 0, again["usage"]["input_tokens"]) == (True, 0)


@pytest.mark.parametrize(
    "change",
    [
        {"state": "I was charged once"},
        {"questions": {"refund": {**NOUL, "instructions": "Is somebody angry?"}}},
        {"questions": {"refund": NOUL, "team": CHOICE}},
        {"max_len": 64},
        {"lang": "de"},
        {"x_truncation": "error"},
    ],
)
def test_what_is_asked_differently_is_not_taken_from_the_cache(api, change):
    ask(api)
    other = ask(api, **change)
    assert "cached" not in other["x_usage"]


def test_a_gate_is_applied_to_an_answer_from_the_cache(api):
    text = "not sure at all"
    assert "x_abstention" not in ask(api, state=text)["answers"]["refund"]
    gated = ask(api, state=text, min_confidence=1.0)
    assert gated["x_usage"]["cached"]
    assert gated["answers"]["refund"]["x_abstention"] == "abstained"
    assert "x_abstention" not in ask(api, state=text)["answers"]["refund"]


def test_a_cache_has_the_size_that_was_set_and_its_hits_are_counted():
    with serve(cache_size=1) as small:
        for state in ("one", "two", "one"):
            assert "cached" not in ask(small, state=state)["x_usage"]
        for _ in range(2):
            assert ask(small, state="one")["x_usage"]["cached"]
        lines = small.get("/metrics").text.splitlines()
    assert 'laya_cache_hits_total{layer="router",model="english"} 2.0' in lines


# -- tracing -----------------------------------------------------------------------------------------------------


def test_every_request_has_a_span_under_its_id_and_no_text(spans):
    private, asked = "my iban is 4411", Threads()
    with serve(tracing=True) as api:
        for i in range(6):
            asked.start(ask, api, f"r-{i}", state=f"{private} {i}", questions={private: NOUL})
        results = asked.join()
    found = {span.attributes["laya.request_id"]: span for span in spans() if span.parent is None}
    assert set(found) == {f"r-{i}" for i in range(6)}
    for i, result in enumerate(results):
        span = found[f"r-{i}"]
        assert span.name == "classify english"
        assert span.attributes["laya.layer"] == "router"
        assert span.attributes["gen_ai.usage.input_tokens"] == result["usage"]["input_tokens"]
    assert "iban" not in "".join(span.to_json() for span in spans())


def test_a_request_that_fails_is_a_span_with_an_error(spans):
    with serve(tracing=True) as api:
        refused = api.post("/v1/systemone", json=body(state="x " * 9000, x_truncation="error", model="english"))
    assert refused.status_code == 422
    (span,) = [span for span in spans() if span.parent is None]
    assert span.attributes["error.type"] == "TruncationError"
    assert span.status.status_code is trace.StatusCode.ERROR


def test_both_are_off_by_default(spans):
    with serve() as api:
        assert not any("cached" in ask(api)["x_usage"] for _ in range(2))
    assert spans() == ()


def test_tracing_without_its_extra_is_a_problem_that_a_check_tells(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry.trace", None)
    (problem,) = problems_of(load_settings(tracing=True))
    assert "pip install 'laya-engine[tracing]'" in problem
