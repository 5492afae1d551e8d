import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import laya
from laya.errors import ArgumentError


def choice(p, **more):
    return {"type": "choice", "probabilities": dict(enumerate(p)), "answer_confidence": max(p), **more}


@pytest.mark.parametrize("bad", [math.nan, 1.5, -0.1, True, "0.5", [0.5], object()])
def test_a_threshold_must_be_a_number_between_zero_and_one(bad):
    with pytest.raises(ArgumentError, match=r"min_confidence must be a float in \[0.0, 1.0\], got "):
        laya.check_min_confidence(bad)
    with pytest.raises(ArgumentError, match="min_confidence"):
        laya.check_min_confidence({"default": bad})


def test_a_map_needs_known_buckets():
    with pytest.raises(ArgumentError, match=r"non-empty dict of bucket -> float, got \{\}"):
        laya.check_min_confidence({})
    with pytest.raises(ArgumentError, match="bucket like 'choice:3-5' or 'default', got 'choice:4'"):
        laya.check_min_confidence({"choice:4": 0.5})
    assert laya.check_min_confidence({"noul:2": 1, "default": 0}) == {"noul:2": 1.0, "default": 0.0}


def test_a_map_is_looked_up_by_bucket_then_default_then_zero():
    table = {"choice:3-5": 0.8, "noul:2": 0.6}
    assert laya.resolve_min_confidence(table, choice([0.5, 0.3, 0.2])) == 0.8
    assert laya.resolve_min_confidence(table, {"type": "noul"}) == 0.6
    assert laya.resolve_min_confidence(table, {"type": "score", "probabilities": {"0": 1.0}}) == 0.0
    assert laya.resolve_min_confidence({**table, "default": 0.3}, {"type": "score", "probabilities": {}}) == 0.3


def test_the_gate_marks_every_answer():
    sure, unsure = choice([0.9, 0.1]), choice([0.6, 0.4], low_confidence=True)
    broken = {"type": "noul", "answer_confidence": math.nan}
    laya.apply_confidence_gate([{"answers": {"a": sure, "b": unsure, "c": broken}}], 0.7)
    assert (sure["abstention"], sure["abstention_threshold"], "low_confidence" in sure) == ("passed", 0.7, False)
    assert (unsure["abstention"], unsure["low_confidence"]) == ("abstained", True)
    assert broken["abstention"] == "unevaluated"
    assert {sure["abstention"], unsure["abstention"], broken["abstention"]} <= set(laya.GATE_STATES)


def test_an_answer_that_passes_loses_a_stale_flag():
    answer = choice([0.6, 0.4], low_confidence=True)
    laya.flag_low_confidence(answer, 0.5)
    assert "low_confidence" not in answer


def test_without_answer_confidence_the_confidence_counts():
    answer = {"type": "noul", "confidence": 0.4}
    laya.flag_low_confidence(answer, 0.5)
    assert answer["low_confidence"] is True


def test_no_threshold_writes_nothing():
    answer = choice([1.0])
    before = dict(answer)
    laya.apply_confidence_gate([{"answers": {"a": answer}}], None)
    assert answer == before


def test_protocol_confidence_by_hand():
    assert laya.jev_confidence(choice([0.7, 0.2, 0.1])) == pytest.approx((0.7 - 1 / 3) / (2 / 3))
    score = {"type": "score", "probabilities": {"0": 0.2, "1": 0.5, "2": 0.3}}
    assert laya.jev_confidence(score) == pytest.approx(1 - 0.5 / (2 / 3))
    low = {"type": "score", "probabilities": {"0": 0.8, "1": 0.1, "2": 0.1, "3": 0.0}}
    assert laya.jev_confidence(low) == pytest.approx(1 - 0.3 / 1.0), "the scale's middle is 1.5, its spread 1"
    assert laya.jev_confidence(choice([1.0])) == 1.0
    assert laya.jev_confidence({"type": "noul", "noul": 0.7}) is None
    assert laya.jev_confidence(choice([0.5, math.nan], answer_confidence=0.5)) is None


@given(st.lists(st.floats(0.01, 1.0), min_size=2, max_size=12), st.sampled_from(["choice", "score"]))
def test_protocol_confidence_lies_between_zero_and_one(weights, kind):
    p = [w / sum(weights) for w in weights]
    value = laya.jev_confidence({"type": kind, "probabilities": {str(i): x for i, x in enumerate(p)}})
    assert -1e-9 <= value <= 1.0 + 1e-9
