"""A decision with everything that is known about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from laya.structured.values import Outcome, instance_of, truth

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laya.structured.plan import Field, Plan

T = TypeVar("T")


@dataclass(frozen=True)
class DecisionResult(Generic[T]):
    """Values of one state, how sure they are, and where they come from.

    All mappings are keyed by field id: the dotted path, such as "address.country".

    Attributes:
        values: a dict, or an instance of the pydantic class that was passed; the raw answers for `questions=`. Where
            `missing` is not empty it is always a dict, and lacks those fields.
        confidence: confidence of each answer; None where an answer has none. Of an array, that of its least sure item.
        probabilities: label to probability; of an array, label to the probability that it is included.
        answers: the raw answers, by question id.
        usage: what was read.
        routing: the routing decision, from a Router.
        answer_confidence: calibrated confidence of each answer, or None.
        abstained: ids of the fields that were not answered, or less surely than `min_confidence`.
        missing: those of them that the schema requires and that cannot be null.
    """

    values: T
    confidence: dict[str, float | None]
    probabilities: dict[str, dict[Any, float]]
    answers: dict[Any, Any]
    usage: Mapping[str, Any]
    routing: Mapping[str, Any] | None
    answer_confidence: dict[str, float | None]
    abstained: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every required value is there."""
        return not self.missing


def build_result(plan: Plan, outcome: Outcome, result: Mapping[str, Any]) -> DecisionResult[Any]:
    """Decision of one result of a runner, read with a plan."""
    answers = result["answers"]
    values: Any = outcome.values
    if plan.model is not None and not outcome.missing:
        values = instance_of(plan.model, outcome.values)
    fields = [field for field in plan.fields if any(qid in answers for qid in field.questions)]
    return DecisionResult(
        values=values,
        confidence={field.id: _least(field, answers, "confidence") for field in fields},
        probabilities={field.id: _probabilities(field, answers) for field in fields},
        answers=answers,
        usage=result.get("usage", {}),
        routing=result.get("routing"),
        answer_confidence={field.id: _least(field, answers, "answer_confidence") for field in fields},
        abstained=outcome.abstained,
        missing=outcome.missing,
    )


def build_raw_result(result: Mapping[str, Any]) -> DecisionResult[dict[Any, Any]]:
    """Decision whose values are the raw answers."""
    answers = result["answers"]
    return DecisionResult(
        values=answers,
        confidence={qid: _number(answer, "confidence") for qid, answer in answers.items()},
        probabilities={qid: _raw_probabilities(answer) for qid, answer in answers.items()},
        answers=answers,
        usage=result.get("usage", {}),
        routing=result.get("routing"),
        answer_confidence={qid: _number(answer, "answer_confidence") for qid, answer in answers.items()},
        abstained=tuple(qid for qid, answer in answers.items() if answer.get("low_confidence")),
    )


def _least(field: Field, answers: Mapping[Any, Mapping[str, Any]], key: str) -> float | None:
    numbers = [_number(answers[qid], key) for qid in field.questions if qid in answers]
    known = [number for number in numbers if number is not None]
    return min(known) if known and len(known) == len(numbers) else None


def _number(answer: Mapping[str, Any], key: str) -> float | None:
    value = answer.get(key)
    return None if isinstance(value, bool) or not isinstance(value, (int, float)) else float(value)


def _probabilities(field: Field, answers: Mapping[Any, Mapping[str, Any]]) -> dict[Any, float]:
    if field.kind == "many":
        asked = {label: field.item_id(label) for label in field.labels}
        return {label: truth(answers[qid], qid) for label, qid in asked.items() if qid in answers}
    found = _raw_probabilities(answers[field.id])
    if field.kind == "score":  # by the value of a level, not by its number
        return {label: found[str(level)] for level, label in enumerate(field.labels) if str(level) in found}
    return found


def _raw_probabilities(answer: Mapping[str, Any]) -> dict[Any, float]:
    if answer.get("type") == "noul" and isinstance(answer.get("noul"), (int, float)):
        return {"false": 1.0 - answer["noul"], "true": float(answer["noul"])}
    return dict(answer.get("probabilities") or {})
