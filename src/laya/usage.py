"""Adding up the usage of several passes that made one result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from laya.types import Usage

SUMMED = ("input_tokens", "output_tokens", "windows")
CUT_QUESTIONS = ("instruction_tokens_dropped", "option_tokens_dropped")
OF_THE_STATE = ("state_tokens", "state_tokens_dropped")


def combine_usage(usages: Sequence[Mapping[str, Any]], *, same_questions: bool) -> Usage:
    """Usage of several passes over one state, with the keys and types of a single one.

    Tokens read and windows are totals; `truncated` stays a bool; `state_tokens` and `state_tokens_dropped` are those
    of the pass that had most, since all passes are about the same state. A key that a pass lacks counts as nothing.

    Args:
        usages: usage of each pass, at least one.
        same_questions: the passes asked the same questions, so what was cut from them is counted once, not per pass.
    """
    cut = max if same_questions else sum
    return {
        **{key: sum(_numbers(usages, key)) for key in SUMMED},
        **{key: max(_numbers(usages, key), default=0) for key in OF_THE_STATE},
        **{key: cut(_numbers(usages, key) or [0]) for key in CUT_QUESTIONS},
        "truncated": any(usage.get("truncated") for usage in usages),
        "truncated_questions": _distinct(qid for usage in usages for qid in usage.get("truncated_questions", ())),
        "options": {qid: entry for usage in usages for qid, entry in usage.get("options", {}).items()},
    }  # type: ignore[typeddict-item]  # the dynamic keys are those of Usage


def _numbers(usages: Iterable[Mapping[str, Any]], key: str) -> list[int]:
    return [usage[key] for usage in usages if key in usage]


def _distinct(values: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(values))
