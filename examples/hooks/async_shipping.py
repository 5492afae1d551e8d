"""Send results away from an async hook without making callers wait.

All async hooks of a process run on one background event loop, so a queue or an HTTP client made in one event works
in the next, and the task that ships lives on between calls.

Run it: python examples/hooks/async_shipping.py
"""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import laya

QUESTIONS = {"urgent": {"type": "noul", "instructions": "Is the message urgent?"}}
MESSAGES = ["The server is down!", "No rush", "Please answer today", "Thank you", "Hello?"]


class Shipper:
    """Hands rows to a background task, which sends them in groups."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.sent: list[list[dict[str, Any]]] = []
        self.done = threading.Event()
        self._queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None

    async def on_predict_end(self, ctx: laya.PredictContext) -> None:
        """Queue a row per result; the first call starts the task that sends them."""
        if self._task is None:
            self._task = asyncio.create_task(self._ship())
        for result in ctx.results or ():
            await self._queue.put({"run_id": ctx.run_id, "urgent": result["answers"]["urgent"]["noul"]})

    def close(self) -> None:
        """Send what is left and wait for it; only for a shipper that has seen a call."""
        if self._task is not None:
            self._task.get_loop().call_soon_threadsafe(self._queue.put_nowait, None)
            self.done.wait(10)

    async def _ship(self) -> None:
        group: list[dict[str, Any]] = []
        while (row := await self._queue.get()) is not None:
            group.append(row)
            if len(group) == self.size:
                await self._send(group)
                group = []
        if group:
            await self._send(group)
        self.done.set()

    async def _send(self, group: list[dict[str, Any]]) -> None:
        await asyncio.sleep(0)  # a real one would await an HTTP request here
        self.sent.append(group)


def main(agent: laya.Agent) -> None:
    shipper = Shipper(size=2)
    with agent.hooks_installed(shipper):
        for message in MESSAGES:
            agent.predict(message, QUESTIONS, hooks_raise=False)
    shipper.close()
    for number, group in enumerate(shipper.sent, start=1):
        print(f"group {number}: " + ", ".join(f"{row['urgent']:.0%} urgent" for row in group))


if __name__ == "__main__":
    main(laya.load())
