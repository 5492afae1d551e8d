"""From raw logits to probabilities that mean something: temperatures, binning, the confidence gate, files."""

from laya.calibration.binning import BinningMap
from laya.calibration.confidence import (
    GATE_STATES,
    apply_confidence_gate,
    check_min_confidence,
    check_min_confidence_map,
    flag_low_confidence,
    jev_confidence,
    resolve_min_confidence,
)
from laya.calibration.files import read_calibration, write_calibration
from laya.calibration.temperature import MAX_TEMPERATURE, MIN_TEMPERATURE, Temperatures, bucket

__all__ = [
    "GATE_STATES",
    "MAX_TEMPERATURE",
    "MIN_TEMPERATURE",
    "BinningMap",
    "Temperatures",
    "apply_confidence_gate",
    "bucket",
    "check_min_confidence",
    "check_min_confidence_map",
    "flag_low_confidence",
    "jev_confidence",
    "read_calibration",
    "resolve_min_confidence",
    "write_calibration",
]
