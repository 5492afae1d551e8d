"""The writers of choice and score examples."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import warnings
from random import Random

import pytest
from training.sets import DATA, EVALUATED
from training.show import pretty
from training.write import choice, choice_wordnet, score
from training.write.choice_shapes import Option, Shape, ask
from training.write.choice_wordnet import Sense, missing
from training.write.score_shapes import dressed, spread

from laya.questions import parse_questions

pytestmark = pytest.mark.skipif(not (DATA / "clinc150.jsonl.gz").exists(), reason="the labelled texts are not here")

WRITERS = (*choice.WRITERS, *score.WRITERS)
SEEDS = range(20)
LIGHT = {"clinc_domain", "sgd_intents", "desk", "stance", "score_count", "score_words"}
PREVIEW = f"""
import hashlib
from random import Random
from training.write import choice, score
light = [w for w in (*choice.WRITERS, *score.WRITERS) if w.name in {LIGHT!r}]
drawn = [w.draw(Random(seed)) for w in light for seed in range(20)]
print(len(light), hashlib.sha256(repr(drawn).encode()).hexdigest())
"""


def texts_of(state):
    if isinstance(state, str):
        return [state]
    if isinstance(state, dict):
        state = state.values()
    return [text for part in state for text in texts_of(part)] if hasattr(state, "__iter__") else []


@pytest.fixture(scope="module")
def evaluated():
    found = set()
    for name in EVALUATED:
        with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            found.update(json.loads(line)["text"].strip().lower() for line in lines)
    return found


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_examples_are_valid_questions_with_a_probability_for_each_option(writer, evaluated):
    for seed in SEEDS:
        example = writer.draw(Random(seed))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            (question,) = parse_questions({"q": dict(example.question)})
        assert question.type == writer.kind
        assert question.k == len(example.target) >= 2
        assert sum(example.target) == pytest.approx(1.0)
        assert min(example.target) >= 0.0
        assert example.lang in writer.languages
        # The boolean writers carry the families of the concepts that they ask for, and list none.
        assert example.family in writer.families or (not writer.families and example.family.startswith("noul/"))
        assert not {text.strip().lower() for text in texts_of(example.state)} & evaluated
        json.dumps(example.state, allow_nan=False)


@pytest.mark.parametrize("writer", WRITERS, ids=lambda w: w.name)
def test_equal_seeds_draw_equal_examples(writer):
    assert [writer.draw(Random(seed)) for seed in range(5)] == [writer.draw(Random(seed)) for seed in range(5)]
    assert len({repr(writer.draw(Random(seed)).question) for seed in SEEDS}) > 5


def test_another_process_draws_the_same():
    runs = [
        subprocess.run(  # noqa: S603 - our own interpreter and text
            [sys.executable, "-c", PREVIEW], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1]
    assert runs[0].startswith(f"{len(LIGHT)} ")


def test_names_are_unique_and_families_say_their_kind():
    assert len({writer.name for writer in WRITERS}) == len(WRITERS)
    for writer in WRITERS:
        assert writer.share > 0
        assert all(family.startswith(f"{writer.kind}/") for family in writer.families)


def test_questions_come_in_many_shapes():
    rng = Random(3)
    drawn = [rng.choices(choice.WRITERS, [w.share for w in choice.WRITERS])[0].draw(rng) for _ in range(600)]
    criteria = [example.question["criteria"] for example in drawn]
    described = sum(isinstance(c, dict) and any(c.values()) for c in criteria)
    assert 0.2 < described / len(drawn) < 0.7
    assert max(len(c) for c in criteria) > 25
    assert sum(not isinstance(example.state, str) for example in drawn) > 40
    assert len({example.question["instructions"] for example in drawn}) > 250


@pytest.mark.parametrize("seed", SEEDS)
def test_the_right_option_keeps_its_share_wherever_it_is_shown(seed):
    options = [Option(name, f"about {name}") for name in ("bills", "parcels", "jobs")]
    asked = ask(Random(seed), "Which?", options, (0.0, 0.9, 0.1), Shape(none=0.0))
    shown = asked.question["criteria"]
    texts = [f"{label} {text}" for label, text in shown.items()] if isinstance(shown, dict) else list(shown)
    best = texts[asked.target.index(0.9)]
    assert "parcels" in best.lower()


def test_none_is_right_where_nothing_fits_and_about_half_of_the_time_it_is_offered():
    options = [Option(name) for name in ("bills", "parcels", "jobs")]
    rng = Random(5)
    assert ask(rng, "Which?", options, (0.0, 0.0, 0.0), Shape()).target.count(1.0) == 1
    missing = [
        "parcels" not in str(ask(rng, "Which?", options, (0.0, 1.0, 0.0), Shape(none=1.0)).question).lower()
        for _ in range(300)
    ]
    assert 0.4 < sum(missing) / len(missing) < 0.6


@pytest.mark.parametrize("count", range(2, 11))
@pytest.mark.parametrize("value", [0.0, 0.3, 0.5, 1.0])
def test_a_value_falls_on_the_levels_beside_it(count, value):
    shares = spread(value, count, 0.5)
    assert sum(shares) == pytest.approx(1.0)
    mean = sum(i * share for i, share in enumerate(shares)) / (count - 1)
    assert abs(mean - value) < 0.12
    assert shares.index(max(shares)) in {int(value * (count - 1)), -int(-value * (count - 1) // 1)}


@pytest.mark.parametrize("seed", range(60))
def test_levels_stay_apart_and_in_order_whatever_is_said_around_them(seed):
    plain = ("bad", "fair", "good", "splendid")
    shown = dressed(Random(seed), plain)
    assert [level for level, text in zip(plain, shown, strict=True) if level not in text] == []
    assert len(set(shown)) == len(plain)
    assert "{" not in "".join(shown)


def test_some_rubrics_say_more_around_all_levels_some_around_the_outer_two():
    plain = ("bad", "fair", "good")
    shown = [dressed(Random(seed), plain) for seed in range(400)]
    framed = sum(levels[1] != plain[1] for levels in shown) / len(shown)
    ended = sum(levels[1] == plain[1] and levels != plain for levels in shown) / len(shown)
    assert framed == pytest.approx(0.2, abs=0.06)
    assert ended == pytest.approx(0.12, abs=0.05)


def test_an_example_can_be_shown():
    example = choice.WRITERS[0].draw(Random(0))
    assert example.family in pretty(example)
    assert example.question["instructions"] in pretty(example)


def test_a_missing_wordnet_is_said(tmp_path):
    assert str(tmp_path) in missing(tmp_path)
    (tmp_path / "data.noun").write_text("")
    assert missing(tmp_path) is None


def test_senses_with_one_definition_give_one_option(monkeypatch):
    glosses = {"march": "walk", "process": "walk", "run": "go"}
    twins = [Sense((word,), gloss, (), 38, ()) for word, gloss in glosses.items()]
    monkeypatch.setattr(choice_wordnet, "_listed", lambda _: twins * 60)
    for seed in range(20):
        labels = list(choice_wordnet.draw_definition(Random(seed)).question["criteria"])
        assert len(labels) == len(set(map(str, labels)))
