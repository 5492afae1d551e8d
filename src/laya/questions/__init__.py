"""Questions: definitions in, validated `laya.request.Question` values out."""

from __future__ import annotations

from laya.questions.key import content_key
from laya.questions.parse import parse_questions
from laya.questions.validate import QuestionWarning

__all__ = ["QuestionWarning", "content_key", "parse_questions"]
