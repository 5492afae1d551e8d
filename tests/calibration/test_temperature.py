import math
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.calibration import Temperatures, bucket
from laya.calibration.temperature import BUCKETS, parse_language_overrides
from laya.errors import ArgumentError


@pytest.mark.parametrize(
    ("k", "size"),
    [(1, "2"), (2, "2"), (3, "3-5"), (5, "3-5"), (6, "6-10"), (10, "6-10"), (11, "11+"), (255, "11+")],
)
def test_bucket_boundaries(k, size):
    assert bucket("choice", k) == f"choice:{size}"
    assert bucket("noul", k) in BUCKETS


@pytest.mark.parametrize(
    ("raw", "applied"),
    [
        *((1.3, 1.3), (0.1, 0.5), (9, 5.0), (-1, 0.5), ("2.5", 2.5), (True, 1.0), (None, 1.0), ("x", 1.0)),
        *((math.nan, 1.0), (math.inf, 1.0), ([], 1.0)),
    ],
)
def test_a_temperature_is_limited_and_nonsense_becomes_one(raw, applied):
    assert Temperatures((raw, 1.0, 1.0)).by_type[0] == applied
    assert Temperatures(by_options_raw={"choice:2": raw}).get("choice", 2) == applied


def test_a_bucket_wins_over_the_type():
    temperatures = Temperatures((2.0, 3.0, 4.0), {"choice:3-5": 0.7})
    assert temperatures.get("choice", 4) == 0.7
    assert temperatures.get("choice", 2) == 2.0
    assert temperatures.get("score", 4) == 3.0
    assert temperatures.get("noul", 2) == 4.0


def test_replaced_values_are_warned_about_buckets_first():
    temperatures = Temperatures((9.0, 1.0, math.nan), {"noul:2": 0.01})
    with pytest.warns(RuntimeWarning) as seen:
        temperatures.warn_if_replaced("this checkpoint ships")
    assert str(seen[0].message) == (
        "laya: this checkpoint ships invalid temperatures or values outside [0.5, 5]; using noul:2=0.01 -> 0.5, "
        "temperature[0]=9.0 -> 5.0, temperature[2]=nan -> 1.0. "
        "Treat confidence from the affected entries as uncalibrated."
    )


@given(st.lists(st.floats(0.5, 5.0), min_size=3, max_size=3))
def test_values_inside_the_limits_never_warn(values):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Temperatures(tuple(values)).warn_if_replaced("x")


def test_language_overrides_inherit_the_list_but_not_the_buckets():
    base = Temperatures((2.0, 2.0, 2.0), {"choice:2": 3.0})
    parsed = parse_language_overrides({"de-AT": None, "FR": {"temperature": [1, 1, 1]}}, base)
    assert parsed["de"].get("choice", 2) == 2.0
    assert parsed["fr"].by_type == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("overrides", "text"),
    [
        ({5: None}, "Language override keys must be strings, got 5"),
        ({"de": 3}, "Language override 'de' must be a mapping, got int"),
        ({"de": {"temperature": [1, 2]}}, "Language override 'de' temperature must be a list of 3 floats, got [1, 2]"),
        ({"de": {"temperature": "123"}}, "Language override 'de' temperature must be a list of 3 floats, got '123'"),
        ({"de": {"temperature_by_options": [1]}}, "must be a mapping of bucket -> float, got list"),
        ({"de": {"temprature": [1, 1, 1]}}, "unknown keys ['temprature']"),
        ([], "lang_temperatures must be a mapping"),
    ],
)
def test_malformed_language_overrides_are_refused(overrides, text):
    with pytest.raises(ArgumentError) as caught:
        parse_language_overrides(overrides, Temperatures())
    assert text in str(caught.value)


def test_a_replaced_language_value_names_the_language():
    with pytest.warns(RuntimeWarning, match="language override 'de' ships invalid temperatures"):
        parse_language_overrides({"de": {"temperature": [9, 1, 1]}}, Temperatures())
