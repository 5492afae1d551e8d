"""The work of `laya batch`: from checked options to a written output."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laya.batch.items import Fields, to_items
from laya.batch.readers import open_rows
from laya.batch.resume import Written, drop_written, read_written
from laya.batch.run import Asked, answer_items, check_questions
from laya.batch.writers import CsvWriter, JsonLinesWriter, JsonWriter, RecordWriter, flat_columns, open_writer
from laya.cli.asking import open_answerer
from laya.cli.console import ReaderGoneError, carries_unicode, is_terminal, note, one_line, to_reader
from laya.cli.progress import progress
from laya.cli.table_writer import TableWriter
from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from laya.batch.items import Item
    from laya.batch.readers import RowSource
    from laya.cli.asking import How, Whom
    from laya.cli.questions_file import QuestionSet

_REPORTED: Final = 20
"""Bad rows that are named on standard error."""
_SUFFIXES: Final = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".parquet": "parquet"}
_FLAT: Final = ("csv", "parquet", "table")


@dataclass(frozen=True, slots=True)
class Job:
    """What is read and written. `source` and `output` None are the standard streams."""

    source: Path | None
    source_format: str | None
    output: Path | None
    output_format: str | None
    text: str | None
    id: str
    keep_input: bool
    resume: bool
    overwrite: bool
    chunk: int
    quiet: bool

    @property
    def kind(self) -> str:
        """Format of the output.

        Raises:
            ArgumentError: its name does not say which, and no option does.
        """
        if self.output_format is not None:
            return self.output_format
        if self.output is None:
            return "jsonl"
        found = _SUFFIXES.get(self.output.suffix.lower())
        if found is None:
            raise ArgumentError(
                f"cannot tell what to write to {str(self.output)!r} from its name; the suffixes are "
                f"{', '.join(_SUFFIXES)}, or pass --format"
            )
        return found


def run_job(job: Job, questions: QuestionSet, whom: Whom, how: How) -> int:
    """Answer every row.

    Returns:
        The number of rows that could not be answered.

    Raises:
        LayaError: the options, the input as a whole, the output or the questions cannot work.
        ReaderGoneError: whoever read standard output has closed it.
    """
    _check(job)
    check_questions(questions.questions)
    fields = Fields(questions.state_of, job.text, job.id, own_questions=job.kind not in _FLAT)
    stdin = None if sys.stdin is None else sys.stdin.buffer
    with open_rows(job.source, stdin, kind=job.source_format) as source:
        written = read_written(job.output) if job.resume and job.output is not None else None
        items: Iterable[Item] = to_items(source, fields)
        if written is not None:
            items = drop_written(items, written)
        with open_answerer(whom, how) as answerer, _output(job, questions.questions, written) as writer:
            records = answer_items(items, Asked(answerer.many, questions.questions, job.keep_input), chunk=job.chunk)
            return _Run(job, source, written).write_all(records, writer)


def _check(job: Job) -> None:
    kind, output = job.kind, job.output
    if output is None:
        if job.resume or job.overwrite:
            raise ArgumentError("--resume and --overwrite are about a file; pass one with --output")
        if kind == "parquet":
            raise ArgumentError("Parquet cannot be written to standard output; pass a file with --output")
        return
    if job.resume and job.overwrite:
        raise ArgumentError("--resume and --overwrite exclude each other; pass one of them")
    if job.resume and kind != "jsonl":
        raise ArgumentError(f"--resume continues JSON Lines, not {kind}; write to a .jsonl file")
    if kind == "table":
        raise ArgumentError("a table is for reading and goes to standard output; leave out --output")
    if job.source is not None and output.exists() and job.source.exists() and output.samefile(job.source):
        raise ArgumentError(f"{str(output)!r} is the input; choose another output")
    if output.exists() and not job.resume and not job.overwrite and output.stat().st_size:
        raise ArgumentError(
            f"{str(output)!r} exists; pass --overwrite to replace it, or --resume to continue it", path=str(output)
        )


@contextlib.contextmanager
def _output(job: Job, questions: Any, written: Written | None) -> Iterator[RecordWriter]:
    if job.output is None:
        with to_reader():
            writer = _printer(job.kind, questions)
    else:
        at = None if written is None or not job.output.exists() else written.size
        writer = open_writer(job.output, job.kind, questions, at=at)
    try:
        yield writer
    except ReaderGoneError:
        raise
    except BaseException:
        # what was written stays readable; the failure matters more than that of finishing
        with contextlib.suppress(OSError, ValueError):
            writer.close()
        raise
    else:
        with to_reader():
            writer.close()


def _printer(kind: str, questions: Any) -> RecordWriter:
    """A writer to standard output."""
    if kind == "table":
        return TableWriter(sys.stdout, flat_columns(questions))
    if kind == "csv":
        return CsvWriter(sys.stdout, flat_columns(questions), keep_open=True)
    chosen = JsonWriter if kind == "json" else JsonLinesWriter
    return chosen(sys.stdout, ascii_only=not carries_unicode(), keep_open=True)


class _Run:
    """Writing the records of one job, and telling how it goes."""

    def __init__(self, job: Job, source: RowSource, written: Written | None) -> None:
        self._job = job
        self._source = source
        self._written = written
        self._done = 0
        self._failed = 0

    def write_all(self, records: Iterable[Sequence[dict[str, Any]]], writer: RecordWriter) -> int:
        """Write every chunk of records; the number of those that are errors."""
        # a bar between the lines of a terminal would spoil both
        wanted = not self._job.quiet and not (self._job.output is None and is_terminal(sys.stdout))
        try:
            with progress(self._source.total, wanted=wanted) as advance:
                for part in records:
                    with to_reader():
                        writer.write(part)
                    self._count(part)
                    advance(self._source.position(), self._done, self._failed)
        except KeyboardInterrupt:
            self._tell_interrupted()
            raise
        self._tell_end()
        return self._failed

    def _count(self, part: Sequence[dict[str, Any]]) -> None:
        self._done += len(part)
        for record in part:
            if "error" in record:
                self._failed += 1
                if self._failed <= _REPORTED and not self._job.quiet:
                    ident = f" (id {record['id']!r})" if "id" in record else ""
                    note(f"{self._source.unit} {record['row']}{ident}: {one_line(record['error']['message'])}")

    def _tell_interrupted(self) -> None:
        output = self._job.output
        if output is not None:
            again = "; run it again with --resume to go on" if self._job.kind == "jsonl" else ""
            note(f"interrupted after {self._done} rows, which are in {str(output)!r}{again}")

    def _tell_end(self) -> None:
        if self._failed:
            more = self._failed > _REPORTED and not self._job.quiet
            where = "; each has its error in the output" if more else ""
            note(f"{self._failed} of {self._done} rows could not be answered{where}")
        elif self._written is not None and self._written.row and not self._done:
            note(f"{str(self._job.output)!r} is complete already")
