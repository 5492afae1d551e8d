"""What an agent tells about its checkpoint, and the calibration it answers with."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laya.calibration import parse_temperatures, read_calibration, write_calibration
from laya.calibration.files import Identity

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from laya.calibration import BinningMap
    from laya.decode import Calibration
    from laya.engine import Model
    from laya.loading import Loaded


class CheckpointFacts:
    """The part of an agent that knows which checkpoint it runs, where, and how it is calibrated."""

    _loaded: Loaded
    _model: Model
    _calibration: Calibration

    @property
    def model_id(self) -> str:
        """Name of the checkpoint: what was asked for, or "embedded/english"."""
        return self._model.name

    model_id_or_path = model_id

    @property
    def cfg(self) -> dict[str, Any]:
        """The checkpoint's configuration as read from disk."""
        return dict(self._loaded.config)

    @property
    def subfolder(self) -> str | None:
        """Folder inside a bundle repository, if one was named."""
        return self._loaded.subfolder

    @property
    def revision(self) -> str | None:
        """Commit that a hub checkpoint was resolved to."""
        return self._loaded.revision

    @property
    def device(self) -> str:
        """Where the forward pass runs."""
        return self._model.runtime.capabilities.device

    @property
    def runtime(self) -> str:
        """Name of the engine that runs the forward pass."""
        return self._model.runtime.capabilities.name

    @property
    def precision(self) -> str:
        """Arithmetic of the forward pass: "fp32", "bf16" or "int8"."""
        return self._model.runtime.capabilities.precision

    @property
    def temperature(self) -> list[float]:
        """Applied temperatures of choice, score and noul."""
        return self._calibration.temperatures.by_type

    @property
    def temperature_raw(self) -> list[Any]:
        """The same as they were given, before limits were applied."""
        return list(self._calibration.temperatures.by_type_raw)

    @property
    def temperature_by_options(self) -> dict[str, float]:
        """Applied temperatures of buckets such as "choice:3-5"."""
        return self._calibration.temperatures.by_options

    @property
    def temperature_by_options_raw(self) -> dict[str, Any]:
        """The same as they were given, before limits were applied."""
        return dict(self._calibration.temperatures.by_options_raw)

    @property
    def lang_temperatures(self) -> dict[str, dict[str, Any]]:
        """Applied temperature overrides by language."""
        return {
            lang: {"temperature": entry.by_type, "temperature_by_options": entry.by_options}
            for lang, entry in self._calibration.languages.items()
        }

    @property
    def binning_map(self) -> BinningMap | None:
        """Histogram binning of a loaded calibration."""
        return self._calibration.binning

    @property
    def memory_bytes(self) -> int:
        """Bytes that the weights take in memory as float32, near enough to plan with."""
        return self._loaded.memory_bytes()

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the weights, the precision and the calibration: equal fingerprints give equal answers."""
        calibration = self._calibration
        parts = {
            "checkpoint": self._loaded.digest(),
            "runtime": [self.runtime, self.precision],
            "temperature": [repr(value) for value in calibration.temperatures.by_type],
            "by_options": calibration.temperatures.by_options,
            "languages": self.lang_temperatures,
            "binning": calibration.binning.to_json() if calibration.binning else None,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def calibrate(self, fit: Mapping[str, Any], binning: BinningMap | None = None) -> None:
        """Answer with fitted temperatures, and binning if given, from now on.

        Args:
            fit: what `laya.fit_temperatures` returned, or any mapping with `temperature` and `temperature_by_options`.
            binning: what `laya.fit_binning_map` returned.

        Raises:
            CalibrationError: a temperature is not a positive finite number; the calibration in use stays.
        """
        self._calibration = replace(self._calibration, temperatures=parse_temperatures(fit), binning=binning)

    def load_calibration(self, path: str | Path) -> None:
        """Replace the temperatures and the binning by those of a calibration file.

        Warns:
            UserWarning: it was fitted for another checkpoint.

        Raises:
            CalibrationError: the file is missing or corrupt; the calibration in use stays.
        """
        temperatures, binning = read_calibration(path, self._identity())
        self._calibration = replace(self._calibration, temperatures=temperatures, binning=binning)

    def save_calibration(self, path: str | Path) -> None:
        """Write the temperatures and the binning in use to a file, whole or not at all.

        Raises:
            CalibrationError: the folder does not exist.
        """
        write_calibration(path, self._calibration.temperatures, self._calibration.binning, self._identity())

    def _identity(self) -> Identity:
        return Identity(self.model_id, self.subfolder, self._loaded.config)
