"""Batches of examples as tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from random import Random

    from torch import Tensor

    from training.cache import TextCache
    from training.examples import Asked


@dataclass(frozen=True, slots=True)
class Batch:
    """Padded tensors of B examples with at most Q question tokens, K options and S state tokens."""

    tokens: Tensor
    """[B, Q, D * taps]"""
    segments: Tensor
    """[B, Q]"""
    vectors: Tensor
    """[B, K, D]"""
    markers: Tensor
    """[B, K]"""
    ranks: Tensor
    """[B, K, 3]"""
    seen: Tensor
    """[B, Q + K, Q + K] whether a token (row) sees another (column)."""
    state: Tensor
    """[B, S, D * taps]"""
    state_seen: Tensor
    """[B, S]"""
    state_vector: Tensor
    """[B, D]"""
    types: Tensor
    """[B]"""
    has_prior: Tensor
    """[B]"""
    target: Tensor
    """[B, K]"""
    real: Tensor
    """[B, K] whether an option is one of the example's."""
    polarity: Tensor
    """[B] -1 where words turn the question round, 1 where they do not, 0 where that is not known."""


class Batches:
    """Makes batches from a cache.

    Args:
        cache: trunk outputs of the numbered texts.
        longest: question tokens of an example that are kept, options cut evenly.
    """

    def __init__(self, cache: TextCache, longest: int = 384) -> None:
        self._cache = cache
        self._longest = longest

    def sample(self, seed: int, count: int = 4000) -> tuple[Tensor, Tensor]:
        """Hidden states and vectors of some texts: [n, D * taps] and [m, D]."""
        draw = np.random.default_rng(seed)
        texts = draw.choice(len(self._cache.starts), min(count, len(self._cache.starts)), replace=False)
        inner = np.concatenate([self._cache.hidden[self.inner(int(text))] for text in texts])
        return torch.from_numpy(inner).float(), torch.from_numpy(self._cache.vectors[texts])

    def inner(self, text: int) -> slice:
        """Tokens of a text without CLS, prefix and SEP."""
        start = int(self._cache.starts[text])
        return slice(start + self._cache.before, start + int(self._cache.lengths[text]) - 1)

    def length(self, text: int) -> int:
        """Number of tokens without CLS, prefix and SEP; 0 for no text."""
        return 0 if text < 0 else int(self._cache.lengths[text]) - 1 - self._cache.before

    def size(self, asked: Asked) -> int:
        """Question tokens and markers of an example."""
        room = self._room(asked)
        return (
            self.length(asked.instructions) + sum(min(room, self.length(o)) for o in asked.options) + len(asked.target)
        )

    def _room(self, asked: Asked) -> int:
        return max(4, (self._longest - self.length(asked.instructions)) // len(asked.options))

    def batch(self, examples: Sequence[Asked]) -> Batch:
        """Tensors of some examples."""
        cache, rows = self._cache, len(examples)
        k = max(len(e.target) for e in examples)
        q = max(self.size(e) - len(e.target) for e in examples)
        s = max(self.length(e.state) + 1 + cache.before for e in examples)
        width, wide = cache.hidden.shape[1], cache.vectors.shape[1]
        tokens, state = np.zeros((rows, q, width), np.float16), np.zeros((rows, s, width), np.float16)
        group, segments = np.full((rows, q + k), -1), np.zeros((rows, q), np.int64)
        vectors, ranks = np.zeros((rows, k, wide), np.float32), np.zeros((rows, k, 3), np.float32)
        markers, target = np.zeros((rows, k), np.int64), np.zeros((rows, k), np.float32)
        state_seen, real = np.zeros((rows, s), bool), np.zeros((rows, k), bool)
        for b, e in enumerate(examples):
            span = slice(int(cache.starts[e.state]), int(cache.starts[e.state] + cache.lengths[e.state]))
            state[b, : span.stop - span.start] = cache.hidden[span]
            state_seen[b, : span.stop - span.start] = True
            at, room = 0, self._room(e)
            for j, text in enumerate((e.instructions, *e.options)):
                if text < 0:
                    continue
                inner = self.inner(text)
                length = inner.stop - inner.start if j == 0 else min(room, inner.stop - inner.start)
                tokens[b, at : at + length] = cache.hidden[inner.start : inner.start + length]
                group[b, at : at + length] = j
                segments[b, at : at + length] = 0 if j == 0 else e.kind + 1 if e.kind < 2 else 2 + j
                at += length
            n = len(e.target)
            group[b, q : q + n] = np.arange(1, n + 1)
            vectors[b, :n] = cache.vectors[[e.instructions if o < 0 else o for o in e.options]]
            markers[b, :n] = e.kind if e.kind < 2 else np.arange(2, 4)
            level = np.arange(n) / max(1, n - 1)
            if e.kind == 1:
                ranks[b, :n] = np.stack([1 - level, level, 4 * level * (1 - level)], axis=1)
            target[b, :n], real[b, :n] = e.target, True
        return Batch(
            tokens=torch.from_numpy(tokens).float(),
            segments=torch.from_numpy(segments),
            vectors=torch.from_numpy(vectors),
            markers=torch.from_numpy(markers),
            ranks=torch.from_numpy(ranks),
            seen=torch.from_numpy(_seen(group, q)),
            state=torch.from_numpy(state).float(),
            state_seen=torch.from_numpy(state_seen),
            state_vector=torch.from_numpy(cache.vectors[[e.state for e in examples]]),
            types=torch.tensor([e.kind for e in examples]),
            has_prior=torch.tensor([float(e.kind < 2 or min(e.options) >= 0) for e in examples]),
            target=torch.from_numpy(target),
            real=torch.from_numpy(real),
            polarity=torch.tensor([0.0 if e.turned is None else -1.0 if e.turned else 1.0 for e in examples]),
        )

    def order(self, examples: Sequence[Asked], cells: int, rng: Random | None) -> Iterator[list[Asked]]:
        """Batches of like size, at most `cells` question tokens with padding; shuffled where there is an `rng`."""
        ordered = sorted(examples, key=lambda e: (self.size(e), self.length(e.state)))
        batches: list[list[Asked]] = [[]]
        for example in ordered:
            if (len(batches[-1]) + 1) * self.size(example) > cells:
                batches.append([])
            batches[-1].append(example)
        kept = [batch for batch in batches if batch]
        if rng:
            rng.shuffle(kept)
        yield from kept


def chunks(examples: Sequence[Asked], size: int) -> Iterable[Sequence[Asked]]:
    """Slices of `size` examples."""
    return (examples[at : at + size] for at in range(0, len(examples), size))


def _seen(group: np.ndarray, tokens: int) -> np.ndarray:
    """Who sees whom; an empty slot sees itself, so that its softmax is defined."""
    query, key = group[:, :, None], group[:, None, :]
    marker = np.arange(group.shape[1]) >= tokens
    same = (query == key) & ~(marker[None, None, :] & ~marker[None, :, None])
    both = marker[None, :, None] & marker[None, None, :]
    seen = (key >= 0) & (same | (key == 0) | both)
    seen[:, np.arange(group.shape[1]), np.arange(group.shape[1])] = True
    return np.ascontiguousarray(seen)
