"""Copies that share nothing mutable with their source: what keeps a hook's objects apart from the caller's."""

from __future__ import annotations

import copy
from types import NoneType
from typing import Any, Final

_ATOMS: Final = frozenset({NoneType, bool, int, float, complex, str, bytes})


class Copier:
    """Copies values; what is shared inside or between the values it is given stays shared between the copies.

    Args:
        deep: also copy objects that are not built-in containers. Such an object that refuses to be copied is kept.
    """

    __slots__ = ("_deep", "_keep", "_memo")

    def __init__(self, *, deep: bool = True) -> None:
        self._deep = deep
        self._memo: dict[int, Any] = {}
        self._keep: list[Any] = []  # a source must outlive the memo, or its id could be taken by another object

    def __call__(self, value: Any) -> Any:
        """Copy one value."""
        kind = type(value)
        if kind in _ATOMS:
            return value
        known = self._memo.get(id(value), self)
        if known is not self:
            return known
        self._keep.append(value)
        container = _CONTAINERS.get(kind)
        if container is not None:
            return container(self, value)
        return self._other(value) if self._deep else value

    def copy_dict(self, value: dict[Any, Any]) -> dict[Any, Any]:
        """Copy a dict; its keys are kept."""
        # The copy is taken in one step, since an abandoned hook may be changing the source in its own thread.
        self._memo[id(value)] = new = value.copy()
        for key, item in [pair for pair in new.items() if type(pair[1]) not in _ATOMS]:
            new[key] = self(item)
        return new

    def copy_list(self, value: list[Any]) -> list[Any]:
        """Copy a list."""
        self._memo[id(value)] = new = value.copy()
        for index, item in enumerate(new):
            if type(item) not in _ATOMS:
                new[index] = self(item)
        return new

    def copy_tuple(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """Copy a tuple."""
        return tuple([self(item) for item in value])

    def copy_set(self, value: Any) -> Any:
        """Copy a set or frozenset."""
        return type(value)(value)  # members are hashable: nothing in them can be changed

    def _other(self, value: Any) -> Any:
        try:
            new = copy.deepcopy(value, self._memo)
        except Exception:
            new = value
        self._memo[id(value)] = new
        return new


_CONTAINERS: Final[dict[type, Any]] = {
    dict: Copier.copy_dict,
    list: Copier.copy_list,
    tuple: Copier.copy_tuple,
    set: Copier.copy_set,
    frozenset: Copier.copy_set,
}


def detach(value: Any) -> Any:
    """Copy a JSON-like value deeply.

    Objects that cannot be copied, such as locks, are kept as they are; so is what lies too deep for Python's stack.
    """
    try:
        return value if type(value) in _ATOMS else _copy_tree(value)
    except RuntimeError:  # it holds itself, is very deep, or was changed in another thread meanwhile
        return _copy_graph(value)


def _copy_graph(value: Any) -> Any:
    try:
        return Copier()(value)
    except RecursionError:
        return copy.copy(value)


def _copy_tree(value: Any) -> Any:
    # The fast way for the usual case: plain containers, nothing shared. Loops, since they beat comprehensions here.
    kind = type(value)
    if kind is dict:
        new = value.copy()
        for key, item in value.items():
            if type(item) not in _ATOMS:
                new[key] = _copy_tree(item)
        return new
    if kind is list:
        new = value.copy()
        for index, item in enumerate(value):
            if type(item) not in _ATOMS:
                new[index] = _copy_tree(item)
        return new
    return Copier()(value)
