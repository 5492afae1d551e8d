"""Which examples are drawn: shares of writers and kinds, and what is held out."""

from __future__ import annotations

import logging
from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from laya.request import TYPE_INDEX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from training.examples import Asked, Example, Writer

_LOG: Final = logging.getLogger(__name__)
LEFT_OUT: Final = frozenset({("nusax", "en")})
"""Task and language of rows that only the evaluation reads (`laya.evals.kept`)."""
KINDS: Final = {"choice": 0.26, "noul": 0.46, "score": 0.28}
"""Share of each question type in the draws: a choice is mostly the prior's, so the reader needs few of them."""
CHOICE: Final = TYPE_INDEX["choice"]
NOUL: Final = TYPE_INDEX["noul"]
"""`Asked.kind` of a choice and of a yes/no question."""


@dataclass(frozen=True, slots=True)
class Mix:
    """What to draw.

    Attributes:
        writers: all sources.
        held_out: patterns of families that are never trained on.
        languages: languages of the states to keep, empty for all.
        without: patterns of sources (`sharealike/*`) whose writers are left out.
        abroad: factor on the shares of writers that speak more than English.
        slow: share of the drawn examples of slow families that is kept.
    """

    writers: tuple[Writer, ...]
    held_out: tuple[str, ...]
    languages: frozenset[str] = frozenset()
    without: tuple[str, ...] = ()
    abroad: float = 1.0
    slow: float = 1.0

    def used(self) -> tuple[Writer, ...]:
        """The writers that can give something."""
        return tuple(
            writer
            for writer in self.writers
            if (not self.languages or self.languages & set(writer.languages))
            and not any(fnmatchcase(source, pattern) for source in writer.sources for pattern in self.without)
        )

    def is_held_out(self, family: str) -> bool:
        """Whether a family is kept for stopping and calibration."""
        return any(fnmatchcase(family, pattern) for pattern in self.held_out)

    def is_left_out(self, task: str) -> bool:
        """Whether a task (`mnli`) comes from a source that is left out (`sharealike/mnli_dev`)."""
        named = ((source, source.rpartition("/")[2]) for writer in self.writers for source in writer.sources)
        mine = {source for source, name in named if name == task or name.startswith(f"{task}_")}
        return any(fnmatchcase(source, pattern) for source in mine for pattern in self.without)

    def draw(self, rng: Random, count: int) -> Iterator[Example]:
        """Draw examples to train on."""
        by_kind = {kind: [w for w in self.used() if w.kind == kind] for kind in KINDS}
        shares = {kind: [self._share(w) for w in writers] for kind, writers in by_kind.items()}
        drawn = 0
        while drawn < count:
            (kind,) = rng.choices(list(KINDS), list(KINDS.values()))
            (writer,) = rng.choices(by_kind[kind], shares[kind])
            example = writer.draw(rng)
            if self._wanted(example) and not self.is_held_out(example.family) and self._kept(rng, example.family):
                drawn += 1
                yield example

    def draw_held_out(self, rng: Random, count: int) -> list[Example]:
        """Draw `count` held-out examples of each kind, the families of a kind in equal parts."""
        drawn: list[Example] = []
        for kind in KINDS:
            families = {w: [f for f in w.families if self.is_held_out(f)] for w in self.used() if w.kind == kind}
            sources = [w for w, held in families.items() if held]
            if not sources:
                _LOG.warning("no %s family is held out", kind)
                continue
            drawn += self._even(rng, sources, count)
        return drawn

    def _even(self, rng: Random, sources: Sequence[Writer], count: int) -> list[Example]:
        wanted = sum(1 for w in sources for f in w.families if self.is_held_out(f))
        most, taken = max(8, -(-count // max(1, wanted))), Counter[str]()
        drawn: list[Example] = []
        for _ in range(count * 60):
            example = rng.choice(sources).draw(rng)
            if self.is_held_out(example.family) and self._wanted(example) and taken[example.family] < most:
                taken[example.family] += 1
                drawn.append(example)
            if len(drawn) == count:
                break
        return drawn

    def _share(self, writer: Writer) -> float:
        return writer.share * (self.abroad if set(writer.languages) - {"en"} else 1.0)

    def _kept(self, rng: Random, family: str) -> bool:
        return self.slow >= 1 or not is_slow(family) or rng.random() < self.slow

    def _wanted(self, example: Example) -> bool:
        spoken = not self.languages or example.lang in self.languages
        return spoken and (example.task, example.lang) not in LEFT_OUT


SLOW: Final = (
    *("noul/nli/*", "noul/qa/*", "noul/answers", "noul/same*", "noul/enough_information", "noul/grammatical"),
    *("choice/nli/*", "choice/follows*", "choice/entailed*", "choice/answers*", "choice/answerable*"),
    *("choice/convincing*", "choice/grammar*", "score/support/*"),
)
"""Families in which two texts must be compared word by word: a small reader hardly learns them, and learns the others
less well for trying."""


def is_slow(family: str) -> bool:
    """Whether a family is one of `SLOW`."""
    return any(fnmatchcase(family, pattern) for pattern in SLOW)


def stages(examples: Sequence[Asked], first: float) -> list[tuple[float, list[Asked]]]:
    """The order of learning: concepts of yes/no questions alone, then everything.

    Args:
        examples: everything that was drawn.
        first: share of the time for the yes/no concepts.
    """
    early = [e for e in examples if e.kind == NOUL and not is_slow(e.family)]
    everything = (1.0, list(examples))
    return [(first, early), everything] if first else [everything]
