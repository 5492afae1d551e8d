"""From calibrated logits to the answers and results that callers see."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
import numpy.typing as npt

from laya.calibration import BinningMap, Temperatures, bucket
from laya.calibration.temperature import language_key
from laya.errors import ForwardError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.request import Question, Scores
    from laya.types import Answer

DoubleArray = npt.NDArray[np.float64]

TIE: Final = 1e-6
"""Probabilities this close are equal: the first option wins, however the row was packed."""


@dataclass(frozen=True)
class Calibration:
    """Everything that turns raw logits into probabilities.

    Attributes:
        temperatures: those of the checkpoint, or of a loaded calibration file.
        languages: overrides by primary language subtag; an override also switches the binning off.
        binning: measured accuracy per confidence bin, if fitted.
    """

    temperatures: Temperatures
    languages: Mapping[str, Temperatures]
    binning: BinningMap | None = None

    def for_language(self, lang: str | None) -> tuple[Temperatures, BinningMap | None]:
        """Temperatures and binning that apply to a call in this language."""
        override = self.languages.get(language_key(lang)) if lang is not None else None
        return (self.temperatures, self.binning) if override is None else (override, None)


def softmax(logits: npt.ArrayLike) -> DoubleArray:
    """Probabilities of one row of logits, in double precision."""
    z = np.asarray(logits, dtype=np.float64)
    e = np.exp(z - z.max())
    return cast("DoubleArray", e / e.sum())


def entropy_confidence(p: Sequence[float]) -> float:
    """1 - H(p) / ln k, limited to [0, 1]; 1 for fewer than two options."""
    if len(p) < 2:
        return 1.0
    entropy = -sum(x * math.log(max(x, 1e-12)) for x in p)
    return min(1.0, max(0.0, 1.0 - entropy / math.log(len(p))))


def first_best(p: Sequence[float]) -> int:
    """Index of the largest probability; the first of those that are equal up to rounding."""
    least = max(p) - TIE
    return next(i for i, x in enumerate(p) if x >= least)


def decode(question: Question, scores: Scores, calibration: Calibration, lang: str | None = None) -> Answer:
    """Answer of one question.

    Args:
        question: what was asked; its `order` maps slots to canonical options.
        scores: raw logits in slot order, and action logits.
        calibration: temperatures and binning.
        lang: language of the call, for language overrides.

    Raises:
        ForwardError: a logit is NaN or infinite.
    """
    if not (np.isfinite(scores.logits).all() and np.isfinite(scores.act).all()):
        raise ForwardError(
            f"question {question.id!r}: the runtime returned NaN or infinite logits; "
            "the weights or the chosen precision are at fault, not the request",
            question=question.id,
        )
    temperatures, binning = calibration.for_language(lang)
    p = in_canonical_order(question, softmax(scores.logits / temperatures.get(question.type, question.k)))
    sure = min(1.0, max(p))
    if binning is not None:
        sure = binning.apply(bucket(question.type, question.k), sure)
    act = {"act_probability": float(softmax(scores.act)[0])}
    return _assemble(question, p, {"answer_confidence": sure, "action": act})


def decode_all(
    questions: Sequence[Question], scores: Sequence[Scores], calibration: Calibration, lang: str | None = None
) -> dict[Any, Answer]:
    """Answers of several questions about one state, by question id; see `decode`."""
    return {
        question.id: decode(question, score, calibration, lang)
        for question, score in zip(questions, scores, strict=True)
    }


def in_canonical_order(question: Question, by_slot: npt.NDArray[Any]) -> list[float]:
    """Numbers [k] of the slots, put into the order of the caller's criteria."""
    ordered = [0.0] * question.k
    for canonical, value in zip(question.order, by_slot.tolist(), strict=True):
        ordered[canonical] = value
    return ordered


def _assemble(question: Question, p: list[float], rest: dict[str, Any]) -> Answer:
    answer: dict[str, Any]
    if question.type == "noul":
        answer = {"type": "noul", "noul": p[1], "confidence": max(p), **rest}
    elif question.type == "score":
        answer = {
            "type": "score",
            "score": sum(level * x for level, x in enumerate(p)),
            "legend": {str(level): name for level, name in enumerate(question.names)},
            "probabilities": {str(level): x for level, x in enumerate(p)},
            "confidence": entropy_confidence(p),
            **rest,
        }
    else:
        answer = {
            "type": "choice",
            "choice": question.labels[first_best(p)],
            "probabilities": dict(zip(question.labels, p, strict=True)),
            "confidence": entropy_confidence(p),
            **rest,
        }
    return cast("Answer", answer)
