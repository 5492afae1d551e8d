"""What a row asks: its id, its state, and its questions where it has its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laya.errors import LayaError, StateError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from laya.batch.rows import Row


@dataclass(frozen=True, slots=True)
class Fields:
    """Where a row keeps what.

    Attributes:
        wrap: makes a state of a bare text.
        text: key or column of the text; None looks for `state`, then `text`, then takes the whole row but its id.
        id: key or column of the id.
        own_questions: whether a row may have questions of its own.
    """

    wrap: Callable[[str], Any]
    text: str | None = None
    id: str = "id"
    own_questions: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One row to be answered. Filled by `to_items`.

    Attributes:
        number: the row's number.
        id: the row's id as it was given, None where there is none.
        state: what is judged.
        questions: the row's own questions, None where those of the command are asked.
        source: the row as it was read.
        error: why it cannot be asked, in place of a state.
    """

    number: int
    id: Any = None
    state: Any = None
    questions: dict[Any, Any] | None = None
    source: Any = None
    error: LayaError | None = None


def to_items(rows: Iterable[Row], fields: Fields) -> Iterator[Item]:
    """Make of each row what it asks.

    A text is a state by way of `fields.wrap`. Of an object, `state` is the state as it is (and `questions` are its own
    questions), `text` is a text, and without these the object itself, but for its id, is the state. Other JSON values
    are states as they are.
    """
    for row in rows:
        yield _item(row, fields)


def _item(row: Row, fields: Fields) -> Item:
    if row.error is not None:
        return Item(row.number, error=row.error)
    given = row.value.get(fields.id) if isinstance(row.value, dict) else None
    try:
        state, questions = _asked(row.value, fields)
    except StateError as exc:
        return Item(row.number, given, source=row.value, error=exc)
    return Item(row.number, given, state, questions, row.value)


def _asked(value: Any, fields: Fields) -> tuple[Any, dict[Any, Any] | None]:
    if isinstance(value, str):
        return _wrapped(value, "the row", fields), None
    if value is None:
        raise StateError("is null; give a text or an object")
    if not isinstance(value, dict):
        if fields.text is not None:
            raise StateError(f"is a JSON {type(value).__name__}, which has no {fields.text!r}")
        return value, None
    if fields.text is not None:
        if fields.text not in value:
            raise StateError(f"has no {fields.text!r}; it has {', '.join(map(str, value)) or 'nothing'}")
        return _wrapped(value[fields.text], repr(fields.text), fields), None
    if "state" in value:
        return _own_state(value, fields)
    if "text" in value:
        return _wrapped(value["text"], "'text'", fields), None
    rest = {key: part for key, part in value.items() if key != fields.id}
    if not rest:
        raise StateError("has nothing to judge; give a 'text' or a 'state'")
    return rest, None


def _own_state(value: dict[Any, Any], fields: Fields) -> tuple[Any, dict[Any, Any] | None]:
    questions = value.get("questions")
    if value["state"] is None:
        raise StateError("has the 'state' null; give a text or an object")
    if questions is not None and not fields.own_questions:
        raise StateError("has questions of its own, for which there are no columns; write JSON Lines")
    if questions is not None and not isinstance(questions, dict):
        raise StateError(f"has 'questions' that are a {type(questions).__name__}; wanted an object of id to definition")
    return value["state"], questions


def _wrapped(text: Any, where: str, fields: Fields) -> Any:
    if not isinstance(text, str):
        raise StateError(f"has no text in {where} but {_kind(text)}; give a string")
    if not text.strip():
        raise StateError(f"has a blank text in {where}")
    return fields.wrap(text)


def _kind(value: Any) -> str:
    return "null" if value is None else f"a {type(value).__name__}"
