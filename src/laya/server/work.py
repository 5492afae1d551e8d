"""What waits in the engine room: requests, the call they came with, and what they will probably cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

CHARACTERS_PER_TOKEN: Final = 4
_OVERHEAD: Final = 8
"""Tokens that a question costs beside its text."""


@dataclass(eq=False, slots=True)
class Ticket:
    """One call of `Scheduler.submit`. Its counts are guarded by the backlog's lock, the rest belongs to the event loop.

    Attributes:
        client: whose it is.
        future: resolved once, with the results, or with what the whole call failed with.
        results: an entry per request.
        missing: requests without a result.
        expires: time on the monotonic clock at which what still waits is dropped; None is never.
        waiting, cost, size: requests, tokens and bytes that have not begun.
        lost: requests that were dropped before they began.
    """

    client: str
    future: asyncio.Future[list[Any]]
    results: list[Any]
    missing: int
    expires: float | None = None
    waiting: int = 0
    cost: int = 0
    size: int = 0
    lost: int = 0
    dropped: bool = False

    @property
    def numbered(self) -> bool:
        """Whether errors name a request by its number: not when it came alone."""
        return len(self.results) > 1


@dataclass(eq=False, slots=True)
class Work:
    """One request that waits or runs.

    Attributes:
        ticket: the call it came with.
        index: its place among the requests of the call.
        request: as `Router.predict_batch` takes it.
        windows: window options of a long document, or None.
        cost: tokens it will probably read.
        size: bytes of its text, about.
    """

    ticket: Ticket
    index: int
    request: Mapping[str, Any]
    windows: Mapping[str, Any] | None
    cost: int
    size: int


def make_work(
    ticket: Ticket, requests: Sequence[Mapping[str, Any]], windows: Mapping[str, Any] | None, request_id: str | None
) -> list[Work]:
    """The requests of a call with their estimates, counted on its ticket; those without a request id get this one."""
    works = []
    for index, given in enumerate(requests):
        request = given if request_id is None or given.get("request_id") is not None else _named(given, request_id)
        cost, size = estimate(request)
        works.append(Work(ticket, index, request, windows, cost, size))
    ticket.waiting, ticket.cost, ticket.size = len(works), sum(w.cost for w in works), sum(w.size for w in works)
    return works


def _named(request: Mapping[str, Any], request_id: str) -> Mapping[str, Any]:
    return {**request, "request_id": request_id}


def estimate(request: Mapping[str, Any]) -> tuple[int, int]:
    """Tokens that a request will probably read, and bytes of its text; counts characters, so it costs little.

    A state counts once per question, as the published layouts read it; a budget of the request caps it.
    """
    questions = request.get("questions")
    state, asked = text_length(request.get("state")), text_length(questions)
    number = max(1, len(questions)) if isinstance(questions, Mapping) else 1
    read = state // CHARACTERS_PER_TOKEN
    budget = request.get("max_len")
    if isinstance(budget, int) and budget > 0:
        read = min(read, budget)
    return number * (read + _OVERHEAD) + asked // CHARACTERS_PER_TOKEN, state + asked


def text_length(value: Any) -> int:
    """Characters of a JSON value, about; a number counts as eight."""
    total, left = 0, [value]
    while left:
        item = left.pop()
        if isinstance(item, str):
            total += len(item)
        elif isinstance(item, Mapping):
            left.extend(item.values())
            total += sum(len(key) if isinstance(key, str) else _OVERHEAD for key in item)
        elif isinstance(item, (list, tuple)):
            left.extend(item)
            total += len(item)
        else:
            total += _OVERHEAD
    return total


@dataclass(slots=True)
class Pace:
    """How fast the engine is: seconds per token of an estimate, recent batches counting more, large ones too."""

    memory: float = 0.8
    _seconds: float = field(default=0.0, init=False)
    _tokens: float = field(default=0.0, init=False)

    def learn(self, tokens: int, seconds: float) -> None:
        """Take a finished batch into account."""
        self._seconds = self._seconds * self.memory + seconds
        self._tokens = self._tokens * self.memory + tokens

    def seconds_for(self, tokens: float) -> float:
        """How long so many tokens take; 0 before anything ran."""
        return self._seconds / self._tokens * tokens if self._tokens else 0.0

    def tokens_in(self, seconds: float, most: int) -> int:
        """Tokens that are read in this time, at most `most`, which is also the answer before anything ran."""
        if not self._seconds:
            return most
        return min(most, int(self._tokens / self._seconds * seconds))
