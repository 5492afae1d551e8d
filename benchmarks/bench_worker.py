"""One engine behind JSON lines: a request a line on stdin, a reply a line on stdout.

It imports nothing of the benchmark and nothing beyond the standard library but `laya`, whichever that is here.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from contextlib import suppress
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PACKAGES = ("laya-engine", "laya", "numpy", "onnxruntime", "openvino", "torch", "transformers", "tokenizers")


def versions() -> dict[str, str]:
    """Versions of the packages that matter, as far as this interpreter has them."""
    found = {"python": sys.version.split()[0]}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def loop(agent: Any, states: list[Any], questions: dict[str, Any], kwargs: dict[str, Any]) -> list[Any]:
    """One `predict` for each state."""
    return [agent.predict(state, questions, **kwargs) for state in states]


def calls(agent: Any, job: dict[str, Any]) -> Iterator[Callable[[], list[Any]]]:
    """Endless calls of one job; each returns the results of the states that it answered."""
    states, questions, kwargs = job["states"], job["questions"], job["kwargs"]
    if job["op"] == "batch":
        while True:
            yield partial(agent.predict_batch, states, questions, **kwargs)
    if job["op"] == "loop":
        while True:
            yield partial(loop, agent, states, questions, kwargs)
    while True:
        for state in states:
            yield partial(loop, agent, [state], questions, kwargs)


def measure(agent: Any, job: dict[str, Any]) -> dict[str, Any]:
    """Time calls until the block is long enough; the answers of the first call go along for comparison."""
    times: list[float] = []
    answers: list[Any] = []
    began = time.perf_counter()
    for call in calls(agent, job):
        mark = time.perf_counter()
        results = call()
        times.append(time.perf_counter() - mark)
        answers = answers or [result["answers"] for result in results]
        if len(times) >= job["min_calls"] and time.perf_counter() - began >= job["min_seconds"]:
            break
    return {"times": times, "answers": answers}


def serve() -> None:
    """Answer requests until stdin ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints must not reach the protocol
    import laya  # noqa: PLC0415 - after the line above, since an import may print too

    agent: Any = None
    for line in sys.stdin:
        job = json.loads(line)
        try:
            if job["do"] == "load":
                agent = laya.load(job["path"], **job["kwargs"])
                reply: dict[str, Any] = {"versions": versions()}
            else:
                reply = measure(agent, job)
        except Exception:
            reply = {"error": traceback.format_exc()}
        print(json.dumps(reply), file=replies, flush=True)


if __name__ == "__main__":
    serve()
