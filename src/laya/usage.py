"""What was read and what was cut: the `usage` of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laya.errors import TruncationError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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
    width = len(rows) // len(states)
    usages = []
    for i, state in enumerate(states):
        mine = rows[i * width : (i + 1) * width]
        usages.append(_count(state, heads, mine, tokens_read(mine, heads)))
    return usages


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


def refuse_cuts(states: Sequence[EncodedState], usages: Sequence[Usage]) -> None:
    """Refuse a call that would lose something.

    Raises:
        TruncationError: tokens of a state, of instructions or of options do not fit; names the state.
    """
    for state, usage in zip(states, usages, strict=True):
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
