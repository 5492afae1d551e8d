"""The reader graphs: what the reader makes of a question alone, and what it makes of questions and states together.

A row is a token or a marker of a question; rows that ask and rows that are seen stand in blocks (see
`laya.encoding.reader_blocks`). Inputs have the names and shapes of the fields of `laya.request.QuestionBatch` and
`PairBatch`. Until the first cross-attention no token has met the state, and no token sees a marker, so the first
layer's self-attention over tokens is part of the question graph. Scores are read at the markers, so the last layer
computes no token.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from laya.model.graph.builder import FLOAT, INT32, INT64, GraphBuilder
from laya.model.graph.layout import additive, as_key, as_query
from laya.model.graph.weights import STATE_SEGMENT, reader_weights
from laya.model.schema import RANKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.model.graph.cache import ReaderSpec
    from laya.model.reader import ReaderShape

_EPS: Final = 1e-5
_END: Final = 2**62
"""An end beyond every axis."""


@dataclass(frozen=True, slots=True)
class _Asking:
    """Rows that ask: where they stand in blocks, and what they see."""

    index: str
    """[P, L] row of each slot."""
    place: str
    """[R] slot of each row."""
    sees: str
    """[P, 1, L, K] mask over what is seen in the block."""

    def attend(self, g: GraphBuilder, shape: ReaderShape, query: str, seen: Sequence[str]) -> str:
        """[R, d] attention of queries [R, d] over packed keys and values [P, K, d]."""
        packed = g.op("Gather", query, self.index, axis=0)
        mixed = g.attention([packed, *seen], self.sees, shape.heads, shape.width)
        return g.op("Gather", g.reshape(mixed, -1, shape.width), self.place, axis=0)


def build_question(spec: ReaderSpec) -> bytes:
    """The serialised graph of the work that needs no state; it depends on the spec alone."""
    g, shape = _builder(spec), spec.shape
    hidden = g.input("hidden", FLOAT, ("tokens", shape.hidden))
    segments = g.lookup("reader.segment.weight", g.input("segment", INT64, ("tokens",)))
    rows = g.op("Add", g.linear(hidden, "reader.input"), segments)
    key_index = g.input("key_index", INT64, ("blocks", "keys"))
    asking = _asking(g, "query", g.input("key_option", INT32, ("blocks", "keys")))
    query, key, value = g.joined_linear(_norm(g, rows, 0, 1), f"{_layer(0)}.self_in", 3, shape.width)
    mixed = asking.attend(g, shape, query, _packed(g, (key, value), key_index))
    rows = g.linear(mixed, f"{_layer(0)}.self_out", residual=rows)
    outputs = {"tokens": rows, "query": _cross_query(g, rows, 0), "key": key, "value": value}
    for name, output in outputs.items():
        g.output(output, name, FLOAT, ("tokens", shape.width))
    vectors = _standardised(g, g.input("option", FLOAT, ("options", shape.vector)))
    kinds = g.lookup("reader.marker.weight", g.input("kind", INT64, ("options",)))
    g.output(g.linear(vectors, "reader.option", residual=kinds), "markers", FLOAT, ("options", shape.width))
    g.output(g.linear(vectors, "reader.pair_option"), "paired", FLOAT, ("options", shape.vector))
    return _serialised(g)


def build_pairs(spec: ReaderSpec) -> bytes:
    """The serialised graph that scores the markers of (state, question) pairs; it depends on the spec alone."""
    g = _builder(spec)
    scores = _Pairs(g, spec.shape).scores()
    g.output(g.reshape(scores, -1), "logits", FLOAT, ("options",))
    return _serialised(g)


class _Pairs:
    """The layers over pairs. Inputs are declared when they are first used, since few layers do not use all."""

    def __init__(self, g: GraphBuilder, shape: ReaderShape) -> None:
        self._g = g
        self._shape = shape
        self._last = shape.layers - 1
        self._key_index = g.input("key_index", INT64, ("blocks", "keys"))
        self._key_option = g.input("key_option", INT32, ("blocks", "keys"))
        self._state_index = g.input("state_index", INT64, ("states", "state_slots"))

    def scores(self) -> str:
        """[M, 1] score of every marker."""
        g, states = self._g, self._states()
        rows, query = self._first()
        for layer in range(self._shape.layers):
            if layer:
                rows = self._self_attention(rows, layer)
                query = _cross_query(g, rows, layer)
            visit = self._marker_visit if layer == self._last else self._visit
            parts = g.joined_linear(states, f"{_layer(layer)}.cross_kv", 2, self._shape.width)
            mixed = visit.attend(g, self._shape, query, _packed(g, parts, self._state_slots))
            rows = g.linear(mixed, f"{_layer(layer)}.cross_out", residual=rows)
            if self._shape.compare:
                rows = g.linear(g.op("Mul", query, mixed), f"{_layer(layer)}.compare", residual=rows)
            inner = g.activation(g.linear(_norm(g, rows, layer, 3), f"{_layer(layer)}.up"), "gelu")
            rows = g.linear(inner, f"{_layer(layer)}.down", residual=rows)
        scores = g.linear(g.norm(rows, "reader.norm", _EPS), "reader.scorer")
        return g.op("Mul", scores, self._gate()) if self._shape.gate else scores

    def _gate(self) -> str:
        """[M, 1] which way and how far each marker's score counts, by what the question alone says."""
        g = self._g
        rows = self._first_attention(self._started)
        return g.op("Tanh", g.linear(g.norm(rows, "reader.gate_norm", _EPS), "reader.gate"))

    @cached_property
    def _tokens(self) -> str:
        return self._g.input("tokens", FLOAT, ("tokens", self._shape.width))

    @cached_property
    def _given(self) -> tuple[str, ...]:
        """What the tokens are seen by and tell in the first layer: [T, d] each."""
        return tuple(self._g.input(name, FLOAT, ("tokens", self._shape.width)) for name in ("key", "value"))

    @cached_property
    def _started(self) -> str:
        """[M, d] what markers start from, before they know of the state."""
        return self._g.input("markers", FLOAT, ("options", self._shape.width))

    @cached_property
    def _query(self) -> _Asking:
        return _asking(self._g, "query", self._key_option)

    @cached_property
    def _marker(self) -> _Asking:
        return _asking(self._g, "marker", self._key_option)

    @cached_property
    def _visit(self) -> _Asking:
        return _visiting(self._g, "visit", self._state_index)

    @cached_property
    def _marker_visit(self) -> _Asking:
        return _visiting(self._g, "marker_visit", self._state_index)

    @cached_property
    def _state_slots(self) -> str:
        """[G, N] token of each slot; empty ones hold the first, which nobody sees there."""
        return self._g.op("Max", self._state_index, self._g.constant(0))

    def _states(self) -> str:
        """[S, d] tokens of the states as all layers see them."""
        g = self._g
        hidden = g.input("state_hidden", FLOAT, ("state_tokens", self._shape.hidden))
        rows = g.op("Add", g.linear(hidden, "reader.input"), g.weight(STATE_SEGMENT))
        return g.norm(rows, "reader.state_norm", _EPS)

    def _first(self) -> tuple[str, str]:
        """Rows after the first self-attention and their queries to the state; of tokens both are given."""
        g, width = self._g, self._shape.width
        rows = self._first_attention(self._markers())
        query = _cross_query(g, rows, 0)
        if not self._last:
            return rows, query
        first_query = g.input("query", FLOAT, ("tokens", width))
        return g.op("Concat", self._tokens, rows, axis=0), g.op("Concat", first_query, query, axis=0)

    def _first_attention(self, rows: str) -> str:
        """Markers [M, d] after the first self-attention, in which they see tokens and each other."""
        g, width = self._g, self._shape.width
        asked, *parts = g.joined_linear(_norm(g, rows, 0, 1), f"{_layer(0)}.self_in", 3, width)
        seen = [g.op("Concat", *both, axis=0) for both in zip(self._given, parts, strict=True)]
        mixed = self._marker.attend(g, self._shape, asked, _packed(g, seen, self._key_index))
        return g.linear(mixed, f"{_layer(0)}.self_out", residual=rows)

    def _markers(self) -> str:
        """[M, d] markers before the first layer: what they start from, and what option and state have in common."""
        g, wide = self._g, ("options", self._shape.vector)
        told = g.linear(_standardised(g, g.input("state_vector", FLOAT, wide)), "reader.pair_state")
        common = g.op("Mul", g.input("paired", FLOAT, wide), told)
        matched = g.linear(common, "reader.match", residual=self._started)
        mean, spread = g.split(g.weight("reader.usual"), 1, 1)
        cosine = g.op("Div", g.op("Sub", g.input("cosine", FLOAT, ("options", 1)), mean), spread)
        place = g.input("place", FLOAT, ("options", RANKS - 1))
        return g.linear(g.op("Concat", cosine, place, axis=-1), "reader.rank", residual=matched)

    def _self_attention(self, rows: str, layer: int) -> str:
        """Rows after self-attention; in the last layer the markers alone, which are the last rows."""
        g, width, name = self._g, self._shape.width, f"{_layer(layer)}.self_in"
        normed = _norm(g, rows, layer, 1)
        seen = _packed(g, [g.part_linear(normed, name, part, width) for part in (1, 2)], self._key_index)
        asking = self._query if layer < self._last else self._marker
        if layer == self._last:
            ends = g.shape_of(self._tokens, 0), g.constant([_END]), g.constant([0])
            normed, rows = g.op("Slice", normed, *ends), g.op("Slice", rows, *ends)
        mixed = asking.attend(g, self._shape, g.part_linear(normed, name, 0, width), seen)
        return g.linear(mixed, f"{_layer(layer)}.self_out", residual=rows)


def _builder(spec: ReaderSpec) -> GraphBuilder:
    weights = reader_weights(spec.shape, spec.part)
    return GraphBuilder(
        f"laya_reader_{spec.part}",
        weights,
        fused=spec.dialect != "standard",
        half=set(weights) if spec.half else (),
        as_inputs=spec.dialect == "parameters",
    )


def _serialised(g: GraphBuilder) -> bytes:
    content: bytes = g.model().SerializeToString(deterministic=True)
    return content


def _layer(layer: int) -> str:
    return f"reader.layers.{layer}"


def _norm(g: GraphBuilder, rows: str, layer: int, number: int) -> str:
    return g.norm(rows, f"{_layer(layer)}.norm{number}", _EPS)


def _cross_query(g: GraphBuilder, rows: str, layer: int) -> str:
    return g.linear(_norm(g, rows, layer, 2), f"{_layer(layer)}.cross_q")


def _packed(g: GraphBuilder, parts: Sequence[str], index: str) -> list[str]:
    """Rows [R, d] as they stand in blocks [P, K, d]."""
    return [g.op("Gather", part, index, axis=0) for part in parts]


def _asking(g: GraphBuilder, kind: str, key_option: str) -> _Asking:
    """Inputs `KIND_index`, `KIND_option` and `KIND_place`, and who sees whom in a question."""
    slots = ("blocks", f"{kind}_slots")
    query = as_query(g, g.input(f"{kind}_option", INT32, slots))
    key, zero = as_key(g, key_option), g.constant(0, np.int32)
    token = g.op("Or", g.op("Equal", key, zero), g.op("Equal", key, g.op("Abs", query)))
    marker = g.op("And", g.op("Less", key, zero), g.op("Less", query, zero))
    mask = additive(g, g.op("Or", token, marker))
    return _Asking(g.input(f"{kind}_index", INT64, slots), g.input(f"{kind}_place", INT64, (f"{kind}_rows",)), mask)


def _visiting(g: GraphBuilder, kind: str, state_index: str) -> _Asking:
    """Inputs `KIND_index` and `KIND_place`; all rows see all tokens of their state."""
    index = g.input(f"{kind}_index", INT64, ("states", f"{kind}_slots"))
    mask = additive(g, as_key(g, g.op("GreaterOrEqual", state_index, g.constant(0))))
    one = g.constant([1])
    # The fused attention wants a mask for every slot that asks.
    shape = g.op("Concat", g.shape_of(index, 0), one, g.shape_of(index, 1), one, axis=0)
    return _Asking(index, g.input(f"{kind}_place", INT64, (f"{kind}_rows",)), g.op("Expand", mask, shape))


def _standardised(g: GraphBuilder, vectors: str) -> str:
    """Unit vectors without the part that all texts of a trunk share, at spread 1."""
    return g.op("Mul", g.op("Sub", vectors, g.weight("reader.centre")), g.weight("reader.scale"))
