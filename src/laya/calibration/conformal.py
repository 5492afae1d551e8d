"""Split conformal prediction: sets of labels that hold the truth with a stated probability.

The method needs only that calibration records and later requests are exchangeable (drawn alike); it does not need the
probabilities to be right. See Angelopoulos and Bates, "A gentle introduction to conformal prediction", 2021.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from laya.calibration.abstain import check_share
from laya.calibration.fit import check_int
from laya.calibration.records import DoubleArray, Record, as_records, probabilities
from laya.calibration.temperature import BUCKETS, Temperatures, bucket
from laya.errors import ArgumentError, CalibrationError

if TYPE_CHECKING:
    from collections.abc import Iterable

Method = Literal["lac", "aps"]
METHODS: Final[tuple[Method, ...]] = ("lac", "aps")


@dataclass(frozen=True)
class ConformalSets:
    """Prediction sets with a coverage.

    Attributes:
        coverage: probability that a set holds the right label, over requests drawn like the records; within each
            bucket that has a limit of its own.
        method: "lac" makes the smallest sets on average; "aps" makes larger sets for harder requests.
        limits: bucket, or "default", to the largest score of a label in the set; infinity puts every label in.
    """

    coverage: float
    method: Method
    limits: Mapping[str, float]

    def labels(self, answer: Mapping[str, Any]) -> list[Any]:
        """Prediction set of one answer, in the order of its options; never empty.

        Args:
            answer: an answer of a result. Its temperatures must be those the sets were fitted with.

        Returns:
            Labels of a choice, levels of a score, or truth values of a noul.

        Raises:
            ArgumentError: the answer has no probabilities.
        """
        options, p = _options(answer)
        limit = self.limits.get(bucket(answer["type"], len(options)), self.limits["default"])
        scores = _scores(p, self.method)
        best = int(np.argmax(p))
        return [option for i, option in enumerate(options) if scores[i] <= limit or i == best]

    def to_json(self) -> dict[str, Any]:
        """The sets as JSON; an infinite limit is null."""
        limits = {name: None if math.isinf(limit) else limit for name, limit in self.limits.items()}
        return {"coverage": self.coverage, "method": self.method, "limits": limits}

    @classmethod
    def from_json(cls, data: Any) -> ConformalSets:
        """Read what `to_json` wrote.

        Raises:
            CalibrationError: it is something else.
        """
        if not isinstance(data, Mapping) or data.get("method") not in METHODS:
            raise CalibrationError(f"conformal sets must be an object whose method is one of {METHODS}, got {data!r}")
        limits = data.get("limits")
        if not isinstance(limits, Mapping) or "default" not in limits or set(limits) - {*BUCKETS, "default"}:
            raise CalibrationError(f"conformal sets need limits of buckets, and of 'default', got {limits!r}")
        for name, limit in limits.items():
            if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, float))):
                raise CalibrationError(f"the conformal limit of {name!r} must be a number or null, got {limit!r}")
        try:
            coverage = check_share("coverage", data.get("coverage"))
        except ArgumentError as exc:
            raise CalibrationError(f"conformal sets: {exc.message}") from exc
        parsed = {name: math.inf if limit is None else float(limit) for name, limit in limits.items()}
        return cls(coverage, data["method"], parsed)


def fit_conformal(
    records: Iterable[Any],
    temperature: Sequence[float] = (1.0, 1.0, 1.0),
    temperature_by_options: Mapping[str, float] | None = None,
    *,
    coverage: float = 0.9,
    method: Method = "lac",
    min_bucket_n: int = 100,
) -> ConformalSets:
    """Fit prediction sets.

    The limit is the ceil((n + 1) * coverage)-th smallest score of the right labels, which guarantees the coverage for
    any n; with fewer than coverage / (1 - coverage) records it is infinite, and sets hold every label.

    Args:
        records: see `as_records`; other ones than the temperatures were fitted on. Of an uncertain target the most
            probable option counts as right.
        temperature: temperatures of choice, score and noul.
        temperature_by_options: temperatures of buckets.
        coverage: wanted probability that a set holds the right label, in [0, 1).
        method: "lac" or "aps", see `ConformalSets`.
        min_bucket_n: records that a bucket needs for a limit of its own; "default" is fitted on all records.

    Raises:
        CalibrationError: a record is malformed, or there are none.
        ArgumentError: an argument cannot work.
    """
    check_share("coverage", coverage)
    check_int("min_bucket_n", min_bucket_n)
    if method not in METHODS:
        raise ArgumentError(f"method must be one of {METHODS}, got {method!r}")
    checked = as_records(records)
    if not checked:
        raise CalibrationError("there are no records to fit prediction sets on")
    temperatures = Temperatures(tuple(temperature), dict(temperature_by_options or {}))
    scores = np.array([_score_of_truth(record, temperatures, method) for record in checked])
    buckets = np.array([record.bucket for record in checked])
    limits = {"default": _limit(scores, coverage)}
    for name in dict.fromkeys(buckets.tolist()):
        mine = scores[buckets == name]
        if len(mine) >= min_bucket_n:
            limits[name] = _limit(mine, coverage)
    return ConformalSets(float(coverage), method, limits)


def _limit(scores: DoubleArray, coverage: float) -> float:
    rank = math.ceil((len(scores) + 1) * coverage - 1e-9)
    return math.inf if rank > len(scores) else float(np.sort(scores)[max(rank, 1) - 1])


def _score_of_truth(record: Record, temperatures: Temperatures, method: Method) -> float:
    p = probabilities(record, temperatures.get(record.type, len(record.logits)))
    return float(_scores(p, method)[int(np.argmax(record.target))])


def _scores(p: DoubleArray, method: Method) -> DoubleArray:
    """How strange each label would be as the truth: for "aps" the probability of all labels at least as likely."""
    if method == "lac":
        return 1.0 - p
    # Sums in descending order make equal rows give equal sums, whatever the order of their options.
    order = np.sort(p)[::-1]
    sums = np.cumsum(order)
    count = (p[None, :] >= p[:, None]).sum(axis=1)
    return np.asarray(sums[count - 1])


def _options(answer: Mapping[str, Any]) -> tuple[list[Any], DoubleArray]:
    if answer.get("type") == "noul" and isinstance(answer.get("noul"), (int, float)):
        return [False, True], np.array([1.0 - answer["noul"], answer["noul"]], dtype=np.float64)
    found = answer.get("probabilities")
    if answer.get("type") not in {"choice", "score"} or not isinstance(found, Mapping) or not found:
        raise ArgumentError(f"a prediction set needs an answer with its probabilities, got {answer!r}")
    options = list(found) if answer["type"] == "choice" else list(range(len(found)))
    return options, np.array(list(found.values()), dtype=np.float64)
