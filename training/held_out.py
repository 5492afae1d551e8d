"""Families that no example is trained on: they say when to stop, and the temperatures are fitted on them.

Whole label sets and whole concepts are kept out, never rows of trained ones: rows of trained families flatter.
"""

from __future__ import annotations

from typing import Final

HELD_OUT: Final[tuple[str, ...]] = ()
