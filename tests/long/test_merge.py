import copy

from hypothesis import given
from hypothesis import strategies as st

from laya.long import merge_answers, plan_windows
from laya.request import Budget

WINDOWS = plan_windows(25, 100, Budget(200, 50), window=10, stride=5)


def noul(p):
    return {"type": "noul", "noul": p, "answer_confidence": max(p, 1 - p)}


def choice(label, sure):
    return {"type": "choice", "choice": label, "answer_confidence": sure, "probabilities": {label: sure}}


def test_each_question_takes_its_most_telling_window():
    answers = [
        {"spam": noul(0.2), "team": choice("a", 0.5)},
        {"spam": noul(0.7), "team": choice("b", 0.4)},
        {"spam": noul(0.6), "team": choice("c", 0.9)},
        {"spam": noul(0.01), "team": choice("d", 0.9)},
    ]
    before = copy.deepcopy(answers)
    merged = merge_answers(answers, WINDOWS)
    assert merged["spam"] == {**noul(0.7), "window": {"index": 1, "token_start": 5, "token_end": 15, "count": 4}}
    assert merged["team"] == {
        **choice("c", 0.9),
        "window": {"index": 2, "token_start": 10, "token_end": 20, "count": 4},
    }
    merged["team"]["probabilities"]["c"] = 0
    assert answers == before


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_a_yes_no_question_holds_if_it_holds_anywhere(truths):
    merged = merge_answers([{"q": noul(p)} for p in truths], WINDOWS)["q"]
    assert merged["noul"] == max(truths)
    assert merged["window"]["index"] == truths.index(max(truths))


def test_no_questions_give_no_answers():
    assert merge_answers([{}, {}, {}, {}], WINDOWS) == {}
