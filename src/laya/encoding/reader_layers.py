"""The reader layout with layers: tokens of a question attend to those of the state, and markers are scored.

Of a question the reader sees the instructions, the options and a marker for each option; a yes/no question has a
marker for false and one for true, and the criteria that were given. The tokens of a text carry their positions inside
that text alone, and options are put into an order of their own before anything is computed, so the caller's order
cannot matter.

Logits, with c(x) the cosine between the vector of text x and that of the state, and s the scaled score of a marker:
    choice, score: `tau * c(option) + s`.
    noul: s for false and for true, and, where both criteria are given, `tau * c(criterion)` besides.
A choice between two words for yes and no, without descriptions, gets the logits of the noul.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from laya.encoding.reader_blocks import lay_out
from laya.encoding.reader_match import NO_ACTION, pool
from laya.encoding.reader_pairs import LayeredQuestion, Pair, batches, pair_batch, question_batch
from laya.encoding.reader_texts import as_asked, layered_texts
from laya.errors import ForwardError
from laya.request import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.encoding.reader_rules import ReaderRules
    from laya.request import Batch, EncodedRow, FloatArray, Forward, Head, Question, QuestionTokens, QuestionType

SEGMENT: Final[dict[QuestionType, int]] = {"choice": 1, "score": 2}
"""Kind of the options' tokens; the instructions are of kind 0, denial and statement of a noul of kinds 3 and 4."""
DENIAL: Final = 3
STATEMENT: Final = 4


class Engine(Protocol):
    """The part of a runtime that this layout needs."""

    def forward(self, batch: Batch) -> Forward:
        """Run a batch."""


class LayeredReader:
    """Scores options by reader layers.

    Args:
        rules: the numbers.
        engine: runtime of the checkpoint; safe under threads.
        before: tokens of a row in front of its text: CLS, and those of the checkpoint's prefix.
    """

    leading = 1
    """Texts before those of the options: the instructions."""

    def __init__(self, rules: ReaderRules, engine: Engine, before: int = 1) -> None:
        self._rules = rules
        self._text = slice(before, -1)
        self._engine = engine

    def texts(self, question: Question) -> list[str]:
        """Texts that are read."""
        return layered_texts(question)

    def payload(self, question: Question, rows: Sequence[EncodedRow], hidden: Sequence[FloatArray]) -> LayeredQuestion:
        """What is kept of a question, given the rows of its texts and their hidden states [n, D * taps].

        Raises:
            ForwardError: the runtime failed, or has no reader layers.
        """
        question = as_asked(question)
        order = _reading_order(question, rows)
        texts = _texts_of_options(question, order)
        noul = question.type == "noul"
        segments = [DENIAL, STATEMENT] if noul else [SEGMENT[question.type]] * question.k
        vectors = np.stack([pool(hidden[text], self._rules.taps) for text in texts])
        # A side of a yes/no question without a criterion has the vector of the instructions, but no tokens of its own.
        own = [states[self._text] for states in hidden]
        tokens = [own[0], *(own[text] if text else own[0][:0] for text in texts)]
        return LayeredQuestion(
            read=self._read(tokens, segments, vectors),
            vectors=vectors,
            blocks=lay_out(len(tokens[0]), [len(text) for text in tokens[1:]], marked=True),
            slots=np.array(order),
            place=_places(question),
            tau=self._rules.tau[question.type_index] if not noul or all(texts) else 0.0,
            residual=self._rules.residual[question.type_index],
        )

    def _read(self, tokens: list[FloatArray], segments: list[int], vectors: FloatArray) -> QuestionTokens:
        total = sum(map(len, tokens))
        if not total:
            # The graph wants a token; what it says of this one is dropped below.
            tokens = [np.zeros((1, tokens[0].shape[1]), dtype=np.float32), *tokens[1:]]
        read = self._engine.forward(question_batch(tokens, segments, vectors)).question
        if read is None:
            raise ForwardError("the runtime returned nothing for a question; this layout needs reader layers")
        if total:
            return read
        return replace(read, tokens=read.tokens[:0], query=read.query[:0], key=read.key[:0], value=read.value[:0])

    def scores(self, heads: Sequence[Head], states: Sequence[FloatArray]) -> list[Scores]:
        """Scores of every question of the first state, then of the second, given the hidden states of each.

        Raises:
            ForwardError: the runtime failed.
        """
        pairs = []
        for i, hidden in enumerate(states):
            vector = pool(hidden, self._rules.taps)
            pairs += [Pair(i * len(heads) + j, head.payload, i, hidden, vector) for j, head in enumerate(heads)]
        scores: list[Scores | None] = [None] * len(pairs)
        for group in batches(pairs):
            found = self._engine.forward(pair_batch(group)).scores
            if found is None:
                raise ForwardError("the runtime returned no scores for questions; this layout needs reader layers")
            ends = np.cumsum([pair.question.blocks.markers for pair in group])
            for pair, mine in zip(group, np.split(found, ends[:-1]), strict=True):
                scores[pair.number] = Scores(logits=_logits(pair, mine), act=NO_ACTION)
        return [score for score in scores if score is not None]


def _logits(pair: Pair, scores: FloatArray) -> FloatArray:
    """Logits in slot order of the scores of a pair's markers."""
    scores = scores * np.float32(pair.question.residual)
    if pair.question.tau:
        scores = pair.cosine * np.float32(pair.question.tau) + scores
    logits = np.empty(len(scores), dtype=np.float32)
    logits[pair.question.slots] = scores
    return logits


def _reading_order(question: Question, rows: Sequence[EncodedRow]) -> list[int]:
    """Slots in an order that depends on the options alone: by content, by level, or false before true."""
    slots = range(question.k)
    if question.type == "choice":
        return sorted(slots, key=lambda slot: rows[slot + 1].ids.tobytes())
    return sorted(slots, key=lambda slot: question.order[slot])


def _texts_of_options(question: Question, order: Sequence[int]) -> list[int]:
    """Number of each option's text in reading order; 0, that of the instructions, where it has none."""
    if question.type != "noul":
        return [slot + 1 for slot in order]
    denial, statement = (bool(text) for text in question.descriptions)
    return [int(denial), (1 + denial) * statement]


def _places(question: Question) -> FloatArray:
    """[k, 3] place of each level in its scale: from the top, from the bottom, and how far from both; else zeros."""
    if question.type != "score":
        return np.zeros((question.k, 3), dtype=np.float32)
    place = np.arange(question.k, dtype=np.float32) / max(1, question.k - 1)
    return np.stack([1 - place, place, 4 * place * (1 - place)], axis=1)
