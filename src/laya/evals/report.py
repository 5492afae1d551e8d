"""Outcomes as a table for the terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from rich.table import Table

from laya.calibration import ece_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from laya.evals.run import Outcome
    from laya.evals.wording import Flips

COLUMNS: Final = ("task", "type", "rows", "options", "chance", "accuracy", "NLL", "Brier", "ECE", "MAE")
BESIDE: Final = ("matcher", "its NLL", "its MAE")
KINDS: Final = ("choice", "score", "noul")
ABROAD: Final = "xsid"
"""Tasks in other languages have a summary of their own."""


@dataclass(frozen=True, slots=True)
class Report:
    """Outcomes and how they were made.

    Attributes:
        model: name of the checkpoint.
        version: version of the package.
        command: command that makes the same report.
        outcomes: one a task.
        beside: outcomes of the same trunk without its reader on the same tasks; empty for none.
        flips: how far answers change with the wording.
    """

    model: str
    version: str
    command: str
    outcomes: Sequence[Outcome]
    beside: Sequence[Outcome] = ()
    flips: Sequence[Flips] = ()

    def table(self) -> Table:
        """For the terminal."""
        table = Table(title=f"{self.model}, laya {self.version}")
        for i, column in enumerate(self._columns()):
            table.add_column(column, justify="left" if i < 2 else "right", no_wrap=True)
        for cells in self._rows():
            table.add_row(*cells)
        return table

    def _columns(self) -> tuple[str, ...]:
        return COLUMNS + BESIDE if self.beside else COLUMNS

    def _rows(self) -> list[list[str]]:
        rows = [_cells(outcome) for outcome in self.outcomes]
        if not self.beside:
            return rows
        others = (_shown(other.accuracy, other.nll, other.mae) for other in self.beside)
        return [cells + other for cells, other in zip(rows, others, strict=True)]

    def sure(self, kind: str) -> tuple[list[float], list[float]]:
        """Confidences and whether they were right, over all tasks of a type but those in other languages."""
        mine = [o for o in self.outcomes if o.kind == kind and not o.task.startswith(ABROAD)]
        pairs = [pair for outcome in mine for pair in outcome.sure]
        return [confidence for confidence, _ in pairs], [float(right) for _, right in pairs]

    def summary(self) -> list[str]:
        """One line a type: mean accuracy, and the calibration error over all its rows."""
        lines = []
        for kind in KINDS:
            chosen = [i for i, o in enumerate(self.outcomes) if o.kind == kind and not o.task.startswith(ABROAD)]
            if not chosen:
                continue
            mean = sum(self.outcomes[i].accuracy for i in chosen) / len(chosen)
            line = f"{kind}: {len(chosen)} tasks, mean accuracy {mean:.3f}"
            if self.beside:
                line += f" (matcher {sum(self.beside[i].accuracy for i in chosen) / len(chosen):.3f})"
            confidence, correct = self.sure(kind)
            lines.append(f"{line}, ECE {ece_score(confidence, correct):.3f}" if confidence else line)
        return lines

    def markdown(self) -> str:
        """For the repository."""
        lines = [
            f"# Evaluation of {self.model}",
            "",
            f"laya {self.version}, `{self.command}`. Development sets only; a task is a fixed sample, so the accuracy",
            "of 300 rows is good to about 5 points. MAE is in levels. xsid shows what an English trunk does elsewhere.",
            "",
            _line(self._columns()),
            _line("---" for _ in self._columns()),
            *map(_line, self._rows()),
            "",
            *(f"- {line}" for line in self.summary()),
        ]
        if self.flips:
            lines += [
                "",
                "Answers that changed when the question was put in other words (rows times wordings):",
                "",
                _line(("task", "reworded", "rows", "changed")),
                _line(("---",) * 4),
                *(_line((flip.task, flip.change, str(flip.rows), f"{flip.flipped:.3f}")) for flip in self.flips),
            ]
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        """For programs; numbers in full precision."""
        written = asdict(self)
        for outcome in (*written["outcomes"], *written["beside"]):
            del outcome["sure"]
        return json.dumps(written, indent=2) + "\n"


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cells(outcome: Outcome) -> list[str]:
    numbers = (1 / outcome.options, outcome.accuracy, outcome.nll, outcome.brier, outcome.ece, outcome.mae)
    return [outcome.task, outcome.kind, str(outcome.rows), str(outcome.options), *_shown(*numbers)]


def _shown(*numbers: float | None) -> list[str]:
    return ["" if number is None else f"{number:.3f}" for number in numbers]
