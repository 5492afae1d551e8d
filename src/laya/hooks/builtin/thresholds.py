"""Confidence thresholds as a hook applies them.

The same rules as `laya.calibration.confidence`, written again because hooks import no other folder; a property test
holds the two together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sized
from typing import Any, Final, TypeGuard

from laya.errors import ArgumentError
from laya.request import TYPE_INDEX

_SIZES: Final = ((2, "2"), (5, "3-5"), (10, "6-10"), (math.inf, "11+"))
BUCKETS: Final = tuple(f"{kind}:{size}" for kind in TYPE_INDEX for _, size in _SIZES)


def check_thresholds(value: Any) -> dict[str, float]:
    """Thresholds by bucket; a single number is the one of "default".

    Raises:
        ArgumentError: not a number in [0, 1], nor a non-empty map of bucket or "default" to such numbers.
    """
    if not isinstance(value, Mapping):
        return {"default": _threshold(value)}
    if not value:
        raise ArgumentError("a min_confidence map must be a non-empty dict of bucket -> float, got {}")
    for key in value:
        if key != "default" and key not in BUCKETS:
            raise ArgumentError(
                f"min_confidence map keys must be a bucket like 'choice:3-5' or 'default', got {key!r}; "
                f"the buckets are {', '.join(BUCKETS)}"
            )
    return {key: _threshold(number) for key, number in value.items()}


def gate(answer: dict[str, Any], thresholds: Mapping[str, float]) -> bool:
    """Mark one answer, and say whether it abstains."""
    probabilities = answer.get("probabilities")
    k = len(probabilities) if isinstance(probabilities, Sized) else 2
    size = next(name for most, name in _SIZES if k <= most)
    threshold = thresholds.get(f"{answer.get('type')}:{size}", thresholds.get("default", 0.0))
    number = answer.get("answer_confidence")
    if not _usable(number):
        number = answer.get("confidence")
    low = _usable(number) and number < threshold
    answer.pop("low_confidence", None)
    answer["abstention"] = "abstained" if low else "passed" if _usable(number) else "unevaluated"
    answer["abstention_threshold"] = threshold
    if low:
        answer["low_confidence"] = True
    return low


def _threshold(value: Any) -> float:
    if not _usable(value) or not 0.0 <= value <= 1.0:
        raise ArgumentError(f"min_confidence must be a float in [0.0, 1.0], got {value!r}")
    return float(value)


def _usable(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
