import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.calibration import BinningMap, Temperatures, as_records, fit_binning_map
from laya.calibration.bins import pool_adjacent_violators
from laya.calibration.records import score_records
from laya.errors import ArgumentError, CalibrationError

ONES = [1.0, 1.0, 1.0]


def record(confidence, correct):
    """A yes/no record whose larger probability is `confidence`."""
    return ("noul", [0.0, np.log(confidence / (1 - confidence))], [1 - correct, correct])


def test_a_bin_has_the_accuracy_of_its_records():
    records = [record(0.65, 1)] * 30 + [record(0.65, 0)] * 10 + [record(0.95, 1)] * 60
    binning = fit_binning_map(records, ONES, bins=10, min_bucket_n=100)
    assert binning.apply("noul:2", 0.65) == pytest.approx(0.75)
    assert binning.apply("noul:2", 0.95) == 1.0
    assert binning.apply("choice:2", 0.65) == 0.65


def test_a_surer_answer_is_never_reported_as_less_sure():
    records = [record(0.55, 1)] * 50 + [record(0.75, 0)] * 25 + [record(0.75, 1)] * 25 + [record(0.95, 1)] * 50
    plain = fit_binning_map(records, ONES, bins=10, min_bucket_n=100, monotone=False)
    assert plain.apply("noul:2", 0.75) < plain.apply("noul:2", 0.55)
    monotone = fit_binning_map(records, ONES, bins=10, min_bucket_n=100)
    assert monotone.apply("noul:2", 0.75) == monotone.apply("noul:2", 0.55) == pytest.approx(0.75)
    assert monotone.apply("noul:2", 0.95) == 1.0


@given(st.lists(st.tuples(st.floats(0.5, 0.999), st.integers(0, 1)), min_size=1, max_size=60), st.integers(1, 20))
@settings(deadline=None)
def test_bins_are_monotone_in_range_and_keep_the_mean(pairs, bins):
    records = [record(c, y) for c, y in pairs]
    values = fit_binning_map(records, ONES, bins=bins, min_bucket_n=1).values["noul:2"]
    assert list(values) == sorted(values)
    assert 0 <= values[0] <= values[-1] <= 1
    binning = BinningMap({"noul:2": values})
    scored = score_records(as_records(records), Temperatures())
    mapped = [binning.apply("noul:2", sure) for sure in scored.confidence]
    assert np.mean(mapped) == pytest.approx(np.mean(scored.correct))


def test_without_pooling_an_empty_bin_has_its_centre():
    values = fit_binning_map([record(0.95, 1)] * 100, ONES, bins=4, min_bucket_n=1, monotone=False).values["noul:2"]
    assert values == (0.125, 0.375, 0.625, 1.0)


def test_temperatures_are_applied_first():
    records = [record(0.95, 1)] * 10
    cold = fit_binning_map(records, [1.0, 1.0, 5.0], bins=10, min_bucket_n=1, monotone=False).values["noul:2"]
    assert (cold[6], cold[9]) == (1.0, 0.95)


def test_no_bucket_with_enough_records_is_an_error():
    with pytest.raises(CalibrationError, match=r"no bucket has min_bucket_n=200 records \(3 in all\)"):
        fit_binning_map([record(0.9, 1)] * 3, ONES)
    with pytest.raises(ArgumentError, match="bins must be an int of at least 1"):
        fit_binning_map([], ONES, bins=0)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 9)), min_size=1, max_size=12))
def test_pooling_gives_the_nearest_sequence_that_does_not_fall(pairs):
    values, weights = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    pooled = pool_adjacent_violators(values, weights)
    assert (np.diff(pooled) >= -1e-12).all()

    # The max-min formula of isotonic regression.
    def mean(i, j):
        return np.average(values[i : j + 1], weights=weights[i : j + 1])

    n = len(values)
    expected = [max(min(mean(i, j) for j in range(t, n)) for i in range(t + 1)) for t in range(n)]
    assert pooled == pytest.approx(expected)
