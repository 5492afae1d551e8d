"""Eight-bit weights on disk: one signed byte a weight, one scale a row.

A matrix `NAME` of shape [rows, columns] is stored as two tensors: `NAME`, int8 [rows, columns], and `NAME_scale`,
float32 [rows]. The weight is `NAME[r, c] * NAME_scale[r]`. Vectors (biases, norms) stay in floating point. Only the
file is small: the weights are float32 again before anything is computed with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from laya.errors import CheckpointError

if TYPE_CHECKING:
    from laya.request import FloatArray

SCALE_SUFFIX: Final = "_scale"
LARGEST: Final = 127
"""Largest stored magnitude; -128 is not used, so that the grid is symmetric."""


class Tensors(Protocol):
    """Any read-only mapping of tensor names to numpy arrays."""

    def __getitem__(self, name: str, /) -> npt.NDArray[Any]:
        """Return the tensor, or raise KeyError."""

    def __contains__(self, name: object, /) -> bool:
        """Whether there is such a tensor."""


def quantise(weight: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int8], FloatArray]:
    """Round a matrix to eight bits, row by row.

    Args:
        weight: [rows, columns], finite.

    Returns:
        The int8 matrix and the float32 scales [rows]; a row of zeros has scale 1.
    """
    wide = np.asarray(weight, dtype=np.float32)
    scale = np.abs(wide).max(axis=1) / np.float32(LARGEST)
    scale[scale == 0] = 1.0
    steps = np.clip(np.rint(wide / scale[:, None]), -LARGEST, LARGEST)
    return steps.astype(np.int8), scale


def dequantise(name: str, tensors: Tensors) -> FloatArray:
    """Read one weight as float32, whether it was stored in eight bits or in floating point.

    Args:
        name: the weight's name, without the suffix.
        tensors: the tensors of the file.

    Returns:
        A float32 array of the weight's shape.

    Raises:
        CheckpointError: an int8 tensor has no scales, or scales of another shape.
        KeyError: there is no such tensor.
    """
    stored = tensors[name]
    if stored.dtype != np.int8:
        plain: FloatArray = stored.astype(np.float32, copy=False)
        return plain
    scale_name = name + SCALE_SUFFIX
    if scale_name not in tensors:
        raise CheckpointError(
            f"tensor {name!r} is int8 but {scale_name!r} is missing; store the scales of its rows beside it",
            path=name,
        )
    scale = tensors[scale_name]
    if stored.ndim != 2 or scale.shape != stored.shape[:1]:
        raise CheckpointError(
            f"tensor {scale_name!r} has shape {scale.shape} for an int8 tensor of shape {stored.shape}; "
            f"expected a matrix and one scale a row",
            path=name,
        )
    weight: FloatArray = np.multiply(stored, scale.astype(np.float32, copy=False)[:, None], dtype=np.float32)
    return weight
