"""Count calls for Prometheus. Needs: pip install 'laya-engine[metrics]'.

Run it: python examples/hooks/metrics.py
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, generate_latest

import laya
from laya.hooks.builtin import Cache, Metrics

QUESTIONS = {"urgent": {"type": "noul", "instructions": "Is the message urgent?"}}
SHOWN = ("laya_calls_total", "laya_states_total", "laya_input_tokens_total", "laya_cache_hits_total")


def main(agent: laya.Agent) -> None:
    registry = CollectorRegistry()
    with agent.hooks_installed(Cache(), Metrics(registry)):
        for message in ("The server is down!", "No rush", "No rush"):
            agent.predict(message, QUESTIONS, hooks_raise=False)
    for line in generate_latest(registry).decode().splitlines():
        if line.startswith(SHOWN):
            print(line)


if __name__ == "__main__":
    main(laya.load())
