"""What travels: requests and responses of the System One protocol, as msgspec structs.

The same structs decode bodies, encode answers and make the OpenAPI document. Fields of ours that the protocol does not
have begin with `x_` in responses; in requests the unprefixed controls are those of the registry's own server.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

Text = Annotated[
    Any,
    Meta(description="Text, or a JSON object or array that is read as text.", extra_json_schema={
        "anyOf": [{"type": "string"}, {"type": "object"}, {"type": "array"}]
    }),
]  # fmt: skip
Name = Annotated[str, Meta(min_length=1)]
Tokens = Annotated[int, Meta(ge=1)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Truncation = Literal["allow", "error", "scan"]


class NoulQuestion(Struct, tag_field="type", tag="noul"):
    """A yes/no question: the probability that a statement holds. It needs instructions, criteria or both."""

    instructions: Text | None = None
    criteria: dict[Literal["true", "false"], Text | None] | None = None
    labels: dict[Literal["true", "false"], str] | None = None


class ChoiceQuestion(Struct, tag_field="type", tag="choice"):
    """One of several options, each a label with a description or null."""

    criteria: Annotated[dict[Name, Text | None], Meta(min_length=1)]
    instructions: Text | None = None
    option_order: list[int] | None = None


class ScoreQuestion(Struct, tag_field="type", tag="score"):
    """A level of an ordered scale, lowest first."""

    criteria: Annotated[list[Text], Meta(min_length=1)]
    instructions: Text | None = None
    option_order: list[int] | None = None


QuestionMap = Annotated[
    dict[str, Any],
    Meta(
        min_length=1,
        description="Question id to question. The model never reads the ids.",
        extra_json_schema={
            "propertyNames": {"minLength": 1, "pattern": "\\S"},
            "additionalProperties": {
                "oneOf": [
                    {"$ref": f"#/components/schemas/{kind}"}
                    for kind in ("NoulQuestion", "ChoiceQuestion", "ScoreQuestion")
                ]
            },
        },
    ),
]
State = Annotated[
    str | dict[str, Any] | list[Any], Meta(description="What is judged: a text, an object, or a list of turns.")
]


class Controls(Struct, kw_only=True):
    """Options of a request; each may be absent or null."""

    model: Name | None = None
    task: str | None = None
    lang: str | None = None
    lang_guess: str | None = None
    max_len: Tokens | None = None
    head_max_len: Tokens | None = None
    min_confidence: Share | dict[str, Share] | None = None
    x_truncation: Truncation | None = None


class SystemOneRequest(Controls, kw_only=True):
    """Questions about one state."""

    state: State
    questions: QuestionMap
    assets: None = None


class BatchRequest(Controls, kw_only=True):
    """The same questions about many states."""

    states: Annotated[list[State], Meta(min_length=1)]
    questions: QuestionMap
    batch_size: Tokens | None = None
    sort_by_length: bool | None = None


class Extras(Struct, omit_defaults=True, kw_only=True):
    """What we add to every answer; written after the fields of the protocol."""

    x_entropy_confidence: float | UnsetType = UNSET
    x_answer_confidence: float | UnsetType = UNSET
    x_act_probability: float | UnsetType = UNSET
    x_abstention: str | UnsetType = UNSET
    x_abstention_threshold: float | UnsetType = UNSET
    x_low_confidence: bool | UnsetType = UNSET
    x_reliability: dict[str, Any] | UnsetType = UNSET
    x_window: dict[str, Any] | UnsetType = UNSET


class NoulAnswer(Extras, tag_field="type", tag="noul"):
    """Probability that the statement holds."""

    noul: Share


class ChoiceAnswer(Extras, tag_field="type", tag="choice"):
    """The most probable option; `confidence` is its lead over a uniform guess."""

    choice: str
    confidence: Share
    probabilities: dict[str, Share]


class ScoreAnswer(Extras, tag_field="type", tag="score"):
    """The expected level; `confidence` is how narrowly the probabilities lie around the most probable level."""

    score: float
    confidence: Share
    legend: dict[str, str]
    probabilities: dict[str, Share]


Answer = NoulAnswer | ChoiceAnswer | ScoreAnswer


class Usage(Struct):
    """Tokens read and written."""

    input_tokens: int
    output_tokens: int


class SystemOneResponse(Struct, omit_defaults=True, kw_only=True):
    """Answers about one state; `model` is the checkpoint that answered, by the name that requests take."""

    model: str
    answers: dict[str, Answer]
    usage: Usage
    x_checkpoint: str | UnsetType = UNSET
    x_usage: dict[str, Any] | UnsetType = UNSET
    x_routing: dict[str, Any] | UnsetType = UNSET
    x_warnings: list[str] | UnsetType = UNSET


class BatchResponse(Struct):
    """One result per state, in the order of the states."""

    results: list[SystemOneResponse]
    total_usage: Usage


class ModelInfo(Struct, omit_defaults=True, kw_only=True):
    """A checkpoint that requests can name."""

    name: str
    description: str
    release_date: str
    x_aliases: list[str]
    x_loaded: bool
    x_languages: list[str]
    x_inputs: list[str]
    x_limits: dict[str, int]
    x_calibration: dict[str, Any] | UnsetType = UNSET


class ModelList(Struct):
    """What can be asked."""

    models: list[ModelInfo]


class FieldProblem(Struct):
    """One thing that is wrong with a body."""

    loc: list[str | int]
    msg: str
    type: str


class ErrorDetail(Struct):
    """An error that is not about the body."""

    error_type: str
    message: str


class ErrorInfo(Struct):
    """The same error for clients that look for `error`, with the id under which the log has it."""

    code: str
    type: str
    message: str
    path: str | None
    param: str | None
    request_id: str


class ErrorResponse(Struct):
    """Any error: `detail` is a list for a body that was refused (422), an object otherwise."""

    detail: list[FieldProblem] | ErrorDetail
    error: ErrorInfo
