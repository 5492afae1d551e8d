"""Redact: nothing personal reaches the model, and nothing else changes."""

from __future__ import annotations

import copy
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, ArgumentTypeError, StateError
from laya.hooks import PredictContext
from laya.hooks.builtin import Redact
from laya.testing import fake_agent

Q = {"d": {"type": "noul", "instructions": "Is it a complaint?"}}

FOUND = {
    "write to Jane.Doe+x@mail.example.org now": "write to [EMAIL] now",
    "<jürgen@bücher.example>, thanks": "<[EMAIL]>, thanks",
    "'a@b.co'": "'[EMAIL]'",
    "IBAN DE89 3704 0044 0532 0130 00 please": "IBAN [IBAN] please",
    "gb82west12345698765432.": "[IBAN].",
    "card 4111 1111 1111 1111, exp 12/29": "card [CARD], exp 12/29",
    "4111-1111-1111-1111": "[CARD]",
    "amex 378282246310005": "amex [CARD]",
    "order 2345 4111 1111 1111 1111": "order 2345 [CARD]",
    "from 192.168.1.20 to 10.0.0.1:8080": "from [IP] to [IP]:8080",
    "host 2001:db8::8a2e:370:7334.": "host [IP].",
    "ip:fe80::1": "ip:[IP]",
    "call +49 (0)171 1234567 today": "call [PHONE] today",
    "0049 171/1234567": "[PHONE]",
    "tel. 030 1234567": "tel. [PHONE]",
    "01 23 45 67 89": "[PHONE]",
    "(415) 555-0132 or 1-800-555-0132": "[PHONE] or [PHONE]",
    "+442079460958": "[PHONE]",
}

KEPT = [
    "meet at 10:30:45 on 01.02.2024 or 05/12/2023, 2024-01-15T08:30",
    "order 12345678, total 1,234.50 EUR, 12.500.000 units",
    "card 4111 1111 1111 1112 is wrong",
    "IBAN DE89370400440532013001 is wrong",
    "version 1.2.3, std::vector and a :: b",
    "999.1.1.1 is no address",
    "user@localhost said @home",
    "1700000000123",
    "3.14159265358979",
    "",
]


@pytest.mark.parametrize(("text", "masked"), FOUND.items())
def test_personal_data_is_masked(text, masked):
    assert Redact().mask(text) == masked


@pytest.mark.parametrize("text", KEPT)
def test_other_text_is_kept(text):
    assert Redact().mask(text) == text


@pytest.mark.parametrize("masked", FOUND.values())
def test_masking_twice_changes_nothing(masked):
    assert Redact().mask(masked) == masked


def test_the_model_reads_masked_text_and_the_caller_keeps_its_own():
    seen = []
    state = {"body": "from a@example.org", "a@example.org": ["+49 171 1234567", 4111111111111111, True, None, 7]}
    before = copy.deepcopy(state)
    agent = fake_agent(hooks=[Redact()], on_predict_start=lambda ctx: seen.append((ctx.states, dict(ctx.scratch))))
    states = [state, [{"role": "user", "content": "call 030 1234567"}]]
    result = agent.predict_batch(states, Q)
    read, scratch = seen[0]
    assert read == [
        {"body": "from [EMAIL]", "a@example.org": ["[PHONE]", "[CARD]", True, None, 7]},
        [{"role": "user", "content": "call [PHONE]"}],
    ]
    assert scratch["laya.redact"] == {"email": 1, "phone": 2, "card": 1}
    assert state == before
    assert states[0] is state
    assert result == fake_agent().predict_batch(read, Q)


def test_on_route_masks_too():
    ctx = PredictContext(["a@example.org"], Q)
    Redact().on_route(ctx)
    assert ctx.states == ["[EMAIL]"]


def test_a_bare_text_in_place_of_the_list_is_masked_as_one():
    ctx = PredictContext("a@example.org", Q)
    Redact().on_predict_start(ctx)
    assert ctx.states == "[EMAIL]"


def test_own_patterns_win_and_overlapping_finds_become_one_mask():
    redact = Redact({"ticket": r"T-\d+", "tail": re.compile("1234567 please")})
    counts = {}
    assert redact.mask("T-4111, +49 171 1234567 please, T-5") == "[TICKET], [TAIL], [TICKET]"
    ctx = PredictContext(["T-4", "T-5 a@example.org"], Q)
    redact.on_predict_start(ctx)
    counts = ctx.scratch["laya.redact"]
    assert counts == {"ticket": 2, "email": 1}


def test_the_replacement_may_be_a_text_or_a_function():
    assert Redact(replacement="***").mask("a@example.org") == "***"
    numbered = Redact(replacement=lambda name, text: f"<{name}:{len(text)}>")
    assert numbered.mask("a@example.org 10.0.0.1") == "<email:13> <ip:8>"


def test_detectors_can_be_chosen():
    assert Redact(detect="ip").mask("a@example.org 10.0.0.1") == "a@example.org [IP]"
    assert Redact({"x": "secret"}, detect=()).mask("secret 10.0.0.1") == "[X] 10.0.0.1"


def test_a_state_that_cannot_be_walked_stops_the_call():
    loop = ["a@example.org"]
    loop.append(loop)
    with pytest.raises(StateError, match="state 1 contains itself") as caught:
        fake_agent(hooks=[Redact()]).predict_batch(["fine", loop], Q)
    assert caught.value.index == 1


@pytest.mark.parametrize("pattern", ["(", "a*", b"x", 5])
def test_patterns_that_cannot_work_are_refused(pattern):
    with pytest.raises(ArgumentError, match="pattern 'x'"):
        Redact({"x": pattern})


def test_unknown_names_and_replacements_are_refused():
    with pytest.raises(ArgumentError, match="no detector 'mail'; the shipped ones are email"):
        Redact(detect=["mail"])
    with pytest.raises(ArgumentTypeError, match="replacement must be"):
        Redact(replacement=5)


@given(st.text(st.sampled_from("ab1204.:+-@ /()"), max_size=60))
def test_masks_never_lose_the_text_around_them(text):
    pieces = []
    redact = Redact(replacement=lambda name, found: pieces.append(found) or "\0")
    kept = redact.mask(text)
    rebuilt = kept
    for piece in pieces:
        rebuilt = rebuilt.replace("\0", piece, 1)
    assert rebuilt == text


@given(st.text("0123456789", min_size=12, max_size=18), st.sampled_from(["", " ", "-"]))
def test_every_valid_card_number_is_found(digits, separator):
    digits = "4" + digits[1:]
    check = next(c for c in "0123456789" if _luhn_sum(digits + c) % 10 == 0)
    number = digits + check
    shown = separator.join(number[i : i + 4] for i in range(0, len(number), 4))
    assert "4" not in Redact(detect="card").mask(f"card: {shown}.").replace("[CARD]", "")


def _luhn_sum(number):
    doubled = [int(c) * (1 + i % 2) for i, c in enumerate(reversed(number))]
    return sum(sum(map(int, str(value))) for value in doubled)


@pytest.mark.parametrize("text", ["a" * 200_000, "1" * 200_000, "a:" * 20_000 + "g", "1 " * 50_000, "a.b-" * 50_000])
def test_long_texts_take_linear_time(text):
    # A quadratic pattern would need minutes here, which the suite's timeout ends.
    assert isinstance(Redact().mask(text), str)
