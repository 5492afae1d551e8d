"""Copies of exceptions, for errors that reach several callers or say more on their way up."""

from __future__ import annotations

import copy
from typing import TypeVar

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
