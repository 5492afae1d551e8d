"""Initializers of the graphs: which there are, and how each is made from the tensors of the checkpoint.

An initializer has the name of the tensor that it is. `NAME[a:b]` stands for rows a to b of the tensor NAME: projections
that the checkpoint stores joined run apart, which saves cutting their results. Tables that no tensor holds have names
of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
import numpy.typing as npt

from laya.model.schema import SEGMENTS, Shape, encoder_tensors, head_tensors, reader_tensors

if TYPE_CHECKING:
    from laya.model.config import EncoderConfig
    from laya.model.reader import ReaderShape
    from laya.model.tensors import Tensors
    from laya.request import FloatArray, OptionLayout

_BERT_TABLES: Final = (
    "encoder.embeddings.position_embeddings.weight",
    "encoder.embeddings.token_type_embeddings.weight",
)
POSITION_TABLE: Final = "position_and_type"
"""BERT's position table with row 0 of the token type table added: every token here has type 0."""
_ROPE: Final = {"rope.cos": (False, np.cos), "rope.sin": (False, np.sin)} | {
    "rope_local.cos": (True, np.cos),
    "rope_local.sin": (True, np.sin),
}
_JOINED: Final = {"Wqkv": 3, "in_proj_weight": 3, "in_proj_bias": 3, "Wi": 2, "self_in": 3, "cross_kv": 2}
"""Tensors that hold several projections of equal height, by the last or last but one part of the name."""
ReaderPart = Literal["question", "pairs"]
STATE_SEGMENT: Final = f"reader.segment.weight[{SEGMENTS - 1}:{SEGMENTS}]"
"""What is added to the tokens of a state."""
_OF_QUESTIONS_ALONE: Final = ("reader.segment.", "reader.marker.", "reader.option.", "reader.pair_option.")
_OF_QUESTIONS: Final = (
    *_OF_QUESTIONS_ALONE,
    "reader.input.",
    "reader.centre",
    "reader.scale",
    *(f"reader.layers.0.{part}." for part in ("norm1", "self_in", "self_out", "norm2", "cross_q")),
)
_ROWS: Final = re.compile(r"(?P<name>.+)\[(?P<start>\d+):(?P<stop>\d+)\]")


def rows_of(name: str, start: int, stop: int) -> str:
    """Name of the initializer that holds some rows of a tensor."""
    return f"{name}[{start}:{stop}]"


def rope_table(function: str, *, local: bool) -> str:
    """Name of a rotary table; `function` is "cos" or "sin"."""
    return f"rope{'_local' if local else ''}.{function}"


def is_stored(name: str) -> bool:
    """Whether an initializer is (part of) a tensor of the file, rather than a table that is computed."""
    return name != POSITION_TABLE and name not in _ROPE


def graph_weights(encoder: EncoderConfig, layout: OptionLayout, head_layers: int) -> dict[str, Shape]:
    """Name to shape of every initializer of the packed graph."""
    tensors = encoder_tensors(encoder)
    if layout != "reader":
        tensors |= head_tensors(encoder.hidden_size, head_layers)
    shapes: dict[str, Shape] = {}
    for name, shape in tensors.items():
        if name not in _BERT_TABLES:
            shapes |= _parts(name, shape)
    if encoder.model_type == "bert":
        return shapes | {POSITION_TABLE: (encoder.max_positions, encoder.hidden_size)}
    table = (encoder.max_positions, encoder.head_size // 2)
    # A table that no layer uses would be an initializer that the graph does not know.
    used = set(encoder.sliding)
    return shapes | {name: table for name, (local, _) in _ROPE.items() if local in used}


def reader_weights(reader: ReaderShape, part: ReaderPart) -> dict[str, Shape]:
    """Name to shape of every initializer of one of the two reader graphs."""
    shapes: dict[str, Shape] = {}
    for name, shape in reader_tensors(reader).items():
        if part == "question" and name.startswith(_OF_QUESTIONS):
            shapes |= _parts(name, shape)
        if part == "pairs" and not name.startswith(_OF_QUESTIONS_ALONE):
            shapes |= _parts(name, shape)
    return shapes if part == "question" else shapes | {STATE_SEGMENT: (1, reader.width)}


def _parts(name: str, shape: Shape) -> dict[str, Shape]:
    pieces = next((_JOINED[part] for part in name.split(".")[-2:] if part in _JOINED), 1)
    if pieces == 1:
        return {name: shape}
    height = shape[0] // pieces
    return {rows_of(name, i * height, (i + 1) * height): (height, *shape[1:]) for i in range(pieces)}


def initializer_value(name: str, encoder: EncoderConfig, tensors: Tensors, *, half: bool) -> npt.NDArray[Any]:
    """Value of one initializer, C-contiguous; a view of the file where that is possible.

    Args:
        name: a name of `graph_weights` or `reader_weights`.
        encoder: the encoder's config.
        tensors: the tensors of the file.
        half: leave float16 tensors as they are; otherwise everything is float32.
    """
    if name == POSITION_TABLE:
        positions, types = (tensors.array(table) for table in _BERT_TABLES)
        table: FloatArray = positions + types[0]
        return table
    if name in _ROPE:
        local, function = _ROPE[name]
        return np.asarray(function(_angles(encoder, local=local)), dtype=np.float32)
    match = _ROWS.fullmatch(name)
    tensor = match["name"] if match else name
    rows = slice(int(match["start"]), int(match["stop"])) if match else slice(None)
    return tensors.raw(tensor)[rows] if half else tensors.array(tensor, rows)


def _angles(encoder: EncoderConfig, *, local: bool) -> FloatArray:
    """[positions, head size / 2] angles, computed in float32 as the encoders were trained."""
    theta = encoder.rope_theta_local if local else encoder.rope_theta
    exponents = np.arange(0, encoder.head_size, 2, dtype=np.float32) / np.float32(encoder.head_size)
    frequencies = (1.0 / np.power(np.float32(theta), exponents)).astype(np.float32)
    return np.outer(np.arange(encoder.max_positions, dtype=np.float32), frequencies)
