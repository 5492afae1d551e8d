"""Definitions as the texts that a checkpoint reads."""

from __future__ import annotations

import json
from typing import Any, Final

NOUL_TEXTS: Final = ("no, the statement does not hold", "yes, the statement holds")
NOUL_KEYS: Final = ("false", "true")


def render_value(value: Any) -> str:
    """A string as it is; anything else as JSON, where what JSON does not know is written by `str`.

    Raises:
        ValueError: the value holds NaN or infinity, or itself.
        TypeError: a dict in it has keys that JSON cannot hold.
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)


def render_instructions(value: Any) -> str:
    """A string as it is; anything else as JSON.

    Raises:
        ValueError: the value holds NaN or infinity, or itself.
        TypeError: the value holds something that JSON does not know.
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)


def render_description(value: Any) -> str | None:
    """Text of a description; None and "" are no description, 0 and False are one."""
    return None if value is None or (isinstance(value, str) and not value) else render_value(value)


def choice_text(name: str, description: str | None) -> str:
    """Option text of a choice label."""
    return name if description is None else f"{name}: {description}"


def score_text(level: int, text: str) -> str:
    """Option text of a score level."""
    return f"level {level}: {text}"


def noul_text(truth: int, name: str, description: str | None) -> str:
    """Option text of the false (0) or true (1) side of a noul question."""
    return f"{name}: {NOUL_TEXTS[truth] if description is None else description}"
