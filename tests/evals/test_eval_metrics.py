from __future__ import annotations

import math

import pytest

from laya.evals import accuracy, brier, ece, mean_absolute_error, nll

ROWS = [[0.7, 0.2, 0.1], [0.5, 0.5], [0.1, 0.9]]
GOLD = [0, 1, 1]


def test_accuracy_takes_the_first_of_equals():
    assert accuracy(ROWS, GOLD) == pytest.approx(2 / 3)


def test_nll_is_the_mean_of_the_logarithms():
    assert nll(ROWS, GOLD) == pytest.approx(-(math.log(0.7) + math.log(0.5) + math.log(0.9)) / 3)


def test_nll_of_a_certain_mistake_is_finite():
    assert nll([[1.0, 0.0]], [1]) == pytest.approx(-math.log(1e-12))


def test_brier_sums_over_options():
    assert brier(ROWS, GOLD) == pytest.approx(((0.09 + 0.04 + 0.01) + (0.25 + 0.25) + (0.01 + 0.01)) / 3)


def test_ece_weighs_the_gap_of_each_bin():
    # Two rows share the bin of .62, with accuracy one half; one row is alone in the bin of .9.
    rows = [[0.62, 0.38], [0.62, 0.38], [0.1, 0.9]]
    assert ece(rows, [0, 1, 1]) == pytest.approx((2 * abs(0.62 - 0.5) + abs(0.9 - 1.0)) / 3)


def test_ece_puts_an_edge_into_the_bin_below():
    # .5 is the upper edge of the first of two bins, .6 lies in the second: two gaps, not one that cancels.
    assert ece([[0.5, 0.5], [0.6, 0.4]], [0, 1], bins=2) == pytest.approx((0.5 + 0.6) / 2)


def test_ece_of_certain_and_right_answers_is_zero():
    assert ece([[1.0, 0.0], [0.0, 1.0]], [0, 1]) == 0.0


def test_the_error_of_scores_is_in_levels():
    assert mean_absolute_error([0.5, 2.0], [1, 4]) == pytest.approx(1.25)


def test_no_rows_are_not_a_number():
    assert all(math.isnan(measure([], [])) for measure in (accuracy, nll, brier, ece, mean_absolute_error))
