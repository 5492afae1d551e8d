from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st
from training.examples import Asked, Example
from training.numbered import Texts, number_example
from training.widen import FEWEST, LARGEST, MOST, Wider, widened

from laya.questions import parse_questions


def example(family, names, right, described=False):
    criteria = {name: f"about {name}" for name in names} if described else list(names)
    question = {"type": "choice", "instructions": "Which?", "criteria": criteria}
    return Example("a text", question, tuple(float(name == right) for name in names), "made", family)


BANK = example("choice/rasa/bank", ["pay", "card", "Hello", 1], "card")
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
        assert len({str(name).casefold() for name in names}) == len(names)
        assert not {"sport", "war"} & set(names)
        if wide.family == BANK.family:
            assert FEWEST <= len(names) <= MOST
            assert {"pay", "card", "Hello"} <= set(names)


def test_without_label_sets_of_wishes_there_is_nothing_to_widen():
    assert widened(Random(1), [OTHER], 5) == []


TEXTS = [f"option {i}" for i in range(40)] + ["Option (with a description)"]


def asked(family, options, task="clinc150", right=0):
    target = tuple(float(i == right) for i in range(len(options)))
    return Asked(0, 99, 98, tuple(options), target, task, family, "en")


@given(seed=st.integers(0, 10**6))
def test_options_of_other_domains_are_added_in_training(seed):
    home, work = asked("choice/clinc150/home", range(5)), asked("choice/clinc150/work", range(5, 35))
    other = asked("choice/hwu64/home", range(35, 40), task="hwu64")
    described = asked("choice/clinc150/bank", [40])
    wide = Wider([home, work, other, described], TEXTS)(Random(seed), home)
    assert wide.options[:5] == home.options
    assert wide.target == home.target + (0.0,) * (len(wide.options) - 5)
    assert set(wide.options[5:]) <= set(work.options)
    assert len(set(wide.options)) == len(wide.options) <= LARGEST


def test_label_sets_that_cover_everything_are_left_as_they_are():
    mixed, home = asked("choice/clinc150/mixed", range(5)), asked("choice/clinc150/home", range(5, 20))
    wider = Wider([mixed, home], TEXTS)
    assert all(wider(Random(seed), mixed) is mixed for seed in range(20))
    assert any(wider(Random(seed), home) is home for seed in range(20))


@given(seed=st.integers(0, 10**6))
def test_a_choice_between_yes_and_no_stays_the_yes_no_question_that_it_is_read_as(seed):
    question = {"type": "choice", "instructions": "Does the user agree?", "criteria": ["yes", "no"]}
    texts = Texts()
    agrees = number_example(Example("sure", question, (1.0, 0.0), "clinc150", "choice/clinc150/small"), texts)
    home = asked("choice/clinc150/home", [40])
    assert Wider([agrees, home], TEXTS)(Random(seed), agrees) == agrees
