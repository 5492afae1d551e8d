import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzing import examples
from laya.calibration import Temperatures, bucket, fit_temperature, fit_temperatures, nll
from laya.errors import ArgumentError, CalibrationError


def sample(n, k, temperature, kind="choice", *, seed=0, spread=2.0):
    """Records whose truth is drawn from softmax(logits / temperature)."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(size=(n, k)) * spread
    p = np.exp(logits / temperature)
    p /= p.sum(axis=1, keepdims=True)
    return [(kind, z, np.eye(k)[rng.choice(k, p=row)]) for z, row in zip(logits, p, strict=True)]


def loss(records, temperature):
    rows = [np.exp(z / temperature - np.max(z / temperature)) for _, z, _ in records]
    return nll([row / row.sum() for row in rows], [target for _, _, target in records])


@pytest.mark.parametrize("k", [2, 3, 12])
@pytest.mark.parametrize("temperature", [0.6, 1.0, 3.0])
def test_the_temperature_that_made_the_data_is_found(k, temperature):
    records = sample(4000, k, temperature, spread=3.0)
    assert fit_temperature(records) == pytest.approx(temperature, rel=0.1)


@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(2, 30))
@settings(max_examples=examples(60), deadline=None)
def test_no_other_temperature_is_better(seed, k, n):
    records = sample(n, k, 1.3, seed=seed)
    best = fit_temperature(records)
    grid = np.exp(np.linspace(math.log(0.05), math.log(50), 60))
    assert loss(records, best) <= min(loss(records, t) for t in grid) + 1e-9


@given(st.floats(0.5, 4), st.floats(-50, 50))
@settings(deadline=None)
def test_scaling_logits_scales_the_temperature_and_shifting_them_does_not(scale, shift):
    records = sample(60, 3, 1.2)
    moved = [(kind, z * scale + shift, target) for kind, z, target in records]
    assert fit_temperature(moved) == pytest.approx(scale * fit_temperature(records), rel=1e-6)


def test_rows_of_different_widths_are_fitted_together():
    records = sample(2000, 2, 2.0, seed=1) + sample(2000, 7, 2.0, seed=2)
    assert fit_temperature(records) == pytest.approx(2.0, rel=0.1)


def test_cases_without_a_minimum():
    always_right = [(0, [2.0, 0.0], [1, 0])] * 5
    always_wrong = [(0, [2.0, 0.0], [0, 1])] * 5
    assert fit_temperature(always_right) == pytest.approx(0.05)
    assert fit_temperature(always_wrong) == pytest.approx(50)
    assert fit_temperature([(0, [1.0, 1.0], [1, 0])]) == 1.0
    assert fit_temperature([(0, [3.0], [1.0])]) == 1.0


def test_types_and_buckets_have_their_floors():
    records = sample(60, 3, 2.0) + sample(250, 8, 3.0) + sample(20, 2, 2.0, "noul")
    fit = fit_temperatures(records)
    assert fit["n_by_bucket"] == {"choice:3-5": 60, "choice:6-10": 250, "noul:2": 20}
    assert fit["n_by_type"] == {"choice": 310, "noul": 20}
    assert list(fit["temperature_by_options"]) == ["choice:6-10"]
    assert fit["temperature"][0] > 1.5
    assert fit["temperature"][1:] == [1.0, 1.0]
    low = fit_temperatures(records, min_type_n=20, min_bucket_n=60)
    assert set(low["temperature_by_options"]) == {"choice:3-5", "choice:6-10"}
    assert low["temperature"][2] != 1.0


def test_temperatures_outside_the_limits_are_reported():
    fit = fit_temperatures([(0, [2.0, 0.0], [1, 0])] * 60)
    assert fit["temperature"][0] == 0.5
    assert fit["temperature_clamped"] == {
        "choice": {"fitted": pytest.approx(0.05), "applied": 0.5, "bound": "min"},
    }


def test_the_report_is_measured_on_records_that_were_not_fitted_on():
    records = sample(400, 4, 3.0)
    report = fit_temperatures(records)["report"]
    assert (report["n"], report["folds"]) == (400, 5)
    assert report["ece_after"] < report["ece_before"] / 2
    assert report["nll_after"] < report["nll_before"]
    assert report["brier_after"] < report["brier_before"]
    # Fitted on the very records it is judged on, the loss would be lower.
    best = fit_temperature(records)
    assert report["nll_after"] > loss(records, best)


def test_a_report_on_pure_noise_shows_no_gain():
    rng = np.random.default_rng(3)
    records = [
        ("noul", z, np.eye(2)[int(rng.random() < 1 / (1 + math.exp(z[0] - z[1])))]) for z in rng.normal(size=(60, 2))
    ]
    report = fit_temperatures(records)["report"]
    assert report["nll_after"] > report["nll_before"] - 0.01


def test_small_sets_have_a_report_too():
    report = fit_temperatures(sample(3, 3, 1.0), min_type_n=2)["report"]
    assert (report["n"], report["folds"]) == (3, 3)
    assert all(math.isfinite(value) for value in report.values())
    assert fit_temperatures(sample(1, 3, 1.0))["report"] is None


def test_the_seed_fixes_the_folds():
    records = sample(120, 3, 2.0)
    assert fit_temperatures(records, seed=1) == fit_temperatures(records, seed=1)
    assert fit_temperatures(records, seed=1)["report"] != fit_temperatures(records, seed=2)["report"]


def test_the_result_is_what_temperatures_take():
    fit = fit_temperatures(sample(300, 4, 2.0))
    applied = Temperatures(tuple(fit["temperature"]), fit["temperature_by_options"])
    assert applied.get("choice", 4) == fit["temperature_by_options"][bucket("choice", 4)]
    assert not applied.replaced()


@pytest.mark.parametrize("name", ["min_type_n", "min_bucket_n", "folds"])
@pytest.mark.parametrize("bad", [0, True, 2.5])
def test_counts_are_positive_ints(name, bad):
    with pytest.raises(ArgumentError, match=f"{name} must be an int of at least"):
        fit_temperatures(sample(5, 2, 1.0), **{name: bad})


def test_no_records_and_bad_records_are_refused():
    with pytest.raises(ArgumentError, match="there are no records"):
        fit_temperatures([])
    with pytest.raises(ArgumentError, match="there are no records"):
        fit_temperature([])
    with pytest.raises(CalibrationError, match="record 0"):
        fit_temperatures([(0, [1], [2])])
