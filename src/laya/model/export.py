"""Writes a checkpoint as one ONNX file that any runtime can run without this package."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from laya.errors import ArgumentError, ForwardError
from laya.model.graph.weights import initializer_value

if TYPE_CHECKING:
    from laya.model.checkpoint import Checkpoint
    from laya.request import FloatArray, IntArray

_LARGEST: Final = 2**31 - 2**20
"""An ONNX file with its weights inside must stay below two gigabytes."""
_TOLERANCE: Final = 1e-4
_CHECKED_ROWS: Final = ((24, 3), (17, 2), (9, 1))
"""Tokens and options of the rows that the written file is checked with."""


def export_graph(checkpoint: Checkpoint, out: Path, *, verify: bool = True) -> Path:
    """Write the rectangular graph of a checkpoint, with its weights, in standard ONNX operators (opset 17).

    Inputs and outputs are those of `laya.model.graph.rectangular`.

    Args:
        checkpoint: a checkpoint of the sequential layout.
        out: file to write; its folder must exist. It is replaced as a whole, or not at all.
        verify: run the written file beside the packed graph, and refuse it if the numbers differ.

    Returns:
        The path of the file.

    Raises:
        ArgumentError: the checkpoint cannot be expressed so, or the folder does not exist.
        ForwardError: the written file gave other numbers.
    """
    out = Path(out).expanduser()
    _check_exportable(checkpoint, out)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".laya-export-") as folder:
        written = Path(folder) / out.name
        written.write_bytes(_serialised(checkpoint))
        if verify:
            _verify(checkpoint, written)
        written.replace(out)
    return out


def _check_exportable(checkpoint: Checkpoint, out: Path) -> None:
    layout = checkpoint.layout
    if layout != "sequential":
        raise ArgumentError(
            f"option_layout={layout!r} is not supported by the exported graph, whose inputs cannot say which token "
            "belongs to which option or text; load this checkpoint with laya.load instead",
            path=str(checkpoint.directory),
        )
    if not out.parent.is_dir():
        raise ArgumentError(f"cannot write {str(out)!r}: its folder does not exist; make it first", path=str(out))
    if out.is_dir():
        raise ArgumentError(f"cannot write {str(out)!r}: it is a folder; pass a file name", path=str(out))
    size = 4 * sum(int(np.prod(checkpoint.tensors.shape(name))) for name in checkpoint.tensors)
    if size > _LARGEST:
        raise ArgumentError(
            f"the weights of {str(checkpoint.directory)!r} need {size} bytes in float32; one ONNX file holds at most "
            f"{_LARGEST}",
            path=str(checkpoint.directory),
        )


def _serialised(checkpoint: Checkpoint) -> bytes:
    from laya.model.graph.rectangular import build_rectangular  # noqa: PLC0415 - loads `onnx`

    def value(name: str) -> npt.NDArray[Any]:
        return initializer_value(name, checkpoint.encoder, checkpoint.tensors, half=False)

    content: bytes = build_rectangular(checkpoint.config, checkpoint.encoder, value).SerializeToString()
    return content


def _verify(checkpoint: Checkpoint, path: Path) -> None:
    import onnxruntime as ort  # noqa: PLC0415 - the engine is loaded on first use

    limit = checkpoint.config.max_len
    rows = [_Row(checkpoint, min(tokens, limit), options, i) for i, (tokens, options) in enumerate(_CHECKED_ROWS)]
    options = ort.SessionOptions()
    options.log_severity_level = 3
    exported = ort.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    logits, _ = exported.run(["logits", "act_logits"], _rectangle(rows))
    names, arrays = zip(*checkpoint.initializers("fused"), strict=True)
    options.add_external_initializers(list(names), [ort.OrtValue.ortvalue_from_numpy(array) for array in arrays])
    packed = ort.InferenceSession(checkpoint.graph("fused"), options, providers=["CPUExecutionProvider"])
    for i, row in enumerate(rows):
        (wanted,) = packed.run(["logits"], row.packed())
        _compare(logits[i, : row.options], wanted[1:], path)


def _compare(found: FloatArray, wanted: FloatArray, path: Path) -> None:
    difference = float(np.abs(found - wanted).max())
    if not difference <= _TOLERANCE * max(1.0, float(np.abs(wanted).max())):
        raise ForwardError(
            f"the exported graph differs from the checkpoint by {difference:.2g} in a logit; nothing was written",
            path=str(path),
        )


class _Row:
    """A row of arbitrary tokens to compare two graphs with."""

    def __init__(self, checkpoint: Checkpoint, tokens: int, options: int, kind: int) -> None:
        self.options = options
        self.kind = kind
        self.ids: IntArray = np.random.default_rng(kind).integers(0, checkpoint.encoder.vocab, tokens)
        self.markers: IntArray = np.arange(1, 1 + options, dtype=np.int64)

    def packed(self) -> dict[str, npt.NDArray[Any]]:
        slots = np.arange(len(self.ids), dtype=np.int64)
        return {
            "input_ids": self.ids,
            "position_ids": slots,
            "type_ids": np.full(len(slots), self.kind, dtype=np.int64),
            "row": np.zeros((1, len(slots)), dtype=np.int32),
            "pack_index": slots[None],
            "unpack_index": slots,
            "out_index": np.concatenate([[0], self.markers]),
        }


def _rectangle(rows: list[_Row]) -> dict[str, npt.NDArray[Any]]:
    shape = (len(rows), max(len(row.ids) for row in rows))
    marked = (len(rows), max(row.options for row in rows))
    ids, attention = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    markers, mask = np.zeros(marked, dtype=np.int64), np.zeros(marked, dtype=bool)
    for i, row in enumerate(rows):
        ids[i, : len(row.ids)], attention[i, : len(row.ids)] = row.ids, 1
        markers[i, : row.options], mask[i, : row.options] = row.markers, True
    kinds = np.array([row.kind for row in rows], dtype=np.int64)
    return {"input_ids": ids, "attention_mask": attention, "marker_pos": markers, "marker_mask": mask, "qtype": kinds}
