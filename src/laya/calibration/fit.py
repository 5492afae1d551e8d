"""Fitting temperatures: one convex problem in one variable for each type and bucket."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypedDict

import numpy as np

from laya.calibration.metrics import brier, ece_score, nll
from laya.calibration.records import TYPES, DoubleArray, Record, as_records, probabilities
from laya.calibration.temperature import MAX_TEMPERATURE, MIN_TEMPERATURE, Temperatures, clamp
from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy.typing as npt

MIN_TYPE_N: Final = 50
"""Records that the temperature of a type needs: 17 to 25 % standard error in simulations with 2 to 10 options."""
MIN_BUCKET_N: Final = 200
"""Records that the temperature of a bucket needs: 7 to 13 % standard error in the same simulations."""
FOLDS: Final = 5
SEARCH: Final = (MIN_TEMPERATURE / 10, MAX_TEMPERATURE * 10)
"""Temperatures between which the best one is looked for, before the limits of use are applied."""
_STEPS: Final = 48
_NEVER: Final = -1e30
"""Logit of the options that a row does not have."""


class Clamped(TypedDict):
    """A temperature that was fitted outside the limits of use."""

    fitted: float
    applied: float
    bound: str


class FitReport(TypedDict):
    """Measured on records that the temperatures were not fitted on (cross-fitting); before means temperature 1."""

    n: int
    folds: int
    ece_before: float
    ece_after: float
    nll_before: float
    nll_after: float
    brier_before: float
    brier_after: float


class TemperatureFit(TypedDict):
    """Result of `fit_temperatures`.

    `temperature` has the three types in the order choice, score, noul; a type with too few records has 1.0.
    `temperature_by_options` has the buckets with enough records. `report` is None for fewer than two records.
    """

    temperature: list[float]
    temperature_by_options: dict[str, float]
    n_by_type: dict[str, int]
    n_by_bucket: dict[str, int]
    temperature_clamped: dict[str, Clamped]
    report: FitReport | None


def fit_temperature(records: Iterable[Any]) -> float:
    """The temperature that makes records most likely.

    The mean log loss is convex in 1/T, so the root of its slope is found by halving an interval. Where the loss has
    no minimum within `SEARCH` (every answer right, or worse than chance) that end is returned; 1.0 where the
    temperature makes no difference.

    Raises:
        CalibrationError: a record is malformed.
        ArgumentError: there are no records.
    """
    checked = as_records(records)
    if not checked:
        raise ArgumentError("there are no records to fit a temperature on")
    return _solve(_slope_of(checked))


def _slope_of(records: Sequence[Record]) -> Callable[[float], float]:
    """Slope of the mean log loss in b = 1/T, which grows with b."""
    width = max(len(record.logits) for record in records)
    z = np.full((len(records), width), _NEVER)
    wanted = np.zeros(len(records))
    for i, record in enumerate(records):
        centred = record.logits - record.logits.max()
        z[i, : len(centred)] = centred
        wanted[i] = record.target @ centred

    def slope(b: float) -> float:
        e = np.exp(b * z)
        expected = (e * z).sum(axis=1) / e.sum(axis=1)
        return float((expected - wanted).mean())

    return slope


def _solve(slope: Callable[[float], float]) -> float:
    low, high = 1 / SEARCH[1], 1 / SEARCH[0]
    at_low, at_high = slope(low), slope(high)
    if at_high - at_low <= 1e-12:
        return 1.0
    if at_low >= 0:
        return SEARCH[1]
    if at_high <= 0:
        return SEARCH[0]
    for _ in range(_STEPS):
        middle = (low * high) ** 0.5
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return float((low * high) ** -0.5)


def fit_temperatures(
    records: Iterable[Any],
    *,
    min_type_n: int = MIN_TYPE_N,
    min_bucket_n: int = MIN_BUCKET_N,
    folds: int = FOLDS,
    seed: int = 0,
) -> TemperatureFit:
    """Fit a temperature for each type and bucket with enough records, and measure what they gain.

    The final temperatures use all records. The report is cross-fitted: each fold is judged by temperatures fitted on
    the others (with floors lowered in proportion), so it is honest for small sets too.

    Args:
        records: see `as_records`.
        min_type_n: records that a type needs.
        min_bucket_n: records that a bucket needs.
        folds: parts for the report; no more than there are records.
        seed: shuffles the records into folds.

    Raises:
        CalibrationError: a record is malformed.
        ArgumentError: there are no records, or a count is not a positive int.
    """
    for name, value, least in (("min_type_n", min_type_n, 1), ("min_bucket_n", min_bucket_n, 1), ("folds", folds, 2)):
        check_int(name, value, least)
    checked = as_records(records)
    if not checked:
        raise ArgumentError("there are no records to fit temperatures on")
    fitted = _fit_all(checked, min_type_n, min_bucket_n)
    return {
        "temperature": [clamp(fitted.get(kind, 1.0)) for kind in TYPES],
        "temperature_by_options": {name: clamp(t) for name, t in fitted.items() if name not in TYPES},
        "n_by_type": dict(Counter(record.type for record in checked)),
        "n_by_bucket": dict(Counter(record.bucket for record in checked)),
        "temperature_clamped": {name: _clamped(t) for name, t in fitted.items() if clamp(t) != t},
        "report": _report(checked, min_type_n, min_bucket_n, folds, seed),
    }


def check_int(name: str, value: Any, least: int = 1) -> int:
    """An int of at least `least` that is not a bool.

    Raises:
        ArgumentError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ArgumentError(f"{name} must be an int of at least {least}, got {value!r}")
    return value


def _clamped(fitted: float) -> Clamped:
    return {"fitted": fitted, "applied": clamp(fitted), "bound": "min" if fitted < MIN_TEMPERATURE else "max"}


def _fit_all(records: Sequence[Record], min_type_n: float, min_bucket_n: float) -> dict[str, float]:
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.type, []).append(record)
        groups.setdefault(record.bucket, []).append(record)
    return {
        name: _solve(_slope_of(group))
        for name, group in groups.items()
        if len(group) >= (min_type_n if name in TYPES else min_bucket_n)
    }


def _report(records: Sequence[Record], min_type_n: int, min_bucket_n: int, folds: int, seed: int) -> FitReport | None:
    folds = min(folds, len(records))
    if folds < 2:
        return None
    part = _folds(records, folds, seed)
    share = 1 - 1 / folds
    before = [probabilities(record, 1.0) for record in records]
    after = list(before)
    for fold in range(folds):
        rest = [record for record, its in zip(records, part, strict=True) if its != fold]
        fitted = _fit_all(rest, int(min_type_n * share), int(min_bucket_n * share))
        temperatures = Temperatures(
            tuple(fitted.get(kind, 1.0) for kind in TYPES), {k: t for k, t in fitted.items() if k not in TYPES}
        )
        for i in np.flatnonzero(part == fold).tolist():
            after[i] = probabilities(records[i], temperatures.get(records[i].type, len(records[i].logits)))
    targets = [record.target for record in records]
    return {
        "n": len(records),
        "folds": folds,
        "ece_before": _ece(before, targets),
        "ece_after": _ece(after, targets),
        "nll_before": nll(before, targets),
        "nll_after": nll(after, targets),
        "brier_before": brier(before, targets),
        "brier_after": brier(after, targets),
    }


def _folds(records: Sequence[Record], folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Fold of each record: every bucket is spread evenly, at random."""
    order = np.random.default_rng(seed).permutation(len(records))
    order = order[np.argsort([records[i].bucket for i in order], kind="stable")]
    part = np.empty(len(records), dtype=np.int64)
    part[order] = np.arange(len(records)) % folds
    return part


def _ece(rows: Sequence[DoubleArray], targets: Sequence[DoubleArray]) -> float:
    sure = [min(1.0, float(row.max())) for row in rows]
    return ece_score(sure, [float(t[np.argmax(row)]) for row, t in zip(rows, targets, strict=True)])
