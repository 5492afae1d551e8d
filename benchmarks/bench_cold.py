"""Time import, load and first answer in this fresh process, and print the figures as one line of JSON.

python bench_cold.py '[CHECKPOINT or null, LOAD_ARGUMENTS, STATE, QUESTIONS]'
"""

from __future__ import annotations

import time

BEGAN = time.perf_counter()
import laya  # noqa: E402 - the clock must start before it

BARE = time.perf_counter() - BEGAN
from laya import Agent  # noqa: E402, F401 - what the clock is for

FULL = time.perf_counter() - BEGAN

import json  # noqa: E402 - counted neither as import nor as load
import sys  # noqa: E402


def memory(key: str) -> float | None:
    """A line of /proc/self/status in MB, None off Linux."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as lines:  # noqa: PTH123 - no pathlib to load
            return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{key}:"))
    except OSError:
        return None


def main() -> None:
    """Load, answer, report."""
    path, kwargs, state, questions = json.loads(sys.argv[1])
    figures = {"import laya": BARE, "import laya and Agent": FULL, "RSS after import": memory("VmRSS")}
    mark = time.perf_counter()
    agent = laya.load(path, **kwargs) if path else laya.load()
    figures |= {"load": time.perf_counter() - mark, "RSS after load": memory("VmRSS")}
    mark = time.perf_counter()
    agent.predict(state, questions)
    first = time.perf_counter() - mark
    figures |= {"first answer": first, "import, load and first answer": FULL + figures["load"] + first}
    for _ in range(5):
        agent.predict(state, questions)
    figures |= {"RSS after 6 answers": memory("VmRSS"), "RSS peak": memory("VmHWM")}
    print("\n" + json.dumps({key: value for key, value in figures.items() if value is not None}))


if __name__ == "__main__":
    main()
