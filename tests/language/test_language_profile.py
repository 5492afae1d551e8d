# ruff: noqa: RUF001 -- letters that look alike are what is tested
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.language import Guess, analyse

CORPUS = [json.loads(line) for line in (Path(__file__).parent / "corpus.jsonl").read_text("utf-8").splitlines()]
ENGLISH = (
    "Where is my order?",
    "I was charged twice for the same order",
    "please cancel my subscription",
    "the app crashes when I open it",
    "can someone call me back today",
    "refund please",
    "how do I reset my password",
)
FOREIGN = (
    "Mein Paket ist nicht angekommen",
    "Quiero cancelar mi suscripción",
    "Je voudrais annuler mon abonnement",
    "mujhe mera paisa wapas chahiye",
    "Моя посылка не пришла",
    "荷物がまだ届いていません",
)
LONG = "The quick brown fox jumps over the lazy dog. " * 40


class Silent:
    """Never knows."""

    languages = ("en",)

    def identify(self, text):
        return Guess(None, 0.0)


@pytest.fixture(scope="module", autouse=True)
def detector_is_loaded():
    """Reading the model takes longer than a property run may."""
    analyse("Quel est votre nom ?")


def side(state):
    seen = analyse(state)
    return "english" if seen["is_english"] else "undecided" if seen["language_undecided"] else "foreign"


@pytest.mark.parametrize(
    "text",
    [
        "hello", "hi", "Thanks!", "ok", "refund", "Refund please", "cancel my order", "Payment failed",
        "WiFi down", "LGTM",
        "password reset", "URGENT", "help", "2FA not working", "broken", "yes", "no", "Where is my order?",
    ],
)  # fmt: skip
def test_short_english(text):
    assert side(text) == "english"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CANCEL MY SUBSCRIPTION NOW", "english"), ("DANCING FOR FUN", "english"), ("SERVER DOWN AGAIN", "english"),
        ("STORNIEREN SIE MEIN ABO SOFORT", "foreign"), ("QUIERO CANCELAR MI PEDIDO", "foreign"),
        ("JE VEUX ÊTRE REMBOURSÉ", "foreign"),
    ],
)  # fmt: skip
def test_capitals(text, expected):
    assert side(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "My name is José García and I need help with my invoice",
        "I'd like to visit São Paulo and the café in Düsseldorf next week",
        "Contact: Müller GmbH, Straße 5, Berlin",
        "Los Angeles",
        "El Paso store refund",
        "Las Vegas hotel booking",
    ],
)
def test_names_inside_english(text):
    assert side(text) == "english"


@pytest.mark.parametrize(
    "text",
    [
        "yaar mera payment fail ho gaya hai please check karo",
        "esto is not working porfa fix it",
        "mujhe refund chahiye",
    ],
)
def test_mixed_languages_are_not_english(text):
    assert side(text) == "foreign"


@pytest.mark.parametrize(
    "text",
    [
        "git checkout -b fix/des-die-les", '<div class="el la">text</div>', "https://exemple.fr/les/des/une",
        "anna.la@el.example", "/usr/lib/les/des", "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "for (int i = 0; i < n; i++) {",
    ],
)  # fmt: skip
def test_code_markup_and_links_say_nothing(text):
    seen = analyse(text)
    assert seen["language_undecided"]
    assert seen["language"] is None


def test_loan_phrases_are_english():
    assert side("Per my last email, e.g. la carte") == "english"


@pytest.mark.parametrize(
    "state",
    ["12345", "😀!!", "...", "", "   ", "\u200b", {}, [], None, {"id": 123}, {"a": [None, True, 1.5]}, 7],
)  # fmt: skip
def test_no_letters(state):
    seen = analyse(state)
    assert (seen["reason_code"], seen["script"], seen["script_profile"]) == ("no_letters", "unknown", {})
    assert seen["language_undecided"]
    assert not seen["is_english"]
    assert seen["language"] is None


@pytest.mark.parametrize(
    ("clause", "reason", "language"),
    [
        ("मुझे रिफंड चाहिए", "foreign_script_segment", "hi"),
        ("我要退款,请尽快处理", "foreign_script_segment", "zh"),
        ("Ich möchte mein Geld zurück haben", "foreign_segment", "de"),
        ("Quiero que me devuelvan el dinero", "foreign_segment", "es"),
    ],
)
@pytest.mark.parametrize("wrap", ["{long}{clause}", "{clause}\n{long}", "{long}\n{clause}\n{long}"])
def test_the_foreign_clause_of_a_long_english_text_wins(clause, reason, language, wrap):
    seen = analyse(wrap.format(long=LONG, clause=clause))
    assert (seen["reason_code"], seen["language"]) == (reason, language)
    assert seen["mixed_segment"].rstrip() == clause
    assert seen["script"] == "latin"
    assert not seen["is_english"]


@pytest.mark.parametrize(
    ("state", "path", "line"),
    [
        ({"subject": "help with my order", "body": "no funciona nada, quiero mi dinero"}, "$.body", 1),
        ([{"role": "user", "content": f"{LONG}\nIch möchte mein Geld zurück haben"}], "$[0].content", 2),
        ({"en": LONG, "turns": [LONG, "\n\nЯ хочу вернуть деньги за заказ"]}, "$.turns[1]", 3),
    ],
)
def test_a_foreign_field_or_line_is_named(state, path, line):
    seen = analyse(state, explain=True)
    assert not seen["is_english"]
    assert not seen["language_undecided"]
    if seen["mixed_segment"] is not None:
        assert seen["diagnostic"]["stage"] in {"segment", "script"}
        assert seen["diagnostic"]["source"] == {"path": path, "line": line}


def test_tags_and_name_fields_do_not_decide():
    assert side([{"role": "user", "content": "Wo ist mein Paket?"}]) == "foreign"
    assert side([{"role": "user", "content": "12345"}]) == side({"status": "user"})
    assert side({"name": "José García", "city": "São Paulo", "message": "I need help with my invoice"}) == "english"


@pytest.mark.parametrize(
    "text",
    ["ｒｅｆｕｎｄ ｐｌｅａｓｅ", "𝐑𝐞𝐟𝐮𝐧𝐝 𝐩𝐥𝐞𝐚𝐬𝐞", "Ⓡⓔⓕⓤⓝⓓ ⓟⓛⓔⓐⓢⓔ", "I\u202e was charged", "I was chаrged twice"],
)
def test_disguised_english(text):
    assert side(text) == "english"


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Բարեւ ձեզ", "armenian"), ("ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "cherokee"), ("ᐃᓄᒃᑎᑐᑦ", "canadian_aboriginal"),
        ("ⵜⴰⵎⴰⵣⵉⵖⵜ", "tifinagh"),
        ("𞤆𞤵𞤤𞤢𞤪", "adlam"), ("ދިވެހި", "thaana"), ("ꦧꦱꦗꦮ", "javanese"), ("ᜆᜄᜎᜓᜄ᜔", "tagalog"), ("привет", "cyrillic"),
        ("\u0378\u0379\u0380", "other"),
    ],
)  # fmt: skip
def test_other_scripts(text, script):
    seen = analyse(text)
    assert (seen["reason_code"], seen["script"], seen["non_latin_fraction"]) == ("non_latin_script", script, 1.0)
    assert not seen["is_english"]


@pytest.mark.parametrize(
    "text", ["My friend 田中さん told me to call you", "The value of α is wrong", "Ask Иван about it"]
)
def test_a_foreign_name_or_symbol_does_not_make_english_foreign(text):
    assert side(text) == "english"


def test_a_short_request_in_another_script_does():
    seen = analyse("Please help 我要退款")
    assert (seen["reason_code"], seen["language"], seen["mixed_segment"]) == (
        "foreign_script_segment",
        "zh",
        "我要退款",
    )


def test_languages_out_of_play_stay_foreign_without_a_name():
    seen = analyse("Mein Paket ist nicht angekommen", languages=("en", "fr"))
    assert (seen["language"], seen["is_english"], seen["language_undecided"]) == (None, False, False)
    assert analyse("Where is my order?", languages=("fr",))["language"] == "en"


def test_without_a_detector_the_words_decide():
    assert analyse("please cancel my order today", Silent())["is_english"]
    seen = analyse("Mein Paket ist nicht angekommen", Silent())
    assert (seen["reason_code"], seen["language"]) == ("foreign_unnamed", None)


def test_explain_adds_the_evidence_and_nothing_else():
    plain, full = analyse("Where is my order, Müller?"), analyse("Where is my order, Müller?", explain=True)
    diagnostic = full.pop("diagnostic")
    assert full == plain
    assert diagnostic["words"]["names"] == 1
    assert (diagnostic["stage"], diagnostic["source"], diagnostic["sampled"]) == ("whole", None, False)
    assert analyse(LONG * 20, explain=True)["diagnostic"]["sampled"]


TAILS = ("4411", "  12:30 2026-11-30", "https://exemple.fr/les/des", "a.b@c.example", "😀", "550e8400-e29b-41d4")
PLAIN = [row["text"] for row in CORPUS if row["slice"] == "plain"]


@given(st.sampled_from([*PLAIN, *ENGLISH, *FOREIGN]), st.sampled_from(TAILS))
def test_numbers_links_and_emoji_change_nothing(text, tail):
    before, after = analyse(text), analyse(f"{text} {tail}")
    assert {**after, "mixed_segment": None} == {**before, "mixed_segment": None}


@given(st.sampled_from(ENGLISH), st.sampled_from(ENGLISH))
def test_shouted_english_stays_english(one, other):
    assert side(one.upper()) == "english"
    assert side(f"{one}. {other}".upper()) == "english"


@given(
    st.lists(st.sampled_from(ENGLISH), max_size=6),
    st.lists(st.sampled_from(ENGLISH), max_size=6),
    st.sampled_from(FOREIGN),
)
def test_a_foreign_field_wins_wherever_it_stands(before, after, foreign):
    assert side([*before, foreign, *after]) == "foreign"


STATES = st.recursive(
    st.none() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
)


@given(STATES)
def test_the_fields_never_contradict_each_other(state):
    seen = analyse(state, explain=True)
    assert not (seen["is_english"] and seen["language_undecided"])
    assert seen["is_english"] == (seen["language"] == "en") == (seen["reason_code"] == "english")
    assert seen["language_undecided"] <= (seen["language"] is None)
    assert 0 <= seen["non_latin_fraction"] <= 1
    assert 0 <= seen["confidence"] <= 1
    assert (seen["script"] == "unknown") == (not seen["script_profile"])
    assert seen["diagnostic"]["reason"] == seen["reason_code"]


def test_eight_threads_agree():
    texts = [row["text"] for row in CORPUS][::3]
    alone = [analyse(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(analyse, texts)) == alone


def test_what_lies_between_the_samples_costs_nothing_and_the_ends_are_read():
    huge = LONG * 400
    assert side(huge) == "english"
    assert side(huge + "Ich möchte bitte mein ganzes Geld zurück haben.") == "foreign"
    assert side("Я хочу вернуть деньги за заказ. " + huge) == "foreign"


def test_what_is_remembered_of_a_text_cannot_be_changed_from_outside():
    first = analyse(ENGLISH[0])
    wanted = analyse(ENGLISH[0], explain=True)
    first["language"] = "xx"
    first["script_profile"].clear()
    second = analyse(ENGLISH[0])
    assert second["script_profile"] is not analyse(ENGLISH[0])["script_profile"]
    assert second == {key: value for key, value in wanted.items() if key != "diagnostic"}
