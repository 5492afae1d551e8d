"""Small weights on disk: eight bits with a scale a row, or four bits with a scale a block of 32.

Eight bits: a matrix `NAME` of shape [rows, columns] is stored as two tensors: `NAME`, int8 [rows, columns], and
`NAME_scale`, float32 [rows]. The weight is `NAME[r, c] * NAME_scale[r]`.

Four bits: a matrix `NAME` is stored as `NAME`, uint8 [rows, blocks, 16], and `NAME_scale`, float16 [rows, blocks]. A
block is 32 weights of a row that follow each other: its byte j holds weight j in the low half and weight 16 + j in the
high half, each plus 8. The weight is `(half - 8) * scale`. Where the columns are no multiple of 32 the last block of a
row is filled up, and a third tensor, `NAME_columns`, int32 [1], says how many columns there are.

Vectors (biases, norms) stay in floating point. Only the file is small: the weights are float32 again before anything is
computed with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from laya.errors import CheckpointError

if TYPE_CHECKING:
    from laya.request import FloatArray

    Block = npt.NDArray[np.uint8]
    Half = npt.NDArray[np.float16]

SCALE_SUFFIX: Final = "_scale"
COLUMNS_SUFFIX: Final = "_columns"
LARGEST: Final = 127
"""Largest stored magnitude in eight bits; -128 is not used, so that the grid is symmetric."""
PROBED: Final = 16
"""Columns that are looked at before a whole row is."""
NEAR: Final = 1e-3
"""Distance from a step, in steps, that is only rounding."""
BLOCK: Final = 32
"""Weights of a block."""
BYTES: Final = BLOCK // 2
"""Bytes of a block without its scale."""
ZERO: Final = 8
"""What a weight of 0 is stored as in four bits."""
MOST: Final = 15
DIVISORS: Final = (-8.0, -8.5, -7.5, -7.0, -6.5, -6.0, -5.5, 7.5, 7.0)
"""Grids that are tried for a block: its weight of largest magnitude lies at one of these steps."""
CHUNK: Final = 512
"""Rows that are widened at a time, so that what lies between the steps stays in the processor's cache."""


class Tensors(Protocol):
    """Any read-only mapping of tensor names to numpy arrays."""

    def __getitem__(self, name: str, /) -> npt.NDArray[Any]:
        """Return the tensor, or raise KeyError."""

    def __contains__(self, name: object, /) -> bool:
        """Whether there is such a tensor."""


def quantise(weight: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int8], FloatArray]:
    """Round a matrix to eight bits, row by row.

    The largest weight of a row becomes step 127, unless the row already consists of multiples of some scale of which
    the largest is at most the 127th: then it keeps that grid, and comes back but for the last bits.

    Args:
        weight: [rows, columns], finite.

    Returns:
        The int8 matrix and the float32 scales [rows]; a row of zeros has scale 1.
    """
    wide = np.asarray(weight, dtype=np.float32)
    largest = np.abs(wide).max(axis=1)
    scale = largest / _steps_of_rows(wide, largest)
    scale[scale == 0] = 1.0
    # Below this the scale itself would be rounded, and 127 steps of it would be far off.
    scale = np.maximum(scale, np.finfo(np.float32).tiny)
    steps = np.clip(np.rint(wide / scale[:, None]), -LARGEST, LARGEST)
    return steps.astype(np.int8), scale


def _steps_of_rows(wide: FloatArray, largest: FloatArray) -> FloatArray:
    """The step [rows] that the largest weight of each row becomes."""
    found = np.full(len(wide), LARGEST, dtype=np.float32)
    open_rows = np.flatnonzero(largest / np.float32(LARGEST))
    # What is step n of one grid is step 2n, 3n, ... of finer ones, so the upper half of the steps will do.
    for step in range(LARGEST, LARGEST // 2, -1):
        unit = (largest[open_rows] / np.float32(step))[:, None]
        fits = _on_steps(wide[open_rows, :PROBED], unit)
        fits[fits] = _on_steps(wide[open_rows[fits]], unit[fits])
        found[open_rows[fits]] = step
        open_rows = open_rows[~fits]
    return found


def _on_steps(wide: FloatArray, unit: FloatArray) -> npt.NDArray[np.bool_]:
    """Whether all weights of a row are multiples of its unit, up to rounding."""
    ratio = wide / unit
    fits: npt.NDArray[np.bool_] = np.abs(ratio - np.rint(ratio)).max(axis=1) < NEAR
    return fits


def quantise_blocks(weight: npt.NDArray[Any]) -> tuple[Block, Half]:
    """Round a matrix to four bits, block by block.

    Of the grids of `DIVISORS` each block takes the one with the smallest sum of squared errors. A matrix that was in
    four bits before and whose blocks reach step -8 comes back exactly.

    Args:
        weight: [rows, columns], finite, magnitudes below 300,000 (a scale is a float16).

    Returns:
        The blocks [rows, blocks, 16] and their scales [rows, blocks]. Keep the number of columns where it is no
        multiple of 32: the blocks do not tell.
    """
    wide = np.asarray(weight, dtype=np.float32)
    rows, columns = wide.shape
    padded = np.pad(wide, ((0, 0), (0, -columns % BLOCK))).reshape(rows, -1, BLOCK)
    steps = np.full(padded.shape, ZERO, dtype=np.uint8)
    scale = np.zeros(padded.shape[:2], dtype=np.float16)
    least = np.square(padded).sum(axis=2)
    extreme = np.take_along_axis(padded, np.abs(padded).argmax(axis=2)[:, :, None], axis=2)[:, :, 0]
    for divisor in DIVISORS:
        tried = (extreme / np.float32(divisor)).astype(np.float16)
        found, error = _on_grid(padded, tried.astype(np.float32)[:, :, None])
        better = error < least
        steps[better], scale[better], least[better] = found[better], tried[better], error[better]
    blocks: Block = np.bitwise_or(steps[:, :, :BYTES], np.left_shift(steps[:, :, BYTES:], 4))
    return blocks, scale


def _on_grid(padded: FloatArray, scale: FloatArray) -> tuple[npt.NDArray[np.uint8], FloatArray]:
    """Nearest steps of a grid, and the sum of squared errors of each block."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(scale == 0, np.float32(0), padded / scale)
    steps = np.clip(np.rint(ratio) + ZERO, 0, MOST)
    error: FloatArray = np.square((steps - ZERO) * scale - padded).sum(axis=2)
    return steps.astype(np.uint8), error


def stored(name: str, weight: npt.NDArray[Any], *, bits: int) -> dict[str, npt.NDArray[Any]]:
    """The tensors that a matrix is stored as.

    Args:
        name: the weight's name.
        weight: [rows, columns], finite.
        bits: 8 or 4.
    """
    small: tuple[npt.NDArray[Any], npt.NDArray[Any]] = quantise(weight) if bits == 8 else quantise_blocks(weight)
    tensors = {name: small[0], name + SCALE_SUFFIX: small[1]}
    columns = weight.shape[1]
    if bits == 4 and columns % BLOCK:
        tensors[name + COLUMNS_SUFFIX] = np.array([columns], dtype=np.int32)
    return tensors


def is_small(dtype: npt.DTypeLike, shape: tuple[int, ...]) -> bool:
    """Whether a stored tensor is a matrix in eight bits or in four (no other weight has bytes along three axes)."""
    kind = np.dtype(dtype)
    return kind == np.int8 or (kind == np.uint8 and len(shape) == 3)


def dequantise(name: str, tensors: Tensors) -> FloatArray:
    """Read one weight as float32, whether it was stored in eight bits, in four or in floating point.

    Args:
        name: the weight's name, without the suffix.
        tensors: the tensors of the file.

    Returns:
        A float32 array of the weight's shape.

    Raises:
        CheckpointError: a small tensor has no scales, or its tensors do not fit together.
        KeyError: there is no such tensor.
    """
    small = tensors[name]
    if not is_small(small.dtype, small.shape):
        plain: FloatArray = small.astype(np.float32, copy=False)
        return plain
    scale = _scale_of(name, small, tensors)
    if small.dtype == np.int8:
        weight: FloatArray = np.multiply(small, scale.astype(np.float32, copy=False)[:, None], dtype=np.float32)
        return weight
    columns = small_shape(name, small.shape, tensors)[1]
    return _widen(small, scale, columns)


def small_shape(name: str, shape: tuple[int, ...], tensors: Tensors) -> tuple[int, ...]:
    """Shape of the weight that a small tensor stands for.

    Args:
        name: the weight's name.
        shape: shape of the tensor of that name.
        tensors: the tensors of the file, or at least `NAME_columns`.

    Raises:
        CheckpointError: there are no blocks of that shape, or `NAME_columns` does not fit them.
    """
    if len(shape) != 3:
        return shape
    rows, blocks, size = shape
    if size != BYTES:
        raise CheckpointError(
            f"tensor {name!r} has shape {shape}; expected [rows, blocks, {BYTES}] for weights in four bits", path=name
        )
    given = name + COLUMNS_SUFFIX
    if given not in tensors:
        return rows, blocks * BLOCK
    counted = tensors[given]
    columns = int(counted[0]) if counted.shape == (1,) and counted.dtype.kind == "i" else -1
    if not (blocks - 1) * BLOCK < columns <= blocks * BLOCK:
        raise CheckpointError(
            f"tensor {given!r} is {counted.tolist()} for {blocks} blocks of {BLOCK} columns; "
            f"expected one integer from {(blocks - 1) * BLOCK + 1} to {blocks * BLOCK}",
            path=name,
        )
    return rows, columns


def _scale_of(name: str, small: npt.NDArray[Any], tensors: Tensors) -> npt.NDArray[Any]:
    eight = small.dtype == np.int8
    what, unit, axes = ("int8", "row", 2) if eight else ("in four bits", "block", 3)
    scale_name = name + SCALE_SUFFIX
    if scale_name not in tensors:
        raise CheckpointError(
            f"tensor {name!r} is {what} but {scale_name!r} is missing; store the scales of its {unit}s beside it",
            path=name,
        )
    scale = tensors[scale_name]
    if small.ndim != axes or scale.shape != small.shape[:-1]:
        raise CheckpointError(
            f"tensor {scale_name!r} has shape {scale.shape} for {'an int8 tensor' if eight else 'blocks'} of shape "
            f"{small.shape}; expected a matrix and one scale a {unit}",
            path=name,
        )
    return scale


def _widen(blocks: Block, scale: npt.NDArray[Any], columns: int) -> FloatArray:
    rows, count, _ = blocks.shape
    weight = np.empty((rows, count, BLOCK), dtype=np.float32)
    wide_scale = scale.astype(np.float32)[:, :, None]
    steps = np.empty((min(rows, CHUNK), count, BLOCK), dtype=np.uint8)
    for start in range(0, rows, CHUNK):
        part = blocks[start : start + CHUNK]
        here = steps[: len(part)]
        np.bitwise_and(part, MOST, out=here[:, :, :BYTES])
        np.right_shift(part, 4, out=here[:, :, BYTES:])
        here -= ZERO  # wraps around; the bits are those of the signed difference
        np.multiply(here.view(np.int8), wide_scale[start : start + CHUNK], out=weight[start : start + CHUNK])
    flat = weight.reshape(rows, count * BLOCK)
    return flat if columns == count * BLOCK else np.ascontiguousarray(flat[:, :columns])
