"""The published layouts: one row per (state, question), question half first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from laya.encoding.head import build_head
from laya.errors import BudgetError
from laya.request import EncodedRow, Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.encoding.tokenizer import TextEncoder
    from laya.request import Budget, EncodedState, Head, IntArray, Question, RowOutput

JointName = Literal["sequential", "parallel"]


class JointLayout:
    """Lays a state behind a question: CLS, instructions, SEP, (MASK option)*, SEP, state, SEP.

    Args:
        encoder: tokenizer of the checkpoint.
        layout: "sequential" numbers all tokens in a row; "parallel" starts every option at the same position and lets
            it see the shared tokens and itself only.
    """

    def __init__(self, encoder: TextEncoder, layout: JointName) -> None:
        self.encoder = encoder
        self.layout = layout
        self._sep = np.array([encoder.sep_id], dtype=np.int64)

    def head(self, question: Question, budget: Budget) -> Head:
        """Question half of every row of `question`, cut to `budget.head_max_len`; depends on nothing else."""
        return build_head(self.encoder, question, budget, parallel=self.layout == "parallel")

    def measure(self, question: Question, budget: Budget) -> Head:
        """The same as `head`, which runs no forward pass in this layout."""
        return self.head(question, budget)

    def rows(self, states: Sequence[EncodedState], heads: Sequence[Head], budget: Budget) -> list[EncodedRow]:
        """Rows of all pairs: those of the first state in the order of `heads`, then those of the next.

        Raises:
            BudgetError: the markers of a question do not fit in `budget.max_len`.
        """
        for head in heads:
            _check_markers(head, budget)
        return [self._row(state, head, budget.max_len) for state in states for head in heads]

    def scores(
        self,
        states: Sequence[EncodedState],
        heads: Sequence[Head],
        rows: Sequence[EncodedRow],
        outputs: Sequence[RowOutput],
    ) -> list[Scores]:
        """Outcome of every pair, in the order of `rows`; the states and heads they were made of are not needed."""
        del states, heads, rows
        return [Scores(logits=output.logits, act=output.act) for output in outputs]

    def state_room(self, heads: Sequence[Head], budget: Budget) -> int:
        """Tokens of a state that fit beside the longest question, with the separator that ends a row."""
        return max(0, budget.max_len - max(len(head.ids) for head in heads) - 1)

    def tokens_read(self, rows: Sequence[EncodedRow], heads: Sequence[Head]) -> int:
        """Tokens that the encoder reads for one state, given its rows: each row repeats its question's half."""
        del heads
        return sum(row.length for row in rows)

    def _row(self, state: EncodedState, head: Head, max_len: int) -> EncodedRow:
        part = _cut(state, max(0, max_len - len(head.ids) - 1))
        tail = np.arange(head.state_position, head.state_position + len(part) + 1)
        shared = np.zeros(len(part) + 1, dtype=np.int64)
        return EncodedRow(
            ids=np.concatenate([head.ids, part, self._sep])[:max_len],
            positions=np.concatenate([head.positions, tail])[:max_len],
            options=np.concatenate([head.options, shared])[:max_len],
            markers=head.markers,
            type_index=head.question.type_index,
            state_used=len(part),
        )


def _cut(state: EncodedState, room: int) -> IntArray:
    """The part of a state that fits: the end of a conversation, the beginning of anything else."""
    dropped = max(0, len(state.ids) - room)
    return state.ids[dropped:] if state.keep_tail else state.ids[:room]


def _check_markers(head: Head, budget: Budget) -> None:
    k = len(head.markers)
    fitting = int(np.count_nonzero(head.markers < budget.max_len))
    if fitting < k:
        qid = head.question.id
        raise BudgetError(
            f"question {qid!r}: only {fitting} of its {k} option markers fit in max_len={budget.max_len} with "
            f"head_max_len={budget.head_max_len} spent on the question; lower head_max_len, raise max_len, "
            "or use fewer options",
            question=qid,
        )
