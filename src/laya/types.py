"""The plain dicts that callers give and get, typed.

Results are ordinary dicts (JSON-ready but for non-string choice labels); these TypedDicts only describe them.
Probabilities and scores are full-precision floats: rounding is for display.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

State: TypeAlias = "str | int | float | bool | Mapping[str, Any] | Sequence[Any]"
"""What is judged: a text, any JSON value, or a list of conversation turns."""

Questions: TypeAlias = Mapping[Any, Mapping[str, Any]]
"""Question id (str or int) to definition: `type`, `instructions`, `criteria`, optional `option_order` and `labels`."""

Label: TypeAlias = "str | int | float | bool"


class Action(TypedDict):
    """Output of the checkpoint's action head."""

    act_probability: float


class _Answer(TypedDict):
    confidence: float
    answer_confidence: float
    action: Action
    abstention: NotRequired[Literal["passed", "abstained", "unevaluated"]]
    abstention_threshold: NotRequired[float]
    low_confidence: NotRequired[Literal[True]]
    reliability: NotRequired[dict[str, Any]]


class ChoiceAnswer(_Answer):
    """`choice` is the most probable label; `confidence` is one minus the normalised entropy."""

    type: Literal["choice"]
    choice: Label
    probabilities: dict[Any, float]


class ScoreAnswer(_Answer):
    """`score` is the expected level; `legend` names the levels; `confidence` as for a choice."""

    type: Literal["score"]
    score: float
    legend: dict[str, str]
    probabilities: dict[str, float]


class NoulAnswer(_Answer):
    """`noul` is the probability that the statement is true; `confidence` is max(noul, 1 - noul)."""

    type: Literal["noul"]
    noul: float


Answer: TypeAlias = "ChoiceAnswer | ScoreAnswer | NoulAnswer"


class OptionUsage(TypedDict):
    """Reported for a question whose options became equal after cuts."""

    total: int
    distinct: int
    tokens_per_option: int | None


class Usage(TypedDict):
    """What was read and what was cut; the same keys in every result.

    `input_tokens` counts the tokens the encoder read for this state; `state_tokens` the whole state;
    the three `*_dropped` counts say what did not fit; `windows` is the number of passes over the state (0 when none).
    """

    input_tokens: int
    output_tokens: int
    state_tokens: int
    state_tokens_dropped: int
    instruction_tokens_dropped: int
    option_tokens_dropped: int
    truncated: bool
    truncated_questions: list[Any]
    options: dict[Any, OptionUsage]
    windows: int


class Result(TypedDict):
    """Answers to all questions about one state; `model` names the checkpoint that answered."""

    model: str
    answers: dict[Any, Answer]
    usage: Usage
    routing: NotRequired[dict[str, Any]]
