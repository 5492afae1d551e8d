"""Records to a file: JSON Lines, one JSON array, or flat columns in CSV and Parquet."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

from laya.errors import ArgumentError
from laya.extras import require

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    Record = Mapping[str, Any]

_FIRST: Final = ("row", "id")
_LAST: Final = "error"
_VALUE_OF: Final = {"choice": "choice", "score": "score", "noul": "noul"}


class RecordWriter(Protocol):
    """Takes the records of a batch, chunk after chunk. What was given to `write` is in the file when it returns."""

    def write(self, records: Sequence[Record]) -> None:
        """Write some records."""

    def close(self) -> None:
        """Finish the file."""


def open_writer(path: Path, kind: str, questions: Mapping[Any, Any], *, at: int | None = None) -> RecordWriter:
    """Open a file for records.

    Args:
        path: the file; it is made, or replaced.
        kind: "jsonl", "json", "csv" or "parquet".
        questions: the questions that are asked, for the columns of flat files.
        at: continue an existing file after this many bytes instead, dropping what follows; JSON Lines only.

    Raises:
        ArgumentError: the file cannot be written.
        MissingExtraError: a Parquet file, and pyarrow is not installed.
    """
    if kind == "parquet":
        return ParquetWriter(path, flat_columns(questions))
    try:
        binary = path.open("wb" if at is None else "r+b")
        if at is not None:
            binary.truncate(at)
            binary.seek(at)
    except OSError as exc:
        raise ArgumentError(f"cannot write {str(path)!r}: {exc.strerror}; pass another output", path=str(path)) from exc
    # a lone surrogate of an input becomes its JSON escape
    file = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
    if kind == "csv":
        return CsvWriter(file, flat_columns(questions))
    return JsonWriter(file) if kind == "json" else JsonLinesWriter(file)


class JsonLinesWriter:
    """One record a line.

    Args:
        file: where to write.
        ascii_only: write characters outside ASCII as escapes.
        keep_open: leave the file open at the end, for standard output.
    """

    def __init__(self, file: TextIO, *, ascii_only: bool = False, keep_open: bool = False) -> None:
        self._file = file
        self._ascii = ascii_only
        self._keep_open = keep_open

    def write(self, records: Sequence[Record]) -> None:
        """Write some records, and flush."""
        self._file.write("".join(f"{json.dumps(record, ensure_ascii=self._ascii)}\n" for record in records))
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        _finish(self._file, keep_open=self._keep_open)


class JsonWriter:
    """One array of all records. The arguments are those of `JsonLinesWriter`."""

    def __init__(self, file: TextIO, *, ascii_only: bool = False, keep_open: bool = False) -> None:
        self._file = file
        self._ascii = ascii_only
        self._keep_open = keep_open
        self._before = "[\n"

    def write(self, records: Sequence[Record]) -> None:
        """Write some records, and flush."""
        for record in records:
            self._file.write(f"{self._before}{json.dumps(record, ensure_ascii=self._ascii)}")
            self._before = ",\n"
        self._file.flush()

    def close(self) -> None:
        """End the array and close the file."""
        self._file.write("[]\n" if self._before == "[\n" else "\n]\n")
        _finish(self._file, keep_open=self._keep_open)


class CsvWriter:
    """One line a record, in columns.

    Args:
        file: where to write, opened with newline="" if it is a file.
        columns: what `flat_columns` returned.
        keep_open: leave the file open at the end, for standard output.
    """

    def __init__(self, file: TextIO, columns: Mapping[str, str], *, keep_open: bool = False) -> None:
        self._file = file
        self._keep_open = keep_open
        self._columns = columns
        self._csv = csv.writer(file, lineterminator="\n")
        self._csv.writerow(columns)

    def write(self, records: Sequence[Record]) -> None:
        """Write some records, and flush."""
        for record in records:
            flat = flat_record(record, self._columns)
            self._csv.writerow(["" if value is None else value for value in flat.values()])
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        _finish(self._file, keep_open=self._keep_open)


class ParquetWriter:
    """One row a record, in typed columns; each `write` is a row group.

    Args:
        path: the file.
        columns: what `flat_columns` returned.

    Raises:
        ArgumentError: the file cannot be written.
        MissingExtraError: pyarrow is not installed.
    """

    def __init__(self, path: Path, columns: Mapping[str, str]) -> None:
        arrow = require("pyarrow", "parquet", "Writing Parquet files")
        parquet = require("pyarrow.parquet", "parquet", "Writing Parquet files")
        types = {"int": arrow.int64(), "float": arrow.float64(), "str": arrow.string()}
        self._columns = columns
        self._schema = arrow.schema([(name, types[kind]) for name, kind in columns.items()])
        self._table: Callable[..., Any] = arrow.Table.from_pylist
        try:
            self._writer: Any = parquet.ParquetWriter(path, self._schema)
        except OSError as exc:
            raise ArgumentError(f"cannot write {str(path)!r}: {exc}; pass another output", path=str(path)) from exc

    def write(self, records: Sequence[Record]) -> None:
        """Write some records as a row group."""
        flat = [_texts(flat_record(record, self._columns), self._columns) for record in records]
        self._writer.write_table(self._table(flat, schema=self._schema))

    def close(self) -> None:
        """Write the end of the file, without which it cannot be read."""
        self._writer.close()


def _finish(file: TextIO, *, keep_open: bool) -> None:
    if keep_open:
        file.flush()
    else:
        file.close()


def flat_columns(questions: Mapping[Any, Any]) -> dict[str, str]:
    """Columns of flat files: name to "int", "float" or "str".

    `row` and `id`; for each question its value (the label, the score, or the probability that it holds) and
    `<question>.confidence`; `error`.

    Raises:
        ArgumentError: a question's id is the name of another column.
    """
    columns = {"row": "int", "id": "str", _LAST: "str"}
    for qid, definition in questions.items():
        kind = definition.get("type") if isinstance(definition, dict) else None
        for name, type_name in ((str(qid), "str" if kind == "choice" else "float"), (f"{qid}.confidence", "float")):
            if name in columns:
                raise ArgumentError(f"question {qid!r} needs the column {name!r}, which is taken; write JSON Lines")
            columns[name] = type_name
    columns[_LAST] = columns.pop(_LAST)
    return columns


def flat_record(record: Record, columns: Mapping[str, str]) -> dict[str, Any]:
    """A record as a value for each column, None where it has none.

    Raises:
        ArgumentError: it has an answer that no column is for.
    """
    flat: dict[str, Any] = dict.fromkeys(columns)
    flat.update({name: record[name] for name in _FIRST if name in record})
    if _LAST in record:
        flat[_LAST] = record[_LAST]["message"]
    for qid, answer in record.get("answers", {}).items():
        if str(qid) not in columns:
            raise ArgumentError(
                f"row {record['row']} answers the question {qid!r} of its own, which has no column; write JSON Lines"
            )
        flat[str(qid)] = answer.get(_VALUE_OF.get(answer.get("type"), ""))
        flat[f"{qid}.confidence"] = answer.get("confidence")
    return flat


def _texts(flat: dict[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """The same with a text wherever the column is one: ids and labels may be numbers."""
    return {name: str(value) if value is not None and columns[name] == "str" else value for name, value in flat.items()}
