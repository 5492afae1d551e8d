"""The heartbeat: states and questions in, results out.

`run` is the whole path of a request. Agents only choose which `Model` it runs on and which hooks surround it.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from cachetools import LRUCache

from laya.decode import Calibration, decode_all, in_canonical_order
from laya.encoding import check_budget, encode_states, pack_rows, unpack
from laya.questions import parse_questions
from laya.usage import count_usage, empty_usage, refuse_cuts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from laya.encoding import TextEncoder
    from laya.request import Budget, EncodedRow, EncodedState, Head, Question, RowOutput, Scores
    from laya.runtime.base import Runtime
    from laya.types import Result

WINDOW: Final = 256
"""States that are tokenised and sorted together when the caller names no batch size."""

HEAD_BYTES: Final = 128 * 2**20
"""Memory for question halves that are kept, least recently used out first."""
HEAD_OVERHEAD: Final = 4096
"""Bytes that count for a question half besides its arrays."""

Truncation = Literal["allow", "error"]


class Layout(Protocol):
    """How questions and states become token rows, and how row outputs become scores."""

    encoder: TextEncoder

    def head(self, question: Question, budget: Budget) -> Head:
        """Encode the question half once."""

    def measure(self, question: Question, budget: Budget) -> Head:
        """`head` without what a forward pass would fill: its tokens and cuts alone."""

    def rows(self, states: Sequence[EncodedState], heads: Sequence[Head], budget: Budget) -> list[EncodedRow]:
        """Token rows, those of the first state first."""

    def scores(
        self,
        states: Sequence[EncodedState],
        heads: Sequence[Head],
        rows: Sequence[EncodedRow],
        outputs: Sequence[RowOutput],
    ) -> list[Scores]:
        """Scores of every question of the first state, then of the second, ..."""

    def state_room(self, heads: Sequence[Head], budget: Budget) -> int:
        """Tokens of a state that fit beside the questions."""

    def tokens_read(self, rows: Sequence[EncodedRow], heads: Sequence[Head]) -> int:
        """Tokens read for one state, given its rows."""


@dataclass(frozen=True, slots=True)
class CallSettings:
    """Settings of one call, already checked.

    Attributes:
        max_len: budget of a row in tokens; None takes the checkpoint's.
        head_max_len: budget of the question half; None takes the checkpoint's.
        batch_size: states tokenised and packed together; None takes `WINDOW`.
        lang: language of the call, for temperature overrides.
        truncation: "error" refuses to cut anything.
    """

    max_len: int | None = None
    head_max_len: int | None = None
    batch_size: int | None = None
    lang: str | None = None
    truncation: Truncation = "allow"


@dataclass
class Model:
    """One checkpoint ready to answer: its name, budgets, layout and runtime, and the questions it has compiled."""

    name: str
    layout: Layout
    runtime: Runtime
    max_len: int
    head_max_len: int
    max_positions: int
    _heads: LRUCache[Any, Head] = field(default_factory=lambda: LRUCache(HEAD_BYTES, _head_bytes), repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def budget(self, max_len: int | None, head_max_len: int | None) -> Budget:
        """Checked token budget: the call's values where given, else the checkpoint's."""
        return check_budget(max_len, head_max_len, self.max_len, self.head_max_len, self.max_positions)

    def compile(self, questions: Sequence[Question], budget: Budget) -> list[Head]:
        """Question halves under a budget; those seen before come from the cache."""
        return [self._compile_one(question, budget) for question in questions]

    def _compile_one(self, question: Question, budget: Budget) -> Head:
        if question.key is None:
            return self.layout.head(question, budget)
        key = (question.key, question.id, budget)
        with self._lock:
            head = self._heads.get(key)
        if head is None:
            head = self.layout.head(question, budget)
            if _head_bytes(head) <= HEAD_BYTES:
                with self._lock:
                    self._heads[key] = head
        return head


def _head_bytes(head: Head) -> int:
    return HEAD_OVERHEAD + head.nbytes


def run(
    model: Model,
    states: Sequence[Any],
    questions: Mapping[Any, Mapping[str, Any]],
    calibration: Calibration,
    settings: CallSettings,
) -> list[Result]:
    """Answer every question about every state.

    Args:
        model: the checkpoint.
        states: what is judged; results come in the same order.
        questions: id to definition.
        calibration: what turns logits into probabilities.
        settings: budgets and policies of this call.

    Returns:
        One result per state.

    Raises:
        QuestionError, StateError, BudgetError, TruncationError, ForwardError: see `laya.errors`.
    """
    asked = parse_questions(questions)
    budget = model.budget(settings.max_len, settings.head_max_len)
    if not asked or not states:
        return [{"model": model.name, "answers": {}, "usage": empty_usage()} for _ in states]
    heads = model.compile(asked, budget)
    results: list[Result] = []
    for start, chunk in _chunks(states, settings.batch_size or WINDOW):
        encoded, positions = _distinct(encode_states(model.layout.encoder, chunk, start))
        scored, rows = score(model, encoded, heads, budget, settings.truncation)
        usages = count_usage(encoded, heads, rows, model.layout.tokens_read)
        for place, position in enumerate(positions):
            answers = decode_all(asked, scored[position], calibration, settings.lang)
            usage = usages[position] if positions.index(position) == place else deepcopy(usages[position])
            results.append({"model": model.name, "answers": answers, "usage": usage})
    return results


def score(
    model: Model, states: Sequence[EncodedState], heads: Sequence[Head], budget: Budget, truncation: Truncation
) -> tuple[list[list[Scores]], list[EncodedRow]]:
    """Encode, pack and forward: the scores of every question for each state, and the rows that were read."""
    rows = model.layout.rows(states, heads, budget)
    if truncation == "error":
        refuse_cuts(states, heads, rows)
    outputs: dict[int, RowOutput] = {}
    for batch in pack_rows(rows, range(len(rows))):
        outputs.update(unpack(batch, model.runtime.forward(batch)))
    scores = model.layout.scores(states, heads, rows, [outputs[number] for number in range(len(rows))])
    width = len(heads)
    return [scores[i * width : (i + 1) * width] for i in range(len(states))], rows


def _chunks(states: Sequence[Any], size: int) -> Iterator[tuple[int, Sequence[Any]]]:
    for start in range(0, len(states), size):
        yield start, states[start : start + size]


def _distinct(states: Sequence[EncodedState]) -> tuple[list[EncodedState], list[int]]:
    """The states that differ, and for each state the position of its equal among them: equal ones are read once."""
    known: dict[tuple[bool, bytes], int] = {}
    distinct: list[EncodedState] = []
    positions = []
    for state in states:
        position = known.setdefault((state.keep_tail, state.ids.tobytes()), len(distinct))
        if position == len(distinct):
            distinct.append(state)
        positions.append(position)
    return distinct, positions


def logits(
    model: Model, states: Sequence[Any], questions: Mapping[Any, Mapping[str, Any]], settings: CallSettings
) -> list[dict[Any, list[float]]]:
    """Raw logits of every question about every state, in canonical option order, before any temperature.

    Returns:
        For each state, question id to [k] logits. Arguments and errors as for `run`.
    """
    asked = parse_questions(questions)
    budget = model.budget(settings.max_len, settings.head_max_len)
    if not asked or not states:
        return [{} for _ in states]
    heads = model.compile(asked, budget)
    raw: list[dict[Any, list[float]]] = []
    for start, chunk in _chunks(states, settings.batch_size or WINDOW):
        encoded = encode_states(model.layout.encoder, chunk, start)
        scored, _ = score(model, encoded, heads, budget, settings.truncation)
        raw += [{q.id: in_canonical_order(q, s.logits) for q, s in zip(asked, mine, strict=True)} for mine in scored]
    return raw
