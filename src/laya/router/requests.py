"""Requests of a Router: their types, and the checks that run before any event fires."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from typing_extensions import NotRequired, TypedDict

from laya.calibration import check_min_confidence
from laya.errors import ArgumentError, ArgumentTypeError, LayaError, QuestionTypeError, StateTypeError
from laya.language.codes import language_code
from laya.options import check_positive
from laya.router.policy import Request

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.calibration.confidence import MinConfidence
    from laya.router.policy import Policy
    from laya.types import Questions, State


class RouterRequest(TypedDict):
    """One request of `Router.predict_batch`; the keys after `questions` are those of `Router.predict`."""

    state: State
    questions: Questions
    model: NotRequired[str | None]
    task: NotRequired[str | None]
    lang: NotRequired[str | None]
    lang_guess: NotRequired[Any]
    max_len: NotRequired[int | None]
    head_max_len: NotRequired[int | None]
    min_confidence: NotRequired[MinConfidence | None]
    truncation: NotRequired[Literal["allow", "error"] | None]
    request_id: NotRequired[str | None]


KEYS: Final = tuple(RouterRequest.__annotations__)
_KNOWN: Final = frozenset(KEYS)


@dataclass(frozen=True, slots=True)
class Checked:
    """One request after its checks.

    Attributes:
        index: its position in the batch.
        label: the number that errors give it; None outside a batch.
    """

    index: int
    state: Any
    questions: Any
    route: Request
    max_len: int | None = None
    head_max_len: int | None = None
    min_confidence: MinConfidence | None = None
    truncation: Literal["allow", "error"] = "allow"
    request_id: str | None = None
    label: int | None = None


def check_requests(
    requests: Any,
    policy: Policy,
    gate: MinConfidence | None = None,
    *,
    keep_errors: bool = False,
    labels: Sequence[int | None] | None = None,
) -> list[Checked | Exception]:
    """Check every request of a batch.

    Args:
        requests: request dicts in an ordered iterable.
        policy: knows the checkpoints.
        gate: `min_confidence` for requests without their own.
        keep_errors: put the error of a request into its place instead of raising it.
        labels: the number that errors give each request; None for one that came alone. By default its position.

    Raises:
        ArgumentTypeError: the requests are not an ordered iterable.
        ArgumentError: there is not one label for each.
        LayaError: something is wrong with a request; the message names its index.
    """
    if isinstance(requests, (str, bytes, Mapping, set, frozenset)) or not isinstance(requests, Iterable):
        raise ArgumentTypeError(
            f"requests must be a sequence of request dictionaries, got {type(requests).__name__}; "
            "for one request use predict(state, questions)"
        )
    requests = list(requests)
    if labels is not None and len(labels) != len(requests):
        raise ArgumentError(f"labels must have one entry per request, got {len(labels)} for {len(requests)} requests")
    checked: list[Checked | Exception] = []
    for index, request in enumerate(requests):
        try:
            checked.append(check_request(request, policy, gate, index, labels[index] if labels is not None else index))
        except LayaError as exc:
            if not keep_errors:
                raise
            checked.append(exc)
    return checked


def check_request(
    request: Any, policy: Policy, gate: MinConfidence | None = None, index: int = 0, label: int | None = None
) -> Checked:
    """Check one request: its keys, its names and codes, its budgets.

    Args:
        request: the request dict.
        policy: knows the checkpoints.
        gate: `min_confidence` if the request has none.
        index: position in a batch.
        label: the number that errors give it; None outside a batch.

    Raises:
        LayaError: something is wrong with it; a ValueError or TypeError.
    """
    try:
        return _checked(_fields(request), policy, gate, index, label)
    except LayaError as exc:
        if label is None:
            raise
        raise type(exc)(f"request {label}: {exc.message}", index=label) from exc


def _fields(request: Any) -> Mapping[str, Any]:
    if type(request) is not dict and not isinstance(request, Mapping):
        raise ArgumentTypeError(f"must be a dict, got {type(request).__name__}")
    for key in request:
        if key not in _KNOWN:
            near = difflib.get_close_matches(str(key), KEYS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it takes {', '.join(KEYS)}"
            raise ArgumentError(f"unknown key {key!r}; {hint}")
    for key in ("state", "questions"):
        if key not in request:
            raise ArgumentError(f"missing required key {key!r}")
    return request


def _checked(
    request: Mapping[str, Any], policy: Policy, gate: MinConfidence | None, index: int, label: int | None
) -> Checked:
    state, questions = request["state"], request["questions"]
    if state is None:
        raise StateTypeError("'state' must not be None; pass a string, dict, or list")
    if not isinstance(questions, dict):
        raise QuestionTypeError(f"'questions' must be a dict of question id -> definition, got {questions!r:.80}")
    get = request.get
    max_len, head_max_len = get("max_len"), get("head_max_len")
    if max_len is not None:
        check_positive("max_len", max_len)
    if head_max_len is not None:
        check_positive("head_max_len", head_max_len)
    request_id = get("request_id")
    if request_id is not None and not isinstance(request_id, str):
        raise ArgumentTypeError(f"request_id must be a string or None, got {request_id!r}")
    truncation: Any = get("truncation") or "allow"
    if truncation not in ("allow", "error"):
        raise ArgumentError(f"truncation must be 'allow' or 'error', got {truncation!r}")
    own_gate = get("min_confidence")
    return Checked(
        index=index,
        state=state,
        questions=questions,
        route=check_route(state, questions, request, policy),
        min_confidence=gate if own_gate is None else check_min_confidence(own_gate),
        truncation=truncation,
        request_id=request_id,
        label=label,
        max_len=max_len,
        head_max_len=head_max_len,
    )


def check_route(state: Any, questions: Any, request: Mapping[str, Any], policy: Policy) -> Request:
    """What routing looks at, its names and codes checked.

    Raises:
        ArgumentError: a checkpoint or language code is unknown.
    """
    get = request.get
    route = Request(state, questions, get("model"), get("task"), get("lang"), get("lang_guess"))
    if route.model is not None:
        policy.registry.resolve(route.model)
    if route.task is not None:
        policy.resolve_task(route.task)
    if route.lang is not None:
        language_code(route.lang)
    if route.lang_guess is not None and not callable(route.lang_guess):
        language_code(route.lang_guess)
    return route
