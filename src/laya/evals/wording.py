"""How far answers change with the wording of a question: the same rows, asked in other words.

A flip is a row whose answer is not that of the first wording. Labels are rewritten in ways that keep their meaning;
yes/no questions are put as a question, a statement and an order, and as a choice between two words for yes and no.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laya.evals.kept import BOOLEAN
from laya.evals.tasks import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from laya.evals.rows import Task
    from laya.evals.run import Answerer

    Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]

INSTRUCTIONS: Final = ("What is this about?", "Pick the label that fits the message.", "Classify the intent.", "Label?")
STYLES: Final[dict[str, Callable[[str], str]]] = {
    "in words": spoken,
    "in capitals": lambda label: spoken(label).upper(),
    "as a phrase": lambda label: f"the user wants: {spoken(label)}",
}
ABOUT: Final = (
    "The text is about {}.",
    "Decide whether the message concerns {}.",
    "{}?",
    "Does it have to do with {}?",
)
BOOLEANS: Final = (("yes", "no"), ("true", "false"), ("it does", "it does not"))


@dataclass(frozen=True, slots=True)
class Flips:
    """Answers to one task in several wordings.

    Attributes:
        task: name of the task.
        change: what was reworded.
        rows: rows times wordings.
        flipped: share of them whose answer changed.
    """

    task: str
    change: str
    rows: int
    flipped: float


def flip_rates(agent: Answerer, tasks: Sequence[Task]) -> list[Flips]:
    """Flips of every choice between named labels and every "is this about" task; other tasks are left out."""
    found = []
    for task in tasks:
        if task.kind == "choice" and not task.name.startswith("xsid") and not task.name.endswith(BOOLEAN):
            found += [_instructions(agent, task), _labels(agent, task)]
        elif task.name.endswith(" yes/no"):
            found += [_statements(agent, task), _boolean_labels(agent, task)]
    return found


def _answers(agent: Answerer, task: Task, ask: Ask) -> list[Any]:
    read = []
    for row in task.rows:
        (result,) = agent.predict_batch([row.state], {"q": ask(row.question)})
        answer = result["answers"]["q"]
        read.append(answer["choice"] if answer["type"] == "choice" else answer["noul"] >= 0.5)
    return read


def _flips(task: Task, change: str, first: Sequence[Any], others: Sequence[Sequence[Any]]) -> Flips:
    pairs = [(a, b) for other in others for a, b in zip(first, other, strict=True)]
    return Flips(task.name, change, len(pairs), sum(a != b for a, b in pairs) / max(1, len(pairs)))


def _instructions(agent: Answerer, task: Task) -> Flips:
    first = _answers(agent, task, dict)
    others = [_answers(agent, task, _changed(instructions=_always(words))) for words in INSTRUCTIONS]
    return _flips(task, "instructions", first, others)


def _labels(agent: Answerer, task: Task) -> Flips:
    def index(style: Callable[[str], str]) -> list[Any]:
        chosen = _answers(agent, task, _changed(criteria=lambda q: [style(label) for label in q["criteria"]]))
        offered = [[style(label) for label in row.question["criteria"]] for row in task.rows]
        return [labels.index(label) for labels, label in zip(offered, chosen, strict=True)]

    return _flips(task, "labels", index(str), [index(style) for style in STYLES.values()])


def _statements(agent: Answerer, task: Task) -> Flips:
    first = _answers(agent, task, dict)
    others = [_answers(agent, task, _changed(instructions=_about(words))) for words in ABOUT]
    return _flips(task, "statement", first, others)


def _boolean_labels(agent: Answerer, task: Task) -> Flips:
    first = _answers(agent, task, dict)
    others = []
    for pair in BOOLEANS:
        asked = _answers(agent, task, _changed(type=_always("choice"), criteria=_always(list(pair))))
        others.append([label == pair[0] for label in asked])
    return _flips(task, "yes/no as labels", first, others)


def _changed(**changes: Callable[[Mapping[str, Any]], Any]) -> Ask:
    """A question with some values made anew from it."""
    return lambda question: {**question, **{key: change(question) for key, change in changes.items()}}


def _always(value: Any) -> Callable[[Mapping[str, Any]], Any]:
    return lambda _: value


def _about(words: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda question: words.format(_topic(question))


def _topic(question: Mapping[str, Any]) -> str:
    return str(question["instructions"]).removeprefix("Is this about ").removesuffix("?")
