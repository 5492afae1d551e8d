"""Results in a folder: one JSON file each, whole or not there."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Final

_FORMAT: Final = 1
_MAP: Final = "$map"
_SCALARS: Final = (str, int, float, bool, type(None))


class DiskStore:
    """A folder of results. Safe to share between threads and processes.

    Args:
        folder: made if it does not exist.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, key: str) -> tuple[float, dict[str, Any]] | None:
        """Time of storing and result of a key, or None; a file that cannot be read as a result is removed.

        Raises:
            OSError: the file is there but the system does not let us read it.
        """
        path = self._path(key)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            return _parse(data, key)
        except (ValueError, TypeError, KeyError, RecursionError):
            self.remove(key)
            return None

    def put(self, key: str, stored: float, result: dict[str, Any]) -> bool:
        """Write one result; False where it holds something that JSON cannot give back as it was.

        Raises:
            OSError: the file cannot be written; an earlier one stays as it was.
        """
        try:
            packed = _pack(result)
        except TypeError:
            return False
        text = json.dumps({"format": _FORMAT, "key": key, "stored": stored, "result": packed})
        handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=self.folder)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(temporary).replace(self._path(key))
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
        return True

    def remove(self, key: str) -> None:
        """Forget one key."""
        self._path(key).unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove every result file of the folder; other files stay."""
        for path in self.folder.glob("*.json"):
            path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def _parse(data: bytes, key: str) -> tuple[float, dict[str, Any]]:
    entry = json.loads(data)
    result = _unpack(entry["result"])
    fits = entry["format"] == _FORMAT and entry["key"] == key and isinstance(result, dict)
    if not fits or not isinstance(result["answers"], dict) or not isinstance(result["usage"], dict):
        raise ValueError("not a stored result")
    return float(entry["stored"]), result


def _pack(value: Any) -> Any:
    kind = type(value)
    if kind in _SCALARS:
        return value
    if kind is list:
        return [_pack(item) for item in value]
    if kind is dict:
        if _MAP not in value and all(type(key) is str for key in value):
            return {key: _pack(item) for key, item in value.items()}
        # JSON would turn the label 1 into "1": such a dict is stored as pairs.
        return {_MAP: [[_pack(key), _pack(item)] for key, item in value.items()]}
    raise TypeError(f"{kind.__name__} has no JSON form of its own")


def _unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpack(item) for item in value]
    if isinstance(value, dict):
        if _MAP in value:
            return {_unpack(key): _unpack(item) for key, item in value[_MAP]}
        return {key: _unpack(item) for key, item in value.items()}
    return value
