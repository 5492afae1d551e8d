"""Putting a second sentence into questions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from training.write.noul_states import kept

if TYPE_CHECKING:
    from random import Random

Rows = Sequence[dict[str, Any]]
SMALL: Final = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "do",
        "does",
        "did",
        "can",
        "could",
        "has",
        "have",
        "had",
        "will",
        "would",
        "should",
        "the",
        "a",
        "an",
        "some",
        "there",
        "it",
        "he",
        "she",
        "they",
        "we",
        "you",
        "this",
        "that",
        "these",
        "those",
        "no",
        "not",
        "all",
        "many",
        "most",
        "several",
        "two",
        "three",
        "people",
        "men",
        "women",
        "in",
        "at",
        "on",
        "nobody",
        "someone",
        "somebody",
        "everyone",
        "one",
        "if",
        "when",
        "where",
        "what",
        "which",
        "who",
        "how",
        "why",
        "each",
        "every",
        "both",
        "neither",
        "his",
        "her",
        "their",
        "its",
        "my",
        "our",
        "your",
    ]
)
"""Words that lose their capital inside a sentence; others may be names."""
SPACED: Final = re.compile(r" (?=[.,?!;:](?:\s|$)|'(?:s|re|ve|ll|d|m)\b|n't\b)")
MOVABLE: Final = re.compile(r"^(?P<who>(?:\S+ ){1,6}?)(?P<aux>is|are|was|were|can|will) (?P<rest>.+)$")
HARD_TO_MOVE: Final = re.compile(
    r"\b(?:that|who|which|not|no|never|nobody|none|neither|if|because|when|while|only|some|any|all|but|or)\b|n't|[,;:\"?]"
)


def tidy(sentence: str) -> str:
    """A sentence without the spaces that tokenisers leave before punctuation."""
    return SPACED.sub("", sentence.strip())


def inner(sentence: str) -> str:
    """A sentence as it stands inside another one."""
    text = tidy(sentence).rstrip(".!。")
    first = text.partition(" ")[0]
    return text[:1].lower() + text[1:] if first.lower() in SMALL else text


def forms(sentence: str) -> dict[str, str]:
    """The forms of the other sentence: `h` inside, `H` alone; if its verb can be moved, `q` asked and `n` denied."""
    inside = inner(sentence)
    found = {"h": inside, "H": tidy(sentence).rstrip(".。")}
    parts = MOVABLE.match(inside)
    if parts and not HARD_TO_MOVE.search(inside.lower()):
        who, aux, rest = parts["who"].strip(), parts["aux"], parts["rest"]
        denial = f"{who} {'cannot' if aux == 'can' else f'{aux} not'} {rest}"
        asked = f"{aux} {who} {rest}"
        found |= {"q": asked, "Q": asked[:1].upper() + asked[1:], "n": denial, "N": denial[:1].upper() + denial[1:]}
    return found


def put(rng: Random, frames: Sequence[str], sentence: str) -> str:
    """Fill a frame with the other sentence."""
    return rng.choice(frames).format(**forms(sentence))


@cache
def by_label(name: str) -> dict[str, Rows]:
    """Rows of a set by label."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in kept(name):
        found.setdefault(row["label"], []).append(row)
    return {label: tuple(group) for label, group in found.items()}
