"""The other dialect of `/v1/decisions`: `input` and a list of questions, answered by a list in the same order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from laya.server.answers import answer_of
from laya.server.errors import Loc, Problem, WireError, invalid
from laya.server.wire import ChoiceAnswer, NoulAnswer

if TYPE_CHECKING:
    from collections.abc import Mapping

_ROLES: Final = ("user", "developer", "system", "assistant")
_TEXT_PARTS: Final = ("input_text", "output_text")


class PredicateAnswer(Struct, tag_field="type", tag="predicate", kw_only=True):
    """Probability that a statement holds."""

    name: str | None
    probability: float


class ValueProbability(Struct):
    """One choice and its probability."""

    value: str | bool
    probability: float


class ChoiceDecision(Struct, tag_field="type", tag="choice", kw_only=True):
    """The most probable choice."""

    name: str | None
    choice: str | bool
    confidence: float
    probabilities: list[ValueProbability]


class LevelProbability(Struct):
    """One level and its probability."""

    value: int
    label: str
    probability: float


class ScoreDecision(Struct, tag_field="type", tag="score", kw_only=True):
    """The expected level."""

    name: str | None
    score: float
    confidence: float
    probabilities: list[LevelProbability]


class DecisionUsage(Struct):
    """Token counts as that dialect writes them."""

    input_tokens: int
    output_tokens: int
    total_tokens: int
    input_tokens_details: dict[str, int]
    output_tokens_details: dict[str, int]


class DecisionResponse(Struct):
    """Answers in the order of the questions."""

    model: str
    answers: list[PredicateAnswer | ChoiceDecision | ScoreDecision]
    usage: DecisionUsage


class Predicate(Struct, tag_field="type", tag="predicate"):
    """A statement about the input."""

    instructions: str | list[dict[str, Any]]
    name: str | None = None


class Choice(Struct):
    """One of the choices."""

    value: str | bool
    description: str | None = None


class ChoiceOf(Struct, tag_field="type", tag="choice"):
    """A question with choices."""

    instructions: str | list[dict[str, Any]]
    choices: list[Choice]
    name: str | None = None


class Level(Struct):
    """One of the levels."""

    label: str
    description: str | None = None


class ScoreOf(Struct, tag_field="type", tag="score"):
    """A question with ordered levels."""

    instructions: str | list[dict[str, Any]]
    levels: list[Level]
    name: str | None = None


Question = Predicate | ChoiceOf | ScoreOf


class DecisionRequest(Struct):
    """A text, or messages and tool calls, and what is asked about it."""

    input: str | list[dict[str, Any]]
    model: str
    questions: list[Question]


@dataclass(frozen=True, slots=True)
class Translated:
    """A request of this dialect in terms of the other.

    Attributes:
        body: the body that `/v1/systemone` takes; ids of questions are their positions.
        questions: the questions as they came.
    """

    body: dict[str, Any]
    questions: tuple[Question, ...]


def is_openai(value: Any) -> bool:
    """Whether a body speaks this dialect."""
    return isinstance(value, dict) and "input" in value and "state" not in value


def to_system_one(value: dict[str, Any]) -> Translated:
    """Translate a body.

    Raises:
        WireError: 422, something in it is malformed or asks for what is not there, such as images.
    """
    questions = _questions(value.get("questions"))
    asked = {str(i): _question(question, i) for i, question in enumerate(questions)}
    kept = {key: item for key, item in value.items() if key == "model" or key.startswith("x_")}
    body = {**kept, "state": _state(value["input"]), "questions": asked}
    return Translated(body, questions)


def in_this_dialect(error: WireError) -> WireError:
    """A refusal of the translated body, with the places that the client's own body has: `input`, `questions[1]`."""
    if not error.problems:
        return error
    return invalid([replace(problem, loc=_own_loc(problem.loc)) for problem in error.problems])


def _own_loc(loc: Loc) -> Loc:
    if loc[:1] == ("state",):
        return ("input", *loc[1:])
    if loc[:1] == ("questions",) and len(loc) > 1:
        return ("questions", int(loc[1]), *loc[2:])
    return loc


def answers_in_order(result: Mapping[str, Any], translated: Translated) -> DecisionResponse:
    """A result as this dialect writes it."""
    usage = result["usage"]
    read, written = usage["input_tokens"], usage["output_tokens"]
    routing = result.get("routing") or {}
    return DecisionResponse(
        model=str(routing.get("model") or result["model"]),
        answers=[_answer(q, result["answers"][str(i)]) for i, q in enumerate(translated.questions)],
        usage=DecisionUsage(
            read, written, read + written, {"cached_tokens": 0, "cache_write_tokens": 0}, {"reasoning_tokens": 0}
        ),
    )


def _questions(value: Any) -> tuple[Question, ...]:
    if not isinstance(value, list) or not value:
        raise _refuse(("questions",), "must be a list of one or more questions")
    found = []
    for i, item in enumerate(value):
        try:
            found.append(msgspec.convert(item, Question))
        except msgspec.ValidationError as exc:
            raise _refuse(("questions", i), str(exc).replace("`$", f"`questions[{i}]")) from exc
    return tuple(found)


def _question(question: Question, i: int) -> dict[str, Any]:
    asked: dict[str, Any] = {"instructions": _parts(question.instructions, ("questions", i, "instructions"))}
    if isinstance(question, Predicate):
        return {"type": "noul", **asked}
    if isinstance(question, ChoiceOf):
        names = _names(question)
        if len(question.choices) < 2 or len(set(names)) < len(names):
            raise _refuse(("questions", i, "choices"), "must be two or more choices that differ")
        described = {name: choice.description for name, choice in zip(names, question.choices, strict=True)}
        return {"type": "choice", "criteria": described, **asked}
    if not question.levels:
        raise _refuse(("questions", i, "levels"), "must be one or more levels")
    return {"type": "score", "criteria": [_level(level) for level in question.levels], **asked}


def _names(question: ChoiceOf) -> list[str]:
    """A label for each choice; a boolean beside a string of the same text is told apart."""
    texts = [choice.value for choice in question.choices if isinstance(choice.value, str)]
    names = []
    for choice in question.choices:
        name = choice.value if isinstance(choice.value, str) else str(choice.value).lower()
        names.append(f"{name} (boolean)" if isinstance(choice.value, bool) and name in texts else name)
    return names


def _level(level: Level) -> str:
    return level.label if level.description is None else f"{level.label}: {level.description}"


def _state(value: Any) -> Any:
    if isinstance(value, str):
        return value
    if not isinstance(value, list) or not value:
        raise _refuse(("input",), "must be a text or a list of messages and tool calls")
    return [_item(item, ("input", i)) for i, item in enumerate(value)]


def _item(item: Any, loc: Loc) -> dict[str, Any]:
    """A message or tool call as a turn of a conversation."""
    if not isinstance(item, dict):
        raise _refuse(loc, "must be an object")
    kind = item.get("type", "message")
    if kind == "message" and item.get("role") in _ROLES:
        return {"role": item["role"], "content": _parts(item.get("content"), (*loc, "content"))}
    if kind in ("function_call", "custom_tool_call"):
        return {"tool": item.get("name"), "arguments": item.get("arguments", item.get("input"))}
    if kind in ("function_call_output", "custom_tool_call_output"):
        return {"tool_output": _parts(item.get("output"), (*loc, "output"))}
    raise _refuse(loc, f"is not a message or tool call that this server reads (type {kind!r:.40})")


def _parts(content: Any, loc: Loc) -> Any:
    """Content as text; JSON parts stay values."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list) or not content:
        raise _refuse(loc, "must be a text or a list of parts")
    read = [_part(part, (*loc, i)) for i, part in enumerate(content)]
    if all(isinstance(part, str) for part in read):
        return "\n".join(read)
    return read


def _part(part: Any, loc: Loc) -> Any:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind in _TEXT_PARTS and isinstance(part.get("text"), str):
        return part["text"]
    if kind == "refusal" and isinstance(part.get("refusal"), str):
        return part["refusal"]
    if kind == "input_json" and "data" in part:
        return part["data"]
    raise _refuse(loc, f"is not a part that this server reads (type {kind!r:.40}); it reads text and JSON")


def _answer(question: Question, answer: Mapping[str, Any]) -> PredicateAnswer | ChoiceDecision | ScoreDecision:
    found = answer_of(answer, strict=True)
    if isinstance(found, NoulAnswer):
        return PredicateAnswer(name=question.name, probability=found.noul)
    if isinstance(question, ChoiceOf) and isinstance(found, ChoiceAnswer):
        values = dict(zip(_names(question), (choice.value for choice in question.choices), strict=True))
        return ChoiceDecision(
            name=question.name,
            choice=values[found.choice],
            confidence=found.confidence,
            probabilities=[ValueProbability(values[name], p) for name, p in found.probabilities.items()],
        )
    assert isinstance(question, ScoreOf) and not isinstance(found, ChoiceAnswer)  # noqa: S101, PT018 - narrows both
    return ScoreDecision(
        name=question.name,
        score=found.score,
        confidence=found.confidence,
        probabilities=[
            LevelProbability(i, level.label, found.probabilities[str(i)]) for i, level in enumerate(question.levels)
        ],
    )


def _refuse(loc: Loc, message: str) -> WireError:
    return invalid([Problem(loc, message, "invalid_type")])
