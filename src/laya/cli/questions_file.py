"""Questions from a JSON file: what the command line reads, checked as strictly as JSON allows."""

from __future__ import annotations

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
    data = read_json_file(path, "questions")
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


def read_json_file(path: Path, what: str) -> Any:
    """Read a JSON file.

    Args:
        path: the file.
        what: what it is for, in errors: "questions", "state".

    Raises:
        ArgumentError: it is missing, is not UTF-8 JSON, or has one key twice in an object.
    """
    from laya.batch.strict import parse_json  # noqa: PLC0415 - presets need none of it

    try:
        return parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as exc:
        _refuse(path, f"cannot be read ({exc.strerror}); pass a JSON file", exc, what)
    except UnicodeDecodeError as exc:
        _refuse(path, f"is not UTF-8 (byte {exc.start}); save it as UTF-8", exc, what)
    except ValueError as exc:
        _refuse(path, str(exc), exc, what)


def _kind(data: Any) -> str:
    return "an empty object" if data == {} else f"a JSON {type(data).__name__}"


def _refuse(path: Path, problem: str, cause: Exception | None = None, what: str = "questions") -> NoReturn:
    raise ArgumentError(f"{what} file {str(path)!r} {problem}", path=str(path)) from cause
