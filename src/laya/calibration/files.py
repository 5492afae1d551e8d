"""Calibration files: JSON, version 2, written atomically and refused when corrupt."""

from __future__ import annotations

import json
import math
import os
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laya.calibration.binning import BinningMap
from laya.calibration.temperature import Temperatures
from laya.errors import CalibrationError

if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION: Final = 2


@dataclass(frozen=True)
class Identity:
    """Which checkpoint a calibration was fitted for: the config is compared without its temperatures."""

    model_id_or_path: str
    subfolder: str | None
    config: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        """The form stored in calibration files."""
        config = {
            key: value for key, value in self.config.items() if key not in {"temperature", "temperature_by_options"}
        }
        return {
            "model_id_or_path": self.model_id_or_path,
            "subfolder": self.subfolder,
            "config": config,
        }


def write_calibration(
    path: str | Path, temperatures: Temperatures, binning: BinningMap | None, identity: Identity
) -> None:
    """Write a calibration file: complete or not at all.

    Raises:
        CalibrationError: the folder does not exist.
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise CalibrationError(
            f"cannot save calibration to {str(target)!r}: the folder {str(target.parent)!r} does not exist",
            path=str(target),
        )
    data: dict[str, Any] = {
        "version": VERSION,
        "temperature": temperatures.by_type,
        "temperature_by_options": temperatures.by_options,
        **identity.to_json(),
    }
    if binning is not None:
        data["binning_map"] = binning.to_json()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(target.stat().st_mode if target.exists() else 0o644)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def read_calibration(path: str | Path, identity: Identity) -> tuple[Temperatures, BinningMap | None]:
    """Read a calibration file.

    Warns:
        UserWarning: it was fitted for another checkpoint.
        RuntimeWarning: a temperature lies outside [0.5, 5] and is limited to that range.

    Raises:
        CalibrationError: the file is missing or anything in it is not as it must be.
    """
    data = _read_object(Path(path))
    where = str(path)
    try:
        version, temperatures, binning = _parse(data, where)
    except CalibrationError as exc:
        raise CalibrationError(f"{exc.message} (in {where!r})", path=where) from exc
    temperatures.warn_if_replaced("calibration temperatures are")
    if version >= VERSION:
        _warn_if_foreign(data, identity.to_json())
    return temperatures, binning


def parse_temperatures(data: Mapping[str, Any], where: str | None = None) -> Temperatures:
    """Read `temperature` and `temperature_by_options`, as files have them and `fit_temperatures` returns them.

    Args:
        data: the mapping; other keys are not looked at.
        where: file it came from, for errors.

    Warns:
        RuntimeWarning: a temperature lies outside [0.5, 5] and is limited to that range.

    Raises:
        CalibrationError: a value is missing or not a positive finite number.
    """
    temperatures = Temperatures(
        _parse_by_type(data.get("temperature"), where), _parse_by_options(data.get("temperature_by_options"), where)
    )
    temperatures.warn_if_replaced("calibration temperatures are")
    return temperatures


def _read_object(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as exc:
        raise CalibrationError(f"calibration file {str(path)!r} does not exist", path=str(path)) from exc
    except (OSError, ValueError) as exc:
        raise CalibrationError(f"cannot read calibration file {str(path)!r}: {exc}", path=str(path)) from exc
    if not isinstance(data, dict):
        raise CalibrationError(
            f"calibration JSON must be an object, got {type(data).__name__} (in {str(path)!r})", path=str(path)
        )
    return data


def _parse(data: Mapping[str, Any], where: str) -> tuple[int, Temperatures, BinningMap | None]:
    stored = data.get("binning_map")
    return (
        _parse_version(data.get("version"), where),
        Temperatures(
            _parse_by_type(data.get("temperature"), where),
            _parse_by_options(data.get("temperature_by_options"), where),
        ),
        None if stored is None else BinningMap.from_json(stored, path=where),
    )


def _parse_version(value: Any, where: str) -> int:
    if value is None:
        return 1
    if isinstance(value, bool) or not isinstance(value, int):
        raise CalibrationError(f"calibration JSON version must be an integer, got {value!r}", path=where)
    return value


def _parse_by_type(value: Any, where: str | None) -> tuple[float, ...]:
    if not isinstance(value, list) or len(value) != 3:
        raise CalibrationError(f"calibration JSON must contain temperature: [3 floats], got {value!r}", path=where)
    return tuple(_temperature(number, f"temperature[{i}]", where) for i, number in enumerate(value))


def _parse_by_options(value: Any, where: str | None) -> dict[str, float]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CalibrationError(
            f"calibration JSON temperature_by_options must be an object of bucket -> float, got {type(value).__name__}",
            path=where,
        )
    return {key: _temperature(number, f"temperature_by_options[{key!r}]", where) for key, number in value.items()}


def _temperature(value: Any, name: str, where: str | None) -> float:
    good = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not good or not math.isfinite(value) or value <= 0:
        raise CalibrationError(
            f"calibration JSON {name} must be a positive finite number, got {value!r}; "
            "the file is corrupt, so fit it again",
            path=where,
        )
    return float(value)


def _warn_if_foreign(data: Mapping[str, Any], identity: Mapping[str, Any]) -> None:
    for key, ours in identity.items():
        if data.get(key) != ours:
            warnings.warn(
                f"calibration was fitted for model_id_or_path={data.get('model_id_or_path')!r}, "
                f"subfolder={data.get('subfolder')!r}, and its {key} differs from that of "
                f"{identity['model_id_or_path']!r}; confidence may not be calibrated",
                UserWarning,
                stacklevel=4,
            )
            return
