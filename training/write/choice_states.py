"""States in the forms that callers pass: text, JSON, mail, chat, log line; and which texts may be a state at all."""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.sets import DATA, EVALUATED

if TYPE_CHECKING:
    from random import Random

MOST_WORDS: Final = 110
MOST_CHARACTERS: Final = 700

NOUNS: Final[dict[str, tuple[str, ...]]] = {
    "utterance": ("the message", "the text", "the request", "the utterance", "this message", "the user's message"),
    "ticket": ("the ticket", "the message", "the text", "the request", "the email", "this message"),
    "review": ("the review", "the comment", "the text", "the feedback", "this review", "the customer's words"),
    "post": ("the post", "the comment", "the text", "the message", "this post"),
    "sentence": ("the sentence", "the text", "the passage", "this text", "this sentence"),
    "question": ("the question", "the query", "the text", "this question"),
    "headline": ("the headline", "the title", "the text", "this headline"),
    "passage": ("the passage", "the text", "the document", "this text"),
    "prompt": ("the prompt", "the request", "the text", "the message", "this prompt"),
}
KEYS: Final[dict[str, tuple[str, ...]]] = {
    "utterance": ("message", "text", "query", "utterance", "input"),
    "ticket": ("message", "body", "text", "description", "ticket"),
    "review": ("review", "comment", "text", "feedback"),
    "post": ("post", "comment", "text", "message"),
    "sentence": ("text", "sentence", "content"),
    "question": ("question", "query", "text"),
    "headline": ("headline", "title", "text"),
    "passage": ("passage", "text", "document", "content"),
    "prompt": ("prompt", "request", "text", "input"),
}
MAILED: Final = frozenset({"ticket"})
SPOKEN: Final = frozenset({"utterance", "ticket", "prompt"})
NAMES: Final = (
    "Anna",
    "Ben",
    "Chen",
    "Dana",
    "Emil",
    "Fatima",
    "Jonas",
    "Kofi",
    "Lena",
    "Maria",
    "Noor",
    "Ravi",
    "Sam",
)
OPENINGS: Final = (
    "Hi,",
    "Hello,",
    "Dear team,",
    "Good morning,",
    "Hi there,",
    "Dear Sir or Madam,",
    "To whom it may concern,",
)
CLOSINGS: Final = ("Best,", "Regards,", "Kind regards,", "Best regards,", "Yours,", "Sincerely,")
FILLERS: Final = (
    "Sent from my phone.",
    "I am writing on behalf of my family.",
    "My customer number is 48213.",
    "I have had an account with you since March.",
    "This is the second time I write today.",
    "You can reach me in the afternoon.",
    "I hope this reaches the right place.",
    "Reference 7731-B.",
    "I am not sure whom else to ask.",
    "I use the app and the website.",
    "My name is on file.",
)
AGENT_LINES: Final = (
    "Hello, how can I help you?",
    "Hi, what can I do for you today?",
    "Good morning. What is it about?",
    "Welcome. Please tell me what you need.",
    "Hello, you are talking to Dana.",
    "I am listening.",
)
CHANNELS: Final = ("web", "app", "phone", "email", "chat", "kiosk")


@lru_cache(maxsize=1)
def reserved() -> frozenset[str]:
    """Lower-cased texts of the sets that decide between recipes; none of them may be a state."""
    texts = set()
    for name in EVALUATED:
        path = DATA / f"{name}.jsonl.gz"
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                texts.update(json.loads(line)["text"].strip().lower() for line in lines)
    return frozenset(texts)


def fits(text: str) -> bool:
    """Whether a text may be a state: not blank, not too long, not of a set that decides between recipes."""
    clean = text.strip()
    return (
        bool(clean)
        and len(clean) <= MOST_CHARACTERS
        and clean.count(" ") < MOST_WORDS
        and clean.lower() not in reserved()
    )


def wrap(rng: Random, text: str, form: str, plain: float = 0.82) -> tuple[Any, str]:
    """A state that carries a text, and what instructions may call it.

    Args:
        rng: decides the form.
        text: the text.
        form: what the text is, a key of `NOUNS`.
        plain: how often the text is passed as it is.
    """
    noun = rng.choice(NOUNS[form])
    if rng.random() < plain:
        return text, noun
    roll = rng.random()
    if roll < 0.45:
        return _record(rng, text, form)
    if roll < 0.65 and form in SPOKEN:
        return _chat(rng, text), rng.choice(("the conversation", "the last message", "the user's request", "the chat"))
    if roll < 0.8 and form in MAILED | SPOKEN:
        return _mail(rng, text), noun
    if roll < 0.9 and form in SPOKEN:
        return _log(rng, text), noun
    return _record(rng, text, form)


def _record(rng: Random, text: str, form: str) -> tuple[dict[str, Any], str]:
    key = rng.choice(KEYS[form])
    fields: list[tuple[str, Any]] = [(key, text)]
    extras: list[tuple[str, Any]] = [
        ("id", rng.randrange(100, 99999)),
        ("channel", rng.choice(CHANNELS)),
        ("lang", "en"),
        ("author", rng.choice(NAMES)),
        ("date", f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"),
    ]
    if not text.isascii():
        extras.pop(2)
    for extra in rng.sample(extras, rng.choice((0, 0, 1, 1, 2, 3))):
        fields.insert(rng.randint(0, len(fields)), extra)
    if form in MAILED and rng.random() < 0.4:
        fields.insert(
            0, ("subject", rng.choice(("Question", "Request", f"Case {rng.randrange(999)}", "Hello", "(none)")))
        )
    noun = f"`{key}`" if rng.random() < 0.6 else rng.choice(NOUNS[form])
    return dict(fields), noun


def _chat(rng: Random, text: str) -> list[dict[str, str]]:
    said = rng.choice(("content", "content", "text"))
    user, agent = rng.choice((("user", "assistant"), ("user", "assistant"), ("customer", "agent")))
    turns = [(agent, rng.choice(AGENT_LINES)), (user, text)]
    if rng.random() < 0.3:
        turns = [(user, "Hello"), *turns]
    if rng.random() < 0.3:
        turns = turns[-1:]
    return [{"role": role, said: line} for role, line in turns]


def _mail(rng: Random, text: str) -> str:
    parts = [rng.choice(OPENINGS), "", text, "", f"{rng.choice(CLOSINGS)}", rng.choice(NAMES)]
    if rng.random() < 0.4:
        parts.insert(rng.choice((2, 3)), rng.choice(FILLERS))
    if rng.random() < 0.25:
        parts = [f"From: {rng.choice(NAMES).lower()}@example.com", "To: service@example.com", "", *parts]
    return "\n".join(parts)


def _log(rng: Random, text: str) -> str:
    stamp = f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02} {rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    return rng.choice(
        (
            f'{stamp}:07 INFO inbox user={rng.randrange(9999)} text="{text}"',
            f"[{stamp}] {rng.choice(NAMES).lower()}: {text}",
            f"{stamp} | {rng.choice(CHANNELS)} | {text}",
        )
    )
