"""The texts of a question that the trunk reads, each on its own.

A choice option reads as `description (label)`, or as the label alone. A label that is written as an identifier
(`cardArrival`, `card_arrival`, `travel/book-flight`) is opened up into words. A level reads as its text. The criteria
of a yes/no question are the denial (false) and the statement (true); its labels are not read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from laya.request import Question

SEPARATORS: Final = re.compile(r"[_/.\-]+")
HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def question_texts(question: Question) -> list[str]:
    """Texts for a plain matcher: one a slot, or the statement (else the instructions) and the denial of a noul."""
    if question.type == "noul":
        denial, statement = question.descriptions
        return [statement or question.instructions, *([denial] if denial else [])]
    return _option_texts(question)


def layered_texts(question: Question) -> list[str]:
    """Texts for reader layers: the instructions, then one a slot, or the denial and the statement that a noul has."""
    if question.type == "noul":
        return [question.instructions, *(text for text in question.descriptions if text)]
    return [question.instructions, *_option_texts(question)]


def open_label(label: str) -> str:
    """A label written as an identifier, as words; a label that has white space is left as it is."""
    if any(character.isspace() for character in label):
        return label
    return SEPARATORS.sub(" ", HUMP.sub(" ", label)).strip() or label


def _option_texts(question: Question) -> list[str]:
    if question.type == "score":
        return [question.names[i] for i in question.order]
    return [_choice_text(question.names[i], question.descriptions[i]) for i in question.order]


def _choice_text(name: str, description: str | None) -> str:
    label = open_label(name)
    return label if description is None else f"{description} ({label})"
