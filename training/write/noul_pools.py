"""Pools of texts: rows of the sets by label, read when they are first drawn from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.write.noul_states import Item, items, kept

if TYPE_CHECKING:
    from training.write.noul_bind import Pool

Test = Callable[[dict[str, Any]], bool]
FACTUAL: Final = ("permissive/conjnli", "permissive/strategyqa")
"""Sets of encyclopedic sentences: no feeling, no request, no advert."""
PLAIN: Final = (*FACTUAL, "clinc150", "permissive/medquad", "permissive/disfl_qa")
"""Sets whose texts are free of nearly everything that one may ask for."""


@cache
def every(name: str) -> tuple[Item, ...]:
    """All rows of a set as items, in the order of `kept`."""
    return items(name, kept(name))


def pool(name: str, test: Test) -> Pool:
    """The rows of a set that pass a test."""
    return lru_cache(maxsize=1)(
        lambda: tuple(item for row, item in zip(kept(name), every(name), strict=True) if test(row))
    )


def labelled(name: str, *labels: object) -> Pool:
    """The rows of a set with one of the labels."""
    wanted = frozenset(labels)
    return pool(name, lambda row: row["label"] in wanted)


def tagged(name: str, field: str, *, any_of: Sequence[str] = (), none_of: Sequence[str] = ()) -> Pool:
    """The rows of a set whose list of labels meets one of `any_of`, if given, and none of `none_of`."""
    wanted, barred = frozenset(any_of), frozenset(none_of)

    def test(row: dict[str, Any]) -> bool:
        labels = row[field]
        return barred.isdisjoint(labels) and (not wanted or not wanted.isdisjoint(labels))

    return pool(name, test)


def union(*pools: Pool, even: bool = False) -> Pool:
    """Several pools as one; `even` thins each out to the size of the smallest, but to no less than 500."""

    def joined() -> tuple[Item, ...]:
        parts = [part() for part in pools]
        least = max(500, min(map(len, parts))) if even else max(map(len, parts))
        return tuple(item for part in parts for item in part[:: max(1, len(part) // least)][:least])

    return lru_cache(maxsize=1)(joined)


def whole(name: str) -> Pool:
    """All rows of a set."""
    return lambda: every(name)


def factual() -> Pool:
    """Encyclopedic sentences."""
    return union(*(whole(name) for name in FACTUAL), even=True)


def plain() -> Pool:
    """Texts of many kinds, without tone or request."""
    return union(*(whole(name) for name in PLAIN), even=True)
