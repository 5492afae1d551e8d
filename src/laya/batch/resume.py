"""Going on with an output that was cut: what it holds, and which rows are left."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from laya.batch.strict import parse_json, plain
from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from laya.batch.items import Item

_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class Written:
    """What an output file holds. Filled by `read_written`.

    Attributes:
        size: bytes up to the end of the last whole record; what follows is torn.
        row: number of the last row that was written, 0 for none.
        id: its id, None where it has none.
        name: path of the file.
    """

    size: int = 0
    row: int = 0
    id: Any = None
    name: str = ""


def read_written(path: Path) -> Written:
    """Look at the end of an output in JSON Lines. A last line that was cut does not count.

    Raises:
        ArgumentError: the file cannot be read, or its last whole line is not a record of a batch.
    """
    try:
        with path.open("rb") as file:
            end = _last_line_end(file, os.fstat(file.fileno()).st_size)
            if end == 0:
                return Written(name=str(path))
            start = _last_line_end(file, end - 1)
            file.seek(start)
            line = file.read(end - start)
    except FileNotFoundError:
        return Written(name=str(path))
    except OSError as exc:
        raise ArgumentError(f"cannot read {str(path)!r}: {exc.strerror}", path=str(path)) from exc
    record = _parsed(line)
    if not isinstance(record, dict) or type(record.get("row")) is not int:
        raise ArgumentError(
            f"the last whole line of {str(path)!r} is not a record of laya batch, so it cannot be continued; "
            "choose another output",
            path=str(path),
        )
    return Written(end, record["row"], record.get("id"), str(path))


def _parsed(line: bytes) -> Any:
    try:
        return parse_json(line.decode())
    except ValueError:  # UnicodeDecodeError is one
        return None


def _last_line_end(file: BinaryIO, size: int) -> int:
    """Position right after the last line feed before `size`; 0 where there is none."""
    while size > 0:
        start = max(0, size - _BLOCK)
        file.seek(start)
        found = file.read(size - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        size = start
    return 0


def drop_written(items: Iterable[Item], written: Written) -> Iterator[Item]:
    """The items that are not yet in the output.

    Raises:
        ArgumentError: the input is not the one that the output was made of.
    """
    seen = 0
    for item in items:
        if item.number > written.row:
            _check_seen(seen, written)
            yield item
            continue
        seen = item.number
        if seen == written.row and plain(item.id) != written.id:
            raise ArgumentError(
                f"row {seen} of the input has the id {item.id!r}, but {written.name!r} was written for an input where "
                f"it is {written.id!r}; pass the same input, or another output",
                path=written.name,
            )
    _check_seen(seen, written)


def _check_seen(seen: int, written: Written) -> None:
    if seen < written.row:
        raise ArgumentError(
            f"the input has no row {written.row}, but {written.name!r} holds its answer; pass the same input, or "
            "another output",
            path=written.name,
        )
