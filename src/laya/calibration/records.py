"""Labelled answers that calibration is fitted on: raw logits, and the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from laya.calibration.temperature import Temperatures, bucket
from laya.errors import ArgumentTypeError, CalibrationError
from laya.request import TYPE_INDEX

if TYPE_CHECKING:
    from laya.request import QuestionType

DoubleArray = npt.NDArray[np.float64]

TYPES: Final = tuple(TYPE_INDEX)
TOLERANCE: Final = 1e-3
"""How far the sum of a target may be from 1; it is scaled to 1 exactly."""


class Record(NamedTuple):
    """One labelled answer, in canonical option order.

    Attributes:
        type: question type.
        logits: [k] raw logits, before any temperature.
        target: [k] probability that each option is right; one 1 and zeros for a plain label.
    """

    type: QuestionType
    logits: DoubleArray
    target: DoubleArray

    @property
    def bucket(self) -> str:
        """Calibration bucket, such as "choice:3-5"."""
        return bucket(self.type, len(self.logits))


class Scored(NamedTuple):
    """Records under given temperatures.

    Attributes:
        buckets: bucket of each.
        confidence: [n] largest probability.
        correct: [n] probability that the most probable option is right.
    """

    buckets: npt.NDArray[np.str_]
    confidence: DoubleArray
    correct: DoubleArray


def as_records(records: Iterable[Any]) -> list[Record]:
    """Check records.

    Args:
        records: `Record`s, or sequences (type, logits, target[, k]) where type is 0, 1, 2 or "choice", "score", "noul".

    Raises:
        CalibrationError: a record is malformed; has its `index`.
    """
    return [_as_record(i, record) for i, record in enumerate(records)]


def _as_record(i: int, record: Any) -> Record:
    if not isinstance(record, Sequence) or isinstance(record, str) or len(record) not in {3, 4}:
        raise CalibrationError(
            f"record {i}: must be (type, logits, target) with an optional k, got {record!r}", index=i
        )
    logits, target = _vector(i, "logits", record[1]), _vector(i, "target", record[2])
    if len(logits) != len(target) or (len(record) == 4 and record[3] != len(logits)):
        k = f", k={record[3]!r}" if len(record) == 4 else ""
        raise CalibrationError(
            f"record {i}: logits and target must have one number per option, got {len(logits)} and {len(target)}{k}",
            index=i,
        )
    total = float(target.sum())
    if (target < 0).any() or abs(total - 1.0) > TOLERANCE:
        raise CalibrationError(
            f"record {i}: target must be probabilities that sum to 1, got {target.tolist()}", index=i
        )
    return Record(_type(i, record[0]), logits, target / total)


def _type(i: int, value: Any) -> QuestionType:
    if isinstance(value, str) and value in TYPE_INDEX:
        return TYPES[TYPE_INDEX[value]]  # type: ignore[return-value]  # the keys are the types
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and 0 <= value < len(TYPES):
        return TYPES[value]  # type: ignore[return-value]  # as above
    raise CalibrationError(
        f"record {i}: type must be 0 (choice), 1 (score), 2 (noul) or one of those names, got {value!r}", index=i
    )


def _vector(i: int, name: str, value: Any) -> DoubleArray:
    try:
        vector = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as exc:
        raise CalibrationError(f"record {i}: {name} must be a list of numbers: {exc}", index=i) from exc
    if vector.ndim != 1 or not len(vector) or not np.isfinite(vector).all():
        raise CalibrationError(f"record {i}: {name} must be a non-empty list of finite numbers, got {value!r}", index=i)
    return vector


def probabilities(record: Record, temperature: float) -> DoubleArray:
    """[k] softmax of the logits over a temperature."""
    e = np.exp((record.logits - record.logits.max()) / temperature)
    return np.asarray(e / e.sum())


def score_records(records: Sequence[Record], temperatures: Temperatures) -> Scored:
    """Confidence and correctness of every record."""
    rows = [probabilities(record, temperatures.get(record.type, len(record.logits))) for record in records]
    return Scored(
        np.array([record.bucket for record in records], dtype=np.str_),
        np.array([min(1.0, row.max()) for row in rows], dtype=np.float64),
        np.array([record.target[np.argmax(row)] for record, row in zip(records, rows, strict=True)], dtype=np.float64),
    )


def records_from_labeled(
    agent: Any, labeled: Iterable[tuple[Any, Mapping[Any, Any], Mapping[Any, Any]]]
) -> list[Record]:
    """Collect records from labelled examples.

    Args:
        agent: anything with `logits(states, questions)` that gives, for each state, question id to the raw logits of
            its options in canonical order (an `Agent`).
        labeled: (state, questions, targets); a target is a label or {label: probability} for a choice, a level (a
            number between two levels is shared among them) or a list of probabilities for a score, a bool or a
            probability for a noul. Questions without a target are left out.

    Raises:
        ArgumentTypeError: the agent has no `logits`.
        CalibrationError: a target does not fit its question; has the `index` of the example and the `question`.
    """
    read = getattr(agent, "logits", None)
    if not callable(read):
        raise ArgumentTypeError(f"{type(agent).__name__} has no logits(states, questions), so no records can be read")
    records = []
    for i, (state, questions, targets) in enumerate(labeled):
        asked = {qid: questions[qid] for qid in questions if qid in targets}
        unknown = [qid for qid in targets if qid not in questions]
        if unknown:
            raise CalibrationError(f"example {i}: targets {unknown} belong to no question", index=i)
        if asked:
            (logits,) = read([state], asked)
            records += [_labelled(i, qid, asked[qid], logits[qid], targets[qid]) for qid in asked]
    return records


def _labelled(i: int, qid: Any, definition: Mapping[str, Any], logits: Sequence[float], target: Any) -> Record:
    kind = definition["type"]
    build = {"choice": _choice_target, "score": _score_target, "noul": _noul_target}[kind]
    found = build(definition.get("criteria"), target)
    if found is None or len(found) != len(logits):
        raise CalibrationError(
            f"example {i}: question {qid!r}: the target {target!r} does not fit a {kind} question with {len(logits)} "
            "options; give a label, a level, a bool, or probabilities",
            index=i,
            question=qid,
        )
    try:
        return as_records([(kind, logits, found)])[0]
    except CalibrationError as exc:
        raise CalibrationError(f"example {i}: question {qid!r}: {exc.message}", index=i, question=qid) from exc


def _choice_target(criteria: Any, target: Any) -> list[float] | None:
    labels = list(criteria)
    if isinstance(target, Mapping):
        return [target.get(label, 0.0) for label in labels] if all(label in labels for label in target) else None
    return [float(label == target) for label in labels] if target in labels else None


def _score_target(criteria: Any, target: Any) -> list[float] | None:
    if isinstance(target, Sequence) and not isinstance(target, str):
        return list(target)
    top = len(criteria) - 1
    if isinstance(target, bool) or not isinstance(target, (int, float)) or not 0 <= target <= top:
        return None
    return [max(0.0, 1.0 - abs(level - target)) for level in range(top + 1)]


def _noul_target(_criteria: Any, target: Any) -> list[float] | None:
    if not isinstance(target, (bool, int, float)) or not 0 <= target <= 1:
        return None
    return [1.0 - target, float(target)]
