import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.calibration import ConformalSets, fit_conformal
from laya.errors import ArgumentError, CalibrationError

ROWS = st.integers(2, 5).flatmap(lambda k: st.lists(st.floats(-3, 3), min_size=k, max_size=k))


def softmax(z, temperature=1.0):
    e = np.exp(np.array(z) / temperature)
    return e / e.sum()


def answer(p):
    return {"type": "choice", "probabilities": {str(i): float(x) for i, x in enumerate(p)}}


def strangeness(p, i, method):
    """Score of label i, from the definition."""
    return 1 - p[i] if method == "lac" else sum(sorted((x for x in p if x >= p[i]), reverse=True))


@given(st.lists(ROWS, min_size=1, max_size=25), st.data(), st.sampled_from(["lac", "aps"]), st.floats(0, 0.99))
@settings(deadline=None)
def test_limits_and_sets_are_those_of_the_definition(rows, data, method, coverage):
    right = [data.draw(st.integers(0, len(z) - 1)) for z in rows]
    records = [("choice", z, np.eye(len(z))[y]) for z, y in zip(rows, right, strict=True)]
    sets = fit_conformal(records, coverage=coverage, method=method, min_bucket_n=10**6)
    scores = sorted(strangeness(softmax(z), y, method) for z, y in zip(rows, right, strict=True))
    rank = max(1, math.ceil((len(rows) + 1) * coverage - 1e-9))
    limit = math.inf if rank > len(rows) else scores[rank - 1]
    assert sets.limits == {"default": pytest.approx(limit)}
    p = softmax(data.draw(ROWS))
    inside = {str(i) for i in range(len(p)) if strangeness(p, i, method) <= limit - 1e-9}
    near = {str(i) for i in range(len(p)) if strangeness(p, i, method) <= limit + 1e-9}
    found = set(sets.labels(answer(p)))
    assert inside | {str(int(np.argmax(p)))} <= found <= near | {str(int(np.argmax(p)))}


@pytest.mark.parametrize("method", ["lac", "aps"])
@pytest.mark.parametrize("coverage", [0.8, 0.9])
@pytest.mark.parametrize("n", [20, 300])
def test_sets_hold_the_truth_as_often_as_they_say_even_from_a_bad_model(method, coverage, n):
    rng = np.random.default_rng(n)
    hits, sizes = [], []
    for _ in range(60):
        logits = rng.normal(size=(n + 100, 4)) * 2
        # The model is far too sure: the truth follows three times the temperature.
        truth = [rng.choice(4, p=softmax(z, 3.0)) for z in logits]
        records = [("choice", z, np.eye(4)[y]) for z, y in zip(logits[:n], truth, strict=False)]
        sets = fit_conformal(records, coverage=coverage, method=method, min_bucket_n=10**6)
        for z, y in zip(logits[n:], truth[n:], strict=True):
            labels = sets.labels(answer(softmax(z)))
            hits.append(str(y) in labels)
            sizes.append(len(labels))
    # 6000 tests on 60 fits: two standard errors are about 0.02 for n = 20.
    assert np.mean(hits) > coverage - 0.02
    assert np.mean(sizes) < 4


def test_too_few_records_give_every_label():
    records = [("choice", [5.0, 0.0, 0.0], [1, 0, 0])] * 8
    sets = fit_conformal(records, coverage=0.9)
    assert sets.limits == {"default": math.inf}
    assert sets.labels(answer([0.98, 0.01, 0.01])) == ["0", "1", "2"]
    assert fit_conformal([*records, records[0]], coverage=0.9).labels(answer([0.98, 0.01, 0.01])) == ["0"]


def test_buckets_with_enough_records_have_their_own_limit():
    records = [("choice", [3.0, 0.0, 0.0], [1, 0, 0])] * 100 + [("noul", [1.0, 0.0], [0, 1])] * 100
    sets = fit_conformal(records)
    assert set(sets.limits) == {"default", "choice:3-5", "noul:2"}
    assert sets.limits["noul:2"] == pytest.approx(1 - softmax([1.0, 0.0])[1])


def test_every_type_of_answer_has_a_set():
    sets = ConformalSets(0.9, "lac", {"default": 0.75})
    assert sets.labels({"type": "noul", "noul": 0.7}) == [False, True]
    assert sets.labels({"type": "noul", "noul": 0.9}) == [True]
    assert sets.labels({"type": "score", "probabilities": {"0": 0.1, "1": 0.6, "2": 0.3}}) == [1, 2]
    assert sets.labels({"type": "choice", "probabilities": {"a": 0.2, 7: 0.8}}) == [7]


def test_a_set_is_never_empty():
    assert ConformalSets(0.1, "lac", {"default": 0.0}).labels(answer([0.4, 0.35, 0.25])) == ["0"]


def test_temperatures_are_applied_first():
    records = [("noul", [2.0, 0.0], [1, 0])] * 20
    assert fit_conformal(records, [1.0, 1.0, 2.0]).limits["default"] == pytest.approx(1 - softmax([1.0, 0.0])[0])


def test_sets_survive_json():
    sets = ConformalSets(0.9, "aps", {"default": math.inf, "noul:2": 0.25})
    assert sets.to_json() == {"coverage": 0.9, "method": "aps", "limits": {"default": None, "noul:2": 0.25}}
    assert ConformalSets.from_json(sets.to_json()) == sets


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"coverage": 0.9, "method": "other", "limits": {"default": 1}},
        {"coverage": 0.9, "method": "lac", "limits": {}},
        {"coverage": 0.9, "method": "lac", "limits": {"default": 1, "bogus": 1}},
        {"coverage": 0.9, "method": "lac", "limits": {"default": "1"}},
        {"coverage": 2, "method": "lac", "limits": {"default": 1}},
    ],
)
def test_bad_json_is_refused(data):
    with pytest.raises(CalibrationError):
        ConformalSets.from_json(data)


def test_wrong_arguments_are_refused():
    with pytest.raises(ArgumentError, match="coverage must be a number in"):
        fit_conformal([], coverage=1.0)
    with pytest.raises(ArgumentError, match="method must be one of"):
        fit_conformal([], method="raps")
    with pytest.raises(CalibrationError, match="no records"):
        fit_conformal([])
    with pytest.raises(ArgumentError, match="needs an answer with its probabilities"):
        ConformalSets(0.9, "lac", {"default": 1.0}).labels({"type": "choice"})
