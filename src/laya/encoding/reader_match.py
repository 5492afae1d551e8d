"""The reader layout without layers: unit vectors of texts, compared.

Logits, with c(x) the cosine between the vector of text x and that of the state:
    choice, score: `tau * c(option)`.
    noul: 0 for false, `tau * (c(statement) - rival)` for true. The rival is `noul_bias` where there is no denial, and
        else the larger of `c(denial)` and `noul_floor`. A denial whose vector is nearer than `noul_same` to that of the
        statement says the same to this trunk, as a mere negation does, and counts as none.

The numbers are those of `ReaderRules`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from laya.encoding.reader_texts import question_texts
from laya.request import Scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.encoding.reader_rules import ReaderRules
    from laya.request import EncodedRow, FloatArray, Head, Question

NO_ACTION: Final = np.zeros(1, dtype=np.float32)
SHORTEST: Final = 1e-12
"""Length below which a pooled vector counts as zero and is left alone."""


@dataclass(frozen=True, slots=True, eq=False)
class MatchedTexts:
    """What the trunk said of a question: the payload of a `Head`. Filled by `Matcher.payload`."""

    vectors: FloatArray
    """[m, D] unit vectors: the options in slot order, or the statement and, if it competes, the denial."""

    @property
    def nbytes(self) -> int:
        """Bytes in memory."""
        return self.vectors.nbytes


class Matcher:
    """Scores options by the cosine of their vectors with that of the state.

    Args:
        rules: the numbers.
    """

    leading = 0
    """Texts before those of the options."""

    def __init__(self, rules: ReaderRules) -> None:
        self._rules = rules

    def texts(self, question: Question) -> list[str]:
        """Texts that are read."""
        return question_texts(question)

    def payload(self, question: Question, rows: Sequence[EncodedRow], hidden: Sequence[FloatArray]) -> MatchedTexts:
        """What is kept of a question, given the rows of its texts and their hidden states [n, D]."""
        del rows
        vectors = np.stack([pool(states, 1) for states in hidden])
        alike = question.type == "noul" and cosine(vectors[:1], vectors[-1])[0] > self._rules.noul_same
        return MatchedTexts(vectors[:1] if alike else vectors)

    def scores(self, heads: Sequence[Head], states: Sequence[FloatArray]) -> list[Scores]:
        """Scores of every question of the first state, then of the second, given the hidden states [n, D] of each."""
        return [
            Scores(logits=self._logits(head, vector), act=NO_ACTION)
            for vector in (pool(hidden, 1) for hidden in states)
            for head in heads
        ]

    def _logits(self, head: Head, state: FloatArray) -> FloatArray:
        question, rules = head.question, self._rules
        near = cosine(head.payload.vectors, state)
        if question.type == "noul":
            rival = rules.noul_bias if len(near) == 1 else max(float(near[1]), rules.noul_floor)
            near = np.array([0.0, near[0] - rival], dtype=np.float32)[list(question.order)]
        logits: FloatArray = near * np.float32(rules.tau[question.type_index])
        return logits


def pool(hidden: FloatArray, taps: int) -> FloatArray:
    """Unit vector [D] of a row [n, D * taps]: the mean of its tokens after the last layer, divided by its length."""
    last = hidden[:, hidden.shape[1] - hidden.shape[1] // taps :]
    mean = last.mean(axis=0, dtype=np.float64)
    vector: FloatArray = (mean / max(math.sqrt(float(mean @ mean)), SHORTEST)).astype(np.float32)
    return vector


def cosine(vectors: FloatArray, vector: FloatArray) -> FloatArray:
    """Cosine [m] of each unit vector [m, D] with another [D], the same to the last bit wherever it stands."""
    product: FloatArray = (vectors * vector).sum(axis=1)
    return product
