"""Evaluation: labelled questions, the metrics of their answers, and a report. `python -m laya.evals` runs it."""

from __future__ import annotations

from laya.evals.metrics import accuracy, brier, ece, mean_absolute_error, nll
from laya.evals.run import Answerer, Outcome, evaluate
from laya.evals.tasks import Row, Task, build_tasks

__all__ = [
    "Answerer",
    "Outcome",
    "Row",
    "Task",
    "accuracy",
    "brier",
    "build_tasks",
    "ece",
    "evaluate",
    "mean_absolute_error",
    "nll",
]
