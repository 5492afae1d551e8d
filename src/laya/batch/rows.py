"""One row of a file, before anything is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laya.errors import LayaError


@dataclass(frozen=True, slots=True)
class Row:
    """A row as it was read. Filled by the readers.

    Attributes:
        number: line number in JSON Lines and in lines, number of the record in CSV and Parquet; from 1.
        value: the JSON value, the text of the line, or a dict of column to value.
        error: what is wrong with the row, in place of a value.
    """

    number: int
    value: Any = None
    error: LayaError | None = None
