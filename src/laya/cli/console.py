"""Standard streams: what is written where, and what happens when nobody reads it any more."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TextIO

    from rich.console import RenderableType


_WIDE: Final = 10_000
"""Columns where there is no terminal whose width could be asked for."""


class ReaderGoneError(Exception):
    """Whoever read standard output has closed it."""


def write(text: str) -> None:
    """Print to standard output at once.

    Raises:
        ReaderGoneError: it is closed.
    """
    with to_reader():
        print(text)
        sys.stdout.flush()


def write_json(value: Any, *, lines: bool = False) -> None:
    """Print a value as JSON: indented, or on one line."""
    write(json.dumps(value, ensure_ascii=not carries_unicode(), indent=None if lines else 2))


def write_rich(what: RenderableType, *, width: int = _WIDE) -> None:
    """Print a rich renderable: in colour on a terminal, plain and `width` columns wide anywhere else."""
    from rich.console import Console  # noqa: PLC0415 - costs a tenth of a second

    console = Console(file=sys.stdout, highlight=False)
    if not console.is_terminal:
        console = Console(file=sys.stdout, highlight=False, width=width, color_system=None)
    # rich would end the process on a closed pipe, and stumble over what the encoding cannot carry
    with console.capture() as shown:
        console.print(what)
    encoding = sys.stdout.encoding or "utf-8"
    lines = shown.get().rstrip("\n").splitlines()
    write("\n".join(line.rstrip() for line in lines).encode(encoding, "replace").decode(encoding))


def write_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print rows under column names, or without a header where these are blank; None is shown as a dash."""
    from rich.table import Table  # noqa: PLC0415 - see above
    from rich.text import Text  # noqa: PLC0415 - see above

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_header=any(columns))
    for i, column in enumerate(columns):
        numbers = bool(rows) and all(isinstance(row[i], int | float) or row[i] is None for row in rows)
        table.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell(value)) for value in row))
    write_rich(table)


def cell(value: Any) -> str:
    """A value as one printable line: control characters of somebody's text must not reach the terminal."""
    if value is None:
        return "-"
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return "".join(c if c.isprintable() else " " for c in text)


def note(message: str) -> None:
    """Say something on standard error."""
    # where nobody can be told, there is nothing to be done about it
    with contextlib.suppress(OSError, ValueError):
        print(f"laya: {message}", file=sys.stderr, flush=True)


def one_line(message: str) -> str:
    """A message on one line, unless it is a list with indented lines."""
    return message if "\n  " in message else " ".join(message.split())


@contextlib.contextmanager
def to_reader() -> Iterator[None]:
    """Turn a closed pipe into ReaderGoneError, and keep Python from complaining about it at exit."""
    try:
        yield
    except BrokenPipeError:
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise ReaderGoneError from None


def carries_unicode() -> bool:
    """Whether standard output can hold every character."""
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody looks at a stream."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # it is closed
        return False


def standard_input() -> str:
    """All of standard input as text; empty at a terminal, which is not waited for.

    Raises:
        ArgumentError: it is not UTF-8.
    """
    if sys.stdin is None or is_terminal(sys.stdin):
        return ""
    raw = sys.stdin.buffer.read()
    try:
        return raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError as exc:
        line = raw[: exc.start].count(b"\n") + 1
        raise ArgumentError(
            f"standard input is not UTF-8 (byte {exc.start + 1}, in line {line}); convert it to UTF-8"
        ) from exc
