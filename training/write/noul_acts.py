"""A writer that puts messages together from sentences whose acts are known, and asks for acts."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases.noul_acts import CLOSERS, CONTEXT, OPENERS, SLOTS, Act
from training.phrases.noul_acts_service import SERVICE
from training.phrases.noul_acts_talk import TALK
from training.phrases.noul_acts_world import WORLD
from training.write.noul_ask import Concept, capital
from training.write.noul_bind import DENIED, TRUE, compose
from training.write.noul_pools import PLAIN, plain
from training.write.noul_states import Item

if TYPE_CHECKING:
    from random import Random

ACTS: Final[dict[str, Act]] = {**SERVICE, **TALK, **WORLD}
SLOT: Final = re.compile(r"\{(\w+)\}")
SURE: Final = (0.03, 0.97)
ALONE: Final = frozenset(
    {
        "out_of_office",
        "advert",
        "phishing",
        "translate",
        "code_request",
        "maths",
        "write_text",
        "summarise",
        "live_data",
        "factual",
        "joke",
        "crisis",
    }
)
"""Acts that do not share a message with others."""
FAR: Final = plain()


@cache
def others(name: str) -> tuple[str, ...]:
    """Acts that may stand in a message that must not do this one: neither is near to the other."""
    return tuple(
        other for other, act in ACTS.items() if other != name and other not in ACTS[name].near and name not in act.near
    )


def _concept(name: str) -> Concept:
    far = others(name)
    step = max(1, len(far) // 5)
    return ACTS[name].concept(name, tuple(ACTS[other].be[0] for other in far[len(name) % step :: step]))


CONCEPTS: Final[dict[str, Concept]] = {name: _concept(name) for name in ACTS}


def filled(rng: Random, sentence: str) -> str:
    """A sentence with its slots filled, beginning with a capital letter where it did."""
    text = SLOT.sub(lambda found: rng.choice(SLOTS[found[1]]), sentence)
    return text if sentence[0].islower() else capital(text)


def message(rng: Random, core: list[str]) -> str:
    """Sentences in a message, with an opening, some context and a closing."""
    parts = [filled(rng, sentence) for sentence in core]
    for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
        parts.insert(rng.randint(0, len(parts)), filled(rng, rng.choice(CONTEXT)))
    text = " ".join(parts)
    if len(parts) > 1 or rng.random() < 0.3:
        opener, closer = filled_or_none(rng, OPENERS), filled_or_none(rng, CLOSERS)
        gap = rng.choice((" ", "\n\n", "\n"))
        text = gap.join(part for part in (opener, text, closer) if part)
    return roughened(rng, text)


def filled_or_none(rng: Random, frames: tuple[str, ...]) -> str:
    """One of the frames, filled, or nothing."""
    frame = rng.choice(frames)
    return filled(rng, frame) if frame else ""


def roughened(rng: Random, text: str) -> str:
    """A text as people type it: now and then in small letters, without full stops, or with a letter lost."""
    chance = rng.random()
    if chance < 0.1:
        return text.lower()
    if chance < 0.16:
        return text.lower().replace(".", "").replace(",", "")
    if chance < 0.22 and len(text) > 20:
        at = rng.randint(5, len(text) - 5)
        return text[:at] + text[at + 1 :] if text[at].isalpha() else text
    return text


def draw(rng: Random) -> Example:
    """A message, and whether it does one act."""
    name = rng.choice(tuple(ACTS))
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    if not holds and rng.random() < 0.1:
        return compose(rng, CONCEPTS[name], rng.choice(FAR()), denied=denied, holds=False, sure=SURE)
    item = Item(message(rng, _core(rng, name, holds=holds)), "acts")
    return compose(rng, CONCEPTS[name], item, denied=denied, holds=holds, sure=SURE, plain="\n" in item.text)


def _core(rng: Random, name: str, *, holds: bool) -> list[str]:
    act, rest = ACTS[name], others(name)
    if holds:
        core = [rng.choice(act.says)]
        company = (
            []
            if name in ALONE or rng.random() < 0.5
            else [other for other in rng.sample(rest, 1) if other not in ALONE]
        )
    elif rng.random() < 0.5:
        core = [rng.choice(act.misses)]
        company = [] if rng.random() < 0.6 else [other for other in rng.sample(rest, 1) if other not in ALONE]
    else:
        core = []
        first, second = rng.sample(rest, 2)
        company = [first] if first in ALONE or second in ALONE or rng.random() < 0.5 else [first, second]
    core += [rng.choice(ACTS[other].says) for other in company]
    rng.shuffle(core)
    return core


FAMILIES: Final = tuple(f"noul/{concept.name}" for concept in CONCEPTS.values())
WRITERS: Final[tuple[Writer, ...]] = (Writer("noul/acts", "noul", PLAIN, ("en",), draw, 14.0, FAMILIES),)
