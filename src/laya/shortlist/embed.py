"""Embedding functions: texts in, one vector per text out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, TypedDict, cast

import numpy as np
from cachetools import LRUCache

from laya.errors import ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from laya.request import FloatArray

EmbedFn = Callable[[Sequence[str]], Any]
"""Takes texts, returns an array of shape (N, dim) or a list of N vectors."""


class CacheInfo(TypedDict):
    """State of a `cached_embed_fn`."""

    size: int
    maxsize: int
    hits: int
    misses: int


def check_embed_fn(value: Any) -> EmbedFn:
    """A callable.

    Raises:
        ArgumentTypeError: anything else.
    """
    if not callable(value):
        raise ArgumentTypeError(f"embed_fn must be callable (texts -> vectors), got {type(value).__name__}")
    return cast("EmbedFn", value)


def check_count(name: str, value: Any, least: int) -> int:
    """An int of at least `least` that is not a bool.

    Raises:
        ArgumentError: anything else.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ArgumentError(f"{name} must be an int of at least {least}, got {value!r}")
    return value


def embed(embed_fn: EmbedFn, texts: Sequence[str]) -> FloatArray:
    """Vectors of texts, checked.

    Returns:
        [N, dim], float32; NaN and infinity are replaced by 0.

    Raises:
        ArgumentError: the function returned something of another shape.
    """
    try:
        vectors = np.asarray(embed_fn(texts), dtype=np.float32)
    except (TypeError, ValueError) as exc:
        raise ArgumentError(f"embed_fn must return an array of shape (N, dim) of numbers: {exc}") from exc
    if vectors.ndim != 2 or len(vectors) != len(texts) or not vectors.shape[1]:
        raise ArgumentError(
            f"embed_fn must return an array of shape (N, dim), got {vectors.shape} for {len(texts)} texts"
        )
    return np.nan_to_num(vectors, nan=0.0, posinf=0.0, neginf=0.0)


def embed_fn_from_agent(agent: Any, batch_size: int = 32) -> EmbedFn:
    """Embedding function of an agent whose checkpoint embeds texts (the reader layout: pooled trunk vectors).

    Args:
        agent: anything with `embed(texts) -> [N, dim]`.
        batch_size: texts that are handed over at a time.

    Raises:
        ArgumentTypeError: the agent has no `embed`.
        ArgumentError: `batch_size` is not a positive int; or, when called, the checkpoint's layout has no text
            embedding.
    """
    encode = getattr(agent, "embed", None)
    if not callable(encode):
        raise ArgumentTypeError(
            f"{type(agent).__name__} has no embed(texts), so it cannot embed texts; "
            "pass an Agent of the reader layout (laya.load()), or an embedding function of your own"
        )
    size = check_count("batch_size", batch_size, 1)

    def embed_texts(texts: Sequence[str]) -> FloatArray:
        chunks = [np.asarray(encode(texts[i : i + size]), np.float32) for i in range(0, len(texts), size)]
        return np.concatenate(chunks) if chunks else np.zeros((0, 0), np.float32)

    return embed_texts


class cached_embed_fn:  # noqa: N801 - used like the function it wraps
    """Remembers the vector of each text. Safe to call from many threads.

    Args:
        fn: the embedding function.
        maxsize: most texts that are remembered, least recently used out first.

    Raises:
        ArgumentTypeError: `fn` is not callable.
        ArgumentError: `maxsize` is not a positive int; or, when called, `fn` returned another shape or dimension.
    """

    def __init__(self, fn: EmbedFn, maxsize: int = 4096) -> None:
        self._fn = check_embed_fn(fn)
        self._vectors: LRUCache[str, FloatArray] = LRUCache(check_count("maxsize", maxsize, 1))
        self._lock = Lock()
        self._hits = self._misses = 0
        self._dim: int | None = None

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        """Vectors of texts, [N, dim], float32; only texts that are not remembered reach the wrapped function."""
        with self._lock:
            found = {text: vector for text in set(texts) if (vector := self._vectors.get(text)) is not None}
        missing = list(dict.fromkeys(text for text in texts if text not in found))
        fresh = embed(self._fn, missing) if missing else None
        with self._lock:
            self._hits += len(texts) - len(missing)
            self._misses += len(missing)
            if fresh is not None:
                self._check_dim(fresh.shape[1])
                for text, vector in zip(missing, fresh, strict=True):
                    found[text] = self._vectors[text] = vector
        return np.stack([found[text] for text in texts]) if texts else np.zeros((0, self._dim or 0), np.float32)

    def _check_dim(self, dim: int) -> None:
        if self._dim not in {None, dim}:
            raise ArgumentError(
                f"embed_fn returned vectors of {dim} numbers, before it returned {self._dim}; "
                "call cache_clear() when the embedding changes"
            )
        self._dim = dim

    def cache_info(self) -> CacheInfo:
        """Counts of texts remembered, found and not found."""
        with self._lock:
            return {
                "size": len(self._vectors),
                "maxsize": int(self._vectors.maxsize),
                "hits": self._hits,
                "misses": self._misses,
            }

    def cache_clear(self) -> None:
        """Forget every text, the dimension and the counts."""
        with self._lock:
            self._vectors.clear()
            self._hits = self._misses = 0
            self._dim = None
