"""Requests per second and latency of our server and the peer's, side by side on one checkpoint.

Run: python benchmarks/server_load.py --peer-python ../peer-env/bin/python --checkpoint ../shared/golden/ckpt/tiny-seq

Both servers run at the same time, each is idle while the other is measured, and they take turns in every round. Clients
send the next request when the last is answered, each over one connection, with states that do not repeat. The peer
refuses what goes beyond a number of requests at once; here it may take as many as there are clients. Writes
`results/server_load.md` and exits with 1 if anything but 200 came back or a target is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import sys
from datetime import datetime, timezone
from pathlib import Path

from bench_http import OURS, Load, Server, drive, post
from bench_machine import LoadMeter, describe, process_seconds
from bench_report import table
from bench_workload import FIVE, ONE, text

TARGET = 3.0
"""Times the peer's requests per second that ours answers with the most clients."""
QUESTIONS = {1: ONE, 5: FIVE}
HEAD = ["clients", "questions", "server", "requests/s", "p50", "p99", "CPU/request", "statuses", "ratio"]


def requests_of(clients, questions, seed, words, count=400):
    """What each client sends: `count` requests, then again from the start."""
    rng = random.Random(seed)
    return [
        [
            post({"model": "english", "state": text(rng, words), "questions": QUESTIONS[questions]})
            for _ in range(count // clients + 8)
        ]
        for _ in range(clients)
    ]


def measure(servers, options):
    """Loads of each server by (clients, questions)."""
    cells = {(clients, questions): {} for clients in options.clients for questions in options.questions}
    for turn in range(options.rounds):
        for (clients, questions), cell in cells.items():
            order = servers if turn % 2 == 0 else servers[::-1]
            for server in order:
                work = requests_of(clients, questions, f"{turn} {clients} {questions}", options.words)
                asyncio.run(drive(server.port, work, options.warmup))
                before = process_seconds(server.process.pid)
                load = asyncio.run(drive(server.port, work[::-1], options.seconds))
                load.cpu = process_seconds(server.process.pid) - before
                cell.setdefault(server.name, []).append(load)
                print(turn, clients, questions, server.name, f"{load.rate:.1f}/s", file=sys.stderr)
    return cells


def medians(loads: list[Load]) -> tuple[float, ...]:
    """Requests per second; p50, p99 and the server's CPU time of a request in milliseconds."""
    values = [
        (load.rate, load.percentile(0.5), load.percentile(0.99), 1000 * load.cpu / max(1, len(load.latencies)))
        for load in loads
    ]
    return tuple(statistics.median(column) for column in zip(*values, strict=True))


def statuses(loads: list[Load]) -> str:
    total = sum((load.statuses for load in loads), start=type(loads[0].statuses)())
    return ", ".join(f"{count} x {status}" for status, count in sorted(total.items()))


def rows(cells):
    """Rows of the table, and whether every target is met."""
    found, fine = [], True
    most = max(clients for clients, _ in cells)
    for (clients, questions), cell in cells.items():
        rates = {name: medians(loads)[0] for name, loads in cell.items()}
        ratio = rates["ours"] / rates["peer"] if rates.get("peer") else None
        for name, loads in cell.items():
            rate, half, worst, cpu = medians(loads)
            shown = ""
            if name == "ours" and ratio is not None:
                shown = f"{ratio:.1f}"
                if clients == most:
                    met = ratio >= TARGET
                    fine &= met
                    shown += f" (target {TARGET:g}: {'met' if met else 'MISSED'})"
            if name == "ours":
                fine &= all(status == 200 for load in loads for status in load.statuses)
            figures = [f"{rate:.1f}", f"{half:.1f} ms", f"{worst:.1f} ms", f"{cpu:.1f} ms"]
            found.append([str(clients), str(questions), name, *figures, statuses(loads), shown])
    return found, fine


def report(options, found, foreign):
    machine = describe()
    others = "unknown" if foreign is None else f"{foreign:.0%}"
    lines = [
        "# Load on the server",
        "",
        f"{datetime.now(timezone.utc):%Y-%m-%d}, {machine['cpu']}, {machine['cores']} CPUs.",
        f"Others used {others} of them. The clients run on the same machine.",
        "",
        f"    python benchmarks/server_load.py {' '.join(options.shown)}",
        "",
        f"Checkpoint `{options.checkpoint.name}`, states of {options.words} words.",
        f"Medians of {options.rounds} rounds of {options.seconds:g} s in turns; latencies as the clients see them.",
        "",
        *table(HEAD, found),
    ]
    return "\n".join(lines)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--python", default=sys.executable, help="interpreter of our engine")
    parser.add_argument("--peer-python", type=Path, help="interpreter of the peer, with its extra `serve`")
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 40])
    parser.add_argument("--questions", type=int, nargs="+", default=[1, 5], choices=sorted(QUESTIONS))
    parser.add_argument("--engines", type=int, help="engine threads of ours, with one thread a forward pass each")
    parser.add_argument("--words", type=int, default=27)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--warmup", type=float, default=1.0)
    parser.add_argument("--peer-concurrent", type=int, default=64, help="requests at once that the peer admits")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "server_load.md")
    options = parser.parse_args()
    given = {"--rounds": options.rounds, "--seconds": options.seconds, "--words": options.words}
    options.shown = [f"{name} {value:g}" for name, value in given.items()]
    options.shown += [f"--engines {options.engines}"] if options.engines else []
    return options


def main() -> int:
    options = arguments()
    checkpoint = options.checkpoint.resolve()
    engines = {"LAYA_ENGINES": str(options.engines), "LAYA_THREADS": "1"} if options.engines else {}
    wanted = [Server("ours", [options.python, "-c", OURS], checkpoint, {"LAYA_ACCESS_LOG": "false", **engines})]
    if options.peer_python:
        command = str(options.peer_python.parent / "laya-serve")  # the symlink must stay: it selects the environment
        wanted.append(Server("peer", [command], checkpoint, {"LAYA_MAX_CONCURRENT": str(options.peer_concurrent)}))
    with contextlib.ExitStack() as stack:
        servers = [stack.enter_context(server) for server in wanted]
        meter = LoadMeter(*(server.process.pid for server in servers), os.getpid())
        cells = measure(servers, options)
        foreign = meter.foreign_share()
    found, fine = rows(cells)
    options.out.write_text(report(options, found, foreign), encoding="utf-8")
    print(options.out.read_text(encoding="utf-8"))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
