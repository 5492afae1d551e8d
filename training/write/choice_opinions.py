"""Which opinion, emotion or breach of rules? Sets with a few labels, asked with many vocabularies."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases import languages
from training.phrases import opinions as say
from training.write.choice_pools import Row, code, grouped, one_hot, soften, usable
from training.write.choice_shapes import Option, Shape, ask, instructions, option_count
from training.write.choice_states import wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random

FEW: Final = Shape(none=0.04, opaque=0.12, bare=0.5)
Labels = tuple[tuple[str, str], ...]


def options_of(labels: Sequence[tuple[str, str]]) -> list[Option]:
    """Options of labels with their meaning."""
    return [Option(*label) for label in labels]


def put(  # noqa: PLR0917 - the parts of a question, in the order of its text
    rng: Random, text: str, form: str, kind: str, options: Sequence[Option], gold: Sequence[float], shape: Shape = FEW
) -> tuple[object, dict[str, object], tuple[float, ...]]:
    """State, question and target of one text under some options."""
    state, noun = wrap(rng, text, form)
    asked = ask(rng, instructions(rng, kind, noun), options, gold, shape)
    return state, asked.question, asked.target


# Sentiment

SENTIMENT: Final[dict[str, tuple[str, str, str, float]]] = {
    # set -> task, language ("" = of the row), what the state is, doubt
    "permissive/product_reviews": ("product_reviews", "en", "review", 0.03),
    "permissive/pros_cons": ("pros_cons", "en", "review", 0.03),
    "sharealike/nusax": ("nusax", "", "post", 0.02),
    "permissive/wisesight_th": ("wisesight", "th", "post", 0.06),
    "permissive/hebrew_sentiment": ("hebrew_sentiment", "he", "post", 0.04),
    "permissive/nsmc_ratings_ko": ("nsmc", "ko", "review", 0.04),
    "permissive/lcc_sentiment_da": ("lcc_sentiment", "da", "sentence", 0.06),
    "goemotions": ("goemotions", "en", "post", 0.06),
    "sharealike/emobank": ("emobank", "en", "sentence", 0.08),
}
SENTIMENT_SHARES: Final = (22, 14, 12, 7, 6, 7, 2, 22, 8)
SIDES: Final = {
    "positive": "good",
    "pro": "good",
    "negative": "bad",
    "con": "bad",
    "neutral": "middle",
    "no opinion": "middle",
    "question": "asking",
    "off-topic": "off",
}


def _side(name: str) -> Callable[[Row], str | None]:
    if name == "permissive/nsmc_ratings_ko":
        return lambda r: "bad" if r["label"] <= 3 else "good" if r["label"] >= 8 else None
    if name == "permissive/lcc_sentiment_da":
        return lambda r: "middle" if not r["label"] else "good" if r["label"] > 0 else "bad"
    if name == "sharealike/emobank":
        return lambda r: "bad" if r["valence"] < 2.5 else "good" if r["valence"] > 3.5 else None
    if name == "goemotions":
        return _side_of_emotions
    return lambda r: SIDES.get(str(r["label"]))


def _side_of_emotions(row: Row) -> str | None:
    labels = set(row["labels"])
    if labels == {"neutral"}:
        return "middle"
    if labels <= say.PLEASANT:
        return "good"
    return "bad" if labels <= say.PAINFUL else None


@cache
def _sentiment(name: str, lang: str = "") -> dict[str, tuple[Row, ...]]:
    side = _side(name)
    return grouped(name, lambda r: side(r) if not lang or r["lang"] == lang else None)


@lru_cache(maxsize=1)
def _nusax_languages() -> tuple[str, ...]:
    return tuple(sorted({row["lang"] for row in usable("sharealike/nusax")}))


def draw_sentiment(rng: Random) -> Example:
    """Good or bad, with or without a middle, in any vocabulary."""
    name = rng.choices(tuple(SENTIMENT), SENTIMENT_SHARES)[0]
    task, lang, form, doubt = SENTIMENT[name]
    if not lang:
        # English and Indonesian are read by more people than the others.
        spoken = rng.choice((*_nusax_languages(), "english", "english", "indonesian", "indonesian"))
        groups, lang = _sentiment(name, spoken), code(spoken)
    else:
        groups = _sentiment(name)
    wide = "middle" in groups and rng.random() < 0.6
    sides = ["good", "bad", "middle"] if wide else ["good", "bad"]
    sides += [side for side in ("asking", "off") if side in groups and rng.random() < 0.5]
    gold = rng.choice(sides)
    row = rng.choice(groups[gold])
    labels = _sentiment_labels(rng, sides, lang)
    target = soften(one_hot(sides.index(gold), len(sides)), doubt)
    kind = "sentiment"
    if form == "review" and lang == "en" and rng.random() < 0.5:
        kind = "verdict" if name != "permissive/pros_cons" or rng.random() < 0.3 else "proscons"
        pairs = say.PROS_CONS if kind == "proscons" else say.VERDICTS
        labels = [*rng.choice(pairs), *labels[2:]]
    state, question, target = put(rng, row["text"].strip(), form, kind, options_of(labels), target)
    return Example(state, question, target, task, f"choice/sentiment/{task}", lang)


def _sentiment_labels(rng: Random, sides: Sequence[str], lang: str) -> list[tuple[str, str]]:
    if lang in say.POLARITY_LOCAL and rng.random() < 0.3:
        good, middle, bad = rng.choice(say.POLARITY_LOCAL[lang])
    else:
        good, bad = rng.choice(say.POLARITY)
        middle = rng.choice(say.MIDDLE)
    words = {
        "good": good,
        "bad": bad,
        "middle": middle,
        "asking": rng.choice(say.ASKING),
        "off": rng.choice(say.OFF_TOPIC),
    }
    return [words[side] for side in sides]


# Emotions


@lru_cache(maxsize=1)
def _emotions() -> dict[str, tuple[Row, ...]]:
    return grouped("goemotions", lambda r: r["labels"][0] if len(r["labels"]) == 1 else None)


def _emotion_options(rng: Random, emotions: Sequence[str]) -> list[Option]:
    plain = rng.random() < 0.4
    names = [say.EMOTIONS[emotion][0] if plain else rng.choice(say.EMOTIONS[emotion]) for emotion in emotions]
    return options_of(names)


def _kin(one: str, other: str) -> bool:
    return any(one in group and other in group for group in say.KINDRED)


def _emotion_target(emotions: Sequence[str], sure: float) -> tuple[float, ...]:
    """Most on the first emotion, some on those that readers confuse with it."""
    near = [i for i, other in enumerate(emotions) if i and _kin(emotions[0], other)]
    if not near:
        return soften(one_hot(0, len(emotions)), 1 - sure) if len(emotions) > 1 else (1.0,)
    share = min(0.3, 0.15 * len(near))
    target = [(1 - sure) / len(emotions)] * len(emotions)
    target[0] += sure - share
    for i in near:
        target[i] += share / len(near)
    return tuple(target)


def draw_emotion(rng: Random) -> Example:
    """One emotion among others."""
    groups = _emotions()
    gold = rng.choice(sorted(groups))
    row = rng.choice(groups[gold])
    # Half of the lists are hard: kindred emotions stay in. From the others they are taken away.
    hard = rng.random() < 0.5
    others = [other for other in sorted(groups) if other != gold and (hard or not _kin(gold, other))]
    chosen = [gold, *rng.sample(others, min(len(others), max(1, option_count(rng, len(others)) - 1)))]
    target = _emotion_target(chosen, 0.95)
    state, question, target = put(
        rng,
        row["text"].strip(),
        "post",
        "emotion",
        _emotion_options(rng, chosen),
        target,
        Shape(none=0.05, opaque=0.1, bare=0.5),
    )
    return Example(state, question, target, "goemotions", "choice/emotion/goemotions")


def draw_coarse(rng: Random) -> Example:
    """One of the six basic emotions, or none."""
    groups = _emotions()
    gold = rng.choice(sorted(say.COARSE))
    row = rng.choice(groups[rng.choice(sorted(say.COARSE[gold] & set(groups)))])
    others = rng.sample([other for other in sorted(say.COARSE) if other != gold], rng.choice((1, 2, 3, 4, 5, 6, 6, 6)))
    chosen = [gold, *others]
    target = soften(one_hot(0, len(chosen)), 0.08)
    state, question, target = put(rng, row["text"].strip(), "post", "emotion", _emotion_options(rng, chosen), target)
    return Example(state, question, target, "goemotions", "choice/emotion/basic")


@lru_cache(maxsize=1)
def _xed() -> dict[str, dict[str, tuple[Row, ...]]]:
    tree: dict[str, dict[str, tuple[Row, ...]]] = {}
    keyed = grouped("permissive/xed_emotions", lambda r: (r["lang"], r["label"][0]) if len(r["label"]) == 1 else None)
    for (lang, emotion), members in keyed.items():
        tree.setdefault(lang, {})[emotion] = members
    return tree


def draw_xed(rng: Random) -> Example:
    """The emotion of a line of a film, in many languages; the labels are noisy."""
    tree = _xed()
    lang = "en" if rng.random() < 0.4 else rng.choice(sorted(tree))
    groups = tree[lang]
    gold = rng.choice(sorted(groups))
    row = rng.choice(groups[gold])
    others = rng.sample(
        [other for other in sorted(groups) if other != gold], rng.choice((1, 2, 3, 4, 5, len(groups) - 1))
    )
    target = soften(one_hot(0, 1 + len(others)), 0.18)
    state, question, target = put(
        rng, row["text"].strip(), "sentence", "emotion", _emotion_options(rng, [gold, *others]), target
    )
    return Example(state, question, target, "xed", "choice/emotion/xed", lang)


OPINION_LANGUAGES: Final = ("en", "id", "jv", "su", "th", "he", "ko", "da")

WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "sentiment",
        "choice",
        tuple(SENTIMENT),
        OPINION_LANGUAGES,
        draw_sentiment,
        8.0,
        tuple(f"choice/sentiment/{s[0]}" for s in SENTIMENT.values()),
    ),
    Writer("emotion", "choice", ("goemotions",), ("en",), draw_emotion, 4.0, ("choice/emotion/goemotions",)),
    Writer("emotion_basic", "choice", ("goemotions",), ("en",), draw_coarse, 2.0, ("choice/emotion/basic",)),
    Writer(
        "emotion_xed", "choice", ("permissive/xed_emotions",), languages.XED, draw_xed, 2.0, ("choice/emotion/xed",)
    ),
)
