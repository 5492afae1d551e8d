"""Labelled texts of the data folder in the form that writers draw from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from training.sets import rows
from training.write.choice_states import fits

if TYPE_CHECKING:
    from random import Random

Row = dict[str, Any]
Key = Callable[[Row], Hashable | None]

CODES: Final[dict[str, str]] = {
    "arabic": "ar",
    "dutch": "nl",
    "french": "fr",
    "german": "de",
    "hindi": "hi",
    "italian": "it",
    "mandarin": "zh",
    "polish": "pl",
    "portuguese": "pt",
    "spanish": "es",
    "english": "en",
    "indonesian": "id",
    "javanese": "jv",
    "sundanese": "su",
    "nb": "no",
}
"""Codes of languages that sets name in full; the small languages of Indonesia that have no code count as `id`."""
REGIONAL: Final = frozenset(
    {"acehnese", "balinese", "banjarese", "buginese", "madurese", "minangkabau", "toba_batak", "ngaju"}
)


def code(language: str) -> str:
    """Two-letter code of a language as the sets name it."""
    if language in REGIONAL:
        return "id"
    return CODES.get(language, language.split("-", 1)[0])


TEXTS: Final = frozenset({"text", "premise", "hypothesis", "bad", "question", "conclusion"})
SPACED: Final = re.compile(r" (?=[.,;:?!%)]|n't\b|'(s|re|ve|ll|d|m)\b)")
TAGS: Final = re.compile(r"\s*<br ?/?>\s*")


def tidy(text: str) -> str:
    """The text without traces of a tokeniser (spaces before punctuation) and of markup."""
    return SPACED.sub("", TAGS.sub("\n", text)).strip()


@cache
def usable(name: str) -> tuple[Row, ...]:
    """Rows that may be trained on and whose texts may be states."""
    cleaned = ({key: tidy(value) if key in TEXTS else value for key, value in row.items()} for row in rows(name))
    return tuple(row for row in cleaned if all(fits(row[key]) for key in ("text", "premise") if key in row))


def grouped(name: str, key: Key) -> dict[Any, tuple[Row, ...]]:
    """Rows by key; rows whose key is None are left out. Callers remember the result."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in usable(name):
        value = key(row)
        if value is not None:
            groups[value].append(row)
    return {value: tuple(members) for value, members in groups.items()}


def texts(rng: Random, members: tuple[Row, ...], count: int, but: str = "") -> tuple[str, ...]:
    """Up to `count` texts of the rows, other than `but`."""
    drawn = {row["text"].strip() for row in rng.sample(members, min(count + 1, len(members)))}
    return tuple(sorted(text for text in drawn if text != but and len(text) < 90)[:count])


def one_hot(index: int, count: int) -> tuple[float, ...]:
    """All on one option."""
    return tuple(float(i == index) for i in range(count))


def soften(target: tuple[float, ...], share: float) -> tuple[float, ...]:
    """The target with `share` of it spread over the options that had none."""
    empty = sum(not value for value in target)
    if not empty:
        return target
    return tuple(value * (1 - share) if value else share / empty for value in target)


def described(label: str, known: Mapping[str, tuple[str, str]]) -> tuple[str, str]:
    """Name and meaning of a label; the label itself where nobody wrote them."""
    return known.get(label, (label, ""))
