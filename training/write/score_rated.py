"""How much? Scores from sets that carry ratings, shares of raters or graded labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases.opinions import PAINFUL, PLEASANT
from training.write.choice_pools import Row, code, usable
from training.write.choice_states import wrap
from training.write.score_shapes import grade

if TYPE_CHECKING:
    from random import Random

BINS: Final = 8
SPAN: Final = 3.4
"""Width of the scales of emobank as readers see it: means of raters lie closer to the middle than single ratings."""
Value = Callable[[Row], float | None]


def clip(value: float) -> float:
    """The value, kept within 0..1."""
    return min(1.0, max(0.0, value))


def binned(name: str, value: Value, count: int = BINS) -> tuple[tuple[tuple[float, Row], ...], ...]:
    """Rows with their value in 0..1, in bins of like value, so that draws cover the scale evenly.

    Args:
        name: of the set.
        value: of a row, None where it has none.
        count: number of bins; 1 draws values as they occur, so that answers keep to what is usual.
    """
    bins: list[list[tuple[float, Row]]] = [[] for _ in range(count)]
    for row in usable(name):
        worth = value(row)
        if worth is not None:
            bins[min(count - 1, int(worth * count))].append((worth, row))
    return tuple(tuple(members) for members in bins if len(members) >= 5)


def draw_row(rng: Random, bins: tuple[tuple[tuple[float, Row], ...], ...]) -> tuple[float, Row]:
    """A row with its value, every bin being as likely."""
    return rng.choice(rng.choice(bins))


# Opinions


@lru_cache(maxsize=1)
def _products() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned(
        "permissive/product_reviews", lambda r: None if r["label"] == "mixed" else clip(r["strength"] / 6 + 0.5)
    )


def draw_product(rng: Random) -> Example:
    """How well a sentence of a review speaks of the product."""
    value, row = draw_row(rng, _products())
    state, noun = wrap(rng, row["text"].strip(), "review")
    graded = grade(rng, "opinion", noun, value, sharpness=0.7)
    return Example(state, graded.question, graded.target, "product_reviews", "score/opinion/product_reviews")


@lru_cache(maxsize=1)
def _nsmc() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("permissive/nsmc_ratings_ko", lambda r: (r["label"] - 1) / 9)


def draw_nsmc(rng: Random) -> Example:
    """The rating that goes with a Korean film comment."""
    value, row = draw_row(rng, _nsmc())
    state, noun = wrap(rng, row["text"].strip(), "review")
    graded = grade(rng, "opinion", noun, value, sharpness=0.8)
    return Example(state, graded.question, graded.target, "nsmc", "score/opinion/nsmc", "ko")


@lru_cache(maxsize=1)
def _lcc() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("permissive/lcc_sentiment_da", lambda r: clip(r["label"] / 6 + 0.5))


def draw_lcc(rng: Random) -> Example:
    """How positive a Danish sentence is."""
    value, row = draw_row(rng, _lcc())
    state, noun = wrap(rng, row["text"].strip(), "sentence")
    graded = grade(rng, rng.choice(("opinion", "valence")), noun, value, sharpness=0.7)
    return Example(state, graded.question, graded.target, "lcc_sentiment", "score/valence/lcc", "da")


POLAR: Final = {"negative": 0.0, "con": 0.05, "neutral": 0.5, "positive": 1.0, "pro": 0.95}
POLAR_SETS: Final = {
    "permissive/pros_cons": ("pros_cons", "en"),
    "sharealike/nusax": ("nusax", ""),
    "permissive/wisesight_th": ("wisesight", "th"),
    "permissive/hebrew_sentiment": ("hebrew_sentiment", "he"),
}


@cache
def _polar(name: str) -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned(name, lambda r: POLAR.get(r["label"]))


def draw_polar(rng: Random) -> Example:
    """Sets with two or three labels as a scale; strength is unknown, so the ends share."""
    name = rng.choice(sorted(POLAR_SETS))
    value, row = draw_row(rng, _polar(name))
    task, lang = POLAR_SETS[name]
    state, noun = wrap(rng, row["text"].strip(), "review" if lang == "en" else "post")
    # A label says which side, not how far: of five levels the outer two on that side are both likely.
    pulled = 0.5 + (value - 0.5) * 0.85
    graded = grade(
        rng,
        "opinion",
        noun,
        pulled,
        sharpness=0.8,
        wanted=rng.choice((2, 3, 3, 3, 4, 5, 5)) if value != 0.5 else rng.choice((3, 5)),
    )
    return Example(state, graded.question, graded.target, task, f"score/opinion/{task}", lang or code(row["lang"]))


# Feelings


@cache
def _emobank(side: str) -> tuple[tuple[tuple[float, Row], ...], ...]:
    middle = {"valence": 3.0, "arousal": 3.05, "dominance": 3.1}[side]
    return binned("sharealike/emobank", lambda r: clip((r[side] - middle) / SPAN + 0.5), 1)


def draw_emobank(side: str) -> Callable[[Random], Example]:
    """A drawer of one of the three sides of a feeling."""

    def draw(rng: Random) -> Example:
        value, row = draw_row(rng, _emobank(side))
        state, noun = wrap(rng, row["text"].strip(), "sentence")
        graded = grade(rng, side, noun, value, sharpness=0.7)
        return Example(state, graded.question, graded.target, "emobank", f"score/emobank/{side}")

    return draw


STRONG: Final = {
    "joy": 0.9,
    "excitement": 0.95,
    "love": 0.95,
    "gratitude": 0.85,
    "admiration": 0.85,
    "anger": 0.05,
    "disgust": 0.1,
    "grief": 0.05,
    "sadness": 0.12,
    "fear": 0.15,
}
MILD: Final = {
    "amusement": 0.75,
    "approval": 0.7,
    "optimism": 0.7,
    "relief": 0.72,
    "pride": 0.85,
    "annoyance": 0.22,
    "disapproval": 0.25,
    "disappointment": 0.18,
    "nervousness": 0.28,
    "embarrassment": 0.28,
    "remorse": 0.25,
    "neutral": 0.5,
}
MOOD: Final = {**STRONG, **MILD}


@lru_cache(maxsize=1)
def _moods() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("goemotions", lambda r: MOOD.get(r["labels"][0]) if len(r["labels"]) == 1 else None)


def draw_mood(rng: Random) -> Example:
    """How pleasant the feeling of a comment is."""
    value, row = draw_row(rng, _moods())
    state, noun = wrap(rng, row["text"].strip(), "post")
    graded = grade(rng, "valence", noun, value, sharpness=0.8)
    return Example(state, graded.question, graded.target, "goemotions", "score/valence/goemotions")


@lru_cache(maxsize=1)
def _by_emotion() -> dict[str, tuple[Row, ...]]:
    found: dict[str, list[Row]] = {}
    for row in usable("goemotions"):
        if len(row["labels"]) == 1:
            found.setdefault(row["labels"][0], []).append(row)
    return {emotion: tuple(members) for emotion, members in found.items() if len(members) > 50}


def draw_strength(rng: Random) -> Example:
    """How much of an emotion is in a comment: much, none, or some where a kindred feeling is shown."""
    groups = _by_emotion()
    feelings = sorted(groups)
    emotion = rng.choice([feeling for feeling in feelings if feeling != "neutral"])
    roll = rng.random()
    if roll < 0.5:
        shown, value = emotion, 0.85
    else:
        side = PLEASANT if emotion in PLEASANT else PAINFUL if emotion in PAINFUL else frozenset({emotion})
        far = [feeling for feeling in feelings if feeling not in side]
        shown, value = rng.choice(far), 0.05
    row = rng.choice(groups[shown])
    state, noun = wrap(rng, row["text"].strip(), "post")
    graded = grade(rng, "emotion_strength", noun, value, sharpness=0.45, slots={"emotion": emotion})
    return Example(state, graded.question, graded.target, "goemotions", "score/emotion/strength")


ANGER: Final = {
    "anger": 0.95,
    "annoyance": 0.65,
    "disapproval": 0.4,
    "disappointment": 0.35,
    "neutral": 0.05,
    "gratitude": 0.0,
    "joy": 0.0,
    "curiosity": 0.05,
    "amusement": 0.02,
    "admiration": 0.0,
}


@lru_cache(maxsize=1)
def _anger() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("goemotions", lambda r: ANGER.get(r["labels"][0]) if len(r["labels"]) == 1 else None)


def draw_anger(rng: Random) -> Example:
    """How frustrated the writer of a comment is."""
    value, row = draw_row(rng, _anger())
    state, noun = wrap(rng, row["text"].strip(), "post")
    graded = grade(rng, "frustration", noun, value, sharpness=0.8)
    return Example(state, graded.question, graded.target, "goemotions", "score/frustration/goemotions")


# Toxicity and harm


@lru_cache(maxsize=1)
def _toxic() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("permissive/toxic_spans", lambda r: float(r["label"]))


PLAIN_SETS: Final = ("sharealike/emobank", "permissive/strategyqa")


def draw_toxic(rng: Random) -> Example:
    """How toxic a comment is, by the share of raters; plain sentences of other sets are the low end."""
    if rng.random() < 0.2:
        name = rng.choice(PLAIN_SETS)
        row, value, task = rng.choice(usable(name)), 0.03, name.split("/")[1]
    else:
        value, row = draw_row(rng, _toxic())
        task = "toxic_spans"
    state, noun = wrap(rng, row["text"].strip(), "post")
    graded = grade(rng, "toxicity", noun, value, sharpness=0.8)
    return Example(state, graded.question, graded.target, task, "score/toxicity/raters")


OFFENCE: Final = {"neither": 0.03, "offensive": 0.6, "hate": 0.95}


@lru_cache(maxsize=1)
def _offensive() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("offensive", lambda r: OFFENCE[r["label"]])


def draw_offensive(rng: Random) -> Example:
    """How offensive a tweet is."""
    value, row = draw_row(rng, _offensive())
    state, noun = wrap(rng, row["text"].strip(), "post")
    graded = grade(rng, "toxicity", noun, value, sharpness=0.9)
    return Example(state, graded.question, graded.target, "offensive", "score/toxicity/tweets")


HARM: Final = {"harmful request": 0.97, "jailbreak": 0.6, "embedded instruction": 0.35, "ordinary prompt": 0.03}


@lru_cache(maxsize=1)
def _harm() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned(
        "permissive/prompt_attacks", lambda r: HARM[r["label"]] if r["label"] != "embedded instruction" else None
    )


def draw_harm(rng: Random) -> Example:
    """How dangerous a prompt is; questions and commands to an assistant are the low end."""
    if rng.random() < 0.3:
        row, value, task = (
            rng.choice(usable("clinc150" if rng.random() < 0.5 else "sharealike/query_wellformedness")),
            0.02,
            "prompts",
        )
    else:
        (value, row), task = draw_row(rng, _harm()), "prompt_attacks"
    state, noun = wrap(rng, row["text"].strip(), "prompt")
    graded = grade(rng, "harm", noun, value, sharpness=0.7)
    return Example(state, graded.question, graded.target, task, "score/harm/prompts")


WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "score_product",
        "score",
        ("permissive/product_reviews",),
        ("en",),
        draw_product,
        3.0,
        ("score/opinion/product_reviews",),
    ),
    Writer("score_nsmc", "score", ("permissive/nsmc_ratings_ko",), ("ko",), draw_nsmc, 1.0, ("score/opinion/nsmc",)),
    Writer("score_lcc", "score", ("permissive/lcc_sentiment_da",), ("da",), draw_lcc, 0.3, ("score/valence/lcc",)),
    Writer(
        "score_polar",
        "score",
        tuple(POLAR_SETS),
        ("en", "id", "jv", "su", "th", "he"),
        draw_polar,
        2.5,
        tuple(f"score/opinion/{t}" for t, _ in POLAR_SETS.values()),
    ),
    Writer(
        "score_valence",
        "score",
        ("sharealike/emobank",),
        ("en",),
        draw_emobank("valence"),
        2.0,
        ("score/emobank/valence",),
    ),
    Writer(
        "score_arousal",
        "score",
        ("sharealike/emobank",),
        ("en",),
        draw_emobank("arousal"),
        1.0,
        ("score/emobank/arousal",),
    ),
    Writer(
        "score_dominance",
        "score",
        ("sharealike/emobank",),
        ("en",),
        draw_emobank("dominance"),
        0.4,
        ("score/emobank/dominance",),
    ),
    Writer("score_mood", "score", ("goemotions",), ("en",), draw_mood, 2.0, ("score/valence/goemotions",)),
    Writer("score_emotion", "score", ("goemotions",), ("en",), draw_strength, 1.5, ("score/emotion/strength",)),
    Writer("score_anger", "score", ("goemotions",), ("en",), draw_anger, 1.5, ("score/frustration/goemotions",)),
    Writer(
        "score_toxic",
        "score",
        ("permissive/toxic_spans", *PLAIN_SETS),
        ("en",),
        draw_toxic,
        2.0,
        ("score/toxicity/raters",),
    ),
    Writer("score_offensive", "score", ("offensive",), ("en",), draw_offensive, 1.0, ("score/toxicity/tweets",)),
    Writer(
        "score_harm",
        "score",
        ("permissive/prompt_attacks", "clinc150", "sharealike/query_wellformedness"),
        ("en",),
        draw_harm,
        1.0,
        ("score/harm/prompts",),
    ),
)
