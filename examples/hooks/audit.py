"""Write one JSON line for every call, also for those that fail.

Run it: python examples/hooks/audit.py
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import laya
from laya.hooks.builtin import Audit

QUESTIONS = {"urgent": {"type": "noul", "instructions": "Is the message urgent?"}}


def main(agent: laya.Agent) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "audit.jsonl"
        with Audit(path) as audit:
            agent.predict("The server is down!", QUESTIONS, hooks=[audit], request_id="ticket-1")
            try:
                agent.predict("Hello", {"urgent": {"type": "yes/no"}}, hooks=[audit], request_id="ticket-2")
            except ValueError as exc:
                print(f"refused: {exc}")
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            said = row["error"]["type"] if row["error"] else f"{row['answers'][0]['urgent']['noul']:.0%} urgent"
            print(f"{row['request_id']}: {said}, {row['elapsed_ms']:.1f} ms")


if __name__ == "__main__":
    main(laya.load())
