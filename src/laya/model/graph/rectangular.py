"""The rectangular graph: padded rows in, option logits and action logits out, for any ONNX runtime.

It is the packed graph with one row per pack, behind operators that work the packing out. Weights are inside, operators
are standard ones.

Inputs: `input_ids`, `attention_mask` [batch_size, seq_len], `marker_pos` [batch_size, num_markers], `qtype`
[batch_size], all int64, and `marker_mask` [batch_size, num_markers], bool. Outputs: `logits` [batch_size, num_markers]
and `act_logits` [batch_size, A].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from laya.model.graph.builder import BOOL, FLOAT, INT32, INT64, GraphBuilder
from laya.model.graph.head import decision_head
from laya.model.graph.layout import Packing
from laya.model.graph.packed import encode
from laya.model.graph.weights import graph_weights
from laya.model.schema import act_tensors

if TYPE_CHECKING:
    from collections.abc import Callable

    from laya.model.config import CheckpointConfig, EncoderConfig

MASKED_LOGIT: Final = -1e4
"""Logit of a column that holds no marker."""
_BATCH, _TOKENS, _MARKERS = "batch_size", "seq_len", "num_markers"


@dataclass(frozen=True, slots=True)
class _Inputs:
    input_ids: str
    attention_mask: str
    marker_pos: str
    marker_mask: str
    qtype: str


def build_rectangular(
    config: CheckpointConfig, encoder: EncoderConfig, value: Callable[[str], npt.NDArray[Any]]
) -> onnx.ModelProto:
    """Build the graph of a sequential checkpoint.

    Args:
        config: the checkpoint's config.
        encoder: the encoder's config.
        value: gives each weight, in float32.
    """
    width = encoder.hidden_size
    weights = graph_weights(encoder, config.option_layout, config.head_layers) | act_tensors(width, config.n_act)
    g = GraphBuilder(
        "laya", weights, fused=False, writer=lambda name, _shape, _dtype: numpy_helper.from_array(value(name), name)
    )
    inputs = _Inputs(
        input_ids=g.input("input_ids", INT64, (_BATCH, _TOKENS)),
        attention_mask=g.input("attention_mask", INT64, (_BATCH, _TOKENS)),
        marker_pos=g.input("marker_pos", INT64, (_BATCH, _MARKERS)),
        marker_mask=g.input("marker_mask", BOOL, (_BATCH, _MARKERS)),
        qtype=g.input("qtype", INT64, (_BATCH,)),
    )
    packing = _packing(g, inputs)
    hidden, masks = encode(g, encoder, packing, parallel=False)
    scores, features = decision_head(g, packing, masks, hidden, layers=config.head_layers, width=width)
    logits = _option_logits(g, inputs, scores)
    g.output(logits, "logits", FLOAT, (_BATCH, _MARKERS))
    g.output(_act_logits(g, inputs, logits, features, width), "act_logits", FLOAT, (_BATCH, config.n_act))
    return g.model()


def _packing(g: GraphBuilder, inputs: _Inputs) -> Packing:
    """Every row is a pack of its own, padding included; padding sees nothing but padding."""
    shape = g.op("Shape", inputs.input_ids)
    tokens = g.reshape(g.shape_of(inputs.input_ids, 1))
    flat = g.constant([-1])
    positions = g.op("Range", g.constant(0), tokens, g.constant(1))
    count = g.op("ReduceProd", shape, axes=[0], keepdims=0)
    slots = g.op("Range", g.constant(0), count, g.constant(1))
    start = g.op("Mul", g.op("Range", g.constant(0), g.reshape(g.shape_of(inputs.qtype, 0)), g.constant(1)), tokens)
    start = g.op("Unsqueeze", start, g.constant([1]))
    wanted = g.op("Concat", start, g.op("Add", inputs.marker_pos, start), axis=1)
    types = g.op("Expand", g.op("Unsqueeze", inputs.qtype, g.constant([1])), shape)
    return Packing(
        input_ids=g.op("Reshape", inputs.input_ids, flat),
        position_ids=g.op("Reshape", g.op("Expand", positions, shape), flat),
        type_ids=g.op("Reshape", types, flat),
        row=g.op("Sub", g.op("Cast", inputs.attention_mask, to=INT32), g.constant(1, np.int32)),
        pack_index=g.op("Reshape", slots, shape),
        unpack_index=slots,
        out_index=g.op("Reshape", wanted, flat),
    )


def _option_logits(g: GraphBuilder, inputs: _Inputs, scores: str) -> str:
    """[N] to [batch_size, num_markers]: without the CLS column, with padding columns masked."""
    rows = g.op("Concat", g.shape_of(inputs.qtype, 0), g.constant([-1]), axis=0)
    columns = g.op("Slice", g.op("Reshape", scores, rows), g.constant([1]), g.constant([2**31 - 1]), g.constant([1]))
    return g.op("Where", inputs.marker_mask, columns, g.constant(MASKED_LOGIT, np.float32))


def _act_logits(g: GraphBuilder, inputs: _Inputs, logits: str, features: str, width: int) -> str:
    shape = g.op("Concat", g.shape_of(inputs.qtype, 0), g.constant([-1, width]), axis=0)
    cls = g.op("Gather", g.op("Reshape", features, shape), g.constant(0), axis=1)
    joined = g.op("Concat", cls, _confidence_features(g, inputs, logits), axis=1)
    return g.linear(g.activation(g.linear(joined, "act_head.0"), "gelu"), "act_head.2")


def _confidence_features(g: GraphBuilder, inputs: _Inputs, logits: str) -> str:
    """[batch_size, 4] largest probability, its lead, normalised entropy, option count / 255."""
    # A masked column more, so that there is a second-largest value even for a single marker.
    padded = g.op("Pad", logits, g.constant([0, 0, 0, 1]), g.constant(MASKED_LOGIT, np.float32))
    p = g.op("Softmax", padded, axis=-1)
    largest, _ = g.ops("TopK", p, g.constant([2]), outputs=2, axis=-1)
    first, second = g.split(largest, 1, 1)
    information = g.op("Mul", p, g.op("Log", g.op("Max", p, g.constant(1e-9, np.float32))))
    marked = g.op("Cast", inputs.marker_mask, to=FLOAT)
    options = g.op("Max", g.op("ReduceSum", marked, g.constant([1])), g.constant(2.0, np.float32))
    entropy = g.op("Neg", g.op("ReduceSum", information, g.constant([1])))
    return g.op(
        "Concat",
        first,
        g.op("Sub", first, second),
        g.op("Div", entropy, g.op("Log", options)),
        g.op("Div", options, g.constant(255.0, np.float32)),
        axis=1,
    )
