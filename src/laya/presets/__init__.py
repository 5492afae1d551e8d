"""Ready-made sets of questions.

Each function returns a fresh dict that the caller may change. The instructions of one preset all name the same
state key in backticks, which `state_field` reads back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from laya.errors import ArgumentError
from laya.presets.email import email_questions
from laya.presets.guard import guard_questions
from laya.presets.moderation import moderation_questions
from laya.presets.router import router_questions
from laya.presets.triage import triage_questions

__all__ = [
    "PRESETS",
    "email_questions",
    "guard_questions",
    "moderation_questions",
    "preset",
    "router_questions",
    "state_field",
    "triage_questions",
]

PRESETS: Final[dict[str, Callable[[], dict[str, dict[str, Any]]]]] = {
    "triage": triage_questions,
    "email": email_questions,
    "guard": guard_questions,
    "moderation": moderation_questions,
    "router": router_questions,
}
"""Name to the function that makes the questions."""

_FIELD = re.compile(r"`([^`\n]+)`")


def preset(name: str) -> dict[str, dict[str, Any]]:
    """Questions of the preset called `name`, as a fresh dict.

    Raises:
        ArgumentError: there is no such preset; lists those that exist.
    """
    if name not in PRESETS:
        known = ", ".join(PRESETS)
        raise ArgumentError(f"unknown preset {name!r}; the presets are {known}")
    return PRESETS[name]()


def state_field(questions: Mapping[Any, Any]) -> str | None:
    """The one state key that the instructions name in backticks, or None when they name none or several."""
    definitions = (definition for definition in questions.values() if isinstance(definition, Mapping))
    texts = (definition.get("instructions") for definition in definitions)
    fields = {field for text in texts if isinstance(text, str) for field in _FIELD.findall(text)}
    return fields.pop() if len(fields) == 1 else None
