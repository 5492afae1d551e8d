"""Keyword options of the Router and its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from typing_extensions import TypedDict

from laya.options import HookOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from laya.calibration.confidence import MinConfidence
    from laya.language import LanguageDetector
    from laya.router.names import Source


class RouterOptions(HookOptions, total=False):
    """Keyword options of `Router`.

    Where checkpoints come from: `revision` (all), `revisions` (by name), `token`, `sha256_digests` (by name),
    `standalone_repos`. How they are built: `device`, `agent_kwargs`, `build`. Memory: `max_loaded`, `max_bytes`,
    `preload`. Routing: `default`, `lang_guess`, `detector`, `auto_task_detection`. Hooks: see `HookOptions`, and
    `hooks_concurrent=False` runs one hook at a time.
    """

    device: str | None
    token: str | None
    revision: str | None
    revisions: Mapping[str, str | None] | None
    sha256_digests: Mapping[str, Mapping[str, str] | None] | None
    standalone_repos: bool
    agent_kwargs: Mapping[str, Any] | None
    build: Callable[[str, Source], Any] | None
    max_loaded: int
    max_bytes: int | None
    preload: bool
    default: str
    lang_guess: str | Callable[[Any], str | None] | None
    detector: LanguageDetector | None
    auto_task_detection: bool
    hooks_concurrent: bool


class RouteOptions(TypedDict, total=False):
    """Keyword options of `Router.route`.

    `model`, `task`, `lang` and `lang_guess` decide before detection does, in that order. `explain` adds what detection
    looked at. The rest is about hooks.
    """

    model: str | None
    task: str | None
    lang: str | None
    lang_guess: str | Callable[[Any], str | None] | None
    explain: bool
    hooks: Any
    hooks_raise: bool | None
    hooks_timeout: float | None


class PredictOptions(HookOptions, total=False):
    """Keyword options of `Router.predict`: those of one request, and the hook options of the call."""

    model: str | None
    task: str | None
    lang: str | None
    lang_guess: str | Callable[[Any], str | None] | None
    max_len: int | None
    head_max_len: int | None
    min_confidence: MinConfidence | None
    truncation: Literal["allow", "error"] | None
    request_id: str | None


class LongOptions(PredictOptions, total=False):
    """Keyword options of `Router.predict_long`: those of `predict`, and the windows of `Agent.predict_long`."""

    window: int | None
    stride: int | None
    max_windows: int
    aggregate: str
    batch_size: int | None


WINDOW_KEYS: Final = ("window", "stride", "max_windows", "aggregate", "batch_size")


class BatchOptions(HookOptions, total=False):
    """Keyword options of `Router.predict_batch`.

    `min_confidence` is for requests without their own. With `errors="return"` a request that fails has its exception
    in the place of its result, and the others are answered. `labels` are the numbers that errors give the requests, by
    default their positions; None for a request that its sender made alone, where a server merges those of several.
    `sort_by_length` is accepted and needless.
    """

    min_confidence: MinConfidence | None
    errors: Literal["raise", "return"]
    labels: Sequence[int | None] | None
    sort_by_length: bool
