"""The decision head: pre-norm transformer layers over whole rows, then a scorer at the tokens that are wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from laya.model.schema import head_heads

if TYPE_CHECKING:
    from laya.model.graph.builder import GraphBuilder
    from laya.model.graph.layout import Masks, Packing

_EPS: Final = 1e-5


def decision_head(
    g: GraphBuilder, packing: Packing, masks: Masks, hidden: str, *, layers: int, width: int
) -> tuple[str, str]:
    """Logits [N] and final hidden states [N, D] of the wanted tokens.

    The last layer works on the wanted tokens alone once they have attended to their rows.
    """
    types = g.lookup("type_emb.weight", packing.type_ids)
    hidden = g.op("Add", hidden, types)
    for layer in range(layers):
        hidden = _layer(g, packing, masks, f"head.layers.{layer}", hidden, width=width, last=layer == layers - 1)
    if not layers:
        hidden = g.op("Gather", hidden, packing.out_index, axis=0)
    return _scores(g, hidden), hidden


def _layer(g: GraphBuilder, packing: Packing, masks: Masks, name: str, hidden: str, *, width: int, last: bool) -> str:
    normed = g.norm(hidden, f"{name}.norm1", _EPS)
    parts = g.joined_linear(normed, f"{name}.self_attn.in_proj", 3, width, sep="_")
    packed = [packing.pack(g, part) for part in parts]
    mixed = g.attention(packed, masks.row, head_heads(width), width)
    if last:
        mixed = packing.wanted(g, mixed, width)
        hidden = g.op("Gather", hidden, packing.out_index, axis=0)
    else:
        mixed = packing.unpack(g, mixed, width)
    attended = g.linear(mixed, f"{name}.self_attn.out_proj")
    normed, hidden = g.add_norm(attended, hidden, f"{name}.norm2", _EPS)
    inner = g.activation(g.linear(normed, f"{name}.linear1"), "relu")
    return g.linear(inner, f"{name}.linear2", residual=hidden)


def _scores(g: GraphBuilder, hidden: str) -> str:
    inner = g.activation(g.linear(g.norm(hidden, "scorer.0", _EPS), "scorer.1"), "gelu")
    return g.reshape(g.linear(inner, "scorer.3"), -1)
