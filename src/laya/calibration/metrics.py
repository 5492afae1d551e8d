"""How good probabilities are: calibration error, Brier score, log loss, accuracy.

Rows may have different numbers of options: `probabilities[i][j]` is the probability of option j of row i. `gold[i]` is
the index of the right option, or a distribution over the options where the truth itself is uncertain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from laya.errors import ArgumentError

DoubleArray = npt.NDArray[np.float64]
Probabilities = Sequence["Sequence[float] | DoubleArray"]
Gold = Sequence["int | Sequence[float] | DoubleArray"]

SMALLEST: Final = 1e-12
"""Probabilities are raised to this before their logarithm is taken."""
BINS: Final = 15
"""Bins of a calibration error when the call names no number."""


def accuracy(probabilities: Probabilities, gold: Gold) -> float:
    """Share of rows whose most probable option (the first of equals) is right.

    Raises:
        ArgumentError: as `brier`.
    """
    rows = _rows(probabilities, gold)
    return float(np.mean([truth[np.argmax(p)] for p, truth in rows]))


def nll(probabilities: Probabilities, gold: Gold) -> float:
    """Mean negative natural logarithm of the right option's probability.

    Raises:
        ArgumentError: as `brier`.
    """
    rows = _rows(probabilities, gold)
    return float(np.mean([-(truth * np.log(np.maximum(p, SMALLEST))).sum() for p, truth in rows]))


def brier(probabilities: Probabilities, gold: Gold) -> float:
    """Mean squared distance between the probabilities and the truth, summed over options: 0 is best, 2 worst.

    Raises:
        ArgumentError: there are no rows, the lengths differ, a probability is not in [0, 1], or a gold index names no
            option.
    """
    rows = _rows(probabilities, gold)
    return float(np.mean([((p - truth) ** 2).sum() for p, truth in rows]))


def ece_score(confidence: Sequence[float], correct: Sequence[float], bins: int = BINS) -> float:
    """Expected calibration error: how far confidence is from accuracy, over equal bins, weighted by their rows.

    Args:
        confidence: confidence of each answer, in [0, 1].
        correct: whether each answer is right, or the probability that it is.
        bins: number of bins; a bin holds its upper edge.

    Raises:
        ArgumentError: there are no rows, the lengths differ, a number is not in [0, 1], or `bins` is not positive.
    """
    sure, right = check_pairs(confidence, correct)
    place = bin_of(sure, bins)
    gaps = np.bincount(place, weights=sure - right, minlength=bins)
    return float(np.abs(gaps).sum() / len(sure))


def check_pairs(confidence: Sequence[float], correct: Sequence[float]) -> tuple[DoubleArray, DoubleArray]:
    """Both as arrays of the same length, [n], n > 0, numbers in [0, 1].

    Raises:
        ArgumentError: they are not.
    """
    sure, right = _unit_interval("confidence", confidence), _unit_interval("correct", correct)
    if len(sure) != len(right):
        raise ArgumentError(
            f"confidence and correct must have the same length, got {len(sure)} and {len(right)}; pass one of each "
            "per answer"
        )
    if not len(sure):
        raise ArgumentError("confidence and correct are empty; a calibration error needs at least one answer")
    return sure, right


def bin_of(confidence: DoubleArray, bins: int) -> npt.NDArray[np.int64]:
    """Bin of each confidence, 0..bins-1; a bin holds its upper edge, the first also 0.

    Raises:
        ArgumentError: `bins` is not a positive int.
    """
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise ArgumentError(f"bins must be a positive int, got {bins!r}")
    return np.clip(np.ceil(confidence * bins).astype(np.int64) - 1, 0, bins - 1)


def _unit_interval(name: str, values: Any) -> DoubleArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as exc:
        raise ArgumentError(f"{name} must be numbers in [0, 1]: {exc}") from exc
    if array.ndim != 1:
        raise ArgumentError(f"{name} must be a flat list of numbers, got shape {array.shape}")
    outside = np.flatnonzero(~((array >= 0.0) & (array <= 1.0)))  # NaN is outside too
    if len(outside):
        raise ArgumentError(f"{name} must lie in [0, 1], got {array[outside[0]]} at index {outside[0]}")
    return array


def _rows(probabilities: Probabilities, gold: Gold) -> list[tuple[DoubleArray, DoubleArray]]:
    if len(probabilities) != len(gold):
        raise ArgumentError(
            f"probabilities and gold must have the same length, got {len(probabilities)} and {len(gold)}"
        )
    if not len(probabilities):
        raise ArgumentError("probabilities are empty; a metric needs at least one row")
    return [_row(i, row, truth) for i, (row, truth) in enumerate(zip(probabilities, gold, strict=True))]


def _row(i: int, row: Any, truth: Any) -> tuple[DoubleArray, DoubleArray]:
    p = _unit_interval(f"probabilities[{i}]", row)
    if np.ndim(truth):
        target = _unit_interval(f"gold[{i}]", truth)
        if len(target) != len(p):
            raise ArgumentError(f"gold[{i}] has {len(target)} options, probabilities[{i}] has {len(p)}")
        return p, target
    if isinstance(truth, bool) or not isinstance(truth, (int, np.integer)) or not 0 <= truth < len(p):
        raise ArgumentError(f"gold[{i}] must be an option index from 0 to {len(p) - 1}, got {truth!r}")
    target = np.zeros(len(p))
    target[truth] = 1.0
    return p, target
