"""OptionStability: asks in other forms, reports, and leaves no trace of having asked."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, ArgumentTypeError, QuestionError
from laya.hooks import PredictContext
from laya.hooks.builtin import OptionStability, calibrate_reliability, decide_reliability, make_variants
from laya.testing import FakeRuntime, fake_agent, fake_encoder

CHOICE = {"type": "choice", "instructions": "which?", "criteria": {"billing": "invoices", "tech": "", "other": None}}
Q = {
    "kind": CHOICE,
    7: {"type": "choice", "instructions": "how many?", "criteria": [1, 2, 3]},
    "yes": {"type": "noul", "instructions": "Is it?"},
}


def prefers(text):
    """A runtime that picks the option which reads `text`, whatever stands around it."""
    wanted = bytes(fake_encoder().encode([text])[0].astype("int32"))
    return FakeRuntime(lambda option, row: 4.0 if wanted in bytes(option.astype("int32")) else 0.0)


def test_every_choice_gets_a_report_and_the_variants_are_gone():
    plain = fake_agent().predict_batch(["x", "y"], Q)
    seen = []
    agent = fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.2)], on_predict_end=seen.append)
    probed = agent.predict_batch(["x", "y"], Q)
    for result, expected in zip(probed, plain, strict=True):
        assert list(result["answers"]) == list(expected["answers"])
        for qid in ("kind", 7):
            report = result["answers"][qid].pop("reliability")
            assert report["probes"] == ["reorder", "rename"]
            assert report["option_layout"] == "sequential"
            assert report["n_variants"] == len(report["variant_choices"]) == len(report["variant_support"]) >= 4
            assert set(report["distinct_choices"]) <= set(expected["answers"][qid]["probabilities"])
        assert result["answers"] == expected["answers"]
        assert result["usage"]["input_tokens"] > expected["usage"]["input_tokens"]
    assert seen[0].questions is Q


def test_the_numbers_follow_from_the_answers_to_the_variants():
    asked = []
    hook = OptionStability(accept=0.9, escalate=0.2, n_shuffles=1)
    agent = fake_agent(hooks=[hook], on_predict_start=lambda ctx: asked.append(ctx.questions))
    answer = agent.predict("x", {"kind": CHOICE})["answers"]["kind"]
    report, chosen = answer["reliability"], answer["choice"]
    extra = {qid: definition for qid, definition in asked[0].items() if qid != "kind"}
    answers = fake_agent().predict("x", {"kind": CHOICE, **extra})["answers"]
    support, agree = [answers["kind"]["probabilities"][chosen]], {"reorder": [], "rename": []}
    for qid, variant in zip(extra, make_variants("kind", CHOICE, n_shuffles=1), strict=True):
        mine = {variant.labels[label]: p for label, p in answers[qid]["probabilities"].items()}
        support.append(mine[chosen])
        agree[variant.probe].append(max(mine, key=mine.get) == chosen)
        assert report["variant_choices"][variant.name] == max(mine, key=mine.get)
    everything = agree["reorder"] + agree["rename"]
    assert report["soft_stability"] == pytest.approx(sum(support) / len(support))
    assert report["stability"] == pytest.approx(sum(everything) / len(everything))
    assert report["reorder_stability"] == pytest.approx(sum(agree["reorder"]) / len(agree["reorder"]))
    assert report["rename_stability"] == pytest.approx(sum(agree["rename"]) / len(agree["rename"]))
    assert report["decision"] == decide_reliability(report["soft_stability"], 0.9, 0.2)


def test_a_model_that_reads_only_the_options_is_stable_under_reordering():
    agent = fake_agent(runtime=prefers("tech"), hooks=[OptionStability(accept=0.9, escalate=0.2, probes="reorder")])
    report = agent.predict("x", {"kind": CHOICE})["answers"]["kind"]["reliability"]
    assert report["stability"] == report["reorder_stability"] == 1.0
    assert report["decision"] == "ACCEPT"
    assert report["distinct_choices"] == ["tech"]
    assert report["rename_stability"] is None


@pytest.mark.parametrize("layout", ["parallel", "reader"])
def test_layouts_that_do_not_see_order_are_only_asked_with_other_names(layout):
    agent = fake_agent(layout=layout, hooks=[OptionStability(accept=None, escalate=None)])
    report = agent.predict("x", Q)["answers"]["kind"]["reliability"]
    assert report["option_layout"] == layout
    assert report["probes"] == ["rename"]
    assert set(report["variant_choices"]) <= {"letters", "letters_reversed", "letters_shuffle"}
    assert report["reorder_stability"] is None
    assert report["decision"] is None


@pytest.mark.parametrize(
    ("questions", "options"),
    [
        ({"k": {**CHOICE, "criteria": ["only"]}}, {}),
        ({"k": {**CHOICE, "criteria": [f"l{i}" for i in range(5)]}}, {"rename_max_options": 4, "probes": "rename"}),
    ],
)
def test_a_choice_that_cannot_be_probed_says_so(questions, options):
    agent = fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.2, **options)])
    report = agent.predict("x", questions)["answers"]["k"]["reliability"]
    assert report["probes"] == []
    assert report["n_variants"] == 0
    numbers = ("decision", "soft_stability", "stability", "rename_stability", "reorder_stability", "distinct_choices")
    assert {report[name] for name in numbers} == {None}


def test_the_callers_questions_are_untouched():
    before = copy.deepcopy(Q)
    fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.2)]).predict("x", Q)
    assert before == Q
    assert list(before) == list(Q)


def test_usage_names_only_the_callers_questions():
    labels = [f"{'long ' * 30}{i}" for i in range(3)]
    questions = {"k": {"type": "choice", "instructions": "which?", "criteria": labels}}
    agent = fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.2)], max_len=300, head_max_len=200)
    usage = agent.predict("word " * 100, questions)["usage"]
    assert usage["truncated_questions"] == ["k"]
    assert set(usage["options"]) <= {"k"}


def test_a_failed_call_gives_the_questions_back():
    seen = []
    questions = {"kind": CHOICE, "bad": {"type": "choice", "instructions": "?", "criteria": []}}
    agent = fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.2)], on_predict_end=seen.append)
    with pytest.raises(QuestionError, match="question 'bad'"):
        agent.predict("x", questions)
    assert seen[0].questions is questions
    assert seen[0].scratch == {}


@pytest.mark.parametrize("criteria", [None, [["x"], "y"], [{}], {"a": 1}, "text", ["a", "a"]])
def test_mistakes_are_reported_under_the_callers_id(criteria):
    agent = fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.2)])
    questions = {"kind": CHOICE, "bad": {"type": "choice", "instructions": "?", "criteria": criteria, "typo": 1}}
    with pytest.raises(QuestionError) as caught:
        agent.predict("x", questions)
    assert caught.value.question == "bad"


def test_a_call_that_was_answered_by_another_hook_is_left_alone():
    made = {"model": "m", "answers": {"kind": {"type": "choice", "choice": "tech"}}, "usage": {}}
    skip = type("Skip", (), {"on_predict_start": lambda self, ctx: ctx.skip([made])})()
    agent = fake_agent(hooks=[skip, OptionStability(accept=0.9, escalate=0.2)])
    assert agent.predict("x", Q) == made


def test_an_id_with_the_mark_is_refused():
    agent = fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.2)])
    with pytest.raises(QuestionError, match="must not contain '::rel'") as caught:
        agent.predict("x", {"a::rel0": CHOICE})
    assert caught.value.question == "a::rel0"


def test_questions_that_are_no_dict_are_left_to_the_agent():
    ctx = PredictContext(["x"], [CHOICE])
    OptionStability(accept=0.9, escalate=0.2).on_predict_start(ctx)
    assert ctx.questions == [CHOICE]


BAD = [
    {"accept": 1.02},
    {"accept": True},
    {"accept": float("nan")},
    {"escalate": 1.01},
    {"accept": 0.1, "escalate": 0.2},
    {"n_shuffles": -1},
    {"n_shuffles": 1.0},
    {"rename_max_options": 1},
    {"probes": "order"},
    {"probes": []},
    {"probes": 5},
    {"variants": "some"},
    {"variants": ()},
    {"variants": ["shuffle4"]},
]


@pytest.mark.parametrize("arguments", BAD)
def test_arguments_are_checked(arguments):
    with pytest.raises(ArgumentError):
        OptionStability(**{"accept": 0.9, "escalate": 0.1, **arguments})


def test_relabel_must_be_a_bool():
    with pytest.raises(ArgumentTypeError, match="relabel"):
        OptionStability(accept=0.9, escalate=0.1, relabel=1)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({"variants": "fast"}, ["reversed", "letters_reversed"]),
        ({"variants": ["letters", "reversed"]}, ["reversed", "letters"]),
        ({"variants": "letters"}, ["letters"]),
        ({"n_shuffles": 0, "relabel": False}, ["reversed"]),
        ({"n_shuffles": 0, "relabel": False, "probes": "rename", "variants": ["letters"]}, ["letters"]),
    ],
)
def test_variants_can_be_chosen(options, names):
    agent = fake_agent(hooks=[OptionStability(accept=0.9, escalate=0.1, **options)])
    report = agent.predict("x", {"k": {**CHOICE, "criteria": list("abcdef")}})["answers"]["k"]["reliability"]
    assert list(report["variant_choices"]) == names


def test_letters_keep_descriptions_and_fall_back_to_labels():
    by_name = {variant.name: variant for variant in make_variants("k", CHOICE)}
    assert by_name["letters"].definition["criteria"] == {"A": "invoices", "B": "tech", "C": "other"}
    assert by_name["letters_reversed"].definition["criteria"] == {"A": "other", "B": "tech", "C": "invoices"}
    assert by_name["letters_reversed"].labels == {"A": "other", "B": "tech", "C": "billing"}


def test_a_given_option_order_is_where_variants_start_from():
    (reverse,) = make_variants("k", {**CHOICE, "option_order": [1, 0, 2]}, names=["reversed"])
    assert reverse.definition["option_order"] == [2, 0, 1]
    (letters,) = make_variants("k", {**CHOICE, "option_order": [1, 0, 2]}, names=["letters"])
    assert letters.definition["criteria"] == {"A": "tech", "B": "invoices", "C": "other"}
    assert "option_order" not in letters.definition


@given(
    st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=30, unique=True),
    st.integers(0, 5),
    st.integers(0, 3),
)
def test_variants_are_distinct_repeatable_and_name_every_option_once(labels, n_shuffles, seed):
    definition = {"type": "choice", "instructions": "?", "criteria": labels}
    variants = make_variants("k", definition, n_shuffles=n_shuffles, seed=seed)
    assert variants == make_variants("k", definition, n_shuffles=n_shuffles, seed=seed)
    forms = {repr(variant.definition) for variant in variants}
    assert len(forms) == len(variants)
    for variant in variants:
        assert sorted(variant.labels.values()) == sorted(labels)
        order = variant.definition.get("option_order")
        assert order is None or (sorted(order) == list(range(len(labels))) and order != sorted(order))
    assert any(variant.probe == "rename" for variant in variants) == (2 <= len(labels) <= 20)


@pytest.mark.parametrize(
    ("soft", "accept", "escalate", "decision"),
    [
        (0.9, 0.9, 0.3, "ACCEPT"),
        (0.89, 0.9, 0.3, "VERIFY"),
        (0.3, 0.9, 0.3, "VERIFY"),
        (0.29, 0.9, 0.3, "ESCALATE"),
        (1.0, 1.01, None, "VERIFY"),
        (0.1, None, 0.3, "ESCALATE"),
        (None, 0.9, 0.3, None),
        (0.5, None, None, None),
    ],
)
def test_decisions(soft, accept, escalate, decision):
    assert decide_reliability(soft, accept, escalate) == decision


def test_calibration_finds_the_widest_thresholds():
    scores = [0.1, 0.2, 0.3, 0.6, 0.7, 0.8, 0.9]
    correct = [False, False, True, False, True, True, True]
    assert calibrate_reliability(scores, correct) == (0.7, 0.7)
    assert calibrate_reliability(scores, correct, 0.75) == (0.3, 0.3)
    assert calibrate_reliability(scores, correct, max_escalate_accuracy=0.0) == (0.7, 0.3)
    assert calibrate_reliability([0.5, 0.6], [False, False]) == (1.01, 1.0)
    assert calibrate_reliability([0.5, 0.6], [True, True]) == (0.5, 0.0)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_calibrated_thresholds_keep_their_promises(pairs, target, most):
    accept, escalate = calibrate_reliability([s for s, _ in pairs], [r for _, r in pairs], target, most)
    OptionStability(accept=accept, escalate=escalate)
    decided = [(decide_reliability(score, accept, escalate), right) for score, right in pairs]
    accepted = [right for decision, right in decided if decision == "ACCEPT"]
    escalated = [right for decision, right in decided if decision == "ESCALATE"]
    assert not accepted or sum(accepted) / len(accepted) >= target
    assert not escalated or sum(escalated) / len(escalated) <= most


@pytest.mark.parametrize(("scores", "correct"), [([], []), ([0.5], []), ([1.5], [True]), ([True], [True])])
def test_calibration_checks_its_data(scores, correct):
    with pytest.raises(ArgumentError):
        calibrate_reliability(scores, correct)
