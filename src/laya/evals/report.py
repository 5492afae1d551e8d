"""Outcomes as a table for the terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from rich.table import Table

from laya.calibration import ece_score
from laya.errors import ArgumentError
from laya.evals.run import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from laya.evals.wording import Flips

COLUMNS: Final = ("task", "type", "rows", "options", "chance", "accuracy", "NLL", "Brier", "ECE", "MAE")
BESIDE: Final = ("matcher", "its NLL", "its MAE")
KINDS: Final = ("choice", "score", "noul")
ABROAD: Final = "xsid"
"""Tasks in other languages are not part of a type's mean."""
SLICES: Final = {"negated": "yes/no, negated", "opposite": "yes/no, by the opposite", "boolean": "choice of yes or no"}
"""Last words of task names whose tasks have a summary of their own; those of choices have no other."""


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
        """Confidences and whether they were right, over all tasks of a type."""
        pairs = [pair for i in self._of(kind) for pair in self.outcomes[i].sure]
        return [confidence for confidence, _ in pairs], [float(right) for _, right in pairs]

    def summary(self) -> list[str]:
        """One line a type or slice: mean accuracy; for a type the calibration error over all its rows, too."""
        lines = []
        for kind in KINDS:
            confidence, correct = self.sure(kind)
            line = self._mean(kind, self._of(kind))
            lines += [f"{line}, ECE {ece_score(confidence, correct):.3f}" if confidence else line] if line else []
        named = [(title, [i for i, o in enumerate(self.outcomes) if _slice(o) == end]) for end, title in SLICES.items()]
        spoken = [i for i, o in enumerate(self.outcomes) if o.task.startswith(ABROAD)]
        return lines + [line for line in (self._mean(*each) for each in [*named, (ABROAD, spoken)]) if line]

    def _of(self, kind: str) -> list[int]:
        """Numbers of the tasks of a type, without those that are summed up elsewhere."""
        return [
            i
            for i, o in enumerate(self.outcomes)
            if o.kind == kind and not o.task.startswith(ABROAD) and (kind != "choice" or _slice(o) not in SLICES)
        ]

    def _mean(self, title: str, chosen: Sequence[int]) -> str:
        if not chosen:
            return ""
        mean = sum(self.outcomes[i].accuracy for i in chosen) / len(chosen)
        line = f"{title}: {len(chosen)} tasks, mean accuracy {mean:.3f}"
        if self.beside:
            line += f" (matcher {sum(self.beside[i].accuracy for i in chosen) / len(chosen):.3f})"
        return line + self._error(chosen)

    def _error(self, chosen: Sequence[int]) -> str:
        """Mean of the absolute errors of scores, nothing for other types."""
        means = []
        for outcomes in (self.outcomes, self.beside):
            errors = [mae for mae in (outcomes[i].mae for i in chosen if outcomes) if mae is not None]
            means += [sum(errors) / len(errors)] if errors else []
        if not means:
            return ""
        return f", MAE {means[0]:.3f}" + "".join(f" (matcher {mean:.3f})" for mean in means[1:])

    def markdown(self) -> str:
        """For the repository."""
        lines = [
            f"# Evaluation of {self.model}",
            "",
            f"laya {self.version}, `{self.command}`. Development sets only; a task is a fixed sample, so the accuracy",
            "of 300 rows is good to about 5 points. MAE is in levels. xsid is in 12 languages.",
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


def recorded(path: Path, outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes of an earlier report in JSON, for the same tasks.

    Args:
        path: file that `Report.json` was written to.
        outcomes: what they are put beside.

    Raises:
        ArgumentError: the file is no report, or has not the same tasks with as many rows.
    """
    try:
        written = json.loads(path.read_text("utf-8"))["outcomes"]
        found = {each["task"]: Outcome(**each) for each in written}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArgumentError(f"{path} is not a report of this program in JSON: {error!r}", path=str(path)) from error
    for outcome in outcomes:
        rows = found[outcome.task].rows if outcome.task in found else 0
        if rows != outcome.rows:
            raise ArgumentError(
                f"{path} has {rows} rows of {outcome.task!r} instead of {outcome.rows}; make it anew with the same "
                f"--data and --limit",
                path=str(path),
            )
    return [found[outcome.task] for outcome in outcomes]


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _slice(outcome: Outcome) -> str:
    return outcome.task.rpartition(" ")[2]


def _cells(outcome: Outcome) -> list[str]:
    numbers = (1 / outcome.options, outcome.accuracy, outcome.nll, outcome.brier, outcome.ece, outcome.mae)
    return [outcome.task, outcome.kind, str(outcome.rows), str(outcome.options), *_shown(*numbers)]


def _shown(*numbers: float | None) -> list[str]:
    return ["" if number is None else f"{number:.3f}" for number in numbers]
