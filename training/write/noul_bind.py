"""Concepts bound to texts that they hold of and texts that they do not, and the drawing of questions from both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.write.noul_ask import Concept, question
from training.write.noul_states import Item, wrap

if TYPE_CHECKING:
    from random import Random

Pool = Callable[[], Sequence[Item]]
TRUE: Final = 0.48
"""Share of drawn questions that are true: a little under one half, as it is for callers."""
DENIED: Final = 0.32
"""Share of questions that ask for the opposite or for the absence of the concept."""


@dataclass(frozen=True, slots=True)
class Binding:
    """A concept with its texts.

    Attributes:
        concept: what is asked.
        yes: texts that it holds of.
        no: texts that it does not hold of.
        sure: how far the two pools are right: probability of the concept in `no` and in `yes`.
        weight: share among the bindings of one writer.
        plain: never wrap the texts, because what is asked is the form of the text itself.
    """

    concept: Concept
    yes: Pool
    no: Pool
    sure: tuple[float, float] = (0.02, 0.98)
    weight: float = 1.0
    plain: bool = False

    @property
    def family(self) -> str:
        """Name of the concept as an `Example.family`."""
        return f"noul/{self.concept.name}"


def target(probability: float) -> tuple[float, float]:
    """Target (false, true)."""
    return round(1.0 - probability, 4), round(probability, 4)


def draw(rng: Random, bound: Binding) -> Example:
    """A question about a text of either pool; whether it is denied says nothing about its answer."""
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    item = rng.choice((bound.yes if holds else bound.no)())
    return compose(rng, bound.concept, item, denied=denied, holds=holds, sure=bound.sure, plain=bound.plain)


def compose(
    rng: Random,
    concept: Concept,
    item: Item,
    *,
    denied: bool,
    holds: bool,
    sure: tuple[float, float] = (0.02, 0.98),
    plain: bool = False,
) -> Example:
    """The example of a concept and a text.

    Args:
        rng: source of choices.
        concept: what is asked.
        item: the text.
        denied: whether the question asks for the opposite.
        holds: whether the concept holds of the text.
        sure: probability that the concept holds of a text that it should not hold of, and of one that it should.
        plain: whether the text must be passed as it is.
    """
    state, noun = (item.text, None) if plain else wrap(rng, item.text, item.lang)
    likely = sure[holds]
    return Example(
        state=state,
        question=question(rng, concept, denied, noun, item.lang),
        target=target(1.0 - likely if denied else likely),
        task=item.task,
        family=f"noul/{concept.name}",
        lang=item.lang,
    )


def writer(
    name: str,
    bindings: Sequence[Binding],
    share: float,
    sources: Sequence[str] = (),
    languages: Sequence[str] = ("en",),
) -> Writer:
    """A writer that draws from bindings by weight."""
    cumulative = list(accumulate(bound.weight for bound in bindings))
    options = list(bindings)

    def drawn(rng: Random) -> Example:
        return draw(rng, rng.choices(options, cum_weights=cumulative)[0])

    families = tuple(dict.fromkeys(bound.family for bound in bindings))
    return Writer(name, "noul", tuple(sources), tuple(languages), drawn, share, families)
