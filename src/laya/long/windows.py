"""A long state as windows: slices of its token ids that overlap and together cover it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError, BudgetError

if TYPE_CHECKING:
    from laya.request import Budget, IntArray

MIN_WINDOW: Final = 8
"""Fewest tokens that a caller may ask a window to have."""
DEFAULT_MIN_WINDOW: Final = 64
"""Fewest tokens of a window that nobody asked for, where there is room."""
MAX_WINDOWS: Final = 1024
"""Most windows of one state, unless the call says otherwise."""


@dataclass(frozen=True, slots=True)
class Windows:
    """The windows of one state.

    Attributes:
        total: tokens of the state.
        size: tokens of a window; the last one may be shorter.
        step: tokens from the start of a window to that of the next.
        spans: first token, and one past the last, of each window, in order.
    """

    total: int
    size: int
    step: int
    spans: tuple[tuple[int, int], ...]

    def slices(self, ids: IntArray) -> list[IntArray]:
        """Token ids of each window."""
        return [ids[start:end] for start, end in self.spans]


def check_window_options(window: Any, stride: Any, max_windows: Any = MAX_WINDOWS) -> None:
    """Check what a caller asked for, before anything else happens.

    Raises:
        ArgumentError: `window` is not None or an int of at least `MIN_WINDOW`, or `stride` (or None) or `max_windows`
            is not a positive int.
    """
    for name, value, least in (("window", window, MIN_WINDOW), ("stride", stride, 1)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
            raise ArgumentError(f"predict_long: {name} must be None or an int of at least {least}, got {value!r}")
    if isinstance(max_windows, bool) or not isinstance(max_windows, int) or max_windows < 1:
        raise ArgumentError(f"predict_long: max_windows must be a positive int, got {max_windows!r}")


def plan_windows(
    total: int,
    room: int | None,
    budget: Budget,
    *,
    window: int | None = None,
    stride: int | None = None,
    max_windows: int = MAX_WINDOWS,
) -> Windows:
    """Windows of a state.

    A state that fits whole is one window. Otherwise a window has `window` tokens (by default what a row has left
    after a full question half) or the room there is, and starts `stride` tokens (by default half a window) after the
    one before.

    Args:
        total: tokens of the state.
        room: tokens of the state that fit beside the questions, or None when there are no questions.
        budget: token budget of the call.
        window: tokens of a window.
        stride: tokens from one window to the next.
        max_windows: most windows.

    Raises:
        ArgumentError: the options are wrong, the stride leaves gaps, or there are too many windows.
        BudgetError: the questions leave no room for a state.

    Warns:
        RuntimeWarning: the window had to be made narrower.
    """
    check_window_options(window, stride, max_windows)
    wanted = window or max(DEFAULT_MIN_WINDOW, budget.max_len - budget.head_max_len - 8)
    if room is None:
        room = wanted
    if room <= 0:
        raise BudgetError(
            f"predict_long: the questions leave no room for the state within max_len={budget.max_len}; "
            "raise max_len, shorten the questions, or narrow their options with predict_shortlist"
        )
    size = min(wanted, room)
    if total <= (size if window else room):
        return Windows(total, max(size, total), max(size, total), ((0, total),))
    _warn_if_narrowed(window, wanted, room)
    step = _step(stride, size, wanted)
    # The last window is the first that reaches the end.
    count = 1 + -(-(total - size) // step)
    if count > max_windows:
        raise ArgumentError(
            f"predict_long: {total} state tokens in windows of {size} every {step} make {count} windows, more than "
            f"max_windows={max_windows}; use a wider window or stride, raise max_len, or raise max_windows"
        )
    starts = range(0, count * step, step)
    return Windows(total, size, step, tuple((start, min(start + size, total)) for start in starts))


def _warn_if_narrowed(window: int | None, wanted: int, room: int) -> None:
    if window is not None and wanted > room:
        warnings.warn(
            f"predict_long: window={window} is wider than the {room} state tokens that fit beside the questions; "
            f"scanning with window={room} instead",
            RuntimeWarning,
            stacklevel=3,
        )
    elif window is None and wanted >= 2 * room:
        warnings.warn(
            f"predict_long: the questions leave room for {room} state tokens of the {wanted} that a window usually "
            f"has, so there are about {wanted / room:.1f} times as many windows; shorten the questions",
            RuntimeWarning,
            stacklevel=3,
        )


def _step(stride: int | None, size: int, wanted: int) -> int:
    half = max(1, size // 2)
    if stride is None:
        return half
    if stride <= size:
        return stride
    if size < wanted and stride <= wanted:
        warnings.warn(
            f"predict_long: stride={stride} would leave gaps between the narrower windows; using stride={half} instead",
            RuntimeWarning,
            stacklevel=3,
        )
        return half
    raise ArgumentError(
        f"predict_long: stride={stride} steps past the {size}-token window, so tokens between windows would not be "
        f"read; use a stride of {size} or less"
    )
