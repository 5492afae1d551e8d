"""Reader layers in the engine against the reader written down plainly, and what they must not depend on."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laya
from fuzzing import examples
from laya.encoding import ReaderLayout, encode_states, pack_rows, unpack
from laya.errors import ForwardError
from laya.questions import parse_questions
from laya.request import Budget, Forward
from reader_reference import READER, Reference, write_reader

TOLERANCE = 1e-5
STATES = ["my cat purrs", "", {"a": 1, "b": ["x"]}, "z" * 150]
QUESTIONS = {
    "choice": {"type": "choice", "instructions": "Which pet?", "criteria": {"cats": "purring", "dogs": None, "x": "y"}},
    "turned": {"type": "choice", "instructions": "Which?", "criteria": ["b", "a", "c"], "option_order": [2, 0, 1]},
    "score": {"type": "score", "instructions": "How good?", "criteria": ["bad", "so so", "good", "great"]},
    "turned score": {
        "type": "score",
        "instructions": "Good?",
        "criteria": ["no", "hm", "yes"],
        "option_order": [1, 2, 0],
    },
    "one level": {"type": "score", "instructions": "Well?", "criteria": ["only this"]},
    "bare": {"type": "noul", "instructions": "Is it a cat?"},
    "statement": {"type": "noul", "instructions": "Is it?", "criteria": {"true": "it is a cat"}},
    "denial": {"type": "noul", "instructions": "Is it?", "criteria": {"false": "it is none"}},
    "both": {"type": "noul", "instructions": "Is it?", "criteria": {"true": "a cat", "false": "no cat"}},
    "turned noul": {"type": "noul", "instructions": "Is it?", "criteria": {"true": "a cat"}, "option_order": [1, 0]},
    "no tokens": {"type": "noul", "instructions": "[MASK]"},
}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return write_reader(tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module")
def agent(tiny):
    with laya.load(tiny, threads=1) as agent:
        yield agent


@pytest.fixture(scope="module")
def reference(tiny):
    return Reference(tiny)


def choice(labels, instructions="Which one?"):
    return {"type": "choice", "instructions": instructions, "criteria": list(labels)}


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize(("compare", "gate"), [(True, True), (True, False), (False, True), (False, False)])
def test_all_kinds_of_questions(tmp_path, layers, compare, gate):
    reference = Reference(write_reader(tmp_path, layers=layers, compare=compare, gate=gate))
    with laya.load(tmp_path, threads=1) as agent:
        found = agent.logits(STATES, QUESTIONS)
    for state, answers in zip(STATES, found, strict=True):
        for name, logits in answers.items():
            np.testing.assert_allclose(logits, reference.logits(QUESTIONS[name], state), atol=TOLERANCE, err_msg=name)


@pytest.mark.parametrize("taps", [[2], [1, 2]])
def test_what_the_reader_sees_of_the_trunk(tmp_path, taps):
    reference = Reference(write_reader(tmp_path, taps=taps))
    with laya.load(tmp_path, threads=1) as agent:
        (found,) = agent.logits(["a cat"], {"q": QUESTIONS["choice"]})
    np.testing.assert_allclose(found["q"], reference.logits(QUESTIONS["choice"], "a cat"), atol=TOLERANCE)


def test_what_the_layers_say_is_scaled_by_type(tmp_path):
    path = write_reader(tmp_path, residual=[0.5, 0.0, 2.0])
    with laya.load(path, threads=1) as agent:
        found = agent.logits(STATES, QUESTIONS)
    expected = Reference(path)
    for state, logits in zip(STATES, found, strict=True):
        for name, question in QUESTIONS.items():
            assert logits[name] == pytest.approx(expected.logits(question, state), abs=TOLERANCE)


def test_a_prefix_is_read_with_every_text_but_is_no_token_of_the_question(tmp_path):
    path = write_reader(tmp_path, prefix="ab:")
    with laya.load(path, threads=1) as agent:
        found = agent.logits(STATES, QUESTIONS)
        plain = agent.predict("x", {"q": QUESTIONS["bare"]})["usage"]
    expected = Reference(path)
    for state, logits in zip(STATES, found, strict=True):
        for name, question in QUESTIONS.items():
            assert logits[name] == pytest.approx(expected.logits(question, state), abs=TOLERANCE)
    assert plain["input_tokens"] == (2 + 3 + 1) + (2 + 3 + len("Is it a cat?"))


@pytest.mark.parametrize("count", range(1, 21))
def test_any_number_of_options(agent, reference, count):
    question = choice([f"option {i} {'x' * (7 * i % 11)}" for i in range(count)])
    (found,) = agent.logits(["some state"], {"q": question})
    np.testing.assert_allclose(found["q"], reference.logits(question, "some state"), atol=TOLERANCE)


def test_options_that_fill_many_blocks(agent, reference):
    question = choice([f"option number {i} {'y' * (i % 60)}" for i in range(40)])
    (found,) = agent.logits(["some state"], {"q": question})
    np.testing.assert_allclose(found["q"], reference.logits(question, "some state"), atol=TOLERANCE)


LABELS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]


@given(st.permutations(LABELS))
@settings(max_examples=examples(20), deadline=None)
def test_permuting_options_permutes_logits_exactly(agent, order):
    (plain,), (moved,) = (agent.logits(["a state"], {"q": choice(labels)}) for labels in (LABELS, order))
    by_label = dict(zip(LABELS, plain["q"], strict=True))
    assert moved["q"] == [by_label[label] for label in order]


@given(st.permutations(LABELS), st.permutations(range(len(LABELS))))
@settings(max_examples=examples(10), deadline=None)
def test_answers_do_not_depend_on_the_order_of_options(agent, order, slots):
    plain = agent.predict("a state", {"q": choice(LABELS)})["answers"]["q"]
    moved = agent.predict("a state", {"q": choice(order) | {"option_order": slots}})["answers"]["q"]
    assert moved["choice"] == plain["choice"]
    assert moved["probabilities"] == pytest.approx(plain["probabilities"], abs=1e-12)


def test_equal_options_are_equal(agent):
    (found,) = agent.logits(
        ["a state"], {"q": {"type": "choice", "instructions": "?", "criteria": ["a_b", "a b", "c"]}}
    )
    assert found["q"][0] == pytest.approx(found["q"][1], abs=1e-6)


@pytest.mark.parametrize(
    ("labels", "slots"),
    [
        (["yes", "no"], [0, 1]),
        (["no", "yes"], [0, 1]),
        (["No", "YES"], [1, 0]),
        ([True, False], [1, 0]),
        (["false", "true"], [0, 1]),
        (["да", "нет"], [0, 1]),
        (["non", "oui"], [1, 0]),
    ],
)
def test_a_choice_between_yes_and_no_is_a_yes_no_question(agent, labels, slots):
    asked = choice(labels, "Is it a cat?") | {"option_order": slots}
    for state in STATES:
        (found,) = agent.logits([state], {"choice": asked, "noul": QUESTIONS["bare"]})
        denied, held = found["noul"]
        yes = {"yes", "true", "да", "oui"}
        assert found["choice"] == [held if str(label).lower() in yes else denied for label in labels]


@pytest.mark.parametrize(
    "criteria",
    [
        {"yes": "it purrs", "no": None},
        {"yes": None, "no": "it barks"},
        dict.fromkeys(("yes", "no", "maybe")),
        dict.fromkeys(("yes", "false")),
        dict.fromkeys(("yes", "true")),
        dict.fromkeys(("yes",)),
    ],
)
def test_other_choices_with_such_words_stay_choices(agent, reference, criteria):
    question = {"type": "choice", "instructions": "Is it a cat?", "criteria": criteria}
    (found,) = agent.logits(["my cat purrs"], {"q": question})
    np.testing.assert_allclose(found["q"], reference.logits(question, "my cat purrs"), atol=TOLERANCE)


@st.composite
def questions(draw):
    text = st.text(alphabet="abc xyz", min_size=1, max_size=30).filter(str.strip)
    kind = draw(st.sampled_from(["choice", "noul", "score"]))
    instructions = draw(text)
    if kind == "noul":
        return {"type": kind, "instructions": instructions}
    options = [f"{i} {o}" for i, o in enumerate(draw(st.lists(text, min_size=1, max_size=30)))]
    return {"type": kind, "instructions": instructions, "criteria": options}


@given(
    st.lists(questions(), min_size=1, max_size=6),
    st.lists(st.text(alphabet="abc xyz", max_size=120), min_size=1, max_size=5),
)
@settings(max_examples=examples(15), deadline=None)
def test_a_pair_is_scored_the_same_in_any_company(agent, asked, texts):
    """Given what the trunk says, to the last bit: whatever other questions and states are read with it."""
    layout = agent._model.layout
    budget = Budget(256, 128)
    heads = [layout.head(q, budget) for q in parse_questions({str(i): q for i, q in enumerate(asked)})]
    states = encode_states(layout.encoder, texts)
    rows = layout.rows(states, heads, budget)
    outputs = [next(unpack(b, layout._trunk.forward(b)))[1] for row in rows for b in pack_rows([row], [0])]
    together = layout.scores(states, heads, rows, outputs)
    for (i, j), score in zip(itertools.product(range(len(states)), range(len(heads))), together, strict=True):
        (alone,) = layout.scores(states[i : i + 1], heads[j : j + 1], rows[i : i + 1], outputs[i : i + 1])
        np.testing.assert_array_equal(score.logits, alone.logits)


def test_a_batch_answers_as_single_calls_do(agent):
    together = agent.predict_batch(STATES * 3, QUESTIONS)
    for state, result in zip(STATES * 3, together, strict=True):
        single = agent.predict(state, QUESTIONS)["answers"]
        for name, answer in result["answers"].items():
            for key in {"probabilities", "noul"} & answer.keys():
                assert answer[key] == pytest.approx(single[name][key], abs=1e-6)


class Nothing:
    """A runtime that answers some batches with nothing."""

    def __init__(self, inner, silent):
        self._inner = inner
        self._silent = silent

    def forward(self, batch):
        return Forward() if batch.part == self._silent else self._inner.forward(batch)


def scores_of_one(layout):
    (question,) = parse_questions({"q": QUESTIONS["bare"]})
    budget = Budget(64, 64)
    head = layout.head(question, budget)
    states = encode_states(layout.encoder, ["x"])
    rows = layout.rows(states, [head], budget)
    (batch,) = pack_rows(rows, [0])
    return layout.scores(states, [head], rows, [output for _, output in unpack(batch, layout._trunk.forward(batch))])


@pytest.mark.parametrize(("silent", "reason"), [("question", "nothing for a question"), ("pairs", "no scores")])
def test_a_runtime_without_reader_layers(agent, silent, reason):
    layout = agent._model.layout
    assert len(scores_of_one(layout)) == 1
    poor = ReaderLayout(layout.encoder, READER, Nothing(layout._trunk, silent))
    with pytest.raises(ForwardError, match=reason):
        scores_of_one(poor)
