"""Denials are read as what they deny, and nothing else is touched."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laya
from fuzzing import examples
from laya.encoding.reader_denials import affirmed, third_person
from reader_reference import write_reader

DENIED = {
    "The text does not express a positive feeling.": "The text expresses a positive feeling.",
    "the review doesn't carry a date": "the review carries a date",
    "The message does not reply.": "The message replies.",
    "The author did not ask for any help.": "The author did ask for some help.",
    "The sentence does not ask for anything at all.": "The sentence asks for something.",
    "The text is not insulting or hateful.": "The text is insulting or hateful.",
    "This isn’t about 3.5 stars.": "This is about 3.5 stars.",  # noqa: RUF001 - typeset
    "The tone of the message is not friendly.": "The tone of the message is friendly.",
    "`status` is not open": "`status` is open",
    "Does the customer not ask for a refund?": "Does the customer ask for a refund?",
    "Is it true that the input is not a question?": "Is it true that the input is a question?",
    "Check whether the email never mentions a price.": "Check whether the email mentions a price.",
    "True or false: the post has no links": "True or false: the post has links",
    "There is no hurry.": "There is hurry.",
    "There isn't any urgency.": "There is some urgency.",
    "Are there no insults in it?": "Are there insults in it?",
    "Does the note contain no insults?": "Does the note contain insults?",
    "It's not about pets.": "It is about pets.",
    "The sentiment expressed here is not negative.": "The sentiment expressed here is negative.",
    "The email lacks a greeting.": "The email contains a greeting.",
    "The post is free of swear words.": "The post contains swear words.",
    "It is not the case that it rains.": "It rains.",
    "It would be wrong to say that the user is angry.": "The user is angry.",
    "Is it false that this is spam?": "Is it true that this is spam?",
    "Nothing suggests that the text is ironic.": "The text is ironic.",
    "Is there no sign that it is urgent?": "It is urgent?",
    "The claim that it is red does not hold.": "It is red.",
    "Answer no if it is spam, and yes otherwise.": "Answer yes if it is spam.",
    "Return false if it is spam, and true otherwise": "Return true if it is spam",
    "Flag it unless the plan is free.": "Flag it if the plan is free.",
    "Is this about something other than card arrival?": "Is this about card arrival?",
    "anything but rude": "rude",
    "Not a complaint?": "A complaint?",
    "You are a strict judge. The message is not spam.": "You are a strict judge. The message is spam.",
}
UNTOUCHED = (
    "",
    "The rating of the shop is not 3.5.",
    "Is it urgent?",
    "I cannot log in",
    "The parcel did not arrive.",
    "The user cannot pay.",
    "It is not only rude.",
    "The text is not rude but polite.",
    "The text is not about pets and it is long.",
    "Isn't this spam?",
    "Not sure",
    "It is not certain that it rains.",
    "Nothing works.",
    "The text is a note. It is not signed.",
    "Der Text ist nicht höflich.",
)


@pytest.mark.parametrize(("denial", "statement"), DENIED.items())
def test_a_denial_is_read_as_what_it_denies(denial, statement):
    assert affirmed(denial) == (statement, True)


@pytest.mark.parametrize("text", UNTOUCHED)
def test_what_is_no_plain_denial_stays(text):
    assert affirmed(text) == (text, False)


@pytest.mark.parametrize("statement", DENIED.values())
def test_a_statement_is_read_as_it_stands(statement):
    assert affirmed(statement) == (statement, False)


def test_two_denials_cancel():
    assert affirmed("It is not true that the text does not mention a price.") == ("The text mentions a price.", False)


def test_long_instructions_are_left_alone():
    text = "The text does not mention " + "a " * 300 + "price."
    assert affirmed(text) == (text, False)


@pytest.mark.parametrize(("verb", "told"), [("have", "has"), ("do", "does"), ("pass", "passes"), ("carry", "carries")])
def test_verbs_after_he_she_or_it(verb, told):
    assert third_person(verb) == told


@settings(max_examples=examples(200))
@given(
    subject=st.sampled_from(("the text", "this angry review", "it", "`body`", "the writer", "the tone of the message")),
    verb=st.sampled_from(("mention", "express", "carry", "have", "criticise")),
    thing=st.sampled_from(("a price", "joy or pride", "3.5 stars", "what's new", "no-one")),
    depth=st.integers(0, 3),
)
def test_every_denial_turns_the_answer_once_more(subject, verb, thing, depth):
    denial = "it is not true that " * depth + f"{subject} does not {verb} {thing}"
    assert affirmed(denial) == (f"{subject} {third_person(verb)} {thing}", depth % 2 == 0)


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    with laya.load(write_reader(tmp_path_factory.mktemp("reader")), threads=1) as agent:
        yield agent


@pytest.mark.parametrize(("denial", "statement"), list(DENIED.items())[:8])
def test_statement_and_denial_share_one_probability(agent, denial, statement):
    questions = {name: {"type": "noul", "instructions": words} for name, words in (("d", denial), ("s", statement))}
    answers = agent.logits(["a cat is purring"], questions)[0]
    assert answers["d"] == answers["s"][::-1]


def test_criteria_change_over_with_the_instructions(agent):
    questions = {
        "denial": {"type": "noul", "instructions": "It is not a cat.", "criteria": {"true": "dog", "false": "cat"}},
        "statement": {"type": "noul", "instructions": "It is a cat.", "criteria": {"true": "cat", "false": "dog"}},
        "turned": {
            "type": "noul",
            "instructions": "It is not a cat.",
            "criteria": {"true": "dog", "false": "cat"},
            "option_order": [1, 0],
        },
    }
    found = agent.logits(["a cat is purring"], questions)[0]
    assert found["denial"] == found["statement"][::-1]
    assert found["turned"] == found["denial"]


def test_a_choice_between_yes_and_no_follows_its_denial(agent):
    noul = {"type": "noul", "instructions": "It is not a cat."}
    choice = {"type": "choice", "instructions": "It is not a cat.", "criteria": ["yes", "no"]}
    found = agent.logits(["a cat is purring"], {"noul": noul, "choice": choice})[0]
    assert found["choice"] == found["noul"][::-1]
