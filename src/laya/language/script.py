# ruff: noqa: SIM905 -- short lists read better as one string
"""Which scripts a text is written in: exact, with no tables of Unicode of our own.

The script of a letter is read off its Unicode name once and kept. `fold` undoes disguises first: compatibility forms
(full-width, mathematical, circled letters), invisible marks, and letters that only look Latin inside a Latin word.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LATIN: Final = "latin"
OTHER: Final = "other"
UNKNOWN: Final = "unknown"

# first word of a character's name, or first two -> script, where the two differ
RENAMED: Final = {
    "cjk": "han",
    "ideographic": "han",
    "old_chinese": "han",
    "hiragana": "kana",
    "katakana": "kana",
    "hentaigana": "kana",
    "roman": LATIN,
    "turned": LATIN,
    "canadian": "canadian_aboriginal",
}
# names whose first word is shared by several scripts
TWO_WORDS: Final = frozenset({"old", "tai", "linear", "inscriptional", "meroitic", "new", "ol"})
# letters in the database that every script may use
COMMON: Final = frozenset({"modifier", "caron", "vertical", "vedic", "masu", "katakana-hiragana"})

# the language of nearly all text in a script
LANGUAGE_OF: Final = dict(
    pair.split(":")
    for pair in (
        "armenian:hy bengali:bn cherokee:chr ethiopic:am georgian:ka greek:el gujarati:gu gurmukhi:pa "
        "hangul:ko hebrew:he kana:ja kannada:kn khmer:km lao:lo malayalam:ml myanmar:my oriya:or sinhala:si "
        "tamil:ta telugu:te thaana:dv thai:th tibetan:bo"
    ).split()
)
SEVERAL_LANGUAGES: Final = frozenset({"arabic", "cyrillic", "devanagari", "han"})
"""Scripts whose language a detector must name."""

INVISIBLE: Final = re.compile("[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+")
# negative circled and squared capitals, which have no compatibility form: 🅐 🅰
FIRST_ENCLOSED: Final = "\U0001f150"
ENCLOSED: Final = {start + i: 65 + i for start in (0x1F150, 0x1F170) for i in range(26)}
CYRILLIC: Final = "а:a е:e і:i ј:j ӏ:l о:o р:p с:c у:y х:x ѕ:s һ:h ԁ:d ԛ:q ԝ:w"  # noqa: RUF001 -- letters that look Latin
CYRILLIC_CAPITALS: Final = "А:A В:B Е:E Ѕ:S І:I Ј:J К:K М:M Н:H О:O Р:P С:C Т:T Х:X"  # noqa: RUF001 -- as above
GREEK: Final = "ο:o α:a ν:v ρ:p υ:u ι:i κ:k Α:A Β:B Ε:E Ζ:Z Η:H Ι:I Κ:K Μ:M Ν:N Ο:O Ρ:P Τ:T Υ:Y Χ:X"  # noqa: RUF001 -- as above
LOOKALIKES: Final = str.maketrans(dict(pair.split(":") for pair in f"{CYRILLIC} {CYRILLIC_CAPITALS} {GREEK}".split()))
MASKS: Final = re.compile("[\u0370-\u052f]")
LAST_LATIN: Final = "\u024f"
"""Up to here all letters are Latin, once folded."""
LAST_OLD: Final = "\u206f"
"""Beyond it a code point that the interpreter does not know may be a letter."""
WORD: Final = re.compile(r"[^\W\d_]+")
PLAIN_LETTER: Final = re.compile(r"[a-zA-Z]")


def fold(text: str) -> str:
    """Undo disguises of letters; an ASCII text is returned as it is.

    Compatibility forms become plain letters (NFKC), invisible and direction marks vanish, and Cyrillic or Greek
    letters that look Latin become Latin where all the others of their word are Latin.
    """
    if text.isascii():
        return text
    if not text.isprintable():
        text = INVISIBLE.sub("", text)
    if max(text, default="") >= FIRST_ENCLOSED:
        text = text.translate(ENCLOSED)
    text = unicodedata.normalize("NFKC", text)
    return WORD.sub(_unmask, text) if MASKS.search(text) and PLAIN_LETTER.search(text) else text


def _unmask(match: re.Match[str]) -> str:
    word = match[0]
    if word.isascii() or not PLAIN_LETTER.search(word):
        return word
    plain = word.translate(LOOKALIKES)
    return plain if script_counts(plain).keys() == {LATIN} else word


@lru_cache(maxsize=8192)
def letter_script(char: str) -> str | None:
    """Script of one character, in lower case; None where it is no letter, or a letter of no script in particular.

    A code point that this interpreter's Unicode does not know yet counts as a letter of the script `other`.
    """
    if not char.isalpha():
        return OTHER if unicodedata.category(char) == "Cn" and char >= "\u0370" and not _noncharacter(char) else None
    words = unicodedata.name(char, OTHER).lower().split()
    first = words[0]
    if first in COMMON:
        return None
    name = "_".join(words[:2]) if first in TWO_WORDS else first
    return RENAMED.get(name, name)


def _noncharacter(char: str) -> bool:
    return ord(char) & 0xFFFE == 0xFFFE or "\ufdd0" <= char <= "\ufdef"


def script_counts(text: str) -> dict[str, int]:
    """Number of letters of each script in a folded text."""
    letters = "".join(WORD.findall(text))
    if letters and max(letters) <= LAST_LATIN and max(text) <= LAST_OLD:
        return {LATIN: len(letters)}
    counts: dict[str, int] = {}
    for char, number in Counter(text).items():
        script = letter_script(char)
        if script:
            counts[script] = counts.get(script, 0) + number
    return counts


def profile_of(counts: Mapping[str, int]) -> dict[str, float]:
    """Share of each script among the letters, largest first; of two equal shares the non-Latin comes first."""
    if len(counts) == 1:
        return dict.fromkeys(counts, 1.0)
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0] == LATIN, item[0]))
    return {script: number / total for script, number in ranked}


def script_profile(text: str) -> dict[str, float]:
    """Share of each script among the letters of a text, disguises undone, largest first; empty without letters."""
    return profile_of(script_counts(fold(text)))


def detect_script(text: str) -> str:
    """Script of most letters of a text; `unknown` without letters. A tie goes to the script that is not Latin."""
    return next(iter(script_profile(text)), UNKNOWN)
