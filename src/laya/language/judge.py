"""English or not: one score for a piece of Latin-script prose.

The score is the log-odds that an English checkpoint reads the piece: kinds of words (`words.count_words`) and the
detector's guess, weighed by the numbers in `WEIGHTS`, which `tools/fit_language_weights.py` fits.
"""

from __future__ import annotations

import math
import re
from operator import mul
from typing import TYPE_CHECKING, Final, NamedTuple

from laya.language.detect import Guess

if TYPE_CHECKING:
    from laya.language.detect import LanguageDetector
    from laya.language.words import WordCount

ENGLISH: Final = "en"
NO_GUESS: Final = Guess(None, 0.0)
READ_BY_ALL: Final = frozenset(
    {"contact", "hello", "help", "hey", "hi", "info", "no", "ok", "okay", "stop", "test", "thanks", "urgent", "yes"}
)
"""Short messages that mean the same wherever they come from."""
PLACE: Final = re.compile(
    r"\b(?:Los Angeles|Las Vegas|El Paso|San (?:Diego|Francisco|Jose)|Santa (?:Fe|Monica)|Des Moines)\b"
)
"""Places in English-speaking countries whose names look foreign."""
MIN_LONE: Final = 0.3
"""How sure the detector must be to call a single unknown word foreign: it may be a name, a brand, a typo."""
DETECTOR_CHARS: Final = 600
"""The detector reads this many characters at most: more change nothing."""


class Weights(NamedTuple):
    """What each sign adds to the log-odds of English. Counts are divided by the root of the number of words."""

    bias: float = 1.10
    own: float = 1.46
    shared: float = 0.31
    foreign: float = -3.06
    giveaways: float = -6.77
    """On top of `foreign`, for the words known to be foreign."""
    lone_capital: float = -3.84
    """A capitalised unknown word at the start, no name after it: likely just the start of a sentence."""
    names: float = -1.42
    """Other capitalised unknown words, where the piece has no word that is English alone."""
    says_english: float = 2.38
    """Times the confidence of the detector."""
    says_foreign: float = -3.07
    rest_foreign: float = -4.23
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


def judge(words: list[str], count: WordCount, detector: LanguageDetector) -> Verdict:
    """Judge the words of a piece of Latin-script text, noise removed; at least one word.

    Args:
        words: the words as written.
        count: what `count_words` says of them.
        detector: asked only where its answer can change the verdict.
    """
    base = score(signs(count))
    worst = min(WEIGHTS.says_foreign, WEIGHTS.rest_foreign if len(count.foreign) > 1 else 0.0)
    if (count.own and base + worst > 0.0) or _needs_no_language(words, count):
        return Verdict(True, ENGLISH, max(probability(base), 0.5))
    guess, rest = ask(words, count, detector)
    return _weigh(count, score(signs(count, guess, rest)), guess, rest)


def ask(words: list[str], count: WordCount, detector: LanguageDetector) -> tuple[Guess, Guess]:
    """The detector's guess on a piece, names aside where there are English words, and on its foreign words alone.

    The second question is left out where it cannot help: fewer than two such words, or a foreign first guess.
    """
    guess = detector.identify(prose(count.plain if count.own else words))
    if len(count.foreign) < 2 or guess.language not in {ENGLISH, None}:
        return guess, NO_GUESS
    return guess, detector.identify(prose(count.foreign))


def _needs_no_language(words: list[str], count: WordCount) -> bool:
    """Whether the piece, names aside, is made of words that mean the same wherever they come from."""
    if count.foreign or count.lone:
        return False
    if count.plain:
        return all(word.lower() in READ_BY_ALL for word in count.plain)
    return not PLACE.sub("", " ".join(words)).strip()


def signs(count: WordCount, guess: Guess = NO_GUESS, rest: Guess = NO_GUESS) -> tuple[float, ...]:
    """The signs in the order of `Weights`.

    Args:
        count: what the words say.
        guess: the detector's, on the whole piece.
        rest: the detector's, on the foreign words alone.
    """
    names = 0 if count.own else count.names - count.lone
    size = math.sqrt(max(1, len(count.plain) + count.lone + names))
    return (
        1.0,
        count.own / size,
        count.shared / size,
        len(count.foreign) / size,
        count.giveaways / size,
        count.lone / size,
        names / size,
        guess.confidence if guess.language == ENGLISH else 0.0,
        guess.confidence if guess.language not in {ENGLISH, None} else 0.0,
        rest.confidence if rest.language not in {ENGLISH, None} else 0.0,
    )


def score(values: tuple[float, ...]) -> float:
    """Log-odds of English."""
    return float(sum(map(mul, WEIGHTS, values)))


def _weigh(count: WordCount, total: float, guess: Guess, rest: Guess) -> Verdict:
    sure = probability(abs(total))
    if total > 0.0:
        backed = count.own or guess.language == ENGLISH
        return Verdict(True, ENGLISH, sure) if backed else Verdict(None, None, sure)
    named = [each.language for each in (guess, rest) if each.language not in {ENGLISH, None}]
    unknown = len(count.foreign) + count.names
    if unknown > 1 or count.giveaways or (named and guess.confidence >= MIN_LONE):
        return Verdict(False, named[0] if named else None, sure)
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
