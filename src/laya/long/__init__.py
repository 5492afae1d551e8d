"""States longer than the encoder: windows over their tokens, and one result from all of them."""

from laya.long.merge import merge_answers
from laya.long.windows import (
    MAX_WINDOWS,
    MIN_WINDOW,
    Windows,
    check_window_options,
    plan_windows,
)

__all__ = [
    "MAX_WINDOWS",
    "MIN_WINDOW",
    "Windows",
    "check_window_options",
    "merge_answers",
    "plan_windows",
]
