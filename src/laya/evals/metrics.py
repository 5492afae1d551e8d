"""Numbers that say how good answers and their probabilities are.

Rows may have different numbers of options: `probabilities[i][j]` is the probability of option j of row i, `gold[i]` the
index of the right option. Every metric of no rows is NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    Probabilities = Sequence[Sequence[float]]

SMALLEST: Final = 1e-12
"""Probabilities are raised to this before their logarithm is taken."""
BINS: Final = 15


def accuracy(probabilities: Probabilities, gold: Sequence[int]) -> float:
    """Share of rows whose most probable option (the first of equals) is the right one."""
    return _mean([int(np.argmax(row)) == right for row, right in zip(probabilities, gold, strict=True)])


def nll(probabilities: Probabilities, gold: Sequence[int]) -> float:
    """Mean negative natural logarithm of the right option's probability."""
    return _mean([-float(np.log(max(row[right], SMALLEST))) for row, right in zip(probabilities, gold, strict=True)])


def brier(probabilities: Probabilities, gold: Sequence[int]) -> float:
    """Mean squared distance between the probabilities and the truth, summed over options: 0 is best, 2 worst."""
    return _mean(
        [
            sum((p - (j == right)) ** 2 for j, p in enumerate(row))
            for row, right in zip(probabilities, gold, strict=True)
        ]
    )


def ece(probabilities: Probabilities, gold: Sequence[int], *, bins: int = BINS) -> float:
    """Expected calibration error: how far confidence is from accuracy, over equal bins, weighted by their rows.

    Args:
        probabilities: see the module.
        gold: see the module.
        bins: number of bins of the confidence, the largest probability of a row; a bin holds its upper edge.
    """
    sure = np.array([max(row) for row in probabilities], dtype=np.float64)
    right = np.array([int(np.argmax(row)) == g for row, g in zip(probabilities, gold, strict=True)], dtype=np.float64)
    if not len(sure):
        return float("nan")
    place = np.clip(np.ceil(sure * bins).astype(int) - 1, 0, bins - 1)
    gaps = np.bincount(place, weights=sure - right, minlength=bins)
    return float(np.abs(gaps).sum() / len(sure))


def mean_absolute_error(scores: Sequence[float], gold: Sequence[float]) -> float:
    """Mean distance between scores and right levels, in levels."""
    return _mean([abs(score - right) for score, right in zip(scores, gold, strict=True)])


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
