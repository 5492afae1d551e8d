"""From stability to a decision, and the thresholds that make such decisions right often enough."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, Literal

from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

Decision = Literal["ACCEPT", "VERIFY", "ESCALATE"]

NEVER: Final = 1.01
"""A threshold that no stability reaches."""


def decide_reliability(soft: float | None, accept: float | None, escalate: float | None) -> Decision | None:
    """What to do with an answer of a given soft stability.

    Args:
        soft: mean probability of the chosen label over all forms of the question, in [0, 1]; None was not measured.
        accept: least stability to accept.
        escalate: stability below which to escalate.

    Returns:
        "ACCEPT", "ESCALATE", or "VERIFY" between the two; None without a measurement or without thresholds.
    """
    if soft is None or (accept is None and escalate is None):
        return None
    if accept is not None and soft >= accept:
        return "ACCEPT"
    if escalate is not None and soft < escalate:
        return "ESCALATE"
    return "VERIFY"


def calibrate_reliability(
    scores: Sequence[float],
    correct: Sequence[bool],
    target_accuracy: float = 0.90,
    max_escalate_accuracy: float = 1 / 3,
) -> tuple[float, float]:
    """Thresholds from answers whose truth is known.

    Args:
        scores: soft stability of each answer, in [0, 1].
        correct: whether each was right.
        target_accuracy: share of accepted answers that must be right.
        max_escalate_accuracy: share of escalated answers that may have been right.

    Returns:
        `accept`, the lowest threshold that reaches the target (1.01, which accepts nothing, where none does), and
        `escalate`, the highest not above it that keeps to the maximum (0.0, which escalates nothing, where none does).

    Raises:
        ArgumentError: the lists differ in length or are empty, or a number is not in [0, 1].
    """
    if len(scores) != len(correct) or not len(scores):
        raise ArgumentError(
            f"scores and correct must have the same positive length, got {len(scores)} and {len(correct)}"
        )
    for name, value in (("target_accuracy", target_accuracy), ("max_escalate_accuracy", max_escalate_accuracy)):
        check_number(name, value, 1.0)
    for score in scores:
        check_number("every score", score, 1.0)
    pairs = [(float(score), bool(right)) for score, right in zip(scores, correct, strict=True)]
    levels = sorted({score for score, _ in pairs})
    accept = next((t for t in levels if _accuracy([r for s, r in pairs if s >= t]) >= target_accuracy), NEVER)
    below = [t for t in (*levels[1:], 1.0) if t <= accept]
    escalate = [t for t in below if _accuracy([r for s, r in pairs if s < t]) <= max_escalate_accuracy]
    return accept, max(escalate, default=0.0)


def check_number(name: str, value: object, high: float) -> float:
    """A number in [0, high] that is not a bool.

    Raises:
        ArgumentError: anything else; names the argument.
    """
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not good or not 0.0 <= value <= high:  # type: ignore[operator]  # `good` says that it is a number
        raise ArgumentError(f"{name} must be a number in [0, {high:g}], got {value!r}")
    return float(value)  # type: ignore[arg-type]  # checked above to be a number


def _accuracy(right: Sequence[bool]) -> float:
    return sum(right) / len(right) if right else math.nan
