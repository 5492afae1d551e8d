"""A queue that is fair between clients: who was served least goes next."""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from laya.server.work import Ticket, Work


@dataclass(eq=False, slots=True)
class _Client:
    """A client: its waiting calls in order of arrival, and the tokens it was served since it came."""

    name: str
    served: int
    tickets: dict[Ticket, deque[Work]] = field(default_factory=dict)


class FairQueue:
    """Waiting work. Not safe under threads: the backlog holds its lock.

    Each client's work leaves in order of arrival. Between clients the one that was served fewest tokens goes next. One
    that comes new or returns counts as served as much as the one whose turn it is: nobody saves up turns.
    """

    def __init__(self) -> None:
        self._clients: dict[str, _Client] = {}
        self._heap: list[tuple[int, int, _Client]] = []  # every client once; also one without work, until its turn
        self._order = itertools.count()
        self._clock = 0
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def put(self, work: Work) -> None:
        """Add work behind what its client has waiting."""
        client = self._clients.get(work.ticket.client)
        if client is None:
            client = self._clients[work.ticket.client] = _Client(work.ticket.client, self._clock)
            self._list(client)
        client.tickets.setdefault(work.ticket, deque()).append(work)
        self._length += 1

    def peek(self) -> Work | None:
        """What goes next, left where it is; None when nothing waits."""
        while self._heap:
            client = self._heap[0][2]
            self._clock = client.served
            if client.tickets:
                return next(iter(client.tickets.values()))[0]
            heapq.heappop(self._heap)
            del self._clients[client.name]
        self._clock = 0
        return None

    def pop(self) -> Work | None:
        """Take what goes next, on its client's account; None when nothing waits."""
        work = self.peek()
        if work is None:
            return None
        client = heapq.heappop(self._heap)[2]
        waiting = client.tickets[work.ticket]
        waiting.popleft()
        if not waiting:
            del client.tickets[work.ticket]
        client.served += work.cost
        self._list(client)
        self._length -= 1
        return work

    def drop(self, ticket: Ticket) -> int:
        """Take all work of a call out of the queue, at nobody's expense; how much that was."""
        client = self._clients.get(ticket.client)
        dropped = client.tickets.pop(ticket, ()) if client else ()
        self._length -= len(dropped)
        return len(dropped)

    def _list(self, client: _Client) -> None:
        heapq.heappush(self._heap, (client.served, next(self._order), client))
