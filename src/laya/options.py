"""Options of constructors and calls: their types, and the checks that run before anything else does."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import TypedDict

from laya.calibration import check_min_confidence
from laya.engine import CallSettings
from laya.errors import ArgumentError, ArgumentTypeError
from laya.scan import WindowOptions

if TYPE_CHECKING:
    from pathlib import Path

    from laya.calibration.confidence import MinConfidence
    from laya.engine import Truncation
    from laya.hooks import HookArg, PredictHookArg


class HookOptions(TypedDict, total=False):
    """Hooks, and how their failures, time and concurrency are treated."""

    hooks: HookArg
    on_predict_start: PredictHookArg
    on_predict_end: PredictHookArg
    hooks_raise: bool | None
    hooks_timeout: float | None


class CallOptions(HookOptions, total=False):
    """Keyword options of `predict`, `predict_batch` and their twins.

    `lang` selects temperature overrides; `max_len` and `head_max_len` are token budgets; `min_confidence` turns the
    confidence gate on; `truncation` is "allow" or "error"; `request_id` is passed to hooks. `sort_by_length` is
    accepted for code written against other engines: rows are always packed by length.
    """

    lang: str | None
    max_len: int | None
    head_max_len: int | None
    min_confidence: MinConfidence | None
    truncation: Truncation
    request_id: str | None
    sort_by_length: bool


class LongOptions(CallOptions, total=False):
    """Keyword options of `predict_long`: those of a call, and how the document is cut into windows.

    `window` and `stride` are in tokens, by default what a row has room for and half of it; `max_windows` refuses
    documents that would take more. `aggregate` can only be "auto".
    """

    window: int | None
    stride: int | None
    max_windows: int
    aggregate: str
    batch_size: int | None


class AgentOptions(HookOptions, total=False):
    """Keyword options of `Agent`, `ONNXAgent` and `load`.

    Which files: `subfolder`, `revision`, `token`, `expected_sha256` (file to hex digest), `strict_digests` (every file
    that is read must be listed). Where and how it runs: `device`, `runtime`,
    `threads`, `precision`. Numbers: `calibration`, `lang_temperatures`. Hooks: see `HookOptions`, and
    `hooks_concurrent=False` runs one hook at a time.
    """

    hooks_concurrent: bool
    subfolder: str | None
    revision: str | None
    token: str | None
    expected_sha256: Mapping[str, str] | None
    strict_digests: bool
    device: str | None
    runtime: str | None
    threads: int | None
    precision: str | None
    calibration: str | Path | None
    lang_temperatures: Mapping[str, Any] | None


_TORCH_ONLY: Final = ("fast", "compile", "compile_warmup", "compile_cache", "compile_mode")
_TORCH_BACKENDS: Final = ("eager", "torch", "compile", "torch.compile", "inductor", "tilelang", "fast")


def check_long(options: Mapping[str, Any]) -> tuple[dict[str, Any], WindowOptions]:
    """Split the options of `predict_long` into those of a call and the windows, and check the latter.

    Raises:
        ArgumentError: a window, stride or aggregation cannot work.
    """
    check_options(options, LongOptions.__annotations__, "predict_long")
    rest = {key: value for key, value in options.items() if key in CallOptions.__annotations__}
    aggregate = options.get("aggregate", "auto")
    if aggregate != "auto":
        raise ArgumentError(f"predict_long: only aggregate='auto' is supported, got {aggregate!r}")
    windows = {key: options[key] for key in ("window", "stride", "max_windows") if key in options}
    return rest, WindowOptions(**windows)


def check_options(given: Mapping[str, Any], known: Collection[str], what: str) -> None:
    """Refuse keyword options that `what` does not have, naming the nearest one.

    Raises:
        ArgumentTypeError: an option is unknown.
    """
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(sorted(known))}"
            raise ArgumentTypeError(f"{what} got an unexpected option {name!r}; {hint}")


def drop_torch_options(given: dict[str, Any]) -> dict[str, Any]:
    """Accept the options of a torch runtime at their neutral values, refuse them at any other.

    Raises:
        ArgumentError: an option asks for something that only a torch runtime has.
    """
    rest = dict(given)
    for name in _TORCH_ONLY:
        value = rest.pop(name, None)
        if name in {"fast", "compile", "compile_cache"} and value:
            raise ArgumentError(
                f"{name}={value!r} belongs to a torch runtime, which this engine does not have; for a faster forward "
                "on a CPU use runtime='openvino', precision='bf16' (pip install 'laya-engine[openvino]')"
            )
    backend = rest.pop("backend", None)
    if backend is None:
        return rest
    name = backend.strip().lower().replace("_", "-") if isinstance(backend, str) else backend
    if name in _TORCH_BACKENDS:
        raise ArgumentError(
            f"backend={backend!r} belongs to a torch runtime, which this engine does not have; "
            "use runtime='onnxruntime' (the default) or runtime='openvino' (pip install 'laya-engine[openvino]')"
        )
    if "runtime" in rest:
        raise ArgumentError(f"pass runtime={rest['runtime']!r} or backend={backend!r}, not both")
    rest["runtime"] = "onnxruntime" if name == "onnx" else name
    return rest


def check_batch_size(value: Any) -> int | None:
    """A positive int, or None.

    Raises:
        ArgumentError: anything else, bool included.
    """
    return check_positive("batch_size", value, "or None") if value is not None else None


def check_positive(name: str, value: Any, alternative: str = "") -> int:
    """A positive int that is not a bool.

    Args:
        name: the parameter, for the error.
        value: what was given.
        alternative: what the caller could have given instead, for the error.

    Raises:
        ArgumentError: anything else; names the parameter.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(f"{name} must be a positive int{alternative and ' ' + alternative}, got {value!r}")
    return value


def check_call(batch_size: Any, options: Mapping[str, Any], what: str) -> tuple[CallSettings, MinConfidence | None]:
    """Validate the options of one call, hooks aside, before any event fires.

    Raises:
        ArgumentError, ArgumentTypeError: an option is unknown or has a value that cannot work.
    """
    check_options(options, CallOptions.__annotations__, what)
    lang, truncation = options.get("lang"), options.get("truncation", "allow")
    if lang is not None and not isinstance(lang, str):
        raise ArgumentTypeError(f"lang must be a language code such as 'de' or None, got {lang!r}")
    if truncation not in {"allow", "error"}:
        raise ArgumentError(f"truncation must be 'allow' or 'error', got {truncation!r}")
    request_id = options.get("request_id")
    if request_id is not None and not isinstance(request_id, str):
        raise ArgumentTypeError(f"request_id must be a string or None, got {request_id!r}")
    settings = CallSettings(
        max_len=options.get("max_len"),
        head_max_len=options.get("head_max_len"),
        batch_size=check_batch_size(batch_size),
        lang=lang,
        truncation=truncation,
    )
    return settings, check_min_confidence(options.get("min_confidence"))


def as_states(states: Any) -> Any:
    """A new list of the states where they are an ordered collection; anything else as it is, for a hook to mend."""
    if type(states) is list:
        return list(states)
    if isinstance(states, (str, bytes, bytearray, Mapping, set, frozenset)) or states is None:
        return states
    if isinstance(states, Sequence) or hasattr(states, "__iter__"):
        return list(states)
    return states
