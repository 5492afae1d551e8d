"""Questions from a JSON file: what the command line reads, checked as strictly as JSON allows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from laya.errors import ArgumentError
from laya.presets import state_field

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_WRAPPER = {"questions", "state_key"}


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions, and the state key that a bare text goes under; None means the text itself is the state."""

    questions: Mapping[Any, Any]
    state_key: str | None

    def state_of(self, text: str) -> str | dict[str, str]:
        """The state for one text."""
        return text if self.state_key is None else {self.state_key: text}


def read_questions(path: Path) -> QuestionSet:
    """Read `{id: definition, ...}`, or `{"questions": {...}, "state_key": "..."}`.

    Without a `state_key` it is the one key that the instructions name in backticks, if there is exactly one.

    Raises:
        ArgumentError: the file is missing, is not UTF-8 JSON of this shape, or has one key twice in an object.
    """
    data = _parse(path)
    if not isinstance(data, dict) or not data:
        _refuse(path, f"holds {_kind(data)}; wanted an object of question id to definition")
    wrapped = data.get("questions")
    if not isinstance(wrapped, dict) or "type" in wrapped:
        return QuestionSet(data, state_field(data))
    unknown = sorted(data.keys() - _WRAPPER)
    if unknown:
        _refuse(path, f"has the unknown key {unknown[0]!r} beside 'questions'; only 'state_key' may stand there")
    key = data.get("state_key", state_field(wrapped))
    if key is not None and (not isinstance(key, str) or not key.strip()):
        _refuse(path, f"has the 'state_key' {key!r}; wanted a string that is not blank, or null")
    return QuestionSet(wrapped, key)


def _parse(path: Path) -> Any:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as exc:
        _refuse(path, f"cannot be read ({exc.strerror}); pass a JSON file of questions", exc)
    except UnicodeDecodeError as exc:
        _refuse(path, f"is not UTF-8 (byte {exc.start}); save it as UTF-8", exc)
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except json.JSONDecodeError as exc:
        _refuse(path, f"is not JSON: {exc.msg} in line {exc.lineno}, column {exc.colno}", exc)
    except (ValueError, RecursionError) as exc:
        _refuse(path, f"cannot be used: {exc}", exc)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} occurs twice in one object; give each question and label its own name")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _kind(data: Any) -> str:
    return "an empty object" if data == {} else f"a JSON {type(data).__name__}"


def _refuse(path: Path, what: str, cause: Exception | None = None) -> NoReturn:
    raise ArgumentError(f"questions file {str(path)!r} {what}", path=str(path)) from cause
