"""The ModernBERT encoder over packed tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laya.model.graph.weights import rope_table

if TYPE_CHECKING:
    from laya.model.config import EncoderConfig
    from laya.model.graph.builder import GraphBuilder
    from laya.model.graph.layout import Masks, Packing


def modernbert_encoder(g: GraphBuilder, encoder: EncoderConfig, packing: Packing, masks: Masks) -> list[str]:
    """Hidden state [T, D] after each layer, the last one normalised."""
    words = g.lookup("encoder.embeddings.tok_embeddings.weight", packing.input_ids)
    hidden = g.norm(words, "encoder.embeddings.norm", encoder.norm_eps)
    states = []
    for layer in range(encoder.layers):
        hidden = _layer(g, encoder, packing, masks, hidden, layer=layer)
        states.append(hidden)
    return [*states[:-1], g.norm(hidden, "encoder.final_norm", encoder.norm_eps)]


def _layer(g: GraphBuilder, encoder: EncoderConfig, packing: Packing, masks: Masks, hidden: str, *, layer: int) -> str:
    name, width, local = f"encoder.layers.{layer}", encoder.hidden_size, encoder.sliding[layer]
    # The embeddings are already normalised, so the first layer has no norm of its own.
    normed = g.norm(hidden, f"{name}.attn_norm", encoder.norm_eps) if layer else hidden
    query, key, value = g.joined_linear(normed, f"{name}.attn.Wqkv", 3, width)
    tables = (rope_table("cos", local=local), rope_table("sin", local=local))
    query, key = (g.rotary(part, packing.position_ids, *tables, encoder.head_size) for part in (query, key))
    parts = [packing.pack(g, part) for part in (query, key, value)]
    mask = masks.sliding if local else masks.full
    mixed = g.attention(parts, mask, encoder.heads, width)
    hidden = g.linear(packing.unpack(g, mixed, width), f"{name}.attn.Wo", residual=hidden)
    normed = g.norm(hidden, f"{name}.mlp_norm", encoder.norm_eps)
    inner, gate = g.joined_linear(normed, f"{name}.mlp.Wi", 2, encoder.intermediate)
    product = g.op("Mul", g.activation(inner, encoder.activation), gate)
    return g.linear(product, f"{name}.mlp.Wo", residual=hidden)
