"""Asking an agent the questions of a task and measuring its answers."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from laya.calibration import accuracy, brier, nll
from laya.evals.metrics import ece, mean_absolute_error

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.evals.rows import Row, Task


class Answerer(Protocol):
    """Whatever answers questions: an `Agent`, or anything with this method of it."""

    def predict_batch(self, states: list[Any], questions: Mapping[str, Any], /) -> Sequence[Mapping[str, Any]]:
        """One result a state, each with "answers" by question id."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a task came to.

    Attributes:
        task: name of the task.
        kind: question type.
        rows: number of rows.
        options: most options of a row.
        accuracy, nll, brier, ece: see `laya.calibration` and `laya.evals.metrics`.
        mae: mean absolute error of the score in levels; None for the other types.
    """

    task: str
    kind: str
    rows: int
    options: int
    accuracy: float
    nll: float
    brier: float
    ece: float
    mae: float | None
    sure: tuple[tuple[float, bool], ...] = field(default=(), repr=False, compare=False)
    """Of every row the probability of the answer given, and whether it was right."""


def evaluate(agent: Answerer, tasks: Sequence[Task]) -> list[Outcome]:
    """Answer and measure every task, in order; rows with the same question share a call."""
    return [_measure(task, _answers(agent, task.rows)) for task in tasks]


def _answers(agent: Answerer, rows: Sequence[Row]) -> list[Mapping[str, Any]]:
    together: dict[str, list[int]] = {}
    for i, row in enumerate(rows):
        together.setdefault(json.dumps(row.question), []).append(i)
    answers: dict[int, Mapping[str, Any]] = {}
    for members in together.values():
        states = [rows[i].state for i in members]
        results = agent.predict_batch(states, {"q": rows[members[0]].question})
        answers.update((i, result["answers"]["q"]) for i, result in zip(members, results, strict=True))
    return [answers[i] for i in range(len(rows))]


def _measure(task: Task, answers: Sequence[Mapping[str, Any]]) -> Outcome:
    pairs = [_probabilities(row, answer) for row, answer in zip(task.rows, answers, strict=True)]
    probabilities = [each for each, _ in pairs]
    gold = [right for _, right in pairs]
    mae = mean_absolute_error([answer["score"] for answer in answers], gold) if task.kind == "score" else None
    return Outcome(
        task=task.name,
        kind=task.kind,
        rows=len(task.rows),
        options=max(map(len, probabilities), default=0),
        accuracy=accuracy(probabilities, gold),
        nll=nll(probabilities, gold),
        brier=brier(probabilities, gold),
        ece=ece(probabilities, gold),
        mae=mae,
        sure=tuple((max(each), each.index(max(each)) == right) for each, right in pairs),
    )


def _probabilities(row: Row, answer: Mapping[str, Any]) -> tuple[list[float], int]:
    """Probabilities of the options of a row, and the index of the right one."""
    if answer["type"] == "noul":
        return [1.0 - answer["noul"], answer["noul"]], int(row.answer)
    given = answer["probabilities"]
    if answer["type"] == "score":
        return list(given.values()), int(row.answer)
    return list(given.values()), list(given).index(row.answer)
