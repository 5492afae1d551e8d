"""Answer repeated requests from memory.

Run it: python examples/hooks/cache.py
"""

from __future__ import annotations

import time

import laya
from laya.hooks.builtin import Cache

QUESTIONS = {
    "kind": {
        "type": "choice",
        "instructions": "What is the message about?",
        "criteria": {"billing": "invoices, charges, refunds", "tech": "errors and things that do not work"},
    }
}
MESSAGES = ["I was charged twice", "The app crashes", "I was charged twice"]


def main(agent: laya.Agent) -> None:
    cache = Cache(maxsize=1000, ttl=3600)
    with agent.hooks_installed(cache):
        for message in MESSAGES:
            start = time.perf_counter()
            result = agent.predict(message, QUESTIONS)
            source = "cache" if result["usage"].get("cached") else "model"
            milliseconds = 1000 * (time.perf_counter() - start)
            print(f"{message!r}: {result['answers']['kind']['choice']} (from the {source}, {milliseconds:.1f} ms)")
    print(f"hits: {cache.stats.hits}, misses: {cache.stats.misses}")


if __name__ == "__main__":
    main(laya.load())
