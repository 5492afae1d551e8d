"""Errors on the wire: two documented shapes, and beside them one `error` object that every client can read."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from laya.errors import (
    AbstentionError,
    ArgumentError,
    ArgumentTypeError,
    BudgetError,
    ClosedError,
    DeadlineError,
    LayaError,
    QuestionError,
    QuestionTypeError,
    QueueFullError,
    StateError,
    StateTypeError,
    TruncationError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

logger = logging.getLogger("laya.server")

Loc = tuple["str | int", ...]

REFUSED: Final = (
    *(QuestionError, QuestionTypeError, StateError, StateTypeError, BudgetError, TruncationError),
    *(ArgumentError, ArgumentTypeError, AbstentionError),
)
"""Errors that are about the request; any other is about the server."""

TYPES: Final[Mapping[int, str]] = {
    400: "api_usage_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    405: "invalid_request_error",
    408: "timeout_error",
    413: "request_too_large",
    415: "invalid_request_error",
    422: "validation_error",
    429: "rate_limit_error",
    503: "unavailable_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""`error_type` of each status; any other is "internal_error"."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a body.

    Attributes:
        loc: where, from the top of the body: ("questions", "team", "criteria").
        message: what is wrong and what to do.
        code: stable identifier of the kind of problem.
    """

    loc: Loc
    message: str
    code: str


@dataclass(eq=False)
class WireError(Exception):
    """A response that is an error.

    Attributes:
        status: HTTP status.
        code: stable identifier of the kind of error.
        message: one sentence for people.
        problems: what is wrong with the body, all of it; given, the body has the shape of a validation error.
        headers: headers of the response.
        path: the field at fault, where it is one and not in `problems`.
    """

    status: int
    code: str
    message: str
    problems: tuple[Problem, ...] = ()
    headers: dict[str, str] = field(default_factory=dict)
    path: str | None = None

    def body(self, request_id: str) -> dict[str, Any]:
        """The body: `detail` in the shape that the protocol documents, and `error` with everything in one place."""
        kind = TYPES.get(self.status, "internal_error")
        detail: Any = {"error_type": kind, "message": self.message}
        path = self.path
        if self.problems:
            path = path_of(self.problems[0].loc)
            detail = [{"loc": ["body", *p.loc], "msg": p.message, "type": p.code} for p in self.problems]
        error = {"code": self.code, "type": kind, "message": self.message, "path": path, "param": path}
        return {"detail": detail, "error": {**error, "request_id": request_id}}


def invalid(problems: Sequence[Problem]) -> WireError:
    """A 422 with every problem of a body."""
    first = problems[0]
    where = path_of(first.loc)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    named = f"{where}: " if where else ""
    return WireError(422, first.code, f"{named}{first.message}{more}", tuple(problems))


def path_of(loc: Loc) -> str | None:
    """A location as text: `questions.team.criteria`, `states[3]`; None for the body itself."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc)
    return text.removeprefix(".") or None


def problem_of(error: LayaError, state: Loc) -> Problem:
    """Where and what an error about the request is.

    Args:
        error: one of `REFUSED`.
        state: location of the state that the request was about.
    """
    message = error.message.removeprefix(f"request {error.index}: ").removeprefix(f"state {error.index}: ")
    loc: Loc = ()
    if error.question is not None:
        loc = ("questions", str(error.question))
    elif isinstance(error, (StateError, StateTypeError, TruncationError, BudgetError)):
        loc = state
    return Problem(loc, message, error.code)


def wire_error(error: Exception, *, overload_status: int = 529) -> WireError:
    """What the wire says of an exception that is not about the body.

    Args:
        error: what was raised. What it says goes to the log alone where it could tell of the inside of the server.
        overload_status: status when the whole server is busy.
    """
    if isinstance(error, WireError):
        return error
    if isinstance(error, QueueFullError):
        status = 429 if error.client else overload_status
        seconds = max(error.retry_after, 0.001)
        headers = {"Retry-After": str(math.ceil(seconds)), "Retry-After-Ms": str(math.ceil(seconds * 1000))}
        return WireError(status, error.code, error.message, headers=headers)
    if isinstance(error, DeadlineError):
        return WireError(504, error.code, error.message)
    if isinstance(error, ClosedError):
        return WireError(503, "draining", "the server is shutting down; call again", headers={"Retry-After": "1"})
    if isinstance(error, REFUSED):
        return invalid([problem_of(error, ("state",))])
    code = error.code if isinstance(error, LayaError) else "internal_error"
    logger.error("a request failed", exc_info=error)
    return WireError(500, code, "the request failed inside the server; its log has the reason under this request id")
