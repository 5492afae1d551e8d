"""Answers that are not sure enough are marked, replaced or refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from laya.calibration import check_min_confidence, flag_low_confidence, resolve_min_confidence
from laya.errors import AbstentionError, ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from laya.hooks import PredictContext


@dataclass(frozen=True, slots=True)
class Abstained:
    """An answer below its threshold.

    Attributes:
        index: position of the state in the call.
        state: the state as the call read it.
        question: id of the question.
        answer: the answer, marked by the gate.
    """

    index: int
    state: Any
    question: str | int
    answer: Mapping[str, Any]


class ConfidenceGate:
    """The `min_confidence` argument as a hook, with something to do for answers below the threshold.

    Put it after hooks that change answers.

    Args:
        min_confidence: a number in [0, 1], or a map of bucket ("choice:3-5", ..., "default") to such numbers.
        on_abstain: None marks the answer; "raise" fails the call; a function of one `Abstained` returns the answer
            dict to give instead, or None to leave it marked.

    Raises:
        ArgumentError: `min_confidence` is None or no such value, or `on_abstain` is another text.
        ArgumentTypeError: `on_abstain` is of another kind, or (from a call) returned something that is no dict.
        AbstentionError: from a call, with `on_abstain="raise"`; names the question and the state.
    """

    def __init__(
        self,
        min_confidence: float | Mapping[str, float],
        *,
        on_abstain: Literal["raise"] | Callable[[Abstained], Mapping[str, Any] | None] | None = None,
    ) -> None:
        checked = check_min_confidence(min_confidence)
        if checked is None:
            raise ArgumentError("min_confidence must be a float in [0.0, 1.0], got None")
        self._min_confidence = checked
        if isinstance(on_abstain, str) and on_abstain != "raise":
            raise ArgumentError(f"on_abstain must be None, 'raise' or a function, got {on_abstain!r}")
        if on_abstain is not None and not isinstance(on_abstain, str) and not callable(on_abstain):
            raise ArgumentTypeError(f"on_abstain must be None, 'raise' or a function, got {on_abstain!r}")
        self._on_abstain = on_abstain

    def on_predict_end(self, ctx: PredictContext) -> None:
        """Gate the answers, and treat those that abstain."""
        if ctx.error is not None or not ctx.results:
            return
        for index, result in enumerate(ctx.results):
            for question, answer in result["answers"].items():
                if isinstance(answer, dict) and self._abstains(answer) and self._on_abstain is not None:
                    found = Abstained(index, ctx.states[index], question, answer)
                    result["answers"][question] = self._treated(found)

    def _abstains(self, answer: dict[str, Any]) -> bool:
        flag_low_confidence(answer, resolve_min_confidence(self._min_confidence, answer))
        return "low_confidence" in answer

    def _treated(self, found: Abstained) -> Mapping[str, Any]:
        if self._on_abstain is None or self._on_abstain == "raise":
            threshold = found.answer["abstention_threshold"]
            raise AbstentionError(
                f"question {found.question!r}, state {found.index}: the answer is less sure than {threshold:g}; "
                "ask a person, or lower min_confidence",
                question=found.question,
                index=found.index,
            )
        answer = self._on_abstain(found)
        if answer is None:
            return found.answer
        if not isinstance(answer, dict):
            raise ArgumentTypeError(
                f"on_abstain returned {type(answer).__name__} for question {found.question!r}; "
                "return an answer dict, or None to leave the answer",
                question=found.question,
                index=found.index,
            )
        return answer
