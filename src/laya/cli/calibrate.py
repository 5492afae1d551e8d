"""`laya calibrate`: temperatures for a task of your own, from labelled rows."""

from pathlib import Path
from typing import Annotated

import typer

from laya.cli import arguments as a
from laya.cli.asking import asked_questions

EXAMPLES = """Examples:

    laya calibrate labelled.jsonl --questions mine.json

    laya predict "..." --questions mine.json --calibration labelled.calibration.json

A row is an object with a `text` or a `state`, and `expected`: an object of question id to the right label (choice),
level (score), or true or false (noul). The checkpoint itself is never changed.
"""


def calibrate(
    file: Annotated[Path, typer.Argument(help="Labelled rows in JSON Lines.")],
    *,
    preset: a.Preset = None,
    questions: a.Questions = None,
    model: a.Model = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File to write; by default beside the rows, NAME.calibration.json."),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a calibration file that exists.")] = False,
    binning: Annotated[bool, typer.Option("--binning", help="Also fit how confidence maps to accuracy.")] = False,
    min_rows: Annotated[
        int, typer.Option("--min-rows", min=1, help="Answers that the temperature of a question type needs.")
    ] = 50,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """Fit temperatures on labelled rows and write them to a calibration file."""
    from laya.cli.calibrate_run import calibrate_file, show_fit  # noqa: PLC0415 - loads numpy

    target = output or file.with_suffix(".calibration.json")
    fitted = calibrate_file(
        file,
        target,
        asked_questions(preset, questions),
        model=model,
        overwrite=overwrite,
        binning=binning,
        min_rows=min_rows,
    )
    show_fit(fitted, a.Format.JSON if as_json else form)
    if fitted["rows_failed"]:
        raise typer.Exit(1)
