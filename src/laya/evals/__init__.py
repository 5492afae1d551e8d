"""Evaluation: labelled questions, the metrics of their answers, and a report. `python -m laya.evals` runs it."""

from __future__ import annotations

from laya.evals.metrics import ece, mean_absolute_error
from laya.evals.rows import Row, Task
from laya.evals.run import Answerer, Outcome, evaluate
from laya.evals.tasks import build_tasks

__all__ = [
    "Answerer",
    "Outcome",
    "Row",
    "Task",
    "build_tasks",
    "ece",
    "evaluate",
    "mean_absolute_error",
]
