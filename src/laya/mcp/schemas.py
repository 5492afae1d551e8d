"""Arguments and results of the tools, as msgspec structs, and the JSON Schemas that clients see of them."""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from laya.server.wire import ChoiceQuestion, Name, NoulQuestion, ScoreQuestion, Share, State, Tokens, Truncation

_QUESTIONS: Final = (NoulQuestion, ChoiceQuestion, ScoreQuestion)

Text = Annotated[str, Meta(min_length=1, description="The text that is judged.")]
Questions = Annotated[
    dict[str, Any],
    Meta(
        min_length=1,
        description="Question id to question; the ids come back with the answers and are never read.",
        extra_json_schema={
            "additionalProperties": {"oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in _QUESTIONS]}
        },
    ),
]
Model = Annotated[Name, Meta(description="A checkpoint of laya://models; leave it out to have it chosen.")]
Lang = Annotated[str, Meta(description="Language code of the text, where it is known.")]
Task = Annotated[str, Meta(description="Kind of work to choose a checkpoint by.")]
Cuts = Annotated[
    Truncation, Meta(description="A text that is too long is cut and reported, refused, or read in windows.")
]
Instructions = Annotated[str, Meta(min_length=1, description="What the options are about, as a question.")]


class Options(Struct, kw_only=True, forbid_unknown_fields=True):
    """Options of every tool that answers; each may be absent or null."""

    model: Model | None = None
    lang: Lang | None = None
    truncation: Cuts | None = None


class AskArguments(Options, kw_only=True):
    """Any questions about one state."""

    state: State
    questions: Questions
    task: Task | None = None
    lang_guess: str | None = None
    max_len: Tokens | None = None
    head_max_len: Tokens | None = None
    min_confidence: Share | dict[str, Share] | None = None


class CheckArguments(Options, kw_only=True):
    """One yes/no question."""

    text: Text
    question: Annotated[str, Meta(min_length=1, description="A yes/no question about the text, or a statement.")]


class ClassifyArguments(Options, kw_only=True):
    """One choice."""

    text: Text
    labels: Annotated[
        Annotated[list[Name], Meta(min_length=1)] | Annotated[dict[Name, str | None], Meta(min_length=1)],
        Meta(description="The labels; or an object of label to a description of it, or null."),
    ]
    instructions: Instructions | None = None


class ScoreArguments(Options, kw_only=True):
    """One level of a scale."""

    text: Text
    levels: Annotated[list[Name], Meta(min_length=1, description="The levels in words, lowest first.")]
    instructions: Instructions | None = None


class RouteArguments(Struct, kw_only=True, forbid_unknown_fields=True):
    """What decides which checkpoint answers."""

    state: State
    questions: Questions | None = None
    model: Model | None = None
    task: Task | None = None
    lang: Lang | None = None
    lang_guess: str | None = None


class PlanArguments(RouteArguments, kw_only=True):
    """A call that is not made."""

    questions: Questions
    max_len: Tokens | None = None
    head_max_len: Tokens | None = None


class Verdict(Struct, omit_defaults=True, kw_only=True):
    """What the results of the small tools share.

    `cut` says that not all of the text was read.
    """

    model: str
    cut: bool
    warnings: list[str] | UnsetType = UNSET


class CheckResult(Verdict, kw_only=True):
    """`probability` that the answer is yes, and whether that is at least one half."""

    holds: bool
    probability: Share


class ClassifyResult(Verdict, kw_only=True):
    """The most probable label; `confidence` is its lead over a uniform guess."""

    label: str
    confidence: Share
    probabilities: dict[str, Share]


class LevelProbability(Struct):
    """One level and its probability."""

    level: str
    probability: Share


class ScoreResult(Verdict, kw_only=True):
    """The expected level as a number, the lowest being 0, and the most probable one in words."""

    score: float
    level: str
    confidence: Share
    probabilities: list[LevelProbability]


class RouteResult(Struct, kw_only=True):
    """The checkpoint that would answer, and the rule that decided."""

    model: str
    reason: str
    reason_code: str
    detection: dict[str, Any] | None
    workflow: str | None


class QuestionCost(Struct, kw_only=True):
    """What one question costs and loses, in tokens; fewer distinct options than options read as equal."""

    type: str
    tokens: int
    state_tokens_read: int
    state_tokens_dropped: int
    instruction_tokens_dropped: int
    option_tokens_dropped: int
    options: int
    options_distinct: int
    tokens_per_option: int | None


class PlanResult(Struct, kw_only=True):
    """What a call would read; it `fits` when nothing is cut and all options stay distinct.

    `kept` says which end of a state is kept when it is cut, and `state_room` how many of its tokens fit.
    """

    model: str
    max_len: int
    head_max_len: int
    fits: bool
    state_room: int
    kept: str
    questions: dict[str, QuestionCost]
    usage: dict[str, Any]
    routing: RouteResult


_ASKING: Final = (AskArguments, RouteArguments, PlanArguments)
"""Structs whose schema refers to those of the questions."""


def schema_of(kind: type[Struct]) -> dict[str, Any]:
    """The JSON Schema of a struct, an object at its root as the protocol wants it."""
    kinds = (kind, *_QUESTIONS) if kind in _ASKING else (kind,)
    _, found = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    root = found.pop(kind.__name__)
    return {**root, "$defs": found} if found else root
