"""Shortlists: of many options, the few that are nearest to the state by embedding."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from laya.errors import ArgumentError, ArgumentTypeError, QuestionError, QuestionTypeError, StateError
from laya.shortlist.embed import EmbedFn, check_count, check_embed_fn, embed

if TYPE_CHECKING:
    from laya.request import FloatArray

Criteria = "Mapping[Any, Any] | Sequence[Any]"


def shortlist_choice(
    state: Any,
    criteria: Mapping[Any, Any] | list[Any],
    embed_fn: EmbedFn,
    k: int = 20,
    *,
    instructions: str | None = None,
    return_scores: bool = False,
) -> Any:
    """The `k` labels whose text is nearest to the state.

    Args:
        state: what is judged.
        criteria: label to description, or a list of labels.
        embed_fn: texts to vectors; called once, or not at all when there are no more than `k` labels.
        k: number of labels to keep.
        instructions: put in front of the state, on a line of their own.
        return_scores: return `(labels, scores)`; scores are cosines, or None where nothing was left out.

    Returns:
        Labels, nearest first; all of them in their own order when there are no more than `k`.

    Raises:
        ArgumentError: `k` is not a positive int, or the labels are empty or repeated, or `embed_fn` returned
            something of a wrong shape.
        ArgumentTypeError: `criteria` is not a dict or list, or `embed_fn` is not callable.
        StateError: the state cannot be written as text.
    """
    check_count("k", k, 1)
    check_embed_fn(embed_fn)
    options = check_criteria(criteria)
    labels = list(options)
    if len(labels) <= k:
        return (labels, None) if return_scores else labels
    query = state_text(state) if instructions is None else f"{instructions}\n{state_text(state)}"
    vectors = embed(embed_fn, [query, *option_texts(options)])
    best = nearest(vectors[0], vectors[1:], k)
    kept = [labels[i] for i, _ in best]
    return (kept, [score for _, score in best]) if return_scores else kept


def predict_shortlist(
    agent: Any,
    state: Any,
    questions: Mapping[Any, Any],
    embed_fn: EmbedFn,
    k: int = 20,
    **predict_kwargs: Any,
) -> dict[str, Any]:
    """Answer questions, each choice among its `k` labels nearest to the state.

    The state and every different option text are embedded once, in one call of `embed_fn`, whatever the number of
    questions; instructions are not embedded. Questions with no more than `k` labels are asked as they are.

    Args:
        agent: an Agent, a Router, or anything with the same `predict` (or `system_one`).
        state: what is judged.
        questions: question id to definition.
        embed_fn: texts to vectors; its work is not part of `usage`.
        k: most labels of a choice that are asked.
        predict_kwargs: passed to `agent.predict`.

    Returns:
        The result, and under `shortlist` for each choice question: `labels` asked, their `scores` (or None), `k`,
        `n` labels in all, `passthrough` (nothing was left out).

    Raises:
        ArgumentError, ArgumentTypeError, QuestionError, QuestionTypeError, StateError: as `shortlist_choice`, with the
            question's id.

    Warns:
        RuntimeWarning: a narrowed question had an `option_order`, which cannot apply any more.
    """
    check_count("k", k, 1)
    check_embed_fn(embed_fn)
    predict = predict_of(agent)
    choices = choice_criteria(questions)
    wide = {qid: options for qid, options in choices.items() if len(options) > k}
    ranked = _rank(state, wide, embed_fn, k)
    asked = {qid: questions[qid] for qid in questions}
    dropped = [qid for qid in wide if "option_order" in questions[qid]]
    for qid, best in ranked.items():
        labels = list(wide[qid])
        asked[qid] = narrowed(questions[qid], {labels[i]: wide[qid][labels[i]] for i, _ in best})
    if dropped:
        warnings.warn(
            f"option_order of {dropped} is dropped: it speaks of all labels, and only {k} of them are asked",
            RuntimeWarning,
            stacklevel=2,
        )
    result = check_result(predict(state, asked, **predict_kwargs))
    return {**result, "shortlist": {qid: _entry(choices[qid], ranked.get(qid), k) for qid in choices}}


def _entry(options: Mapping[Any, Any], best: Sequence[tuple[int, float]] | None, k: int) -> dict[str, Any]:
    labels = list(options)
    return {
        "labels": labels if best is None else [labels[i] for i, _ in best],
        "scores": None if best is None else [score for _, score in best],
        "k": k,
        "n": len(labels),
        "passthrough": best is None,
    }


def _rank(
    state: Any, wide: Mapping[Any, Mapping[Any, Any]], embed_fn: EmbedFn, k: int
) -> dict[Any, list[tuple[int, float]]]:
    if not wide:
        return {}
    texts = {qid: option_texts(options) for qid, options in wide.items()}
    row = {text: i for i, text in enumerate(dict.fromkeys(t for ts in texts.values() for t in ts), start=1)}
    vectors = embed(embed_fn, [state_text(state), *row])
    return {qid: nearest(vectors[0], vectors[[row[text] for text in ts]], k) for qid, ts in texts.items()}


def nearest(query: FloatArray, options: FloatArray, k: int) -> list[tuple[int, float]]:
    """The `k` options of highest cosine, best first, ties in their order; a vector of zeros has cosine 0."""
    norms = np.linalg.norm(options, axis=1) * np.linalg.norm(query)
    scores = np.divide(options @ query, norms, out=np.zeros(len(options), np.float32), where=norms > 0)
    order = np.argsort(-scores, kind="stable")[:k]
    return [(int(i), float(scores[i])) for i in order]


def check_criteria(criteria: Any, question: Any = None) -> dict[Any, Any]:
    """Label to description (None where there is none), from a dict or a list of labels.

    Raises:
        ArgumentTypeError: another type.
        ArgumentError: no labels, or repeated ones.
    """
    where = "" if question is None else f"question {question!r}: "
    if not isinstance(criteria, (dict, list)):
        raise ArgumentTypeError(
            f"{where}criteria must be a dict of label -> description or a list of labels, "
            f"got {type(criteria).__name__}",
            question=question,
        )
    if not criteria:
        raise ArgumentError(f"{where}criteria must hold at least one label", question=question)
    if isinstance(criteria, dict):
        return criteria
    described = dict.fromkeys(criteria)
    if len(described) < len(criteria):
        raise ArgumentError(f"{where}criteria repeat a label; each label may stand once", question=question)
    return described


def choice_criteria(questions: Any) -> dict[Any, dict[Any, Any]]:
    """Options of every choice question; other questions are left to the agent to check.

    Raises:
        QuestionTypeError: the questions are not a dict.
        QuestionError: a choice question has no criteria.
        ArgumentError, ArgumentTypeError: as `check_criteria`.
    """
    if not isinstance(questions, Mapping):
        raise QuestionTypeError(
            f"questions must be a dict of question id -> definition, got {type(questions).__name__}"
        )
    found = {}
    for qid, definition in questions.items():
        if isinstance(definition, Mapping) and definition.get("type") == "choice":
            if "criteria" not in definition:
                raise QuestionError(f"question {qid!r}: a choice question needs 'criteria'", question=qid)
            found[qid] = check_criteria(definition["criteria"], qid)
    return found


def narrowed(definition: Mapping[str, Any], options: Mapping[Any, Any]) -> dict[str, Any]:
    """The same question with fewer options, in the order given."""
    rest = {key: value for key, value in definition.items() if key != "option_order"}
    return {**rest, "criteria": dict(options)}


def option_texts(options: Mapping[Any, Any]) -> list[str]:
    """Text of each option: the label, and its description where it has one."""
    return [str(label) if text is None or text == "" else f"{label}: {_text(text)}" for label, text in options.items()]


def state_text(state: Any) -> str:
    """A state as text: a string as it is, anything else as JSON.

    Raises:
        StateError: JSON cannot hold it.
    """
    try:
        return _text(state)
    except (TypeError, ValueError) as exc:
        raise StateError(f"state cannot be written as JSON ({exc}); use strings, numbers, lists and dicts") from exc


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)


def predict_of(agent: Any) -> Any:
    """The method of an agent that answers one state.

    Raises:
        ArgumentTypeError: it has neither `predict` nor `system_one`.
    """
    predict = getattr(agent, "predict", None) or getattr(agent, "system_one", None)
    if not callable(predict):
        raise ArgumentTypeError(f"the agent needs a predict or system_one method, got {type(agent).__name__}")
    return predict


def check_result(result: Any) -> Mapping[str, Any]:
    """A result dict with answers.

    Raises:
        ArgumentTypeError: the agent returned something else.
    """
    if not isinstance(result, Mapping) or not isinstance(result.get("answers"), Mapping):
        raise ArgumentTypeError(f"the agent must return a result dict with 'answers', got {type(result).__name__}")
    return result
