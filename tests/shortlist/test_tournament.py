import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, ArgumentTypeError, QuestionTypeError
from laya.shortlist import ID_PREFIX, predict_tournament


class Strength:
    """Chooses the label of the greatest number; remembers what it was asked."""

    def __init__(self):
        self.calls = []

    def predict(self, state, questions, **options):
        self.calls.append(questions)
        answers = {
            qid: {"type": "choice", "choice": max(q["criteria"], key=int)}
            for qid, q in questions.items()
            if q["type"] == "choice"
        }
        usage = {
            "input_tokens": 10 * len(questions),
            "output_tokens": 0,
            "state_tokens": 7,
            "state_tokens_dropped": 1,
            "instruction_tokens_dropped": 0,
            "option_tokens_dropped": 2,
            "truncated": True,
            "truncated_questions": list(questions),
            "options": {qid: {"total": 2, "distinct": 1, "tokens_per_option": 3} for qid in questions},
            "windows": 1,
        }
        return {"model": "m", "answers": answers, "usage": usage}


def choice(labels, **more):
    return {"type": "choice", "instructions": "Which?", "criteria": dict.fromkeys(labels), **more}


def labels_of(n):
    return [str(i) for i in range(n)]


@given(st.integers(1, 90), st.integers(2, 9), st.integers(0, 3))
def test_the_strongest_label_wins(n, group_size, seed):
    agent = Strength()
    result = predict_tournament(agent, "s", {"q": choice(labels_of(n))}, group_size, seed=seed)
    assert result["answers"]["q"]["choice"] == str(n - 1)
    assert all(2 <= len(q["criteria"]) <= group_size for call in agent.calls[:-1] for q in call.values())
    assert len(agent.calls[-1]["q"]["criteria"]) <= group_size
    assert result["tournament"]["q"]["rounds"] == len(agent.calls) - 1
    assert result["tournament"]["q"]["n"] == n


@given(st.integers(20, 60), st.permutations(labels_of(20)))
def test_groups_are_balanced_and_do_not_depend_on_the_order_of_labels(n, order):
    agent, other = Strength(), Strength()
    predict_tournament(agent, "s", {"q": choice(labels_of(n))}, 6)
    sizes = [len(q["criteria"]) for q in agent.calls[0].values()]
    assert max(sizes) - min(sizes) <= 1
    assert sum(sizes) == n
    predict_tournament(agent := Strength(), "s", {"q": choice(labels_of(20))}, 6)
    predict_tournament(other, "s", {"q": choice(order)}, 6)
    assert agent.calls == other.calls


def test_seeds_deal_differently():
    calls = []
    for seed in (0, 1):
        agent = Strength()
        predict_tournament(agent, "s", {"q": choice(labels_of(40))}, 6, seed=seed)
        calls.append(agent.calls[0])
    assert calls[0] != calls[1]


def test_rounds_of_all_questions_share_a_call_and_ids_say_whose_they_are():
    agent = Strength()
    questions = {
        "a": choice(labels_of(20)),
        "b": choice(labels_of(5)),
        7: choice(labels_of(9), option_order=list(range(9))),
        "flag": {"type": "noul", "instructions": "?"},
    }
    result = predict_tournament(agent, "s", questions, 8)
    assert len(agent.calls) == 2
    assert list(agent.calls[0]) == [
        *(f"{ID_PREFIX}/a/1/{i}" for i in range(3)),
        *(f"{ID_PREFIX}/7/1/{i}" for i in range(2)),
    ]
    assert list(agent.calls[1]) == ["a", "b", 7, "flag"]
    assert agent.calls[1]["b"] is questions["b"]
    assert "option_order" not in agent.calls[1][7]
    assert {qid: entry["rounds"] for qid, entry in result["tournament"].items()} == {"a": 1, "b": 0, 7: 1}


def test_usage_is_that_of_all_rounds_under_the_callers_ids():
    agent = Strength()
    usage = predict_tournament(agent, "s", {"a": choice(labels_of(20)), "b": choice(labels_of(3))}, 8)["usage"]
    assert usage == {
        "input_tokens": 50,
        "output_tokens": 0,
        "state_tokens": 7,
        "state_tokens_dropped": 1,
        "instruction_tokens_dropped": 0,
        "option_tokens_dropped": 4,
        "truncated": True,
        "truncated_questions": ["a", "b"],
        "options": {qid: {"total": 2, "distinct": 1, "tokens_per_option": 3} for qid in "ab"},
        "windows": 2,
    }


def test_options_of_the_call_go_to_every_round():
    seen = []

    class Options(Strength):
        def predict(self, state, questions, **options):
            seen.append(options)
            return super().predict(state, questions)

    predict_tournament(Options(), "s", {"q": choice(labels_of(9))}, 4, lang="de")
    assert seen == [{"lang": "de"}] * 2


@pytest.mark.parametrize("bad", [1, 0, -3, True, 2.5, None])
def test_group_size_is_at_least_two(bad):
    with pytest.raises(ArgumentError, match="group_size must be an int of at least 2, got "):
        predict_tournament(Strength(), "s", {}, bad)


def test_wrong_arguments_are_refused():
    with pytest.raises(QuestionTypeError, match="questions must be a dict"):
        predict_tournament(Strength(), "s", None)
    with pytest.raises(ArgumentTypeError, match="needs a predict or system_one method"):
        predict_tournament(object(), "s", {})
    with pytest.raises(ArgumentError, match="question 'q': criteria repeat a label"):
        predict_tournament(Strength(), "s", {"q": {"type": "choice", "criteria": ["1", "1"]}})
