"""The OpenAPI document, made from the structs that decode and encode the bodies."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Final

import msgspec

from laya.server.decisions import DecisionRequest, DecisionResponse
from laya.server.wire import (
    BatchRequest,
    BatchResponse,
    ChoiceQuestion,
    ErrorResponse,
    ModelList,
    NoulQuestion,
    ScoreQuestion,
    SystemOneRequest,
    SystemOneResponse,
)

_REF: Final = "#/components/schemas/{name}"
_STRUCTS: Final = (
    *(SystemOneRequest, BatchRequest, DecisionRequest, NoulQuestion, ChoiceQuestion, ScoreQuestion),
    *(SystemOneResponse, BatchResponse, DecisionResponse, ModelList, ErrorResponse),
)
_STATE: Final = "I was charged twice for my order, please send my money back."
_QUESTIONS: Final = {
    "refund": {"type": "noul", "instructions": "Is the customer asking for money back?"},
    "team": {
        "type": "choice",
        "instructions": "Which team should answer?",
        "criteria": {"billing": "invoices and payments", "tech": None},
    },
    "anger": {"type": "score", "instructions": "How angry is the customer?", "criteria": ["calm", "cross", "furious"]},
}
_ONE: Final = {"model": "jev-latest", "state": _STATE, "questions": _QUESTIONS}
_MANY: Final = {"model": "jev-latest", "states": [_STATE, "Thank you!"], "questions": _QUESTIONS}
_LIST: Final = {
    "model": "auto",
    "input": _STATE,
    "questions": [{"type": "predicate", "name": "refund", "instructions": "Is the customer asking for money back?"}],
}
_POSTS: Final = (
    ("/v1/systemone", "Ask questions about one state", "SystemOneRequest", "SystemOneResponse", _ONE),
    ("/v1/systemone/batch", "Ask the same questions about many states", "BatchRequest", "BatchResponse", _MANY),
    ("/v1/plan", "Tell what a request would cost and cut", "SystemOneRequest", None, _ONE),
)
_ID: Final = {
    "name": "X-Request-ID",
    "in": "header",
    "required": False,
    "description": "Comes back, and is in the log; up to 128 letters, digits and signs of ids, else a new one is made.",
    "schema": {"type": "string"},
}
_DEADLINE: Final = {
    "name": "X-Request-Timeout",
    "in": "header",
    "required": False,
    "description": "Seconds within which the answering has to begin.",
    "schema": {"type": "number", "exclusiveMinimum": 0},
}
_REFUSALS: Final = {
    "400": "The model is not known, or a header cannot be read.",
    "401": "A key is needed.",
    "403": "The host is not served.",
    "408": "The body came too slowly.",
    "413": "The body is too large.",
    "415": "The encoding of the body is not known.",
    "422": "The body was refused; every problem is named.",
    "429": "This client has too much waiting.",
    "500": "The request failed inside the server.",
    "503": "The server is shutting down.",
    "504": "The deadline passed.",
    "529": "The server is overloaded.",
}


def document(server_url: str = "/") -> dict[str, Any]:
    """The document.

    Args:
        server_url: where the routes are.
    """
    _, schemas = msgspec.json.schema_components(_STRUCTS, ref_template=_REF)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "laya",
            "version": version("laya-engine"),
            "description": "Typed decisions over the System One protocol.",
        },
        "servers": [{"url": server_url}],
        "paths": {
            **{
                path: {"post": _post(text, _ref(asks), _ref(answers) if answers else None, {"one": example})}
                for path, text, asks, answers, example in _POSTS
            },
            "/v1/decisions": {"post": _decisions()},
            "/v1/models": {"get": _get("List the models", _ref("ModelList"), secure=True)},
            "/health": {"get": _get("Tell that the process lives", {"type": "object"})},
            "/ready": {"get": _ready()},
        },
        "components": {"schemas": schemas, "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
    }


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": _REF.format(name=name)}


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _refusals() -> dict[str, Any]:
    return {
        status: {"description": text, "content": _json(_ref("ErrorResponse"))} for status, text in _REFUSALS.items()
    }


def _post(
    summary: str, asks: dict[str, Any], answers: dict[str, Any] | None, examples: dict[str, Any]
) -> dict[str, Any]:
    media = _json(asks)
    media["application/json"]["examples"] = {name: {"value": value} for name, value in examples.items()}
    return {
        "summary": summary,
        "security": [{"key": []}, {}],
        "parameters": [_ID] if answers is None else [_ID, _DEADLINE],  # a plan waits for nobody
        "requestBody": {"required": True, "content": media},
        "responses": {
            "200": {"description": "Answered.", "content": _json(answers or {"type": "object"})},
            **_refusals(),
        },
    }


def _decisions() -> dict[str, Any]:
    asks = {"anyOf": [_ref("SystemOneRequest"), _ref("DecisionRequest")]}
    answers = {"anyOf": [_ref("SystemOneResponse"), _ref("DecisionResponse")]}
    return _post("Ask in either dialect", asks, answers, {"state and a map": _ONE, "input and a list": _LIST})


def _get(summary: str, answers: dict[str, Any], *, secure: bool = False) -> dict[str, Any]:
    responses: dict[str, Any] = {"200": {"description": "Told.", "content": _json(answers)}}
    if not secure:
        return {"summary": summary, "responses": responses}
    responses["401"] = {"description": _REFUSALS["401"], "content": _json(_ref("ErrorResponse"))}
    return {"summary": summary, "security": [{"key": []}, {}], "responses": responses}


def _ready() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"status": {"type": "string"}}, "required": ["status"]}
    found = _get("Tell whether to send requests here", schema)
    found["responses"]["503"] = {"description": "Not now.", "content": _json(schema)}
    return found
