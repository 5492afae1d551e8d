"""Runtimes by name. A factory imports its engine only when it is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

    from laya.runtime.base import Runtime
    from laya.runtime.source import GraphSource

DEFAULT: Final = "onnxruntime"


def create_runtime(
    source: GraphSource,
    *,
    runtime: str | None = None,
    device: str = "auto",
    threads: int | None = None,
    precision: str = "fp32",
) -> Runtime:
    """Make the runtime that runs a checkpoint.

    Args:
        source: the checkpoint.
        runtime: a name of `runtime_names()`, or None or "auto" for the default.
        device: "auto", "cpu", "cuda", "cuda:N": what the runtime offers.
        threads: threads of one forward; None leaves it to the environment and the runtime.
        precision: "fp32", or what the runtime offers beside it.

    Raises:
        ArgumentError: the runtime is unknown, or cannot do what was asked.
        MissingExtraError: the runtime's package is not installed.
    """
    name = DEFAULT if runtime in (None, "auto") else runtime
    factory = _FACTORIES.get(name) if isinstance(name, str) else None
    if factory is None:
        raise ArgumentError(f"unknown runtime {runtime!r}; use one of auto, {', '.join(runtime_names())}")
    return factory(source, device=device, threads=threads, precision=precision)


def runtime_names() -> tuple[str, ...]:
    """Names that `create_runtime` knows, beside "auto"."""
    return tuple(_FACTORIES)


def _onnxruntime(source: GraphSource, **options: Any) -> Runtime:
    from laya.runtime.onnx import OnnxRuntime  # noqa: PLC0415 - the engine is loaded on first use

    return OnnxRuntime(source, **options)


def _openvino(source: GraphSource, **options: Any) -> Runtime:
    from laya.runtime.openvino import OpenVINORuntime  # noqa: PLC0415 - the engine is loaded on first use

    return OpenVINORuntime(source, **options)


_FACTORIES: Final[dict[str, Callable[..., Runtime]]] = {"onnxruntime": _onnxruntime, "openvino": _openvino}
