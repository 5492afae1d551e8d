"""Which words of a text are English, which are foreign, which are names: counts, from one list of common words."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
SHARED_MARK: Final = "~"
MAX_LETTERS: Final = 32
"""Longer runs of letters are keys or digests, not words."""


class Lexicon(NamedTuple):
    """The common words of English.

    Attributes:
        own: words that hardly any other language has.
        shared: words that some other language has too ("die", "normal", "information").
    """

    own: frozenset[str]
    shared: frozenset[str]


class WordCount(NamedTuple):
    """Words of a piece of text by what they say.

    Attributes:
        own: number of English words of no other language.
        shared: number of English words that are foreign ones too.
        foreign: the words outside the list that are written like ordinary words.
        names: number of capitalised words outside the list.
        lone: one of the names stands first with no name after it, so that only its place may explain the capital.
        plain: all words that are no names, in order.
    """

    own: int
    shared: int
    foreign: list[str]
    names: int
    lone: bool
    plain: list[str]


@cache
def lexicon() -> Lexicon:
    """The list, read once."""
    lines = files(__package__).joinpath("words_en.txt").read_text(encoding="utf-8").split("\n")
    words = [line for line in lines if line and not line.startswith("#")]
    shared = frozenset(word[:-1] for word in words if word.endswith(SHARED_MARK))
    return Lexicon(frozenset(words) - shared, shared)


def find_words(text: str) -> list[str]:
    """The words of a text, as written, keys and digests left out."""
    return [word for word in WORD.findall(text) if len(word) <= MAX_LETTERS]


def count_words(words: list[str]) -> WordCount:
    """Sort words by what they say. In a text of capitals only, capitals do not make a name."""
    own_words, shared_words = lexicon()
    shouted = all(map(str.isupper, words))
    own = shared = 0
    foreign, plain, names = [], [], []
    for index, word in enumerate(words):
        lower = word.lower()
        if not lower.isalpha():
            lower = lower.replace("’", "'").removesuffix("'s")
        if lower in own_words:
            own += 1
        elif lower in shared_words:
            shared += 1
        elif word[0].isupper() and not shouted:
            names.append(index)
            continue
        else:
            foreign.append(lower)
        plain.append(lower if shouted else word)
    lone = names[:1] == [0] and names[1:2] != [1]
    return WordCount(own, shared, foreign, len(names), lone, plain)
