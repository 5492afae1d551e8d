# ruff: noqa: SIM905 -- short lists read better as one string
"""Which words of a text are English, which are foreign, which are names: counts, from two lists of common words."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

WORD: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
PLAIN_WORD: Final = re.compile("[A-Za-z]+(?:'[A-Za-z]+)*")
"""`WORD` for ASCII, at half the time."""
SHARED_MARK: Final = "~"
CONTRACTED: Final = re.compile(r"(?<=.)'(?:s|ve|ll|re|d|m)$")
PARTICLES: Final = frozenset(
    ("af al bin da das de del della den der di do dos du el la las le los san santa santo são van von y zu").split()
)
LOANS: Final = re.compile(
    r"\b(?:(?:[àa] )?la carte|ad hoc|d[eu] (?:facto|jure|jour)|en (?:route|masse)|et al|per se|vice versa"
    r"|vis[- ][àa][- ]vis)\b",
    re.IGNORECASE,
)
"""Foreign phrases that English has taken over."""
LOAN_ENDS: Final = (" carte", " hoc", " facto", " jure", " jour", " route", " masse", " al", " se", " versa", "vis")
LOAN_TAILS: Final = (*LOAN_ENDS[:-4], "t al", "r se", *LOAN_ENDS[-2:])
"""What a text with such a phrase holds in lower case; "also" and "send" do not count."""
SINGLE: Final = frozenset("aAI")
MAX_LETTERS: Final = 32
"""Longer runs of letters are keys or digests, not words."""


class Lexicon(NamedTuple):
    """The words that are known.

    Attributes:
        own: English words that hardly any other language has.
        shared: English words that some other language has too ("die", "normal", "information").
        giveaways: frequent words of other languages, none of them English ("nicht", "gracias", "hai").
    """

    own: frozenset[str]
    shared: frozenset[str]
    giveaways: frozenset[str]


class WordCount(NamedTuple):
    """Words of a piece of text by what they say.

    Attributes:
        own: number of English words of no other language.
        shared: number of English words that are foreign ones too.
        foreign: the words outside the English list that are written like ordinary words.
        giveaways: number of those that are on the foreign list.
        names: number of capitalised words outside the list, and of particles inside names.
        lone: one of the names stands first with no name after it, so that only its place may explain the capital.
        plain: all words that are no names, in order.
    """

    own: int
    shared: int
    foreign: list[str]
    giveaways: int
    names: int
    lone: bool
    plain: list[str]


@cache
def lexicon() -> Lexicon:
    """The lists, read once."""
    english = _read("words_en.txt")
    shared = frozenset(word[:-1] for word in english if word.endswith(SHARED_MARK))
    return Lexicon(frozenset(english) - shared, shared, frozenset(_read("words_foreign.txt")))


def _read(name: str) -> list[str]:
    lines = files(__package__).joinpath(name).read_text(encoding="utf-8").split("\n")
    return [line for line in lines if line and not line.startswith("#")]


def find_words(text: str) -> list[str]:
    """The words of a text, as written; loan phrases, single letters, keys and digests left out."""
    if any(map(text.__contains__, LOAN_ENDS)) and any(map(text.lower().__contains__, LOAN_TAILS)):
        text = LOANS.sub(" ", text)
    found = (PLAIN_WORD if text.isascii() else WORD).findall(text)
    return [word for word in found if 1 < len(word) <= MAX_LETTERS or word in SINGLE]


def count_words(words: list[str]) -> WordCount:
    """Sort words by what they say. In a text of capitals only, capitals do not make a name."""
    lists = lexicon()
    shouted = all(map(str.isupper, words))
    own = shared = given = 0
    foreign, plain, names = [], [], []
    for index, word in enumerate(words):
        lower = word.lower()
        if not lower.isalpha():
            lower = CONTRACTED.sub("", lower.replace("\u2019", "'"))
        if lower in lists.own:
            own += 1
        elif lower in lists.shared:
            shared += 1
        elif not shouted and _is_name(words, index, giveaway=lower in lists.giveaways):
            names.append(index)
            continue
        else:
            given += lower in lists.giveaways
            foreign.append(lower)
        plain.append(lower if shouted else word)
    lone = names[:1] == [0] and names[1:2] != [1]
    return WordCount(own, shared, foreign, given, len(names), lone, plain)


def _is_name(words: list[str], index: int, *, giveaway: bool) -> bool:
    """A capitalised word, but no foreign one at the start; or a particle of a name ("El Paso", "Rio de Janeiro")."""
    word = words[index]
    before_name = index + 1 < len(words) and words[index + 1][0].isupper()
    if word[0].isupper():
        return index > 0 or not giveaway or (before_name and word.lower() in PARTICLES)
    return index > 0 and before_name and word in PARTICLES and words[index - 1][0].isupper()
