from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from training.examples import Example, Writer
from training.mix import Mix, is_slow, stages
from training.numbered import Texts, number_example
from training.write.noul_ask import Denied


def writer(name, kind, *sources):
    def draw(rng):
        question = {"type": kind, "instructions": "?"} | ({} if kind == "noul" else {"criteria": ["low", "high"]})
        return Example(f"a text {rng.random()}", question, (0.0, 1.0), name, f"{kind}/{rng.choice('ab')}")

    return Writer(name, kind, sources, ("en",), draw, 1.0, (f"{kind}/a", f"{kind}/b"))


WRITERS = (
    writer("mnli", "noul", "sharealike/mnli_dev"),
    writer("clinc150", "choice", "clinc150"),
    writer("ratings", "score", "permissive/ratings"),
)


@pytest.mark.parametrize(("task", "left_out"), [("mnli", True), ("mnli_dev", True), ("mn", False), ("clinc150", False)])
def test_a_source_is_left_out_with_its_tasks(task, left_out):
    assert Mix(WRITERS, (), without=("sharealike/*",)).is_left_out(task) is left_out
    assert not Mix(WRITERS, ()).is_left_out(task)


def test_held_out_families_and_sources_left_out_are_never_drawn():
    mix = Mix((*WRITERS, writer("made", "noul")), ("choice/a", "noul/b"), without=("sharealike/*",))
    drawn = list(mix.draw(Random(1), 300))
    assert {example.family for example in drawn} == {"choice/b", "noul/a", "score/a", "score/b"}
    assert {example.task for example in drawn} == {"made", "clinc150", "ratings"}
    assert {example.family for example in mix.draw_held_out(Random(1), 20)} == {"choice/a", "noul/b"}


def test_families_in_which_two_texts_are_compared_are_drawn_as_rarely_as_is_said():
    pairs = Writer("snli", "noul", (), ("en",), lambda rng: example("noul/nli/snli", rng), 1.0, ("noul/nli/snli",))
    plain = Writer("acts", "noul", (), ("en",), lambda rng: example("noul/act/refund", rng), 1.0, ("noul/act/refund",))
    writers = (pairs, plain, *WRITERS[1:])
    families = Counter(e.family for e in Mix(writers, (), slow=0.1).draw(Random(1), 4000))
    assert 0.05 < families["noul/nli/snli"] / families["noul/act/refund"] < 0.17
    assert not any(is_slow(e.family) for e in Mix(writers, (), slow=0.0).draw(Random(1), 500))


def example(family, rng):
    return Example(f"a text {rng.random()}", {"type": "noul", "instructions": "?"}, (0.0, 1.0), "made", family)


def test_yes_no_concepts_come_first():
    drawn = [number_example(e, Texts()) for e in Mix(WRITERS, ()).draw(Random(1), 60)]
    (share, early), (end, everything) = stages(drawn, 0.2)
    assert (share, end) == (0.2, 1.0)
    assert everything == drawn
    assert early == [e for e in drawn if e.family.startswith("noul/")]
    assert stages(drawn, 0.0) == [(1.0, drawn)]


@pytest.mark.parametrize(("options", "target"), [(["no", "yes"], (0.1, 0.9)), (["yes", "no"], (0.9, 0.1))])
def test_a_choice_between_yes_and_no_is_trained_as_the_engine_reads_it(options, target):
    question = {"type": "choice", "instructions": "Is it so?", "criteria": options, "option_order": [1, 0]}
    texts = Texts()
    asked = number_example(Example("a state", question, target, "made", "noul/made"), texts)
    assert (asked.kind, asked.options, asked.target) == (2, (-1, -1), (0.1, 0.9))
    assert set(texts.numbers) == {"a state", "Is it so?"}


@pytest.mark.parametrize(
    ("written", "turned"), [(Denied("The text is not rude."), False), ("The text is not rude.", None)]
)
def test_a_denial_is_trained_as_the_engine_reads_it(written, turned):
    texts = Texts()
    question = {"type": "noul", "instructions": written, "criteria": {"true": "kind", "false": "rude"}}
    asked = number_example(Example("a state", question, (0.9, 0.1), "made", "noul/made"), texts)
    assert asked.target == (0.1, 0.9)
    assert [list(texts.numbers)[i] for i in (asked.instructions, *asked.options)] == [
        "The text is rude.",
        "kind",
        "rude",
    ]
    assert asked.turned is turned


def test_words_that_still_deny_tell_the_gate():
    question = {"type": "noul", "instructions": Denied("By no means is it rude.")}
    assert number_example(Example("a state", question, (0.9, 0.1), "made", "noul/made"), Texts()).turned is True
