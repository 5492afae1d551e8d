"""The packed graph: rows without padding in, scores (or hidden states of a trunk) out.

Inputs have the names and shapes of the fields of `laya.request.PackedBatch`. A decision checkpoint gives `logits` [N]
and `features` [N, D]; a trunk (reader layout) takes no `type_ids` and `out_index`, and gives `hidden` [T, D], or
[T, D * taps] where a reader sees several layers of it. Only the parallel layout has the input `option`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from laya.model.graph.bert import bert_encoder
from laya.model.graph.builder import FLOAT, INT32, INT64, GraphBuilder
from laya.model.graph.head import decision_head
from laya.model.graph.layout import Masks, Packing, build_masks
from laya.model.graph.modernbert import modernbert_encoder
from laya.model.graph.weights import graph_weights, is_stored

if TYPE_CHECKING:
    from laya.model.config import EncoderConfig
    from laya.model.graph.cache import GraphSpec


def build_packed(spec: GraphSpec) -> bytes:
    """The serialised graph of a spec. Its bytes depend on the spec alone."""
    weights = graph_weights(spec.encoder, spec.option_layout, spec.head_layers)
    g = GraphBuilder(
        "laya_packed",
        weights,
        fused=spec.dialect != "standard",
        half={name for name in weights if is_stored(name)} if spec.half else (),
        as_inputs=spec.dialect == "parameters",
    )
    trunk, width = spec.option_layout == "reader", spec.encoder.hidden_size
    packing = _inputs(g, spec)
    hidden, masks = encode(g, spec.encoder, packing, parallel=spec.option_layout == "parallel", taps=spec.taps)
    if trunk:
        g.output(hidden, "hidden", FLOAT, ("tokens", width * max(1, len(spec.taps))))
    else:
        logits, features = decision_head(g, packing, masks, hidden, layers=spec.head_layers, width=width)
        g.output(logits, "logits", FLOAT, ("wanted",))
        g.output(features, "features", FLOAT, ("wanted", width))
    content: bytes = g.model().SerializeToString(deterministic=True)
    return content


def _inputs(g: GraphBuilder, spec: GraphSpec) -> Packing:
    packs = ("packs", "slots")
    common = {
        "input_ids": g.input("input_ids", INT64, ("tokens",)),
        "position_ids": g.input("position_ids", INT64, ("tokens",)),
        "row": g.input("row", INT32, packs),
        "pack_index": g.input("pack_index", INT64, packs),
        "unpack_index": g.input("unpack_index", INT64, ("tokens",)),
    }
    if spec.option_layout == "reader":
        return Packing(**common)
    if spec.option_layout == "parallel":
        common["option"] = g.input("option", INT32, packs)
    return Packing(
        **common,
        type_ids=g.input("type_ids", INT64, ("tokens",)),
        out_index=g.input("out_index", INT64, ("wanted",)),
    )


def encode(
    g: GraphBuilder, encoder: EncoderConfig, packing: Packing, *, parallel: bool, taps: tuple[int, ...] = ()
) -> tuple[str, Masks]:
    """Last hidden state [T, D] of the encoder, and the masks for whatever follows.

    With `taps`, which end with the last layer, the states after these layers [T, D * taps], side by side. Only the last
    has the final norm that some encoders have.
    """
    window = encoder.local_attention // 2 if any(encoder.sliding) else None
    masks = build_masks(g, packing, parallel=parallel, window=window)
    run = bert_encoder if encoder.model_type == "bert" else modernbert_encoder
    states = run(g, encoder, packing, masks)
    wanted = [states[tap - 1] for tap in taps] or states[-1:]
    return wanted[0] if len(wanted) == 1 else g.op("Concat", *wanted, axis=-1), masks
