"""Writers of questions about sentiment and emotion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from training.phrases.noul_emotions import GOEMOTIONS, XED, concept
from training.phrases.noul_sentiment import EMOTIONAL, EXCITED, NEGATIVE, OPINION, POSITIVE
from training.write.noul_bind import Binding, Pool, writer
from training.write.noul_pools import FACTUAL, factual, labelled, pool, tagged, union, whole

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from training.examples import Writer

REVIEWS: Final = "permissive/product_reviews"
PROS: Final = "permissive/pros_cons"
GO: Final = "goemotions"
GLAD: Final = (
    "admiration",
    "amusement",
    "approval",
    "excitement",
    "gratitude",
    "joy",
    "love",
    "optimism",
    "pride",
    "relief",
)
SORRY: Final = ("anger", "annoyance", "disappointment", "disapproval", "disgust", "sadness", "grief", "fear")
SIGNS: Final = frozenset({"positive", "negative"})
SUBTITLED: Final = (
    "en", "fi", "nl", "ru", "es", "tr", "cs", "no", "pt", "hu", "sl", "sr", "hr", "pl", "ro", "el", "fr", "da", "he",
        "ar", "it", "bg", "de", "sv",
)  # fmt: skip
XED_GLAD: Final = ("joy", "trust")
XED_SORRY: Final = ("anger", "disgust", "sadness", "fear")


def _reviews() -> list[Binding]:
    good = union(
        pool(REVIEWS, lambda row: row["strength"] >= 2 and row["label"] == "positive"), labelled(PROS, "pro"), even=True
    )
    bad = union(
        pool(REVIEWS, lambda row: row["strength"] <= -1 and row["label"] == "negative"),
        labelled(PROS, "con"),
        even=True,
    )
    plain = union(labelled(REVIEWS, "no opinion"), factual(), even=True)
    return _poles(good, bad, plain)


def _poles(
    good: Pool, bad: Pool, neutral: Pool | None = None, sure: tuple[float, float] = (0.03, 0.97)
) -> list[Binding]:
    """Both sides of a pair of pools; neutral texts, where there are any, are neither."""
    bound = []
    for concepts, yes, no in ((POSITIVE, good, bad), (NEGATIVE, bad, good)):
        for asked in concepts:
            bound.append(Binding(asked, yes, no, sure, weight=1.0))
            if neutral and asked.name in {"positive", "negative", "praise", "complaint", "satisfied", "dissatisfied"}:
                bound.append(Binding(asked, yes, neutral, (0.08, sure[1]), weight=0.25))
    return bound


def _community() -> list[Binding]:
    good = tagged(GO, "labels", any_of=GLAD, none_of=(*SORRY, "confusion", "nervousness", "remorse", "surprise"))
    bad = tagged(GO, "labels", any_of=SORRY, none_of=(*GLAD, "desire", "caring", "curiosity"))
    neutral = pool(GO, lambda row: row["labels"] == ["neutral"])
    chosen = {"positive", "negative", "praise", "complaint", "satisfied", "dissatisfied"}
    return [bound for bound in _poles(good, bad, neutral, (0.08, 0.92)) if bound.concept.name in chosen]


def _emotions(kind: str, name: str, field: str, emotions: dict[str, Any], sure: tuple[float, float]) -> list[Binding]:
    """Each emotion against others that are not near to it, and against neutral texts."""
    bound = []
    for label, emotion in emotions.items():
        yes = tagged(name, field, any_of=(label,))
        other = tagged(name, field, none_of=(label, "neutral", *emotion.near))
        asked = concept(kind, label, emotion)
        bound.append(Binding(asked, yes, other, sure))
        if kind == "emotion":
            neutral = tagged(name, field, any_of=("neutral",), none_of=(label, *emotion.near))
            bound.append(Binding(asked, yes, neutral, sure, weight=0.4))
    return bound


def _moods() -> list[Binding]:
    moved = tagged(GO, "labels", any_of=(*GLAD, *SORRY), none_of=("neutral", "approval", "realization"))
    calm = pool(GO, lambda row: row["labels"] == ["neutral"])
    argued = union(whole("permissive/ukp_convincing"), pool(REVIEWS, lambda row: abs(row["strength"]) >= 2))
    return [
        Binding(EMOTIONAL, moved, union(calm, factual(), even=True), (0.12, 0.93)),
        Binding(OPINION, union(argued, moved, even=True), factual(), (0.05, 0.93), weight=2.0),
    ]


def _rated() -> list[Binding]:
    bank = "sharealike/emobank"
    return [
        Binding(
            EXCITED,
            pool(bank, lambda row: row["arousal"] >= 3.5),
            pool(bank, lambda row: row["arousal"] <= 2.7),
            (0.12, 0.88),
        ),
        Binding(
            POSITIVE[0],
            pool(bank, lambda row: row["valence"] >= 3.6),
            pool(bank, lambda row: row["valence"] <= 2.5),
            (0.06, 0.94),
        ),
        Binding(
            NEGATIVE[0],
            pool(bank, lambda row: row["valence"] <= 2.3),
            pool(bank, lambda row: row["valence"] >= 3.5),
            (0.06, 0.94),
        ),
    ]


def _abroad() -> list[Binding]:
    korean = "permissive/nsmc_ratings_ko"
    bound = _poles(
        pool(korean, lambda row: row["label"] >= 8), pool(korean, lambda row: row["label"] <= 3), None, (0.07, 0.93)
    )
    for name in ("permissive/hebrew_sentiment", "permissive/wisesight_th"):
        bound += _some(_poles(labelled(name, "positive"), labelled(name, "negative"), None, (0.06, 0.94)), SIGNS, 2.0)
    danish = "permissive/lcc_sentiment_da"
    bound += _some(
        _poles(pool(danish, lambda row: row["label"] >= 2), pool(danish, lambda row: row["label"] <= -1)), SIGNS, 0.5
    )
    return bound


def _islands() -> list[Binding]:
    local = "sharealike/nusax"
    poles = _poles(labelled(local, "positive"), labelled(local, "negative"), labelled(local, "neutral"), (0.05, 0.95))
    return _some(poles, {"positive", "negative", "satisfied", "dissatisfied"})


def _lines() -> list[Binding]:
    lines = "permissive/xed_emotions"
    glad = tagged(lines, "label", any_of=XED_GLAD, none_of=XED_SORRY)
    sorry = tagged(lines, "label", any_of=XED_SORRY, none_of=(*XED_GLAD, "anticipation", "surprise"))
    return _some(_poles(glad, sorry, None, (0.18, 0.82)), SIGNS)


def _some(bound: Sequence[Binding], names: Collection[str], weight: float = 1.0) -> list[Binding]:
    """The bindings of some concepts, for texts that are no reviews."""
    return [replace(one, weight=one.weight * weight) for one in bound if one.concept.name in names]


WRITERS: Final[tuple[Writer, ...]] = (
    writer("noul/reviews", _reviews(), 9.0, (REVIEWS, PROS, *FACTUAL)),
    writer("noul/community", _community(), 4.0, (GO,)),
    writer("noul/emotions", _emotions("emotion", GO, "labels", GOEMOTIONS, (0.06, 0.92)), 6.0, (GO,)),
    writer(
        "noul/subtitles", _emotions("xed", "permissive/xed_emotions", "label", XED, (0.12, 0.85)), 2.5,
            ("permissive/xed_emotions",),
        SUBTITLED,
    ),
    writer("noul/lines", _lines(), 1.0, ("permissive/xed_emotions",), SUBTITLED),
    writer("noul/moods", _moods(), 2.0, (GO, REVIEWS, "permissive/ukp_convincing", *FACTUAL)),
    writer("noul/emobank", _rated(), 1.5, ("sharealike/emobank",)),
    writer(
        "noul/islands", _islands(), 1.2, ("sharealike/nusax",),
        ("id", "jv", "su", "ace", "ban", "bjn", "bug", "mad", "min", "bbc", "nij", "en"),
    ),
    writer(
        "noul/sentiment_abroad", _abroad(), 2.0,
        ("permissive/hebrew_sentiment", "permissive/wisesight_th", "permissive/nsmc_ratings_ko",
            "permissive/lcc_sentiment_da"),
        ("he", "th", "ko", "da"),
    ),
)  # fmt: skip
