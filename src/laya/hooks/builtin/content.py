"""Digests of requests: equal for equal content and nothing else."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_FORMAT: Final = "laya-request-1"


def request_digests(shared: Iterable[Any], states: Iterable[Any]) -> list[str] | None:
    """SHA-256 of each state together with what all states of a call share.

    Types count (`1`, `1.0`, `True` and `"1"` differ), and so does the order of keys and items. The digests are the
    same in every process.

    Returns:
        One hexadecimal digest per state, or None where something is not plain JSON content, which has no digest.
    """
    try:
        base = hashlib.sha256(_canonical([_FORMAT, *shared]))
        digests = []
        for state in states:
            one = base.copy()
            one.update(_canonical(state))
            digests.append(one.hexdigest())
    except (TypeError, ValueError, RecursionError):
        return None
    return digests


def _canonical(value: Any) -> bytes:
    parts: list[str] = []
    _write(value, parts)
    return "".join(parts).encode("utf-8", "surrogatepass")


def _write(value: Any, parts: list[str]) -> None:
    kind = type(value)
    if kind is str:
        parts.append(f"s{len(value)}:{value}")  # the length keeps two strings from reading like one
    elif kind is dict:
        parts.append(f"d{len(value)};")
        for key, item in value.items():
            _write(key, parts)
            _write(item, parts)
    elif kind is list or kind is tuple:
        parts.append(f"{kind.__name__[0]}{len(value)};")
        for item in value:
            _write(item, parts)
    elif kind is int or kind is float or kind is bool or value is None:
        parts.append(f"{kind.__name__[0]}{value!r};")
    else:
        raise TypeError(f"{kind.__name__} is not JSON content")
