"""Examples as numbers of their texts, read as the engine reads a request."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from laya.encoding.reader_denials import affirmed
from laya.encoding.reader_texts import as_asked, question_texts
from laya.questions import parse_questions
from laya.request import TYPE_INDEX
from laya.state import render_state
from training.examples import Asked

if TYPE_CHECKING:
    from laya.request import Question
    from training.examples import Example


@dataclass(slots=True)
class Texts:
    """Numbers of distinct texts, in the order in which they were first met."""

    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """The number of a text; a new one gets the next number."""
        return self.numbers.setdefault(text, len(self.numbers))


def number_example(example: Example, texts: Texts) -> Asked:
    """Read an example as the engine would, and number its texts.

    Raises:
        laya.errors.QuestionError: the question is not valid.
    """
    (given,) = parse_questions({"q": example.question})
    question, target = as_asked(given), tuple(example.target)
    if question is not given:
        target = tuple(target[given.order[question.order.index(side)]] for side in (0, 1))
    if question.type == "noul":
        options = [texts.number(side) if side else -1 for side in question.descriptions]
    else:
        written = question_texts(question)
        options = [texts.number(written[question.order.index(i)]) for i in range(question.k)]
    return Asked(
        kind=TYPE_INDEX[question.type],
        state=texts.number(render_state(example.state, 0)),
        instructions=texts.number(question.instructions),
        options=tuple(options),
        target=target,
        task=example.task,
        family=example.family,
        lang=example.lang,
        turned=_turned(example, question) if question.type == "noul" else None,
    )


def _turned(example: Example, question: Question) -> bool | None:
    """Whether words that are left in the instructions turn the question round, if that is known."""
    written = example.question["instructions"]
    turned: bool | None = getattr(written, "turned", None)
    if question.instructions == written or turned is None:
        return turned
    return False if turned is affirmed(written)[1] else None
