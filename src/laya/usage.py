"""What was read and what was cut: the `usage` of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laya.errors import TruncationError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from laya.request import EncodedRow, EncodedState, Head
    from laya.types import Usage

    TokensRead = Callable[[Sequence[EncodedRow], Sequence[Head]], int]


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


def count_usage(
    states: Sequence[EncodedState], heads: Sequence[Head], rows: Sequence[EncodedRow], tokens_read: TokensRead
) -> list[Usage]:
    """Usage of each state.

    Args:
        states: the states, uncut.
        heads: the questions.
        rows: rows of the first state, then those of the second, ...; one a question, or one for all questions.
        tokens_read: tokens that the encoder reads for one state, given its rows and the questions.
    """
    per_state = _rows_of(states, rows)
    return [_count(state, heads, mine, tokens_read(mine, heads)) for state, mine in zip(states, per_state, strict=True)]


def _rows_of(states: Sequence[EncodedState], rows: Sequence[EncodedRow]) -> list[Sequence[EncodedRow]]:
    width = len(rows) // len(states)
    return [rows[i * width : (i + 1) * width] for i in range(len(states))]


def _count(state: EncodedState, heads: Sequence[Head], rows: Sequence[EncodedRow], tokens: int) -> Usage:
    total = len(state.ids)
    dropped = total - min(row.state_used for row in rows)
    of_question = rows if len(rows) == len(heads) else [rows[0]] * len(heads)
    return {
        "input_tokens": tokens,
        "output_tokens": 0,
        "state_tokens": total,
        "state_tokens_dropped": dropped,
        "instruction_tokens_dropped": sum(head.instruction_dropped for head in heads),
        "option_tokens_dropped": sum(head.options_dropped for head in heads),
        "truncated": dropped > 0,
        "truncated_questions": [
            head.question.id for head, row in zip(heads, of_question, strict=True) if row.state_used < total
        ],
        "options": {
            head.question.id: {
                "total": head.question.k,
                "distinct": head.options_distinct,
                "tokens_per_option": head.tokens_per_option,
            }
            for head in heads
            if head.options_distinct < head.question.k
        },
        "windows": 1,
    }


def refuse_cuts(states: Sequence[EncodedState], heads: Sequence[Head], rows: Sequence[EncodedRow]) -> None:
    """Refuse a call that would lose something.

    Raises:
        TruncationError: tokens of a state, of instructions or of options do not fit; names the state.
    """
    for state, usage in zip(states, count_usage(states, heads, rows, lambda _rows, _heads: 0), strict=True):
        parts = {
            "state": usage["state_tokens_dropped"],
            "instruction": usage["instruction_tokens_dropped"],
            "option": usage["option_tokens_dropped"],
        }
        cuts = [f"{count} {name} tokens" for name, count in parts.items() if count]
        if cuts:
            raise TruncationError(
                f"state {state.index}: {' and '.join(cuts)} do not fit the budget, and truncation is 'error'; "
                "raise max_len or head_max_len, shorten the text, or pass truncation='allow'",
                index=state.index,
            )


def combine_usage(usages: Sequence[Mapping[str, Any]], *, same_questions: bool) -> Usage:
    """Usage of several passes over one state, with the keys and types of a single one.

    Tokens read and windows are totals; `truncated` stays a bool; `state_tokens` and `state_tokens_dropped` are those
    of the pass that had most, since all passes are about the same state. A key that a pass lacks counts as nothing.

    Args:
        usages: usage of each pass.
        same_questions: the passes asked the same questions, so what was cut from them is counted once, not per pass.
    """
    cut = max if same_questions else sum
    return {
        "input_tokens": sum(_numbers(usages, "input_tokens")),
        "output_tokens": sum(_numbers(usages, "output_tokens")),
        "state_tokens": max(_numbers(usages, "state_tokens")),
        "state_tokens_dropped": max(_numbers(usages, "state_tokens_dropped")),
        "instruction_tokens_dropped": cut(_numbers(usages, "instruction_tokens_dropped")),
        "option_tokens_dropped": cut(_numbers(usages, "option_tokens_dropped")),
        "truncated": any(usage.get("truncated") for usage in usages),
        "truncated_questions": list(dict.fromkeys(q for usage in usages for q in usage.get("truncated_questions", ()))),
        "options": {qid: entry for usage in usages for qid, entry in usage.get("options", {}).items()},
        "windows": sum(_numbers(usages, "windows")),
    }


def _numbers(usages: Iterable[Mapping[str, Any]], key: str) -> list[int]:
    return [0, *(usage.get(key, 0) for usage in usages)]
