# ruff: noqa: RUF001, SIM905 -- letters of all scripts are what is tested
import sys
import unicodedata

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from laya.language import detect_script, script_profile
from laya.language.script import fold, letter_script

COMMON_SCRIPTS = """
    latin greek cyrillic armenian hebrew arabic devanagari bengali gurmukhi gujarati oriya tamil telugu kannada
    malayalam sinhala thai lao tibetan myanmar georgian ethiopic khmer hangul hiragana katakana han cherokee
    canadian_aboriginal tifinagh adlam thaana javanese tagalog mongolian syriac nko balinese coptic gothic runic
    ogham glagolitic bopomofo yi lisu vai bamum osage deseret
""".split()


def every_letter():
    chars = map(chr, range(sys.maxunicode + 1))
    return "".join(c for c in chars if c.isalpha() and unicodedata.is_normalized("NFKC", c))


def test_every_letter_has_the_script_that_unicode_gives_it():
    letters = every_letter()
    kana = {"hiragana": "kana", "katakana": "kana"}
    expected = {
        char: kana.get(name, name)
        for name in COMMON_SCRIPTS
        for char in regex.findall(rf"\p{{Script={name}}}", letters)
    }
    assert len(expected) > 100_000
    wrong = {c: letter_script(c) for c, script in expected.items() if letter_script(c) not in {script, None}}
    assert wrong == {}
    unassigned_to_one = [c for c in expected if letter_script(c) is None]
    assert all(unicodedata.name(c).startswith(("MODIFIER LETTER", "VERTICAL")) for c in unassigned_to_one)


@pytest.mark.parametrize(
    ("char", "script"),
    [
        ("A", "latin"), ("z", "latin"), ("@", None), ("[", None), ("`", None), ("{", None),
        ("ɏ", "latin"), ("ʯ", "latin"), ("ʰ", None), ("Ͱ", "greek"), ("Ͽ", "greek"), ("Ѐ", "cyrillic"), ("ԯ",
        "cyrillic"),
        ("Ա", "armenian"), ("א", "hebrew"), ("ء", "arabic"), ("ߊ", "nko"), ("ऄ", "devanagari"), ("๑", None),
        ("ก", "thai"),
        ("ა", "georgian"), ("ᄀ", "hangul"), ("가", "hangul"), ("힣", "hangul"), ("ぁ", "kana"), ("ヺ", "kana"),
        ("ー", None),
        ("一", "han"), ("𠀀", "han"), ("Ꭰ", "cherokee"), ("ꭰ", "cherokee"), ("ᐁ", "canadian_aboriginal"), ("ⴰ",
        "tifinagh"),
        ("𞤀", "adlam"), ("ހ", "thaana"), ("ꦄ", "javanese"), ("ᜀ", "tagalog"), ("ᲀ", "cyrillic"), ("Ა", "georgian"),
        ("\U00010300", "old_italic"), ("\u0378", "other"), ("\ufdd0", None), ("\uffff", None), ("\ue000", None),
        ("😀", None),
    ],
)  # fmt: skip
def test_scripts_at_the_boundaries(char, script):
    assert letter_script(char) == script


@pytest.mark.parametrize(
    "disguised",
    [
        "ｒｅｆｕｎｄ", "𝐫𝐞𝐟𝐮𝐧𝐝", "𝓻𝓮𝓯𝓾𝓷𝓭", "ⓡⓔⓕⓤⓝⓓ", "re\u202efund", "re\u00adfund", "\u200brefund\ufeff",
        "rеfund",
    ],
)  # fmt: skip
def test_disguises_are_undone(disguised):
    assert fold(disguised).lower() == "refund"
    assert script_profile(disguised) == {"latin": 1.0}


def test_enclosed_capitals_are_letters():
    assert fold("🅷🅴🅻🅿 🅐🅢🅐🅟") == "HELP ASAP"


@pytest.mark.parametrize("text", ["сор", "привет wi-fi", "κόσμε", "Wi‑Fi и кофе", "добрыйX"])
def test_real_cyrillic_and_greek_stay_what_they_are(text):
    assert detect_script(text) in {"cyrillic", "greek"}


def test_shares_are_of_letters_and_largest_first():
    assert script_profile("ab яя 12 !") == {"cyrillic": 0.5, "latin": 0.5}
    assert list(script_profile("abc я")) == ["latin", "cyrillic"]
    assert script_profile("12 !? 😀") == {}
    assert detect_script("") == "unknown"


@given(st.text(max_size=60))
def test_shares_add_up_and_folding_is_stable(text):
    shares = script_profile(text)
    assert not shares or abs(sum(shares.values()) - 1) < 1e-9
    assert fold(fold(text)) == fold(text)
