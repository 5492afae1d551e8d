from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from training.examples import Example
from training.widen import FEWEST, MOST, widened

from laya.questions import parse_questions


def example(family, names, right, described=False):
    criteria = {name: f"about {name}" for name in names} if described else list(names)
    question = {"type": "choice", "instructions": "Which?", "criteria": criteria}
    return Example("a text", question, tuple(float(name == right) for name in names), "made", family)


BANK = example("choice/rasa/bank", ["pay", "card", "Hello"], "card")
DESK = example("choice/desk/hr", [f"desk {i}" for i in range(100)] + ["hello"], "desk 7", described=True)
OTHER = example("choice/topic/news", ["sport", "war"], "war")


@given(seed=st.integers(0, 10**6))
def test_options_of_other_families_are_added_and_the_right_one_stays(seed):
    for wide in widened(Random(seed), [BANK, DESK, OTHER], 8):
        (question,) = parse_questions({"q": wide.question})
        names = list(wide.question["criteria"])
        assert names[wide.target.index(1.0)] in {"card", "desk 7"}
        assert sum(wide.target) == 1.0
        assert len(wide.target) == len(names) == question.k
        assert len({name.casefold() for name in names}) == len(names)
        assert not {"sport", "war"} & set(names)
        if wide.family == BANK.family:
            assert FEWEST <= len(names) <= MOST
            assert {"pay", "card", "Hello"} <= set(names)


def test_without_label_sets_of_wishes_there_is_nothing_to_widen():
    assert widened(Random(1), [OTHER], 5) == []
