"""The packed graph on OpenVINO (extra `openvino`): an alternative on CPUs, with bf16 and int8 as faster, inexact modes.

int8 rounds the weights of the matrix products to eight bits, one scale per output; the engine rounds their inputs in
groups as it goes. bf16 computes in bfloat16 where the processor can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from laya.errors import ArgumentError, ClosedError, ForwardError
from laya.extras import require
from laya.runtime.base import Capabilities
from laya.runtime.outputs import finish, missing_part, thread_count

if TYPE_CHECKING:
    import numpy.typing as npt

    from laya.request import Batch, FloatArray, Forward, GraphPart
    from laya.runtime.source import ActHead, GraphSource

_DIALECT: Final = "parameters"
_OUTPUTS: Final = ("logits", "features", "hidden", "tokens", "query", "key", "value", "markers", "paired")
_PRECISIONS: Final = ("fp32", "bf16", "int8")
_GROUP: Final = 64
"""Values of an input that share one scale in int8."""
_NARROWEST: Final = 16
"""Products with fewer outputs than this stay in float32: they cost nothing, and the scores come from them."""


@dataclass(frozen=True, slots=True)
class _Loaded:
    compiled: Any
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class OpenVINORuntime:
    """Runs packed batches on OpenVINO. Thread-safe: every call has an inference request of its own.

    Args:
        source: the checkpoint.
        device: "cpu" or "auto".
        threads: threads of one forward; None is `LAYA_THREADS`, or else OpenVINO's choice.
        precision: "fp32", "bf16" or "int8".

    Raises:
        ArgumentError: the device, the precision or the thread count cannot work.
        MissingExtraError: OpenVINO is not installed.
        ForwardError: OpenVINO refuses the graph.
    """

    def __init__(
        self,
        source: GraphSource,
        *,
        device: str = "auto",
        threads: int | None = None,
        precision: str = "fp32",
    ) -> None:
        if device not in ("auto", "cpu"):
            raise ArgumentError(f"device {device!r} is not available on openvino; use 'cpu' or 'auto'")
        if precision not in _PRECISIONS:
            raise ArgumentError(f"unknown precision {precision!r}; openvino offers {', '.join(_PRECISIONS)}")
        count = thread_count(threads)
        engine = require("openvino", "openvino", "the OpenVINO runtime")
        try:
            parts = {part: _load(engine, source, part, count, precision) for part in source.parts}
        except Exception as exc:
            raise ForwardError(f"openvino could not load the graph: {exc}") from exc
        self._parts: dict[GraphPart, _Loaded] | None = parts
        self._act_head: ActHead | None = source.act_head()
        self._capabilities = Capabilities(
            name="openvino", device="cpu", precision=precision, layouts=(source.layout,), threads=count
        )

    def __repr__(self) -> str:
        closed = ", closed" if self._parts is None else ""
        return f"OpenVINORuntime(precision={self._capabilities.precision!r}{closed})"

    @property
    def capabilities(self) -> Capabilities:
        """Facts about this runtime."""
        return self._capabilities

    def forward(self, batch: Batch) -> Forward:
        """Run one batch.

        Raises:
            ClosedError: the runtime was closed.
            ForwardError: OpenVINO failed, the numbers are not finite, or there is no graph for such a batch.
        """
        parts = self._parts
        if parts is None:
            raise ClosedError("this runtime is closed; load the checkpoint again")
        loaded = parts.get(batch.part)
        if loaded is None:
            raise missing_part(batch)
        feed = {name: getattr(batch, name) for name in loaded.inputs}
        try:
            request = loaded.compiled.create_infer_request()
            request.infer(feed, share_inputs=True)
            # The request owns its output memory, so what outlives it is a copy.
            values = {
                name: np.array(request.get_output_tensor(i).data, dtype=np.float32)
                for i, name in enumerate(loaded.outputs)
            }
        except Exception as exc:
            raise ForwardError(f"openvino failed on {batch.rows} rows: {exc}") from exc
        return finish(values, batch, self._act_head)

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later calls raise ClosedError. Safe to call twice."""
        self._parts = None


def _load(engine: Any, source: GraphSource, part: GraphPart, threads: int, precision: str) -> _Loaded:
    compiled = _compile(engine, source, part, threads, precision)
    return _Loaded(
        compiled=compiled,
        inputs=tuple(port.get_any_name() for port in compiled.inputs),
        outputs=tuple(_output_name(port) for port in compiled.outputs),
    )


def _compile(engine: Any, source: GraphSource, part: GraphPart, threads: int, precision: str) -> Any:
    core = engine.Core()
    model = core.read_model(source.graph(_DIALECT, part))
    parameters = {port.get_any_name(): port.get_node() for port in model.inputs}
    products = _product_weights(parameters) if precision == "int8" else frozenset()
    for name, value in source.initializers(_DIALECT, part):
        parameter = parameters[name]
        constant = _int8_constant(engine, value) if name in products else engine.opset13.constant(value)
        parameter.output(0).replace(constant.output(0))
        model.remove_parameter(parameter)
    model.validate_nodes_and_infer_types()
    # Left to itself OpenVINO computes in bfloat16 where the processor offers it.
    options: dict[str, Any] = {
        "INFERENCE_PRECISION_HINT": "bf16" if precision == "bf16" else "f32",
        "PERFORMANCE_HINT": "LATENCY",
        "DYNAMIC_QUANTIZATION_GROUP_SIZE": str(_GROUP if precision == "int8" else 0),
    }
    if threads:
        options["INFERENCE_NUM_THREADS"] = threads
    return core.compile_model(model, "CPU", options)


def _output_name(port: Any) -> str:
    """Name of an output; OpenVINO may give the tensor further names."""
    return next(name for name in _OUTPUTS if name in port.get_names())


def _product_weights(parameters: dict[str, Any]) -> frozenset[str]:
    """Names of the weights that are the second factor of a matrix product with enough outputs."""
    found = set()
    for name, node in parameters.items():
        shape = node.get_output_partial_shape(0)
        if shape.is_dynamic:  # an input of the batch
            continue
        consumers = {port.get_node().get_type_name() for port in node.output(0).get_target_inputs()}
        if len(shape) == 2 and shape[0].get_length() >= _NARROWEST and consumers == {"MatMul"}:
            found.add(name)
    return frozenset(found)


def _int8_constant(engine: Any, weight: npt.NDArray[Any]) -> Any:
    """A [out, in] weight as signed bytes with one scale per output, widened in the graph."""
    ops = engine.opset13
    scale: FloatArray = np.maximum(np.abs(weight).max(axis=1, keepdims=True) / 127.0, np.finfo(np.float32).tiny)
    rounded = np.rint(weight / scale).astype(np.int8)
    return ops.multiply(ops.convert(ops.constant(rounded), "f32"), ops.constant(scale.astype(np.float32)))
