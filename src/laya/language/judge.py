"""English or not: one score for a piece of Latin-script prose.

The score is the log-odds that an English checkpoint reads the piece: kinds of words (`words.count_words`) and the
detector's guess, weighed by the numbers in `WEIGHTS`, which `tools/fit_language_weights.py` fits.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from laya.language.detect import Guess
from laya.language.words import WordCount, count_words

if TYPE_CHECKING:
    from laya.language.detect import LanguageDetector

ENGLISH: Final = "en"
NO_GUESS: Final = Guess(None, 0.0)
READ_BY_ALL: Final = frozenset("hi hey hello ok okay no yes stop help info urgent thanks test".split())
"""Short messages that mean the same wherever they come from."""
MIN_LONE: Final = 0.3
"""How sure the detector must be to call a single unknown word foreign: it may be a name, a brand, a typo."""
DETECTOR_CHARS: Final = 600
"""The detector reads this many characters at most: more change nothing."""


class Weights(NamedTuple):
    """What each sign adds to the log-odds of English. Counts are divided by the root of the number of words."""

    bias: float = 1.26
    own: float = 1.75
    shared: float = -0.05
    foreign: float = -3.5
    lone_capital: float = -4.16
    """A capitalised unknown word at the start, no name after it: likely just the start of a sentence."""
    names: float = -2.93
    """Other capitalised unknown words, where the piece has no word that is English alone."""
    says_english: float = 2.18
    """Times the confidence of the detector."""
    says_foreign: float = -2.77
    rest_foreign: float = -5.2
    """Times the confidence of the detector on the unknown words alone, where there are two or more."""


WEIGHTS: Final = Weights()


class Verdict(NamedTuple):
    """What a piece of text is.

    Attributes:
        english: True, False, or None where the evidence does not suffice.
        language: code named, if any.
        confidence: probability of `english` being right; of the likelier side where it is None.
    """

    english: bool | None
    language: str | None
    confidence: float


def judge(words: list[str], detector: LanguageDetector) -> Verdict:
    """Judge the words of a piece of Latin-script text, noise removed; at least one word."""
    count = count_words(words)
    base = word_score(count)
    worst = WEIGHTS.says_foreign + (WEIGHTS.rest_foreign if len(count.foreign) > 1 else 0.0)
    if count.own and base + worst > 0.0:  # whatever the detector said, it could not change this
        return Verdict(True, ENGLISH, probability(base))
    if all(word.lower() in READ_BY_ALL for word in words):
        return Verdict(True, ENGLISH, probability(base))
    guess = detector.identify(prose(count.plain if count.own else words))
    rest = detector.identify(prose(count.foreign)) if len(count.foreign) > 1 else NO_GUESS
    return weigh(count, guess, rest)


def word_score(count: WordCount) -> float:
    """Log-odds of English from the words alone."""
    names = 0 if count.own else count.names - count.lone
    size = math.sqrt(max(1, len(count.plain) + count.lone + names))
    signs = (
        (WEIGHTS.own, count.own),
        (WEIGHTS.shared, count.shared),
        (WEIGHTS.foreign, len(count.foreign)),
        (WEIGHTS.lone_capital, count.lone),
        (WEIGHTS.names, names),
    )
    return WEIGHTS.bias + sum(weight * number for weight, number in signs) / size


def weigh(count: WordCount, guess: Guess, rest: Guess) -> Verdict:
    """Combine the words with the guesses on the whole piece and on its unknown words."""
    score = word_score(count)
    named = guess.language if guess.language != ENGLISH else None
    if guess.language:
        score += guess.confidence * (WEIGHTS.says_foreign if named else WEIGHTS.says_english)
    if rest.language not in {ENGLISH, None}:
        score += rest.confidence * WEIGHTS.rest_foreign
    sure = probability(abs(score))
    if score > 0.0:
        backed = count.own or guess.language == ENGLISH
        return Verdict(True, ENGLISH, sure) if backed else Verdict(None, None, sure)
    unknown = len(count.foreign) + count.names
    if unknown > 1 or (named and guess.confidence >= MIN_LONE):
        return Verdict(False, named or (rest.language if rest.language != ENGLISH else None), sure)
    return Verdict(None, None, sure)


def probability(score: float) -> float:
    """Probability that belongs to log-odds."""
    return 1.0 / (1.0 + math.exp(-min(score, 50.0)))


def prose(words: list[str]) -> str:
    """Words as the detector reads them: joined, the first and last ones of a long text, capitals lowered."""
    text = " ".join(words)
    if len(text) > DETECTOR_CHARS:
        text = f"{text[: DETECTOR_CHARS // 2]} {text[-DETECTOR_CHARS // 2 :]}"
    return text.lower() if text.isupper() else text
