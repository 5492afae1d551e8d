"""Build a checkpoint that is shipped inside the package from a checkpoint in float32.

    python tools/build_embedded.py build/bge-trained english
    python tools/build_embedded.py build/e5-trained multilingual

The float32 checkpoints come from `tools/trunk_bge.py`, `tools/trunk_e5.py` and `tools/trunk_minilm.py`, with or without
a trained reader (tensors `reader.*`). Weights are stored as `PLANS` says, see `laya.model.quantised`; the tokenizer is
written on as few bytes as possible; every other file is copied. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from safetensors.numpy import save
from trunk_files import TOKENIZER, WEIGHTS, in_fixed_order, list_files, minified

from laya.model.quantised import stored
from laya.model.tensors import Tensors

if TYPE_CHECKING:
    import numpy.typing as npt

DATA: Final = Path(__file__).resolve().parents[1] / "src" / "laya" / "data"
UNREAD: Final = ("encoder.pooler.", "encoder.embeddings.position_ids")
WORDS: Final = "encoder.embeddings.word_embeddings.weight"
TABLES: Final = (
    "encoder.embeddings.position_embeddings.weight",
    "encoder.embeddings.token_type_embeddings.weight",
)
READER: Final = "reader."
FLOAT: Final = 32
LICENSES: Final = {
    "BAAI/bge-small-en-v1.5": "MIT",
    "intfloat/multilingual-e5-small": "MIT",
    "sentence-transformers/all-MiniLM-L6-v2": "Apache-2.0",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """Bits of a weight: 4, 8 or 32.

    Attributes:
        matrices: the projections of the encoder.
        words: its word vectors.
        tables: its position and type vectors.
        reader: the matrices of the reader.
    """

    matrices: int
    words: int
    tables: int
    reader: int

    def bits(self, name: str) -> int:
        """Bits of the weights of a matrix."""
        if name.startswith(READER):
            return self.reader
        return self.words if name == WORDS else self.tables if name in TABLES else self.matrices


# bge-small was in eight bits and multilingual-e5-small in four-bit blocks to begin with: both stay what they are.
PLANS: Final = {
    "english": Plan(matrices=8, words=8, tables=8, reader=8),
    "multilingual": Plan(matrices=4, words=4, tables=FLOAT, reader=8),
}


def main() -> None:
    """Read the checkpoint, write the small one, list its files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path, help="folder of the checkpoint in float32")
    parser.add_argument("plan", choices=PLANS, help="how to store it, and the folder inside the package")
    parser.add_argument("--out", type=Path, help="folder to write (default: the one inside the package)")
    arguments = parser.parse_args()
    plan = PLANS[arguments.plan]
    out = arguments.out or DATA / arguments.plan
    build(arguments.checkpoint, plan, out)
    list_files(out)


def build(checkpoint: Path, plan: Plan, out: Path) -> None:
    """Write the small form of a checkpoint, which replaces what the folder held."""
    if out.resolve() == checkpoint.resolve():
        raise SystemExit(f"{out} is the checkpoint itself; name another folder to write")
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(checkpoint, out, ignore=shutil.ignore_patterns(WEIGHTS))
    tokenizer = json.loads((checkpoint / TOKENIZER).read_text(encoding="utf-8"))
    (out / TOKENIZER).write_text(minified(tokenizer), encoding="utf-8")
    source = json.loads((checkpoint / "rl_agent_config.json").read_text(encoding="utf-8"))["encoder"]
    if source not in LICENSES:
        raise SystemExit(f"{checkpoint} is made of {source!r}, whose license is not listed here; add it to LICENSES")
    metadata = {"format": "np", "source": source, "license": LICENSES[source]}
    data = save(small_weights(Tensors(checkpoint / WEIGHTS), plan), metadata=metadata)
    (out / WEIGHTS).write_bytes(in_fixed_order(data, metadata))


def small_weights(tensors: Tensors, plan: Plan) -> dict[str, npt.NDArray[Any]]:
    """The tensors of a plan; vectors stay in float32, what nothing reads is left out."""
    small: dict[str, npt.NDArray[Any]] = {}
    for name in sorted(tensors):
        if name.startswith(UNREAD):
            continue
        weight = tensors.array(name)
        bits = plan.bits(name) if weight.ndim == 2 else FLOAT
        small |= {name: weight} if bits == FLOAT else stored(name, weight, bits=bits)
    return small


if __name__ == "__main__":
    main()
