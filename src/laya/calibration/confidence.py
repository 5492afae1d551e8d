"""The confidence gate: marks answers that are less sure than the caller asks for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from typing import Any, Final

from laya.calibration.temperature import BUCKETS, bucket
from laya.errors import ArgumentError

GATE_STATES: Final = ("passed", "abstained", "unevaluated")
MinConfidence = float | Mapping[str, float]


def check_min_confidence(value: Any) -> MinConfidence | None:
    """Validate `min_confidence`: None, a number in [0, 1], or a map of bucket (or "default") to such numbers.

    Raises:
        ArgumentError: anything else.
    """
    if value is None:
        return None
    if isinstance(value, Mapping):
        return check_min_confidence_map(value)
    return _threshold(value)


def check_min_confidence_map(value: Mapping[str, Any]) -> dict[str, float]:
    """Validate the map form of `min_confidence`.

    Raises:
        ArgumentError: the map is empty, a key is not a bucket or "default", or a value is not in [0, 1].
    """
    if not value:
        raise ArgumentError("a min_confidence map must be a non-empty dict of bucket -> float, got {}")
    for key in value:
        if key != "default" and key not in BUCKETS:
            raise ArgumentError(
                f"min_confidence map keys must be a bucket like 'choice:3-5' or 'default', got {key!r}; "
                f"the buckets are {', '.join(BUCKETS)}"
            )
    return {key: _threshold(number) for key, number in value.items()}


def _threshold(value: Any) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not 0.0 <= value <= 1.0:
        raise ArgumentError(f"min_confidence must be a float in [0.0, 1.0], got {value!r}")
    return float(value)


def resolve_min_confidence(value: MinConfidence, answer: Mapping[str, Any]) -> float:
    """Threshold for one answer: its bucket's, else "default", else 0."""
    if not isinstance(value, Mapping):
        return value
    probabilities = answer.get("probabilities")
    k = len(probabilities) if isinstance(probabilities, (Mapping, Sequence)) else 2
    return value.get(bucket(str(answer.get("type")), k), value.get("default", 0.0))


def flag_low_confidence(answer: MutableMapping[str, Any], threshold: float) -> None:
    """Write `abstention`, `abstention_threshold` and, when below it, `low_confidence` into one answer."""
    number = _usable(answer.get("answer_confidence"))
    if number is None:
        number = _usable(answer.get("confidence"))
    answer.pop("low_confidence", None)
    answer["abstention"] = "unevaluated" if number is None else "abstained" if number < threshold else "passed"
    answer["abstention_threshold"] = threshold
    if number is not None and number < threshold:
        answer["low_confidence"] = True


def apply_confidence_gate(results: Iterable[Mapping[str, Any]], value: MinConfidence | None) -> None:
    """Gate every answer of every result in place; nothing is written when `value` is None."""
    if value is None:
        return
    for result in results:
        for answer in result.get("answers", {}).values():
            if isinstance(answer, MutableMapping):
                flag_low_confidence(answer, resolve_min_confidence(value, answer))


def _usable(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    return float(value)


def jev_confidence(answer: Mapping[str, Any]) -> float | None:
    """Confidence by the formula of the System One protocol.

    choice: (max p - 1/n) / (1 - 1/n). score: 1 minus the spread around the most probable level over the spread of a
    uniform distribution around the middle of the scale, not below 0. A single option gives 1. noul and malformed
    answers give None.
    """
    probabilities = answer.get("probabilities")
    if answer.get("type") not in {"choice", "score"} or not isinstance(probabilities, Mapping):
        return None
    values = [_usable(value) for value in probabilities.values()]
    numbers = [value for value in values if value is not None]
    if not numbers or len(numbers) != len(values):
        return None
    n = len(numbers)
    if n == 1:
        return 1.0
    top = max(numbers)
    if answer["type"] == "choice":
        return (top - 1 / n) / (1 - 1 / n)
    mode = numbers.index(top)
    spread = sum(p * abs(i - mode) for i, p in enumerate(numbers))
    uniform = sum(abs(i - (n - 1) / 2) for i in range(n)) / n
    return max(0.0, 1.0 - spread / uniform)
