"""Ready-made questions: the table of ids, types and options, and that they are valid questions."""

from __future__ import annotations

import warnings

import pytest

from laya.errors import ArgumentError
from laya.presets import PRESETS, email_questions, preset, state_field, triage_questions
from laya.questions import parse_questions

NOUL = ("noul", ("false", "true"))
TABLE = {
    "triage": (
        "message",
        {
            "intent": (
                "choice",
                ("refund", "technical_help", "billing_question", "information", "cancellation", "other"),
            ),
            "is_urgent": NOUL,
            "frustration": ("score", 4),
            "refund_requested": NOUL,
            "churn_risk": NOUL,
        },
    ),
    "email": (
        "body",
        {
            "category": ("choice", ("billing", "technical", "sales", "security", "hr", "other")),
            "is_spam": NOUL,
            "is_phishing": NOUL,
            "urgency": ("score", 3),
            "needs_reply": NOUL,
        },
    ),
    "guard": (
        "prompt",
        {
            "jailbreak": NOUL,
            "prompt_injection": NOUL,
            "sensitive_data": NOUL,
            "harm_severity": ("score", 4),
            "topic": (
                "choice",
                ("product_support", "coding", "general_knowledge", "personal_advice", "security_testing", "other"),
            ),
        },
    ),
    "moderation": (
        "post",
        {"toxic": NOUL, "harassment": NOUL, "threat": NOUL, "spam": NOUL, "severity": ("score", 4)},
    ),
    "router": (
        "request",
        {
            "difficulty": ("score", 4),
            "domain": (
                "choice",
                ("code", "math_or_logic", "writing", "factual_lookup", "data_analysis", "chitchat"),
            ),
            "needs_tools": NOUL,
            "is_sensitive": NOUL,
        },
    ),
}
NAMES = pytest.mark.parametrize("name", TABLE)


def shape(definition):
    criteria = definition["criteria"]
    if definition["type"] == "score":
        return "score", len(criteria)
    return definition["type"], tuple(sorted(criteria)) if definition["type"] == "noul" else tuple(criteria)


def test_there_are_exactly_these_presets():
    assert list(PRESETS) == list(TABLE)


@NAMES
def test_ids_types_and_options(name):
    assert {key: shape(definition) for key, definition in preset(name).items()} == TABLE[name][1]


@NAMES
def test_each_instruction_names_the_state_key(name):
    key = TABLE[name][0]
    assert state_field(preset(name)) == key
    assert all(f"`{key}`" in definition["instructions"] for definition in preset(name).values())


@NAMES
def test_questions_are_valid_and_without_warnings(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parsed = parse_questions(preset(name))
    assert [question.id for question in parsed] == list(TABLE[name][1])


@NAMES
def test_every_option_but_the_guard_topics_has_its_own_description(name):
    for key, definition in preset(name).items():
        if (name, key) == ("guard", "topic"):
            continue
        criteria = definition["criteria"]
        texts = criteria if isinstance(criteria, list) else list(criteria.values())
        assert all(text.strip() for text in texts)
        assert len(set(texts)) == len(texts)


@NAMES
def test_each_call_gives_a_fresh_dict(name):
    first = preset(name)
    for definition in first.values():
        definition["criteria"].clear()
    first.clear()
    assert {key: shape(definition) for key, definition in preset(name).items()} == TABLE[name][1]


def test_email_categories_replace_the_default_teams():
    teams = {"legal": "contracts and claims", "press": "interviews"}
    questions = email_questions(teams)
    assert questions["category"]["criteria"] == teams
    questions["category"]["criteria"]["extra"] = "x"
    assert teams.keys() == {"legal", "press"}


@pytest.mark.parametrize("nothing", [None, {}])
def test_no_email_categories_means_the_default_teams(nothing):
    assert email_questions(nothing) == email_questions()


def test_an_unknown_name_lists_those_that_exist():
    with pytest.raises(ArgumentError, match=r"unknown preset 'sales'.*triage, email, guard, moderation, router"):
        preset("sales")


@pytest.mark.parametrize(
    ("instructions", "field"),
    [
        (["Is `body` long?", "Is `body` short?"], "body"),
        (["Is `body` long?", "no key"], "body"),
        (["Is `body` like `subject`?"], None),
        (["Is `body` long?", "Is `subject` long?"], None),
        (["no key"], None),
        ([{"text": "`body`"}], None),
        ([], None),
    ],
)
def test_the_state_field_is_the_only_key_in_backticks(instructions, field):
    questions = {index: {"type": "noul", "instructions": text} for index, text in enumerate(instructions)}
    assert state_field(questions) == field


def test_the_state_field_ignores_definitions_that_are_no_dicts():
    assert state_field({"broken": None, **triage_questions()}) == "message"
