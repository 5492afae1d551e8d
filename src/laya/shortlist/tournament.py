"""Tournaments: choices with very many labels, decided by rounds of small groups."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from laya.shortlist.embed import check_count
from laya.shortlist.rank import check_result, choice_criteria, narrowed, predict_of
from laya.usage import combine_usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ID_PREFIX: Final = "laya.tournament"
"""Ids of the questions of an elimination round are `laya.tournament/<question id>/<round>/<group>`."""


@dataclass
class _Field:
    """A choice question whose labels compete: those left, and how many rounds it took."""

    definition: Mapping[str, Any]
    options: Mapping[Any, Any]
    left: list[Any] = field(default_factory=list)
    rounds: int = 0


def predict_tournament(
    agent: Any,
    state: Any,
    questions: Mapping[Any, Any],
    group_size: int = 16,
    *,
    seed: int = 0,
    **predict_kwargs: Any,
) -> dict[str, Any]:
    """Answer questions; a choice with more than `group_size` labels is first played out in rounds.

    Each round deals the labels that are left into groups of nearly equal size and asks all groups of all questions in
    one call; the winner of each group goes on. The deal depends on the labels and the seed, not on the order in which
    the labels were given. The last call asks every question, wide ones among their finalists, and makes the answers:
    their probabilities are those among the finalists.

    Hooks see each round as a call of its own; the ids of its questions start with `ID_PREFIX`.

    Args:
        agent: an Agent, a Router, or anything with the same `predict` (or `system_one`).
        state: what is judged.
        questions: question id to definition.
        group_size: most labels asked at a time.
        seed: deals the groups.
        predict_kwargs: passed to every `agent.predict`.

    Returns:
        The result of the last call with the `usage` of all calls, and under `tournament` for each choice question:
        finalist `labels`, `n` labels in all, elimination `rounds`.

    Raises:
        ArgumentError: `group_size` is not an int of at least 2, or labels are empty or repeated.
        ArgumentTypeError, QuestionError, QuestionTypeError: wrong criteria, questions or agent.
    """
    check_count("group_size", group_size, 2)
    predict = predict_of(agent)
    fields = {
        qid: _Field(questions[qid], options, list(options)) for qid, options in choice_criteria(questions).items()
    }
    usages: list[Mapping[str, Any]] = []
    while wide := {qid: f for qid, f in fields.items() if len(f.left) > group_size}:
        asked, owner = _pair_up(wide, group_size, seed)
        played = check_result(predict(state, asked, **predict_kwargs))
        for name, qid in owner.items():
            fields[qid].left.append(played["answers"][name]["choice"])
        usages.append(_renamed(played.get("usage", {}), owner))
    finals = dict(questions)
    for qid, entry in fields.items():
        if entry.rounds:
            finals[qid] = narrowed(entry.definition, {label: entry.options[label] for label in entry.left})
    result = check_result(predict(state, finals, **predict_kwargs))
    whole = {**result, "tournament": {qid: _entry(entry) for qid, entry in fields.items()}}
    if usages:
        whole["usage"] = combine_usage([*usages, result.get("usage", {})], same_questions=False)
    return whole


def _entry(entry: _Field) -> dict[str, Any]:
    return {"labels": entry.left, "n": len(entry.options), "rounds": entry.rounds}


def _pair_up(wide: Mapping[Any, _Field], group_size: int, seed: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Questions of the next round, and the question that each belongs to; empties the fields for the winners."""
    asked: dict[str, Any] = {}
    owner: dict[str, Any] = {}
    for qid, entry in wide.items():
        entry.rounds += 1
        groups = deal(entry.left, group_size, f"{seed}/{qid}/{entry.rounds}")
        entry.left = [group[0] for group in groups if len(group) == 1]  # nobody to play against
        for number, group in enumerate(group for group in groups if len(group) > 1):
            name = f"{ID_PREFIX}/{qid}/{entry.rounds}/{number}"
            owner[name] = qid
            asked[name] = narrowed(entry.definition, {label: entry.options[label] for label in group})
    return asked, owner


def _renamed(usage: Mapping[str, Any], owner: Mapping[str, Any]) -> dict[str, Any]:
    """Usage of a round under the callers' question ids."""
    return {
        **usage,
        "truncated_questions": [owner.get(name, name) for name in usage.get("truncated_questions", ())],
        "options": {owner.get(name, name): entry for name, entry in usage.get("options", {}).items()},
    }


def deal(labels: Sequence[Any], group_size: int, seed: str) -> list[list[Any]]:
    """Labels in groups of at most `group_size` whose sizes differ by at most one, by a shuffle that `seed` fixes."""
    shuffled = sorted(labels, key=lambda label: (type(label).__name__, str(label)))
    random.Random(seed).shuffle(shuffled)  # noqa: S311 - a fair deal, not a secret
    count = -(-len(shuffled) // group_size)
    return [shuffled[i::count] for i in range(count)]
