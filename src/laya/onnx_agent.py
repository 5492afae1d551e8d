"""ONNXAgent: an Agent whose forward pass is an exported graph."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

from laya.agent import Agent
from laya.encoding import TextEncoder
from laya.errors import ArgumentTypeError
from laya.loading import Loaded, assemble, locate
from laya.model.checkpoint import Checkpoint
from laya.model.digests import file_digest
from laya.runtime.exported import ExportedGraphRuntime

if TYPE_CHECKING:
    from pathlib import Path

    from typing_extensions import Unpack

    from laya.options import AgentOptions


WHERE: Final = ("subfolder", "revision", "token", "expected_sha256", "strict_digests")


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
        where = {key: given[key] for key in WHERE if key in given}
        place = locate(source, graph=self._onnx_path, **where)
        graph = cast("Path", place.graph)
        checkpoint = Checkpoint.open(place.path, weights=False)
        encoder = TextEncoder.from_directory(place.path / "tokenizer")
        runtime = ExportedGraphRuntime(
            graph, pad_id=encoder.pad_id, device=given.get("device", "auto"), threads=given.get("threads")
        )
        loaded = assemble(
            str(source), checkpoint, encoder, runtime, subfolder=given.get("subfolder"), revision=place.revision
        )
        return replace(loaded, digest=lambda: checkpoint.digest() + file_digest(graph))

    def _sources(self) -> tuple[Any, ...]:
        return (self._source, self._onnx_path)
