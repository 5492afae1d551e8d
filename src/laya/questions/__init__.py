"""Questions: definitions in, validated `laya.request.Question` values out."""

from __future__ import annotations

from laya.questions.parse import parse_questions
from laya.questions.validate import QuestionWarning

__all__ = ["QuestionWarning", "parse_questions"]
