"""Measure this engine against the peer on the same checkpoints, in one interleaved run.

    python benchmarks/against_peer.py --peer-python PEER_VENV/bin/python --checkpoints DIR

Each engine works in a process of its own. README.md beside this file says what is measured and how noise is handled.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench_engine import LOAD_LIMIT, CallLimitError, Engine, EngineError
from bench_machine import LoadMeter, SpeedGate, describe
from bench_report import FOREIGN_LIMIT, TOLERANCE, best_mode, largest_difference, medians, render
from bench_workload import FIVE, mixed, predict_scenarios

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PRUNE = 2.0
PARTS = ("predict", "batch", "cold", "embedded")
MODES: dict[str, tuple[str, dict[str, Any]]] = {
    "default": ("batch", {}),
    "loop of predict": ("loop", {}),
    "batch_size=8, sort_by_length": ("batch", {"batch_size": 8, "sort_by_length": True}),
    "batch_size=8": ("batch", {"batch_size": 8}),
}
Cell = dict[str, Any]


def alternate(items: Sequence[Any], number: int) -> Sequence[Any]:
    """The items in order in even rounds, in reverse in odd ones: drift then hits both engines alike."""
    return items[::-1] if number % 2 else items


def job(op: str, states: list[Any], questions: dict[str, Any], **extra: Any) -> dict[str, Any]:
    """A job for the worker: one untimed call's worth unless `extra` says otherwise."""
    plain = {"do": "measure", "op": op, "states": states, "questions": questions}
    return plain | {"kwargs": {}, "min_calls": 1, "min_seconds": 0.0} | extra


def shared_command() -> str:
    """The command of this run without the folders of this machine; of an interpreter its environment stays."""
    words = []
    for word in sys.argv[1:]:
        parts = Path(word).parts
        keep = 3 if "bin" in parts else 1
        words.append("/".join(parts[-keep:]) if word.startswith("/") else word)
    return shlex.join(["python", "benchmarks/against_peer.py", *words])


def settle(cells: dict[str, Cell], reference: str) -> float:
    """Turn the answers of the cells into differences from the reference cell; returns the largest of ours."""
    base = cells[reference].get("answers") if reference in cells else None
    worst = 0.0
    for name, cell in cells.items():
        answers = cell.pop("answers", None)
        if answers is None or base is None:
            continue
        try:
            cell["difference"] = largest_difference(answers, base)
        except ValueError as error:
            cell["difference"] = str(error)
        if name.startswith("ours"):
            worst = max(worst, cell["difference"] if isinstance(cell["difference"], float) else float("inf"))
    return worst


@dataclass
class Bench:
    """One run: its options, its engines, and what it found."""

    args: argparse.Namespace
    engines: dict[str, Engine]
    gate: SpeedGate
    data: dict[str, Any]
    discarded: int = 0
    faults: list[str] = field(default_factory=list)

    def quiet(self, pids: Sequence[int], work: Callable[[], Any]) -> Any:
        """Do `work` until others used little of the machine meanwhile; None once patience is out."""
        spent = 0.0
        while True:
            meter, began = LoadMeter(os.getpid(), *pids), time.perf_counter()
            outcome = work()
            share, took = meter.foreign_share(), time.perf_counter() - began
            if share is None or share <= self.args.foreign_limit:
                return outcome
            self.discarded += 1
            spent += took + 1.0
            if spent > self.args.patience:
                return None
            time.sleep(1.0)

    def block(self, engine: Engine, work: dict[str, Any], cell: Cell, number: int) -> None:
        """Time one block of calls into a cell, unless the cell is closed; a failure closes it."""
        if "note" in cell:
            return
        try:
            if engine.process is None:
                engine.start(engine.checkpoint)
                engine.ask(job("loop", work["states"][:2], work["questions"]), LOAD_LIMIT)
            pids = [engine.process.pid] if engine.process else []
            reply = self.quiet(pids, lambda: engine.ask(work, self.args.call_limit))
        except CallLimitError as error:
            cell["note"] = str(error)
        except EngineError as error:
            cell["note"] = "failed"
            print(error, file=sys.stderr)
        else:
            if reply is not None:
                cell["rounds"][str(number)] = reply["times"]
                cell.setdefault("answers", reply["answers"])

    def rounds(self, title: str, step: Callable[[int], None]) -> dict[str, Any]:
        """Run the rounds of a section, each once the machine is at its usual speed; returns the section's head."""
        self.discarded = 0
        probes = []
        for number in range(self.args.rounds):
            probes.append(self.gate.wait())
            step(number)
            print(f"{title}: round {number + 1} of {self.args.rounds}", file=sys.stderr, flush=True)
        return {
            "date": time.strftime("%Y-%m-%d %H:%M"), "rounds": self.args.rounds, "command": shared_command(),
            "probes": probes, "discarded": self.discarded, "foreign_limit": self.args.foreign_limit,
        }  # fmt: skip

    def keep(self, title: str, section: dict[str, Any], worst: float = 0.0) -> None:
        """Save a finished section, and remember it when our answers were not the peer's."""
        if worst > TOLERANCE:
            self.faults.append(f"{title}: ours differs from the peer by {worst:.1e}, allowed is {TOLERANCE:.0e}")
        self.data["sections"][title] = section
        self.data["versions"] |= {engine.name: engine.versions for engine in self.engines.values() if engine.versions}
        out: Path = self.args.out
        out.parent.mkdir(parents=True, exist_ok=True)
        out.with_suffix(".json").write_text(json.dumps(self.data, indent=1) + "\n", "utf-8")
        out.write_text(render(self.data), "utf-8")

    def attempt(self, part: Callable[..., Any], *args: Any) -> None:
        """Do a part; an engine that fails in it costs that part alone, and is named at the end."""
        try:
            part(self, *args)
        except EngineError as error:
            self.faults.append(str(error))

    def stop(self) -> None:
        """End every engine."""
        for engine in self.engines.values():
            engine.stop()


def predict_part(bench: Bench, name: str) -> None:
    """Single requests: every scenario on every engine."""
    scenarios = predict_scenarios()
    cells: dict[str, dict[str, Cell]] = {
        scenario: {engine: {"rounds": {}} for engine in bench.engines} for scenario in scenarios
    }
    order = [(scenario, engine) for scenario in scenarios for engine in bench.engines]

    def step(number: int) -> None:
        for scenario, engine in alternate(order, number):
            states, questions = scenarios[scenario]
            work = job("predict", states, questions, min_calls=3, min_seconds=bench.args.block_seconds)
            bench.block(bench.engines[engine], work, cells[scenario][engine], number)

    for scenario, engine in order:
        bench.engines[engine].ask(job("predict", *scenarios[scenario], min_calls=2), LOAD_LIMIT)
    title = f"{name}: predict"
    head = bench.rounds(title, step)
    worst = max(settle(by, "peer") for by in cells.values())
    bench.keep(title, head | {"part": "predict", "cells": cells}, worst)


def batch_part(bench: Bench, name: str) -> None:
    """A batch of mixed states: ours as it comes, the peer in every mode; a slow mode is timed once."""
    states = mixed(bench.args.batch_states)
    modes = [mode for mode in MODES if mode not in bench.args.skip_modes]
    order = [(e, m) for m in modes for e in bench.engines if e != "ours" or m in {"default", "loop of predict"}]
    cells: dict[str, Cell] = {f"{engine}: {mode}": {"rounds": {}} for engine, mode in order}
    slow: set[str] = set()

    def step(number: int) -> None:
        for engine, mode in alternate(order, number):
            op, kwargs = MODES[mode]
            cell = f"{engine}: {mode}"
            if cell not in slow:
                work = job(op, states, FIVE, kwargs=kwargs, min_seconds=bench.args.block_seconds)
                bench.block(bench.engines[engine], work, cells[cell], number)
        for cell, content in cells.items():
            best, times = best_mode(cells, cell.partition(":")[0]), medians(content)
            if best and times and min(times.values()) > PRUNE * min(medians(cells[best]).values()):
                slow.add(cell)

    for engine in bench.engines.values():
        engine.ask(job("batch", states[:4], FIVE), LOAD_LIMIT)
        engine.ask(job("loop", states[:4], FIVE), LOAD_LIMIT)
    title = f"{name}: predict_batch, {len(states)} states x {len(FIVE)} questions"
    head = bench.rounds(title, step)
    worst = settle(cells, "peer: loop of predict")
    bench.keep(title, head | {"part": "batch", "cells": cells}, worst)


def cold_part(bench: Bench, name: str, folder: Path | None, engines: Sequence[str]) -> None:
    """Fresh processes: import, load, first answer, memory. No folder: the checkpoint inside the package."""
    checkpoint = str(folder) if folder else None
    cells: dict[str, dict[str, Cell]] = {}

    def record(engine: str, figures: dict[str, float], number: str) -> None:
        for quantity, value in figures.items():
            by = cells.setdefault(quantity, {each: {"rounds": {}} for each in engines})
            by[engine]["rounds"][number] = [value]

    def step(number: int) -> None:
        for engine in alternate(engines, number):
            figures = bench.quiet([], partial(bench.engines[engine].cold, checkpoint))
            if figures is not None:
                record(engine, figures, str(number))

    for engine in engines:  # also fills the page cache, and whatever an engine keeps from its first load
        figures = bench.engines[engine].cold(checkpoint)
        record(engine, {"load in the first process of the run": figures["load"]}, "0")
    title = f"{name}: fresh processes"
    head = bench.rounds(title, step)
    bench.keep(title, head | {"part": "cold", "cells": cells})


def ready(_bench: Bench, engine: Engine, folder: Path) -> None:
    """Have an engine run on a checkpoint."""
    if engine.process is None:
        engine.start(str(folder))


def measure_checkpoint(bench: Bench, folder: Path) -> None:
    """The parts that were asked for, on one checkpoint."""
    name, only = folder.name, bench.args.only
    if "cold" in only:
        bench.attempt(cold_part, name, folder, ["ours", "peer"])
    parts = [part for word, part in (("predict", predict_part), ("batch", batch_part)) if word in only]
    for part in parts:
        for engine in bench.engines.values():
            bench.attempt(ready, engine, folder)
        bench.attempt(part, name)
    bench.stop()


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--peer-python", required=True, help="interpreter of an environment with laya 0.4.15 and a CPU torch")
    add("--python", default=sys.executable, help="interpreter of our engine (default: this one); also runs the probe")
    add("--checkpoints", type=Path, required=True, help="folder whose subfolders are checkpoints")
    add("--names", nargs="+", help="which subfolders (default: all)")
    add("--only", nargs="+", choices=PARTS, default=list(PARTS), help="which parts")
    add("--rounds", type=int, default=7)
    add("--threads", type=int, default=2, help="threads, and CPUs, of each engine")
    add("--block-seconds", type=float, default=1.0, help="shortest time of one block of calls")
    add("--batch-states", type=int, default=64)
    add("--skip-modes", nargs="+", choices=list(MODES), default=[], help="batch modes to leave out")
    add("--no-bf16", action="store_true", help="leave out the peer's bf16 mode")
    add("--call-limit", type=float, default=900.0, help="seconds after which one block is given up")
    add(
        "--patience", type=float, default=120.0, help="seconds of loaded blocks thrown away before a round goes without"
    )
    add(
        "--foreign-limit",
        type=float,
        default=FOREIGN_LIMIT,
        help="share of the CPUs that others may use during a block",
    )
    add("--usual-gflops", type=float, default=0.0, help="probe speed of this machine when quiet, if known")
    add("--append", action="store_true", help="keep the other sections of an earlier run on this machine")
    add("--out", type=Path, default=Path(__file__).parent / "results" / "against_peer.md")
    return parser.parse_args()


def fresh(args: argparse.Namespace) -> dict[str, Any]:
    """The figures to add to: those of the earlier run if it was on this machine and is to be kept, else none.

    Raises:
        SystemExit: the earlier run was on another machine or with other threads.
    """
    head = {"machine": describe(), "threads": args.threads}
    earlier = args.out.with_suffix(".json")
    if not (args.append and earlier.is_file()):
        return head | {"versions": {}, "sections": {}}
    data: dict[str, Any] = json.loads(earlier.read_text("utf-8"))
    if {key: data[key] for key in head} != head:
        raise SystemExit(f"{earlier.name} is of another machine or thread count; give another --out")
    return data


def pin(threads: int) -> None:
    """Keep this process and those it starts on as many CPUs as there are threads, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])


def main() -> int:
    """Run what was asked for; 1 when an engine failed or our answers are not the peer's."""
    args = arguments()
    pin(args.threads)
    ours, peer = (str(Path(shutil.which(python) or python).absolute()) for python in (args.python, args.peer_python))
    names = args.names or sorted(path.name for path in args.checkpoints.iterdir() if path.is_dir())
    engines = {
        "ours": Engine("ours", ours, args.threads),
        "peer": Engine("peer", peer, args.threads, load={"device": "cpu"}),
    }
    if not args.no_bf16:
        amp = {"LAYA_CPU_AMP": "bf16"}
        engines["peer-bf16"] = Engine("peer-bf16", peer, args.threads, load={"device": "cpu"}, env=amp)
    bench = Bench(args, engines, SpeedGate(ours, args.threads, args.usual_gflops), fresh(args))
    try:
        if "embedded" in args.only:
            bench.attempt(cold_part, "embedded checkpoint", None, ["ours"])
        for name in names:
            measure_checkpoint(bench, (args.checkpoints / name).resolve())
    finally:
        bench.stop()
    print("\n".join(bench.faults), file=sys.stderr)
    return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
