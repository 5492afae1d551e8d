"""Which tensors a checkpoint must hold, with their shapes, as tables computed from the two configs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from laya.model.reader import ReaderShape, reader_shape

if TYPE_CHECKING:
    from laya.model.config import CheckpointConfig, EncoderConfig

Shape = tuple[int, ...]

ACT_HIDDEN: Final = 256
"""Hidden width of the action head."""
ACT_FEATURES: Final = 4
"""Confidence features that follow the CLS vector in the input of the action head."""
_IGNORED: Final = ("encoder.pooler.dense.weight", "encoder.pooler.dense.bias", "encoder.embeddings.position_ids")
_BERT: Final = "encoder.encoder.layer"
READER_PREFIX: Final = "reader."
SEGMENTS: Final = 6
"""Kinds of reader tokens: instructions, choice option, score level, denial, statement, state."""
MARKERS: Final = 4
"""Kinds of reader markers: choice, score, noul false, noul true."""
RANKS: Final = 4
"""Numbers that say where a level stands in its scale."""


def head_heads(hidden_size: int) -> int:
    """Attention heads of a decision head layer: one per 64 values, whatever the encoder has."""
    return max(1, hidden_size // 64)


def may_ignore(name: str, config: CheckpointConfig) -> bool:
    """Whether a tensor outside `expected_tensors` is harmless: it is never read, like those of a reader of 0 layers."""
    no_layers = config.reader is not None and not config.reader.get("layers", 0)
    return name in _IGNORED or (no_layers and name.startswith(READER_PREFIX))


def expected_tensors(config: CheckpointConfig, encoder: EncoderConfig) -> dict[str, Shape]:
    """Name to shape of every tensor that the model file must hold."""
    shapes = encoder_tensors(encoder)
    if config.option_layout == "reader":
        reader = reader_shape(config, encoder)
        return shapes if reader is None else shapes | reader_tensors(reader)
    width = encoder.hidden_size
    return shapes | {"temperature": (3,)} | head_tensors(width, config.head_layers) | act_tensors(width, config.n_act)


def required_prefixes(config: CheckpointConfig) -> tuple[str, ...]:
    """Parts of which at least one tensor must be there before names and shapes are compared."""
    if config.reader is None:
        return ("encoder.", "type_emb.", "scorer.", "act_head.")
    return ("encoder.", READER_PREFIX) if config.reader.get("layers", 0) else ("encoder.",)


def reader_tensors(reader: ReaderShape) -> dict[str, Shape]:
    """Name to shape of the tensors of the reader layers."""
    d = reader.width
    shapes: dict[str, Shape] = {"reader.segment.weight": (SEGMENTS, d), "reader.marker.weight": (MARKERS, d)}
    shapes |= _linear("reader.input", d, reader.hidden) | _norm("reader.state_norm", d)
    shapes |= _linear("reader.option", d, reader.vector) | _linear("reader.match", d, reader.vector)
    shapes |= _linear("reader.pair_option", reader.vector, reader.vector)
    shapes |= _linear("reader.pair_state", reader.vector, reader.vector)
    shapes |= _linear("reader.rank", d, RANKS)
    shapes |= {"reader.centre": (reader.vector,), "reader.scale": (reader.vector,), "reader.usual": (2,)}
    for layer in range(reader.layers):
        name = f"reader.layers.{layer}"
        shapes |= _norm(f"{name}.norm1", d) | _norm(f"{name}.norm2", d) | _norm(f"{name}.norm3", d)
        shapes |= _linear(f"{name}.self_in", 3 * d, d) | _linear(f"{name}.self_out", d, d)
        shapes |= _linear(f"{name}.cross_q", d, d) | _linear(f"{name}.cross_kv", 2 * d, d)
        shapes |= _linear(f"{name}.cross_out", d, d)
        shapes |= _linear(f"{name}.compare", d, d) if reader.compare else {}
        shapes |= _linear(f"{name}.up", reader.ffn, d) | _linear(f"{name}.down", d, reader.ffn)
    shapes |= (_norm("reader.gate_norm", d) | _linear("reader.gate", 1, d)) if reader.gate else {}
    return shapes | _norm("reader.norm", d) | _linear("reader.scorer", 1, d)


def encoder_tensors(encoder: EncoderConfig) -> dict[str, Shape]:
    """Name to shape of the encoder's tensors."""
    return _bert_tensors(encoder) if encoder.model_type == "bert" else _modernbert_tensors(encoder)


def head_tensors(width: int, layers: int) -> dict[str, Shape]:
    """Name to shape of the tensors of the decision head and its scorer."""
    shapes: dict[str, Shape] = {"type_emb.weight": (3, width)}
    for layer in range(layers):
        name = f"head.layers.{layer}"
        shapes |= {
            f"{name}.self_attn.in_proj_weight": (3 * width, width),
            f"{name}.self_attn.in_proj_bias": (3 * width,),
        }
        shapes |= _linear(f"{name}.self_attn.out_proj", width, width)
        shapes |= _linear(f"{name}.linear1", 4 * width, width) | _linear(f"{name}.linear2", width, 4 * width)
        shapes |= _norm(f"{name}.norm1", width) | _norm(f"{name}.norm2", width)
    return shapes | _norm("scorer.0", width) | _linear("scorer.1", width, width) | _linear("scorer.3", 1, width)


def act_tensors(width: int, n_act: int) -> dict[str, Shape]:
    """Name to shape of the tensors of the action head."""
    return _linear("act_head.0", ACT_HIDDEN, width + ACT_FEATURES) | _linear("act_head.2", n_act, ACT_HIDDEN)


def _linear(name: str, rows: int, columns: int, *, bias: bool = True) -> dict[str, Shape]:
    return {f"{name}.weight": (rows, columns)} | ({f"{name}.bias": (rows,)} if bias else {})


def _norm(name: str, width: int, *, bias: bool = True) -> dict[str, Shape]:
    shapes: dict[str, Shape] = {f"{name}.weight": (width,)}
    return shapes | ({f"{name}.bias": (width,)} if bias else {})


def _bert_tensors(encoder: EncoderConfig) -> dict[str, Shape]:
    width, inner = encoder.hidden_size, encoder.intermediate
    shapes: dict[str, Shape] = {
        "encoder.embeddings.word_embeddings.weight": (encoder.vocab, width),
        "encoder.embeddings.position_embeddings.weight": (encoder.max_positions, width),
        "encoder.embeddings.token_type_embeddings.weight": (encoder.type_vocab_size, width),
    } | _norm("encoder.embeddings.LayerNorm", width)
    for layer in range(encoder.layers):
        for part in ("query", "key", "value"):
            shapes |= _linear(f"{_BERT}.{layer}.attention.self.{part}", width, width)
        shapes |= _linear(f"{_BERT}.{layer}.attention.output.dense", width, width)
        shapes |= _norm(f"{_BERT}.{layer}.attention.output.LayerNorm", width)
        shapes |= _linear(f"{_BERT}.{layer}.intermediate.dense", inner, width)
        shapes |= _linear(f"{_BERT}.{layer}.output.dense", width, inner)
        shapes |= _norm(f"{_BERT}.{layer}.output.LayerNorm", width)
    return shapes


def _modernbert_tensors(encoder: EncoderConfig) -> dict[str, Shape]:
    width, inner = encoder.hidden_size, encoder.intermediate
    shapes: dict[str, Shape] = {"encoder.embeddings.tok_embeddings.weight": (encoder.vocab, width)}
    shapes |= _norm("encoder.embeddings.norm", width, bias=encoder.norm_bias)
    for layer in range(encoder.layers):
        name = f"encoder.layers.{layer}"
        if layer:  # the embedding norm takes the place of the first layer's
            shapes |= _norm(f"{name}.attn_norm", width, bias=encoder.norm_bias)
        shapes |= _linear(f"{name}.attn.Wqkv", 3 * width, width, bias=encoder.attention_bias)
        shapes |= _linear(f"{name}.attn.Wo", width, width, bias=encoder.attention_bias)
        shapes |= _norm(f"{name}.mlp_norm", width, bias=encoder.norm_bias)
        shapes |= _linear(f"{name}.mlp.Wi", 2 * inner, width, bias=encoder.mlp_bias)
        shapes |= _linear(f"{name}.mlp.Wo", width, inner, bias=encoder.mlp_bias)
    return shapes | _norm("encoder.final_norm", width, bias=encoder.norm_bias)
