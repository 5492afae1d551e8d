"""PredictContext: what one call shows to its hooks."""

from __future__ import annotations

import uuid
from time import perf_counter
from typing import Any, Generic, TypeVar, overload

from laya.hooks.contract import checked_results
from laya.hooks.copies import detach
from laya.hooks.locks import ForkSafeLock, Lease, is_barred, store
from laya.hooks.protocol import stands_for

T = TypeVar("T")
_MUTEX = ForkSafeLock()


class _Field(Generic[T]):
    """A field of the context; the value lies in a slot. A hook whose time is over reads copies and writes nothing."""

    __slots__ = ("_slot",)

    def __set_name__(self, owner: type, name: str) -> None:
        self._slot = f"raw_{name}"

    @overload
    def __get__(self, ctx: None, owner: type) -> _Field[T]: ...

    @overload
    def __get__(self, ctx: PredictContext, owner: type) -> T: ...

    def __get__(self, ctx: PredictContext | None, owner: type) -> _Field[T] | T:
        if ctx is None:
            return self
        value: T = getattr(ctx, self._slot)
        if ctx.barred and is_barred(ctx.barred):
            copied: T = detach(value) if isinstance(value, (list, dict)) else value
            return copied
        return value

    def __set__(self, ctx: PredictContext, value: T) -> None:
        store(ctx, self._slot, value)


class ContextStorage:
    """The slots behind the fields of a context. The engine reads and writes these; hooks use the fields."""

    __slots__ = (
        "__dict__",  # hooks written for other engines hang their own attributes on the context
        "__weakref__",
        "barred",
        "completed",
        "raw_agent",
        "raw_decision",
        "raw_elapsed_ms",
        "raw_error",
        "raw_head_max_len",
        "raw_lang",
        "raw_max_len",
        "raw_model",
        "raw_parent_run_id",
        "raw_questions",
        "raw_request_id",
        "raw_results",
        "raw_router",
        "raw_run_id",
        "raw_scratch",
        "raw_skipped",
        "raw_started_at",
        "raw_states",
        "raw_truncation",
        "raw_usage",
    )

    barred: tuple[Lease, ...]
    completed: list[object]
    raw_results: Any
    raw_run_id: str | None
    raw_scratch: dict[Any, Any] | None
    raw_skipped: bool | None
    raw_started_at: float
    raw_states: Any


class PredictContext(ContextStorage):
    """One call, as its hooks see it; the same object goes through start, error and end.

    Args:
        states: the states; a list or tuple is copied into a new list.
        questions: the caller's own questions dict. Changing it in place reaches the caller; assign a new dict instead.
        run_id: identifies the call; made on first use if None.
        results: answers that are known already.
        decision: routing decision (router calls).
        model: name of the checkpoint.
        agent: the agent that answers.
        router: the router that called it, if any.
        max_len: token budget of a sequence; a start hook may set it.
        head_max_len: token budget of the question half; a start hook may set it.
        usage: token counts of the call; set before `on_predict_end` when there are results.
        started_at: `time.perf_counter()` at the start; now if None.
        elapsed_ms: milliseconds since the start; set before `on_predict_end`.
        error: the exception of a failed call; set before `on_error`.
        parent_run_id: `run_id` of the router call around an agent call.
        request_id: id of the request in the server.
        lang: language the caller named.
        truncation: "allow" or "error": whether the call lets text be cut to its budget.
    """

    __slots__ = ()

    states = _Field[Any]()
    questions = _Field[Any]()
    results = _Field["list[Any] | None"]()
    decision = _Field[Any]()
    model = _Field["str | None"]()
    agent = _Field[Any]()
    router = _Field[Any]()
    max_len = _Field["int | None"]()
    head_max_len = _Field["int | None"]()
    usage = _Field["dict[str, Any] | None"]()
    started_at = _Field[float]()
    elapsed_ms = _Field["float | None"]()
    error = _Field["BaseException | None"]()
    parent_run_id = _Field["str | None"]()
    request_id = _Field["str | None"]()
    lang = _Field["str | None"]()
    truncation = _Field["str"]()

    def __init__(
        self,
        states: Any,
        questions: Any,
        *,
        run_id: str | None = None,
        results: list[Any] | None = None,
        decision: Any = None,
        model: str | None = None,
        agent: Any = None,
        router: Any = None,
        max_len: int | None = None,
        head_max_len: int | None = None,
        usage: dict[str, Any] | None = None,
        started_at: float | None = None,
        elapsed_ms: float | None = None,
        error: BaseException | None = None,
        parent_run_id: str | None = None,
        request_id: str | None = None,
        lang: str | None = None,
        truncation: str = "allow",
    ) -> None:
        self.barred = ()
        self.completed = []
        self.raw_scratch = None
        self.raw_skipped = None
        self.raw_states = list(states) if isinstance(states, (list, tuple)) else states
        self.raw_questions = questions
        self.raw_run_id = run_id
        self.raw_results = results
        self.raw_decision = decision
        self.raw_model = model
        self.raw_agent = agent
        self.raw_router = router
        self.raw_max_len = max_len
        self.raw_head_max_len = head_max_len
        self.raw_usage = usage
        self.raw_started_at = perf_counter() if started_at is None else started_at
        self.raw_elapsed_ms = elapsed_ms
        self.raw_error = error
        self.raw_parent_run_id = parent_run_id
        self.raw_request_id = request_id
        self.raw_lang = lang
        self.raw_truncation = truncation

    @property
    def run_id(self) -> str:
        """Identifies the call: 32 hexadecimal digits, unless the caller chose another."""
        if self.raw_run_id is None:
            with _MUTEX:
                if self.raw_run_id is None:
                    self.raw_run_id = uuid.uuid4().hex
        return self.raw_run_id

    @run_id.setter
    def run_id(self, value: str) -> None:
        store(self, "raw_run_id", value)

    @property
    def scratch(self) -> dict[Any, Any]:
        """A dict for the hooks of this call: per-call state belongs here, not in a hook that calls share."""
        if self.raw_scratch is None:
            with _MUTEX:
                if self.raw_scratch is None:
                    self.raw_scratch = {}
        if self.barred and is_barred(self.barred):
            return dict(self.raw_scratch)
        return self.raw_scratch

    @property
    def skipped(self) -> bool:
        """Whether `skip`, or a start hook that set `results`, answered in place of inference."""
        if self.raw_skipped is None:
            return self.raw_results is not None
        return self.raw_skipped

    def skip(self, results: Any) -> None:
        """Answer the call without inference, from a start hook.

        Args:
            results: a list or tuple with exactly one result dict per state; copied.

        Raises:
            HookResultError: anything else, None included.
        """
        self.results = checked_results(results, self.states)

    def started(self, hook: object) -> bool:
        """Tell whether the `on_predict_start` of a hook completed for this call.

        Args:
            hook: the hook, what an AsyncHook wraps, or the plain callable that was installed.

        Returns:
            False when the start failed, timed out, was never reached, or does not exist.
        """
        return any(stands_for(known, hook) for known in self.completed)

    def __repr__(self) -> str:
        states = self.raw_states
        shown = f"{len(states)} states" if isinstance(states, list) else f"states of type {type(states).__name__}"
        run_id = "" if self.raw_run_id is None else f", run_id={self.raw_run_id!r}"
        return f"PredictContext({shown}, model={self.raw_model!r}{run_id})"
