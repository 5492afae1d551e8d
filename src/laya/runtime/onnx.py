"""The default runtime: the packed graph on onnxruntime."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import onnxruntime as ort

from laya.errors import ArgumentError, ClosedError, ForwardError
from laya.runtime.base import Capabilities
from laya.runtime.outputs import finish, thread_count

if TYPE_CHECKING:
    import numpy.typing as npt

    from laya.request import Forward, PackedBatch
    from laya.runtime.source import ActHead, GraphSource

_CUDA: Final = "CUDAExecutionProvider"
_CPU: Final = "CPUExecutionProvider"
_DEVICE: Final = re.compile(r"cuda(?::(\d+))?")
_LOG_ERRORS: Final = 3
_DIALECT: Final = "fused"


@dataclass(frozen=True, slots=True)
class _Loaded:
    """A session with everything that must live as long as it. A call in flight holds on to it through `close`."""

    session: Any
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    act_head: ActHead | None
    kept: tuple[npt.NDArray[Any], ...]
    """Arrays whose memory the session reads."""


class OnnxRuntime:
    """Runs packed batches on onnxruntime, in float32. Thread-safe.

    Args:
        source: the checkpoint.
        device: "cpu", "cuda", "cuda:N", or "auto" for CUDA where onnxruntime has it.
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
        device: str = "auto",
        threads: int | None = None,
        precision: str = "fp32",
    ) -> None:
        if precision != "fp32":
            raise ArgumentError(
                f"precision {precision!r} is not available on onnxruntime; use precision='fp32', or runtime='openvino' "
                "for bf16 and int8"
            )
        count = thread_count(threads)
        session, kept = _load(source, device, count)
        self._loaded: _Loaded | None = _Loaded(
            session=session,
            inputs=tuple(entry.name for entry in session.get_inputs()),
            outputs=tuple(entry.name for entry in session.get_outputs()),
            act_head=source.act_head(),
            kept=kept,
        )
        on_cuda = session.get_providers()[0] == _CUDA
        self._capabilities = Capabilities(
            name="onnxruntime",
            device=f"cuda:{_cuda_index(device)}" if on_cuda else "cpu",
            precision="fp32",
            layouts=(source.layout,),
            threads=count,
        )

    def __repr__(self) -> str:
        return f"OnnxRuntime(device={self._capabilities.device!r}{', closed' if self._loaded is None else ''})"

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this runtime."""
        return self._capabilities

    def forward(self, batch: PackedBatch) -> Forward:
        """Run one packed batch.

        Raises:
            ClosedError: the runtime was closed.
            ForwardError: onnxruntime failed, or the numbers are not finite.
        """
        loaded = self._loaded
        if loaded is None:
            raise ClosedError("this runtime is closed; load the checkpoint again")
        feed = {name: getattr(batch, name) for name in loaded.inputs}
        try:
            values = loaded.session.run(loaded.outputs, feed)
        except Exception as exc:
            raise ForwardError(f"onnxruntime failed on {batch.rows} rows: {exc}") from exc
        return finish(dict(zip(loaded.outputs, values, strict=True)), batch, loaded.act_head)

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later calls raise ClosedError. Safe to call twice."""
        self._loaded = None


def session_options(threads: int) -> Any:
    """Options of a session: quiet, and with worker threads that rest between calls."""
    options = ort.SessionOptions()
    options.log_severity_level = _LOG_ERRORS
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.force_spinning_stop", "1")
    return options


def providers(device: str) -> list[Any]:
    """Execution providers for a device name.

    Raises:
        ArgumentError: the name is unknown, or this onnxruntime has no CUDA.
    """
    match = _DEVICE.fullmatch(device)
    has_cuda = _CUDA in ort.get_available_providers()
    if device == "cpu" or (device == "auto" and not has_cuda):
        return [_CPU]
    if device != "auto" and match is None:
        raise ArgumentError(f"unknown device {device!r}; use 'auto', 'cpu', 'cuda' or 'cuda:N'")
    if not has_cuda:
        raise ArgumentError(
            f"device {device!r} needs an onnxruntime with CUDA; run: pip install onnxruntime-gpu, or use device='cpu'"
        )
    # TF32 would round the factors of every product to ten bits.
    return [(_CUDA, {"device_id": _cuda_index(device), "use_tf32": 0}), _CPU]


def _cuda_index(device: str) -> int:
    match = _DEVICE.fullmatch(device)
    return int(match[1] or 0) if match else 0


def _load(source: GraphSource, device: str, threads: int) -> tuple[Any, tuple[npt.NDArray[Any], ...]]:
    options = session_options(threads)
    names, values, kept = [], [], []
    for name, array in source.initializers(_DIALECT):
        names.append(name)
        kept.append(array)
        values.append(ort.OrtValue.ortvalue_from_numpy(array))
    options.add_external_initializers(names, values)
    chosen = providers(device)
    try:
        session = ort.InferenceSession(source.graph(_DIALECT), options, providers=chosen)
    except Exception as exc:
        raise ForwardError(f"onnxruntime could not load the graph: {exc}") from exc
    if device.startswith("cuda") and session.get_providers()[0] != _CUDA:
        raise ArgumentError(f"device {device!r} could not be used by onnxruntime; check the driver, or use device='cpu'")
    return session, tuple(kept)
