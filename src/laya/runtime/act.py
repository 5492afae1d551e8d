"""The action head: a small network over each row's CLS state and four features of its option probabilities.

What it says of a row is the same to the last bit whatever rows come with it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from laya.request import FloatArray, IntArray
    from laya.runtime.source import ActHead

_ERF: Final = np.frompyfunc(math.erf, 1, 1)
_LARGEST_COUNT: Final = 255.0
_SMALLEST_P: Final = 1e-9


def act_logits(head: ActHead, features: FloatArray, scores: FloatArray, out_starts: IntArray) -> FloatArray:
    """Action logits of every row.

    Args:
        head: weights of the action head.
        features: [N, D] final hidden state of the wanted tokens; the first of each row is its CLS token.
        scores: [N] logits of the wanted tokens.
        out_starts: [R + 1] first wanted token of each row, and N.

    Returns:
        [R, A].
    """
    first, first_bias, second, second_bias = head
    inputs = np.concatenate([features[out_starts[:-1]], confidence_features(scores, out_starts)], axis=1)
    hidden = gelu(_products(inputs, first) + first_bias)
    logits: FloatArray = (_products(hidden, second) + second_bias).astype(np.float32, copy=False)
    return logits


def _products(values: FloatArray, weight: FloatArray) -> FloatArray:
    """[R, out] product of each row of `values` [R, in] with `weight` [out, in]."""
    # A product of many rows at once is summed in an order that depends on their number.
    products: FloatArray = (values[:, None, :] @ weight.T)[:, 0]
    return products


def _sums(values: FloatArray) -> FloatArray:
    """[R] sum of each row, from left to right, so that zeros at its end change nothing."""
    return np.cumsum(values, axis=1)[:, -1]


def confidence_features(scores: FloatArray, out_starts: IntArray) -> FloatArray:
    """[R, 4] largest probability, its lead, normalised entropy, and option count / 255, without any temperature."""
    counts = np.diff(out_starts) - 1
    # One more column than the widest row, so that a row always has a second-largest value.
    columns = np.arange(int(counts.max(initial=0)) + 1)
    filled = columns < counts[:, None]
    logits = np.full(filled.shape, -np.inf, dtype=np.float32)
    logits[filled] = np.delete(scores, out_starts[:-1])
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = exponentials / _sums(exponentials)[:, None]
    largest = np.partition(p, -2, axis=1)[:, -2:]
    options = np.maximum(counts, 2)
    entropy = -_sums(p * np.log(np.maximum(p, _SMALLEST_P))) / np.log(options)
    features = (largest[:, 1], largest[:, 1] - largest[:, 0], entropy, options / _LARGEST_COUNT)
    return np.stack(features, axis=1).astype(np.float32)


def gelu(values: FloatArray) -> FloatArray:
    """The exact (erf) GELU."""
    erf: Any = _ERF(values * np.float32(math.sqrt(0.5)))
    result: FloatArray = values * np.float32(0.5) * (np.float32(1.0) + erf.astype(np.float32))
    return result
