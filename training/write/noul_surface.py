"""Writers of questions about the form of a text and what it mentions, with the answer worked out by a program."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases import noul_words as words
from training.phrases.noul_surface import (
    HAS,
    LANGUAGES,
    NATIVE,
    NEAR_MISSES,
    PEOPLE,
    PLANTS,
    SITES,
    STREETS,
    language,
    mention,
)
from training.write.choice_states import fits
from training.write.noul_ask import Concept
from training.write.noul_bind import DENIED, TRUE, Binding, compose, writer
from training.write.noul_rules import TESTS, tokens
from training.write.noul_states import Item, items, kept

if TYPE_CHECKING:
    from random import Random

SOURCES: Final = (
    "permissive/conjnli", "permissive/product_reviews", "clinc150", "hwu64", "permissive/email_intent",
    "permissive/ukp_convincing", "permissive/medquad", "goemotions", "permissive/clickbait", "permissive/disfl_qa",
    "permissive/bbq", "permissive/toxic_spans",
)  # fmt: skip
"""Sets of English texts that rules are run over."""
SCENES: Final = ("sharealike/snli_devtest", "sharealike/mnli_dev", "sharealike/emobank", "sharealike/qnli_dev")
"""Sets that show things and people; only what texts mention is asked of them."""
EACH: Final = 2000
"""Texts that are taken of a set, about."""


@cache
def texts(sources: tuple[str, ...] = SOURCES) -> tuple[Item, ...]:
    """English texts of many sets, about equally many of each."""
    found: list[Item] = []
    for name in sources:
        rows = kept(name)
        found += items(name, rows[:: max(1, len(rows) // EACH)])
    return tuple(found)


@cache
def split(name: str) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Texts without and with what a rule looks for; unclear ones are left out."""
    sides: tuple[list[Item], list[Item]] = ([], [])
    for item in texts():
        found = TESTS[name](item.text)
        if found is not None:
            sides[found].append(item)
    return tuple(sides[0]), tuple(sides[1])


@cache
def _worded(sources: tuple[str, ...]) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(tokens(item.text)) for item in texts(sources))


@cache
def naming(kind: str, sources: tuple[str, ...]) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Texts without and with a word of a kind."""
    sides: tuple[list[Item], list[Item]] = ([], [])
    for item, own in zip(texts(sources), _worded(sources), strict=True):
        sides[not words.KINDS[kind].words.isdisjoint(own)].append(item)
    return tuple(sides[0]), tuple(sides[1])


def _bind(name: str) -> Binding:
    return Binding(HAS[name], lambda: split(name)[1], lambda: split(name)[0], (0.03, 0.97), plain=True)


def _mention(name: str, sources: tuple[str, ...]) -> Binding:
    kind = words.KINDS[name]
    concept = mention(name, kind.one, kind.many, kind.about)
    return Binding(
        concept, lambda: naming(name, sources)[1], lambda: naming(name, sources)[0], (0.06, 0.94), plain=True
    )


def slots(rng: Random) -> dict[str, str]:
    """Made-up values for the sentences that are put into texts."""
    number = rng.randint(2, 999)
    four = [f"{rng.randint(1000, 9999)}" for _ in range(4)]
    first, site = rng.choice(PEOPLE), rng.choice(SITES)
    user = first.lower().split()[-1].strip(".")
    key = "".join(rng.choices("abcdefghijkmnpqrstuvwxyz23456789", k=rng.randint(16, 28)))
    month, day = rng.choice(sorted(words.MONTHS)).capitalize(), rng.randint(1, 28)
    return {
        "n": str(number), "person": first, "user": user, "key": rng.choice(("sk-", "ghp_", "", "AKIA")) + key,
        "phone": rng.choice((f"+{rng.randint(1, 99)} {four[0]} {four[1]}",
            f"0{rng.randint(100, 999)} {four[0]}{rng.randint(10, 99)}",
            f"({rng.randint(200, 999)}) {rng.randint(200, 999)}-{four[2]}")),
        "mail": f"{user}{rng.choice(('', str(number)))}@{site}",
        "url": f"{rng.choice(('https://', 'http://', 'www.'))}{site}/{rng.choice(('', 'a', 'help', 'blog/post'))}",
        "street": f"{rng.randint(1, 180)} {rng.choice(STREETS)}", "card": rng.choice((" ", "-", "")).join(four),
            "expiry": f"{rng.randint(1, 12):02}/{rng.randint(25, 31)}",
        "cvc": str(rng.randint(100, 999)), "pin": four[3],
            "secret": f"{rng.choice(('Sun', 'blue', 'Tiger', 'hunter', 'Qwerty', 'xK'))}{number}{rng.choice('!#_$')}",
        "money": rng.choice((f"${number}", f"{number} euros", f"£{number}.50", f"{number} dollars", f"€{number}",
            f"USD {number}")), "percent": rng.choice((f"{rng.randint(1, 99)} %", f"{rng.randint(1, 99)}%",
            f"{rng.randint(2, 99)} per cent")),
        "clock": rng.choice((f"{rng.randint(1, 12)} pm", f"{rng.randint(0, 23)}:{rng.randint(10, 59)}",
            f"{rng.randint(1, 12)} o'clock", f"{rng.randint(1, 12)}:30 am", "noon")),
        "date": rng.choice((f"{month} {day}", f"{day} {month}", f"{day}/{rng.randint(1, 12)}/2024",
            f"2024-{rng.randint(10, 12)}-{rng.randint(10, 28)}",
            f"the {day}th of {month}" if day > 3 else f"{month} {day}")),
        "weekday": rng.choice(("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")),
            "month": month, "year": str(rng.randint(1900, 2024)),
    }  # fmt: skip


@lru_cache(maxsize=1)
def _hosts() -> dict[str, tuple[Item, ...]]:
    """Texts that a sentence can be added to, without what the sentence would bring."""
    calm = [item for item in texts() if len(item.text.split()) < 45 and not re.search(r"[\d<@#$€£%_\[{]", item.text)]
    found = {}
    for name in PLANTS:
        test = TESTS.get(name)
        found[name] = tuple(item for item in calm if not test or test(item.text) is False)
    return found


PLANTED: Final = tuple(name for name in PLANTS if name != "capitals")


def planted(rng: Random) -> Example:
    """A text with a sentence put into it that brings what is asked for, or nearly."""
    name = rng.choice(PLANTED)
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    host = rng.choice(_hosts()[name])
    frames = PLANTS[name] if holds else NEAR_MISSES[name]
    added = rng.choice(frames).format(**slots(rng)) if holds or rng.random() < 0.7 else ""
    text = rng.choice(
        (f"{host.text} {added}", f"{added} {host.text}", added if len(added.split()) > 2 else f"{host.text} {added}")
    ).strip()
    text = text if fits(text) else host.text
    return compose(
        rng,
        HAS[name],
        Item(text, host.task),
        denied=denied,
        holds=holds,
        sure=(0.05, 0.98) if name == "person_name" else (0.02, 0.98),
        plain=rng.random() < 0.6 or name in {"repeated_marks", "emoji"},
    )


def shouted(rng: Random) -> Example:
    """A text in capitals, or as it was."""
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    item = rng.choice(texts())
    text = item.text.upper() if holds else item.text
    if not holds and TESTS["capitals"](text) is not False:
        text = text.lower()
    return compose(rng, HAS["capitals"], Item(text, item.task), denied=denied, holds=holds, plain=True)


def contains(rng: Random) -> Example:
    """Whether a text has a given word: one of its own, or one of another text of the same set."""
    item, other = rng.sample(texts(), 2)
    own, theirs = tokens(item.text), tokens(other.text)
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    places = (
        [word for word in own if len(word) > 3]
        if holds
        else [word for word in theirs if len(word) > 3 and not any(word[:5] in mine for mine in own)]
    )
    if not places:
        return contains(rng)
    asked = rng.choice(places)
    if rng.random() < 0.12:
        asked = rng.choice(own) if not holds else own[0]
        if (own[0] == asked) == holds:
            return compose(rng, _word("starts_with", asked), item, denied=denied, holds=holds, plain=True)
        asked = rng.choice(places)
    return compose(rng, _word("contains_word", asked), item, denied=denied, holds=holds, plain=rng.random() < 0.8)


def _word(kind: str, word: str) -> Concept:
    if kind == "starts_with":
        return Concept(
            "word/starts_with", clauses=(f'{{T}} ~start with "{word}"', f"{{T}} ~begin with the word {word}",
                f'the first word of {{T}} = "{word}"'),
            yes=(f"the first word is {word}",), no=(f"the first word is not {word}",),
        )  # fmt: skip
    return Concept(
        "word/contains",
        clauses=(f'{{T}} ~contain the word "{word}"', f"{{T}} ~mention {word}", f"{{T}} ~include the word {word}",
            f"the word {word} =is used in the text", f'{{T}} ~use the word "{word}"'),
        unclauses=(f'{{T}} ~lack the word "{word}"', f"the word {word} =is missing from the text"),
        yes=(f"has the word {word}", f"mentions {word}"), no=(f"without the word {word}", f"no {word}"),
    )  # fmt: skip


SPOKEN: Final = (
    "permissive/xed_emotions",
    "permissive/multilingual_hatecheck",
    "permissive/botframework_intents",
    "permissive/home_assistant",
    "sharealike/jnli_ja",
    "sharealike/klue_nli_ko",
    "permissive/wisesight_th",
    "permissive/hebrew_sentiment",
    "sharealike/nusax",
    "permissive/germeval2018_de",
    "sharealike/snli_devtest",
)


@lru_cache(maxsize=1)
def _tongues() -> dict[str, tuple[Item, ...]]:
    found: dict[str, list[Item]] = {}
    for name in SPOKEN:
        for item in items(name, kept(name)):
            if len(item.text) > 14:
                found.setdefault(item.lang, []).append(item)
    return {code: tuple(group) for code, group in found.items() if code in LANGUAGES}


def tongue(rng: Random) -> Example:
    """Whether a text is in a given language."""
    groups = _tongues()
    code = "en" if rng.random() < 0.1 else rng.choice(tuple(groups))
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    item = rng.choice(groups[code if holds else rng.choice([other for other in groups if other != code])])
    example = compose(rng, language(code), item, denied=denied, holds=holds, sure=(0.02, 0.97))
    if code in NATIVE and rng.random() < 0.2:
        return replace(example, question={"type": "noul", "instructions": rng.choice(NATIVE[code][denied])})
    return example


FORMS: Final = [_bind(name) for name in TESTS if name not in {"capitals", "hashtag"}]
WORDS_FAMILIES: Final = ("noul/word/contains", "noul/word/starts_with")
WRITERS: Final[tuple[Writer, ...]] = (
    writer("noul/form", FORMS, 6.0, SOURCES),
    writer("noul/mentions", [_mention(name, SOURCES) for name in words.KINDS], 2.0, SOURCES),
    writer("noul/scenes", [_mention(name, SCENES) for name in words.KINDS], 3.0, SCENES),
    Writer("noul/planted", "noul", SOURCES, ("en",), planted, 4.0, tuple(f"noul/{HAS[name].name}" for name in PLANTED)),
    Writer("noul/shouted", "noul", SOURCES, ("en",), shouted, 0.3, (f"noul/{HAS['capitals'].name}",)),
    Writer("noul/words", "noul", SOURCES, ("en",), contains, 2.0, WORDS_FAMILIES),
    Writer(
        "noul/language",
        "noul",
        SPOKEN,
        tuple(LANGUAGES),
        tongue,
        1.5,
        tuple(f"noul/language/{code}" for code in LANGUAGES),
    ),
)
