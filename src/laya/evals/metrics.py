"""Metrics that only an evaluation needs; the others are those of `laya.calibration`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from laya.calibration import ece_score

if TYPE_CHECKING:
    from collections.abc import Sequence


def ece(probabilities: Sequence[Sequence[float]], gold: Sequence[int]) -> float:
    """Expected calibration error of the largest probability of each row; see `laya.calibration.ece_score`."""
    correct = [float(np.argmax(row) == right) for row, right in zip(probabilities, gold, strict=True)]
    return ece_score([min(1.0, max(row)) for row in probabilities], correct)


def mean_absolute_error(scores: Sequence[float], gold: Sequence[float]) -> float:
    """Mean distance between scores and right levels, in levels."""
    return float(np.mean([abs(score - right) for score, right in zip(scores, gold, strict=True)]))
