"""Tiny random checkpoints, rows and packings to test with."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
from safetensors.numpy import save_file

from laya.model.config import read_config, read_encoder_config
from laya.model.schema import expected_tensors
from laya.request import EncodedRow, PackedBatch

if TYPE_CHECKING:
    from pathlib import Path

VOCAB = 50
WIDTH = 32
BERT = {
    "model_type": "bert", "hidden_size": WIDTH, "num_attention_heads": 2, "num_hidden_layers": 2,
    "intermediate_size": 48, "vocab_size": VOCAB, "max_position_embeddings": 64,
}  # fmt: skip
MODERNBERT = {
    "model_type": "modernbert", "hidden_size": WIDTH, "num_attention_heads": 2, "num_hidden_layers": 3,
    "intermediate_size": 48, "vocab_size": VOCAB, "max_position_embeddings": 64, "local_attention": 8,
    "layer_types": ["full_attention", "sliding_attention", "sliding_attention"],
}  # fmt: skip
CONFIG = {"encoder": "tiny", "head_layers": 1, "act_costs": {"refund": 0.1}, "max_len": 48, "head_max_len": 24}


def write_configs(path: Path, *, encoder_config: dict = BERT, **config) -> Path:
    """Write both configs and an empty tokenizer; None removes a key."""
    (path / "encoder").mkdir(parents=True, exist_ok=True)
    (path / "tokenizer").mkdir(exist_ok=True)
    values = {key: value for key, value in (CONFIG | config).items() if value is not None}
    (path / "rl_agent_config.json").write_text(json.dumps(values))
    (path / "encoder" / "config.json").write_text(json.dumps(encoder_config))
    (path / "tokenizer" / "tokenizer.json").write_text("{}")
    return path


def random_tensors(path: Path, *, seed: int = 0, dtype: type = np.float32) -> dict[str, np.ndarray]:
    """Random weights for the configs in a directory."""
    rng = np.random.default_rng(seed)
    shapes = expected_tensors(read_config(path), read_encoder_config(path))
    return {
        name: (rng.standard_normal(shape) * 0.3 + (1.0 if "norm" in name.lower() else 0.0)).astype(dtype)
        for name, shape in shapes.items()
    }


def write_checkpoint(path: Path, *, tensors: dict | None = None, dtype: type = np.float32, **config) -> Path:
    """Write a whole checkpoint.

    Args:
        path: the directory.
        tensors: changes to the random weights; None drops a tensor.
        dtype: numpy type of the weights.
        config: as for `write_configs`.
    """
    write_configs(path, **config)
    values = random_tensors(path, dtype=dtype) | (tensors or {})
    kept = {name: np.ascontiguousarray(value) for name, value in values.items() if value is not None}
    save_file(kept, str(path / "model.safetensors"))
    return path


def row(tokens: int, markers=(1, 3), *, type_index: int = 0, seed: int = 0) -> EncodedRow:
    """A row of random tokens."""
    return EncodedRow(
        ids=np.random.default_rng(seed).integers(0, VOCAB, tokens),
        positions=np.arange(tokens),
        options=np.zeros(tokens, np.int64),
        markers=np.array(markers, np.int64),
        type_index=type_index,
        state_used=0,
    )


def one_pack(rows, *, gap: int = 2) -> PackedBatch:
    """All rows in one attention pack, with empty slots between them."""
    lengths = [r.length for r in rows]
    starts = np.concatenate([[0], np.cumsum(lengths)])
    total, slots = int(starts[-1]), int(starts[-1]) + gap * len(rows)
    number = np.repeat(np.arange(len(rows)), lengths)
    place = np.arange(total) + gap * number
    table = {
        "row": np.full(slots, -1, np.int32),
        "option": np.zeros(slots, np.int32),
        "pack": np.zeros(slots, np.int64),
    }
    table["row"][place] = number
    table["option"][place] = np.concatenate([r.options for r in rows])
    table["pack"][place] = np.arange(total)
    wanted = [np.concatenate([[s], s + r.markers]) for s, r in zip(starts, rows, strict=False)]
    return PackedBatch(
        row_numbers=tuple(range(len(rows))),
        row_starts=starts,
        input_ids=np.concatenate([r.ids for r in rows]),
        position_ids=np.concatenate([r.positions for r in rows]),
        type_ids=np.repeat([r.type_index for r in rows], lengths),
        row=table["row"][None],
        option=table["option"][None],
        pack_index=table["pack"][None],
        unpack_index=place,
        out_index=np.concatenate(wanted),
        out_starts=np.concatenate([[0], np.cumsum([len(w) for w in wanted])]),
    )
