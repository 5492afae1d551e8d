"""Outcomes as a table for the terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from laya.evals.run import Outcome

COLUMNS: Final = ("task", "type", "rows", "options", "chance", "accuracy", "NLL", "Brier", "ECE", "MAE")


@dataclass(frozen=True, slots=True)
class Report:
    """Outcomes and how they were made.

    Attributes:
        model: name of the checkpoint.
        version: version of the package.
        command: command that makes the same report.
        outcomes: one a task.
    """

    model: str
    version: str
    command: str
    outcomes: Sequence[Outcome]

    def table(self) -> Table:
        """For the terminal."""
        table = Table(title=f"{self.model}, laya {self.version}")
        for i, column in enumerate(COLUMNS):
            table.add_column(column, justify="left" if i < 2 else "right", no_wrap=True)
        for outcome in self.outcomes:
            table.add_row(*_cells(outcome))
        return table

    def markdown(self) -> str:
        """For the repository."""
        lines = [
            f"# Evaluation of {self.model}",
            "",
            f"laya {self.version}, `{self.command}`. Development sets only; a task is a fixed sample, so the accuracy",
            "of 300 rows is good to about 5 points. MAE is in levels. xsid shows what an English trunk does elsewhere.",
            "",
            _line(COLUMNS),
            _line("---" for _ in COLUMNS),
            *(_line(_cells(outcome)) for outcome in self.outcomes),
        ]
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        """For programs; numbers in full precision."""
        return json.dumps(asdict(self), indent=2) + "\n"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cells(outcome: Outcome) -> list[str]:
    numbers = (1 / outcome.options, outcome.accuracy, outcome.nll, outcome.brier, outcome.ece, outcome.mae)
    shown = ["" if number is None else f"{number:.3f}" for number in numbers]
    return [outcome.task, outcome.kind, str(outcome.rows), str(outcome.options), *shown]
