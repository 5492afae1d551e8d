"""Errors that reach several callers, say more on their way up, or meet failing hooks there."""

from __future__ import annotations

import copy
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from laya.hooks.failures import join, reraise, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

E = TypeVar("E", bound=Exception)


def copy_error(error: E) -> E:
    """An equal exception with a traceback of its own, whose `__cause__` is the original."""
    try:
        mine = copy.copy(error)
    except Exception:  # its constructor takes something else than its `args`
        kind = type(error)
        mine = kind.__new__(kind, *error.args)
        mine.__dict__.update(error.__dict__)
    mine.__cause__ = error
    return mine


@contextmanager
def beside(error: BaseException | None) -> Iterator[None]:
    """Run a block while an error, if any, is on its way up.

    A failure of the block goes to the far end of the error's `__context__` chain; only an interrupt comes before it.
    """
    original = [] if error is None else walk(error)
    try:
        yield
    except BaseException as failure:
        first = join([failure], original)
        if first is not None and first is not error:
            reraise(first)
