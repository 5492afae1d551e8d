"""Options of the engine room, and what it tells about itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from laya.errors import ArgumentError

_COUNTS: Final = ("max_batch_requests", "max_batch_tokens", "max_queued", "max_queued_bytes", "engines", "loaders")
_SECONDS: Final = ("max_batch_seconds", "max_wait", "idle_unload")


@dataclass(frozen=True, slots=True)
class SchedulerOptions:
    """How requests of all clients are merged, and how many may wait.

    Attributes:
        max_batch_requests: most requests of a batch.
        max_batch_tokens: most tokens of a batch, by a rough estimate; a single request may have more.
        max_batch_seconds: how long a batch should take at most, by the pace so far: what comes meanwhile waits for it.
        max_wait: seconds that a batch which is not full waits for more requests; 0 takes what is there.
        max_queued: most requests that wait. A client may have as many waiting as there are free places, so that one
            client alone can use half of them, and others always find room.
        max_queued_bytes: most bytes of text that wait, about.
        engines: threads that answer batches. More than one pays where a forward pass uses fewer threads than there are
            processors (`LAYA_THREADS`): small checkpoints answer most requests with one thread each, and an engine per
            processor.
        loaders: threads that load checkpoints which are not in memory.
        idle_unload: seconds without use after which a checkpoint leaves memory; None keeps it.

    Raises:
        ArgumentError: a value that cannot work; names the option.
    """

    max_batch_requests: int = 64
    max_batch_tokens: int = 16_384
    max_batch_seconds: float = 0.25
    max_wait: float = 0.0
    max_queued: int = 1024
    max_queued_bytes: int = 64 << 20
    engines: int = 1
    loaders: int = 2
    idle_unload: float | None = None

    def __post_init__(self) -> None:
        for name in _COUNTS:
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ArgumentError(f"{name} must be a positive int, got {value!r}")
        for name in _SECONDS:
            value = getattr(self, name)
            if name == "idle_unload" and value is None:
                continue
            number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
            if not number or value < 0 or (value == 0 and name != "max_wait"):
                least = "0 or more" if name == "max_wait" else "positive"
                raise ArgumentError(f"{name} must be a finite number of seconds, {least}, got {value!r}")


@dataclass(frozen=True, slots=True)
class SchedulerStats:
    """What the engine room has done since it started, and what it has to do; counts are requests.

    `answered + failed + discarded + expired + cancelled + refused + queued + in_flight` is what was admitted.

    Attributes:
        queued: wait now.
        queued_bytes: bytes of their text, about.
        in_flight: run now.
        loading: checkpoints that requests wait for.
        batches: forward batches that have run.
        batch_requests: requests in them.
        batch_tokens: tokens that were read for them (`usage.input_tokens`).
        largest_batch: most requests of a batch.
        answered: have a result.
        failed: have an exception in place of a result.
        discarded: ran, though whoever asked had gone or been refused meanwhile.
        expired: were dropped at their deadline.
        cancelled: were dropped because the caller had gone.
        refused: were dropped by the end of `drain`.
        rejected: were not admitted, since the queue was full.
    """

    queued: int
    queued_bytes: int
    in_flight: int
    loading: tuple[str, ...]
    batches: int
    batch_requests: int
    batch_tokens: int
    largest_batch: int
    answered: int
    failed: int
    discarded: int
    expired: int
    cancelled: int
    refused: int
    rejected: int
