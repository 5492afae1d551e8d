from __future__ import annotations

import pytest

from laya.evals import ece, mean_absolute_error


def test_ece_weighs_the_gap_of_each_bin():
    # Two rows share the bin of .62, with accuracy one half; one row is alone in the bin of .9.
    rows = [[0.62, 0.38], [0.62, 0.38], [0.1, 0.9]]
    assert ece(rows, [0, 1, 1]) == pytest.approx((2 * abs(0.62 - 0.5) + abs(0.9 - 1.0)) / 3)


def test_ece_of_certain_and_right_answers_is_zero():
    assert ece([[1.0, 0.0], [0.0, 1.0]], [0, 1]) == 0.0


def test_the_error_of_scores_is_in_levels():
    assert mean_absolute_error([0.5, 2.0], [1, 4]) == pytest.approx(1.25)
