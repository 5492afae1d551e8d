"""Lazy access to the tensors of a safetensors file, as float32 arrays.

The file is mapped into memory, never copied as a whole: a float32 tensor is a read-only view of the map, any other kind
is converted when it is asked for. The format is small enough to read by hand (eight bytes of length, a JSON header, the
data), which gives views without a copy, bfloat16, and errors that say what is wrong with the file.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from laya.errors import CheckpointError, CheckpointNotFoundError
from laya.model.files import LFS_ADVICE, is_lfs_pointer
from laya.model.quantised import COLUMNS_SUFFIX, SCALE_SUFFIX, dequantise, is_small, small_shape

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from laya.request import FloatArray

_MAX_HEADER: Final = 100_000_000
_TRUNCATED: Final = "the file is probably truncated; download or copy it again"
_ALL: Final = slice(None)
_BESIDE: Final = (SCALE_SUFFIX, COLUMNS_SUFFIX)
# bfloat16 has no numpy type: its bits are read as uint16.
_DTYPES: Final[dict[str, np.dtype[Any]]] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "BF16": np.dtype("<u2"),
    "I64": np.dtype("<i8"),
    "I32": np.dtype("<i4"),
    "I16": np.dtype("<i2"),
    "I8": np.dtype("i1"),
    "U8": np.dtype("u1"),
    "BOOL": np.dtype("?"),
}


@dataclass(frozen=True, slots=True)
class _Entry:
    dtype: str
    shape: tuple[int, ...]
    start: int
    stop: int


class Tensors:
    """The tensors of one safetensors file.

    A weight stored in eight or four bits (`laya.model.quantised`) is one tensor here, of the weight's shape: what is
    stored beside it is not listed.

    Raises:
        CheckpointNotFoundError: there is no such file.
        CheckpointError: the file is truncated, a Git LFS pointer, or not safetensors.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        start, entries = _read_header(path)
        self._entries = entries
        size = max((entry.stop for entry in entries.values()), default=0)
        self._data: npt.NDArray[np.uint8] = (
            np.memmap(path, np.uint8, "r", offset=start, shape=(size,)) if size else np.empty(0, np.uint8)
        )
        self._names = tuple(name for name in entries if not self._is_beside(name))

    def _is_beside(self, name: str) -> bool:
        """Whether a tensor only says how another one is to be read."""
        return any(name.endswith(end) and self._is_small(name.removesuffix(end)) for end in _BESIDE)

    def _is_small(self, name: str) -> bool:
        entry = self._entries.get(name)
        return entry is not None and is_small(_DTYPES[entry.dtype], entry.shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def shape(self, name: str) -> tuple[int, ...]:
        """Shape of a tensor.

        Raises:
            CheckpointError: it is stored in four bits, and not as such tensors are.
        """
        shape = self._entries[name].shape
        return small_shape(name, shape, self._beside(name, COLUMNS_SUFFIX)) if self._is_small(name) else shape

    def dtype(self, name: str) -> str:
        """Stored type of a tensor as safetensors writes it: "F32", "F16", "BF16", "I8", ..."""
        return self._entries[name].dtype

    def is_plain(self, name: str, dtype: str) -> bool:
        """Whether a tensor is stored as `dtype` at an address where it can be read in place."""
        return self.dtype(name) == dtype and self.raw(name).flags.aligned

    def raw(self, name: str) -> npt.NDArray[Any]:
        """A read-only view of the stored values; bfloat16 as its bits in uint16."""
        entry = self._entries[name]
        return self._data[entry.start : entry.stop].view(_DTYPES[entry.dtype]).reshape(entry.shape)

    def array(self, name: str, rows: slice = _ALL) -> FloatArray:
        """The tensor, or some of its rows, as float32.

        Returns:
            A read-only view of the file where the tensor is stored as float32, a fresh array otherwise.
        """
        raw = self.raw(name)[rows]
        dtype = self.dtype(name)
        if dtype == "BF16":
            return (raw.astype(np.uint32) << 16).view(np.float32)
        if self._is_small(name):
            scales = {each: scale[rows] for each, scale in self._beside(name, SCALE_SUFFIX).items()}
            return dequantise(name, {name: raw} | scales | self._beside(name, COLUMNS_SUFFIX))
        if dtype == "F32" and raw.flags.aligned:
            return raw
        return raw.astype(np.float32)

    def _beside(self, name: str, suffix: str) -> dict[str, npt.NDArray[Any]]:
        """The tensor of that name with a suffix, by its name, if there is one."""
        full = name + suffix
        return {full: self.raw(full)} if full in self._entries else {}


def _read_header(path: Path) -> tuple[int, dict[str, _Entry]]:
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            start = file.read(64)
            if is_lfs_pointer(start):
                raise _broken(path, LFS_ADVICE)
            if len(start) < 8:
                raise _broken(path, f"it holds {size} bytes; {_TRUNCATED}")
            (length,) = struct.unpack("<Q", start[:8])
            if length > _MAX_HEADER:
                raise _broken(path, f"its header claims {length} bytes; this is not a safetensors file")
            if 8 + length > size:
                raise _broken(path, f"its header needs {8 + length} bytes and the file has {size}; {_TRUNCATED}")
            file.seek(8)
            header = file.read(length)
    except FileNotFoundError as exc:
        raise CheckpointNotFoundError(f"{str(path)!r} does not exist", path=str(path)) from exc
    except OSError as exc:
        raise CheckpointError(f"cannot read {str(path)!r}: {exc.strerror or exc}", path=str(path)) from exc
    return 8 + length, _parse_header(path, header, size - 8 - length)


def _broken(path: Path, reason: str) -> CheckpointError:
    return CheckpointError(f"cannot read {str(path)!r}: {reason}", path=str(path))


def _parse_header(path: Path, header: bytes, available: int) -> dict[str, _Entry]:
    try:
        values = json.loads(header)
    except (ValueError, RecursionError) as exc:
        raise _broken(
            path, f"its header is not JSON ({exc}); this is not a safetensors file, or it is damaged"
        ) from exc
    if not isinstance(values, dict):
        raise _broken(path, "its header is not a JSON object; this is not a safetensors file")
    values.pop("__metadata__", None)
    entries = {name: _entry(path, name, value) for name, value in values.items()}
    needed = max((entry.stop for entry in entries.values()), default=0)
    if needed > available:
        raise _broken(path, f"its tensors need {needed} bytes and {available} are there; {_TRUNCATED}")
    return entries


def _entry(path: Path, name: str, value: Any) -> _Entry:
    try:
        dtype, shape, (start, stop) = value["dtype"], tuple(value["shape"]), value["data_offsets"]
        whole = all(type(number) is int and number >= 0 for number in (*shape, start, stop))
        fits = whole and dtype in _DTYPES and stop - start == math.prod(shape) * _DTYPES[dtype].itemsize
    except (KeyError, TypeError, ValueError) as exc:
        raise _broken(path, f"the header entry of tensor {name!r} is damaged") from exc
    if whole and dtype not in _DTYPES:
        raise _broken(path, f"tensor {name!r} has type {dtype!r}; supported are {', '.join(_DTYPES)}")
    if not fits:
        raise _broken(path, f"the header entry of tensor {name!r} does not fit its type and shape")
    return _Entry(dtype, shape, start, stop)
