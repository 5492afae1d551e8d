"""Runs an exported ONNX graph: padded rows, one rectangle per batch.

Works on the files that `laya.model.export` writes and on those of the reference implementation's export script.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from laya.errors import CheckpointError, CheckpointNotFoundError, ClosedError, ForwardError
from laya.request import Forward, PackedBatch
from laya.runtime.base import Capabilities
from laya.runtime.onnx import open_session
from laya.runtime.outputs import finite, missing_part, thread_count

if TYPE_CHECKING:
    import numpy.typing as npt

    from laya.request import Batch, IntArray

_INPUTS: Final = ("input_ids", "attention_mask", "marker_pos", "marker_mask", "qtype")
_OUTPUTS: Final = ("logits", "act_logits")
_FEWEST_MARKERS: Final = 2
"""Graphs traced from torch do not work with a single marker column."""


class ExportedGraphRuntime:
    """Runs packed batches on an exported graph, after padding their rows again. Thread-safe.

    Args:
        path: the .onnx file.
        pad_id: token id of the padding.
        device: "cpu", "cuda", "cuda:N", or "auto" (also None).
        threads: threads of one forward; None is `LAYA_THREADS`, or else onnxruntime's choice.

    Raises:
        CheckpointNotFoundError: there is no such file.
        CheckpointError: the file is not such a graph.
        ArgumentError: the device or the thread count cannot work here.
    """

    def __init__(
        self, path: str | Path, *, pad_id: int, device: str | None = "auto", threads: int | None = None
    ) -> None:
        file = Path(path).expanduser()
        if not file.is_file():
            raise CheckpointNotFoundError(
                f"ONNX model not found at {str(path)!r}. Write it with `laya export`, or pass the path of the file",
                path=str(path),
            )
        count = thread_count(threads)
        try:
            session, where = open_session(file, device, count)
        except ForwardError as exc:
            raise CheckpointError(f"cannot run {str(path)!r}: {exc}", path=str(path)) from exc
        _check_contract(session, path)
        self._path = str(path)
        self._pad_id = pad_id
        self._session: Any = session
        # Older graphs take the marker mask as integers.
        integer_mask = {entry.name: entry.type for entry in session.get_inputs()}["marker_mask"] != "tensor(bool)"
        self._mask_dtype: npt.DTypeLike = np.int64 if integer_mask else np.bool_
        self._capabilities = Capabilities(
            name="onnx-graph", device=where, precision="fp32", layouts=("sequential",), threads=count
        )

    def __repr__(self) -> str:
        return f"ExportedGraphRuntime({self._path!r}{', closed' if self._session is None else ''})"

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this runtime. The precision is that of the inputs; a quantised file computes in its own."""
        return self._capabilities

    def forward(self, batch: Batch) -> Forward:
        """Run one packed batch.

        Raises:
            ClosedError: the runtime was closed.
            ForwardError: onnxruntime failed, or the numbers are not finite.
        """
        session = self._session
        if session is None:
            raise ClosedError("this runtime is closed; load the graph again")
        if not isinstance(batch, PackedBatch):
            raise missing_part(batch)
        try:
            logits, act = session.run(_OUTPUTS, self._rectangle(batch))
        except Exception as exc:
            raise ForwardError(f"onnxruntime failed on {batch.rows} rows: {exc}") from exc
        rows, columns = _cells(np.diff(batch.out_starts) - 1)
        scores = np.zeros(len(batch.out_index), dtype=np.float32)
        scores[batch.out_starts[:-1][rows] + 1 + columns] = finite(logits[rows, columns], "scores")
        return Forward(scores=scores, act=finite(act, "action logits"))

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later calls raise ClosedError. Safe to call twice."""
        self._session = None

    def _rectangle(self, batch: PackedBatch) -> dict[str, npt.NDArray[Any]]:
        """The batch as padded rows, in the order of its rows."""
        starts, lengths = batch.row_starts[:-1], np.diff(batch.row_starts)
        shape = (batch.rows, int(lengths.max(initial=0)))
        rows, columns = _cells(lengths)
        ids = np.full(shape, self._pad_id, dtype=np.int64)
        attention = np.zeros(shape, dtype=np.int64)
        ids[rows, columns], attention[rows, columns] = batch.input_ids, 1
        counts = np.diff(batch.out_starts) - 1
        marked = (batch.rows, max(_FEWEST_MARKERS, int(counts.max(initial=0))))
        positions, mask = np.zeros(marked, dtype=np.int64), np.zeros(marked, dtype=self._mask_dtype)
        rows, columns = _cells(counts)
        positions[rows, columns] = batch.out_index[batch.out_starts[:-1][rows] + 1 + columns] - starts[rows]
        mask[rows, columns] = 1
        values = (ids, attention, positions, mask, batch.type_ids[starts])
        return dict(zip(_INPUTS, values, strict=True))


def _cells(counts: IntArray) -> tuple[IntArray, IntArray]:
    """Row and column of every cell of a ragged table with `counts[r]` cells in row r."""
    rows = np.repeat(np.arange(len(counts)), counts)
    columns = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, columns


def _check_contract(session: Any, path: str | Path) -> None:
    """The graph must have exactly the inputs and outputs of an exported graph."""
    inputs = {entry.name for entry in session.get_inputs()}
    outputs = {entry.name for entry in session.get_outputs()}
    if inputs != set(_INPUTS) or not outputs.issuperset(_OUTPUTS):
        raise CheckpointError(
            f"{str(path)!r} is not an exported decision graph: it has inputs {sorted(inputs)} and outputs "
            f"{sorted(outputs)}, wanted {sorted(_INPUTS)} and {sorted(_OUTPUTS)}",
            path=str(path),
        )
