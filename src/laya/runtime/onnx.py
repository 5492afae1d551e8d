"""The default runtime: the packed graph on onnxruntime."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import onnxruntime as ort

from laya.errors import ArgumentError, ClosedError, ForwardError
from laya.runtime.base import Capabilities
from laya.runtime.outputs import finish, missing_part, thread_count

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import numpy.typing as npt

    from laya.request import Batch, Forward, GraphPart
    from laya.runtime.source import ActHead, GraphSource

_CUDA: Final = "CUDAExecutionProvider"
_CPU: Final = "CPUExecutionProvider"
_DEVICE: Final = re.compile(r"cuda(?::(\d+))?")
_LOG_FATAL: Final = 4
_DIALECT: Final = "fused"


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A session with everything that must live as long as it. A call in flight holds on to it through `close`."""

    session: Any
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    device: str
    kept: tuple[npt.NDArray[Any], ...]
    """Arrays whose memory the session reads."""


class OnnxRuntime:
    """Runs packed batches on onnxruntime, in float32. Thread-safe.

    Args:
        source: the checkpoint.
        device: "cpu", "cuda", "cuda:N", or "auto" (also None) for CUDA where onnxruntime has it.
        threads: threads of one forward; None is `LAYA_THREADS`, or else onnxruntime's choice.
        precision: "fp32".

    Raises:
        ArgumentError: the device, the precision or the thread count cannot work here.
        ForwardError: onnxruntime refuses the graph.
    """

    def __init__(
        self,
        source: GraphSource,
        *,
        device: str | None = "auto",
        threads: int | None = None,
        precision: str = "fp32",
    ) -> None:
        if precision != "fp32":
            raise ArgumentError(
                f"precision {precision!r} is not available on onnxruntime; use precision='fp32', or runtime='openvino' "
                "for bf16 and int8"
            )
        count = thread_count(threads)
        self._parts: dict[GraphPart, _Loaded] | None = {
            part: _load(source, part, device, count) for part in source.parts
        }
        self._act_head: ActHead | None = source.act_head()
        self._capabilities = Capabilities(
            name="onnxruntime",
            device=self._parts["rows"].device,
            precision="fp32",
            layouts=(source.layout,),
            threads=count,
        )

    def __repr__(self) -> str:
        return f"OnnxRuntime(device={self._capabilities.device!r}{', closed' if self._parts is None else ''})"

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this runtime."""
        return self._capabilities

    def forward(self, batch: Batch) -> Forward:
        """Run one batch.

        Raises:
            ClosedError: the runtime was closed.
            ForwardError: onnxruntime failed, the numbers are not finite, or there is no graph for such a batch.
        """
        parts = self._parts
        if parts is None:
            raise ClosedError("this runtime is closed; load the checkpoint again")
        loaded = parts.get(batch.part)
        if loaded is None:
            raise missing_part(batch)
        feed = {name: getattr(batch, name) for name in loaded.inputs}
        try:
            values = loaded.session.run(loaded.outputs, feed)
        except Exception as exc:
            raise ForwardError(f"onnxruntime failed on {batch.rows} rows: {exc}") from exc
        return finish(dict(zip(loaded.outputs, values, strict=True)), batch, self._act_head)

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later calls raise ClosedError. Safe to call twice."""
        self._parts = None


def open_session(
    model: bytes | Path,
    device: str | None,
    threads: int,
    weights: Mapping[str, npt.NDArray[Any]] | None = None,
) -> tuple[Any, str]:
    """Open an onnxruntime session.

    Args:
        model: the serialised model, or its file.
        device: "cpu", "cuda", "cuda:N", or "auto" (also None).
        threads: threads of one run, 0 for onnxruntime's choice.
        weights: values that the model leaves out. The session reads their memory: keep them as long as it.

    Returns:
        The session, and the device that it runs on.

    Raises:
        ArgumentError: the device is unknown or not available.
        ForwardError: onnxruntime refuses the model.
    """
    options = ort.SessionOptions()
    options.log_severity_level = _LOG_FATAL
    options.intra_op_num_threads = threads
    # Worker threads that spin while nothing runs would take the processor from the rest of the program.
    options.add_session_config_entry("session.force_spinning_stop", "1")
    if weights:
        values = [ort.OrtValue.ortvalue_from_numpy(value) for value in weights.values()]
        options.add_external_initializers(list(weights), values)
    device = "auto" if device is None else device.strip().lower() if isinstance(device, str) else device
    chosen = _providers(device)
    try:
        session = ort.InferenceSession(model, options, providers=chosen)
    except Exception as exc:
        raise ForwardError(f"onnxruntime could not load the graph: {exc}") from exc
    on_cuda = session.get_providers()[0] == _CUDA
    if device.startswith("cuda") and not on_cuda:
        raise ArgumentError(
            f"device {device!r} could not be used by onnxruntime; check the driver, or use device='cpu'"
        )
    return session, f"cuda:{_cuda_index(device)}" if on_cuda else "cpu"


def _providers(device: Any) -> list[Any]:
    if not isinstance(device, str) or (device not in {"auto", "cpu"} and _DEVICE.fullmatch(device) is None):
        raise ArgumentError(f"unknown device {device!r}; use 'auto', 'cpu', 'cuda' or 'cuda:N'")
    has_cuda = _CUDA in ort.get_available_providers()
    if device == "cpu" or (device == "auto" and not has_cuda):
        return [_CPU]
    if not has_cuda:
        raise ArgumentError(
            f"device {device!r} needs an onnxruntime with CUDA; run: pip install onnxruntime-gpu, or use device='cpu'"
        )
    # TF32 would round the factors of every product to ten bits.
    return [(_CUDA, {"device_id": _cuda_index(device), "use_tf32": 0}), _CPU]


def _cuda_index(device: str) -> int:
    match = _DEVICE.fullmatch(device)
    return int(match[1] or 0) if match else 0


def _load(source: GraphSource, part: GraphPart, device: str | None, threads: int) -> _Loaded:
    weights = dict(source.initializers(_DIALECT, part))
    session, where = open_session(source.graph(_DIALECT, part), device, threads, weights)
    return _Loaded(
        session=session,
        inputs=tuple(entry.name for entry in session.get_inputs()),
        outputs=tuple(entry.name for entry in session.get_outputs()),
        device=where,
        kept=tuple(weights.values()),
    )
