"""One JSON line for every call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError, ClosedError, LayaError
from laya.hooks.locks import ForkSafeLock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import Self

    from laya.hooks import PredictContext

PARTS: Final = ("answers", "routing", "messages", "questions", "states")
"""What `include` may name. The last three can hold text that users wrote."""

_ANSWER: Final = (
    "type", "choice", "score", "noul", "probabilities", "confidence", "answer_confidence", "abstention", "reliability"
)  # fmt: skip


class Audit:
    """Appends a JSON line per call to a file, also for calls that failed. Thread-safe; one process per file.

    A row has time, run_id, parent_run_id, request_id, model, elapsed_ms, skipped, usage, and error with its type,
    code, question and index. Text that users wrote is written only where `include` asks for it. A row is one write
    straight to the operating system. A call that fails after its row was written gets a second row with the error.

    Args:
        path: the file; its folder is made if it does not exist.
        max_bytes: size at which the file is renamed to `<name>.1`, `<name>.1` to `<name>.2` and so on; None never.
        backups: renamed files that are kept, at least 1; the oldest is removed.
        include: more to write: "answers" (labels and probabilities), "routing", "messages" (of exceptions),
            "questions", "states".

    Raises:
        ArgumentError: an argument has a value that cannot work.
        OSError: the file cannot be opened, or (from a call) written or renamed.
        ClosedError: from a call after `close()`.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        max_bytes: int | None = 50_000_000,
        backups: int = 5,
        include: Iterable[str] = ("answers",),
    ) -> None:
        parts = (include,) if isinstance(include, str) else tuple(include)
        for part in parts:
            if part not in PARTS:
                raise ArgumentError(f"include has no part {part!r}; it takes {', '.join(PARTS)}")
        if max_bytes is not None:
            _check_positive("max_bytes", max_bytes)
        _check_positive("backups", backups)
        self._include = frozenset(parts)
        self._max_bytes, self._backups = max_bytes, backups
        self._path = Path(path)
        self._lock = ForkSafeLock()
        self._closed = False
        self._slot = f"laya.audit.{id(self)}"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._open()

    def on_predict_end(self, ctx: PredictContext) -> None:
        """Write the row of the call."""
        self._write(self._row(ctx))
        ctx.scratch[self._slot] = True

    def on_error(self, ctx: PredictContext) -> None:
        """Write a second row where the call fails although its row says that it went well."""
        if self._slot in ctx.scratch:
            self._write(self._row(ctx))

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        with self._lock:
            self._closed = True
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _row(self, ctx: PredictContext) -> dict[str, Any]:
        row: dict[str, Any] = {
            "time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
            "run_id": ctx.run_id,
            "parent_run_id": ctx.parent_run_id,
            "request_id": ctx.request_id,
            "model": ctx.model,
            "elapsed_ms": ctx.elapsed_ms,
            "skipped": ctx.skipped,
            "usage": ctx.usage,
            "error": None if ctx.error is None else self._error(ctx.error),
        }
        results = ctx.results if ctx.error is None and ctx.results else []
        if "answers" in self._include:
            row["answers"] = [_compact(result) for result in results]
        if "routing" in self._include:
            row["routing"] = ctx.decision
        if "questions" in self._include:
            row["questions"] = ctx.questions
        if "states" in self._include:
            row["states"] = ctx.states
        return row

    def _error(self, error: BaseException) -> dict[str, Any]:
        found: dict[str, Any] = {"type": type(error).__name__}
        if isinstance(error, LayaError):
            found |= {"code": error.code, "question": error.question, "index": error.index}
        if "messages" in self._include:
            found["message"] = str(error)
        return found

    def _write(self, row: Mapping[str, Any]) -> None:
        line = (_dumps(row) + "\n").encode("ascii")
        with self._lock:
            if self._closed:
                raise ClosedError(f"the audit file {self._path} is closed; make a new Audit to go on")
            try:
                if self._max_bytes is not None and self._size and self._size + len(line) > self._max_bytes:
                    self._rotate()
            finally:  # a rename that fails must not cost the row
                self._append(line)

    def _append(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            written = self._file.write(rest)
            self._size += written
            rest = rest[written:]

    def _open(self) -> None:
        self._file = self._path.open("ab+", buffering=0)
        self._size = self._file.seek(0, 2)
        if self._size:
            self._file.seek(-1, 2)
            if self._file.read(1) != b"\n":  # a crash cut the last row: keep the next one apart from it
                self._append(b"\n")

    def _rotate(self) -> None:
        self._file.close()
        try:
            for number in range(self._backups, 0, -1):
                source = self._path if number == 1 else self._backup(number - 1)
                if source.exists():
                    source.replace(self._backup(number))
        finally:
            self._open()

    def _backup(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")


def _compact(result: Mapping[str, Any]) -> dict[Any, Any]:
    return {
        qid: {name: answer[name] for name in _ANSWER if name in answer} if isinstance(answer, Mapping) else answer
        for qid, answer in result["answers"].items()
    }


def _dumps(row: Mapping[str, Any]) -> str:
    try:
        return json.dumps(row, default=str, allow_nan=False)
    except (TypeError, ValueError, RecursionError):  # a state or label that JSON cannot hold must not cost the row
        return json.dumps({name: value if _plain(value) else repr(value) for name, value in row.items()})


def _plain(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return False
    return True


def _check_positive(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(f"{name} must be a positive int, got {value!r}")
