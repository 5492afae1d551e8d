"""The work of `laya calibrate`."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any, Final

import laya
from laya.batch.items import Fields, to_items
from laya.batch.readers import open_rows
from laya.batch.run import check_questions
from laya.cli.arguments import Format
from laya.cli.asking import load_agent
from laya.cli.console import note, one_line, write, write_json, write_table
from laya.cli.progress import progress
from laya.errors import ArgumentError, CalibrationError, LayaError

if TYPE_CHECKING:
    from pathlib import Path

    from laya.batch.items import Item
    from laya.cli.questions_file import QuestionSet

_EXPECTED: Final = "expected"
_REPORTED: Final = 20


def calibrate_file(
    file: Path,
    target: Path,
    questions: QuestionSet,
    *,
    model: str | None,
    overwrite: bool,
    binning: bool,
    min_rows: int,
) -> dict[str, Any]:
    """Fit on the rows of a file, and write the calibration.

    Returns:
        What was fitted, with `rows`, `rows_failed`, `answers` and the `output`.

    Raises:
        ArgumentError: the target cannot be written, or there is nothing to fit on.
        LayaError: the file, the questions or the checkpoint cannot be used.
    """
    _check_target(target, overwrite=overwrite)
    check_questions(questions.questions)
    with open_rows(file, kind="jsonl") as source, load_agent(model) as agent:
        collected = _Collected(agent, questions)
        with progress(source.total, wanted=True) as advance:
            for item in to_items(source, Fields(questions.state_of)):
                collected.add(item)
                advance(source.position(), collected.rows, collected.failed)
        if not collected.records:
            raise ArgumentError(f"{str(file)!r} has no usable row, so there is nothing to fit on", path=str(file))
        fit = laya.fit_temperatures(collected.records, min_type_n=min_rows)
        applied = (fit["temperature"], fit["temperature_by_options"])
        agent.calibrate(fit, laya.fit_binning_map(collected.records, *applied) if binning else None)
        agent.save_calibration(target)
    return {
        "output": str(target),
        "rows": collected.rows,
        "rows_failed": collected.failed,
        "answers": len(collected.records),
        "min_rows": min_rows,
        **fit,
    }


def _check_target(target: Path, *, overwrite: bool) -> None:
    if not target.exists():
        return
    if not overwrite:
        raise ArgumentError(f"{str(target)!r} exists; pass --overwrite to replace it", path=str(target))
    known: Any = None
    with contextlib.suppress(OSError, ValueError):
        known = json.loads(target.read_text(encoding="utf-8"))
    # a checkpoint's config has temperatures too, and is never written
    if not isinstance(known, dict) or "temperature" not in known or "head_layers" in known:
        raise ArgumentError(f"{str(target)!r} is no calibration file, so it is left alone; choose another output")


class _Collected:
    """Labelled answers of the rows so far."""

    def __init__(self, agent: Any, questions: QuestionSet) -> None:
        self._agent = agent
        self._questions = questions.questions
        self.records: list[Any] = []
        self.rows = 0
        self.failed = 0

    def add(self, item: Item) -> None:
        """Read the logits of a row; a bad one is reported and left out."""
        self.rows += 1
        try:
            state, expected = self._labelled(item)
            self.records += laya.records_from_labeled(self._agent, [(state, self._questions, expected)])
        except LayaError as exc:
            self.failed += 1
            if self.failed <= _REPORTED:
                message = exc.message.removeprefix("example 0: ").removeprefix("state 0: ")
                note(f"line {item.number}: {one_line(message)}")

    def _labelled(self, item: Item) -> tuple[Any, dict[Any, Any]]:
        if item.error is not None:
            raise item.error
        expected = item.source.get(_EXPECTED) if isinstance(item.source, dict) else None
        if not isinstance(expected, dict) or not expected:
            raise CalibrationError(f"has no {_EXPECTED!r}; give an object of question id to the right answer")
        state = item.state
        if state is not item.source.get("state") and isinstance(state, dict) and _EXPECTED in state:
            # a row that is its own state is so without the labels
            state = {key: value for key, value in state.items() if key != _EXPECTED}
            if not state:
                raise CalibrationError("has nothing to judge; give a 'text' or a 'state'")
        return state, expected


def show_fit(fitted: dict[str, Any], form: Format) -> None:
    """Print what was fitted."""
    if form is not Format.TABLE:
        write_json(fitted, lines=form is Format.JSONL)
        return
    types = dict(zip(("choice", "score", "noul"), fitted["temperature"], strict=True))
    counts = {**fitted["n_by_type"], **fitted["n_by_bucket"]}
    rows = [(name, counts.get(name, 0), value) for name, value in {**types, **fitted["temperature_by_options"]}.items()]
    write_table(("temperature of", "answers", "value"), rows)
    report = fitted["report"]
    if report is not None:
        write("")
        names = (("ece", "calibration error"), ("nll", "log loss"), ("brier", "Brier score"))
        write_table(
            ("on answers not fitted on", "before", "after"),
            [(label, report[f"{name}_before"], report[f"{name}_after"]) for name, label in names],
        )
    thin = [name for name in types if 0 < counts.get(name, 0) < fitted["min_rows"]]
    for name in thin:
        note(f"{counts[name]} {name} answers are too few for a temperature, which stays 1; see --min-rows")
    write(f"\nwrote {fitted['output']} from {fitted['answers']} answers in {fitted['rows']} rows")
