"""Rows to batches without padding, and a runtime's answer back to rows.

Linear layers run on the tokens of all rows laid end to end. Only attention needs a rectangle: each row has a pack of
its own and fills its first slots. Empty slots behind a row weigh exactly nothing, so what is computed of a row does
not depend on its company, to the last bit; two rows in one pack would break that, as sums then start at other slots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from laya.errors import ForwardError
from laya.request import PackedBatch, RowOutput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from laya.request import EncodedRow, FloatArray, Forward, IntArray

STEP: Final = 16
"""The slots of a pack are a multiple of this."""
WASTE: Final = 64
"""Most slots, per token, that a batch's longer rows cost its shorter ones, times the length of its longest."""
NO_SCORES: Final = np.zeros(0, dtype=np.float32)
NO_ACT: Final = np.zeros((1, 0), dtype=np.float32)
NO_HIDDEN: Final = np.zeros((0, 0), dtype=np.float32)


def pack_rows(rows: Sequence[EncodedRow], numbers: Sequence[int], *, max_tokens: int = 512) -> Iterator[PackedBatch]:
    """Pack rows into batches of similar length, shortest rows first.

    Args:
        rows: rows to run, in any order; none is empty.
        numbers: the caller's number of each row; it comes back in `PackedBatch.row_numbers`.
        max_tokens: most tokens of one batch; a longer row gets a batch of its own. The default keeps what passes
            between layers in a processor's cache: on two cores 10 to 25 % faster than batches of 2048.

    Yields:
        Batches that together hold every row once.
    """
    order = sorted(range(len(rows)), key=lambda i: rows[i].length)
    group: list[int] = []
    tokens = 0
    for i in order:
        length = rows[i].length
        if group and (tokens + length > max_tokens or _wasteful(len(group) + 1, length, tokens + length)):
            yield _batch([rows[j] for j in group], [numbers[j] for j in group])
            group, tokens = [], 0
        group.append(i)
        tokens += length
    if group:
        yield _batch([rows[j] for j in group], [numbers[j] for j in group])


def _wasteful(count: int, longest: int, tokens: int) -> bool:
    """Whether attention over empty slots would cost more than another batch."""
    return (count * longest - tokens) * longest > WASTE * tokens


def _width(longest: int) -> int:
    """Slots of a pack. Whole vectors leave no remainder, which a processor may sum in another order."""
    return -(-longest // STEP) * STEP


def unpack(batch: PackedBatch, forward: Forward) -> Iterator[tuple[int, RowOutput]]:
    """Split what a runtime returned by row.

    Yields:
        The caller's number of the row and its output, in the order in which the rows lie in the batch.

    Raises:
        ForwardError: scores are missing where rows have markers, hidden states are missing where rows have none, or
            there are too few or too many of them.
    """
    scores = _part("scores", forward.scores, len(batch.out_index), NO_SCORES)
    act = _part("action logits", forward.act, batch.rows, NO_ACT)
    hidden = _part("hidden states", forward.hidden, len(batch.input_ids), NO_HIDDEN)
    wanted, tokens = batch.out_starts.tolist(), batch.row_starts.tolist()
    for r, number in enumerate(batch.row_numbers):
        # The first entry of a row is its CLS token, whose score means nothing.
        first, last = wanted[r] + 1, wanted[r + 1]
        joint = last > first
        if joint and (forward.scores is None or forward.act is None):
            raise ForwardError("the runtime returned no scores or no action logits; this layout needs a decision graph")
        if not joint and forward.hidden is None:
            raise ForwardError("the runtime returned no hidden states; this layout needs a trunk")
        yield (
            number,
            RowOutput(
                logits=scores[first:last] if joint else NO_SCORES,
                act=act[r] if joint else NO_ACT[0],
                hidden=NO_HIDDEN if forward.hidden is None else hidden[tokens[r] : tokens[r + 1]],
            ),
        )


def _part(what: str, values: FloatArray | None, wanted: int, missing: FloatArray) -> FloatArray:
    if values is not None and len(values) != wanted:
        raise ForwardError(f"the runtime returned {len(values)} {what} where the batch asks for {wanted}")
    return missing if values is None else values


def _batch(rows: list[EncodedRow], numbers: list[int]) -> PackedBatch:
    """One batch of rows that are sorted by length, shortest first."""
    count = len(rows)
    lengths = np.array([row.length for row in rows], dtype=np.int64)
    starts = _offsets(lengths)
    total, width = int(starts[-1]), _width(rows[-1].length)
    row_of_token = np.repeat(np.arange(count, dtype=np.int32), lengths)
    tokens = np.arange(total, dtype=np.int64)
    slots = tokens + (np.arange(count, dtype=np.int64) * width - starts[:-1])[row_of_token]
    row = np.full(count * width, -1, dtype=np.int32)
    option = np.zeros(count * width, dtype=np.int32)
    pack_index = np.zeros(count * width, dtype=np.int64)
    row[slots] = row_of_token
    option[slots] = _joined([r.options for r in rows])
    pack_index[slots] = tokens
    wanted = np.array([1 + len(r.markers) for r in rows], dtype=np.int64)
    return PackedBatch(
        row_numbers=tuple(numbers),
        row_starts=starts,
        input_ids=_joined([r.ids for r in rows]),
        position_ids=_joined([r.positions for r in rows]),
        type_ids=np.array([r.type_index for r in rows], dtype=np.int64)[row_of_token],
        row=row.reshape(count, width),
        option=option.reshape(count, width),
        pack_index=pack_index.reshape(count, width),
        unpack_index=slots,
        out_index=_wanted(rows, starts),
        out_starts=_offsets(wanted),
    )


def _wanted(rows: list[EncodedRow], starts: IntArray) -> IntArray:
    """Tokens whose scores are wanted: of each row its first token, then its markers."""
    parts = []
    for row, start in zip(rows, starts[:-1], strict=True):
        parts.append(start[None])
        if len(row.markers):
            parts.append(row.markers + start)
    return _joined(parts)


def _joined(parts: list[IntArray]) -> IntArray:
    return np.concatenate(parts) if len(parts) > 1 else parts[0].astype(np.int64)


def _offsets(lengths: IntArray) -> IntArray:
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
