"""Structured decisions: a schema in, values out."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeVar, overload

from laya.calibration import apply_confidence_gate, check_min_confidence
from laya.errors import AbstentionError, ArgumentError, ArgumentTypeError, HookResultError
from laya.structured.result import DecisionResult, build_raw_result, build_result
from laya.structured.schema import plan_from_json_schema
from laya.structured.values import check_complete, instance_of, read_values

if TYPE_CHECKING:
    from laya.calibration.confidence import MinConfidence
    from laya.structured.plan import Plan

T = TypeVar("T")

REQUEST_OPTIONS: Final = ("model", "task", "lang", "lang_guess", "max_len", "head_max_len", "request_id")
"""Options that belong to each request, not to the call, where a runner takes requests."""


class Runner(Protocol):
    """What answers: an Agent, a Router, or anything with the same two methods.

    A runner whose `predict_batch` takes a list of request dicts (`{"state", "questions", ...}`) says so with a true
    attribute `takes_requests`.
    """

    @property
    def predict(self) -> Callable[..., Any]:
        """`predict(state, questions, **options)` gives the result of one state."""

    @property
    def predict_batch(self) -> Callable[..., Any]:
        """`predict_batch(states, questions, **options)` gives the results of several states, in order."""


@overload
def decide(
    runner: Runner,
    state: Any,
    schema: type[T],
    *,
    return_details: Literal[False] = False,
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> T: ...
@overload
def decide(
    runner: Runner,
    state: Any,
    schema: type[T],
    *,
    return_details: Literal[True],
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> DecisionResult[T]: ...
@overload
def decide(
    runner: Runner,
    state: Any,
    schema: Mapping[str, Any] | Plan | None = None,
    *,
    questions: Mapping[Any, Mapping[str, Any]] | None = None,
    return_details: bool = False,
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> Any: ...
def decide(
    runner: Runner,
    state: Any,
    schema: Any = None,
    *,
    questions: Mapping[Any, Mapping[str, Any]] | None = None,
    return_details: bool = False,
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> Any:
    """Fill a schema from one state.

    Args:
        runner: an Agent, a Router, or anything with the same `predict`.
        state: what is judged.
        schema: a JSON Schema dict, a pydantic v2 model class, or a `Plan`.
        questions: plain questions instead of a schema; the values are then the raw answers.
        return_details: return a `DecisionResult` instead of the values alone.
        min_confidence: answers less sure than this abstain: null where the schema allows it, left out where it does
            not require the field, an error otherwise. A float, or a map of bucket to float.
        options: passed to `runner.predict`.

    Returns:
        A dict, or an instance of the model class, or a `DecisionResult` of it.

    Raises:
        ArgumentError: neither or both of `schema` and `questions`, or a bad `min_confidence`.
        SchemaError: the schema cannot be asked.
        AbstentionError: a required field that cannot be null abstained; never raised with `return_details`.
    """
    task = _Task(schema, questions, return_details=return_details, min_confidence=min_confidence)
    result = runner.predict(state, task.questions, **task.gate_option, **options)
    return task.read(result, None)


@overload
def decide_batch(
    runner: Runner,
    states: Sequence[Any],
    schema: type[T],
    *,
    return_details: Literal[False] = False,
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> list[T]: ...
@overload
def decide_batch(
    runner: Runner,
    states: Sequence[Any],
    schema: type[T],
    *,
    return_details: Literal[True],
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> list[DecisionResult[T]]: ...
@overload
def decide_batch(
    runner: Runner,
    states: Sequence[Any],
    schema: Mapping[str, Any] | Plan | None = None,
    *,
    questions: Mapping[Any, Mapping[str, Any]] | None = None,
    return_details: bool = False,
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> list[Any]: ...
def decide_batch(
    runner: Runner,
    states: Sequence[Any],
    schema: Any = None,
    *,
    questions: Mapping[Any, Mapping[str, Any]] | None = None,
    return_details: bool = False,
    min_confidence: MinConfidence | None = None,
    **options: Any,
) -> list[Any]:
    """Fill a schema from each of several states; arguments, values and errors as `decide`.

    An AbstentionError has the `index` of its state. With `errors="return"`, where the runner has it, an error of one
    state, an AbstentionError included, stands in the place of its values.

    Args:
        runner: an Agent, a Router, or anything with the same `predict_batch`.
        states: a list of states.
        schema: as in `decide`.
        questions: as in `decide`.
        return_details: as in `decide`.
        min_confidence: as in `decide`.
        options: passed to `runner.predict_batch`; where the runner takes requests, those of `REQUEST_OPTIONS` go into
            each request.
    """
    if isinstance(states, (str, bytes)) or not isinstance(states, Sequence):
        raise ArgumentTypeError(
            f"decide_batch expects a list of states, got {type(states).__name__}; pass a single state to decide()"
        )
    if not callable(getattr(runner, "predict_batch", None)):
        raise ArgumentTypeError(f"decide_batch needs a runner with predict_batch, got {type(runner).__name__}")
    task = _Task(schema, questions, return_details=return_details, min_confidence=min_confidence)
    call = {**task.gate_option, **options}
    if getattr(runner, "takes_requests", False):
        mine = {name: call.pop(name) for name in REQUEST_OPTIONS if name in call}
        requests = [{"state": state, "questions": task.questions, **mine} for state in states]
        results = runner.predict_batch(requests, **call)
    else:
        results = runner.predict_batch(list(states), task.questions, **call)
    if not isinstance(results, Sequence) or len(results) != len(states):
        raise ArgumentTypeError(f"{type(runner).__name__}.predict_batch must return one result for each state")
    keep_errors = options.get("errors") == "return"
    return [task.read_or_keep(result, i) if keep_errors else task.read(result, i) for i, result in enumerate(results)]


class _Task:
    """What one call asks, and how its results are read."""

    def __init__(
        self,
        schema: Any,
        questions: Mapping[Any, Mapping[str, Any]] | None,
        *,
        return_details: bool,
        min_confidence: Any,
    ) -> None:
        if (schema is None) == (questions is None):
            raise ArgumentError("pass exactly one of schema= or questions=")
        self._threshold = check_min_confidence(min_confidence)
        self._details = return_details
        self._plan = None if schema is None else plan_from_json_schema(schema)
        self.questions: Any = questions if self._plan is None else self._plan.questions

    @property
    def gate_option(self) -> dict[str, Any]:
        """The runner's own gate is used too, so that its records show what abstained."""
        return {} if self._threshold is None else {"min_confidence": self._threshold}

    def read_or_keep(self, result: Any, index: int) -> Any:
        """As `read`, but errors of this state are returned."""
        if isinstance(result, Exception):
            return result
        try:
            return self.read(result, index)
        except (AbstentionError, HookResultError) as exc:
            return exc

    def read(self, result: Any, index: int | None) -> Any:
        """Values, or the decision, of one result; the result itself is not changed."""
        answers = result.get("answers") if isinstance(result, Mapping) else None
        if not isinstance(answers, Mapping):
            raise ArgumentTypeError(f"the runner must return result dicts with 'answers', got {result!r}")
        result = {**result, "answers": copy.deepcopy(dict(answers))}
        apply_confidence_gate([result], self._threshold)
        if self._plan is None:
            return build_raw_result(result) if self._details else result["answers"]
        outcome = read_values(self._plan, result["answers"])
        if self._details:
            return build_result(self._plan, outcome, result)
        check_complete(outcome, index)
        return outcome.values if self._plan.model is None else instance_of(self._plan.model, outcome.values)
