"""A bounded storm of slow clients and of clients that hang up: nothing is lost, nothing is left behind.

Run: python benchmarks/server_storm.py [--checkpoint ../shared/golden/ckpt/tiny-seq] [--seconds 20]

Steady clients ask one request after the other, each with question ids of its own, while others stall in the middle of
a body, trickle it, hang up right after sending or while they wait, or send what is no HTTP. Afterwards every steady
request must have had its own answer or a refusal with a Retry-After, every stalled body a 408, the queue must be empty
and its counts must add up, and the server must hold as many files and threads as before and no more memory than after
the first half. Exits with 1 otherwise.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path

from bench_http import OURS, Connection, Server, post
from bench_workload import text

BODY_TIMEOUT = 1.0
GROWTH_KIB = 16 * 1024
"""What the server may gain in memory between the first half and the end."""
PAUSE = 0.1
"""Seconds between two connections of a client that hangs up, on average."""
REFUSALS = {429, 503, 529}
SETTLED = 60.0
"""Seconds within which everything must have its answer, and the server must come to rest."""


class Storm:
    """The clients, and what came of them."""

    def __init__(self, port, seed):
        self.port, self.seed, self.end = port, seed, 0.0
        self.seen, self.problems = Counter(), []

    def request(self, rng, name):
        question = {"type": "noul", "instructions": "The customer asks for a refund."}
        return post({"model": "english", "state": text(rng, rng.randint(3, 60)), "questions": {name: question}})

    async def steady(self, number):
        """Ask one request after the other; each must get the answer to its own question."""
        rng, connection, turn = random.Random(f"{self.seed} steady {number}"), Connection(self.port), 0
        while time.monotonic() < self.end:
            turn += 1
            name = f"q{number}-{turn}"
            status, headers, body = await asyncio.wait_for(connection.ask(self.request(rng, name)), SETTLED)
            self.seen[f"steady {status}"] += 1
            if status == 200:
                if list(json.loads(body)["answers"]) != [name]:
                    self.problems.append(f"{name} got the answers {list(json.loads(body)['answers'])}")
            elif status in REFUSALS and "retry-after" in headers:
                await asyncio.sleep(0.05)
            else:
                self.problems.append(f"{name} got {status}: {body[:200]!r}")
        connection.close()

    async def leaver(self, number):
        """Send a request and hang up, at once or while it waits or runs."""
        rng = random.Random(f"{self.seed} leaver {number}")
        while time.monotonic() < self.end:
            connection = Connection(self.port)
            with contextlib.suppress(OSError):
                await connection.send(self.request(rng, "gone"))
                await asyncio.sleep(rng.choice([0.0, 0.0, 0.005, 0.05]))
            connection.close()
            self.seen["hung up"] += 1
            await asyncio.sleep(rng.uniform(0, 2 * PAUSE))

    async def slow(self, number):
        """Stall in the middle of a body, or send it byte by byte; a 408 must come in time."""
        rng = random.Random(f"{self.seed} slow {number}")
        while time.monotonic() < self.end:
            connection, whole = Connection(self.port), self.request(rng, "slow")
            began = time.monotonic()
            await connection.send(whole[: whole.index(b"\r\n\r\n") + 4 + rng.randint(0, 9)])
            answer = asyncio.ensure_future(connection.receive())
            if rng.random() < 0.5:
                with contextlib.suppress(OSError):
                    for place in range(20):
                        await asyncio.sleep(0.1)
                        await connection.send(whole[-30 + place : -29 + place])
            try:
                status, _, _ = await asyncio.wait_for(answer, SETTLED)
            except (OSError, asyncio.IncompleteReadError):
                status = "closed"
            self.seen[f"slow {status}"] += 1
            if status != 408:
                self.problems.append(f"a stalled body got {status} after {time.monotonic() - began:.1f} s")
            connection.close()

    async def garbage(self, number):
        """Send what is no HTTP, or half a request line, and go."""
        rng = random.Random(f"{self.seed} garbage {number}")
        while time.monotonic() < self.end:
            connection = Connection(self.port)
            with contextlib.suppress(OSError):
                await connection.send(rng.choice([b"\x16\x03\x01\x02", b"POST /v1/systemone HT", rng.randbytes(64)]))
                await asyncio.sleep(PAUSE)
            connection.close()
            self.seen["garbage"] += 1

    async def run(self, seconds, counts):
        self.end = time.monotonic() + seconds
        await asyncio.gather(*[getattr(self, kind)(n) for kind, count in counts.items() for n in range(count)])


def queue_of(server):
    """The counts of the engine room."""
    lines = [line.split() for line in server.get("/metrics").splitlines() if line.startswith("laya_queue_")]
    return {line[0].removeprefix("laya_queue_").removesuffix("_total"): int(float(line[1])) for line in lines}


def resources(server):
    """Open files and threads."""
    folder = Path(f"/proc/{server.process.pid}")
    return {"files": len(list((folder / "fd").iterdir())), "threads": len(list((folder / "task").iterdir()))}


def rest(server, before):
    """Wait until the server is at rest; its queue, files and threads."""
    end = time.monotonic() + SETTLED
    while True:
        queue, held = queue_of(server), resources(server)
        idle = not (queue["queued"] or queue["in_flight"]) and held["files"] <= before["files"]
        if idle or time.monotonic() > end:
            return queue, held
        time.sleep(0.1)


def problems_of(storm, queue, held, before, memory):
    found = list(storm.problems[:5])
    if len(storm.problems) > 5:
        found.append(f"and {len(storm.problems) - 5} more like these")
    if queue["queued"] or queue["in_flight"] or queue["queued_bytes"]:
        found.append(f"the queue is not empty: {queue}")
    if queue["answered"] < storm.seen["steady 200"]:
        found.append(f"{storm.seen['steady 200']} answers came, but {queue['answered']} were counted")
    if queue["batch_requests"] != queue["answered"] + queue["failed"] + queue["discarded"]:
        found.append(f"what ran is not what was answered, failed or discarded: {queue}")
    found += [f"{held[what]} {what}, {count} before" for what, count in before.items() if held[what] > count]
    if memory[-1] - memory[0] > GROWTH_KIB:
        found.append(f"memory grew by {memory[-1] - memory[0]} KiB")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="interpreter of our engine")
    parser.add_argument("--checkpoint", type=Path, help="the embedded one if none is given")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steady", type=int, default=8)
    parser.add_argument("--leaver", type=int, default=8)
    parser.add_argument("--slow", type=int, default=16)
    parser.add_argument("--garbage", type=int, default=2)
    options = parser.parse_args()
    counts = {kind: getattr(options, kind) for kind in ("steady", "leaver", "slow", "garbage")}
    checkpoint = options.checkpoint.resolve() if options.checkpoint else None
    env = {"LAYA_ACCESS_LOG": "false", "LAYA_BODY_READ_TIMEOUT": str(BODY_TIMEOUT), "LAYA_LOG_LEVEL": "error"}
    with Server("ours", [options.python, "-c", OURS], checkpoint, env) as server:
        storm, memory = Storm(server.port, options.seed), []
        asyncio.run(storm.run(1.0, counts))  # so that pools and caches have their size
        _, before = rest(server, {"files": 0})
        for _ in range(2):
            asyncio.run(storm.run(options.seconds / 2, counts))
            queue, held = rest(server, before)
            memory.append(server.rss())
        ended = server.stop()
    print(f"clients: {counts}; {options.seconds:g} s; what came: {dict(sorted(storm.seen.items()))}")
    print(f"queue: {queue}")
    print(f"files and threads: {before} before, {held} after; memory after each half: {memory} KiB")
    found = problems_of(storm, queue, held, before, memory)
    found += [f"the server ended with {ended}"] if ended not in {0, -15} else []
    print("nothing lost, nothing left behind" if not found else "\n".join(f"WRONG: {problem}" for problem in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
