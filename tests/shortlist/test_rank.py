import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, ArgumentTypeError, QuestionError, QuestionTypeError, StateError
from laya.shortlist import predict_shortlist, shortlist_choice

WORDS = ["red", "green", "blue", "cyan", "pink", "grey"]


def bag(texts):
    """Counts of the known words, so that a text is near to what it names."""
    return [[float(text.count(word)) for word in WORDS] for text in texts]


class Recorder:
    """Answers with the first label, and remembers what it was asked."""

    def __init__(self):
        self.calls = []

    def predict(self, state, questions, **options):
        self.calls.append((state, questions, options))
        answers = {q: {"choice": next(iter(d["criteria"]))} for q, d in questions.items() if d["type"] == "choice"}
        return {"model": "m", "answers": answers, "usage": {"input_tokens": 1}}


def choice(criteria, **more):
    return {"type": "choice", "instructions": "Which?", "criteria": criteria, **more}


def test_the_nearest_labels_come_first():
    assert shortlist_choice("blue blue green", WORDS, bag, 2) == ["blue", "green"]
    labels, scores = shortlist_choice("blue", WORDS, bag, 3, return_scores=True)
    assert labels == ["blue", "red", "green"]
    assert scores == pytest.approx([1.0, 0.0, 0.0])


def test_descriptions_and_instructions_count():
    assert shortlist_choice("pink", {"a": "red", "b": "pink", "c": None}, bag, 1) == ["b"]
    assert shortlist_choice("-", {"a": "red", "b": "pink"}, bag, 1, instructions="pink") == ["b"]
    assert shortlist_choice({"text": "pink"}, {"a": "red", "b": {"of": ["pink"]}}, bag, 1) == ["b"]


def test_nothing_is_embedded_when_all_labels_stay():
    assert shortlist_choice("x", ["b", "a"], pytest.fail, 2) == ["b", "a"]
    assert shortlist_choice("x", {"b": 1}, pytest.fail, 2, return_scores=True) == (["b"], None)


def test_numbers_that_are_not_finite_count_as_zero():
    vectors = {"s": [1.0, 0.0], "a": [np.nan, 1.0], "b": [np.inf, 0.0], "c": [1.0, 1.0], "d": [-1.0, 0.0]}
    labels, scores = shortlist_choice("s", list("abcd"), lambda t: [vectors[x] for x in t], 3, return_scores=True)
    assert labels == ["c", "a", "b"]
    assert scores[1:] == [0.0, 0.0]


@given(st.lists(st.sampled_from(WORDS), max_size=8), st.integers(1, 6))
def test_a_shortlist_is_the_top_of_the_whole_ranking(words, k):
    state = " ".join(words)
    cosines = {w: words.count(w) for w in WORDS}
    expected = sorted(WORDS, key=lambda w: -cosines[w])[:k] if k < len(WORDS) else WORDS
    assert shortlist_choice(state, WORDS, bag, k) == expected


@pytest.mark.parametrize("k", [0, -1, True, 2.0, None])
def test_k_is_a_positive_int(k):
    with pytest.raises(ArgumentError, match="k must be an int of at least 1, got "):
        shortlist_choice("x", WORDS, bag, k)
    with pytest.raises(ArgumentError, match="k must be an int of at least 1, got "):
        predict_shortlist(Recorder(), "x", {}, bag, k)


@pytest.mark.parametrize("criteria", [("a", "b"), "ab", None, {"a", "b"}])
def test_criteria_are_a_dict_or_list(criteria):
    with pytest.raises(ArgumentTypeError, match="criteria must be a dict of label -> description or a list"):
        shortlist_choice("x", criteria, bag)
    with pytest.raises(ArgumentTypeError, match="question 'q': criteria must be a dict") as caught:
        predict_shortlist(Recorder(), "x", {"q": choice(criteria)}, bag)
    assert caught.value.question == "q"


@pytest.mark.parametrize(
    ("criteria", "problem"), [([], "at least one label"), ({}, "at least one label"), (["a", "a"], "repeat a label")]
)
def test_labels_are_given_once(criteria, problem):
    with pytest.raises(ArgumentError, match=problem):
        shortlist_choice("x", criteria, bag)


@pytest.mark.parametrize("vectors", [[1.0, 2.0], [[1.0]], [[[1.0]]] * 7, [[]] * 7, "no", [["a"]] * 7, [[1], [1, 2]]])
def test_wrong_vectors_are_refused(vectors):
    with pytest.raises(ArgumentError, match=r"embed_fn must return an array of shape \(N, dim\)"):
        shortlist_choice("x", WORDS, lambda _: vectors, 1)


def test_wrong_arguments_are_refused():
    with pytest.raises(ArgumentTypeError, match="embed_fn must be callable"):
        shortlist_choice("x", WORDS, None)
    with pytest.raises(StateError, match="cannot be written as JSON"):
        shortlist_choice({"a": {1, 2}}, WORDS, bag, 1)
    with pytest.raises(QuestionTypeError, match="questions must be a dict"):
        predict_shortlist(Recorder(), "x", [], bag)
    with pytest.raises(QuestionError, match="question 'q': a choice question needs 'criteria'"):
        predict_shortlist(Recorder(), "x", {"q": {"type": "choice"}}, bag)
    with pytest.raises(ArgumentTypeError, match="needs a predict or system_one method, got object"):
        predict_shortlist(object(), "x", {}, bag)


def test_wide_choices_are_narrowed_and_the_rest_is_asked_as_it_is():
    agent, texts = Recorder(), []
    questions = {
        "wide": choice({word: word for word in WORDS}),
        "narrow": choice(["a", "b"]),
        "other": choice(WORDS),
        "flag": {"type": "noul", "instructions": "?"},
    }
    result = predict_shortlist(agent, "pink red", questions, lambda t: texts.append(list(t)) or bag(t), 2, lang="en")
    (asked,) = agent.calls
    assert asked[1]["wide"]["criteria"] == {"red": "red", "pink": "pink"}
    assert asked[1]["other"]["criteria"] == {"red": None, "pink": None}
    assert asked[1]["narrow"] is questions["narrow"]
    assert asked[2] == {"lang": "en"}
    assert result["shortlist"]["narrow"] == {"labels": ["a", "b"], "scores": None, "k": 2, "n": 2, "passthrough": True}
    assert result["shortlist"]["wide"]["labels"] == ["red", "pink"]
    assert (result["shortlist"]["wide"]["n"], result["shortlist"]["wide"]["passthrough"]) == (6, False)
    assert set(result["shortlist"]) == {"wide", "narrow", "other"}
    assert len(texts) == 1
    assert texts[0].count("pink red") == 1
    assert len(texts[0]) == len(set(texts[0]))


def test_an_option_order_that_cannot_apply_is_dropped_with_a_warning():
    agent = Recorder()
    questions = {"q": choice(WORDS, option_order=[5, 4, 3, 2, 1, 0])}
    with pytest.warns(RuntimeWarning, match=r"option_order of \['q'\] is dropped"):
        predict_shortlist(agent, "pink", questions, bag, 2)
    assert "option_order" not in agent.calls[0][1]["q"]
    assert "option_order" in questions["q"]
    predict_shortlist(agent, "pink", questions, bag, 6)
    assert agent.calls[1][1]["q"] is questions["q"]


def test_an_agent_may_have_system_one_only():
    class Old:
        system_one = Recorder().predict

    assert predict_shortlist(Old(), "red", {"q": choice(WORDS)}, bag, 1)["answers"]["q"]["choice"] == "red"


def test_an_agent_must_return_a_result():
    class Broken:
        def predict(self, state, questions):
            return None

    with pytest.raises(ArgumentTypeError, match="must return a result dict with 'answers', got NoneType"):
        predict_shortlist(Broken(), "x", {}, bag)
