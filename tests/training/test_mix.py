from __future__ import annotations

from random import Random

import pytest
from training.examples import Example, Writer
from training.mix import Mix


def writer(name, kind, *sources):
    def draw(rng):
        question = {"type": kind, "instructions": "?"}
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
