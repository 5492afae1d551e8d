"""The engine room: requests of all clients, merged into shared batches by one scheduler.

submit ──> Backlog (bounded, fair) ──take──> engine thread: Router.predict_batch ──> results
               └── park: checkpoint not in memory ──> loader threads: Router.load, then the same
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ClosedError, DeadlineError, ForwardError, QueueFullError
from laya.router.causes import copy_error
from laya.server.backlog import Backlog
from laya.server.options import SchedulerOptions, SchedulerStats
from laya.server.work import Pace, Ticket, make_work

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from laya.router import Router
    from laya.server.work import Work

__all__ = ["DeadlineError", "QueueFullError", "Scheduler", "SchedulerOptions", "SchedulerStats"]

logger = logging.getLogger("laya.server")

_LEAST_RETRY: Final = 0.05
"""Seconds after which to try again at the earliest."""
_JOIN: Final = 1.0
"""Seconds that threads get to end in `drain`; one that is in a forward pass is left to it."""


@dataclass(slots=True)
class _Counts:
    """What `SchedulerStats` tells of the past; changed on the event loop alone."""

    batches: int = 0
    batch_requests: int = 0
    batch_tokens: int = 0
    largest_batch: int = 0
    answered: int = 0
    failed: int = 0
    discarded: int = 0
    expired: int = 0
    cancelled: int = 0
    refused: int = 0
    rejected: int = 0


class Scheduler:
    """Answers requests of many clients on one Router.

    Requests that wait at the same time share forward passes. A request whose caller has gone, or whose deadline has
    passed, is dropped before it runs. Clients are served in turn, by tokens. A checkpoint that is not in memory is
    loaded beside the work of the others, unless an `on_route` hook chose it. Use it on one event loop.

    Args:
        router: answers; it stays the caller's to close, after `drain`.
        options: bounds of batches and of the queue.
    """

    def __init__(self, router: Router, options: SchedulerOptions | None = None) -> None:
        self._router = router
        self._options = options or SchedulerOptions()
        self._backlog = Backlog(self._options)
        self._pace = Pace()
        self._counts = _Counts()
        self._tickets: set[Ticket] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads: list[threading.Thread] = []
        self._reaper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the threads. Results come on the event loop that runs now.

        Raises:
            ClosedError: it was started before; make a new one.
        """
        if self._loop is not None:
            raise ClosedError("this Scheduler was started before; make a new one")
        self._loop = asyncio.get_running_loop()
        jobs = [("laya-engine", self._work)] * self._options.engines + [
            ("laya-loader", self._load)
        ] * self._options.loaders
        self._threads = [threading.Thread(target=job, name=name, daemon=True) for name, job in jobs]
        for thread in self._threads:
            thread.start()
        if self._options.idle_unload is not None:
            self._reaper = self._loop.create_task(self._reap(self._options.idle_unload))

    async def submit(
        self,
        requests: Sequence[Mapping[str, Any]],
        *,
        client: str,
        deadline: float | None = None,
        request_id: str | None = None,
        windows: Mapping[str, Any] | None = None,
    ) -> list[Any]:
        """Answer the requests of one call. Cancel the task to drop what has not begun.

        Args:
            requests: as `Router.predict_batch` takes them.
            client: whose they are; clients are served in turn.
            deadline: seconds from now in which all of them must have begun; None waits for ever.
            request_id: for hooks, in requests that have none of their own.
            windows: each state is a long document, answered by `Router.predict_long` with these window options.

        Returns:
            A result per request, in order; an exception in the place of one that failed.

        Raises:
            QueueFullError: there is no room; `retry_after` says when there may be, `client` whose fault it is.
            DeadlineError: the deadline passed; nothing of the call is returned.
            ClosedError: the scheduler is draining, or was not started.
        """
        if self._loop is None:
            raise ClosedError("this Scheduler was not started; await start() first")
        if not requests:
            return []
        expires = None if deadline is None else time.monotonic() + deadline
        ticket = Ticket(client, self._loop.create_future(), [None] * len(requests), len(requests), expires)
        works = make_work(ticket, requests, windows, request_id)
        try:
            self._backlog.admit(ticket, works, self._retry_after)
        except QueueFullError:
            self._counts.rejected += len(requests)
            raise
        return await self._wait(ticket, deadline)

    async def _wait(self, ticket: Ticket, deadline: float | None) -> list[Any]:
        loop = ticket.future.get_loop()
        timer = None if deadline is None else loop.call_later(max(0.0, deadline), self._expire, ticket)
        self._tickets.add(ticket)
        try:
            return await ticket.future
        except asyncio.CancelledError:
            if ticket.future.cancelled():
                self._counts.cancelled += self._backlog.drop(ticket)
            else:  # it was resolved in the same moment
                ticket.future.exception()
            raise
        finally:
            self._tickets.discard(ticket)
            if timer is not None:
                timer.cancel()

    async def drain(self, timeout: float) -> None:
        """Take no new requests, finish what there is, and stop. Safe to call twice.

        Args:
            timeout: seconds after which what is left is refused with ClosedError.
        """
        self._backlog.refuse()
        try:
            if self._tickets:
                await asyncio.wait([ticket.future for ticket in self._tickets], timeout=timeout)
        finally:
            self._stop()
        await asyncio.to_thread(self._join)

    def estimate(self) -> float:
        """Seconds until what waits and runs now will be done, by the pace so far; 0 before anything ran."""
        queued, running, elapsed = self._backlog.outstanding()
        ahead = self._pace.seconds_for(queued) + max(0.0, self._pace.seconds_for(running) - elapsed)
        return ahead / self._options.engines

    def stats(self) -> SchedulerStats:
        """Counts since the start, and what there is to do now."""
        past = {name: getattr(self._counts, name) for name in _Counts.__slots__}
        queued, size, in_flight, loading = self._backlog.sizes()
        return SchedulerStats(queued=queued, queued_bytes=size, in_flight=in_flight, loading=loading, **past)

    # -- on the event loop ---------------------------------------------------------------------------------------

    def _retry_after(self) -> float:
        return max(_LEAST_RETRY, self.estimate())

    def _expire(self, ticket: Ticket) -> None:
        lost = self._backlog.drop(ticket)
        if lost and not ticket.future.done():
            self._counts.expired += lost
            message = f"{lost} of {len(ticket.results)} requests were still waiting at the deadline and were dropped"
            ticket.future.set_exception(
                DeadlineError(f"{message}; allow more time, or try again when less is going on")
            )

    def _settle(self, works: Sequence[Work], outcomes: Sequence[Any]) -> None:
        """Hand out what a batch came to. The only place where results are given, and it runs on the event loop."""
        self._backlog.finish(works)
        self._counts.batches += 1
        self._counts.batch_requests += len(works)
        self._counts.largest_batch = max(self._counts.largest_batch, len(works))
        for work, outcome in zip(works, outcomes, strict=True):
            failed = isinstance(outcome, Exception)
            self._counts.batch_tokens += 0 if failed else outcome.get("usage", {}).get("input_tokens", 0)
            ticket = work.ticket
            if ticket.future.done():
                self._counts.discarded += 1
                continue
            self._counts.failed += failed
            self._counts.answered += not failed
            ticket.results[work.index] = outcome
            ticket.missing -= 1
            if not ticket.missing:
                ticket.future.set_result(ticket.results)

    def _stop(self) -> None:
        for ticket in self._tickets:
            if not ticket.future.done():
                self._counts.refused += self._backlog.drop(ticket)
                ticket.future.set_exception(
                    ClosedError("the server shut down before the request was answered; send it to another one")
                )
        self._backlog.close()
        if self._reaper is not None:
            self._reaper.cancel()

    def _join(self) -> None:
        end = time.monotonic() + _JOIN
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))

    async def _reap(self, seconds: float) -> None:
        while True:
            await asyncio.sleep(min(max(seconds / 4, 0.05), 5.0))
            try:
                await asyncio.to_thread(self._router.unload_idle, seconds)
            except Exception:  # what a hook makes of it must not end the reaping
                logger.warning("laya: a hook failed when an idle checkpoint left memory", exc_info=True)

    # -- on the engine's threads ---------------------------------------------------------------------------------

    def _budget(self) -> int:
        return self._pace.tokens_in(self._options.max_batch_seconds, self._options.max_batch_tokens)

    def _work(self) -> None:
        while (works := self._backlog.take(self._budget)) is not None:
            self._run(self._set_cold_aside(works))

    def _load(self) -> None:
        while (name := self._backlog.next_cold()) is not None:
            try:
                self._router.load(name)
            except BaseException as exc:
                self._run(self._backlog.not_loaded(name), _reason(exc))
            else:
                self._run(self._backlog.loaded(name, self._budget()))

    def _set_cold_aside(self, works: Sequence[Work]) -> Sequence[Work]:
        """Park the requests whose checkpoint is not in memory; the others."""
        loaded = frozenset(self._router.loaded)
        if all(name in loaded for name, source in self._router.models.items() if source is not None):
            return works
        warm: list[Work] = []
        cold: dict[str, list[Work]] = {}
        for work in works:
            name = self._checkpoint_of(work.request)
            (warm if name is None or name in loaded else cold.setdefault(name, [])).append(work)
        for name, waiting in cold.items():
            self._backlog.park(name, waiting)
        return warm

    def _checkpoint_of(self, request: Mapping[str, Any]) -> str | None:
        """The checkpoint that a request needs; None where it needs none, or something is wrong with it."""
        if not request.get("questions"):
            return None
        try:
            return self._router.checkpoint_for(request)  # type: ignore[arg-type]  # it checks what it gets
        except Exception:  # it will fail in the same way when it runs, and then its caller is told
            return None

    def _run(self, works: Sequence[Work], failure: Exception | None = None) -> None:
        """Answer a batch, or fail it, and post what it came to."""
        works = self._backlog.begin(works)
        if not works:
            return
        began = time.perf_counter()
        if failure is None:
            outcomes = self._answer(works)
            self._pace.learn(sum(work.cost for work in works), time.perf_counter() - began)
        else:
            outcomes = [copy_error(failure) for _ in works]
        self._post(self._settle, works, outcomes)

    def _answer(self, works: Sequence[Work]) -> list[Any]:
        try:
            if works[0].windows is not None:
                (work,) = works
                return [self._router.predict_long(**{**work.request, **work.windows})]  # type: ignore[dict-item]  # keys are checked
            labels = [work.index if work.ticket.numbered else None for work in works]
            requests: Any = [work.request for work in works]
            outcomes: list[Any] = self._router.predict_batch(requests, errors="return", labels=labels)
        except BaseException as exc:
            reason = _reason(exc)
            return [copy_error(reason) for _ in works]
        return outcomes

    def _post(self, function: Callable[..., None], *args: Any) -> None:
        with suppress(RuntimeError):  # the loop is closed, and so nobody waits
            assert self._loop is not None  # noqa: S101 - threads start after it is set
            self._loop.call_soon_threadsafe(function, *args)


def _reason(failure: BaseException) -> Exception:
    """A failure as the engine's threads report it; an interrupt, which only hooks can raise there, is wrapped."""
    if isinstance(failure, Exception):
        return failure
    reason = ForwardError(f"the batch was interrupted by {failure!r}, raised in a hook")
    reason.__cause__ = failure
    return reason
