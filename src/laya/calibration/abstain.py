"""Fitting abstention thresholds: how sure an answer must be so that few accepted ones are wrong."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from laya.calibration.fit import check_int
from laya.calibration.records import DoubleArray, as_records, score_records
from laya.calibration.temperature import Temperatures
from laya.errors import ArgumentError, CalibrationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from laya.calibration.binning import BinningMap

MIN_ABSTAIN_BUCKET_N: Final = 100
"""Records that the threshold of a bucket needs."""


def fit_abstention_thresholds(
    records: Iterable[Any],
    temperature: Sequence[float],
    temperature_by_options: Mapping[str, float] | None = None,
    *,
    binning_map: BinningMap | None = None,
    target_error: float = 0.10,
    min_bucket_n: int = MIN_ABSTAIN_BUCKET_N,
    conservative: bool = True,
) -> dict[str, float]:
    """Confidence thresholds, usable as `min_confidence`.

    The threshold of a bucket is the lowest confidence such that, of all records at least as sure, no more than
    `target_error` are wrong; 1.0 where there is none. "default", for buckets with too few records, is fitted on all
    records together, so a call that uses the thresholds gates every answer.

    Args:
        records: see `as_records`; other ones than the temperatures were fitted on, for an honest error.
        temperature: temperatures of choice, score and noul.
        temperature_by_options: temperatures of buckets.
        binning_map: the binning in use, if any.
        target_error: accepted share of wrong answers, in [0, 1).
        min_bucket_n: records that a bucket, and the default, needs.
        conservative: count one wrong answer more than there was, (errors + 1) / (n + 1).

    Raises:
        CalibrationError: a record is malformed, or there are fewer than `min_bucket_n` records in all.
        ArgumentError: `target_error` or `min_bucket_n` cannot work.
    """
    check_int("min_bucket_n", min_bucket_n)
    check_share("target_error", target_error)
    checked = as_records(records)
    if len(checked) < min_bucket_n:
        raise CalibrationError(
            f"{len(checked)} records are fewer than min_bucket_n={min_bucket_n}; collect more, or lower min_bucket_n"
        )
    scored = score_records(checked, Temperatures(tuple(temperature), dict(temperature_by_options or {})))
    confidence = scored.confidence
    if binning_map is not None:
        pairs = zip(scored.buckets.tolist(), confidence.tolist(), strict=True)
        confidence = np.array([binning_map.apply(name, sure) for name, sure in pairs])
    thresholds = {}
    for name in dict.fromkeys(scored.buckets.tolist()):
        mine = scored.buckets == name
        if mine.sum() >= min_bucket_n:
            thresholds[name] = _threshold(confidence[mine], scored.correct[mine], target_error, int(conservative))
    thresholds["default"] = _threshold(confidence, scored.correct, target_error, int(conservative))
    return thresholds


def check_share(name: str, value: Any) -> float:
    """A number in [0, 1).

    Raises:
        ArgumentError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or not 0 <= value < 1:
        raise ArgumentError(f"{name} must be a number in [0, 1), got {value!r}")
    return float(value)


def _threshold(confidence: DoubleArray, correct: DoubleArray, target_error: float, extra: int) -> float:
    order = np.argsort(-confidence, kind="stable")
    sure = confidence[order]
    accepted = np.arange(1, len(sure) + 1)
    error = (np.cumsum(1.0 - correct[order]) + extra) / (accepted + extra)
    # A threshold accepts all answers of one confidence or none, so only the last of equal ones can be a limit.
    last_of_equal = np.append(sure[1:] < sure[:-1], True)
    good = np.flatnonzero(last_of_equal & (error <= target_error + 1e-12))
    return float(sure[good[-1]]) if len(good) else 1.0
