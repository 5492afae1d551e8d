"""The waiting work of all clients: bounded, fair, safe under threads; and what of it waits for a checkpoint."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from typing import TYPE_CHECKING

from laya.errors import ClosedError, QueueFullError
from laya.server.fairness import FairQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from laya.server.options import SchedulerOptions
    from laya.server.work import Ticket, Work


class Backlog:
    """Work from its admission to its begin.

    Every method takes the lock once and does nothing slow under it. A call that is dropped takes its work with it also
    where a thread has taken that already, up to `begin`.

    Args:
        options: bounds of the queue and of a batch.
    """

    def __init__(self, options: SchedulerOptions) -> None:
        self._options = options
        self._lock = threading.RLock()
        self._work_came = threading.Condition(self._lock)
        self._cold_came = threading.Condition(self._lock)
        self._queue = FairQueue()
        self._parked: dict[str, FairQueue] = {}
        self._cold: deque[str] = deque()
        self._loading: set[str] = set()
        self._held: Counter[str] = Counter()
        self._running: dict[Work, float] = {}
        self._free = 0  # engine threads that wait for work
        self.queued = 0
        self.queued_bytes = 0
        self.queued_cost = 0
        self._refusing = False
        self._closed = False

    # -- clients' side -------------------------------------------------------------------------------------------

    def admit(self, ticket: Ticket, works: Sequence[Work], retry_after: Callable[[], float]) -> None:
        """Queue the work of a call, all or nothing.

        Raises:
            QueueFullError: there is no room.
            ClosedError: no work is taken any more.
        """
        with self._lock:
            if self._refusing:
                raise ClosedError("the server is shutting down and takes no new requests; send them to another one")
            self._check_room(ticket, len(works), retry_after)
            self._count(ticket, len(works), ticket.size, ticket.cost)
            for work in works:
                self._queue.put(work)
            self._work_came.notify()

    def _check_room(self, ticket: Ticket, number: int, retry_after: Callable[[], float]) -> None:
        free = self._options.max_queued - self.queued
        room = self._options.max_queued_bytes - self.queued_bytes
        if number > free or ticket.size > room:
            raise QueueFullError(
                f"{self.queued} requests with {self.queued_bytes} bytes are waiting, and {number} with {ticket.size} "
                f"do not fit; the limits are {self._options.max_queued} and {self._options.max_queued_bytes}; "
                "try again later",
                retry_after=retry_after(),
            )
        held = self._held[ticket.client]
        if held and held + number > free:
            raise QueueFullError(
                f"{held} of your requests are waiting and {free} places are free, which are kept for other clients; "
                "try again when some are answered",
                retry_after=retry_after(),
                client=True,
            )

    def drop(self, ticket: Ticket) -> int:
        """Take out what has not begun of a call; how many requests of it were lost, now or before."""
        with self._lock:
            self._drop(ticket)
            return ticket.lost

    def _drop(self, ticket: Ticket) -> None:
        if ticket.dropped:
            return
        ticket.dropped = True
        ticket.lost = ticket.waiting
        self._count(ticket, -ticket.waiting, -ticket.size, -ticket.cost)
        for queue in (self._queue, *self._parked.values()):
            queue.drop(ticket)

    def _count(self, ticket: Ticket, number: int, size: int, cost: int) -> None:
        self.queued += number
        self.queued_bytes += size
        self.queued_cost += cost
        self._held[ticket.client] += number
        if not self._held[ticket.client]:
            del self._held[ticket.client]

    # -- engine's side -------------------------------------------------------------------------------------------

    def take(self, tokens: Callable[[], int]) -> list[Work] | None:
        """Wait for work and take a batch of it; None when the backlog is closed.

        Args:
            tokens: how many a batch may cost now; the first request is taken whatever it costs.
        """
        with self._lock:
            self._free += 1
            try:
                while not self._closed:
                    if not len(self._queue):
                        self._work_came.wait()
                        continue
                    self._linger(tokens())
                    works = self._batch(self._queue, tokens(), self._share())
                    if len(self._queue):
                        self._work_came.notify()
                    if works:
                        return works
                return None
            finally:
                self._free -= 1

    def _share(self) -> int:
        """Most requests of a batch now: what waits is shared between the engine threads that are free."""
        return min(self._options.max_batch_requests, -(-len(self._queue) // self._free))

    def _linger(self, tokens: int) -> None:
        """Give a batch that is not full the time the options allow."""
        if self._options.max_wait:
            self._work_came.wait_for(lambda: self._closed or self._full(tokens), self._options.max_wait)

    def _full(self, tokens: int) -> bool:
        return self.queued >= self._options.max_batch_requests or self.queued_cost >= tokens

    def _batch(self, queue: FairQueue, tokens: int, most: int) -> list[Work]:
        works: list[Work] = []
        now = time.monotonic()
        cost = 0
        while len(works) < most:
            work = queue.peek()
            if work is None or (works and (cost + work.cost > tokens or work.windows is not None)):
                break
            if work.ticket.expires is not None and work.ticket.expires <= now:
                self._drop(work.ticket)  # the event loop tells its caller
                queue.drop(work.ticket)
                continue
            queue.pop()
            works.append(work)
            cost += work.cost
            if work.windows is not None:
                break
        return works

    def begin(self, works: Sequence[Work]) -> list[Work]:
        """What of this is still wanted; it runs from now on, and is out of the queue."""
        with self._lock:
            wanted = [work for work in works if not work.ticket.dropped]
            now = time.monotonic()
            for work in wanted:
                ticket = work.ticket
                ticket.waiting -= 1
                ticket.size -= work.size
                ticket.cost -= work.cost
                self._count(ticket, -1, -work.size, -work.cost)
                self._running[work] = now
            return wanted

    def finish(self, works: Sequence[Work]) -> None:
        """This work has run, and its results are handed out."""
        with self._lock:
            for work in works:
                del self._running[work]

    # -- cold checkpoints ----------------------------------------------------------------------------------------

    def park(self, name: str, works: Sequence[Work]) -> None:
        """Keep work until a checkpoint is in memory; a loader is told."""
        with self._lock:
            queue = self._parked.setdefault(name, FairQueue())
            for work in works:
                if not work.ticket.dropped:
                    queue.put(work)
            if name not in self._loading and name not in self._cold:
                self._cold.append(name)
                self._cold_came.notify()

    def next_cold(self) -> str | None:
        """Wait for a checkpoint that has to be loaded; None when the backlog is closed."""
        with self._lock:
            while not self._closed:
                if not self._cold:
                    self._cold_came.wait()
                    continue
                name = self._cold.popleft()
                if len(self._parked[name]):
                    self._loading.add(name)
                    return name
                del self._parked[name]  # nobody waits for it any more
            return None

    def loaded(self, name: str, tokens: int) -> list[Work]:
        """A checkpoint is in memory: a first batch of what waited for it; the rest joins the queue."""
        with self._lock:
            self._loading.discard(name)
            queue = self._parked.pop(name)
            works = self._batch(queue, tokens, self._options.max_batch_requests)
            while (work := queue.pop()) is not None:
                self._queue.put(work)
            self._work_came.notify()
            return works

    def not_loaded(self, name: str) -> list[Work]:
        """A checkpoint could not be loaded: all that waited for it."""
        with self._lock:
            self._loading.discard(name)
            queue = self._parked.pop(name)
            return list(iter(queue.pop, None))

    # -- the whole -----------------------------------------------------------------------------------------------

    def sizes(self) -> tuple[int, int, int, tuple[str, ...]]:
        """Requests that wait, bytes of their text, requests that run, and checkpoints that requests wait for."""
        with self._lock:
            loading = tuple(sorted(self._loading.union(self._cold)))
            return self.queued, self.queued_bytes, len(self._running), loading

    def outstanding(self) -> tuple[int, int, float]:
        """Tokens that wait, tokens that run, and the seconds since the oldest running request began."""
        with self._lock:
            now = time.monotonic()
            running = sum(work.cost for work in self._running)
            return self.queued_cost, running, now - min(self._running.values(), default=now)

    def refuse(self) -> None:
        """Admit nothing more."""
        with self._lock:
            self._refusing = True

    def close(self) -> None:
        """Let the threads that wait for work go."""
        with self._lock:
            self._refusing = self._closed = True
            self._work_came.notify_all()
            self._cold_came.notify_all()
