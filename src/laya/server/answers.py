"""From results of the engine to answers on the wire, with the confidence that the protocol defines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from laya import jev_confidence
from laya.server.models import public_source
from laya.server.wire import (
    Answer,
    BatchResponse,
    ChoiceAnswer,
    NoulAnswer,
    ScoreAnswer,
    SystemOneResponse,
    Usage,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def response_of(result: Mapping[str, Any], *, strict: bool = False, warnings: Sequence[str] = ()) -> SystemOneResponse:
    """A result as the protocol writes it.

    Args:
        result: what the Router returned.
        strict: leave out everything that the protocol does not have.
        warnings: sentences for the client.
    """
    routing = result.get("routing") or {}
    usage = result["usage"]
    response = SystemOneResponse(
        model=str(routing.get("model") or result["model"]),
        answers={key_of(name): answer_of(answer, strict=strict) for name, answer in result["answers"].items()},
        usage=Usage(usage["input_tokens"], usage["output_tokens"]),
    )
    if not strict:
        response.x_checkpoint = public_source(str(result["model"])) or UNSET
        response.x_usage = keys_as_text(usage)
        response.x_routing = {key: value for key, value in routing.items() if key != "repo"} or UNSET
        response.x_warnings = list(warnings) or UNSET
    return response


def batch_of(
    results: Sequence[Mapping[str, Any]], *, strict: bool = False, warnings: Sequence[str] = ()
) -> BatchResponse:
    """Results about many states as one response; see `response_of`."""
    responses = [response_of(result, strict=strict, warnings=warnings) for result in results]
    total = Usage(
        sum(response.usage.input_tokens for response in responses),
        sum(response.usage.output_tokens for response in responses),
    )
    return BatchResponse(responses, total)


def answer_of(answer: Mapping[str, Any], *, strict: bool = False) -> Answer:
    """One answer; `confidence` is that of the protocol, the engine's own are under `x_`."""
    extras = {} if strict else _extras(answer)
    kind = answer["type"]
    if kind == "noul":
        return NoulAnswer(answer["noul"], **extras)
    probabilities = {key_of(label): p for label, p in answer["probabilities"].items()}
    confidence = min(1.0, max(0.0, jev_confidence(answer) or 0.0))
    if not strict:
        extras["x_entropy_confidence"] = answer["confidence"]
    if kind == "score":
        return ScoreAnswer(answer["score"], confidence, dict(answer["legend"]), probabilities, **extras)
    return ChoiceAnswer(key_of(answer["choice"]), confidence, probabilities, **extras)


def key_of(label: Any) -> str:
    """A label or question id as a key of a JSON object."""
    return label if isinstance(label, str) else json.dumps(label)


def _extras(answer: Mapping[str, Any]) -> dict[str, Any]:
    found = {
        "x_answer_confidence": answer.get("answer_confidence"),
        "x_act_probability": (answer.get("action") or {}).get("act_probability"),
        **{f"x_{key}": answer.get(key) for key in _OPTIONAL},
    }
    return {key: value for key, value in found.items() if value is not None}


_OPTIONAL = ("abstention", "abstention_threshold", "low_confidence", "reliability", "window")


def keys_as_text(value: Any) -> Any:
    """A value with every key as JSON writes it."""
    if isinstance(value, dict):
        return {key_of(key): keys_as_text(item) for key, item in value.items()}
    return value
