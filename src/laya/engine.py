"""The heartbeat: states and questions in, results out.

`run` is the whole path of a request. Agents only choose which `Model` it runs on and which hooks surround it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from cachetools import LRUCache

from laya.decode import Calibration, decode
from laya.encoding import check_budget, pack_rows, unpack
from laya.errors import TruncationError
from laya.questions import parse_questions

if TYPE_CHECKING:
    from laya.encoding import TextEncoder
    from laya.request import Budget, EncodedRow, EncodedState, Head, Question, RowOutput, Scores
    from laya.runtime.base import Runtime
    from laya.types import Result, Usage

WINDOW: Final = 256
"""States that are tokenised and sorted together when the caller names no batch size."""

Truncation = Literal["allow", "error"]


class Layout(Protocol):
    """How questions and states become token rows, and how row outputs become scores."""

    encoder: TextEncoder

    def head(self, question: Question, budget: Budget) -> Head:
        """Encode the question half once."""

    def encode_states(self, states: Sequence[Any], start_index: int = 0) -> list[EncodedState]:
        """Render and tokenise states, uncut."""

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
    _heads: LRUCache[Any, Head] = field(default_factory=lambda: LRUCache(maxsize=4096), repr=False)
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
            with self._lock:
                self._heads[key] = head
        return head


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
        encoded = model.layout.encode_states(chunk, start)
        rows = model.layout.rows(encoded, heads, budget)
        usages = _usages(model.layout, encoded, heads, rows)
        if settings.truncation == "error":
            _refuse_cuts(encoded, usages)
        outputs = _forward(model.runtime, rows)
        scores = model.layout.scores(encoded, heads, rows, outputs)
        for i, usage in enumerate(usages):
            mine = scores[i * len(heads) : (i + 1) * len(heads)]
            answers = {q.id: decode(q, s, calibration, settings.lang) for q, s in zip(asked, mine, strict=True)}
            results.append({"model": model.name, "answers": answers, "usage": usage})
    return results


def _chunks(states: Sequence[Any], size: int) -> Iterator[tuple[int, Sequence[Any]]]:
    for start in range(0, len(states), size):
        yield start, states[start : start + size]


def _forward(runtime: Runtime, rows: Sequence[EncodedRow]) -> list[RowOutput]:
    outputs: dict[int, RowOutput] = {}
    for batch in pack_rows(rows, range(len(rows))):
        outputs.update(unpack(batch, runtime.forward(batch)))
    return [outputs[number] for number in range(len(rows))]


def empty_usage() -> Usage:
    """Usage of a call that read nothing."""
    return {
        "input_tokens": 0,
        "output_tokens": 0,
        "state_tokens": 0,
        "state_tokens_dropped": 0,
        "instruction_tokens_dropped": 0,
        "option_tokens_dropped": 0,
        "truncated": False,
        "truncated_questions": [],
        "options": {},
        "windows": 0,
    }


def _usages(
    layout: Layout, states: Sequence[EncodedState], heads: Sequence[Head], rows: Sequence[EncodedRow]
) -> list[Usage]:
    per_state = len(rows) // len(states)
    return [_usage(layout, state, heads, rows[i * per_state : (i + 1) * per_state]) for i, state in enumerate(states)]


def _usage(layout: Layout, state: EncodedState, heads: Sequence[Head], rows: Sequence[EncodedRow]) -> Usage:
    total = len(state.ids)
    shared = rows * len(heads) if len(rows) == 1 else rows  # a reader row serves every question
    cut = [head.question.id for head, row in zip(heads, shared, strict=True) if row.state_used < total]
    dropped = total - min(row.state_used for row in rows)
    usage = empty_usage()
    usage.update(
        input_tokens=layout.tokens_read(rows, heads),
        state_tokens=total,
        state_tokens_dropped=dropped,
        instruction_tokens_dropped=sum(head.instruction_dropped for head in heads),
        option_tokens_dropped=sum(head.options_dropped for head in heads),
        truncated=dropped > 0,
        truncated_questions=cut,
        windows=1,
    )
    for head in heads:
        if head.options_distinct < head.question.k:
            usage["options"][head.question.id] = {
                "total": head.question.k,
                "distinct": head.options_distinct,
                "tokens_per_option": head.tokens_per_option,
            }
    return usage


def _refuse_cuts(states: Sequence[EncodedState], usages: Sequence[Usage]) -> None:
    for state, usage in zip(states, usages, strict=True):
        parts = {
            "state": usage["state_tokens_dropped"],
            "instruction": usage["instruction_tokens_dropped"],
            "option": usage["option_tokens_dropped"],
        }
        cuts = [f"{count} {name} tokens" for name, count in parts.items() if count]
        if cuts:
            raise TruncationError(
                f"state {state.index}: {' and '.join(cuts)} do not fit the budget and truncation='error' was asked for; "
                "raise max_len or head_max_len, shorten the text, or pass truncation='allow'",
                index=state.index,
            )
