"""Adding up the usage of several passes that made one result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from laya.types import Usage


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
