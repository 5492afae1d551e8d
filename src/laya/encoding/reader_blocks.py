"""Tokens and markers of a question to attention blocks.

The tokens of a question are those of its instructions and then of its options; a marker stands for each option. A
token sees the instructions and its own option, a marker sees what its option sees and all markers. So a question of
many options is cut into blocks of whole options: a block holds some options, with their markers, as rows that ask, and
the instructions, the same options and all markers as rows that are seen. The work then grows with the tokens, not with
their square. The instructions ask in the first block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.request import IntArray

OptionArray = npt.NDArray[np.int32]

EMPTY: Final = 2**30
"""Option number of an empty slot: no row has it."""
UNIT: Final = 16
"""The number of slots that are seen is a multiple of this: sums over whole vectors have no remainder, which some
processors add in another order."""
STEP: Final = 8
"""The number of rows that ask is rounded up to a multiple of this."""
ASKING: Final = 256
"""Rows that ask in one block at most, unless a single option has more."""


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """How the rows of a question lie in B blocks. Filled by `lay_out`.

    Rows are T tokens and then k markers, one for each option, or none.
    """

    tokens: int
    markers: int
    option: OptionArray
    """[T + k] 0 instructions, n token of option n, -n its marker; options count from 1."""
    block: IntArray
    """[T + k] block in which a row asks."""
    column: IntArray
    """[T + k] place among the rows that ask there."""
    marker_column: IntArray
    """[k] place among the markers that ask there."""
    key_index: IntArray
    """[B, K] rows that are seen; K is a multiple of `UNIT`."""
    key_option: OptionArray
    """[B, K] their option numbers, `EMPTY` in empty slots."""

    @property
    def count(self) -> int:
        """Number of blocks."""
        return len(self.key_index)

    @property
    def width(self) -> int:
        """Slots for rows that are seen."""
        return int(self.key_index.shape[1])

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        arrays = (self.option, self.block, self.column, self.marker_column, self.key_index, self.key_option)
        return sum(array.nbytes for array in arrays)


def lay_out(instructions: int, options: Sequence[int], *, marked: bool) -> Blocks:
    """Blocks of a question.

    Args:
        instructions: tokens of the instructions.
        options: tokens of each option.
        marked: whether there are markers.
    """
    k = len(options) if marked else 0
    ends = instructions + np.concatenate([[0], np.cumsum(options, dtype=np.int64)])
    total = int(ends[-1])
    numbers = np.arange(1, len(options) + 1)
    option = np.concatenate([np.zeros(instructions), np.repeat(numbers, options), -numbers[:k]]).astype(np.int32)
    shared, markers = np.arange(instructions), np.arange(total, total + k)
    block, column = np.zeros((2, total + k), dtype=np.int64)
    seen = []
    for b, (first, last) in enumerate(_spans(instructions, options, marked=marked)):
        own = np.arange(ends[first], ends[last])
        asking = np.concatenate([shared if b == 0 else shared[:0], own, markers[first:last]])
        block[asking], column[asking] = b, np.arange(len(asking))
        seen.append(np.concatenate([shared, own, markers]))
    key_index = np.zeros((len(seen), round_up(max(map(len, seen)), UNIT)), dtype=np.int64)
    key_option = np.full(key_index.shape, EMPTY, dtype=np.int32)
    for b, rows in enumerate(seen):
        key_index[b, : len(rows)], key_option[b, : len(rows)] = rows, option[rows]
    return Blocks(
        tokens=total,
        markers=k,
        option=option,
        block=block,
        column=column,
        marker_column=count_up(block[total:]),
        key_index=key_index,
        key_option=key_option,
    )


def count_up(group: IntArray) -> IntArray:
    """How many entries before each are of the same group; groups are numbered from 0."""
    counts = np.bincount(group)
    column = np.empty(len(group), dtype=np.int64)
    column[np.argsort(group, kind="stable")] = np.arange(len(group)) - np.repeat(np.cumsum(counts) - counts, counts)
    return column


def round_up(count: int, unit: int) -> int:
    """The least positive multiple of `unit` that is not below `count`."""
    return max(1, -(-count // unit)) * unit


def _spans(instructions: int, options: Sequence[int], *, marked: bool) -> list[tuple[int, int]]:
    """First option of each block, and one past its last."""
    spans, first, taken = [], 0, instructions
    for i, size in enumerate(options):
        rows = size + marked
        if i > first and taken + rows > ASKING:
            spans.append((first, i))
            first, taken = i, 0
        taken += rows
    spans.append((first, len(options)))
    return spans
