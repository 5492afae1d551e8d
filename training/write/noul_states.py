"""Texts of the sets as states: filtered, sometimes wrapped the way that callers pass them."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from training.phrases.noul_padding import CHANNELS, CLOSINGS, GREETINGS, KEYS, NAMES, PADDING, SUBJECTS, TURNS
from training.sets import rows
from training.write.choice_states import fits

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

PLAIN: Final = 0.81
"""Share of texts that are passed as they are."""
LONG: Final = 70
"""Words above which a text is not put into anything."""
CODES: Final = {
    "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl", "polish": "pl", "portuguese": "pt",
    "arabic": "ar", "hindi": "hi", "mandarin": "zh", "english": "en", "indonesian": "id", "javanese": "jv",
    "sundanese": "su", "acehnese": "ace", "balinese": "ban", "banjarese": "bjn", "buginese": "bug", "madurese": "mad",
    "minangkabau": "min", "toba_batak": "bbc", "ngaju": "nij",
}  # fmt: skip
"""Codes of languages that some sets spell out."""


class Item(NamedTuple):
    """A text with the set that it comes from."""

    text: str
    task: str
    lang: str = "en"


@cache
def kept(name: str) -> tuple[dict[str, Any], ...]:
    """Rows of a set whose text or premise may be a state."""
    return tuple(row for row in rows(name) if fits(body(row)))


def body(row: dict[str, Any]) -> str:
    """The text of a row, or its premise."""
    found: str = row["text"] if "text" in row else row["premise"]
    return found


def code(row: dict[str, Any]) -> str:
    """Language code of a row."""
    lang: str = row.get("lang", "en")
    return CODES.get(lang, lang.split("-", maxsplit=1)[0])


def items(name: str, chosen: Iterable[dict[str, Any]]) -> tuple[Item, ...]:
    """Rows of a set as items."""
    task = name.rpartition("/")[2]
    return tuple(Item(body(row), task, code(row)) for row in chosen)


def wrap(rng: Random, text: str, lang: str = "en") -> tuple[Any, str | None]:
    """A text as a state, plain most times, and how instructions may speak of the text if it is inside something."""
    if rng.random() < PLAIN or len(text.split()) > LONG:
        return text, None
    kind = rng.random()
    if kind < 0.45:
        key = rng.choice(KEYS)
        return _record(rng, key, text), rng.choice((f"`{key}`", f"`{key}`", f"the {key}", None))
    if lang != "en":
        return text, None
    if kind < 0.65:
        return _chat(rng, text), rng.choice(("the last message", "the last turn", None))
    return _surrounded(rng, text)


def _surrounded(rng: Random, text: str) -> tuple[str, str | None]:
    """A text in a mail, in a line of a log, or among sentences that say nothing of note."""
    kind = rng.random()
    if kind < 0.4:
        return f"{rng.choice(GREETINGS)}\n\n{text}\n\n{rng.choice(CLOSINGS)}\n{rng.choice(NAMES)}", "the email"
    if kind < 0.65:
        stamp = f"2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
        line = json.dumps(text, ensure_ascii=False)
        return f"{stamp} {rng.choice(('INFO', 'inbox', 'chat', 'web'))} msg={line}", None
    before, after = rng.sample(PADDING, 2)
    return rng.choice((f"{before} {text}", f"{text} {after}", f"{before} {text} {after}")), None


def _record(rng: Random, key: str, text: str) -> dict[str, Any]:
    extras = {
        "id": rng.randint(100, 99999),
        "channel": rng.choice(CHANNELS),
        "from": rng.choice(NAMES),
        "subject": rng.choice(SUBJECTS),
    }
    fields: list[tuple[str, Any]] = [(name, extras[name]) for name in rng.sample(sorted(extras), rng.randint(0, 2))]
    fields.insert(rng.randint(0, len(fields)), (key, text))
    return dict(fields)


def _chat(rng: Random, text: str) -> list[dict[str, str]]:
    who, what = rng.choice((("role", "content"), ("role", "text"), ("from", "text")))
    user, agent = rng.choice((("user", "assistant"), ("customer", "agent"), ("user", "bot")))
    turns = [(user, opener) if n % 2 == 0 else (agent, opener) for n, opener in enumerate(rng.choice(TURNS))]
    return [{who: name, what: said} for name, said in [*turns, (user, text)]]
