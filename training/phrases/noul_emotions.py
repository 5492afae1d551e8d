"""Emotions as concepts: nouns, adjectives of who feels, and emotions too near to count as absent."""

from __future__ import annotations

from typing import Final, NamedTuple

from training.phrases.noul_frames import AUTHOR, TEXT
from training.write.noul_ask import Concept


class Emotion(NamedTuple):
    """How an emotion is spoken of."""

    nouns: tuple[str, ...]
    feels: tuple[str, ...]
    clauses: tuple[str, ...] = ()
    near: tuple[str, ...] = ()


GOEMOTIONS: Final = {
    "admiration": Emotion(("admiration", "respect", "praise for someone"), ("full of admiration", "impressed"),
        ("{A} ~admire someone or something", "{A} ~look up to somebody"), ("approval", "gratitude", "love", "joy",
        "excitement", "pride")),
    "amusement": Emotion(("amusement", "laughter"), ("amused", "laughing"), ("{A} ~find something funny",
        "{A} ~laugh about something"), ("joy", "excitement", "surprise")),
    "anger": Emotion(("anger", "rage", "fury"), ("angry", "furious", "mad at someone"), ("{T} ~sound angry",
        "{A} ~rage about something"), ("annoyance", "disapproval", "disgust", "disappointment")),
    "annoyance": Emotion(("annoyance", "irritation"), ("annoyed", "irritated", "bothered"), ("{T} ~sound irritated",
        "something ~bother the author"), ("anger", "disapproval", "disgust", "disappointment")),
    "approval": Emotion(("approval", "agreement"), ("in favour", "approving", "in agreement"),
        ("{A} ~approve of something", "{A} ~support something", "{A} ~agree with somebody"), ("admiration", "caring",
        "realization", "optimism", "joy", "gratitude", "desire", "love")),
    "caring": Emotion(("care", "compassion", "concern for someone"), ("caring", "concerned about somebody",
        "compassionate"), ("{A} ~care about somebody", "{A} ~wish somebody well", "{A} ~comfort somebody"), ("love",
        "approval", "optimism", "sadness", "desire", "gratitude")),
    "confusion": Emotion(("confusion", "puzzlement"), ("confused", "puzzled", "unsure what is going on"),
        ("{A} ~fail to understand something", "something ~puzzle the author"), ("curiosity", "surprise",
        "realization")),
    "curiosity": Emotion(("curiosity", "interest", "a wish to know more"), ("curious", "interested to learn something"),
        ("{A} ~want to know something", "{A} ~ask out of interest"), ("confusion", "surprise", "desire")),
    "desire": Emotion(("desire", "longing", "a wish"), ("longing for something", "eager to have something"),
        ("{A} ~want something", "{A} ~wish for something", "{A} ~crave something"), ("optimism", "love", "curiosity",
        "excitement", "approval", "caring")),
    "disappointment": Emotion(("disappointment",), ("disappointed", "let down"),
        ("something ~fall short of what the author hoped", "{T} ~sound disappointed"), ("sadness", "annoyance",
        "disapproval", "remorse", "anger", "grief", "embarrassment")),
    "disapproval": Emotion(("disapproval", "rejection", "objection"), ("disapproving", "against it", "opposed"),
        ("{A} ~disapprove of something", "{A} ~object to something", "{A} ~disagree with somebody"), ("anger",
        "annoyance", "disgust", "disappointment")),
    "disgust": Emotion(("disgust", "revulsion"), ("disgusted", "repelled"), ("something ~disgust the author",
        "{A} ~find something repulsive"), ("anger", "annoyance", "disapproval", "fear", "embarrassment")),
    "embarrassment": Emotion(("embarrassment", "shame", "awkwardness"), ("embarrassed", "ashamed"),
        ("{A} ~feel awkward about something", "something ~embarrass the author"), ("remorse", "disgust", "nervousness",
        "disappointment", "sadness")),
    "excitement": Emotion(("excitement", "enthusiasm"), ("excited", "thrilled", "enthusiastic"),
        ("{A} ~look forward to something with excitement", "{T} ~sound enthusiastic"), ("joy", "amusement", "optimism",
        "surprise", "admiration", "desire", "love")),
    "fear": Emotion(("fear", "fright", "dread"), ("afraid", "scared", "frightened"), ("something ~frighten the author",
        "{A} ~fear something"), ("nervousness", "disgust", "surprise", "sadness")),
    "gratitude": Emotion(("gratitude", "thanks"), ("grateful", "thankful"), ("{A} ~thank somebody",
        "{A} ~express thanks", "{A} ~appreciate what somebody did"), ("admiration", "relief", "joy", "love",
        "approval")),
    "grief": Emotion(("grief", "mourning"), ("grieving", "in mourning"), ("{A} ~grieve for somebody",
        "{T} ~speak of a painful loss"), ("sadness", "remorse", "disappointment", "caring")),
    "joy": Emotion(("joy", "happiness", "delight"), ("happy", "joyful", "delighted", "glad"),
        ("something ~delight the author", "{T} ~sound joyful", "{A} ~rejoice in something"), ("amusement", "excitement",
        "love", "gratitude", "admiration", "optimism", "relief", "pride", "approval")),
    "love": Emotion(("love", "affection", "fondness"), ("in love with something", "fond of somebody or something"),
        ("{A} ~love something or somebody", "{T} ~express affection"), ("joy", "admiration", "caring", "excitement",
        "desire", "gratitude", "approval")),
    "nervousness": Emotion(("nervousness", "worry", "anxiety", "unease"), ("nervous", "worried", "anxious"),
        ("{A} ~worry about something", "something ~make the author anxious"), ("fear", "embarrassment", "confusion",
        "caring", "sadness")),
    "optimism": Emotion(("optimism", "hope", "confidence that it turns out well"), ("optimistic", "hopeful"),
        ("{A} ~hope for the best", "{A} ~expect a good outcome"), ("desire", "excitement", "joy", "caring", "approval",
        "relief")),
    "pride": Emotion(("pride",), ("proud", "proud of an achievement"), ("{A} ~take pride in something",), ("admiration",
        "joy", "approval", "excitement", "gratitude")),
    "realization": Emotion(("a realisation", "a sudden insight"), ("becoming aware of something",),
        ("{A} ~realise something", "{A} ~notice something only now", "something ~dawn on the author"), ("surprise",
        "confusion", "approval", "curiosity")),
    "relief": Emotion(("relief",), ("relieved", "glad that it is over"), ("{A} ~breathe a sigh of relief",
        "something ~relieve the author"), ("joy", "gratitude", "optimism", "realization")),
    "remorse": Emotion(("remorse", "regret", "guilt", "an apology"), ("sorry", "guilty", "remorseful"),
        ("{A} ~regret something", "{A} ~apologise for something", "{A} ~feel guilty"), ("sadness", "embarrassment",
        "disappointment", "grief")),
    "sadness": Emotion(("sadness", "sorrow"), ("sad", "unhappy", "downcast"), ("something ~sadden the author",
        "{T} ~sound sad"), ("grief", "disappointment", "remorse", "fear", "nervousness", "embarrassment", "caring")),
    "surprise": Emotion(("surprise", "astonishment"), ("surprised", "amazed", "astonished"),
        ("something ~surprise the author", "{A} ~expect something else"), ("realization", "confusion", "excitement",
        "curiosity", "amusement")),
}  # fmt: skip
XED: Final = {
    "anger": Emotion(("anger", "rage"), ("angry", "furious"), ("{T} ~sound angry",), ("disgust",)),
    "anticipation": Emotion(("anticipation", "expectation"), ("expecting something", "waiting for something to come"),
        ("{A} ~look ahead to something",), ("trust", "joy", "fear", "surprise")),
    "disgust": Emotion(("disgust", "contempt"), ("disgusted", "contemptuous"), ("something ~repel the speaker",),
        ("anger", "fear", "sadness")),
    "fear": Emotion(("fear", "dread"), ("afraid", "scared"), ("something ~frighten the speaker",), ("sadness",
        "surprise", "anticipation", "disgust")),
    "joy": Emotion(("joy", "happiness"), ("happy", "joyful"), ("something ~delight the speaker",), ("trust",
        "anticipation", "surprise")),
    "sadness": Emotion(("sadness", "sorrow"), ("sad", "sorrowful"), ("something ~sadden the speaker",), ("fear",
        "disgust", "anger")),
    "surprise": Emotion(("surprise", "astonishment"), ("surprised", "astonished"), ("something ~surprise the speaker",),
        ("fear", "joy", "anticipation")),
    "trust": Emotion(("trust", "confidence in somebody"), ("trusting", "confident in somebody"),
        ("{A} ~rely on somebody", "{A} ~trust somebody"), ("joy", "anticipation")),
}  # fmt: skip
LINE: Final = ("the line", "the sentence", "this line", "the text", "the utterance")
SPEAKER: Final = ("the speaker", "the character", "the person who speaks", "whoever says this")


def concept(kind: str, name: str, emotion: Emotion) -> Concept:
    """The concept of an emotion."""
    line = kind == "xed"
    clauses = [f"{{T}} ~express {noun}" for noun in emotion.nouns]
    clauses += [f"{{A}} ~feel {noun}" for noun in emotion.nouns if not noun.startswith(("a ", "an "))]
    clauses += [f"{{A}} = {adjective}" for adjective in emotion.feels] * 2
    clauses += [f"the emotion in {{T}} = {name}", *emotion.clauses, *emotion.clauses]
    return Concept(
        f"{kind}/{name}",
        be=tuple(f"an expression of {noun}" for noun in emotion.nouns),
        clauses=tuple(clauses),
        yes=(*emotion.nouns, *emotion.feels, f"the emotion is {name}"),
        no=("another emotion or none", f"no {emotion.nouns[0]}", "something else", "a different feeling"),
        text=LINE if line else TEXT,
        author=SPEAKER if line else AUTHOR,
    )
