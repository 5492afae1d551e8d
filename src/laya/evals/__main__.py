"""`python -m laya.evals --data FOLDER`: evaluate a checkpoint on the development sets and write the report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console

import laya
from laya.calibration import plot_reliability
from laya.evals.matcher import has_matcher, matcher_of
from laya.evals.report import Report, recorded
from laya.evals.run import evaluate
from laya.evals.tasks import LIMIT, build_tasks
from laya.evals.wording import flip_rates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.evals.rows import Task
    from laya.evals.run import Outcome

WIDTH: Final = 140
"""Columns of the table where there is no terminal to ask."""


def main() -> None:
    """Parse the command line, evaluate, print the table and write `eval.md` and `eval.json`."""
    parser = argparse.ArgumentParser(prog="python -m laya.evals", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development sets")
    parser.add_argument("--model", help="checkpoint folder or name (default: the one inside the package)")
    parser.add_argument("--limit", type=int, default=LIMIT, help="most rows of a task (default: %(default)s)")
    parser.add_argument(
        "--beside",
        help="what to compare with: a checkpoint, or the JSON of its report on the same rows "
        "(default: the matcher that the checkpoint describes)",
    )
    parser.add_argument("--wording", action="store_true", help="also ask in other words, and count changed answers")
    parser.add_argument("--plots", nargs="*", default=[], choices=("choice", "score", "noul"), help="reliability plots")
    parser.add_argument("--report", default="eval", help="name of the files (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"), help="folder of the report")
    arguments = parser.parse_args()
    agent, tasks = laya.load(arguments.model), build_tasks(arguments.data, limit=arguments.limit)
    outcomes = evaluate(agent, tasks)
    beside = _beside(arguments, tasks, outcomes)
    flips = flip_rates(agent, tasks) if arguments.wording else []
    command = " ".join(["python -m laya.evals", *sys.argv[1:]])
    name = arguments.model or "embedded/english"
    report = Report(name, laya.__version__, command, outcomes, beside, flips)
    terminal = Console()
    (terminal if terminal.is_terminal else Console(width=WIDTH)).print(report.table())
    arguments.out.mkdir(parents=True, exist_ok=True)
    for line in report.summary():
        terminal.print(line)
    (arguments.out / f"{arguments.report}.md").write_text(report.markdown(), encoding="utf-8")
    (arguments.out / f"{arguments.report}.json").write_text(report.json(), encoding="utf-8")
    for kind in arguments.plots:
        plot_reliability(*report.sure(kind), arguments.out / f"{arguments.report}_{kind}.svg", title=f"{name}, {kind}")


def _beside(arguments: argparse.Namespace, tasks: Sequence[Task], outcomes: Sequence[Outcome]) -> list[Outcome]:
    if arguments.beside and arguments.beside.endswith(".json"):
        return recorded(Path(arguments.beside), outcomes)
    if arguments.beside:
        return evaluate(laya.load(arguments.beside), tasks)
    if not has_matcher(arguments.model):
        return []
    with matcher_of(arguments.model) as agent:
        return evaluate(agent, tasks)


if __name__ == "__main__":
    main()
