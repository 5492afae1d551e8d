"""Temperatures: one per question type, refined per number of options, overridden per language.

A logit z becomes softmax(z / T). Temperature scaling: Guo et al., "On Calibration of Modern Neural Networks", 2017.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from laya.errors import ArgumentError
from laya.request import TYPE_INDEX

MIN_TEMPERATURE: Final = 0.5
MAX_TEMPERATURE: Final = 5.0
BUCKETS: Final = tuple(f"{kind}:{size}" for kind in TYPE_INDEX for size in ("2", "3-5", "6-10", "11+"))


def bucket(kind: str, k: int) -> str:
    """Name of the calibration bucket of a question type with `k` options, such as "choice:3-5"."""
    size = "2" if k <= 2 else "3-5" if k <= 5 else "6-10" if k <= 10 else "11+"
    return f"{kind}:{size}"


def clamp(value: Any) -> float:
    """A usable temperature: 1.0 for anything that is not a finite number, else limited to [0.5, 5]."""
    if isinstance(value, bool):
        return 1.0
    try:
        number = float(value)
    except (TypeError, ValueError):
        return 1.0
    return min(MAX_TEMPERATURE, max(MIN_TEMPERATURE, number)) if math.isfinite(number) else 1.0


def language_key(lang: str) -> str:
    """Primary subtag in lower case: "de-AT" becomes "de"."""
    return lang.replace("_", "-").split("-")[0].lower()


@dataclass(frozen=True)
class Temperatures:
    """Temperatures as given (`*_raw`) and as applied (clamped).

    Attributes:
        by_type_raw: three values, in the order choice, score, noul.
        by_options_raw: bucket name to value; wins over `by_type_raw`.
    """

    by_type_raw: tuple[Any, ...] = (1.0, 1.0, 1.0)
    by_options_raw: Mapping[str, Any] = field(default_factory=dict)

    @property
    def by_type(self) -> list[float]:
        """The three applied temperatures."""
        return [clamp(value) for value in self.by_type_raw]

    @property
    def by_options(self) -> dict[str, float]:
        """The applied temperature of each bucket that has its own."""
        return {name: clamp(value) for name, value in self.by_options_raw.items()}

    def get(self, kind: str, k: int) -> float:
        """Temperature applied to a question of this type with `k` options."""
        name = bucket(kind, k)
        raw = self.by_options_raw[name] if name in self.by_options_raw else self.by_type_raw[TYPE_INDEX[kind]]
        return clamp(raw)

    def replaced(self) -> list[str]:
        """One "name=given -> applied" for each value that had to be replaced, buckets first."""
        named = [*self.by_options_raw.items()]
        named += [(f"temperature[{i}]", value) for i, value in enumerate(self.by_type_raw)]
        return [f"{name}={raw} -> {clamp(raw)}" for name, raw in named if _differs(raw)]

    def warn_if_replaced(self, what: str) -> None:
        """Emit one RuntimeWarning that lists the values that were replaced, if any."""
        replaced = self.replaced()
        if replaced:
            warnings.warn(
                f"laya: {what} invalid temperatures or values outside [0.5, 5]; using {', '.join(replaced)}. "
                "Treat confidence from the affected entries as uncalibrated.",
                RuntimeWarning,
                stacklevel=3,
            )


def _differs(raw: Any) -> bool:
    try:
        return isinstance(raw, bool) or float(raw) != clamp(raw)
    except (TypeError, ValueError):
        return True


def parse_language_overrides(overrides: Mapping[str, Any] | None, base: Temperatures) -> dict[str, Temperatures]:
    """Read `lang_temperatures`.

    Args:
        overrides: language code to None or a mapping with `temperature` (3 values or None: the checkpoint's own) and
            `temperature_by_options` (bucket to value, or None).
        base: temperatures of the checkpoint, inherited where an override gives none.

    Returns:
        Lower-case primary subtag to temperatures.

    Raises:
        ArgumentError: the mapping has a wrong shape; names the language.
    """
    if overrides is None:
        return {}
    if not isinstance(overrides, Mapping):
        raise ArgumentError(
            f"lang_temperatures must be a mapping of language code -> override, got {type(overrides).__name__}"
        )
    parsed = {}
    for lang, entry in overrides.items():
        if not isinstance(lang, str):
            raise ArgumentError(f"Language override keys must be strings, got {lang!r}")
        parsed[language_key(lang)] = _parse_override(lang, entry, base)
    return parsed


def _parse_override(lang: str, entry: Any, base: Temperatures) -> Temperatures:
    if entry is None:
        entry = {}
    if not isinstance(entry, Mapping):
        raise ArgumentError(f"Language override {lang!r} must be a mapping, got {type(entry).__name__}")
    unknown = sorted(set(entry) - {"temperature", "temperature_by_options"})
    if unknown:
        raise ArgumentError(
            f"Language override {lang!r} has unknown keys {unknown}; it takes temperature and temperature_by_options"
        )
    by_type = entry.get("temperature")
    if by_type is None:
        by_type = base.by_type_raw
    if isinstance(by_type, str) or not isinstance(by_type, Sequence) or len(by_type) != 3:
        raise ArgumentError(f"Language override {lang!r} temperature must be a list of 3 floats, got {by_type!r}")
    by_options = entry.get("temperature_by_options")
    if by_options is None:
        by_options = {}
    if not isinstance(by_options, Mapping):
        raise ArgumentError(
            f"Language override {lang!r} temperature_by_options must be a mapping of bucket -> float, "
            f"got {type(by_options).__name__}"
        )
    temperatures = Temperatures(tuple(by_type), dict(by_options))
    temperatures.warn_if_replaced(f"language override {lang!r} ships")
    return temperatures
