"""Write random-weight checkpoints of real size in the published format.

    python benchmarks/make_checkpoints.py OUTDIR --tokenizer CHECKPOINT/tokenizer [--only NAME ...]

The weights are noise, so the answers mean nothing; shapes, file sizes and arithmetic are those of real models. They
are drawn so that activations keep their scale through the layers and attention is peaked: options of one question
then differ visibly, and two engines that disagree are seen to disagree. Needs numpy and safetensors only.
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save_file

HalfArray = npt.NDArray[np.float16]
Draw = Callable[..., HalfArray]

SHARP = 1.4  # spread of the queries and keys: attention scores then spread by about its square


@dataclass(frozen=True, slots=True)
class ReaderSize:
    """Reader layers: their number, width, attention heads, feed-forward width, and the encoder layers that they see."""

    layers: int
    width: int
    heads: int
    ffn: int
    taps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Size:
    """Shape of one checkpoint: encoder family, layers, width D, attention heads, feed-forward width, vocabulary."""

    family: Literal["bert", "modernbert"]
    layers: int
    width: int
    heads: int
    ffn: int
    vocab: int
    local_theta: float = 10000.0
    head_layers: int = 2
    max_len: int = 512
    head_max_len: int = 192
    reader: ReaderSize | None = None


SIZES: dict[str, Size] = {
    "minilm-like": Size("bert", 6, 384, 12, 1536, 30522),
    "mmbert-like": Size("modernbert", 22, 768, 12, 1152, 256000, local_theta=160000.0),
    "large-like": Size("modernbert", 28, 1024, 16, 2624, 50368),
    "bge-reader-like": Size("bert", 12, 384, 12, 1536, 30522, reader=ReaderSize(4, 384, 6, 768, (6, 12))),
}


def drawer(seed: int) -> Draw:
    """Return a source of normal noise; a matrix is divided by the square root of its last axis."""
    rng = np.random.default_rng(seed)

    def draw(*shape: int, gain: float = 1.0, around: float = 0.0) -> HalfArray:
        noise = rng.standard_normal(shape, dtype=np.float32)
        scale = gain / np.sqrt(shape[-1]) if len(shape) > 1 else gain
        tensor: HalfArray = (noise * np.float32(scale) + np.float32(around)).astype(np.float16)
        return tensor

    return draw


def norm(draw: Draw, name: str, width: int, *, bias: bool = True) -> dict[str, HalfArray]:
    """One layer normalisation whose weight and bias are not the trivial ones."""
    tensors = {f"{name}.weight": draw(width, gain=0.1, around=1.0)}
    if bias:
        tensors[f"{name}.bias"] = draw(width, gain=0.05)
    return tensors


def linear(draw: Draw, name: str, out: int, width: int, *, gain: float = 1.0) -> dict[str, HalfArray]:
    """One linear layer with a bias."""
    return {f"{name}.weight": draw(out, width, gain=gain), f"{name}.bias": draw(out, gain=0.05)}


def bert(draw: Draw, size: Size) -> dict[str, HalfArray]:
    """Tensors of a BERT encoder, pooler included, as transformers names them."""
    d, root = size.width, "encoder.embeddings"
    tensors = {
        f"{root}.word_embeddings.weight": draw(size.vocab, d),
        f"{root}.position_embeddings.weight": draw(512, d, gain=0.7),
        f"{root}.token_type_embeddings.weight": draw(2, d, gain=0.3),
        **norm(draw, f"{root}.LayerNorm", d),
        **linear(draw, "encoder.pooler.dense", d, d),
    }
    for i in range(size.layers):
        layer = f"encoder.encoder.layer.{i}"
        for part, gain in (("query", SHARP), ("key", SHARP), ("value", 1.0)):
            tensors |= linear(draw, f"{layer}.attention.self.{part}", d, d, gain=gain)
        tensors |= linear(draw, f"{layer}.attention.output.dense", d, d)
        tensors |= norm(draw, f"{layer}.attention.output.LayerNorm", d)
        tensors |= linear(draw, f"{layer}.intermediate.dense", size.ffn, d)
        tensors |= linear(draw, f"{layer}.output.dense", d, size.ffn)
        tensors |= norm(draw, f"{layer}.output.LayerNorm", d)
    return tensors


def modernbert(draw: Draw, size: Size) -> dict[str, HalfArray]:
    """Tensors of a ModernBERT encoder: no biases, and no attention norm in the first layer."""
    d = size.width
    tensors = {
        "encoder.embeddings.tok_embeddings.weight": draw(size.vocab, d),
        **norm(draw, "encoder.embeddings.norm", d, bias=False),
        **norm(draw, "encoder.final_norm", d, bias=False),
    }
    for i in range(size.layers):
        layer = f"encoder.layers.{i}"
        if i:
            tensors |= norm(draw, f"{layer}.attn_norm", d, bias=False)
        qkv = (draw(2 * d, d, gain=SHARP), draw(d, d))
        tensors[f"{layer}.attn.Wqkv.weight"] = np.concatenate(qkv)
        tensors[f"{layer}.attn.Wo.weight"] = draw(d, d)
        tensors |= norm(draw, f"{layer}.mlp_norm", d, bias=False)
        tensors[f"{layer}.mlp.Wi.weight"] = draw(2 * size.ffn, d)
        tensors[f"{layer}.mlp.Wo.weight"] = draw(d, size.ffn)
    return tensors


def reader_layers(draw: Draw, reader: ReaderSize, width: int) -> dict[str, HalfArray]:
    """Tensors of the reader layers on an encoder of that width."""
    d = reader.width
    tensors = {
        "reader.segment.weight": draw(6, d),
        "reader.marker.weight": draw(4, d),
        **linear(draw, "reader.input", d, width * len(reader.taps)),
        **linear(draw, "reader.option", d, width),
        **linear(draw, "reader.match", d, width),
        **linear(draw, "reader.pair_option", width, width),
        **linear(draw, "reader.pair_state", width, width),
        **linear(draw, "reader.rank", d, 4),
        "reader.centre": draw(width),
        "reader.scale": 1 + draw(width),
        "reader.usual": np.array([0.5, 0.2], dtype=np.float32),
        **norm(draw, "reader.state_norm", d),
        **norm(draw, "reader.norm", d),
        **linear(draw, "reader.scorer", 1, d),
    }
    for i in range(reader.layers):
        layer = f"reader.layers.{i}"
        for part, rows, columns in (
            *(("self_in", 3 * d, d), ("self_out", d, d), ("cross_q", d, d), ("cross_kv", 2 * d, d)),
            *(("cross_out", d, d), ("up", reader.ffn, d), ("down", d, reader.ffn)),
        ):
            tensors |= linear(draw, f"{layer}.{part}", rows, columns)
        for part in ("norm1", "norm2", "norm3"):
            tensors |= norm(draw, f"{layer}.{part}", d)
    return tensors


def decision_head(draw: Draw, size: Size) -> dict[str, HalfArray]:
    """Tensors of the decision head, the scorer and the action head."""
    d = size.width
    tensors = {
        "temperature": np.ones(3, np.float16),
        "type_emb.weight": draw(3, d),
        **norm(draw, "scorer.0", d),
        **linear(draw, "scorer.1", d, d),
        **linear(draw, "scorer.3", 1, d, gain=2.0),
        **linear(draw, "act_head.0", 256, d + 4),
        **linear(draw, "act_head.2", 2, 256),
    }
    for i in range(size.head_layers):
        layer = f"head.layers.{i}"
        qkv = (draw(2 * d, d, gain=SHARP), draw(d, d))
        tensors[f"{layer}.self_attn.in_proj_weight"] = np.concatenate(qkv)
        tensors[f"{layer}.self_attn.in_proj_bias"] = draw(3 * d, gain=0.05)
        tensors |= linear(draw, f"{layer}.self_attn.out_proj", d, d)
        tensors |= linear(draw, f"{layer}.linear1", 4 * d, d)
        tensors |= linear(draw, f"{layer}.linear2", d, 4 * d)
        tensors |= norm(draw, f"{layer}.norm1", d)
        tensors |= norm(draw, f"{layer}.norm2", d)
    return tensors


def encoder_config(size: Size) -> dict[str, Any]:
    """Contents of `encoder/config.json`."""
    shared = {
        "hidden_size": size.width,
        "intermediate_size": size.ffn,
        "num_attention_heads": size.heads,
        "num_hidden_layers": size.layers,
        "pad_token_id": 0,
        "vocab_size": size.vocab,
    }
    if size.family == "bert":
        return shared | {
            "model_type": "bert",
            "hidden_act": "gelu",
            "layer_norm_eps": 1e-12,
            "max_position_embeddings": 512,
            "type_vocab_size": 2,
        }
    kinds = ["sliding_attention" if i % 3 else "full_attention" for i in range(size.layers)]
    return shared | {
        "model_type": "modernbert",
        "attention_bias": False,
        "mlp_bias": False,
        "norm_bias": False,
        "norm_eps": 1e-5,
        "hidden_activation": "gelu",
        "local_attention": 128,
        "layer_types": kinds,
        "max_position_embeddings": 8192,
        "rope_parameters": {
            "full_attention": {"rope_theta": 160000.0, "rope_type": "default"},
            "sliding_attention": {"rope_theta": size.local_theta, "rope_type": "default"},
        },
        "bos_token_id": 2,
        "cls_token_id": 2,
        "eos_token_id": 3,
        "sep_token_id": 3,
    }


def agent_config(name: str, size: Size) -> dict[str, Any]:
    """Contents of `rl_agent_config.json`."""
    layout: dict[str, Any] = {}
    if size.reader:
        shape = asdict(size.reader) | {"taps": list(size.reader.taps)}
        layout = {"option_layout": "reader", "reader": shape | {"tau": [20.0, 20.0, 10.0]}}
    return layout | {
        "encoder": f"local/{name}",
        "model_name": name,
        "head_layers": size.head_layers,
        "act_costs": {"act0": 0.1},
        "max_len": size.max_len,
        "head_max_len": size.head_max_len,
        "temperature": [1.0, 1.0, 1.0],
        "temperature_by_options": {},
        "amp_dtype": "bf16",
    }


def write(folder: Path, name: str, size: Size, tokenizer: Path, seed: int) -> int:
    """Write one checkpoint into `folder` and return its number of parameters."""
    draw = drawer(seed)
    family = bert if size.family == "bert" else modernbert
    head = reader_layers(draw, size.reader, size.width) if size.reader else decision_head(draw, size)
    tensors = family(draw, size) | head
    (folder / "encoder").mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer").mkdir(exist_ok=True)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "encoder" / "config.json").write_text(json.dumps(encoder_config(size), indent=2), "utf-8")
    (folder / "rl_agent_config.json").write_text(json.dumps(agent_config(name, size), indent=2), "utf-8")
    for file in sorted(tokenizer.iterdir()):
        # copyfile, not copy: the source may be read-only and the checkpoint must stay replaceable
        shutil.copyfile(file, folder / "tokenizer" / file.name)
    return sum(tensor.size for tensor in tensors.values())


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("outdir", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True, help="folder with tokenizer.json and its config")
    parser.add_argument("--only", nargs="+", choices=sorted(SIZES), default=list(SIZES), help="which checkpoints")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    if not (args.tokenizer / "tokenizer.json").is_file():
        parser.error(f"no tokenizer.json in {args.tokenizer}; give the tokenizer folder of a checkpoint")
    for name in args.only:
        began = time.perf_counter()
        folder = args.outdir / name
        count = write(folder, name, SIZES[name], args.tokenizer, args.seed)
        mib = (folder / "model.safetensors").stat().st_size / 2**20
        print(f"{folder}: {count / 1e6:.1f} M parameters, {mib:.0f} MiB, {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
