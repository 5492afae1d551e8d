"""Where each token lies and whom it sees: the inputs that all layers of a packed graph share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from laya.model.graph.builder import MASKED, GraphBuilder


@dataclass(frozen=True, slots=True)
class Packing:
    """Names of the tensors that describe a packed batch; shapes as in `laya.request.PackedBatch`."""

    input_ids: str
    position_ids: str
    row: str
    pack_index: str
    unpack_index: str
    option: str = ""
    type_ids: str = ""
    out_index: str = ""

    def pack(self, g: GraphBuilder, value: str) -> str:
        """[T, D] to [P, L, D]."""
        return g.op("Gather", value, self.pack_index, axis=0)

    def unpack(self, g: GraphBuilder, value: str, width: int) -> str:
        """[P, L, D] to [T, D]."""
        return g.op("Gather", g.reshape(value, -1, width), self.unpack_index, axis=0)

    def wanted(self, g: GraphBuilder, value: str, width: int) -> str:
        """[P, L, D] to [N, D], the tokens of `out_index` alone."""
        slots = g.op("Gather", self.unpack_index, self.out_index, axis=0)
        return g.op("Gather", g.reshape(value, -1, width), slots, axis=0)


@dataclass(frozen=True, slots=True)
class Masks:
    """Names of additive attention masks [P, 1, L, L], each computed once for all layers."""

    row: str
    """A token sees its row. The decision head uses this one."""
    full: str
    """As `row`, and under the parallel layout no other option."""
    sliding: str = ""
    """As `full`, within the sliding window."""


def build_masks(g: GraphBuilder, packing: Packing, *, parallel: bool, window: int | None) -> Masks:
    """Compute the masks.

    Args:
        g: the graph.
        packing: the packed inputs.
        parallel: whether the options of a row must not see each other.
        window: positions that a token of a sliding layer sees each way, None where there is no such layer.
    """
    same_row = _equal_pairs(g, packing.row)
    allowed = same_row
    if parallel:
        zero = g.constant(0, np.int32)
        shared = g.op("Equal", packing.option, zero)
        either = g.op("Or", as_query(g, shared), as_key(g, shared))
        allowed = g.op("And", same_row, g.op("Or", either, _equal_pairs(g, packing.option)))
    row = additive(g, same_row)
    full = additive(g, allowed) if parallel else row
    if window is None:
        return Masks(row, full)
    positions = g.op("Gather", packing.position_ids, packing.pack_index, axis=0)
    distance = g.op("Abs", g.op("Sub", as_query(g, positions), as_key(g, positions)))
    near = g.op("LessOrEqual", distance, g.constant(window))
    return Masks(row, full, additive(g, g.op("And", allowed, near)))


def as_query(g: GraphBuilder, value: str) -> str:
    """[P, L] to [P, L, 1]: a value of the slot that asks."""
    return g.op("Unsqueeze", value, g.constant([2]))


def as_key(g: GraphBuilder, value: str) -> str:
    """[P, L] to [P, 1, L]: a value of the slot that is seen."""
    return g.op("Unsqueeze", value, g.constant([1]))


def _equal_pairs(g: GraphBuilder, value: str) -> str:
    """[P, L] to [P, L, L]: whether two slots hold the same number."""
    return g.op("Equal", as_query(g, value), as_key(g, value))


def additive(g: GraphBuilder, allowed: str) -> str:
    """[P, L, L] to [P, 1, L, L]: who sees whom, as numbers that are added to attention scores."""
    values = (g.constant(0.0, np.float32), g.constant(MASKED, np.float32))
    return g.op("Unsqueeze", g.op("Where", allowed, *values), g.constant([1]))
