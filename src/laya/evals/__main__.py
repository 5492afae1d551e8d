"""`python -m laya.evals --data FOLDER`: evaluate a checkpoint on the development sets and write the report."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from rich.console import Console

import laya
from laya.evals.report import Report
from laya.evals.run import evaluate
from laya.evals.tasks import LIMIT, build_tasks

WIDTH: Final = 110
"""Columns of the table where there is no terminal to ask."""


def main() -> None:
    """Parse the command line, evaluate, print the table and write `eval.md` and `eval.json`."""
    parser = argparse.ArgumentParser(prog="python -m laya.evals", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the development sets")
    parser.add_argument("--model", help="checkpoint folder or name (default: the one inside the package)")
    parser.add_argument("--limit", type=int, default=LIMIT, help="most rows of a task (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"), help="folder of the report")
    arguments = parser.parse_args()
    agent = laya.load(arguments.model)
    outcomes = evaluate(agent, build_tasks(arguments.data, limit=arguments.limit))
    model = f" --model {arguments.model}" if arguments.model else ""
    command = f"python -m laya.evals --data {arguments.data}{model} --limit {arguments.limit}"
    report = Report(arguments.model or "embedded/english", laya.__version__, command, outcomes)
    terminal = Console()
    (terminal if terminal.is_terminal else Console(width=WIDTH)).print(report.table())
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "eval.md").write_text(report.markdown(), encoding="utf-8")
    (arguments.out / "eval.json").write_text(report.json(), encoding="utf-8")


if __name__ == "__main__":
    main()
