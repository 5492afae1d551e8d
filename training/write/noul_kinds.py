"""Writers of questions that single sets are labelled with: headlines, grammar, comparisons, topics, products."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases import noul_kinds as asked
from training.phrases.noul_fields import FIELDS, FORMAL, PAIRS, RECORDS
from training.phrases.noul_frames import DENIED as DENIED_FRAMES
from training.phrases.noul_frames import STRAIGHT
from training.phrases.noul_intents import service
from training.write.noul_ask import Clause, Concept, fill
from training.write.noul_bind import DENIED, TRUE, Binding, Pool, compose, target, writer
from training.write.noul_pools import FACTUAL, PLAIN, factual, labelled, plain, pool, union, whole
from training.write.noul_states import Item, items, kept

if TYPE_CHECKING:
    from random import Random

BLIMP: Final = "permissive/blimp"
COMPARED: Final = "permissive/comparative_sentences"
QUERIES: Final = "sharealike/query_wellformedness"
ARGUED: Final = "permissive/ukp_convincing"
REVIEWS: Final = "permissive/product_reviews"


def _bad() -> Pool:
    return lru_cache(maxsize=1)(lambda: tuple(Item(row["bad"], "blimp") for row in kept(BLIMP)))


def _forms() -> list[Binding]:
    gradable = ("unequal comparison", "equal comparison")
    return [
        Binding(asked.CLICKBAIT, labelled("permissive/clickbait", "clickbait"), labelled("permissive/clickbait",
            "news"), (0.03, 0.97), 3.0),
        Binding(asked.ASKS, labelled("permissive/email_intent", "yes"), labelled("permissive/email_intent", "no"),
            (0.05, 0.95), 3.0),
        Binding(asked.ASKS, labelled("permissive/email_intent", "yes"), factual(), (0.02, 0.95), 0.6),
        Binding(asked.GRAMMATICAL, whole(BLIMP), _bad(), (0.06, 0.94), 1.5, plain=True),
        Binding(asked.SELF_CORRECTED, labelled("permissive/disfl_qa", "self-corrected"), labelled("permissive/disfl_qa",
            "fluent"), (0.02, 0.98), 1.0),
        Binding(asked.COMPARES, labelled(COMPARED, *gradable), labelled(COMPARED, "not comparative"), (0.08, 0.93),
            1.5),
        Binding(asked.SUPERLATIVE, labelled(COMPARED, "superlative"), labelled(COMPARED, "not comparative", *gradable),
            (0.04, 0.93), 0.8),
        Binding(asked.THAI_QUESTION, labelled("permissive/wisesight_th", "question"),
            labelled("permissive/wisesight_th", "positive", "negative"), (0.05, 0.95), 0.6),
    ]  # fmt: skip


def _queries() -> list[Binding]:
    good, bad = pool(QUERIES, lambda row: row["label"] >= 0.95), pool(QUERIES, lambda row: row["label"] <= 0.1)
    return [Binding(asked.WELL_FORMED, good, bad, (0.07, 0.93), plain=True)]


def _products() -> list[Binding]:
    bound = []
    for name, products in asked.PRODUCTS.items():
        marks = asked.PRODUCT_WORDS[name]

        def test(row: dict[str, Any], marks: tuple[str, ...] = marks, products: tuple[str, ...] = products) -> bool:
            text = row["text"].lower()
            return row["product"] in products and any(mark in text for mark in marks)

        def other(row: dict[str, Any], marks: tuple[str, ...] = marks, products: tuple[str, ...] = products) -> bool:
            text = row["text"].lower()
            named = any(mark in text for theirs in asked.PRODUCT_WORDS.values() for mark in theirs)
            return row["product"] not in products and named and not any(mark in text for mark in marks)

        words = (f"a {name}", f"{name}s") if name != "security software" else (name, "antivirus software")
        bound.append(
            Binding(service(f"product/{name}", words), pool(REVIEWS, test), pool(REVIEWS, other), (0.04, 0.94))
        )
    return bound


def _subjects() -> list[Binding]:
    bound = []
    for topic, words in asked.TOPICS.items():
        yes = pool(ARGUED, lambda row, topic=topic: row["topic"] == topic)
        no = pool(ARGUED, lambda row, topic=topic: row["topic"] != topic)
        bound.append(Binding(service(f"topic/{topic.replace(' ', '_')[:24]}", words), yes, no, (0.04, 0.9)))
    for source, be in asked.GENRES.items():
        yes = pool("permissive/complex_words", lambda row, source=source: row["source"] == source)
        no = pool("permissive/complex_words", lambda row, source=source: row["source"] != source)
        genre = Concept(
            f"genre/{source}",
            be=be,
            yes=be,
            no=("another kind of text", f"not {be[0]}"),
            text=("the text", "this passage", "the sentence", "it"),
        )
        bound.append(Binding(genre, yes, no, (0.02, 0.95), 2.0))
    argument = union(whole(ARGUED), even=True)
    bound.append(
        Binding(
            asked.ARGUMENT,
            argument,
            union(plain(), labelled("permissive/clickbait", "news"), even=True),
            (0.03, 0.93),
            3.0,
        )
    )
    return bound


@lru_cache(maxsize=1)
def _categories() -> dict[str, tuple[Item, ...]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in kept("permissive/bbq"):
        found.setdefault(row["category"], []).append(row)
    return {name: items("permissive/bbq", group) for name, group in found.items()}


def scene(rng: Random) -> Example:
    """Whether a scene turns on the age, faith or another trait of people."""
    groups = _categories()
    name = rng.choice(tuple(asked.TRAITS))
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    item = rng.choice(groups[name if holds else rng.choice([other for other in groups if other != name])])
    return compose(
        rng, service(f"trait/{name.lower()}", asked.TRAITS[name]), item, denied=denied, holds=holds, sure=(0.08, 0.92)
    )


def formality(rng: Random) -> Example:
    """The same content in formal or in casual words."""
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    chosen = [pair[not holds] for pair in rng.sample(PAIRS, rng.choice((1, 1, 2, 3)))]
    return compose(rng, FORMAL, Item(" ".join(chosen), "formality"), denied=denied, holds=holds, sure=(0.03, 0.97))


def record(rng: Random) -> Example:
    """A record with several fields, and a statement about one of them."""
    kind = rng.choice(tuple(RECORDS))
    names = rng.sample(RECORDS[kind], rng.randint(3, len(RECORDS[kind])))
    values: dict[str, Any] = {name: rng.choice(FIELDS[name]) for name in names}
    name = rng.choice(names)
    true, denied = rng.random() < TRUE, rng.random() < 0.35
    clause = _field(rng, kind, name, values[name], holds=true != denied)
    filled = fill(rng, rng.choice(DENIED_FRAMES if denied else STRAIGHT), clause)
    return Example(
        values,
        {"type": "noul", "instructions": filled},
        target(0.98 if true else 0.02),
        "records",
        f"noul/record/{kind}",
    )


def _field(rng: Random, kind: str, name: str, value: Any, *, holds: bool) -> Clause:
    """A clause about the value of a field that is right or wrong."""
    spoken = rng.choice((f"the {name.replace('_', ' ')}", f"`{name}`", f"the {name.replace('_', ' ')} of the {kind}"))
    if isinstance(value, bool):
        right = value if holds else not value
        return Clause.of(f"{spoken} = {rng.choice(('true', 'yes', 'set')) if right else rng.choice(('false', 'no'))}")
    if isinstance(value, int) and rng.random() < 0.6:
        step = max(1, round(abs(value) * rng.choice((0.2, 0.5, 1.0))))
        above = rng.random() < 0.5
        border = value - step if above == holds else value + step
        return Clause.of(
            f"{spoken} = {rng.choice(('above', 'more than', 'over') if above else ('below', 'less than', 'under'))} "
            f"{border}"
        )
    other = rng.choice([option for option in FIELDS[name] if option != value])
    return Clause.of(f"{spoken} = {value if holds else other}")


def _one(name: str, source: tuple[str, ...], draw: Any, share: float, families: tuple[str, ...]) -> Writer:
    return Writer(name, "noul", source, ("en",), draw, share, families)


WRITERS: Final[tuple[Writer, ...]] = (
    writer("noul/kinds", _forms(), 5.0, ("permissive/clickbait", "permissive/email_intent", BLIMP,
        "permissive/disfl_qa", COMPARED, "permissive/wisesight_th", *FACTUAL), ("en", "th")),
    writer("noul/queries", _queries(), 0.8, (QUERIES,)),
    writer("noul/products", _products(), 1.2, (REVIEWS,)),
    writer("noul/subjects", _subjects(), 2.5, (ARGUED, "permissive/complex_words", "permissive/clickbait", *PLAIN)),
    _one("noul/traits", ("permissive/bbq",), scene, 0.8, tuple(f"noul/trait/{name.lower()}" for name in asked.TRAITS)),
    _one("noul/formality", (), formality, 1.2, (f"noul/{FORMAL.name}",)),
    _one("noul/records", (), record, 2.0, tuple(f"noul/record/{kind}" for kind in RECORDS)),
)  # fmt: skip
