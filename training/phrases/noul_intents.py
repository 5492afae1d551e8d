"""How an intent is asked for by yes or no, from its name in words and its meaning."""

from __future__ import annotations

from typing import Final

from training.write.noul_ask import Concept

ACTIONS: Final = frozenset(
    [
        "add",
        "apply",
        "ask",
        "buy",
        "book",
        "brighten",
        "call",
        "cancel",
        "change",
        "check",
        "choose",
        "confirm",
        "create",
        "delete",
        "dim",
        "dislike",
        "extend",
        "find",
        "finish",
        "flag",
        "flip",
        "forward",
        "freeze",
        "give",
        "go",
        "improve",
        "join",
        "like",
        "lengthen",
        "log",
        "look",
        "make",
        "mark",
        "move",
        "notify",
        "open",
        "order",
        "pause",
        "pay",
        "play",
        "raise",
        "read",
        "redeem",
        "reject",
        "rename",
        "rent",
        "repeat",
        "reply",
        "report",
        "reserve",
        "reset",
        "resume",
        "roll",
        "schedule",
        "search",
        "select",
        "send",
        "set",
        "share",
        "shorten",
        "show",
        "speak",
        "start",
        "stop",
        "substitute",
        "switch",
        "sync",
        "tell",
        "tick",
        "transfer",
        "turn",
        "abandon",
        "accept",
    ]
)
"""First words of names that say what the user wants to do; other names are topics."""
TOPIC_AFTER_ALL: Final = frozenset(
    {"order status", "transfer fee", "stop", "cancel", "repeat", "pause", "confirm", "reject", "mute"}
)
SENTENCE: Final = ("the user ", "the customer ", "yes,", "any ", "no ", "something ", "wanting ", "saying ")
TEXT: Final = (
    "the message",
    "the text",
    "the utterance",
    "this message",
    "the request",
    "the query",
    "this",
    "the user's message",
)
USER: Final = ("the user", "the user", "the customer", "the person", "the speaker", "the caller", "somebody")


def concept(family: str, words: str, meaning: str) -> Concept:
    """The concept that a user has the intent of that name."""
    topic = words.removeprefix("about ")
    acts = topic.split()[0] in ACTIONS and topic not in TOPIC_AFTER_ALL
    clauses = [
        f'the intent of {{T}} = "{topic}"',
        f'{{T}} ~belong to the category "{topic}"',
        f'the right label for {{T}} = "{topic}"',
    ]
    if acts:
        clauses += [
            f"{{A}} ~want to {topic}",
            f"{{A}} ~want to {topic}",
            f"{{A}} ~ask to {topic}",
            f"{{A}} =would like to {topic}",
            f"the intent = to {topic}",
        ]
        be: tuple[str, ...] = (f"a request to {topic}",)
    else:
        clauses += [f"{{A}} ~ask about this: {topic}", f"the topic of {{T}} = {topic}", f"{{T}} ~concern {topic}"]
        be = (f"about {topic}", f"about {topic}")
    if not meaning.startswith(SENTENCE):
        clauses += [f"{{T}} = about {meaning}", f"{{A}} ~mean the following: {meaning}", f"{{T}} ~deal with {meaning}"]
    return Concept(
        family,
        be=be,
        clauses=tuple(clauses),
        yes=(topic, meaning, f"{topic}: {meaning}", f"the user wants this: {meaning}"),
        no=("something else", "another intent", f"not {topic}", "a different request or topic", "anything else"),
        text=TEXT,
        author=USER,
    )


def described(family: str, label: str, description: str) -> Concept:
    """The concept that a user wants what a service describes as one of its functions."""
    act = description[:1].lower() + description[1:]
    return Concept(
        family,
        be=(f"a request to {act}",),
        clauses=(
            f"{{A}} ~want to {act}",
            f"{{A}} ~want to {act}",
            f"{{A}} ~ask the assistant to {act}",
            f'{{T}} ~call for the function "{label}"',
            f"{{A}} =would like to {act}",
        ),
        yes=(description, f"{label}: {act}", label),
        no=("another function", "something else", f"not {label}"),
        text=TEXT,
        author=USER,
    )


def service(family: str, words: tuple[str, ...]) -> Concept:
    """The concept that a text is about a subject area, given by noun phrases."""
    clauses = [
        clause
        for word in words
        for clause in (
            f"{{T}} = about {word}",
            f"{{T}} ~deal with {word}",
            f"the subject of {{T}} = {word}",
            f"{{T}} ~concern {word}",
        )
    ]
    return Concept(
        family, be=tuple(f"about {word}" for word in words), clauses=tuple(clauses),
        yes=words, no=("another subject", "something else", f"not about {words[0]}"),
        text=(*TEXT, "the passage", "the sentence", "it"),
    )  # fmt: skip


SERVICES: Final = {
    "dentist": (("dentists", "dental appointments"), ("dentists",)), "weather": (("the weather", "weather forecasts"),
        ("weather",)),
    "hair": (("a haircut", "hair stylists"), ("hair stylist",)), "doctor": (("doctors", "seeing a doctor"),
        ("right doctor",)),
    "movies": (("films", "cinema and films"), ("movie", "movies")), "restaurants": (("restaurants", "eating out"),
        ("restaurant",)),
    "flights": (("flights", "air travel"), ("flight", "flights")), "buses": (("bus travel", "buses"), ("bus",)),
    "events": (("concerts and sports events", "tickets for events"), ("concerts", "events")),
        "sights": (("tourist attractions", "sightseeing"), ("attractions",)),
    "calendar": (("a calendar", "personal appointments"), ("Calendar",)), "rides": (("taxis", "a ride in a cab"),
        ("cab", "taxi")),
    "hotels": (("hotels", "a place to stay"), ("hotel", "rooms", "Accommodation", "houses")), "cars": (("car rental",
        "hiring a car"), ("Car rental",)),
    "homes": (("renting a flat", "finding an apartment"), ("apartments",)), "music": (("music", "songs"), ("music",)),
    "bank": (("bank accounts", "banking", "money"), ("bank",)), "therapist": (("therapists", "psychotherapy"),
        ("therapist",)),
}  # fmt: skip
"""Subject areas of services: noun phrases, and words of the descriptions of their services."""
