"""Reusable threads that run hooks under a timeout, and the count of runs that were left behind."""

from __future__ import annotations

import logging
import os
import threading
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from laya.hooks.locks import ForkSafeLock
from laya.hooks.protocol import HookWrapper

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger("laya.hooks")

MAX_STUCK: Final = 8
"""Runs of one hook that may be left behind at a time; further ones fail at once."""

IDLE_SECONDS: Final = 30.0
"""How long an idle worker waits for work before it ends."""


class Outcome:
    """What a run of foreign code came to: a value or an error, settled once, from any thread."""

    __slots__ = ("_late", "_mutex", "_ready", "error", "value")

    def __init__(self) -> None:
        self.value: Any = None
        self.error: BaseException | None = None
        self._mutex = threading.Lock()
        self._ready = threading.Event()
        self._late: Callable[[Outcome], None] | None = None

    def settle(self, value: Any = None, error: BaseException | None = None) -> None:
        """Set the value or the error; only the first time counts."""
        with self._mutex:
            if self._ready.is_set():
                return
            self.value, self.error = value, error
            late = self._late
            self._ready.set()
        if late is not None:
            late(self)

    def wait(self, timeout: float | None) -> bool:
        """Wait up to `timeout` seconds; True once settled."""
        return self._ready.wait(timeout)

    def abandon(self, late: Callable[[Outcome], None]) -> bool:
        """Stop waiting for it.

        Args:
            late: called with the outcome by whoever settles it.

        Returns:
            False when it is settled already; `late` is not called then.
        """
        with self._mutex:
            if self._ready.is_set():
                return False
            self._late = late
            return True


class _Worker(threading.Thread):
    def __init__(self, pool: Pool) -> None:
        super().__init__(name="laya-hook-worker", daemon=True)
        self.jobs: SimpleQueue[tuple[Callable[[], Any], Outcome]] = SimpleQueue()
        self._pool = pool

    def run(self) -> None:
        while True:
            try:
                call, outcome = self.jobs.get(timeout=self._pool.idle_seconds)
            except Empty:
                if self._pool.retire(self):
                    return
                continue
            self._work(call, outcome)
            del call, outcome  # an idle worker keeps nothing of a call alive

    def _work(self, call: Callable[[], Any], outcome: Outcome) -> None:
        value, error = None, None
        try:
            value = call()
        except BaseException as exc:
            error = exc
        self._pool.put_back(self)
        try:
            outcome.settle(value, error)
        finally:
            del error  # it holds this frame


class Pool:
    """Worker threads that are used again.

    Args:
        idle_seconds: how long an idle worker waits for work before it ends.
    """

    def __init__(self, idle_seconds: float = IDLE_SECONDS) -> None:
        self.idle_seconds = idle_seconds
        self._mutex = ForkSafeLock()
        self._idle: list[_Worker] = []

    def submit(self, call: Callable[[], Any], outcome: Outcome) -> None:
        """Run a call on an idle worker, or on a new one if all are busy."""
        with self._mutex:
            worker = self._idle.pop() if self._idle else None
        if worker is not None:
            worker.jobs.put((call, outcome))
            return
        worker = _Worker(self)
        worker.jobs.put((call, outcome))
        try:
            worker.start()
        except RuntimeError as exc:  # no more threads
            outcome.settle(error=exc)

    def put_back(self, worker: _Worker) -> None:
        """Take back a worker that has nothing more to do."""
        with self._mutex:
            self._idle.append(worker)

    def retire(self, worker: _Worker) -> bool:
        """Let an idle worker go; False when it has been given work meanwhile."""
        with self._mutex:
            if worker not in self._idle:
                return False
            self._idle.remove(worker)
            return True

    def reset(self) -> None:
        """Forget all workers; for a forked child, which has none."""
        self._idle = []


class _StuckBook:
    """Counts the runs of each hook that were left behind and still go on."""

    def __init__(self) -> None:
        self._mutex = ForkSafeLock()
        self._runs: dict[tuple[int, ...], tuple[object, int]] = {}

    def total(self) -> int:
        with self._mutex:
            return sum(count for _, count in self._runs.values())

    def count(self, hook: object) -> int:
        with self._mutex:
            return self._runs.get(_identity(hook), (hook, 0))[1]

    def change(self, hook: object, by: int) -> None:
        key = _identity(hook)
        with self._mutex:
            # The hook is kept while it is counted, so that no other object can take its id.
            kept, count = self._runs.get(key, (hook, 0))
            self._runs[key] = (kept, count + by)
            if count + by == 0:
                del self._runs[key]

    def reset(self) -> None:
        self._runs = {}


_POOL = Pool()
_STUCK = _StuckBook()


def submit(call: Callable[[], Any], outcome: Outcome) -> None:
    """Run a call on a worker thread of the process, and settle the outcome there."""
    _POOL.submit(call, outcome)


def stuck_hooks() -> int:
    """Number of hook runs that timed out and still go on in the background, in the whole process."""
    return _STUCK.total()


def is_stuck(hook: object) -> bool:
    """Whether so many runs of this hook were left behind that it may not take another thread."""
    return _STUCK.count(hook) >= MAX_STUCK


def leave_behind(hook: object, outcome: Outcome) -> bool:
    """Give up waiting for a run of a hook, and count it until it ends.

    Returns:
        False when the run has ended after all.
    """
    _STUCK.change(hook, 1)

    def late(ended: Outcome) -> None:
        _STUCK.change(hook, -1)
        close = getattr(ended.value, "close", None)
        if close is not None and hasattr(type(ended.value), "__await__"):
            close()  # a coroutine that nobody will await any more
        logger.debug("a hook that timed out has ended", exc_info=ended.error)

    if outcome.abandon(late):
        return True
    _STUCK.change(hook, -1)
    return False


def _identity(hook: object) -> tuple[int, ...]:
    while isinstance(hook, HookWrapper):
        hook = hook.target
    owner = getattr(hook, "__self__", None)
    return (id(hook),) if owner is None else (id(owner), id(getattr(hook, "__func__", hook)))


def _reset() -> None:
    _POOL.reset()
    _STUCK.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset)
