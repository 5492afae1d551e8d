"""The reader layout: a state, and each text of a question, is read by the trunk on its own.

A text is read as CLS, text, SEP, with the checkpoint's prefix before the text if it has one, and pooled into one unit
vector: the mean of its token vectors, divided by its length.
What the trunk says of a question depends on the question alone, so it is computed once; a state is read once for any
number of questions. No text sees another, so the order of options cannot matter.

Which texts there are, and how they are compared with the state, is said in `reader_match` for a checkpoint without
reader layers, and in `reader_layers` for one with them. The numbers come from the `reader` object of
`rl_agent_config.json`, see `ReaderRules`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from laya.encoding.pack import pack_rows, unpack
from laya.encoding.reader_layers import Engine, LayeredReader
from laya.encoding.reader_match import Matcher, pool
from laya.encoding.reader_rules import ReaderRules
from laya.encoding.reader_texts import layered_texts, open_label, question_texts
from laya.errors import BudgetError
from laya.request import EncodedRow, Head

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from laya.encoding.tokenizer import TextEncoder
    from laya.request import Budget, EncodedState, FloatArray, IntArray, Question, RowOutput, Scores

__all__ = ["ReaderLayout", "layered_texts", "open_label", "question_texts"]

NOTHING: Final = np.zeros(0, dtype=np.int64)
ENDS: Final = 2
"""Tokens of every row: CLS and SEP."""


class Method(Protocol):
    """How texts are compared with a state."""

    @property
    def leading(self) -> int:
        """Texts before those of the options."""

    def texts(self, question: Question) -> list[str]:
        """Texts of a question that are read."""

    def payload(self, question: Question, rows: Sequence[EncodedRow], hidden: Sequence[FloatArray]) -> Any:
        """What is kept of a question, given the rows of its texts and their hidden states."""

    def scores(self, heads: Sequence[Head], states: Sequence[FloatArray]) -> list[Scores]:
        """Scores of every question of the first state, then of the second, given the hidden states of each."""


class ReaderLayout:
    """Compares what a trunk says of options and of states.

    Args:
        encoder: tokenizer of the checkpoint.
        config: the `reader` object of its config.
        trunk: runtime that returns hidden states, and runs the reader layers where there are any; safe under threads.

    Raises:
        CheckpointError: the config asks for something that this version cannot run.
    """

    def __init__(self, encoder: TextEncoder, config: Mapping[str, Any], trunk: Engine) -> None:
        self.encoder = encoder
        self.rules = ReaderRules.from_config(config)
        self._trunk = trunk
        (self._prefix,) = encoder.encode([self.rules.prefix])
        self._around = ENDS + len(self._prefix)
        before = self._around - 1
        self._method: Method = LayeredReader(self.rules, trunk, before) if self.rules.layers else Matcher(self.rules)

    def head(self, question: Question, budget: Budget) -> Head:
        """Read the texts of a question.

        Args:
            question: what is asked.
            budget: each text, with CLS and SEP, is cut to the smaller of `head_max_len` and `max_len` tokens.

        Raises:
            BudgetError: the budget leaves no room for text.
            ForwardError: the trunk failed.
        """
        texts = self._texts(question, budget)
        hidden = self._read(texts.rows, lambda output: output.hidden)
        return replace(texts.head(), payload=self._method.payload(question, texts.rows, hidden))

    def measure(self, question: Question, budget: Budget) -> Head:
        """What `head` returns but for its payload: tokens and cuts, with nothing read. Errors as for `head`."""
        return self._texts(question, budget).head()

    def _texts(self, question: Question, budget: Budget) -> _Texts:
        room = self._room(min(budget.head_max_len, budget.max_len), question)
        texts = self.encoder.encode(self._method.texts(question))
        return _Texts(
            question=question,
            rows=[self._row(ids[:room]) for ids in texts],
            dropped=[max(0, len(ids) - room) for ids in texts],
            room=room,
            leading=self._method.leading,
        )

    def rows(self, states: Sequence[EncodedState], heads: Sequence[Head], budget: Budget) -> list[EncodedRow]:
        """One row a state, whatever the number of questions; a list keeps its end, anything else its beginning.

        Raises:
            BudgetError: `budget.max_len` leaves no room for a state.
        """
        del heads
        room = self._room(budget.max_len)
        return [self._row(state.ids[-room:] if state.keep_tail else state.ids[:room]) for state in states]

    def scores(
        self,
        states: Sequence[EncodedState],
        heads: Sequence[Head],
        rows: Sequence[EncodedRow],
        outputs: Sequence[RowOutput],
    ) -> list[Scores]:
        """Scores of every question of the first state, then of the second, and so on; one row and output a state."""
        del states, rows
        return self._method.scores(heads, [output.hidden for output in outputs])

    def embed(self, texts: Sequence[str], max_len: int) -> FloatArray:
        """Unit vectors [n, D] of texts, each cut to `max_len` tokens with CLS and SEP.

        Raises:
            ForwardError: the trunk failed.
        """
        room = self._room(max_len)
        rows = [self._row(ids[:room]) for ids in self.encoder.encode(texts)]
        return np.stack(self._read(rows, lambda output: pool(output.hidden, self.rules.taps)))

    def state_room(self, heads: Sequence[Head], budget: Budget) -> int:
        """Tokens of a state that fit into a row: the questions are not in it."""
        del heads
        return max(0, budget.max_len - self._around)

    def tokens_read(self, rows: Sequence[EncodedRow], heads: Sequence[Head]) -> int:
        """Tokens that the trunk reads for one state: the state once, and the texts of every question."""
        return sum(row.length for row in rows) + sum(head.tokens for head in heads)

    def _row(self, text: IntArray) -> EncodedRow:
        ids = np.concatenate([[self.encoder.cls_id], self._prefix, text, [self.encoder.sep_id]])
        return EncodedRow(
            ids=ids,
            positions=np.arange(len(ids), dtype=np.int64),
            options=np.zeros(len(ids), dtype=np.int64),
            markers=NOTHING,
            type_index=0,
            state_used=len(text),
        )

    def _room(self, length: int, question: Question | None = None) -> int:
        """Tokens that a budget leaves to the text of a row."""
        if length > self._around:
            return length - self._around
        who = f"question {question.id!r}: " if question else ""
        raise BudgetError(
            f"{who}a budget of {length} tokens leaves no room for text between CLS and SEP; "
            f"pass max_len and head_max_len of at least {self._around + 1}",
            question=question.id if question else None,
        )

    def _read(self, rows: Sequence[EncodedRow], keep: Callable[[RowOutput], FloatArray]) -> list[FloatArray]:
        """What `keep` makes of each row; distinct rows are read once, in an order that depends on the rows alone."""
        # The last bits of a matrix product depend on where a row lies in the batch, so the caller's order must not.
        distinct = {row.ids.tobytes(): row for row in rows}
        keys = sorted(distinct)
        kept: dict[bytes, FloatArray] = {}
        for batch in pack_rows([distinct[key] for key in keys], range(len(keys))):
            kept.update((keys[n], keep(output)) for n, output in unpack(batch, self._trunk.forward(batch)))
        return [kept[row.ids.tobytes()] for row in rows]


@dataclass(frozen=True, slots=True)
class _Texts:
    """The texts of a question as rows, cut to the budget."""

    question: Question
    rows: list[EncodedRow]
    dropped: list[int]
    """Tokens that each text lost."""
    room: int
    """Tokens that each had room for."""
    leading: int
    """Texts before those of the options."""

    def head(self) -> Head:
        """Tokens and cuts."""
        question, options = self.question, self.rows[self.leading :]
        # Without a statement a yes/no question is judged by its instructions.
        instructed = self.leading or int(question.type == "noul" and question.descriptions[1] is None)
        lone = len(options) < question.k
        return Head(
            question=question,
            ids=NOTHING,
            markers=NOTHING,
            positions=NOTHING,
            options=NOTHING,
            state_position=0,
            tokens=sum(row.length for row in self.rows),
            instruction_dropped=sum(self.dropped[:instructed]),
            options_dropped=sum(self.dropped[instructed:]),
            options_distinct=question.k if lone else len({row.ids.tobytes() for row in options}),
            tokens_per_option=self.room if any(self.dropped) else None,
        )
