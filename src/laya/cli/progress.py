"""How far a long command is: a bar on standard error, where somebody looks at it."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from laya.cli.console import is_terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Advance = Callable[[int, int, int], None]
    """Called with the position in the input, the rows done and the rows that failed."""


@contextlib.contextmanager
def progress(total: int | None, *, wanted: bool) -> Iterator[Advance]:
    """Show a bar.

    Args:
        total: size of the input, in the unit of the positions; None where it is not known.
        wanted: whether to show anything at all; nothing is shown on what is no terminal.
    """
    if not wanted or not is_terminal(sys.stderr):
        yield lambda _position, _done, _failed: None
        return
    from rich.console import Console  # noqa: PLC0415 - costs a tenth of a second
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415 - as above

    columns = (BarColumn(), TextColumn("{task.percentage:>3.0f}%") if total else TextColumn(""), TimeElapsedColumn())
    with Progress(*columns, TextColumn("{task.description}"), console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("0 rows", total=total)

        def advance(position: int, done: int, failed: int) -> None:
            said = f"{done} rows" + (f", {failed} failed" if failed else "")
            bar.update(task, completed=position, description=said)

        yield advance
