"""The runtime protocol, and the facts a runtime states about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from laya.request import Batch, Forward, OptionLayout


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What a runtime is and what it can run.

    Attributes:
        name: "onnxruntime", "openvino", "onnx-graph" or "fake".
        device: "cpu", "cuda:0", ...
        precision: "fp32", "bf16" or "int8": the arithmetic of the matrix products.
        layouts: the option layouts it can run.
        threads: threads of one forward, 0 when the runtime chooses.
    """

    name: str
    device: str
    precision: str
    layouts: tuple[OptionLayout, ...]
    threads: int = 0


@runtime_checkable
class Runtime(Protocol):
    """Runs batches. Thread-safe: `forward` may be called from many threads at once."""

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this runtime."""

    def forward(self, batch: Batch) -> Forward:
        """Run one batch.

        Returns:
            For a packed batch, `scores` and `act` of a decision checkpoint, `hidden` of a trunk (reader layout). For
            the batches of reader layers, `question` and `scores`.

        Raises:
            ForwardError: the engine failed, or the checkpoint has no such graph.
        """

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later calls raise ClosedError. Safe to call twice."""
