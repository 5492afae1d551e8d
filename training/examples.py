"""The nouns of the recipe: one asked question with its answer, and the writers that draw them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Question = Mapping[str, Any]
"""A question as a caller of laya writes it: `type`, `instructions`, and `options`, `criteria` or `levels`."""


@dataclass(frozen=True, slots=True)
class Example:
    """One question over one state, with the answer that a careful reader would give."""

    state: Any
    """What a caller would pass: a text, or JSON, or a list of turns."""
    question: Question
    target: tuple[float, ...]
    """Probability of each option in the order of the question: options, levels low to high, or (false, true)."""
    task: str
    """Data set or program that the state comes from, as in NOTICE."""
    family: str
    """What is asked, the unit that is held out: a label set ("clinc150/travel") or a concept ("noul/urgent")."""
    lang: str = "en"


@dataclass(frozen=True, slots=True)
class Asked:
    """One example as numbers of texts."""

    kind: int
    state: int
    instructions: int
    options: tuple[int, ...]
    """Numbers of the option texts in the order of the target; -1 where a side of a noul has no criterion."""
    target: tuple[float, ...]
    task: str
    family: str
    lang: str
    turned: bool | None = None
    """Whether words such as "not" turn a yes/no question round; None where that is not known."""


@dataclass(frozen=True, slots=True)
class Writer:
    """A source of examples.

    Attributes:
        name: unique name, used by shares and by the ablation.
        kind: the type of its questions: "choice", "score" or "noul".
        sources: files under the data folder that it reads, without `.jsonl.gz` ("permissive/bbq"); empty for programs.
        languages: languages of its states.
        draw: draws one example; equal random states give equal examples.
        share: weight of the writer in the mix, relative to the others of its kind.
        families: every `Example.family` that it may draw.
    """

    name: str
    kind: str
    sources: tuple[str, ...]
    languages: tuple[str, ...]
    draw: Callable[[Random], Example]
    share: float
    families: tuple[str, ...]
