"""Rules of question definitions. Each check returns what it found in plain form, or raises QuestionError."""

from __future__ import annotations

import difflib
import json
import math
import warnings
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

from laya.errors import QuestionError
from laya.questions.render import NOUL_KEYS, render_instructions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from laya.request import QuestionType

KNOWN_KEYS: Final = ("type", "instructions", "criteria", "option_order", "labels")
TYPES: Final[dict[str, QuestionType]] = {"choice": "choice", "noul": "noul", "score": "score"}

T = TypeVar("T", str, "str | None")


class QuestionWarning(UserWarning):
    """A question is valid but probably not what was meant, such as two labels that differ only in case."""


def fail(qid: str | int, problem: str) -> NoReturn:
    """Raise QuestionError about the question `qid`."""
    raise QuestionError(f"question {qid!r}: {problem}", question=qid)


def warn(qid: str | int, problem: str) -> None:
    """Issue a QuestionWarning about the question `qid`."""
    warnings.warn(f"question {qid!r}: {problem}", QuestionWarning, stacklevel=2)


def check_id(qid: object) -> str | int:
    """A non-blank string or an int, not a bool."""
    if qid is None:
        raise QuestionError("question id must not be None; use a non-empty string")
    if isinstance(qid, bool) or not isinstance(qid, (str, int)) or (isinstance(qid, str) and not qid.strip()):
        raise QuestionError(f"question id must be a non-empty string, got {qid!r}")
    return qid


def check_distinct_ids(ids: Iterable[str | int]) -> None:
    """Refuse ids that are one key once written as JSON."""
    seen: dict[str, str | int] = {}
    for qid in ids:
        other = seen.setdefault(json_key(qid), qid)
        if other is not qid:
            fail(qid, f"the id is the same JSON key as the id {other!r}; rename one of them")


def check_definition(qid: str | int, definition: object) -> dict[Any, Any]:
    """A dict with known keys only."""
    if not isinstance(definition, dict):
        fail(qid, f"definition must be a dict, got {type(definition).__name__}")
    for key in definition:
        if key not in KNOWN_KEYS:
            near = difflib.get_close_matches(str(key), KNOWN_KEYS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the keys are {', '.join(KNOWN_KEYS)}"
            fail(qid, f"unknown key {key!r}; {hint}")
    return definition


def check_type(qid: str | int, definition: dict[Any, Any]) -> QuestionType:
    """One of the three types, in lower case."""
    value = definition.get("type")
    if isinstance(value, str) and value in TYPES:
        return TYPES[value]
    folded = value.strip().lower() if isinstance(value, str) else ""
    hint = f" (types are lower case: {folded!r})" if folded in TYPES else ""
    fail(qid, f"unknown type {value!r}; use one of {sorted(TYPES)}{hint}")


def check_instructions(qid: str | int, definition: dict[Any, Any]) -> str:
    """Text, or JSON content written as text; not blank, not a bool."""
    if "instructions" not in definition:
        fail(qid, "no 'instructions'; add the text the model should answer")
    value = definition["instructions"]
    if value is None:
        fail(qid, "'instructions' must not be None; add the text the model should answer")
    if isinstance(value, bool) or not isinstance(value, (str, dict, list, int, float)):
        fail(qid, f"'instructions' must be a string, dict, or list, got {type(value).__name__}")
    if isinstance(value, float) and not math.isfinite(value):
        fail(qid, f"'instructions' must be a string, dict, or list, got {value!r}")
    if (isinstance(value, str) and not value.strip()) or (isinstance(value, (dict, list)) and not value):
        fail(qid, "'instructions' must not be empty; add the text the model should answer")
    return rendered(qid, render_instructions, value, "'instructions'")


def rendered(qid: str | int, render: Callable[[Any], T], value: Any, what: str) -> T:
    """`render(value)`, checked as text; what cannot be written is an error about `what`."""
    try:
        text = render(value)
    except (TypeError, ValueError, RecursionError) as exc:
        raise QuestionError(
            f"question {qid!r}: {what} cannot be written as JSON ({exc}); use text, finite numbers, lists and dicts",
            question=qid,
        ) from exc
    if text is not None:
        check_text(qid, text, what)
    return text


def check_text(qid: str | int, text: str, what: str) -> str:
    """Text that UTF-8 can hold."""
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        fail(qid, f"{what} holds a lone surrogate, which is no character; decode the text again or replace it")
    return text


def check_choice(qid: str | int, criteria: object) -> dict[Any, Any]:
    """Labels in order, each with its description or None."""
    if not isinstance(criteria, (dict, list)):
        fail(qid, "a choice question takes 'criteria' as a dict of label -> description, or a list of labels")
    if not criteria:
        fail(qid, "a choice question needs at least one criterion; add a label")
    labels = list(criteria)
    for i, label in enumerate(labels):
        _check_label(qid, i, label)
    _check_distinct_labels(qid, labels)
    _warn_near_labels(qid, [str(label) for label in labels])
    return criteria if isinstance(criteria, dict) else dict.fromkeys(labels)


def check_score(qid: str | int, criteria: object) -> list[Any]:
    """Level descriptions in order."""
    if not isinstance(criteria, list):
        fail(qid, "a score question takes 'criteria' as a list of level descriptions, index 0 first")
    if not criteria:
        fail(qid, "a score question needs at least one level; add its description")
    for i, level in enumerate(criteria):
        if level is None:
            fail(qid, f"score level {i} is null; give every level a description, index 0 first")
    return criteria


def check_noul(qid: str | int, criteria: object) -> dict[str, Any]:
    """Descriptions under the keys "false" and "true", each optional."""
    if criteria is None:
        return {}
    if not isinstance(criteria, dict):
        fail(qid, "a noul question takes 'criteria' as a dict with optional 'true'/'false' descriptions, or omits it")
    folded: dict[str, Any] = {}
    origin: dict[str, Any] = {}
    bad = sorted({str(key) for key in criteria if str(key).lower() not in NOUL_KEYS})
    if bad:
        fail(qid, f"noul criteria keys must be 'true' and 'false', got {bad}; to rename the sides use 'labels'")
    for key, value in criteria.items():
        name = str(key).lower()
        if name in folded:
            fail(qid, f"noul criteria keys {origin[name]!r} and {key!r} both mean {name!r}; keep one")
        folded[name], origin[name] = value, key
    return folded


def check_noul_labels(qid: str | int, definition: dict[Any, Any], kind: QuestionType) -> tuple[str, str]:
    """Names of the false and the true side, without outer spaces."""
    if "labels" not in definition:
        return NOUL_KEYS
    if kind != "noul":
        fail(qid, "'labels' is only supported for noul questions; remove it")
    labels = definition["labels"]
    if labels is None:
        return NOUL_KEYS
    if isinstance(labels, dict) and len(labels) == len(NOUL_KEYS) and all(key in labels for key in NOUL_KEYS):
        false, true = (labels[key] for key in NOUL_KEYS)
        texts = isinstance(false, str) and isinstance(true, str)
        if texts and false.strip() and true.strip() and false.strip() != true.strip():
            return check_text(qid, false.strip(), "'labels'"), check_text(qid, true.strip(), "'labels'")
    fail(qid, f"noul labels must map exactly 'false' and 'true' to distinct non-empty strings, got {labels!r}")


def check_order(qid: str | int, definition: dict[Any, Any], k: int) -> tuple[int, ...]:
    """The option shown in each slot; the identity where none is given."""
    if "option_order" not in definition:
        return tuple(range(k))
    order = definition["option_order"]
    if isinstance(order, (list, tuple)) and all(type(slot) is int for slot in order):
        slots = tuple(order)
        if len(slots) == k and set(slots) == set(range(k)):
            return slots
    fail(
        qid,
        f"'option_order' must be a permutation of range({k}) -- one slot per option, each option once -- got {order!r}",
    )


def warn_duplicate_levels(qid: str | int, texts: Sequence[str]) -> None:
    """Warn about score levels that read the same."""
    seen: dict[str, int] = {}
    for i, text in enumerate(texts):
        first = seen.setdefault(text.strip().casefold(), i)
        if first != i:
            warn(qid, f"score levels {first} and {i} have the same description {text!r}; describe each level")
            return


def json_key(value: object) -> str:
    """What a scalar becomes as a key of a JSON object: True is `true`, 1 is `1`."""
    return value if isinstance(value, str) else json.dumps(value)


def _check_label(qid: str | int, i: int, label: object) -> None:
    if label is None:
        fail(qid, f"choice label {i} is null; give every option a label")
    if not isinstance(label, (str, int, float)):
        fail(
            qid,
            f"choice label {i} is a {type(label).__name__}; a label is the key of its option in the answer and "
            f"must be a scalar (a string, number or bool), got {label!r}",
        )
    if isinstance(label, float) and not math.isfinite(label):
        fail(qid, f"choice label {i} is {label!r}, which JSON cannot write; use a string or a finite number")
    if isinstance(label, str):
        if not label.strip():
            fail(qid, f"choice label {i} is blank; give every option a label")
        check_text(qid, label, f"choice label {i}")


def _check_distinct_labels(qid: str | int, labels: list[Any]) -> None:
    equal: dict[Any, int] = {}
    written: dict[str, int] = {}
    for i, label in enumerate(labels):
        j = equal.setdefault(label, i)
        if j != i:
            fail(
                qid,
                f"choice label {i} ({label!r}) repeats label {j}; labels are the keys of the answer and must differ "
                "(1, 1.0 and True are one key)",
            )
        j = written.setdefault(json_key(label), i)
        if j != i:
            fail(
                qid,
                f"choice label {i} ({label!r}) is the same JSON key as label {j} ({labels[j]!r}); rename one of them",
            )


def _warn_near_labels(qid: str | int, names: list[str]) -> None:
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.strip().casefold(), name)
        if other is not name:
            warn(qid, f"labels {other!r} and {name!r} differ only in case or outer spaces; rename or merge them")
            return
