"""Every error that laya raises on purpose.

Each class is also the built-in error that callers expect (`ValueError`, `TypeError`, `RuntimeError`,
`TimeoutError`, ...), so `except ValueError` keeps working, and carries what a program needs to react: a stable
`code`, and, where they apply, the `question` id, the request or state `index` and the `path` of the file or field.
"""

from __future__ import annotations

from typing import Any, ClassVar


class LayaError(Exception):
    """Base of all errors of this package.

    Attributes:
        code: stable identifier of the kind of error, for programs and for the wire.
        question: id of the question at fault, if there is one.
        index: position of the state or request at fault in its batch, if there is one.
        path: file, or path inside a state or schema, at fault, if there is one.
    """

    code: ClassVar[str] = "error"

    def __init__(
        self,
        message: str,
        *,
        question: str | int | None = None,
        index: int | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.question = question
        self.index = index
        self.path = path

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        state = {"question": self.question, "index": self.index, "path": self.path}
        return type(self), (self.message,), state


class ArgumentError(LayaError, ValueError):
    """An argument of a call has a value that cannot work."""

    code = "invalid_argument"


class ArgumentTypeError(LayaError, TypeError):
    """An argument of a call has a type that cannot work."""

    code = "invalid_argument"


class QuestionError(LayaError, ValueError):
    """A question definition breaks a rule; the message starts with the question's id."""

    code = "invalid_question"


class QuestionTypeError(LayaError, TypeError):
    """The questions as a whole are not a dict of id to definition."""

    code = "invalid_question"


class StateError(LayaError, ValueError):
    """A state holds something that cannot be written as text; names the state's index and the path inside it."""

    code = "invalid_state"


class StateTypeError(LayaError, TypeError):
    """The states are not a list, or a state is None."""

    code = "invalid_state"


class BudgetError(LayaError, ValueError):
    """A token budget cannot hold what the question needs."""

    code = "budget_exceeded"


class TruncationError(LayaError, ValueError):
    """Something would have been cut and the call asked for `truncation="error"`."""

    code = "truncated"


class CheckpointError(LayaError, ValueError):
    """A checkpoint file is damaged, incomplete or of a kind that this engine cannot run."""

    code = "invalid_checkpoint"


class CheckpointNotFoundError(LayaError, FileNotFoundError):
    """A checkpoint directory or one of its files is missing."""

    code = "checkpoint_not_found"


class DigestError(LayaError, ValueError):
    """A file does not have the SHA-256 digest that was pinned for it."""

    code = "digest_mismatch"


class CalibrationError(LayaError, ValueError):
    """A calibration file or mapping is not valid."""

    code = "invalid_calibration"


class HookConfigError(LayaError, TypeError):
    """A hook, or a hook policy, is not of a usable kind."""

    code = "invalid_hook"


class HookResultError(LayaError, ValueError):
    """A hook left `ctx.results`, `ctx.states` or the like in a form that breaks the contract of the call."""

    code = "invalid_hook_result"


class HookTimeoutError(LayaError, TimeoutError):
    """A hook did not finish within `hooks_timeout`."""

    code = "hook_timeout"


class ClosedError(LayaError, RuntimeError):
    """The object was used after `close()`."""

    code = "closed"


class QueueFullError(LayaError, RuntimeError):
    """The server has no room for more requests now, from anybody or from this client.

    Attributes:
        retry_after: seconds after which what waits now should be done.
        client: whether only this client has more than its share waiting.
    """

    code = "overloaded"

    def __init__(self, message: str, *, retry_after: float = 0.0, client: bool = False, **place: Any) -> None:
        super().__init__(message, **place)
        self.retry_after = retry_after
        self.client = client

    def __reduce__(self) -> tuple[Any, ...]:
        kind, args, state = super().__reduce__()
        return kind, args, {**state, "retry_after": self.retry_after, "client": self.client}


class DeadlineError(LayaError, TimeoutError):
    """A request was still waiting when its deadline passed; it was not run."""

    code = "deadline_exceeded"


class ForwardError(LayaError, RuntimeError):
    """The runtime failed, or returned numbers that are not finite."""

    code = "forward_failed"


class MissingExtraError(LayaError, ImportError):
    """An optional dependency is not installed; the message has the install command."""

    code = "missing_extra"


class SchemaError(LayaError, ValueError):
    """A schema holds something that cannot be asked; the message starts with the path (`properties.<name>: ...`)."""

    code = "invalid_schema"


class AbstentionError(LayaError, RuntimeError):
    """An answer was less sure than a confidence gate asks for, and the gate was told to raise."""

    code = "abstained"
