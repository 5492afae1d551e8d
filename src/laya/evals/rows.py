"""What an evaluation asks: rows of one question with its answer, in tasks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Row:
    """One question about one state, with its answer."""

    state: Any
    question: Mapping[str, Any]
    """Definition of the question, as `predict` takes it."""
    answer: Any
    """choice: the label; score: the level; noul: True or False."""


@dataclass(frozen=True, slots=True)
class Task:
    """Rows of one kind."""

    name: str
    kind: Literal["choice", "score", "noul"]
    rows: tuple[Row, ...]
