"""The tools, as a table: what each takes and gives, and the function between."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import UNSET

from laya.mcp.reading import read_arguments
from laya.mcp.schemas import (
    AskArguments,
    CheckArguments,
    CheckResult,
    ClassifyArguments,
    ClassifyResult,
    LevelProbability,
    PlanArguments,
    PlanResult,
    RouteArguments,
    RouteResult,
    ScoreArguments,
    ScoreResult,
)
from laya.plan import plan as plan_call
from laya.server.answers import keys_as_text, response_of
from laya.server.errors import Problem, invalid
from laya.server.wire import ChoiceAnswer, NoulAnswer, ScoreAnswer, SystemOneResponse

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from msgspec import Struct

    from laya.server.calls import Call
    from laya.server.reading import Asked
    from laya.server.service import Service

_PLANNED: Final = ("model", "task", "lang", "lang_guess", "max_len", "head_max_len")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, for fairness between clients and for hooks; `call` is the entry of the log over HTTP."""

    client: str
    request_id: str
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        title: for people.
        description: for the model that chooses among tools.
        takes, gives: structs of the arguments and of the result.
        run: answers a call.
        names: parts of the request that `run` makes to the argument that each comes from.
    """

    title: str
    description: str
    takes: type[Struct]
    gives: type[Struct]
    run: Callable[[Service, Mapping[str, Any], Caller], Awaitable[Struct]]
    names: Mapping[str, str] = field(default_factory=dict)


async def ask(service: Service, arguments: Mapping[str, Any], caller: Caller) -> SystemOneResponse:
    """Answer any questions about one state."""
    asked = service.reader.system_one(_body(read_arguments(AskArguments, arguments)))
    return response_of(await _answered(service, asked, caller), strict=service.settings.strict, warnings=asked.warnings)


async def check(service: Service, arguments: Mapping[str, Any], caller: Caller) -> CheckResult:
    """Answer one yes/no question."""
    given = read_arguments(CheckArguments, arguments)
    response = await _one(service, given, "question", {"type": "noul", "instructions": given.question}, caller)
    answer = response.answers["question"]
    assert isinstance(answer, NoulAnswer)  # noqa: S101 - a question is answered by its type
    return CheckResult(holds=answer.noul >= 0.5, probability=answer.noul, **_verdict(response))


async def classify(service: Service, arguments: Mapping[str, Any], caller: Caller) -> ClassifyResult:
    """Choose a label."""
    given = read_arguments(ClassifyArguments, arguments)
    labels = given.labels
    if isinstance(labels, list):
        twice = next((label for i, label in enumerate(labels) if label in labels[:i]), None)
        if twice is not None:
            raise invalid([Problem(("labels",), f"the label {twice!r} is there twice; leave one out", "duplicate")])
        labels = dict.fromkeys(labels)
    question = {"type": "choice", "criteria": labels, "instructions": given.instructions}
    response = await _one(service, given, "labels", question, caller)
    answer = response.answers["labels"]
    assert isinstance(answer, ChoiceAnswer)  # noqa: S101 - a question is answered by its type
    return ClassifyResult(
        label=answer.choice, confidence=answer.confidence, probabilities=answer.probabilities, **_verdict(response)
    )


async def score(service: Service, arguments: Mapping[str, Any], caller: Caller) -> ScoreResult:
    """Place a text on a scale."""
    given = read_arguments(ScoreArguments, arguments)
    question = {"type": "score", "criteria": given.levels, "instructions": given.instructions}
    response = await _one(service, given, "levels", question, caller)
    answer = response.answers["levels"]
    assert isinstance(answer, ScoreAnswer)  # noqa: S101 - a question is answered by its type
    levels = [LevelProbability(level, answer.probabilities[str(i)]) for i, level in enumerate(given.levels)]
    return ScoreResult(
        score=answer.score,
        level=max(levels, key=lambda level: level.probability).level,
        confidence=answer.confidence,
        probabilities=levels,
        **_verdict(response),
    )


async def route(service: Service, arguments: Mapping[str, Any], _caller: Caller) -> RouteResult:
    """Tell which checkpoint would answer."""
    given = read_arguments(RouteArguments, arguments)
    questions, problems = service.reader.questions(given.questions)
    if problems:
        raise invalid(problems)
    options: dict[str, Any] = {"task": given.task, "lang": given.lang, "lang_guess": given.lang_guess}
    options["model"] = service.names.resolve(given.model)
    decision = await _beside(service, lambda: service.router.route(given.state, questions or None, **options))
    return _decided(decision)


async def plan(service: Service, arguments: Mapping[str, Any], _caller: Caller) -> PlanResult:
    """Tell what a call would cost and cut."""
    given = read_arguments(PlanArguments, arguments)
    request = service.reader.system_one(_body(given)).requests[0]
    options = {name: request[name] for name in _PLANNED if name in request}
    planned = await _beside(
        service, lambda: plan_call(service.router, request["state"], request["questions"], **options)
    )
    routing = _decided(planned["routing"])
    return msgspec.convert({**keys_as_text(planned), "model": routing.model, "routing": routing}, PlanResult)


def _body(given: Struct) -> dict[str, Any]:
    """Arguments as the body of a request over HTTP, which goes through the same checks."""
    body = {name: value for name, value in msgspec.structs.asdict(given).items() if value is not None}
    if "truncation" in body:
        body["x_truncation"] = body.pop("truncation")
    return body


async def _one(
    service: Service, given: Any, name: str, question: Mapping[str, Any], caller: Caller
) -> SystemOneResponse:
    """Answer one question, whose id is the argument that errors about it should name."""
    body = {key: value for key, value in _body(given).items() if key in {"model", "lang", "x_truncation"}}
    asked = service.reader.system_one({**body, "state": given.text, "questions": {name: question}})
    return response_of(await _answered(service, asked, caller), warnings=asked.warnings)


async def _answered(service: Service, asked: Asked, caller: Caller) -> Mapping[str, Any]:
    """Have a request answered by the engine room, which merges it with those of others and runs off the event loop."""
    try:
        (result,) = await service.scheduler.submit(
            asked.requests,
            client=caller.client,
            deadline=service.settings.request_timeout,
            request_id=caller.request_id,
            windows={"max_windows": service.settings.max_windows} if asked.scan else None,
        )
    except Exception as exc:
        raise service.wire_error(exc) from exc
    if isinstance(result, Exception):
        raise service.wire_error(result) from result
    answered: dict[str, Any] = result
    if caller.call is not None:
        caller.call.states, caller.call.questions = 1, len(answered["answers"])
        caller.call.note([answered])
    return answered


async def _beside(service: Service, work: Callable[[], Any]) -> Any:
    """Run what needs no engine on a thread beside the event loop."""
    try:
        return await asyncio.to_thread(work)
    except Exception as exc:
        raise service.wire_error(exc) from exc


def _decided(decision: Mapping[str, Any]) -> RouteResult:
    # where a checkpoint comes from may be a folder of this machine, which is nobody's business
    return RouteResult(
        model=decision["model"],
        reason=decision["reason"],
        reason_code=decision["reason_code"],
        detection=decision["detection"],
        workflow=decision["workflow"],
    )


def _verdict(response: SystemOneResponse) -> dict[str, Any]:
    usage = response.x_usage
    cut = usage is not UNSET and bool(usage["truncated"])
    return {"model": response.model, "cut": cut, "warnings": response.x_warnings}


_TEXT: Final = {"state": "text"}
TOOLS: Final[Mapping[str, Tool]] = {
    "ask": Tool(
        "Ask questions",
        "Answers any number of typed questions about one state (a text, a JSON object or a list of turns) at once, "
        "with calibrated probabilities: choice picks an option, score a level, noul tells how probably a statement "
        "holds. Use it for several questions; check, classify and score are shorter for one.",
        AskArguments,
        SystemOneResponse,
        ask,
        {"x_truncation": "truncation"},
    ),
    "check": Tool(
        "Check yes or no",
        "Tells how probably a yes/no question about a text is to be answered with yes.",
        CheckArguments,
        CheckResult,
        check,
        {**_TEXT, "question": "question"},
    ),
    "classify": Tool(
        "Classify a text",
        "Picks the label that fits a text best, with a probability for each. Descriptions of the labels help.",
        ClassifyArguments,
        ClassifyResult,
        classify,
        {**_TEXT, "labels": "labels"},
    ),
    "score": Tool(
        "Score a text",
        "Places a text on an ordered scale whose levels are given in words, lowest first.",
        ScoreArguments,
        ScoreResult,
        score,
        {**_TEXT, "levels": "levels"},
    ),
    "route": Tool(
        "Route a request",
        "Tells which checkpoint would answer about a state and why, without loading or running it.",
        RouteArguments,
        RouteResult,
        route,
    ),
    "plan": Tool(
        "Plan a request",
        "Tells what questions about a state would cost in tokens, what would be cut and which options would read as "
        "equal, without answering them. Use it before asking about long texts or with many options.",
        PlanArguments,
        PlanResult,
        plan,
    ),
}
"""Name to tool. None of them changes anything."""
