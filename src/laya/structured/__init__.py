"""Structured decisions: JSON Schema or pydantic in, validated values out."""

from laya.structured.decide import Runner, decide, decide_batch
from laya.structured.plan import Field, Plan
from laya.structured.result import DecisionResult
from laya.structured.schema import (
    MAX_OPTIONS,
    MAX_PROPERTIES,
    MAX_SCORE_LEVELS,
    plan_from_json_schema,
    questions_from_json_schema,
    questions_from_pydantic,
)
from laya.structured.values import answer_to_pydantic, answers_to_json

__all__ = [
    "MAX_OPTIONS",
    "MAX_PROPERTIES",
    "MAX_SCORE_LEVELS",
    "DecisionResult",
    "Field",
    "Plan",
    "Runner",
    "answer_to_pydantic",
    "answers_to_json",
    "decide",
    "decide_batch",
    "plan_from_json_schema",
    "questions_from_json_schema",
    "questions_from_pydantic",
]
