"""Answers as the values of a schema."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laya.errors import AbstentionError, HookResultError
from laya.structured.plan import NULL_LABEL, Field, Plan
from laya.structured.schema import plan_from_json_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

_ABSTAINED = object()


@dataclass(frozen=True, slots=True)
class Outcome:
    """Values read from answers.

    Attributes:
        values: what is known, as the schema nests it.
        abstained: ids of the fields that were not answered, or less surely than asked for.
        missing: those of them that the schema requires and that cannot be null, so they are not in `values`.
    """

    values: dict[str, Any]
    abstained: tuple[str, ...]
    missing: tuple[str, ...]


def answers_to_json(answers: Mapping[Any, Mapping[str, Any]], schema: Any) -> dict[str, Any]:
    """Values of a schema from the answers to its questions.

    Args:
        answers: question id to answer, from a result.
        schema: the schema the questions came from: a dict, a pydantic v2 model class or a plan.

    Raises:
        SchemaError: the schema cannot be asked.
        AbstentionError: a required field that cannot be null has no answer, or one that is marked `low_confidence`.
        HookResultError: an answer is not one that its question can have.
    """
    outcome = read_values(plan_from_json_schema(schema), answers)
    check_complete(outcome)
    return outcome.values


def answer_to_pydantic(model: type, answers: Mapping[Any, Mapping[str, Any]]) -> Any:
    """Instance of a pydantic model from the answers to its questions; errors as `answers_to_json`."""
    return instance_of(model, answers_to_json(answers, model))


def instance_of(model: Any, values: Mapping[str, Any]) -> Any:
    """Instance of a pydantic v2 model class.

    Raises:
        pydantic.ValidationError: a validator of the model refuses the values.
    """
    # As JSON, so that strict models, enums and sets take what a schema can write.
    return model.model_validate_json(json.dumps(values))


def check_complete(outcome: Outcome, index: int | None = None) -> None:
    """Refuse an outcome that lacks a required value.

    Raises:
        AbstentionError: names every field that is missing.
    """
    if outcome.missing:
        state = "" if index is None else f"state {index}: "
        raise AbstentionError(
            f"{state}no sure answer for {', '.join(map(repr, outcome.missing))}, which the schema requires and which "
            "cannot be null; pass return_details=True to get the rest, make the field nullable or optional, or lower "
            "min_confidence",
            path=outcome.missing[0],
            index=index,
        )


def read_values(plan: Plan, answers: Mapping[Any, Mapping[str, Any]]) -> Outcome:
    """Values of a plan's fields.

    An abstained field is null where it may be, left out where it is not required, and missing otherwise.

    Raises:
        HookResultError: an answer is not one that its question can have.
    """
    values: dict[str, Any] = {}
    abstained: list[str] = []
    missing: list[str] = []
    absent: list[tuple[str, ...]] = []
    for field in plan.fields:
        if any(field.keys[: len(keys)] == keys for keys in absent):
            continue
        parent = _parent(values, field.keys)
        value = _read(field, answers)
        if value is _ABSTAINED:
            abstained.append(field.id)
            if not field.nullable and not field.omittable:
                missing.append(field.id)
        if field.kind == "presence":
            if value is not True:
                absent.append(field.keys)
                parent[field.keys[-1]] = None
        elif value is not _ABSTAINED:
            parent[field.keys[-1]] = value
        elif field.nullable:
            parent[field.keys[-1]] = None
    return Outcome(values, tuple(abstained), tuple(missing))


def _parent(values: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    for key in keys[:-1]:
        values = values.setdefault(key, {})
    return values


def _read(field: Field, answers: Mapping[Any, Mapping[str, Any]]) -> Any:
    if any(qid not in answers or answers[qid].get("low_confidence") for qid in field.questions):
        return _ABSTAINED
    if field.kind == "many":
        return _read_many(field, answers)
    answer = answers[field.id]
    if field.kind in {"noul", "presence"}:
        return truth(answer, field.id) >= 0.5
    return _read_score(field, answer) if field.kind == "score" else _read_choice(field, answer)


def truth(answer: Mapping[str, Any], qid: str) -> float:
    """Probability that a yes/no question holds.

    Raises:
        HookResultError: the answer has none.
    """
    value = answer.get("noul")
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise HookResultError(
            f"question {qid!r}: its answer must have 'noul', a number in [0, 1], got {value!r}; "
            "a hook or a cache returned something else",
            question=qid,
        )
    return float(value)


def _read_choice(field: Field, answer: Mapping[str, Any]) -> Any:
    label = answer.get("choice")
    if label not in field.labels:
        raise HookResultError(
            f"question {field.id!r}: the answer {label!r} is not one of its labels {list(field.labels)}; "
            "a hook or a cache returned something else",
            question=field.id,
        )
    value = field.values[field.labels.index(label)]
    if value is None or not field.continuous:
        return value
    probabilities = answer.get("probabilities") or {}
    weights = [probabilities.get(name, 0.0) for name in field.labels[:-1]]
    return _expected(field.values[:-1], weights) if sum(weights) > 0 else value


def _read_score(field: Field, answer: Mapping[str, Any]) -> Any:
    probabilities = answer.get("probabilities")
    if probabilities:
        weights = [probabilities.get(str(level), 0.0) for level in range(len(field.values))]
        if field.continuous:
            return _expected(field.values, weights)
        return field.values[weights.index(max(weights))]
    level = answer.get("score")
    if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 <= level <= len(field.values) - 1:
        raise HookResultError(
            f"question {field.id!r}: its answer must have 'score', a level from 0 to {len(field.values) - 1}, "
            f"got {level!r}; a hook or a cache returned something else",
            question=field.id,
        )
    return field.values[0] + level if field.continuous else field.values[round(level)]


def _expected(values: tuple[Any, ...], weights: list[float]) -> float:
    mean = sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)
    return float(min(values[-1], max(values[0], mean)))


def _read_many(field: Field, answers: Mapping[Any, Mapping[str, Any]]) -> list[Any] | None:
    if field.nullable:
        qid = field.item_id(NULL_LABEL)
        if truth(answers[qid], qid) >= 0.5:
            return None
    sure = [truth(answers[field.item_id(label)], field.item_id(label)) for label in field.labels]
    least, most = field.sizes
    ranked = sorted(range(len(sure)), key=lambda i: -sure[i])
    count = min(most, max(least, sum(p >= 0.5 for p in sure)))
    return [field.values[i] for i in sorted(ranked[:count])]
