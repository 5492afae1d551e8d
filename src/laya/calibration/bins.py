"""Fitting histogram binning: the measured accuracy of each confidence bin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from laya.calibration.binning import BinningMap
from laya.calibration.fit import check_int
from laya.calibration.metrics import BINS
from laya.calibration.records import DoubleArray, as_records, score_records
from laya.calibration.temperature import Temperatures
from laya.errors import CalibrationError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MIN_BINNING_BUCKET_N: Final = 200
"""Records that the binning of a bucket needs: about 13 per bin."""


def fit_binning_map(
    records: Iterable[Any],
    temperature: Sequence[float],
    temperature_by_options: Mapping[str, float] | None = None,
    *,
    bins: int = BINS,
    min_bucket_n: int = MIN_BINNING_BUCKET_N,
    monotone: bool = True,
) -> BinningMap:
    """Fit the binning of each bucket with enough records.

    Judge the outcome on other records than these: a binning always looks right on those it was fitted on.

    Args:
        records: see `as_records`.
        temperature: temperatures of choice, score and noul.
        temperature_by_options: temperatures of buckets.
        bins: equal-width bins of the confidence.
        min_bucket_n: records that a bucket needs.
        monotone: pool neighbouring bins until accuracy grows with confidence, so that a surer answer is never
            reported as less sure (isotonic regression by pooling adjacent violators). A bin without records takes its
            centre, within its neighbours.

    Raises:
        CalibrationError: a record is malformed, or no bucket has enough records.
        ArgumentError: a count is not a positive int.
    """
    check_int("bins", bins)
    check_int("min_bucket_n", min_bucket_n)
    checked = as_records(records)
    scored = score_records(checked, Temperatures(tuple(temperature), dict(temperature_by_options or {})))
    values: dict[str, tuple[float, ...]] = {}
    for name in dict.fromkeys(scored.buckets.tolist()):
        mine = scored.buckets == name
        if mine.sum() >= min_bucket_n:
            values[name] = _fit_bins(scored.confidence[mine], scored.correct[mine], bins, monotone=monotone)
    if not values:
        raise CalibrationError(
            f"no bucket has min_bucket_n={min_bucket_n} records ({len(checked)} in all); "
            "collect more, or lower min_bucket_n"
        )
    return BinningMap(values)


def _fit_bins(confidence: DoubleArray, correct: DoubleArray, bins: int, *, monotone: bool) -> tuple[float, ...]:
    place = np.clip((confidence * bins).astype(np.int64), 0, bins - 1)  # as BinningMap.apply finds them
    counts = np.bincount(place, minlength=bins)
    sums = np.bincount(place, weights=correct, minlength=bins)
    filled = np.flatnonzero(counts)
    means = sums[filled] / counts[filled]
    if monotone:
        means = pool_adjacent_violators(means, counts[filled])
    centres = (np.arange(bins) + 0.5) / bins
    values = centres.copy()
    values[filled] = means
    if monotone:
        _fit_in_between(values, centres, filled)
    return tuple(float(min(1.0, max(0.0, value))) for value in values)


def _fit_in_between(values: DoubleArray, centres: DoubleArray, filled: Any) -> None:
    for i in np.setdiff1d(np.arange(len(values)), filled):
        before, after = filled[filled < i], filled[filled > i]
        low = values[before[-1]] if len(before) else 0.0
        high = values[after[0]] if len(after) else 1.0
        values[i] = min(high, max(low, centres[i]))


def pool_adjacent_violators(values: DoubleArray, weights: Any) -> DoubleArray:
    """The non-decreasing sequence nearest to `values` in weighted squares, [n]."""
    blocks: list[tuple[float, float, int]] = []
    for value, weight in zip(values.tolist(), np.asarray(weights, dtype=np.float64).tolist(), strict=True):
        mean, total, length = value, weight, 1
        while blocks and blocks[-1][0] >= mean:
            other, heavy, many = blocks.pop()
            mean = (other * heavy + mean * total) / (heavy + total)
            total += heavy
            length += many
        blocks.append((mean, total, length))
    return np.repeat([mean for mean, _, _ in blocks], [length for _, _, length in blocks])
