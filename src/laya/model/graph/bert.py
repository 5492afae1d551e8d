"""The BERT encoder over packed tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laya.model.graph.weights import POSITION_TABLE

if TYPE_CHECKING:
    from laya.model.config import EncoderConfig
    from laya.model.graph.builder import GraphBuilder
    from laya.model.graph.layout import Masks, Packing


def bert_encoder(g: GraphBuilder, encoder: EncoderConfig, packing: Packing, masks: Masks) -> list[str]:
    """Hidden state [T, D] after each layer."""
    words = g.lookup("encoder.embeddings.word_embeddings.weight", packing.input_ids)
    positions = g.lookup(POSITION_TABLE, packing.position_ids)
    hidden, _ = g.add_norm(words, positions, "encoder.embeddings.LayerNorm", encoder.norm_eps)
    states = []
    for layer in range(encoder.layers):
        hidden = _layer(g, encoder, packing, masks, hidden, layer=layer)
        states.append(hidden)
    return states


def _layer(g: GraphBuilder, encoder: EncoderConfig, packing: Packing, masks: Masks, hidden: str, *, layer: int) -> str:
    name, width = f"encoder.encoder.layer.{layer}", encoder.hidden_size
    parts = [packing.pack(g, g.linear(hidden, f"{name}.attention.self.{part}")) for part in ("query", "key", "value")]
    mixed = packing.unpack(g, g.attention(parts, masks.full, encoder.heads, width), width)
    attended = g.linear(mixed, f"{name}.attention.output.dense")
    hidden, _ = g.add_norm(attended, hidden, f"{name}.attention.output.LayerNorm", encoder.norm_eps)
    inner = g.activation(g.linear(hidden, f"{name}.intermediate.dense"), encoder.activation)
    hidden, _ = g.add_norm(
        g.linear(inner, f"{name}.output.dense"), hidden, f"{name}.output.LayerNorm", encoder.norm_eps
    )
    return hidden
