"""The recipe's networks against the engine, and runs that stop and go on."""

from __future__ import annotations

import json
from random import Random

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file, save_file

import laya
from laya.model.quantised import dequantise, stored
from reader_reference import READER, TRUNK, write_reader
from training.adapt import Adaptation, Adapting, Learner, adapted, on_grid
from training.batches import Batches
from training.cache import fill, tokenise
from training.examples import Example, Writer
from training.finish import calibrate, fit_shares, mean, pack, records, spare_residual
from training.mix import CHOICE, Mix, stages
from training.model import Reader, Shape
from training.numbered import Texts, number_example
from training.prepare import draw
from training.train import Plan, Run

SIZES = TRUNK | {"layer_norm_eps": 1e-12, "intermediate_size": 64}
WORDS = {"cats": "purr meow whiskers", "dogs": "bark bone leash", "birds": "wings nest chirp"}
STATES = ["my cat purrs", "", {"a": 1, "b": ["x"]}, "z" * 150]
QUESTIONS = {
    "choice": {"type": "choice", "instructions": "Which pet?", "criteria": {"cats": "purring", "dogs": None, "x": "y"}},
    "score": {"type": "score", "instructions": "How good?", "criteria": ["bad", "so so", "good", "great"]},
    "bare": {"type": "noul", "instructions": "Is it a cat?"},
    "statement": {"type": "noul", "instructions": "Is it?", "criteria": {"true": "it is a cat"}},
    "both": {"type": "noul", "instructions": "Is it?", "criteria": {"true": "a cat", "false": "no cat"}},
}


def draw_pet(rng):
    """Which animal a few words speak of."""
    pet = rng.choice(sorted(WORDS))
    text = " ".join(rng.choices(WORDS[pet].split(), k=3))
    names = rng.sample(sorted(WORDS), 3)
    question = {"type": "choice", "instructions": "Which pet?", "criteria": names}
    family = "choice/pets" if rng.random() < 0.7 else "choice/held"
    return Example(text, question, tuple(float(name == pet) for name in names), "pets", family)


def draw_cat(rng):
    """Whether it is a cat."""
    pet = rng.choice(sorted(WORDS))
    question = {"type": "noul", "instructions": "Is it a cat?"}
    family = "noul/cat" if rng.random() < 0.7 else "noul/held"
    return Example(f"{rng.choice(WORDS[pet].split())} {rng.random()}", question, (0.9, 0.1), "pets", family)


def draw_level(rng):
    """How many words there are."""
    count = rng.randrange(3)
    question = {"type": "score", "instructions": "How long?", "criteria": ["short", "middling", "long"]}
    family = "score/long" if rng.random() < 0.7 else "score/held"
    target = tuple(float(i == count) for i in range(3))
    return Example("word " * (1 + 3 * count) + str(rng.random()), question, target, "pets", family)


WRITERS = tuple(
    Writer(drawer.__name__, kind, (), ("en",), drawer, 1.0, (f"{kind}/{name}", f"{kind}/held"))
    for drawer, kind, name in ((draw_pet, "choice", "pets"), (draw_cat, "noul", "cat"), (draw_level, "score", "long"))
)
MIX = Mix(WRITERS, ("*/held",))


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory):
    return write_reader(tmp_path_factory.mktemp("reader"), encoder_config=SIZES)


@pytest.fixture(scope="module")
def trunk(tmp_path_factory):
    """A trunk without reader layers, as the recipe starts from."""
    folder = tmp_path_factory.mktemp("trunk")
    write_reader(folder, encoder_config=SIZES, layers=0, compare=False, gate=False)
    config = folder / "rl_agent_config.json"
    config.write_text(json.dumps(json.loads(config.read_text()) | {"temperature": [1.0, 1.0, 1.0]}))
    return folder


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    return draw(tmp_path_factory.mktemp("drawn"), MIX, 300, 20, 7)


def shape_of(checkpoint):
    config = json.loads((checkpoint / "rl_agent_config.json").read_text())["reader"]
    kept = {key: config[key] for key in ("layers", "heads", "width", "ffn", "compare", "gate")}
    wide = json.loads((checkpoint / "encoder" / "config.json").read_text())["hidden_size"]
    return Shape(**kept, taps=tuple(config["taps"]), tau=tuple(config["tau"]), trunk_width=wide)


def test_the_reader_in_torch_answers_as_the_engine_does(checkpoint, tmp_path):
    texts = Texts()
    asked = [
        number_example(Example(state, question, (1.0,) + (0.0,) * (count - 1), "t", "f"), texts)
        for state in STATES
        for question, count in ((q, len(q["criteria"]) if q["type"] != "noul" else 2) for q in QUESTIONS.values())
    ]
    reader = Reader(shape_of(checkpoint))
    weights = load_file(checkpoint / "model.safetensors")
    reader.load_state_dict({n[7:]: torch.tensor(v) for n, v in weights.items() if n.startswith("reader.")})
    reader.eval()
    batches = Batches(fill(tmp_path, checkpoint, list(texts.numbers), reader.shape.taps))
    batch = batches.batch(asked)
    with torch.inference_mode():
        ours = (reader.prior(batch) + reader(batch)[0]).numpy()
    with laya.load(checkpoint, threads=1) as agent:
        theirs = [logits for answers in agent.logits(STATES, QUESTIONS) for logits in answers.values()]
    for found, logits, example in zip(ours, theirs, asked, strict=True):
        mine, wanted = found[: len(example.target)], np.array(logits)
        # The trunk was read in bfloat16: three significant digits.
        np.testing.assert_allclose(mine - mine.mean(), wanted - wanted.mean(), atol=0.08, err_msg=str(example))


def test_a_cache_goes_on_where_it_stopped(trunk, tmp_path):
    texts = [f"text {'x' * n}" for n in range(150)]
    whole = fill(tmp_path / "whole", trunk, texts, (1, 2))
    fill(tmp_path / "parts", trunk, texts, (1, 2))
    (tmp_path / "parts" / "done.json").unlink()
    (tmp_path / "parts" / "progress.json").write_text(json.dumps({"batches": 1}))
    stopped = np.load(tmp_path / "parts" / "hidden.npy", mmap_mode="r+")
    stopped[0], stopped[-1] = 7.0, 0.0
    stopped.flush()
    resumed = fill(tmp_path / "parts", trunk, texts, (1, 2)).hidden
    assert np.all(resumed[0] == 7.0), "the first batch was there already"
    np.testing.assert_array_equal(resumed[1:], whole.hidden[1:])


def test_the_grid_is_that_of_four_bit_files_and_lets_gradients_through():
    weight = torch.randn(6, 64, requires_grad=True)
    rounded = on_grid(weight)
    (rounded * 3).sum().backward()
    assert torch.equal(weight.grad, torch.full_like(weight, 3.0))
    values = rounded.detach().numpy()
    np.testing.assert_allclose(dequantise("w", stored("w", values, bits=4)), values, rtol=1e-6, atol=1e-7)
    assert len(np.unique(np.round(values[0, :32] / np.abs(values[0, :32]).max() * 8, 3))) <= 16


@pytest.mark.parametrize("bits", [4, 32])
def test_a_learner_reads_as_the_trunk_does_and_only_its_upper_layers_change(trunk, drawn, tmp_path, bits):
    plan = Adaptation(minutes=0.1, rate=3e-3, first=1, bits=bits, every=2.0)
    folder = adapted(trunk, tmp_path, plan, drawn)
    before, after = load_file(trunk / "model.safetensors"), load_file(folder / "model.safetensors")
    assert before.keys() == after.keys()
    changed = {name for name in before if not np.array_equal(before[name], after[name])}
    assert changed
    assert all(name.startswith("encoder.encoder.layer.1.") for name in changed)
    texts = ["purr meow", "a dog"]
    learner = Learner(folder, plan)
    vectors = learner.vectors(tokenise(folder, texts)[1]).detach().numpy()
    question = {"type": "choice", "instructions": "Which?", "criteria": ["a dog", "birds"]}
    with laya.load(folder, threads=1) as agent:
        found = agent.logits([texts[0]], {"q": question})[0]["q"]
    other = learner.vectors(tokenise(folder, ["birds"])[1]).detach().numpy()[0]
    # Products are in bfloat16 here.
    assert found[0] - found[1] == pytest.approx(READER["tau"][0] * float(vectors[0] @ (vectors[1] - other)), abs=0.05)


def test_an_adaptation_learns_and_goes_on_where_it_stopped(trunk, drawn, tmp_path):
    examples, held_out, texts = drawn
    rows = tokenise(trunk, texts)[1]

    def loss(learner):
        run = Adapting(learner, rows, tmp_path / "none")
        choices = [e for e in held_out if e.kind == CHOICE]
        with torch.no_grad():
            logits = run.logits(choices)
        return np.mean([-torch.log_softmax(z, -1)[e.target.index(1.0)] for z, e in zip(logits, choices, strict=True)])

    plan = Adaptation(minutes=0.1, rate=3e-3, first=0, every=2.0)
    learner = Learner(trunk, plan)
    first = loss(learner)
    run = Adapting(learner, rows, tmp_path / "run")
    run.train(examples, held_out)
    assert loss(learner) < 0.8 * first
    again = Adapting(Learner(trunk, plan), rows, tmp_path / "run")
    assert (again.steps, again.spent) == (run.steps, run.spent)
    for name, value in again.learner.learning.items():
        assert torch.equal(value, learner.learning[name])


def test_a_run_goes_on_and_its_best_reader_is_what_is_shipped(trunk, drawn, tmp_path):
    examples, held_out, texts = drawn
    shape = Shape(layers=1, heads=3, width=24, ffn=40, taps=(1, 2), trunk_width=32, tau=(3.0, 2.0, 1.0))
    batches = Batches(fill(tmp_path / "cache", trunk, texts, shape.taps))
    plan = Plan(minutes=0.05, every=1.0, rate=3e-3)
    Run(tmp_path / "run", shape, plan, batches).train(stages(examples, 0.2), held_out)
    looks = [json.loads(line) for line in (tmp_path / "run" / "looks.jsonl").read_text().splitlines()]
    assert looks[0]["steps"] == 0
    assert looks[0]["choice"]["nll"] == pytest.approx(looks[0]["choice"]["prior_nll"])
    resumed = Run(tmp_path / "run", shape, Plan(minutes=0.08, every=1.0, rate=3e-3), batches)
    assert resumed.steps == looks[-1]["steps"] > 0
    resumed.train(stages(examples, 0.2), held_out)
    assert resumed.best == min(
        json.loads(line)["value"] for line in (tmp_path / "run" / "looks.jsonl").read_text().splitlines()
    )
    out = tmp_path / "packed"
    pack(tmp_path / "run", trunk, out)
    report = calibrate(out, [writer.draw(Random(seed)) for seed in range(60) for writer in WRITERS])
    assert len(report["shares"]) == 3
    with laya.load(out) as agent:
        answers = agent.predict("purr meow", {"q": {"type": "choice", "instructions": "?", "criteria": list(WORDS)}})
    assert set(answers["answers"]["q"]["probabilities"]) == set(WORDS)


def test_the_mean_of_two_trunks_keeps_the_reader_of_the_first(checkpoint, tmp_path):
    ours = load_file(checkpoint / "model.safetensors")
    theirs = {name: 3 * value for name, value in ours.items()}
    (tmp_path / "other").mkdir()
    save_file(theirs, tmp_path / "other" / "model.safetensors")
    mean(checkpoint, tmp_path / "other", tmp_path / "mean")
    found = load_file(tmp_path / "mean" / "model.safetensors")
    assert found.keys() == ours.keys()
    for name, value in found.items():
        wanted = (ours[name] + theirs[name]) / 2 if name.startswith("encoder.") else ours[name]
        np.testing.assert_array_equal(value, wanted)


def rows(count, useful):
    """Records of a choice whose prior says much, and whose residual is right (`useful`) or noise."""
    rng = np.random.default_rng(3)
    made = []
    for _ in range(count):
        right = rng.integers(4)
        target = np.eye(4)[right]
        prior = 2.0 * target + rng.normal(size=4)
        made.append(("choice", prior, (2.0 * target if useful else 0.0) + rng.normal(size=4), target))
    return made


def test_a_choice_keeps_a_reader_that_helps_and_drops_one_that_does_not():
    assert spare_residual(noise := rows(400, useful=False), fit_shares(noise, "choice"))[1] == 0.0
    helped = rows(400, useful=True)
    assert spare_residual(helped, fit_shares(helped, "choice"))[1] > 0.3


def test_calibration_counts_the_likeliest_option_as_right(checkpoint):
    examples = [
        Example("a", QUESTIONS["bare"], (0.06, 0.94), "t", "f"),
        Example("a", QUESTIONS["score"], (0.1, 0.45, 0.45, 0.0), "t", "f"),
    ]
    targets = [target.tolist() for _, _, _, target in records(checkpoint, examples)]
    assert targets == [[0.0, 1.0], [0.0, 0.5, 0.5, 0.0]]
