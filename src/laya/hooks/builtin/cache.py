"""Answers that were given before are given again without a forward pass."""

from __future__ import annotations

import copy
import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from cachetools import LRUCache, TLRUCache

from laya.errors import ArgumentError
from laya.hooks.builtin.content import request_digests
from laya.hooks.builtin.disk import DiskStore
from laya.hooks.locks import ForkSafeLock

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping
    from pathlib import Path

    from laya.hooks import PredictContext

# What belongs to the call and not to the question: written anew for every call that is served.
_PER_CALL: Final = ("abstention", "abstention_threshold", "low_confidence")
_SPENT: Final = ("input_tokens", "output_tokens", "windows")

Entry = tuple[float, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache did so far.

    Attributes:
        hits: states answered from the cache.
        misses: states that were inferred while the cache was asked.
        size: results in memory now.
    """

    hits: int
    misses: int
    size: int


class Cache:
    """Serves results from memory, and from a folder if one is given. One cache may serve many agents and threads.

    A result is served only for the same state, questions (with their order), budgets, truncation policy, language,
    checkpoint, precision and calibration. A call is served when all of its states are known, else all are inferred.
    Results of a hit are copies; their usage has `cached: True` and no tokens spent. Not stored: `routing`, marks of a
    confidence gate, results that another hook gave, and answers to questions that were not in the request.

    Put it after hooks that change the request (`Redact`) and before hooks that change the answers.

    Args:
        maxsize: results kept in memory; the least recently used goes first.
        ttl: seconds that a result lives; None keeps it until it is displaced.
        disk: folder for results that outlive the process. It is bounded by `ttl` and `clear()` alone.
        timer: the clock, in seconds; entries on disk need one that other processes share.

    Raises:
        ArgumentError: a size or time is not positive.
        OSError: the folder cannot be made, or (from a call) read or written.
    """

    def __init__(
        self,
        maxsize: int = 1024,
        ttl: float | None = None,
        *,
        disk: str | Path | None = None,
        timer: Callable[[], float] = time.time,
    ) -> None:
        if isinstance(maxsize, bool) or not isinstance(maxsize, int) or maxsize < 1:
            raise ArgumentError(f"maxsize must be a positive int, got {maxsize!r}")
        if ttl is not None and (isinstance(ttl, bool) or not isinstance(ttl, (int, float)) or not 0 < ttl < math.inf):
            raise ArgumentError(f"ttl must be a positive number of seconds or None, got {ttl!r}")
        self._ttl = math.inf if ttl is None else ttl
        self._timer = timer
        self._memory = self._make_memory(maxsize)
        self._disk = None if disk is None else DiskStore(disk)
        self._lock = ForkSafeLock()
        self._hits = self._misses = 0
        self._slot = f"laya.cache.{id(self)}"

    def _make_memory(self, maxsize: int) -> MutableMapping[str, Entry]:
        if self._ttl == math.inf:
            return LRUCache(maxsize)
        return TLRUCache(maxsize, ttu=lambda _key, entry, _now: entry[0] + self._ttl, timer=self._timer)

    @property
    def stats(self) -> CacheStats:
        """Counts so far."""
        with self._lock:
            if isinstance(self._memory, TLRUCache):
                self._memory.expire()
            return CacheStats(self._hits, self._misses, len(self._memory))

    def clear(self) -> None:
        """Forget every result, in memory and on disk; the counts stay."""
        with self._lock:
            self._memory.clear()
        if self._disk is not None:
            self._disk.clear()

    def on_predict_start(self, ctx: PredictContext) -> None:
        """Answer the call if every state of it is known."""
        if ctx.results is not None:
            return
        keys = _keys(ctx)
        if not keys:
            return
        found: list[dict[str, Any]] = []
        for key in keys:
            result = self._get(key)
            if result is None:
                break
            found.append(result)
        complete = len(found) == len(keys)
        with self._lock:
            if complete:
                self._hits += len(keys)
            else:
                self._misses += len(keys)
        if complete:
            ctx.skip([_served(result) for result in found])
        else:
            ctx.scratch[self._slot] = keys

    def on_predict_end(self, ctx: PredictContext) -> None:
        """Store what was inferred."""
        keys = ctx.scratch.pop(self._slot, None)
        if keys is None or ctx.error is not None or ctx.skipped or not ctx.results:
            return
        if _keys(ctx) != keys:  # a later hook changed the request: these are answers to something else
            return
        asked = set(ctx.questions)
        for key, result in zip(keys, ctx.results, strict=True):
            if _storable(result, asked):
                self._put(key, _stripped(result))

    def _get(self, key: str) -> dict[str, Any] | None:
        with self._lock:
            entry = self._memory.get(key)
        if entry is None and self._disk is not None:
            entry = self._disk.get(key)
            if entry is not None and self._timer() >= entry[0] + self._ttl:
                self._disk.remove(key)
                return None
            if entry is not None:
                with self._lock:
                    self._memory[key] = entry
        return None if entry is None else entry[1]

    def _put(self, key: str, result: dict[str, Any]) -> None:
        now = self._timer()
        with self._lock:
            self._memory[key] = (now, result)
        if self._disk is not None:
            self._disk.put(key, now, result)


def _keys(ctx: PredictContext) -> list[str] | None:
    """Key of each state, or None where the call cannot be cached."""
    agent = ctx.agent
    checkpoint = getattr(agent, "fingerprint", None) or ctx.model
    if checkpoint is None or not isinstance(ctx.states, (list, tuple)) or not ctx.questions:
        return None
    shared = (
        checkpoint,
        getattr(agent, "model_id", None),
        ctx.router is not None,  # above an agent, answers have also passed the agent's own hooks
        ctx.lang,
        ctx.truncation,
        ctx.max_len,
        ctx.head_max_len,
        ctx.questions,
    )
    return request_digests(shared, ctx.states)


def _served(stored: dict[str, Any]) -> dict[str, Any]:
    result = copy.deepcopy(stored)
    result["usage"].update(dict.fromkeys(_SPENT, 0), cached=True)
    return result


def _storable(result: Mapping[str, Any], asked: set[Any]) -> bool:
    return isinstance(result.get("usage"), dict) and set(result.get("answers", ())) == asked


def _stripped(result: Mapping[str, Any]) -> dict[str, Any]:
    kept = copy.deepcopy({name: value for name, value in result.items() if name != "routing"})
    for answer in kept["answers"].values():
        for name in _PER_CALL if isinstance(answer, dict) else ():
            answer.pop(name, None)
    return kept
