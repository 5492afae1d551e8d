import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.calibration import BinningMap, check_min_confidence, fit_abstention_thresholds
from laya.errors import ArgumentError, CalibrationError

ONES = [1.0, 1.0, 1.0]


def record(confidence, correct, kind="noul"):
    return (kind, [0.0, np.log(confidence / (1 - confidence))], [1 - correct, correct])


def brute_force(pairs, target, extra):
    """Lowest confidence whose accepted set is good enough, by trying each."""
    good = [1.0]
    for threshold in sorted({c for c, _ in pairs}):
        accepted = [y for c, y in pairs if c >= threshold]
        wrong = len(accepted) - sum(accepted)
        if (wrong + extra) / (len(accepted) + extra) <= target:
            good.append(threshold)
    return min(good)


@given(
    st.lists(st.tuples(st.sampled_from([0.55, 0.6, 0.7, 0.8, 0.9, 0.99]), st.integers(0, 1)), min_size=1, max_size=80),
    st.sampled_from([0.0, 0.05, 0.1, 0.3]),
    st.booleans(),
)
@settings(deadline=None)
def test_the_threshold_is_the_lowest_that_keeps_the_error(pairs, target, conservative):
    records = [record(c, y) for c, y in pairs]
    fitted = fit_abstention_thresholds(records, ONES, target_error=target, min_bucket_n=1, conservative=conservative)
    assert fitted["noul:2"] == pytest.approx(brute_force(pairs, target, int(conservative)))
    assert fitted["default"] == fitted["noul:2"]
    assert check_min_confidence(fitted) == fitted


def test_small_buckets_share_the_default():
    records = [record(0.9, 1)] * 100 + [record(0.8, 0, "choice")] * 5
    fitted = fit_abstention_thresholds(records, ONES, target_error=0.05)
    assert set(fitted) == {"noul:2", "default"}
    assert fitted["default"] == pytest.approx(0.9)
    spread = [record(0.9, 1)] * 60 + [record(0.9, 1, "choice")] * 60
    assert set(fit_abstention_thresholds(spread, ONES)) == {"default"}


def test_binning_comes_first():
    binning = BinningMap({"noul:2": (0.3, 0.42)})
    fitted = fit_abstention_thresholds([record(0.9, 1)] * 100, ONES, binning_map=binning)
    assert fitted["noul:2"] == 0.42


def test_no_threshold_that_works_means_one():
    assert fit_abstention_thresholds([record(0.9, 0)] * 100, ONES)["noul:2"] == 1.0


def test_nothing_is_never_returned_silently():
    with pytest.raises(CalibrationError, match="99 records are fewer than min_bucket_n=100"):
        fit_abstention_thresholds([record(0.9, 1)] * 99, ONES)


@pytest.mark.parametrize("bad", [-0.1, 1, True, float("nan"), "x"])
def test_target_error_is_a_share(bad):
    with pytest.raises(ArgumentError, match=r"target_error must be a number in \[0, 1\)"):
        fit_abstention_thresholds([], ONES, target_error=bad)
