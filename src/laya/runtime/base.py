"""The runtime protocol, and the facts a runtime states about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from laya.request import Forward, OptionLayout, PackedBatch


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
    """Runs packed batches. Thread-safe: `forward` may be called from many threads at once."""

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this runtime."""

    def forward(self, batch: PackedBatch) -> Forward:
        """Run one packed batch.

        Returns:
            `scores` and `act` for a decision checkpoint, `hidden` for a trunk (reader layout).

        Raises:
            ForwardError: the engine failed.
        """

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later calls raise ClosedError. Safe to call twice."""
