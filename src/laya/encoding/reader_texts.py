"""The texts of a question that the trunk reads, each on its own.

A choice option reads as `description (label)`, or as the label alone. A label that is written as an identifier
(`cardArrival`, `card_arrival`, `travel/book-flight`) is opened up into words. A level reads as its text. The criteria
of a yes/no question are the denial (false) and the statement (true); its labels are not read. Reader layers take a
choice between two words for yes and no, without descriptions, for the yes/no question that it is, and a plain denial
for the statement that it denies (`as_asked`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from laya.encoding.reader_denials import affirmed

if TYPE_CHECKING:
    from laya.request import Question

SEPARATORS: Final = re.compile(r"[_/.\-]+")
HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

YES_AND_NO: Final = tuple(
    (frozenset(yes.split()), frozenset(no.split()))
    for yes, no in (
        ("yes y yeah yep", "no n nope"),
        ("true vrai wahr verdadero vero", "false faux falsch falso"),
        ("ja oui sí sì si sim", "nein nee nej nei non no não"),
        ("да иә так", "нет не жоқ ні"),
        ("evet ya iya tak ano da igen ναι", "hayır tidak bukan nie ne nu nem όχι"),  # noqa: RUF001 - Greek, Turkish
        ("はい 是 是的 예 네", "いいえ 否 不是 아니요 아니오"),
        ("نعم כן हाँ", "لا לא नहीं"),
    )
)
"""Words for true and for false, in groups that are used together."""


def as_asked(question: Question) -> Question:
    """The question in the form in which it is read; the same question if that is its own.

    A choice between two words for yes and no, without descriptions, is a yes/no question, and one whose instructions
    deny (`affirmed`) is the one that they deny, its two answers and criteria changed over. Slots stay where they are:
    `order` says which of them shows false (0) and which true (1).
    """
    question = _as_noul(question)
    if question.type != "noul":
        return question
    instructions, turned = affirmed(question.instructions)
    if turned:
        denial, statement = question.descriptions
        order = tuple(1 - side for side in question.order)
        return replace(question, instructions=instructions, descriptions=(statement, denial), order=order)
    return question if instructions == question.instructions else replace(question, instructions=instructions)


def _as_noul(question: Question) -> Question:
    if question.type != "choice" or question.k != 2 or any(question.descriptions):
        return question
    first, second = (name.strip().casefold() for name in question.names)
    for yes, no in YES_AND_NO:
        if (first in yes and second in no) or (first in no and second in yes):
            holds = (int(first in yes), int(second in yes))
            return replace(question, type="noul", order=tuple(holds[i] for i in question.order))
    return question


def question_texts(question: Question) -> list[str]:
    """Texts for a plain matcher: one a slot, or the statement (else the instructions) and the denial of a noul."""
    if question.type == "noul":
        denial, statement = question.descriptions
        return [statement or question.instructions, *([denial] if denial else [])]
    return _option_texts(question)


def layered_texts(question: Question) -> list[str]:
    """Texts for reader layers: the instructions, then one a slot, or the denial and the statement that a noul has."""
    question = as_asked(question)
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
