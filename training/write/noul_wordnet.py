"""Yes/no questions about what a definition describes: thousands of concepts, one for each general term of WordNet."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.write.choice_wordnet import CATEGORIES, NOUNS, Sense, missing, senses, used
from training.write.noul_ask import Concept
from training.write.noul_bind import DENIED, TRUE, compose
from training.write.noul_states import Item

if TYPE_CHECKING:
    from random import Random

DEPTH: Final = 4
"""How far above a sense the term may be that is asked about."""
NEAR: Final = 0.4
"""Share of the wrong texts that are of the same category."""
CATEGORY: Final = 0.1
"""Share of the questions that are about a category instead of a term."""
TEXTS: Final = ("the text", "this", "the definition", "it", "the entry", "the sentence", "the description")


@lru_cache(maxsize=1)
def _known() -> dict[int, Sense]:
    """Nouns that readers meet, by offset."""
    met = used("noun")
    return {offset: sense for offset, sense in senses("noun").items() if offset in met and sense.file in NOUNS}


@lru_cache(maxsize=1)
def _offsets() -> tuple[int, ...]:
    return tuple(offset for offset in sorted(_known()) if _terms(offset))


@cache
def _terms(offset: int) -> tuple[int, ...]:
    """Offsets of the terms above a sense, nearest first, as far as they have a plain name."""
    found: list[int] = []
    at = offset
    for _ in range(DEPTH):
        above = senses("noun")[at].above
        if not above or above[0] not in _known():
            break
        at = above[0]
        found.append(at)
    return tuple(found)


@lru_cache(maxsize=1)
def _by_file() -> dict[int, tuple[int, ...]]:
    groups: dict[int, list[int]] = {}
    for offset in _offsets():
        groups.setdefault(_known()[offset].file, []).append(offset)
    return {file: tuple(members) for file, members in groups.items()}


def article(noun: str) -> str:
    """A noun with "a" or "an", as its first letter suggests; a name stays bare."""
    if noun[:1].isupper():
        return noun
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def concept(name: str, meaning: str | None = None) -> Concept:
    """What is asked of a definition: whether it is one of a kind."""
    one = article(name)
    told = (meaning,) if meaning else ()
    return Concept(
        "wordnet/kind",
        be=(f"about {one}", f"a description of {one}", f"about some kind of {name}"),
        clauses=(
            f"{{T}} ~describe {one}",
            f"{{T}} ~describe a kind of {name}",
            f"{{T}} ~tell what {one} is",
            f"what is described = {one}",
            f"the thing described = a kind of {name}",
        ),
        yes=(one, f"a kind of {name}", *told),
        no=(f"something other than {one}", f"no {name}"),
        text=TEXTS,
        author=("the author",),
    )


def draw(rng: Random) -> Example:
    """Whether a definition is that of a kind of thing."""
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    asked, described = (_category if rng.random() < CATEGORY else _kind)(rng, holds)
    sense = _known()[described]
    text = sense.gloss if rng.random() < 0.6 else f"{rng.choice(sense.words)}: {sense.gloss}"
    return compose(rng, asked, Item(text, "wordnet"), denied=denied, holds=holds, sure=(0.04, 0.97))


def _kind(rng: Random, holds: bool) -> tuple[Concept, int]:
    """A general term, and a sense that falls under it or does not."""
    known, offset = _known(), rng.choice(_offsets())
    term = rng.choice(_terms(offset))
    near = _by_file()[known[offset].file]
    while not holds and (offset == term or term in _above(offset)):
        offset = rng.choice(near if rng.random() < NEAR else _offsets())
    return concept(rng.choice(known[term].words[:2]), known[term].gloss), offset


def _category(rng: Random, holds: bool) -> tuple[Concept, int]:
    """A category, and a sense that belongs to it or to another one."""
    groups = {file: members for file, members in _by_file().items() if file in CATEGORIES}
    file = rng.choice(tuple(groups))
    found = file if holds else rng.choice([other for other in groups if other != file])
    return concept(*CATEGORIES[file]), rng.choice(groups[found])


@cache
def _above(offset: int) -> frozenset[int]:
    """All terms above a sense."""
    found: set[int] = set()
    at = offset
    while at in senses("noun") and senses("noun")[at].above and at not in found:
        found.add(at)
        at = senses("noun")[at].above[0]
    return frozenset(found | {at})


def _writers() -> tuple[Writer, ...]:
    if missing():
        return ()
    return (Writer("noul/wordnet", "noul", ("wordnet",), ("en",), draw, 5.0, ("noul/wordnet/kind",)),)


WRITERS: Final[tuple[Writer, ...]] = _writers()
