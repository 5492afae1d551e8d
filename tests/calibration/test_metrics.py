import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.calibration import accuracy, brier, ece_score, nll
from laya.errors import ArgumentError

UNIT = st.floats(0, 1)


def naive_ece(confidence, correct, bins):
    total = 0.0
    for b in range(bins):
        # A bin holds its upper edge, and the first one 0.
        mine = [i for i, c in enumerate(confidence) if b < c * bins <= b + 1 or (b == 0 and c == 0)]
        total += abs(sum(confidence[i] - correct[i] for i in mine))
    return total / len(confidence)


@given(st.lists(st.tuples(UNIT, st.booleans()), min_size=1, max_size=30), st.integers(1, 20))
def test_ece_is_the_weighted_gap_of_the_bins(pairs, bins):
    confidence, correct = zip(*pairs, strict=True)
    assert ece_score(confidence, correct, bins) == pytest.approx(naive_ece(confidence, correct, bins))


def test_ece_of_known_cases():
    assert ece_score([1.0, 1.0], [True, True]) == 0.0
    assert ece_score([1.0, 1.0], [True, False]) == 0.5
    assert ece_score([0.25, 0.75], [1, 0], bins=2) == 0.75
    assert ece_score([0.5], [0.5]) == 0.0


@pytest.mark.parametrize(
    ("confidence", "correct", "problem"),
    [
        ([], [], "are empty"),
        ([1.2], [1], r"confidence must lie in \[0, 1\], got 1.2 at index 0"),
        ([0.5, float("nan")], [1, 1], "confidence must lie in"),
        ([0.5], [-1], "correct must lie in"),
        ([0.5], [1, 0], "must have the same length, got 1 and 2"),
        ([[0.5]], [1], "must be a flat list"),
        (["x"], [1], "must be numbers"),
    ],
)
def test_ece_refuses_what_it_cannot_measure(confidence, correct, problem):
    with pytest.raises(ArgumentError, match=problem):
        ece_score(confidence, correct)


@pytest.mark.parametrize("bins", [0, -1, True, 1.5])
def test_bins_are_a_positive_int(bins):
    with pytest.raises(ArgumentError, match="bins must be a positive int"):
        ece_score([0.5], [1], bins)


ROWS = [[0.5, 0.5], [0.2, 0.3, 0.5], [1.0]]


def test_metrics_of_known_rows():
    assert accuracy(ROWS, [0, 2, 0]) == 1.0
    assert accuracy(ROWS, [1, 0, 0]) == pytest.approx(1 / 3)
    assert nll(ROWS, [0, 2, 0]) == pytest.approx(-2 * np.log(0.5) / 3)
    assert nll([[0.0, 1.0]], [0]) == pytest.approx(-np.log(1e-12))
    assert brier(ROWS, [0, 2, 0]) == pytest.approx((0.5 + (0.04 + 0.09 + 0.25) + 0.0) / 3)


@given(st.integers(1, 5), st.data())
def test_an_index_means_all_the_probability_on_it(k, data):
    row = data.draw(st.lists(UNIT, min_size=k, max_size=k))
    right = data.draw(st.integers(0, k - 1))
    truth = [float(i == right) for i in range(k)]
    for metric in (accuracy, nll, brier):
        assert metric([row], [right]) == pytest.approx(metric([row], [truth]))


@pytest.mark.parametrize("metric", [accuracy, nll, brier])
@pytest.mark.parametrize(
    ("rows", "gold", "problem"),
    [
        ([], [], "are empty"),
        ([[1.0]], [], "must have the same length, got 1 and 0"),
        ([[1.0]], [1], r"gold\[0\] must be an option index from 0 to 0, got 1"),
        ([[1.0]], [True], r"gold\[0\] must be an option index"),
        ([[1.0]], [[0.5, 0.5]], r"gold\[0\] has 2 options, probabilities\[0\] has 1"),
        ([[1.5]], [0], r"probabilities\[0\] must lie in"),
    ],
)
def test_metrics_refuse_what_they_cannot_measure(metric, rows, gold, problem):
    with pytest.raises(ArgumentError, match=problem):
        metric(rows, gold)
