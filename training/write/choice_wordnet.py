"""Words, meanings and kinds of things, from WordNet 3.0 as Debian's `wordnet-base` installs it.

The folder is `/usr/share/wordnet`, or the one that LAYA_WORDNET names; where there is none, there are no writers.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.write.choice_pools import one_hot
from training.write.choice_shapes import Option, Shape, ask, instructions, option_count
from training.write.choice_states import fits, wrap

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

FOLDER: Final = Path(os.environ.get("LAYA_WORDNET", "/usr/share/wordnet"))
CATEGORIES: Final[dict[int, tuple[str, str]]] = {
    4: ("act", "something that people do"),
    5: ("animal", "an animal"),
    6: ("artifact", "something made by people"),
    7: ("attribute", "a property of somebody or something"),
    8: ("body", "a part of the body"),
    9: ("knowledge", "something known, thought or taught"),
    10: ("communication", "something said, written or signalled"),
    11: ("event", "something that happens"),
    12: ("feeling", "an emotion"),
    13: ("food", "something to eat or drink"),
    14: ("group", "a group of people or things"),
    15: ("location", "a place"),
    17: ("natural object", "a thing in nature"),
    18: ("person", "a human being"),
    19: ("natural phenomenon", "something that occurs in nature"),
    20: ("plant", "a plant"),
    21: ("possession", "money and what one owns"),
    22: ("process", "a course of changes"),
    23: ("quantity", "an amount or a unit"),
    25: ("shape", "a form"),
    26: ("state", "a condition"),
    27: ("substance", "a material"),
    28: ("time", "a time or a period"),
    29: ("bodily care", "grooming and functions of the body"),
    30: ("change", "turning into something else"),
    31: ("thinking", "reasoning, planning or believing"),
    32: ("speaking", "telling, asking or ordering"),
    33: ("competing", "fighting or playing against others"),
    34: ("eating", "eating and drinking"),
    35: ("touching", "hitting, tying or digging"),
    36: ("making", "creating or performing something"),
    37: ("feeling", "having an emotion"),
    38: ("moving", "going or travelling"),
    39: ("perceiving", "seeing, hearing or smelling"),
    40: ("owning", "buying, selling and giving"),
    41: ("social act", "what people do in politics and society"),
    43: ("weather", "raining or snowing"),
}
"""Lexicographer file -> name and meaning; files that name no clear kind are left out."""
NOUNS: Final = frozenset(range(4, 29))
LABEL: Final = re.compile(r"^\([^()]{2,40}\) (?=\w)")
"""Field or usage note in front of a gloss."""


def missing(folder: Path = FOLDER) -> str | None:
    """What to do where WordNet is not in the folder; None where it is."""
    if (folder / "data.noun").is_file():
        return None
    return (
        f"no WordNet in {folder}: install Debian's wordnet-base, set LAYA_WORDNET to the folder that holds data.noun, "
        "or pass --without wordnet"
    )


@dataclass(frozen=True, slots=True)
class Sense:
    """One synset."""

    words: tuple[str, ...]
    gloss: str
    examples: tuple[str, ...]
    file: int
    above: tuple[int, ...]
    """Offsets of its hypernyms, of the same part of speech."""


@lru_cache(maxsize=2)
def senses(part: str) -> dict[int, Sense]:
    """Synsets of a part of speech ("noun", "verb") by offset; those with a short gloss and a plain word."""
    found: dict[int, Sense] = {}
    with (FOLDER / f"data.{part}").open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("  "):
                continue
            data, _, gloss = line.partition(" | ")
            fields = data.split(" ")
            count = int(fields[3], 16)
            words = tuple(fields[4 + 2 * i].replace("_", " ") for i in range(count))
            pointers = fields[5 + 2 * count :]
            above = tuple(
                int(pointers[i + 1])
                for i in range(len(pointers) - 2)
                if pointers[i] == "@" and pointers[i + 1].isdigit()
            )
            meaning, *examples = (piece.strip() for piece in gloss.strip().split("; "))
            quoted = tuple(
                example.strip('"') for example in examples if example.startswith('"') and example.endswith('"')
            )
            if 12 <= len(meaning) <= 160 and fits(meaning):
                found[int(fields[0])] = Sense(words, LABEL.sub("", meaning).strip(), quoted, int(fields[1]), above)
    return found


@lru_cache(maxsize=2)
def used(part: str) -> frozenset[int]:
    """Offsets of the senses that readers met in running text, which leaves out rare words and most names."""
    offsets: set[int] = set()
    with (FOLDER / f"index.{part}").open(encoding="utf-8") as lines:
        for line in lines:
            if not line.startswith("  "):
                fields = line.split()
                rest = fields[4 + int(fields[3]) :]
                offsets.update(int(offset) for offset in rest[2 : 2 + int(rest[1])])
    return frozenset(offsets)


@lru_cache(maxsize=2)
def _listed(part: str) -> tuple[Sense, ...]:
    met = used(part)
    return tuple(sense for offset, sense in sorted(senses(part).items()) if offset in met)


@lru_cache(maxsize=1)
def _by_file() -> dict[int, tuple[Sense, ...]]:
    groups: dict[int, list[Sense]] = defaultdict(list)
    for part in ("noun", "verb"):
        for sense in _listed(part):
            if sense.file in CATEGORIES:
                groups[sense.file].append(sense)
    return {file: tuple(members) for file, members in sorted(groups.items())}


@lru_cache(maxsize=1)
def _meanings() -> dict[str, tuple[tuple[Sense, str], ...]]:
    """Word -> its senses that have an example with the word in it, for words with several."""
    found: dict[str, list[tuple[Sense, str]]] = defaultdict(list)
    for part in ("noun", "verb"):
        for sense in _listed(part):
            word = sense.words[0]
            found[word] += [
                (sense, example) for example in sense.examples[:1] if word.lower() in example.lower() and fits(example)
            ]
    return {
        word: tuple(pairs)
        for word, pairs in sorted(found.items())
        if len({s.file for s, _ in pairs}) > 1 and len(pairs) > 1
    }


def _names_itself(sense: Sense) -> bool:
    return any(word.lower() in sense.gloss.lower() for word in sense.words)


def draw_word(rng: Random) -> Example:
    """The word that a definition defines, among words of the same kind or of any."""
    groups = _by_file()
    file = rng.choice(sorted(groups))
    sense = rng.choice(groups[file])
    while _names_itself(sense):
        sense = rng.choice(groups[file])
    pool: Sequence[Sense] = groups[file] if rng.random() < 0.5 else _listed("noun" if file in NOUNS else "verb")
    others = [other.words[0] for other in rng.sample(pool, min(len(pool), option_count(rng, 80)))]
    names = list(dict.fromkeys([rng.choice(sense.words), *(word for word in others if word not in sense.words)]))
    if len(names) < 2:
        return draw_word(rng)
    state, noun = wrap(rng, sense.gloss, "sentence", plain=0.95)
    asked = ask(
        rng,
        instructions(rng, "define", noun),
        [Option(name) for name in names],
        one_hot(0, len(names)),
        Shape(none=0.05),
    )
    return Example(state, asked.question, asked.target, "wordnet", "choice/wordnet/words")


def draw_definition(rng: Random) -> Example:
    """The definition of a word."""
    part = rng.choice(("noun", "noun", "verb"))
    drawn = {sense.words[0]: sense for sense in rng.sample(_listed(part), option_count(rng, 12) + 1)}
    # Some senses share their definition word for word.
    chosen = list({sense.gloss: sense for sense in drawn.values()}.values())
    gold = chosen[0]
    options = [Option(sense.gloss, sense.gloss) for sense in chosen]
    word = gold.words[0]
    state = word if rng.random() < 0.7 else rng.choice(("{}", "the word {}", "{} (" + part + ")")).format(word)
    asked = ask(
        rng,
        instructions(rng, "meaning_alone", "the word"),
        options,
        one_hot(0, len(options)),
        Shape(none=0.04, restyle=False, bare=0.6, opaque=0.3),
    )
    return Example(state, asked.question, asked.target, "wordnet", "choice/wordnet/definitions")


def draw_meaning(rng: Random) -> Example:
    """The sense of a word in a sentence."""
    words = _meanings()
    word = rng.choice(_meaning_words())
    pairs = words[word]
    sense, example = rng.choice(pairs)
    others = list(dict.fromkeys(other.gloss for other, _ in pairs if other.gloss != sense.gloss))
    glosses = [sense.gloss, *rng.sample(others, min(len(others), rng.randint(1, 5)))]
    text = instructions(rng, "meaning", "the sentence")
    text = f"{text} Word: {word}" if "{word}" not in text else text.replace("{word}", word)
    options = [Option(gloss, gloss) for gloss in glosses]
    asked = ask(rng, text, options, one_hot(0, len(options)), Shape(none=0.0, restyle=False, bare=0.6, opaque=0.4))
    return Example(example, asked.question, asked.target, "wordnet", "choice/wordnet/senses")


@lru_cache(maxsize=1)
def _meaning_words() -> tuple[str, ...]:
    return tuple(_meanings())


def draw_kind(rng: Random) -> Example:
    """The kind of thing that a definition describes, or several definitions of one kind."""
    groups = _by_file()
    file = rng.choice(sorted(groups))
    nouns = file in NOUNS
    sense = rng.choice(groups[file])
    text = sense.gloss if rng.random() < 0.6 else f"{sense.words[0]}: {sense.gloss}"
    if rng.random() < 0.2:
        text = "; ".join(other.gloss for other in rng.sample(groups[file], rng.randint(3, 5)))
    names = {CATEGORIES[file][0]}
    chosen = [file]
    rest = [f for f in sorted(groups) if (f in NOUNS) == nouns and f != file]
    for other in rng.sample(rest, min(len(rest), option_count(rng, 14))):
        if CATEGORIES[other][0] not in names:
            names.add(CATEGORIES[other][0])
            chosen.append(other)
    state, noun = wrap(rng, text, "sentence", plain=0.95)
    options = [Option(*CATEGORIES[f]) for f in chosen]
    asked = ask(rng, instructions(rng, "class", noun), options, one_hot(0, len(options)), Shape(none=0.06))
    return Example(state, asked.question, asked.target, "wordnet", "choice/wordnet/kinds")


def draw_above(rng: Random) -> Example:
    """The general term above a word or a definition."""
    known = senses("noun")
    sense = rng.choice(_listed("noun"))
    while not sense.above or sense.above[0] not in known:
        sense = rng.choice(_listed("noun"))
    parent = known[sense.above[0]]
    taken = {*parent.words, *sense.words}
    names = [parent.words[0]]
    for other in rng.sample(_listed("noun"), option_count(rng, 12)):
        term = known[other.above[0]].words[0] if other.above and other.above[0] in known else ""
        if term and term not in taken:
            taken.add(term)
            names.append(term)
    if len(names) < 2:
        return draw_above(rng)
    text = rng.choice((sense.words[0], sense.gloss, f"{sense.words[0]}: {sense.gloss}"))
    asked = ask(
        rng,
        instructions(rng, "class", "the text"),
        [Option(name) for name in names],
        one_hot(0, len(names)),
        Shape(none=0.05),
    )
    return Example(text, asked.question, asked.target, "wordnet", "choice/wordnet/hypernyms")


def _writers() -> tuple[Writer, ...]:
    if missing():
        return ()
    drawers = (
        ("wn_words", draw_word, 2.0, "words"),
        ("wn_definitions", draw_definition, 1.5, "definitions"),
        ("wn_senses", draw_meaning, 1.5, "senses"),
        ("wn_kinds", draw_kind, 3.0, "kinds"),
        ("wn_hypernyms", draw_above, 2.0, "hypernyms"),
    )
    return tuple(
        Writer(name, "choice", ("wordnet",), ("en",), draw, share, (f"choice/wordnet/{family}",))
        for name, draw, share, family in drawers
    )


WRITERS: Final[tuple[Writer, ...]] = _writers()
