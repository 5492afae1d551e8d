"""From items to records: in chunks, so that memory does not grow, and with bad rows apart."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laya.batch.strict import plain
from laya.errors import LayaError
from laya.questions import parse_questions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from laya.batch.items import Item

    Ask = Callable[[list[Any], Mapping[Any, Any]], Sequence[Mapping[str, Any] | Exception]]

CHUNK: Final = 256
"""Rows that are read, answered and written together."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How items are answered.

    Attributes:
        ask: answers states that share questions: a result, or an exception, for each.
        questions: the questions of items that have none of their own.
        keep_input: put the row as it was read into its record.
    """

    ask: Ask
    questions: Mapping[Any, Any]
    keep_input: bool = False


def check_questions(questions: Any) -> None:
    """Check the questions of a command before any row is read.

    Raises:
        QuestionError, QuestionTypeError: a definition breaks a rule.
    """
    parse_questions(questions)


def answer_items(items: Iterable[Item], asked: Asked, *, chunk: int = CHUNK) -> Iterator[list[dict[str, Any]]]:
    """Answer a stream of items, holding `chunk` of them at a time.

    Yields:
        The records of each chunk, in the order of the items: `row`, `id` if there is one, then the result, or `error`
        with `code`, `message` and whatever else is known.
    """
    stream = iter(items)
    while part := list(itertools.islice(stream, chunk)):
        outcomes = _answer(part, asked)
        yield [_record(item, outcome, asked) for item, outcome in zip(part, outcomes, strict=True)]


def _answer(items: Sequence[Item], asked: Asked) -> list[Any]:
    outcomes: list[Any] = [item.error for item in items]
    together: dict[str | None, list[int]] = {}
    for i, item in enumerate(items):
        if item.error is None:
            key = None if item.questions is None else json.dumps(item.questions)
            together.setdefault(key, []).append(i)
    for places in together.values():
        own = items[places[0]].questions
        found = asked.ask([items[i].state for i in places], asked.questions if own is None else own)
        for i, outcome in zip(places, found, strict=True):
            outcomes[i] = outcome
    return outcomes


def _record(item: Item, outcome: Any, asked: Asked) -> dict[str, Any]:
    record: dict[str, Any] = {"row": item.number}
    if item.id is not None:
        record["id"] = plain(item.id)
    if isinstance(outcome, Exception):
        record["error"] = _described(outcome)
    else:
        record.update(outcome)
    if asked.keep_input and item.source is not None:
        record["input"] = plain(item.source)
    return record


def _described(error: Exception) -> dict[str, Any]:
    if not isinstance(error, LayaError):
        return {"code": "error", "message": f"{type(error).__name__}: {error}"}
    message = error.message
    for who in ("state", "request"):
        # the position inside a chunk says nothing to the reader of a file
        message = message.removeprefix(f"{who} {error.index}: ")
    found = {"code": error.code, "message": message, "question": error.question, "path": error.path}
    return {key: value for key, value in found.items() if value is not None}
