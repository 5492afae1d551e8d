"""Questions, and pairs of states and questions, to the batches of the reader graphs.

What a row sees lies in the first slots of its block. Empty slots behind it weigh exactly nothing, so the score of a
pair does not depend on what else is in its batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from laya.encoding.reader_blocks import EMPTY, STEP, UNIT, Blocks, OptionArray, count_up, lay_out, round_up
from laya.encoding.reader_match import cosine
from laya.request import PairBatch, QuestionBatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from laya.request import FloatArray, IntArray, QuestionTokens

NARROW: Final = 64
"""Blocks and states up to this size share batches whatever their size, larger ones with those of like size."""
LARGEST: Final = 1024
"""Rows of a batch, tokens of its states included, unless a single pair has more."""


@dataclass(frozen=True, slots=True, eq=False)
class LayeredQuestion:
    """What trunk and reader said of a question: the payload of a `Head`. Filled by `LayeredReader.payload`."""

    read: QuestionTokens
    vectors: FloatArray
    """[k, D] unit vector of each marker's text."""
    blocks: Blocks
    slots: IntArray
    """[k] slot of each option."""
    place: FloatArray
    """[k, 3] place of each level in its scale; zeros where the options are no levels."""
    tau: float
    """Scale of the cosine of an option with the state in its logit; 0 where it is no part of it."""
    residual: float
    """Scale of what the layers say."""

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        read = self.read
        arrays = (read.tokens, read.query, read.key, read.value, read.markers, read.paired, self.vectors, self.slots)
        return sum(array.nbytes for array in arrays) + self.blocks.nbytes


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One question about one state."""

    number: int
    """The caller's number of the pair."""
    question: LayeredQuestion
    state: int
    """The caller's number of the state."""
    hidden: FloatArray
    """[n, D * taps] hidden states of the state's tokens."""
    vector: FloatArray
    """[D] unit vector of the state."""

    @property
    def cosine(self) -> FloatArray:
        """[k] cosine of each marker's text with the state."""
        return cosine(self.question.vectors, self.vector)

    @property
    def size(self) -> tuple[int, int]:
        """Class of size of its blocks and of its state; pairs of one class share batches."""
        return _size(self.question.blocks.width), _size(len(self.hidden))


def question_batch(texts: Sequence[FloatArray], segments: Sequence[int], vectors: FloatArray) -> QuestionBatch:
    """The batch of one question.

    Args:
        texts: hidden states [n, D * taps] of the tokens of the instructions and of each option; some may have none, but
            not all.
        segments: kind of each option: 1 choice option, 2 level, 3 denial, 4 statement.
        vectors: [k, D] unit vectors of the options.
    """
    sizes = [len(text) for text in texts]
    blocks = lay_out(sizes[0], sizes[1:], marked=False)
    query = _Slots(blocks.block, blocks.column, blocks.option)
    return QuestionBatch(
        hidden=np.concatenate(texts),
        segment=np.repeat(np.array([0, *segments]), sizes),
        option=vectors,
        kind=np.array(segments) - 1,
        key_index=blocks.key_index,
        key_option=blocks.key_option,
        query_index=query.index,
        query_option=query.option,
        query_place=query.place,
    )


def batches(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Cut pairs into groups that run together: of like size, state by state, and not too large."""
    group: list[Pair] = []
    total = 0
    for pair in sorted(pairs, key=lambda one: (one.size, one.state, one.number)):
        rows, tokens = pair.question.blocks.tokens + pair.question.blocks.markers, len(pair.hidden)
        cost = rows if group and group[-1].state == pair.state else rows + tokens
        if group and (total + cost > LARGEST or group[0].size != pair.size):
            yield group
            group, total, cost = [], 0, rows + tokens
        group.append(pair)
        total += cost
    if group:
        yield group


def pair_batch(pairs: Sequence[Pair]) -> PairBatch:
    """The batch of some pairs; those of one state lie together."""
    rows = _Rows(pairs)
    t = rows.tokens
    query = _Slots(rows.block, rows.column, rows.option)
    marker = _Slots(rows.block[t:], rows.marker_column, rows.option[t:])
    visit = _Slots(rows.group, count_up(rows.group), rows.option)
    marker_visit = _Slots(rows.group[t:], count_up(rows.group[t:]), rows.option[t:])
    state_hidden, state_index = _states(pairs)
    read = [pair.question.read for pair in pairs]
    return PairBatch(
        tokens=np.concatenate([one.tokens for one in read]),
        query=np.concatenate([one.query for one in read]),
        key=np.concatenate([one.key for one in read]),
        value=np.concatenate([one.value for one in read]),
        markers=np.concatenate([one.markers for one in read]),
        paired=np.concatenate([one.paired for one in read]),
        state_vector=np.concatenate([np.tile(pair.vector, (pair.question.blocks.markers, 1)) for pair in pairs]),
        cosine=np.concatenate([pair.cosine for pair in pairs])[:, None],
        place=np.concatenate([pair.question.place for pair in pairs]),
        key_index=rows.key_index,
        key_option=rows.key_option,
        query_index=query.index,
        query_option=query.option,
        query_place=query.place,
        marker_index=marker.index,
        marker_option=marker.option,
        marker_place=marker.place,
        state_hidden=state_hidden,
        state_index=state_index,
        visit_index=visit.index,
        visit_place=visit.place,
        marker_visit_index=marker_visit.index,
        marker_visit_place=marker_visit.place,
    )


class _Slots:
    """Rows that ask, in blocks of equal width.

    Args:
        block: [R] block of each row; every block has one.
        column: [R] its place there.
        option: [R] its option number.
    """

    def __init__(self, block: IntArray, column: IntArray, option: OptionArray) -> None:
        count, width = int(block.max()) + 1, round_up(int(column.max()) + 1, STEP)
        self.place = block * width + column
        """[R] slot of each row."""
        self.index = np.zeros((count, width), dtype=np.int64)
        """[blocks, width] row of each slot."""
        self.option = np.full((count, width), EMPTY, dtype=np.int32)
        """[blocks, width] option number of each slot."""
        self.index.ravel()[self.place], self.option.ravel()[self.place] = np.arange(len(block)), option


class _Rows:
    """The blocks of several pairs as one: rows are the tokens of all, then the markers of all."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        questions = [pair.question.blocks for pair in pairs]
        self._questions = questions
        self.tokens = sum(one.tokens for one in questions)
        self.option = self._tokens_first([one.option for one in questions])
        self.column = self._tokens_first([one.column for one in questions])
        self.marker_column = np.concatenate([one.marker_column for one in questions])
        blocks = []
        slots = (sum(one.count for one in questions), max(one.width for one in questions))
        self.key_index = np.zeros(slots, dtype=np.int64)
        self.key_option = np.full(slots, EMPTY, dtype=np.int32)
        block, token, marker = 0, 0, self.tokens
        for one in questions:
            blocks.append(one.block + block)
            mine = slice(block, block + one.count), slice(0, one.width)
            # A marker is numbered after the tokens of its own question, here after those of all.
            self.key_index[mine] = one.key_index + np.where(one.key_option < 0, marker - one.tokens, token)
            self.key_option[mine] = one.key_option
            block, token, marker = block + one.count, token + one.tokens, marker + one.markers
        self.block = self._tokens_first(blocks)
        groups = np.cumsum([i > 0 and pair.state != pairs[i - 1].state for i, pair in enumerate(pairs)])
        self.group = self._tokens_first([np.full(len(q.option), g) for q, g in zip(questions, groups, strict=True)])

    def _tokens_first(self, values: Sequence[npt.NDArray[Any]]) -> npt.NDArray[Any]:
        both = list(zip(values, self._questions, strict=True))
        return np.concatenate([*(v[: q.tokens] for v, q in both), *(v[q.tokens :] for v, q in both)])


def _size(count: int) -> int:
    return max(NARROW - 1, count - 1).bit_length()


def _states(pairs: Sequence[Pair]) -> tuple[FloatArray, IntArray]:
    """Hidden states [S, W] of the states, each once, and the token of each slot [G, N], -1 where empty."""
    parts = list({pair.state: pair.hidden for pair in pairs}.values())
    index = np.full((len(parts), round_up(max(map(len, parts)), UNIT)), -1, dtype=np.int64)
    end = 0
    for line, hidden in zip(index, parts, strict=True):
        line[: len(hidden)] = np.arange(end, end + len(hidden))
        end += len(hidden)
    return np.concatenate(parts), index
