"""One result from those of the windows of a state."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.long.windows import Windows


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
