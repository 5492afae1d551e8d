"""Trace calls. Needs: pip install 'laya-engine[tracing]' opentelemetry-sdk.

Run it: python examples/hooks/tracing.py
"""

from __future__ import annotations

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import laya
from laya.hooks.builtin import Tracing

QUESTIONS = {"urgent": {"type": "noul", "instructions": "Is the message urgent?"}}


def main(agent: laya.Agent) -> None:
    finished = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(finished))
    tracer = provider.get_tracer("example")
    with tracer.start_as_current_span("handle request"):
        agent.predict("The server is down!", QUESTIONS, hooks=[Tracing(tracer)], hooks_raise=False)
    for span in reversed(finished.get_finished_spans()):
        indent = "" if span.parent is None else "  "
        tokens = (span.attributes or {}).get("gen_ai.usage.input_tokens")
        print(f"{indent}{span.name}" + ("" if tokens is None else f" ({tokens} tokens)"))


if __name__ == "__main__":
    main(laya.load())
