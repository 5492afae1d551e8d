"""The checkpoint inside the package: its files, and that it answers."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

import laya

DATA = Path(laya.__file__).parent / "data"
ROOT = DATA.parents[2]
FILES = {
    "encoder/config.json": "9962df4fa26fd369da79fa3ac89417617d5c704e3d338944ed9572fb49ffd967",
    "model.safetensors": "54e3c4f0d54f324e52b617374905e6aea019d2a179d04bd1b97ed27624ce998e",
    "rl_agent_config.json": "012832c01873ec2cb383c6d473a6e19f59b56cbff3d9a304bf1f9d23754f2849",
    "tokenizer/tokenizer.json": "5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b",
    "tokenizer/tokenizer_config.json": "9a963aa4bdc3d9bd601b17aec136ba7b82dad57f1b3ff98d6e4b27ee74e3cc0b",
}
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


def test_the_files_are_the_ones_that_were_measured():
    found = {str(path.relative_to(DATA / "english")): path for path in (DATA / "english").rglob("*") if path.is_file()}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in found.items()} == FILES


def test_it_is_small():
    sizes = [path.stat().st_size for path in DATA.rglob("*") if path.is_file()]
    assert sum(sizes) <= 30 * MIB
    assert max(sizes) < 24 * MIB


def test_the_licence_and_the_attribution_are_there():
    assert "Apache License" in (DATA / "licenses" / "all-MiniLM-L6-v2.txt").read_text(encoding="utf-8")
    assert "all-MiniLM-L6-v2" in (ROOT / "NOTICE").read_text(encoding="utf-8")


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
