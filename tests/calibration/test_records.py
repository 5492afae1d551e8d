import numpy as np
import pytest

from laya.calibration import as_records, records_from_labeled
from laya.errors import ArgumentTypeError, CalibrationError


def test_types_are_numbers_or_names():
    records = as_records([(0, [1, 2, 3], [0, 1, 0]), ("score", [1], [1.0], 1), (2, np.array([0.5, 1]), (0.25, 0.75))])
    assert [record.type for record in records] == ["choice", "score", "noul"]
    assert [record.bucket for record in records] == ["choice:3-5", "score:2", "noul:2"]
    assert as_records(records)[0].logits.tolist() == [1, 2, 3]


def test_a_target_is_scaled_to_one():
    assert as_records([(0, [1, 2], [0.3334, 0.6667])])[0].target.sum() == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ((3, [1], [1]), "type must be 0 .choice., 1 .score., 2 .noul."),
        ((True, [1], [1]), "type must be"),
        (("Choice", [1], [1]), "type must be"),
        ((0, [1, 2], [1]), "one number per option, got 2 and 1"),
        ((0, [1, 2], [1, 0], 3), "one number per option, got 2 and 2, k=3"),
        ((0, [], []), "logits must be a non-empty list of finite numbers"),
        ((0, [float("nan")], [1]), "logits must be a non-empty list of finite numbers"),
        ((0, [[1]], [1]), "logits must be a non-empty list of finite numbers"),
        ((0, ["a"], [1]), "logits must be a list of numbers"),
        ((0, [1, 2], [0.5, 0.6]), "target must be probabilities that sum to 1"),
        ((0, [1, 2], [-0.5, 1.5]), "target must be probabilities that sum to 1"),
        ((0, [1]), r"must be \(type, logits, target\)"),
        ("abc", r"must be \(type, logits, target\)"),
    ],
)
def test_malformed_records_are_refused_with_their_index(record, problem):
    with pytest.raises(CalibrationError, match=f"^record 1: .*{problem}") as caught:
        as_records([(0, [1, 2], [0, 1]), record])
    assert caught.value.index == 1


class Logits:
    """Gives each option its position as its logit."""

    def __init__(self):
        self.asked = []

    def logits(self, states, questions):
        self.asked.append((states, list(questions)))
        sizes = {qid: 2 if q["type"] == "noul" else len(q["criteria"]) for qid, q in questions.items()}
        return [{qid: list(map(float, range(k))) for qid, k in sizes.items()} for _ in states]


QUESTIONS = {
    "c": {"type": "choice", "criteria": {"a": "first", 2: None}},
    "s": {"type": "score", "criteria": ["low", "mid", "high"]},
    "n": {"type": "noul"},
}


def records(**targets):
    return records_from_labeled(Logits(), [("state", QUESTIONS, targets)])


@pytest.mark.parametrize(
    ("qid", "target", "expected"),
    [
        ("c", "a", [1, 0]),
        ("c", 2, [0, 1]),
        ("c", {"a": 0.25, 2: 0.75}, [0.25, 0.75]),
        ("c", {2: 1.0}, [0, 1]),
        ("s", 2, [0, 0, 1]),
        ("s", 0.25, [0.75, 0.25, 0]),
        ("s", [0.5, 0.5, 0], [0.5, 0.5, 0]),
        ("n", True, [0, 1]),
        ("n", 0.25, [0.75, 0.25]),
    ],
)
def test_targets_become_distributions(qid, target, expected):
    (record,) = records(**{qid: target})
    assert record.target.tolist() == expected
    assert record.logits.tolist() == list(range(len(expected)))


def test_only_questions_with_a_target_are_asked():
    agent = Logits()
    found = records_from_labeled(agent, [("x", QUESTIONS, {"n": True, "c": "a"}), ("y", QUESTIONS, {})])
    assert agent.asked == [(["x"], ["c", "n"])]
    assert [record.type for record in found] == ["choice", "noul"]


@pytest.mark.parametrize(
    ("qid", "target"),
    [
        ("c", "z"),
        ("c", {"z": 1.0}),
        ("c", {"a": 0.4}),
        ("s", 3),
        ("s", -0.1),
        ("s", True),
        ("s", "low"),
        ("s", [1.0]),
        ("n", 1.5),
        ("n", "yes"),
    ],
)
def test_targets_that_do_not_fit_are_refused(qid, target):
    with pytest.raises(CalibrationError, match=f"example 0: question {qid!r}: ") as caught:
        records(**{qid: target})
    assert (caught.value.index, caught.value.question) == (0, qid)


def test_targets_of_no_question_are_refused():
    with pytest.raises(CalibrationError, match=r"example 0: targets \['other'\] belong to no question"):
        records(other=1)


def test_an_agent_without_logits_is_refused():
    with pytest.raises(ArgumentTypeError, match="object has no logits"):
        records_from_labeled(object(), [])
