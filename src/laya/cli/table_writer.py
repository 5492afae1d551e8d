"""Records as aligned columns, row after row: the widths are set before the first row is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TextIO

from rich.cells import set_cell_size

from laya.batch.writers import flat_record
from laya.cli.console import cell

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WIDTHS: Final = {"int": 7, "float": 8, "str": 16}
_CONFIDENCE: Final = ".confidence"


class TableWriter:
    """Prints records; the last column, the error, is not cut.

    Args:
        file: where to print.
        columns: what `flat_columns` returned; confidences are left out.
    """

    def __init__(self, file: TextIO, columns: Mapping[str, str]) -> None:
        self._file = file
        self._columns = columns
        shown = {name: kind for name, kind in columns.items() if not name.endswith(_CONFIDENCE)}
        self._widths = {name: max(len(name), _WIDTHS[kind]) for name, kind in shown.items()}
        self._print({name: name for name in shown})

    def write(self, records: Sequence[Mapping[str, Any]]) -> None:
        """Print some records, and flush."""
        for record in records:
            self._print(flat_record(record, self._columns))
        self._file.flush()

    def close(self) -> None:
        """Flush; the file stays open."""
        self._file.flush()

    def _print(self, values: Mapping[str, Any]) -> None:
        *names, last = self._widths
        parts = [set_cell_size(_shown(values[name]), self._widths[name]) for name in names]
        line = "  ".join([*parts, "" if values[last] is None else cell(values[last])]).rstrip()
        encoding = self._file.encoding or "utf-8"
        self._file.write(f"{line.encode(encoding, 'replace').decode(encoding)}\n")


def _shown(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else cell(value)
