"""ONNXAgent: an Agent whose forward pass is an exported graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from laya.agent import Agent
from laya.encoding import TextEncoder
from laya.errors import ArgumentTypeError
from laya.loading import Loaded, assemble, locate
from laya.model.checkpoint import Checkpoint
from laya.runtime.exported import ExportedGraphRuntime

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from laya.options import AgentOptions


class ONNXAgent(Agent):
    """Runs a graph written by `laya export`, or any graph with the same inputs and outputs.

    The checkpoint folder needs its configuration and tokenizer, not its weights.

    Args:
        model_id_or_path: checkpoint folder or hub id.
        onnx_path: the graph: a path, or a file name inside the checkpoint folder.
        options: see `laya.options.AgentOptions`; `runtime` and `precision` are those of the graph.
    """

    def __init__(
        self,
        model_id_or_path: str | Path | None,
        onnx_path: str | Path = "laya.onnx",
        **options: Unpack[AgentOptions],
    ) -> None:
        self._onnx_path = onnx_path
        super().__init__(model_id_or_path, **options)

    def _open(self, source: str | Path | Loaded | None, given: dict[str, Any]) -> Loaded:
        if source is None or isinstance(source, Loaded):
            raise ArgumentTypeError("ONNXAgent runs an exported graph: name the folder or hub id of its checkpoint")
        where = {key: given[key] for key in ("subfolder", "revision", "token", "expected_sha256") if key in given}
        path, revision = locate(source, **where)
        checkpoint = Checkpoint.open(path, weights=False)
        encoder = TextEncoder.from_directory(path / "tokenizer")
        inside = path / self._onnx_path
        graph = ExportedGraphRuntime(
            inside if inside.is_file() else Path(self._onnx_path),
            pad_id=encoder.pad_id,
            device=given.get("device"),
            threads=given.get("threads"),
        )
        return assemble(str(source), checkpoint, encoder, graph, subfolder=given.get("subfolder"), revision=revision)
