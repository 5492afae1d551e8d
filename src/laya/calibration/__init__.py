"""From raw logits to probabilities that mean something: temperatures, binning, the confidence gate, files, fitting."""

from laya.calibration.abstain import fit_abstention_thresholds
from laya.calibration.binning import BinningMap
from laya.calibration.bins import fit_binning_map
from laya.calibration.confidence import (
    GATE_STATES,
    apply_confidence_gate,
    check_min_confidence,
    check_min_confidence_map,
    flag_low_confidence,
    jev_confidence,
    resolve_min_confidence,
)
from laya.calibration.conformal import ConformalSets, fit_conformal
from laya.calibration.files import parse_temperatures, read_calibration, write_calibration
from laya.calibration.fit import TemperatureFit, fit_temperature, fit_temperatures
from laya.calibration.metrics import accuracy, brier, ece_score, nll
from laya.calibration.records import Record, as_records, records_from_labeled
from laya.calibration.report import ReliabilityBin, plot_reliability, reliability_table
from laya.calibration.temperature import MAX_TEMPERATURE, MIN_TEMPERATURE, Temperatures, bucket

__all__ = [
    "GATE_STATES",
    "MAX_TEMPERATURE",
    "MIN_TEMPERATURE",
    "BinningMap",
    "ConformalSets",
    "Record",
    "ReliabilityBin",
    "TemperatureFit",
    "Temperatures",
    "accuracy",
    "apply_confidence_gate",
    "as_records",
    "brier",
    "bucket",
    "check_min_confidence",
    "check_min_confidence_map",
    "ece_score",
    "fit_abstention_thresholds",
    "fit_binning_map",
    "fit_conformal",
    "fit_temperature",
    "fit_temperatures",
    "flag_low_confidence",
    "jev_confidence",
    "nll",
    "parse_temperatures",
    "plot_reliability",
    "read_calibration",
    "records_from_labeled",
    "reliability_table",
    "resolve_min_confidence",
    "write_calibration",
]
