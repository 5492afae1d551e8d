"""The values that a bounded number of a schema can take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from laya.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SCORE_LEVELS: Final = 10
"""Most levels of a score question: more cannot be told apart."""

ADVICE: Final = "give minimum and maximum (or exclusiveMinimum and exclusiveMaximum)"


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of a bounded number, lowest first.

    Attributes:
        values: the number of each level, int where it is whole.
        continuous: values between the levels are allowed too, so the answer is the expected level.
    """

    values: tuple[int | float, ...]
    continuous: bool


def read_levels(node: Mapping[str, Any], kind: str, path: str) -> Levels:
    """Levels of an `integer` or `number` with bounds.

    Args:
        node: the schema of the number, resolved.
        kind: "integer" or "number". A number without `multipleOf` is continuous; its levels are the integers between
            its bounds.
        path: where it stands, for errors.

    Raises:
        SchemaError: a bound is missing, is not a finite number, or leaves no level or more than `MAX_SCORE_LEVELS`.
    """
    step = _number(node, "multipleOf", path)
    if step is not None and step <= 0:
        raise SchemaError(f"{path}: multipleOf must be positive, got {node['multipleOf']!r}", path=path)
    low, high = _bound(node, "minimum", "exclusiveMinimum", path), _bound(node, "maximum", "exclusiveMaximum", path)
    continuous = kind == "number" and step is None
    if continuous:
        _check_continuous(node, low[0], high[0], path)
    unit = _unit(kind, step)
    first = _first_multiple(low, unit)
    last = -_first_multiple((-high[0], high[1]), unit)
    count = last - first + 1
    if count < 1:
        raise SchemaError(f"{path}: no value lies within its bounds; correct minimum and maximum", path=path)
    if count > MAX_SCORE_LEVELS:
        raise SchemaError(
            f"{path}: the bounds allow {count} levels, at most {MAX_SCORE_LEVELS} can be told apart; "
            "narrow them, use a larger multipleOf, or use an enum",
            path=path,
        )
    return Levels(tuple(_plain(unit * i) for i in range(first, last + 1)), continuous)


def _unit(kind: str, step: Fraction | None) -> Fraction:
    if step is None:
        return Fraction(1)
    if kind == "number":
        return step
    # Whole multiples of a fraction p/q in lowest terms are the multiples of p.
    return Fraction(step.numerator)


def _first_multiple(bound: tuple[Fraction, bool], unit: Fraction) -> int:
    value, exclusive = bound
    ratio = value / unit
    return math.floor(ratio) + 1 if exclusive else math.ceil(ratio)


def _check_continuous(node: Mapping[str, Any], low: Fraction, high: Fraction, path: str) -> None:
    exclusive = [key for key in ("exclusiveMinimum", "exclusiveMaximum") if key in node]
    if exclusive or low.denominator != 1 or high.denominator != 1:
        raise SchemaError(
            f"{path}: a number without multipleOf needs whole-number minimum and maximum; "
            "give such bounds, or multipleOf (such as 0.1), or use type integer",
            path=path,
        )


def _bound(node: Mapping[str, Any], inclusive: str, exclusive: str, path: str) -> tuple[Fraction, bool]:
    closed, opened = _number(node, inclusive, path), _number(node, exclusive, path)
    bounds = [(value, is_open) for value, is_open in ((closed, False), (opened, True)) if value is not None]
    if not bounds:
        raise SchemaError(f"{path}: {inclusive} is missing; a number is asked as levels, so {ADVICE}", path=path)
    lower = inclusive == "minimum"
    return max(bounds, key=lambda bound: (bound[0] if lower else -bound[0], bound[1]))


def _number(node: Mapping[str, Any], key: str, path: str) -> Fraction | None:
    value = node.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise SchemaError(f"{path}: {key} must be a finite number, got {value!r}", path=path)
    return Fraction(str(value))  # through text, so that 0.1 is a tenth


def _plain(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)
