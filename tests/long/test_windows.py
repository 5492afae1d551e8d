import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, BudgetError
from laya.long import MAX_WINDOWS, MIN_WINDOW, plan_windows
from laya.request import Budget

BUDGET = Budget(max_len=512, head_max_len=192)


def quiet(*args, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return plan_windows(*args, **options)


@given(
    st.integers(0, 3000),
    st.none() | st.integers(1, 600),
    st.none() | st.integers(MIN_WINDOW, 400),
    st.none() | st.integers(1, 500),
)
def test_windows_cover_every_token_and_fit(total, room, window, stride):
    try:
        windows = quiet(total, room, BUDGET, window=window, stride=stride, max_windows=4000)
    except ArgumentError:
        assert stride > min(window or 312, room or 10**9)
        return
    covered = set()
    for start, end in windows.spans:
        assert room is None or end - start <= max(room, 0)
        assert end - start <= max(windows.size, 0)
        covered.update(range(start, end))
    assert covered == set(range(total))
    starts = [start for start, _ in windows.spans]
    assert starts == list(range(0, len(starts) * windows.step, windows.step)) or len(starts) == 1
    assert all(end < total for _, end in windows.spans[:-1])
    ids = np.arange(total)
    assert [piece.tolist() for piece in windows.slices(ids)] == [list(range(s, e)) for s, e in windows.spans]


def test_a_state_that_fits_is_one_window():
    assert plan_windows(400, 400, BUDGET).spans == ((0, 400),)
    assert plan_windows(0, 400, BUDGET).spans == ((0, 0),)
    assert plan_windows(100, 400, BUDGET, window=100).spans == ((0, 100),)
    assert len(plan_windows(101, 400, BUDGET, window=100).spans) == 2


def test_defaults_leave_room_for_a_full_question_and_overlap_by_half():
    windows = plan_windows(1000, 400, BUDGET)
    assert (windows.size, windows.step) == (312, 156)
    assert windows.spans[:2] == ((0, 312), (156, 468))
    assert windows.spans[-1] == (780, 1000)


def test_a_window_wider_than_the_room_is_narrowed_with_a_warning():
    with pytest.warns(RuntimeWarning, match="window=1000 is wider than the 100 state tokens") as caught:
        windows = plan_windows(5000, 100, BUDGET, window=1000)
    assert windows.size == 100
    assert "scanning with window=100 instead" in str(caught[0].message)


def test_a_default_window_warns_only_when_it_shrinks_to_half():
    with pytest.warns(RuntimeWarning, match=r"about 3\.1 times as many windows"):
        assert plan_windows(5000, 100, BUDGET).size == 100
    assert plan_windows(5000, 157, BUDGET).size == 157


def test_a_stride_past_the_window_is_refused():
    with pytest.raises(ArgumentError, match=r"^predict_long: stride=50 steps past the 10-token window"):
        plan_windows(100, 400, BUDGET, window=10, stride=50)


def test_a_stride_that_fitted_the_window_asked_for_is_replaced_with_a_warning():
    with pytest.warns(RuntimeWarning) as caught:
        assert plan_windows(5000, 100, BUDGET, window=200, stride=150).step == 50
    assert [str(w.message).split(";")[1].strip() for w in caught] == [
        "scanning with window=100 instead",
        "using stride=50 instead",
    ]


def test_too_many_windows_are_refused_with_their_number():
    with pytest.raises(ArgumentError, match=r"make 9993 windows, more than max_windows=1024"):
        plan_windows(10_000, 400, BUDGET, window=8, stride=1)
    assert len(plan_windows(10_000, 400, BUDGET, window=8, stride=1, max_windows=9993).spans) == 9993
    assert MAX_WINDOWS == 1024


def test_questions_that_leave_no_room_are_refused():
    with pytest.raises(BudgetError, match=r"leave no room for the state within max_len=512.*predict_shortlist"):
        plan_windows(10, 0, BUDGET)


@pytest.mark.parametrize("bad", [0, -5, 7, True, 12.0, "64"])
def test_window_is_an_int_of_some_size(bad):
    with pytest.raises(ArgumentError, match=r"predict_long: window must be None or an int of at least 8, got "):
        plan_windows(10, 400, BUDGET, window=bad)


@pytest.mark.parametrize("bad", [0, -1, True, 1.5, "2"])
def test_stride_and_cap_are_positive_ints(bad):
    with pytest.raises(ArgumentError, match="predict_long: stride must be"):
        plan_windows(10, 400, BUDGET, stride=bad)
    with pytest.raises(ArgumentError, match="predict_long: max_windows must be"):
        plan_windows(10, 400, BUDGET, max_windows=bad)
