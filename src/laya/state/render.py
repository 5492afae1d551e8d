"""A state as the text that the encoder reads."""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple

from laya.errors import StateError, StateTypeError

JSON_KEYS = (str, int, float, type(None))
ADVICE = "use strings, numbers, booleans, None, lists and dicts"


class _Fault(NamedTuple):
    """Where a state cannot be written, and why."""

    path: str
    problem: str


def render_state(state: object, index: int) -> str:
    """Write a state as text: a string as it is, anything else as JSON with the keys in the caller's order.

    Args:
        state: a string, or a value of JSON types; tuples become arrays.
        index: position of the state in its batch, for errors.

    Raises:
        StateTypeError: the state is None.
        StateError: it holds something that JSON or UTF-8 cannot hold; the error has the path inside the state.
    """
    if state is None:
        raise StateTypeError(
            f"state must not be None; pass a string, dict, or list (state {index} is None)", index=index, path="$"
        )
    try:
        text = state if isinstance(state, str) else json.dumps(state, ensure_ascii=False, allow_nan=False)
        if not text.isascii():
            text.encode()
    except RecursionError as exc:
        raise StateError(f"state {index}: $ nests too deeply; pass a flatter value", index=index, path="$") from exc
    except (TypeError, ValueError) as exc:
        fault = _locate(state) or _Fault("$", f"cannot be written as JSON ({exc}); {ADVICE}")
        raise StateError(f"state {index}: {fault.path} {fault.problem}", index=index, path=fault.path) from exc
    return text


def _locate(state: Any) -> _Fault | None:
    try:
        return _find_fault(state, "$", ())
    except RecursionError:
        return None


def _find_fault(value: Any, path: str, parents: tuple[int, ...]) -> _Fault | None:
    """First part of `value` that cannot be written; `parents` are the ids of the containers around it."""
    if id(value) in parents:
        return _Fault(path, "holds itself; pass a value without cycles")
    inside = (*parents, id(value))
    if isinstance(value, dict):
        return _find_in_dict(value, path, inside)
    if isinstance(value, (list, tuple)):
        faults = (_find_fault(item, f"{path}[{i}]", inside) for i, item in enumerate(value))
        return next((fault for fault in faults if fault), None)
    problem = _leaf_problem(value)
    return _Fault(path, problem) if problem else None


def _find_in_dict(value: dict[Any, Any], path: str, inside: tuple[int, ...]) -> _Fault | None:
    for key, item in value.items():
        if not isinstance(key, JSON_KEYS):
            return _Fault(path, f"has the key {key!r}, a {type(key).__name__}; write keys as strings")
        problem = _leaf_problem(key)
        if problem:
            return _Fault(path, f"has a key that {problem}")
        step = f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{key!r}]"
        fault = _find_fault(item, path + step, inside)
        if fault:
            return fault
    return None


def _leaf_problem(value: object) -> str | None:
    """Why a scalar cannot be written, or None."""
    if isinstance(value, str):
        surrogate = next((c for c in value if "\ud800" <= c <= "\udfff"), None)
        if surrogate is None:
            return None
        return f"holds the lone surrogate {surrogate!a}, which is no character; decode the text again or replace it"
    if isinstance(value, float):
        return None if math.isfinite(value) else f"holds {float(value)!r}, which JSON cannot write; use None"
    if value is None or isinstance(value, int):
        return None
    kind = type(value).__name__
    article = "" if kind == "bytes" else "an " if kind[0] in "aeiouAEIOU" else "a "
    return f"holds {article}{kind}; {ADVICE}"
