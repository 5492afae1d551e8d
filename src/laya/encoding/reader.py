"""The reader layout: a state, and each text of a question, is read by the trunk on its own.

A text is read as CLS, text, SEP and pooled into one unit vector: the mean of its token vectors, divided by its length.
What the trunk says of a question depends on the question alone, so it is computed once; a state is read once for any
number of questions. No text sees another, so the order of options cannot matter.

Texts of a question:
    choice: `description (label)`, or the label alone. A label that is written as an identifier (`cardArrival`,
        `card_arrival`, `travel/book-flight`) is opened up into words. The instructions are not read.
    score: the text of each level. The instructions are not read.
    noul: the statement is the description of "true", or else the instructions; the denial is the description of
        "false", if there is one. Labels are not read.

Logits, with c(x) the cosine between the vector of text x and that of the state:
    choice, score: `tau * c(option)`.
    noul: 0 for false, `tau * (c(statement) - rival)` for true. The rival is `noul_bias` where there is no denial, and
        else the larger of `c(denial)` and `noul_floor`. A denial whose vector is nearer than `noul_same` to that of the
        statement says the same to this trunk, as a mere negation does, and counts as none.

The numbers come from the `reader` object of `rl_agent_config.json`, see `ReaderRules`.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from laya.encoding.pack import pack_rows, unpack
from laya.errors import BudgetError, CheckpointError
from laya.request import EncodedRow, Head, Scores

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.encoding.tokenizer import TextEncoder
    from laya.request import Budget, EncodedState, FloatArray, Forward, IntArray, PackedBatch, Question, RowOutput

NOTHING: Final = np.zeros(0, dtype=np.int64)
NO_ACTION: Final = np.zeros(1, dtype=np.float32)
AROUND: Final = 2
"""Tokens of a row besides its text: CLS and SEP."""
SHORTEST: Final = 1e-12
"""Length below which a pooled vector counts as zero and is left alone."""
SEPARATORS: Final = re.compile(r"[_/.\-]+")
HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Trunk(Protocol):
    """The part of a runtime that this layout needs."""

    def forward(self, batch: PackedBatch) -> Forward:
        """Run a packed batch and return the hidden states of its tokens."""


@dataclass(frozen=True, slots=True)
class ReaderRules:
    """The numbers of the rules above.

    Attributes:
        tau: scale of the cosine for choice, score and noul.
        noul_bias: cosine at which a lone statement is as likely to hold as not.
        noul_floor: cosine that a statement must exceed to be likely, however far away the denial is.
        noul_same: cosine between statement and denial above which they count as one text.
    """

    tau: tuple[float, float, float]
    noul_bias: float = 0.2
    noul_floor: float = -1.0
    noul_same: float = 1.0

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> ReaderRules:
        """Read the `reader` object of a checkpoint's config.

        Raises:
            CheckpointError: a value is missing or of a kind that this version cannot run.
        """
        for key, wanted in (("layers", 0), ("pooling", "mean"), ("normalise", True)):
            if config.get(key, wanted) != wanted:
                raise _unusable(key, config[key], f"{wanted!r} is all that this version runs; install a newer one")
        tau = config.get("tau")
        if not isinstance(tau, list | tuple) or len(tau) != 3:
            raise _unusable("tau", tau, "it must be three numbers: choice, score, noul")
        choice, score, noul = (_number("tau", value) for value in tau)
        names = ("noul_bias", "noul_floor", "noul_same")
        given = {name: _number(name, config[name]) for name in names if name in config}
        return cls(tau=(choice, score, noul), **given)


@dataclass(frozen=True, slots=True, eq=False)
class ReaderHead:
    """What the trunk said of a question: the payload of a `Head`. Filled by `ReaderLayout.head`."""

    vectors: FloatArray
    """[m, D] unit vectors: the options in slot order, or the statement and, if it competes, the denial."""


class ReaderLayout:
    """Compares what a trunk says of options and of states.

    Args:
        encoder: tokenizer of the checkpoint.
        config: the `reader` object of its config.
        trunk: runtime that returns hidden states; safe under threads.

    Raises:
        CheckpointError: the config asks for something that this version cannot run.
    """

    def __init__(self, encoder: TextEncoder, config: Mapping[str, Any], trunk: Trunk) -> None:
        self.encoder = encoder
        self.rules = ReaderRules.from_config(config)
        self._trunk = trunk

    def head(self, question: Question, budget: Budget) -> Head:
        """Read the texts of a question.

        Args:
            question: what is asked.
            budget: each text, with CLS and SEP, is cut to the smaller of `head_max_len` and `max_len` tokens.

        Raises:
            BudgetError: the budget leaves no room for text.
            ForwardError: the trunk failed.
        """
        room = _room(min(budget.head_max_len, budget.max_len), question)
        texts = self.encoder.encode(question_texts(question))
        rows = [self._row(ids[:room]) for ids in texts]
        dropped = [max(0, len(ids) - room) for ids in texts]
        instructed = int(question.type == "noul" and question.descriptions[1] is None)
        lone = len(rows) < question.k
        return Head(
            question=question,
            ids=NOTHING,
            markers=NOTHING,
            positions=NOTHING,
            options=NOTHING,
            state_position=0,
            tokens=sum(row.length for row in rows),
            instruction_dropped=sum(dropped[:instructed]),
            options_dropped=sum(dropped[instructed:]),
            options_distinct=question.k if lone else len({row.ids.tobytes() for row in rows}),
            tokens_per_option=room if any(dropped) else None,
            payload=ReaderHead(self._rivals(question, self._read(rows))),
        )

    def rows(self, states: Sequence[EncodedState], heads: Sequence[Head], budget: Budget) -> list[EncodedRow]:
        """One row a state, whatever the number of questions; a list keeps its end, anything else its beginning.

        Raises:
            BudgetError: `budget.max_len` leaves no room for a state.
        """
        del heads
        room = _room(budget.max_len, None)
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
        return [
            Scores(logits=self._logits(head, vector), act=NO_ACTION) for vector in map(pool, outputs) for head in heads
        ]

    def embed(self, texts: Sequence[str], max_len: int) -> FloatArray:
        """Unit vectors [n, D] of texts, each cut to `max_len` tokens with CLS and SEP.

        Raises:
            ForwardError: the trunk failed.
        """
        room = _room(max_len, None)
        return self._read([self._row(ids[:room]) for ids in self.encoder.encode(texts)])

    def state_room(self, heads: Sequence[Head], budget: Budget) -> int:
        """Tokens of a state that fit into a row: the questions are not in it."""
        del heads
        return max(0, budget.max_len - AROUND)

    def tokens_read(self, rows: Sequence[EncodedRow], heads: Sequence[Head]) -> int:
        """Tokens that the trunk reads for one state: the state once, and the texts of every question."""
        return sum(row.length for row in rows) + sum(head.tokens for head in heads)

    def _row(self, text: IntArray) -> EncodedRow:
        ids = np.empty(len(text) + AROUND, dtype=np.int64)
        ids[0], ids[1:-1], ids[-1] = self.encoder.cls_id, text, self.encoder.sep_id
        return EncodedRow(
            ids=ids,
            positions=np.arange(len(ids), dtype=np.int64),
            options=np.zeros(len(ids), dtype=np.int64),
            markers=NOTHING,
            type_index=0,
            state_used=len(text),
        )

    def _read(self, rows: Sequence[EncodedRow]) -> FloatArray:
        """Vectors [n, D] of rows; each distinct row is read once, in an order that depends on the rows alone."""
        # The last bits of a matrix product depend on where a row lies in the batch, so the caller's order must not.
        distinct = {row.ids.tobytes(): row for row in rows}
        keys = sorted(distinct)
        vectors: dict[bytes, FloatArray] = {}
        for batch in pack_rows([distinct[key] for key in keys], range(len(keys))):
            vectors.update((keys[n], pool(output)) for n, output in unpack(batch, self._trunk.forward(batch)))
        return np.stack([vectors[row.ids.tobytes()] for row in rows])

    def _rivals(self, question: Question, vectors: FloatArray) -> FloatArray:
        """The vectors that compete: all, but for a denial that says the same as its statement."""
        alike = question.type == "noul" and cosine(vectors[:1], vectors[-1])[0] > self.rules.noul_same
        return vectors[:1] if alike else vectors

    def _logits(self, head: Head, state: FloatArray) -> FloatArray:
        question, rules = head.question, self.rules
        near = cosine(head.payload.vectors, state)
        if question.type == "noul":
            rival = rules.noul_bias if len(near) == 1 else max(float(near[1]), rules.noul_floor)
            near = np.array([0.0, near[0] - rival], dtype=np.float32)[list(question.order)]
        logits: FloatArray = near * np.float32(rules.tau[question.type_index])
        return logits


def question_texts(question: Question) -> list[str]:
    """The texts that the trunk reads of a question: one a slot, or the statement and the denial of a noul."""
    if question.type == "noul":
        denial, statement = question.descriptions
        return [statement or question.instructions, *([denial] if denial else [])]
    if question.type == "score":
        return [question.names[i] for i in question.order]
    return [_choice_text(question.names[i], question.descriptions[i]) for i in question.order]


def open_label(label: str) -> str:
    """A label written as an identifier, as words; a label that has white space is left as it is."""
    if any(character.isspace() for character in label):
        return label
    return SEPARATORS.sub(" ", HUMP.sub(" ", label)).strip() or label


def pool(output: RowOutput) -> FloatArray:
    """Unit vector [D] of a row: the mean of its token vectors, divided by its length."""
    mean = output.hidden.mean(axis=0, dtype=np.float64)
    vector: FloatArray = (mean / max(math.sqrt(float(mean @ mean)), SHORTEST)).astype(np.float32)
    return vector


def cosine(vectors: FloatArray, vector: FloatArray) -> FloatArray:
    """Cosine [m] of each unit vector [m, D] with another [D], the same to the last bit wherever it stands."""
    product: FloatArray = (vectors * vector).sum(axis=1)
    return product


def _choice_text(name: str, description: str | None) -> str:
    label = open_label(name)
    return label if description is None else f"{description} ({label})"


def _room(length: int, question: Question | None) -> int:
    if length <= AROUND:
        who = f"question {question.id!r}: " if question else ""
        raise BudgetError(
            f"{who}a budget of {length} tokens leaves no room for text between CLS and SEP; "
            f"pass max_len and head_max_len of at least {AROUND + 1}",
            question=question.id if question else None,
        )
    return length - AROUND


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _unusable(name, value, "it must be a finite number")
    return float(value)


def _unusable(name: str, value: object, why: str) -> CheckpointError:
    return CheckpointError(f"reader.{name} is {value!r} in rl_agent_config.json; {why}", path=f"reader.{name}")
