"""From the JSON value of a body to requests that the Router takes; every problem is found, not only the first."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec

from laya.errors import LayaError
from laya.questions import parse_questions
from laya.server.errors import Loc, Problem, WireError, invalid
from laya.server.wire import BatchRequest, Controls, SystemOneRequest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.server.models import ModelNames
    from laya.server.settings import ServerSettings

_FORWARDED: Final = ("task", "lang", "lang_guess", "max_len", "head_max_len", "min_confidence")
_ASKED: Final = {"choice": "Which option fits best?", "score": "Which level fits best?"}
"""Instructions of questions that come without any, which the protocol allows."""

Body = TypeVar("Body", bound=Controls)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a body asks for.

    Attributes:
        requests: as `Router.predict_batch` takes them.
        locs: where in the body the state of each lies.
        scan: read long documents in windows.
        warnings: sentences for the client.
        truncation: what the client said about cuts, or the server's default.
    """

    requests: tuple[dict[str, Any], ...]
    locs: tuple[Loc, ...]
    scan: bool
    warnings: tuple[str, ...]


class Reader:
    """Reads bodies.

    Args:
        settings: has the limits.
        names: knows the models.
    """

    def __init__(self, settings: ServerSettings, names: ModelNames) -> None:
        self._settings = settings
        self._names = names

    def system_one(self, value: Any) -> Asked:
        """Read the body of a request about one state.

        Raises:
            WireError: 422 with every problem, 400 for a model that is not known.
        """
        body, problems = _convert(SystemOneRequest, value)
        return self._asked(value, body, problems, lambda body: [body.state], [("state",)])

    def batch(self, value: Any) -> Asked:
        """Read the body of a request about many states.

        Raises:
            WireError: 422 with every problem, 400 for a model that is not known.
        """
        body, problems = _convert(BatchRequest, value)
        states = body.states if body is not None else []
        if len(states) > self._settings.max_states:
            problems.append(_too_many(("states",), len(states), self._settings.max_states, "states"))
        locs: list[Loc] = [("states", i) for i in range(len(states))]
        return self._asked(value, body, problems, lambda body: body.states, locs)

    def questions(self, value: Any) -> tuple[dict[str, Any], list[Problem]]:
        """Check questions, and fill in what the protocol lets clients leave out.

        Returns:
            The questions as the engine takes them, and what is wrong.
        """
        if not isinstance(value, dict) or not value:
            return {}, []
        limits = self._settings
        if len(value) > limits.max_questions:
            return {}, [_too_many(("questions",), len(value), limits.max_questions, "questions")]
        asked: dict[str, Any] = {}
        problems: list[Problem] = []
        total = 0
        for name, definition in value.items():
            filled = _filled(definition)
            found = _size_problem(name, filled, limits) or _problem(name, filled)
            if found is not None:
                problems.append(found)
            total += _size(filled)
            asked[name] = filled
        if total > limits.max_total_options:
            problems.append(_too_many(("questions",), total, limits.max_total_options, "options in all"))
        return asked, problems

    def _asked(self, value: Any, body: Any, problems: list[Problem], states: Any, locs: Sequence[Loc]) -> Asked:
        given = value if isinstance(value, dict) else {}
        questions, wrong = self.questions(given.get("questions"))
        problems += wrong
        if given.get("assets") is not None:
            text = "this server reads text only; leave assets out, or describe them in the state"
            problems = [p for p in problems if p.loc[:1] != ("assets",)]
            problems.append(Problem(("assets",), text, "unsupported_input"))
        if body is not None:
            problems += self._budget_problems(body)
        if problems:
            raise invalid(problems)
        model = self._names.resolve(body.model)
        truncation = body.x_truncation or self._settings.default_truncation
        options = {key: getattr(body, key) for key in _FORWARDED if getattr(body, key) is not None}
        if truncation == "error":
            options["truncation"] = "error"
        if model is not None:
            options["model"] = model
        return Asked(
            requests=tuple({"state": state, "questions": questions, **options} for state in states(body)),
            locs=tuple(locs),
            scan=truncation == "scan",
            warnings=tuple(_slips(given, type(body).__struct_fields__)),
        )

    def _budget_problems(self, body: Controls) -> list[Problem]:
        most = self._settings.max_token_budget
        budgets = {"max_len": body.max_len, "head_max_len": body.head_max_len}
        return [
            Problem((name,), f"at most {most} tokens are allowed here, got {value}", "limit_exceeded")
            for name, value in budgets.items()
            if value is not None and value > most
        ]


def _convert(kind: type[Body], value: Any) -> tuple[Body | None, list[Problem]]:
    """The struct of a body, or None and what is wrong with each of its fields."""
    if not isinstance(value, dict):
        raise invalid([Problem((), f"the body must be a JSON object, got {_kind(value)}", "invalid_type")])
    problems = []
    fields: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):
        if field.name not in value:
            if field.required:
                problems.append(Problem((field.name,), f"{field.name!r} is required", "missing"))
            continue
        try:
            fields[field.name] = msgspec.convert(value[field.name], field.type)
        except msgspec.ValidationError as exc:
            message, _, path = str(exc).partition(" - at `$")
            where = f" (at {field.name}{path.rstrip('`')})" if path else ""
            problems.append(Problem((field.name,), f"{message[:1].lower()}{message[1:]}{where}", "invalid_type"))
    return (None if problems else kind(**fields)), problems


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _filled(definition: Any) -> Any:
    """A question with the instructions it may do without, and without what clients mark as theirs."""
    if not isinstance(definition, dict):
        return definition
    kept = {key: value for key, value in definition.items() if not key.startswith("x_")}
    if kept.get("instructions") is None:
        kept.pop("instructions", None)
        text = _default_instructions(kept)
        if text is not None:
            kept["instructions"] = text
    return kept


def _default_instructions(question: Mapping[str, Any]) -> str | None:
    kind = question.get("type")
    if kind != "noul" or not isinstance(question.get("criteria"), dict):
        return _ASKED.get(kind) if isinstance(kind, str) else None
    holds = question["criteria"].get("true")
    if holds:
        return holds if isinstance(holds, str) else json.dumps(holds, ensure_ascii=False)
    return "Which description fits?" if question["criteria"].get("false") else None


def _size(definition: Any) -> int:
    criteria = definition.get("criteria") if isinstance(definition, dict) else None
    return len(criteria) if isinstance(criteria, (dict, list)) else 0


def _size_problem(name: str, definition: Any, limits: ServerSettings) -> Problem | None:
    size = _size(definition)
    kind = definition.get("type") if isinstance(definition, dict) else None
    most, what = (limits.max_levels, "levels") if kind == "score" else (limits.max_options, "options")
    return _too_many(("questions", name, "criteria"), size, most, what) if size > most else None


def _problem(name: str, definition: Any) -> Problem | None:
    if isinstance(definition, dict) and definition.get("type") == "box":
        text = f"question {name!r}: this server reads text only and has no 'box' questions"
        return Problem(("questions", name, "type"), text, "unsupported_input")
    try:
        parse_questions({name: definition})
    except LayaError as exc:
        return Problem(("questions", name), exc.message, exc.code)
    return None


def _too_many(loc: Loc, count: int, most: int, what: str) -> Problem:
    return Problem(loc, f"at most {most} {what} are allowed here, got {count}", "limit_exceeded")


def _slips(given: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    """Unknown fields are ignored, as the protocol says, but a slip in one of ours is worth a word."""
    sentences = []
    for name in given:
        near = [] if name in known else difflib.get_close_matches(name, known, n=1, cutoff=0.85)
        if near:
            sentences.append(f"unknown field {name!r} was ignored; did you mean {near[0]!r}?")
    return sentences


__all__ = ["Asked", "Reader", "WireError"]
