"""The checkpoint inside the package: its files, and that it answers."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import laya

DATA = Path(laya.__file__).parent / "data"
ROOT = DATA.parents[2]
FILES = json.loads((Path(__file__).parent / "embedded_files.json").read_text(encoding="utf-8"))
"""SHA-256 of every file, as `tools/build_embedded.py` and `training.finish calibrate` left them."""
MIB = 1024 * 1024


@pytest.fixture(scope="module")
def agent():
    with laya.load() as agent:
        yield agent


def choose(agent, state, *options):
    answers = agent.predict(state, {"q": {"type": "choice", "instructions": "Which?", "criteria": list(options)}})
    return answers["answers"]["q"]


def holds(agent, state, **question):
    return agent.predict(state, {"q": {"type": "noul", "instructions": "Is this true?", **question}})["answers"]["q"]


@pytest.mark.parametrize("name", ["english", "multilingual"])
def test_the_files_are_the_ones_that_were_measured(name):
    found = {path.relative_to(DATA).as_posix(): path for path in (DATA / name).rglob("*") if path.is_file()}
    digests = {file: hashlib.sha256(path.read_bytes()).hexdigest() for file, path in found.items()}
    assert digests == {file: digest for file, digest in FILES.items() if file.startswith(f"{name}/")}


@pytest.mark.parametrize(("name", "most"), [("english", 40), ("multilingual", 45)])
def test_it_is_small(name, most):
    assert sum(path.stat().st_size for path in (DATA / name).rglob("*") if path.is_file()) <= most * 10**6


@pytest.mark.parametrize("trunk", ["bge-small-en-v1.5", "multilingual-e5-small"])
def test_the_licence_and_the_attribution_are_there(trunk):
    assert "MIT License" in (DATA / "licenses" / f"{trunk}.txt").read_text(encoding="utf-8")
    assert trunk in (ROOT / "NOTICE").read_text(encoding="utf-8")


def test_it_tells_topics_apart(agent):
    options = ("card_arrival", "exchange_rate", "lost_or_stolen_card", "top_up_failed")
    assert choose(agent, "my new card has not come in the post yet", *options)["choice"] == "card_arrival"
    assert choose(agent, "someone took my wallet", *options)["choice"] == "lost_or_stolen_card"
    assert choose(agent, "how many dollars do I get for a euro?", *options)["choice"] == "exchange_rate"


def test_it_answers_questions_about_topics(agent):
    about = {"instructions": "Is this about the weather?"}
    assert holds(agent, "will it rain in Paris tomorrow?", **about)["noul"] > 0.5
    assert holds(agent, "transfer fifty euros to my brother", **about)["noul"] < 0.5


def test_two_descriptions_compete(agent):
    criteria = {"true": "asking for money back", "false": "praise and thanks"}
    assert holds(agent, "I want a refund for this order", criteria=criteria)["noul"] > 0.5
    assert holds(agent, "what a wonderful service, thank you", criteria=criteria)["noul"] < 0.5


@pytest.mark.parametrize("question", ["Is the text positive?", "The writer is happy with it."])
def test_it_knows_what_is_praise_and_what_is_not(agent, question):
    assert holds(agent, "What a wonderful camera, I love it.", instructions=question)["noul"] > 0.5
    assert holds(agent, "It broke after a day. Terrible, a waste of money.", instructions=question)["noul"] < 0.5


def test_the_multilingual_one_tells_topics_apart_in_other_languages():
    with laya.load("embedded/multilingual") as agent:
        assert agent.model_id == "embedded/multilingual"
        options = ("weather", "music", "alarm")
        assert choose(agent, "Wie wird das Wetter morgen in Berlin?", *options)["choice"] == "weather"
        assert choose(agent, "pon una canción de rock", *options)["choice"] == "music"
        assert choose(agent, "明日の朝6時に起こして", *options)["choice"] == "alarm"


def test_the_order_of_options_changes_nothing(agent):
    state, options = "play some jazz", ("music", "weather", "alarm", "books", "news")
    plain, turned = choose(agent, state, *options), choose(agent, state, *reversed(options))
    assert turned["choice"] == plain["choice"]
    for option in options:
        assert turned["probabilities"][option] == pytest.approx(plain["probabilities"][option], abs=1e-12)


def test_an_answer_does_not_depend_on_the_rest_of_the_batch(agent):
    question = {"q": {"type": "choice", "instructions": "Which?", "criteria": ["music", "weather", "alarm"]}}
    states = ["wake me at six", "rain " * 200, "", "play some jazz", "is it windy?"]
    together = agent.predict_batch(states, question)
    for state, result in zip(states, together, strict=True):
        (alone,) = agent.predict_batch([state], question)
        expected = result["answers"]["q"]["probabilities"]
        assert alone["answers"]["q"]["probabilities"] == pytest.approx(expected, abs=1e-5)


def test_no_network_is_needed(monkeypatch):
    def refuse(*args):
        raise AssertionError(f"a connection was attempted: {args}")

    monkeypatch.setattr("socket.socket.connect", refuse)
    with laya.load() as agent:
        assert choose(agent, "play some jazz", "music", "weather")["choice"] == "music"


@pytest.mark.parametrize("name", ["embedded/english", "embedded/multilingual"])
def test_thresholds_and_prediction_sets_come_with_the_checkpoint(name):
    question = {"q": {"type": "choice", "instructions": "Which?", "criteria": ["music", "weather", "alarm"]}}
    with laya.load(name) as agent:
        assert 0.5 < agent.abstention["default"] <= 1.0
        result = agent.predict("play some jazz", question, min_confidence=agent.abstention)
        assert "music" in agent.conformal.labels(result["answers"]["q"])
