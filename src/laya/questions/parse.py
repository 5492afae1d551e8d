"""Definitions to questions, remembering those it has seen."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from cachetools import LRUCache

from laya.errors import QuestionTypeError
from laya.questions import validate
from laya.questions.key import content_key
from laya.questions.render import (
    NOUL_KEYS,
    choice_text,
    noul_text,
    render_description,
    render_value,
    score_text,
)
from laya.request import Question

if TYPE_CHECKING:
    from laya.request import QuestionType

CACHE_SIZE: Final = 1024
_cache: LRUCache[Any, Question] = LRUCache(CACHE_SIZE)
_lock = Lock()


def parse_questions(questions: object) -> list[Question]:
    """Validate the questions of a call, in their order.

    A definition that was seen before, under the same id, costs a lookup. Its warnings are therefore issued when it is
    first parsed, and again only after it left the cache.

    Args:
        questions: dict of question id to definition; a definition has `type`, `instructions`, `criteria` and
            optionally `option_order` and `labels`.

    Raises:
        QuestionTypeError: `questions` is not a dict.
        QuestionError: a definition breaks a rule; the first one found, with its question id.
    """
    if not isinstance(questions, dict):
        raise QuestionTypeError(
            f"questions must be a dict of question id -> definition, got {type(questions).__name__}"
        )
    if len(questions) > 1:
        validate.check_distinct_ids(validate.check_id(qid) for qid in questions)
    return [_question(qid, definition) for qid, definition in questions.items()]


def _question(qid: Any, definition: object) -> Question:
    key = content_key(definition)
    if key is None or type(qid) not in (str, int):
        return _parse(qid, definition, key)
    entry = (type(qid), qid, key)
    with _lock:
        known = _cache.get(entry)
    if known is not None:
        return known
    question = _parse(qid, definition, key)
    with _lock:
        _cache[entry] = question
    return question


def _parse(qid: object, definition: object, key: Any) -> Question:
    name = validate.check_id(qid)
    fields = validate.check_definition(name, definition)
    kind = validate.check_type(name, fields)
    instructions = validate.check_instructions(name, fields)
    labels, names, descriptions, options = _options(name, kind, fields)
    return Question(
        id=name,
        type=kind,
        instructions=instructions,
        labels=labels,
        options=options,
        names=names,
        descriptions=descriptions,
        order=validate.check_order(name, fields, len(options)),
        key=key,
    )


_Options = tuple[tuple[Any, ...], tuple[str, ...], tuple[str | None, ...], tuple[str, ...]]


def _options(qid: str | int, kind: QuestionType, fields: dict[Any, Any]) -> _Options:
    sides = validate.check_noul_labels(qid, fields, kind)
    criteria = fields.get("criteria")
    if kind == "choice":
        return _choice(qid, criteria)
    return _score(qid, criteria) if kind == "score" else _noul(qid, criteria, sides)


def _choice(qid: str | int, criteria: object) -> _Options:
    described = validate.check_choice(qid, criteria)
    names = tuple(str(label) for label in described)
    texts = tuple(
        validate.rendered(qid, render_description, value, f"the description of label {label!r}")
        for label, value in described.items()
    )
    return tuple(described), names, texts, tuple(map(choice_text, names, texts))


def _score(qid: str | int, criteria: object) -> _Options:
    levels = validate.check_score(qid, criteria)
    names = tuple(validate.rendered(qid, render_value, level, f"score level {i}") for i, level in enumerate(levels))
    validate.warn_duplicate_levels(qid, names)
    count = range(len(names))
    return tuple(count), names, (None,) * len(names), tuple(map(score_text, count, names))


def _noul(qid: str | int, criteria: object, sides: tuple[str, str]) -> _Options:
    described = validate.check_noul(qid, criteria)
    texts = tuple(
        validate.rendered(qid, render_description, described.get(side), f"the description of {side!r}")
        for side in NOUL_KEYS
    )
    return (False, True), sides, texts, tuple(map(noul_text, (0, 1), sides, texts))
