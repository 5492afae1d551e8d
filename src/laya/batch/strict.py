"""JSON, read as strictly as it is meant, and values made ready to be written as JSON."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn


def parse_json(text: str) -> Any:
    """Read one JSON value.

    Raises:
        ValueError: the text is not JSON, has a key twice in one object, or has a number that JSON does not know; the
            message is a clause without a subject ("is not JSON: ...").
    """
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_constant)
    except json.JSONDecodeError as exc:
        place = f"line {exc.lineno}, column {exc.colno}" if "\n" in text.rstrip() else f"column {exc.colno}"
        raise ValueError(f"is not JSON: {exc.msg} in {place}") from exc
    except RecursionError as exc:
        raise ValueError("cannot be used: it nests too deeply") from exc


def plain(value: Any) -> Any:
    """A value as JSON can write it: dates, bytes and numbers that are not finite become their texts."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if value is None or isinstance(value, (str, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(
                f"cannot be used: the key {key!r} occurs twice in one object; give each question, label and field a "
                "name of its own"
            )
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"cannot be used: {name} is not a JSON number")
