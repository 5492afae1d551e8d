"""Score questions: a rubric for a scale, and what a value between 0 and 1 says about its levels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from training.phrases.rubrics import DEGREES, SCALES, TWO_SIDED, Scale

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

VAGUE_SCORES: Final = (
    "Rate {text}.",
    "score",
    "How much?",
    "Which level?",
    "Grade {text}.",
    "Give a rating.",
    "Level?",
    "Rate it.",
)
COUNTS: Final = (2, 3, 3, 3, 4, 4, 5, 5, 5, 5, 6, 7, 7, 9, 10)
FRAMED: Final = 0.2
"""Share of rubrics whose levels all stand in one of `FRAMES`."""
ENDED: Final = 0.15
"""Share of the other rubrics whose lowest and highest level say a little more."""
FRAMES: Final = (
    "level {i}: {x}",
    "{i}: {x}",
    "{i}) {x}",
    "{x} ({i} of {n})",
    "{i}/{n} {x}",
    "{x}, on the whole",
    "it is {x}",
    "rated {x}",
    "judged as {x}",
    "grade: {x}",
    "{x} as far as one can tell",
    "seems {x}",
    "“{x}”",
    "{x}.",
)
ENDS: Final = (
    ("{x} in every respect", "{x} in every respect"),
    ("{x} without exception", "{x} without exception"),
    ("{x}: the lowest level", "{x}: the highest level"),
    ("{x} (least)", "{x} (most)"),
    ("{x}, as low as it gets", "{x}, as high as it gets"),
    ("{x} for anybody", "{x} for anybody"),
)
"""What the lowest and the highest level of a rubric may add."""
MIDDLES: Final = (
    "neither {low} nor {high}",
    "neither {low} nor {high}",
    "between {low} and {high}",
    "as much {low} as {high}",
    "not clearly {low} or {high}",
)
SHARE_OF_MIDDLES: Final = 0.3


@dataclass(frozen=True, slots=True)
class Graded:
    """A question of type score with the probability of each level."""

    question: dict[str, Any]
    target: tuple[float, ...]


def levels(rng: Random, scale: Scale, wanted: int = 0) -> tuple[str, ...]:
    """Level texts, low to high.

    Args:
        rng: decides the vocabulary.
        scale: what is measured.
        wanted: number of levels, 0 for any.
    """
    return dressed(rng, _plain_levels(rng, scale, wanted))


def dressed(rng: Random, plain: tuple[str, ...]) -> tuple[str, ...]:
    """The levels with more words around all of them or around the outer two, or as they are."""
    roll, count = rng.random(), len(plain)
    if roll < FRAMED:
        frame = rng.choice(FRAMES)
        return tuple(
            frame.replace("{i}", str(i + 1)).replace("{n}", str(count)).replace("{x}", x) for i, x in enumerate(plain)
        )
    if roll < FRAMED + (1 - FRAMED) * ENDED:
        low, high = rng.choice(ENDS)
        return (low.replace("{x}", plain[0]), *plain[1:-1], high.replace("{x}", plain[-1]))
    return plain


def _plain_levels(rng: Random, scale: Scale, wanted: int) -> tuple[str, ...]:
    if not scale.low or rng.random() < 0.5:
        fitting = [rubric for rubric in scale.rubrics if not wanted or len(rubric) == wanted]
        if fitting:
            return rng.choice(fitting)
    count = wanted or rng.choice(COUNTS)
    if (count > 7 and count != 9) or rng.random() < 0.06:
        return _numbered(rng, scale, count)
    if scale.one_sided and rng.random() < 0.75 and count in DEGREES:
        word = rng.choice(scale.high)
        return tuple(level.format(word) for level in rng.choice(DEGREES[count]))
    return _two_sided(rng, scale, count)


def _two_sided(rng: Random, scale: Scale, count: int) -> tuple[str, ...]:
    forms = TWO_SIDED.get(count)
    if not forms:
        return _numbered(rng, scale, count)
    place = rng.randrange(min(len(scale.low), len(scale.high)))
    low, high = scale.low[place], scale.high[place]
    middles = MIDDLES if rng.random() < SHARE_OF_MIDDLES else scale.middle
    words = {"low": low, "high": high, "mid": rng.choice(middles).format(low=low, high=high)}
    return tuple(level.format(**words) for level in rng.choice(forms))


def _numbered(rng: Random, scale: Scale, count: int) -> tuple[str, ...]:
    low, high = rng.choice(scale.low), rng.choice(scale.high)
    first = rng.choice((0, 1, 1))
    unit = rng.choice(("", "", " points", f" out of {first + count - 1}"))
    if rng.random() < 0.5:
        made = [f"{first + i}{unit}" for i in range(count)]
        made[0], made[-1] = f"{made[0]}: {low}", f"{made[-1]}: {high}"
        return tuple(made)
    steps = (
        "very {low}",
        "{low}",
        "rather {low}",
        "between {low} and {high}",
        "rather {high}",
        "{high}",
        "very {high}",
    )
    texts = [steps[round(i * (len(steps) - 1) / max(1, count - 1))].format(low=low, high=high) for i in range(count)]
    return tuple(f"{first + i}{unit}: {text}" for i, text in enumerate(texts))


def spread(value: float, count: int, sharpness: float = 0.5) -> tuple[float, ...]:
    """Probability of each of `count` levels for a value in 0..1, the two levels beside it taking the most.

    Args:
        value: place on the scale, 0 the lowest level and 1 the highest.
        count: number of levels.
        sharpness: standard deviation in levels; near 0 puts all on the two levels beside the value.
    """
    place = min(1.0, max(0.0, value)) * (count - 1)
    lower = min(int(place), count - 1)
    weights = [max(0.0, 1 - abs(place - i)) for i in range(count)]
    if sharpness > 0:
        normal = [math.exp(-(((place - i) / sharpness) ** 2) / 2) for i in range(count)]
        total = sum(normal)
        weights = [0.5 * weight + 0.5 * share / total for weight, share in zip(weights, normal, strict=True)]
    else:
        weights[lower] = max(weights[lower], 1e-9)
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def grade(
    rng: Random,
    name: str,
    noun: str,
    value: float,
    *,
    sharpness: float = 0.5,
    slots: Mapping[str, str] | None = None,
    wanted: int = 0,
) -> Graded:
    """A score question on a scale, the levels now and then written high to low.

    Args:
        rng: decides wording, number of levels and direction.
        name: key of `SCALES`.
        noun: what instructions call the state.
        value: place on the scale, 0..1.
        sharpness: see `spread`.
        slots: further words for instructions and levels.
        wanted: number of levels, 0 for any.
    """
    scale = SCALES[name]
    words = dict(slots or {})
    asks = scale.asks if words or rng.random() < 0.95 else VAGUE_SCORES
    text = rng.choice(asks).format(text=noun, **words)
    chosen = levels(rng, scale, wanted)
    if words:
        chosen = tuple(level.format(**words) for level in chosen)
    target = spread(value, len(chosen), sharpness)
    if rng.random() < 0.1:
        chosen, target = chosen[::-1], target[::-1]
    if rng.random() < 0.15:
        chosen = tuple(level[:1].upper() + level[1:] for level in chosen)
    question = {"type": "score", "instructions": text[:1].upper() + text[1:], "criteria": list(chosen)}
    return Graded(question, target)
