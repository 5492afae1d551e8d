"""The content of a question definition as a hashable key."""

from __future__ import annotations

from typing import Any


def content_key(definition: Any) -> Any:
    """Hashable copy of a definition that is equal for equal content only.

    Types count (`1`, `1.0`, `True` and `"1"` differ) and so does the order of keys and options. Only the plain JSON
    types and tuples have a key.

    Returns:
        The key, or None where the definition holds anything else, since such content may change or compare oddly.
    """
    try:
        return _frozen(definition)
    except (TypeError, RecursionError):
        return None


def _frozen(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return value
    if kind is dict:
        return (dict, tuple([(_frozen(key), _frozen(item)) for key, item in value.items()]))
    if kind is list or kind is tuple:
        return (kind, tuple([_frozen(item) for item in value]))
    if kind is int or kind is bool or value is None:
        return (kind, value)
    if kind is float:
        # Equality would merge 0.0 with -0.0 and part NaN from itself.
        return (kind, repr(value))
    raise TypeError(kind)
