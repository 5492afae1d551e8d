# ruff: noqa: RUF001 -- letters that look alike are what is tested
"""Texts whose routing users complain about, as a Router with its usual checkpoints decides them."""

import pytest

import laya
from laya.errors import ArgumentError, ArgumentTypeError

LONG_ENGLISH = "The quick brown fox. " * 40


@pytest.fixture(scope="module")
def router():
    with laya.Router() as router:
        yield router


@pytest.mark.parametrize(
    "state",
    [
        "hello", "hi", "Thanks!", "ok", "refund", "Refund please", "cancel my order", "Payment failed", "WiFi down",
        "LGTM", "password reset", "URGENT", "help", "2FA not working", "broken", "yes", "no", "Where is my order?",
        "CANCEL MY SUBSCRIPTION NOW", "DANCING FOR FUN", "SERVER DOWN AGAIN",
        "My name is José García and I need help with my invoice",
        "I'd like to visit São Paulo and the café in Düsseldorf next week",
        "Contact: Müller GmbH, Straße 5, Berlin", "Los Angeles", "El Paso store refund", "Las Vegas hotel booking",
        "Per my last email, e.g. la carte",
        "ｒｅｆｕｎｄ ｐｌｅａｓｅ", "I\u202e was charged", "I was chаrged twice",
    ],
)  # fmt: skip
def test_english_goes_to_english_however_short_loud_or_disguised(router, state):
    decision = router.route(state)
    assert (decision.model, decision["reason_code"]) == ("english", "english")
    assert decision["detection"]["is_english"]


@pytest.mark.parametrize(
    "state",
    [
        "yaar mera payment fail ho gaya hai please check karo",
        "esto is not working porfa fix it",
        LONG_ENGLISH + "मुझे रिफंड चाहिए",
        {"note": LONG_ENGLISH, "message": "Ich möchte mein Geld zurück haben"},
        "Բարեւ ձեզ", "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "ᐃᓄᒃᑎᑐᑦ", "ⵜⴰⵎⴰⵣⵉⵖⵜ", "𞤆𞤵𞤤𞤢𞤪", "ދިވެހި", "ꦧꦱꦗꦮ", "ᜆᜄᜎᜓᜄ᜔",
    ],
)  # fmt: skip
def test_what_english_cannot_read_goes_to_multilingual(router, state):
    decision = router.route(state)
    assert decision.model == "multilingual"
    assert not decision["detection"]["is_english"]
    assert decision["reason_code"] not in {"undecided", "no_letters"}


@pytest.mark.parametrize("state", ["12345", "😀!!", "...", "", "   ", "\u200b", {}, [], {"id": 123}])
@pytest.mark.parametrize("default", ["english", "multilingual"])
def test_what_has_no_letters_goes_to_the_default_and_says_so(default, state):
    with laya.Router(default=default) as router:
        decision = router.route(state)
    assert (decision.model, decision["reason_code"]) == (default, "no_letters")
    assert decision["reason"] == f"no letters detected in state; using default ({default})"


@pytest.mark.parametrize("state", ["git checkout -b fix/des-die-les", '<div class="el la">text</div>'])
@pytest.mark.parametrize("default", ["english", "multilingual"])
def test_code_and_markup_go_to_the_default(default, state):
    with laya.Router(default=default) as router:
        decision = router.route(state)
    assert decision.model == default
    assert decision["reason_code"] in {"undecided", "no_letters"}
    assert decision["detection"]["language"] is None


@pytest.mark.parametrize("lang", ["en_US.UTF-8", "EN-us", "eng", "english"])
def test_a_named_language_decides_in_any_spelling(router, lang):
    decision = router.route("Mein Paket ist nicht da", lang=lang)
    assert (decision.model, decision["reason_code"]) == ("english", "explicit_lang")


@pytest.mark.parametrize("lang", ["C", "posix", "und", "", None])
def test_a_language_that_says_nothing_leaves_it_to_detection(router, lang):
    assert router.route("Where is my order?", lang=lang)["reason_code"] == "english"


def test_norwegian_is_a_language_and_not_a_refusal(router):
    decision = router.route("Where is my order?", lang="no")
    assert (decision.model, decision["reason_code"]) == ("multilingual", "explicit_lang")


@pytest.mark.parametrize(
    ("lang", "error"), [("klingon", ArgumentError), ("hinglish", ArgumentError), (5, ArgumentTypeError)]
)
def test_what_is_no_language_is_refused(router, lang, error):
    with pytest.raises(error, match="lang"):
        router.route("x", lang=lang)
