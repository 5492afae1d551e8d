"""Rows of a file, one at a time: JSON Lines, CSV, Parquet, or plain lines.

A row that cannot be read becomes a `Row` with an error; what makes a whole file unreadable is raised. Text is UTF-8,
with or without a byte order mark, with any line ends.
"""

from __future__ import annotations

import csv
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from laya.batch.rows import Row
from laya.batch.strict import parse_json
from laya.errors import ArgumentError, StateError
from laya.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from typing_extensions import Self

FORMATS: Final = ("jsonl", "csv", "tsv", "parquet", "lines")
_SUFFIXES: Final = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".csv": "csv", ".tsv": "tsv",
    ".parquet": "parquet", ".pq": "parquet", ".txt": "lines",
}  # fmt: skip
_BOM: Final = b"\xef\xbb\xbf"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_LONGEST_FIELD: Final = 1 << 24
"""Characters of a CSV field: what a quote that is never closed may swallow before it is an error."""
_PARQUET_ROWS: Final = 1024
"""Rows of a Parquet file that are in memory at once."""


def format_of(path: Path) -> str:
    """The format that a file's name says.

    Raises:
        ArgumentError: its suffix is not one of those that are known.
    """
    found = _SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise ArgumentError(
            f"cannot tell the format of {str(path)!r} from its name; the suffixes are {', '.join(_SUFFIXES)}, or name "
            f"the format: {', '.join(FORMATS)}",
            path=str(path),
        )
    return found


@dataclass(slots=True)
class RowSource:
    """Rows that are being read, and how far reading has come. A context manager.

    Attributes:
        name: path of the file, or "standard input".
        unit: what a row is called in messages: "line" or "row".
        total: size in `position()`'s unit (bytes, or rows of a Parquet file), None where it is not known.
        position: how much has been read.
    """

    name: str
    unit: str
    total: int | None
    position: Callable[[], int]
    _rows: Iterator[Row]
    _close: Callable[[], None]

    def __iter__(self) -> Iterator[Row]:
        return self._rows

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._close()


def open_rows(path: Path | None, stdin: BinaryIO | None = None, *, kind: str | None = None) -> RowSource:
    """Open a file for reading row by row.

    Args:
        path: the file; None reads `stdin`.
        stdin: binary stream for a `path` of None; the caller's to close.
        kind: one of `FORMATS`; None takes what the name says, and "jsonl" for `stdin`.

    Raises:
        ArgumentError: the file cannot be read, its format is unknown or cannot come from a stream, or it is UTF-16.
        MissingExtraError: a Parquet file, and pyarrow is not installed.
    """
    if kind is not None and kind not in FORMATS:
        raise ArgumentError(f"unknown input format {kind!r}; use one of {', '.join(FORMATS)}")
    if path is None:
        if stdin is None:
            raise ArgumentError("there is no standard input to read; pass a file")
        return _text_source(stdin, "standard input", kind or "jsonl", None, lambda: None)
    chosen = kind or format_of(path)
    if chosen == "parquet":
        return _parquet_source(path)
    try:
        file = path.open("rb")
    except OSError as exc:
        raise ArgumentError(f"cannot read {str(path)!r}: {exc.strerror}; pass a file", path=str(path)) from exc
    size = os.fstat(file.fileno()).st_size
    return _text_source(file, str(path), chosen, size or None, file.close)


def _text_source(file: BinaryIO, name: str, kind: str, total: int | None, close: Callable[[], None]) -> RowSource:
    if kind == "parquet":
        raise ArgumentError("Parquet cannot be read from standard input, as it is read from its end; pass a file")
    lines = _Lines(file, name)
    readers = {"jsonl": _json_rows, "lines": _line_rows, "csv": _csv_rows, "tsv": _tsv_rows}
    unit = "line" if kind in {"jsonl", "lines"} else "row"
    return RowSource(name, unit, total, lambda: lines.position, readers[kind](lines), close)


class _Lines:
    """Lines of a binary stream without their ends, and how many bytes were read."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._file = file
        self.name = name
        self.position = 0
        self.number = 0

    def __iter__(self) -> Iterator[bytes]:
        for line in self._file:
            self.position += len(line)
            self.number += 1
            if self.number == 1:
                if line.startswith(_UTF16):
                    raise ArgumentError(f"{self.name} is UTF-16; convert it to UTF-8", path=self.name)
                yield line.removeprefix(_BOM)
            else:
                yield line


def _json_rows(lines: _Lines) -> Iterator[Row]:
    for raw in lines:
        text = _text_of(raw, lines.number)
        if isinstance(text, Row):
            yield text
        elif text.strip():
            try:
                yield Row(lines.number, parse_json(text.strip()))
            except ValueError as exc:
                yield Row(lines.number, error=StateError(str(exc)))


def _line_rows(lines: _Lines) -> Iterator[Row]:
    for raw in lines:
        text = _text_of(raw, lines.number)
        if isinstance(text, Row):
            yield text
        elif text.strip():
            yield Row(lines.number, text.rstrip("\r\n"))


def _text_of(raw: bytes, number: int) -> str | Row:
    try:
        return raw.decode()
    except UnicodeDecodeError as exc:
        return Row(number, error=StateError(f"is not UTF-8 (byte {exc.start + 1} of the line); convert it to UTF-8"))


def _tsv_rows(lines: _Lines) -> Iterator[Row]:
    return _csv_rows(lines, delimiter="\t")


def _csv_rows(lines: _Lines, delimiter: str = ",") -> Iterator[Row]:
    csv.field_size_limit(max(_LONGEST_FIELD, csv.field_size_limit()))
    # bytes that are not UTF-8 pass the parser as surrogates, so that they spoil their own record alone
    records = csv.reader((raw.decode(errors="surrogateescape") for raw in lines), delimiter=delimiter)
    header = _header(records, lines)
    number = 0
    while True:
        try:
            fields = next(records, None)
        except csv.Error as exc:
            number += 1
            yield Row(number, error=StateError(f"is not CSV, near line {lines.number}: {exc}"))
            continue
        if fields is None:
            return
        if fields:
            number += 1
            yield _csv_row(number, fields, header, lines.number)


def _header(records: Iterator[list[str]], lines: _Lines) -> list[str]:
    try:
        header = next((fields for fields in records if fields), [])
    except csv.Error as exc:
        raise ArgumentError(f"the header of {lines.name} is not CSV: {exc}", path=lines.name) from exc
    repeated = next((name for i, name in enumerate(header) if name in header[:i]), None)
    if repeated is not None:
        raise ArgumentError(
            f"the header of {lines.name} has the column {repeated!r} twice; rename one", path=lines.name
        )
    if any(not _is_clean(name) for name in header):
        raise ArgumentError(f"the header of {lines.name} is not UTF-8; convert the file to UTF-8", path=lines.name)
    return header


def _csv_row(number: int, fields: list[str], header: list[str], line: int) -> Row:
    if not all(map(_is_clean, fields)):
        return Row(number, error=StateError(f"is not UTF-8 (line {line} of the file); convert it to UTF-8"))
    if len(fields) != len(header):
        return Row(
            number,
            error=StateError(f"has {len(fields)} fields, the header {len(header)} (line {line} of the file)"),
        )
    return Row(number, dict(zip(header, fields, strict=True)))


def _is_clean(text: str) -> bool:
    return text.isascii() or not any("\udc80" <= c <= "\udcff" for c in text)


def _parquet_source(path: Path) -> RowSource:
    parquet = require("pyarrow.parquet", "parquet", "Reading Parquet files")
    try:
        file: Any = parquet.ParquetFile(path)
    except (OSError, ValueError) as exc:  # pyarrow's own errors are ValueErrors
        raise ArgumentError(f"cannot read {str(path)!r} as Parquet: {exc}", path=str(path)) from exc
    read = [0]

    def rows() -> Iterator[Row]:
        for batch in file.iter_batches(batch_size=_PARQUET_ROWS):
            for value in batch.to_pylist():
                read[0] += 1
                yield Row(read[0], value)

    return RowSource(str(path), "row", file.metadata.num_rows or None, lambda: read[0], rows(), file.close)
