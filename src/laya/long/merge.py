"""One result from those of the windows of a state."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from laya.totals import combine_usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.long.windows import Windows
    from laya.types import Usage


def merge_answers(answers: Sequence[Mapping[Any, Any]], windows: Windows) -> dict[Any, Any]:
    """The answer of the most telling window, for each question.

    For a yes/no question that is the window where it most probably holds; for a choice or a score the one with the
    highest `answer_confidence`; the first of equal ones. So a yes/no question asks "anywhere in the text?", and its
    probability grows with the number of windows.

    Args:
        answers: question id to answer, of each window in order; all have the same questions.
        windows: where the windows lie.

    Returns:
        A copy of each chosen answer, with `window`: its `index`, `token_start`, `token_end` and the `count` of windows.
    """
    merged = {}
    for qid in answers[0]:
        best = max(range(len(answers)), key=lambda i: _telling(answers[i][qid]))
        start, end = windows.spans[best]
        place = {"index": best, "token_start": start, "token_end": end, "count": len(windows.spans)}
        merged[qid] = {**copy.deepcopy(answers[best][qid]), "window": place}
    return merged


def _telling(answer: Mapping[str, Any]) -> float:
    return float(answer["noul"] if answer["type"] == "noul" else answer["answer_confidence"])


def merge_usage(usages: Sequence[Mapping[str, Any]], windows: Windows) -> Usage:
    """Usage of all windows as that of one state.

    `input_tokens` is what all windows read, overlaps included; `state_tokens` is the state once; `windows` is how many
    there were. What was cut from the questions is counted once.
    """
    usage = combine_usage(usages, same_questions=True)
    usage["state_tokens"] = windows.total
    usage["windows"] = len(usages)
    return usage
