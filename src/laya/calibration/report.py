"""Reliability: how accurate answers are at each confidence, as a table and as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from laya.calibration.metrics import BINS, bin_of, check_pairs, ece_score
from laya.extras import require

if TYPE_CHECKING:
    from collections.abc import Sequence


class ReliabilityBin(TypedDict):
    """One bin of confidences: its edges, how many answers fell in, and their means (None where there are none)."""

    low: float
    high: float
    count: int
    confidence: float | None
    accuracy: float | None


def reliability_table(confidence: Sequence[float], correct: Sequence[float], bins: int = BINS) -> list[ReliabilityBin]:
    """Accuracy of each confidence bin, lowest first.

    Args:
        confidence: confidence of each answer, in [0, 1].
        correct: whether each answer is right, or the probability that it is.
        bins: number of equal bins; a bin holds its upper edge.

    Raises:
        ArgumentError: as `ece_score`.
    """
    sure, right = check_pairs(confidence, correct)
    place = bin_of(sure, bins)
    rows: list[ReliabilityBin] = []
    for i in range(bins):
        mine = place == i
        some = bool(mine.any())
        rows.append(
            {
                "low": i / bins,
                "high": (i + 1) / bins,
                "count": int(mine.sum()),
                "confidence": float(np.mean(sure[mine])) if some else None,
                "accuracy": float(np.mean(right[mine])) if some else None,
            }
        )
    return rows


def plot_reliability(
    confidence: Sequence[float],
    correct: Sequence[float],
    path: str | Path,
    *,
    bins: int = BINS,
    title: str = "Reliability",
) -> Path:
    """Draw a reliability diagram: accuracy over confidence, the diagonal, and a histogram below.

    Args:
        confidence: see `reliability_table`.
        correct: see `reliability_table`.
        path: file to write; its ending chooses the format (.png, .svg, .pdf).
        bins: number of equal bins.
        title: stands above, with the calibration error.

    Returns:
        The file.

    Raises:
        MissingExtraError: matplotlib is not installed.
        ArgumentError: as `ece_score`.
    """
    rows = reliability_table(confidence, correct, bins)
    # The object interface: no global state, no window system.
    figure_module: Any = require("matplotlib.figure", "evals", "a reliability diagram")
    figure = figure_module.Figure(figsize=(5, 6), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    full = [row for row in rows if row["count"]]
    upper.plot([0, 1], [0, 1], linestyle="--", color="grey", label="perfect")
    upper.plot([r["confidence"] for r in full], [r["accuracy"] for r in full], marker="o", label="measured")
    upper.set(xlim=(0, 1), ylim=(0, 1), ylabel="accuracy")
    upper.set_title(f"{title} (ECE {ece_score(confidence, correct, bins):.3f}, n={len(confidence)})")
    upper.legend(loc="upper left")
    lower.bar([r["low"] for r in rows], [r["count"] for r in rows], width=1 / bins, align="edge")
    lower.set(xlabel="confidence", ylabel="answers")
    figure.savefig(path)
    return Path(path)
