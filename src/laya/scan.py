"""Documents that are longer than a row: read in windows, answered by the most telling one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from laya.decode import decode_all
from laya.encoding import encode_states
from laya.engine import WINDOW, run, score
from laya.long import MAX_WINDOWS, check_window_options, merge_answers, plan_windows
from laya.questions import parse_questions
from laya.request import EncodedState
from laya.usage import combine_usage, count_usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.decode import Calibration
    from laya.engine import CallSettings, Model
    from laya.request import EncodedRow, Head
    from laya.types import Answer, Result, Usage


@dataclass(frozen=True, slots=True)
class WindowOptions:
    """How a long document is cut; checked when made.

    Attributes:
        window: tokens of a window; None takes what a row has room for.
        stride: tokens from one window to the next; None is half a window.
        max_windows: most windows of a document.
    """

    window: int | None = None
    stride: int | None = None
    max_windows: int = MAX_WINDOWS

    def __post_init__(self) -> None:
        check_window_options(self.window, self.stride, self.max_windows)


def run_long(
    model: Model,
    state: Any,
    questions: Mapping[Any, Mapping[str, Any]],
    calibration: Calibration,
    settings: CallSettings,
    *,
    options: WindowOptions,
) -> Result:
    """Answer questions about one document of any length.

    Windows are slices of its token ids. A question is answered by the window where it most probably holds (noul) or
    that is surest (choice, score); the answer says which under "window". A document that fits is answered as by `run`.

    Raises:
        BudgetError: the questions leave no room for the document.
        ArgumentError: it would take too many windows.
    """
    asked = parse_questions(questions)
    if not asked:
        return run(model, [state], questions, calibration, settings)[0]
    budget = model.budget(settings.max_len, settings.head_max_len)
    heads = model.compile(asked, budget)
    (document,) = encode_states(model.layout.encoder, [state])
    windows = plan_windows(
        len(document.ids),
        model.layout.state_room(heads, budget),
        budget,
        window=options.window,
        stride=options.stride,
        max_windows=options.max_windows,
    )
    if len(windows.spans) == 1:
        return run(model, [state], questions, calibration, settings)[0]
    pieces = [EncodedState(index=0, ids=ids, keep_tail=False) for ids in windows.slices(document.ids)]
    answers: list[Mapping[Any, Answer]] = []
    read: list[EncodedRow] = []
    for start in range(0, len(pieces), settings.batch_size or WINDOW):
        part = pieces[start : start + (settings.batch_size or WINDOW)]
        scored, rows = score(model, part, heads, budget, settings.truncation)
        answers += [decode_all(asked, mine, calibration, settings.lang) for mine in scored]
        read += rows
    usage = _usage(model, pieces, heads, read, len(document.ids))
    return {"model": model.name, "answers": cast("Any", merge_answers(answers, windows)), "usage": usage}


def _usage(
    model: Model, pieces: Sequence[EncodedState], heads: Sequence[Head], rows: Sequence[EncodedRow], total: int
) -> Usage:
    usage = combine_usage(count_usage(pieces, heads, rows, model.layout.tokens_read), same_questions=True)
    # a layout that reads the questions apart from the windows reads them once
    usage["input_tokens"] = model.layout.tokens_read(rows, heads)
    usage["state_tokens"] = total
    return usage
