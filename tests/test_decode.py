import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.calibration import BinningMap, Temperatures
from laya.decode import Calibration, decode, entropy_confidence, softmax
from laya.errors import ForwardError
from laya.request import Question, Scores

PLAIN = Calibration(Temperatures(), {})


def question(kind, labels, order=None):
    names = tuple(str(label) for label in labels)
    blank = (None,) * len(names)
    slots = tuple(order or range(len(names)))
    return Question("q", kind, "which?", tuple(labels), names, names, blank, slots)


def scores(*logits, act=(0.0,)):
    return Scores(np.array(logits, dtype=np.float32), np.array(act, dtype=np.float32))


def test_a_choice_keeps_the_callers_label_objects():
    answer = decode(question("choice", [1, 2.5, "x"]), scores(0.0, math.log(3), 0.0), PLAIN)
    assert answer["choice"] == 2.5
    assert answer["probabilities"] == pytest.approx({1: 0.2, 2.5: 0.6, "x": 0.2}, abs=1e-6)
    assert answer["answer_confidence"] == pytest.approx(0.6)
    assert answer["confidence"] == pytest.approx(entropy_confidence([0.2, 0.6, 0.2]))
    assert answer["action"] == {"act_probability": 1.0}


def test_a_score_is_the_expected_level():
    answer = decode(question("score", ["low", "mid", "high"]), scores(0.0, 0.0, math.log(2)), PLAIN)
    assert answer["score"] == pytest.approx(0.25 + 2 * 0.5)
    assert answer["legend"] == {"0": "low", "1": "mid", "2": "high"}
    assert sum(answer["probabilities"].values()) == pytest.approx(1.0, abs=1e-12)


def test_a_noul_is_the_probability_of_true():
    answer = decode(question("noul", [False, True]), scores(0.0, math.log(4)), PLAIN)
    assert answer["noul"] == pytest.approx(0.8)
    assert answer["confidence"] == answer["answer_confidence"] == answer["noul"]
    assert "probabilities" not in answer


def test_the_first_of_equal_options_wins_in_canonical_order():
    assert decode(question("choice", ["a", "b"], order=[1, 0]), scores(1.0, 1.0), PLAIN)["choice"] == "a"
    assert decode(question("choice", ["a", "b"]), scores(1.0, 1.0 + 1e-7), PLAIN)["choice"] == "a"
    assert decode(question("choice", ["a", "b"]), scores(1.0, 1.001), PLAIN)["choice"] == "b"


@given(st.permutations(range(4)))
def test_slots_are_put_back_into_canonical_order(order):
    logits = [0.1, 0.9, -0.3, 0.5]
    shown = scores(*(logits[canonical] for canonical in order))
    answer = decode(question("choice", list("abcd"), order), shown, PLAIN)
    plain = decode(question("choice", list("abcd")), scores(*logits), PLAIN)
    assert answer["probabilities"] == pytest.approx(plain["probabilities"], abs=1e-12)


def test_temperature_flattens_and_language_overrides_switch_binning_off():
    binned = BinningMap({"choice:2": (0.25, 0.75)})
    german = Temperatures((2.0, 1.0, 1.0))
    calibration = Calibration(Temperatures((0.5, 1.0, 1.0)), {"de": german}, binned)
    ask = question("choice", ["a", "b"])
    plain = decode(ask, scores(0.0, 1.0), calibration)
    assert plain["probabilities"]["b"] == pytest.approx(softmax([0.0, 2.0])[1])
    assert plain["answer_confidence"] == 0.75
    translated = decode(ask, scores(0.0, 1.0), calibration, lang="de-CH")
    assert translated["probabilities"]["b"] == pytest.approx(softmax([0.0, 0.5])[1])
    assert translated["answer_confidence"] == translated["probabilities"]["b"]


def test_single_options_are_certain():
    answer = decode(question("choice", ["only"]), scores(-3.0), PLAIN)
    assert (answer["probabilities"], answer["confidence"], answer["answer_confidence"]) == ({"only": 1.0}, 1.0, 1.0)
    assert decode(question("score", ["only"]), scores(7.0), PLAIN)["score"] == 0.0


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_an_error_and_never_an_answer(bad):
    with pytest.raises(ForwardError, match="question 'q': the runtime returned NaN or infinite logits") as caught:
        decode(question("choice", ["a", "b"]), scores(0.0, bad), PLAIN)
    assert caught.value.question == "q"
    with pytest.raises(ForwardError):
        decode(question("choice", ["a", "b"]), scores(0.0, 1.0, act=(bad, 0.0)), PLAIN)


@given(st.lists(st.floats(-50, 50, width=32), min_size=1, max_size=255))
def test_probabilities_sum_to_one_and_confidences_stay_in_range(logits):
    answer = decode(question("choice", [f"o{i}" for i in range(len(logits))]), scores(*logits), PLAIN)
    assert sum(answer["probabilities"].values()) == pytest.approx(1.0, abs=1e-9)
    assert 0.0 <= answer["confidence"] <= 1.0
    assert 0.0 <= answer["answer_confidence"] <= 1.0
