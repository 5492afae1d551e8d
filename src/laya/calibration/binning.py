"""Histogram binning: the measured accuracy of answers whose confidence fell into the same bin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from laya.errors import CalibrationError


@dataclass(frozen=True)
class BinningMap:
    """Bucket name to the calibrated confidence of each of its equal-width bins.

    Histogram binning: Zadrozny and Elkan, "Obtaining calibrated probability estimates", 2001.
    """

    values: Mapping[str, tuple[float, ...]]

    def apply(self, bucket: str, confidence: float) -> float:
        """Calibrated confidence; unchanged where the bucket has no map."""
        bins = self.values.get(bucket)
        if bins is None:
            return confidence
        return bins[min(len(bins) - 1, max(0, int(confidence * len(bins))))]

    def to_json(self) -> dict[str, Any]:
        """The form stored in calibration files."""
        return {name: {"bins": len(bins), "values": list(bins)} for name, bins in self.values.items()}

    @classmethod
    def from_json(cls, data: Any, *, path: str | None = None) -> BinningMap:
        """Read the stored form.

        Raises:
            CalibrationError: a bucket is not `{"bins": int >= 1, "values": [that many numbers in [0, 1]]}`.
        """
        if not isinstance(data, Mapping):
            raise CalibrationError(
                f"calibration JSON binning_map must be an object, got {type(data).__name__}", path=path
            )
        return cls({str(name): _parse_bins(str(name), entry, path) for name, entry in data.items()})


def _parse_bins(name: str, entry: Any, path: str | None) -> tuple[float, ...]:
    where = f"calibration JSON binning_map[{name!r}]"
    if not isinstance(entry, Mapping):
        raise CalibrationError(f"{where} must be an object, got {type(entry).__name__}", path=path)
    bins, values = entry.get("bins"), entry.get("values")
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise CalibrationError(f"{where}.bins must be an integer of at least 1, got {bins!r}", path=path)
    if not isinstance(values, list) or len(values) != bins:
        raise CalibrationError(f"{where}.values must be a list of {bins} numbers, got {values!r}", path=path)
    for value in values:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise CalibrationError(f"{where}.values must be finite numbers, got {value!r}", path=path)
        if not 0.0 <= value <= 1.0:
            raise CalibrationError(f"{where}.values must lie in [0, 1], got {value!r}", path=path)
    return tuple(float(value) for value in values)
