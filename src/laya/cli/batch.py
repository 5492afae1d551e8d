"""`laya batch`: answers about every row of a file."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from laya.cli import arguments as a
from laya.cli.asking import How, Whom, asked_questions

EXAMPLES = """Examples:

    laya batch tickets.jsonl --preset triage -o answers.jsonl

    laya batch tickets.csv --text body --id ticket_no -o answers.csv

    cat mails.txt | laya batch - --input lines --preset email | jq .answers.category.choice

    laya batch tickets.jsonl -o answers.jsonl --resume

A row is a text, or an object with a `state` or a `text`; any other object is the state itself, but for its `id`.
Exit code 1 says that some rows could not be answered: each has an `error` in its place.
"""


class BatchFormat(str, Enum):
    """How records are written."""

    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    TABLE = "table"
    PARQUET = "parquet"


class InputFormat(str, Enum):
    """What the input is."""

    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    LINES = "lines"


def batch(
    file: Annotated[Path, typer.Argument(help="JSON Lines, CSV, TSV, Parquet or text; - is standard input.")],
    *,
    preset: a.Preset = None,
    questions: a.Questions = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; without it, standard output.")
    ] = None,
    form: Annotated[
        BatchFormat | None,
        typer.Option("--format", "-f", help="What to write; by default what the output's name says, or jsonl."),
    ] = None,
    source: Annotated[
        InputFormat | None,
        typer.Option("--input", help="What the input is; by default what its name says, or jsonl for -."),
    ] = None,
    text: Annotated[str | None, typer.Option("--text", help="Key or column that holds the text.")] = None,
    ident: Annotated[str, typer.Option("--id", help="Key or column that holds the id of a row.")] = "id",
    keep_input: Annotated[bool, typer.Option("--keep-input", help="Put each row into its record.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Continue an output that was cut (jsonl).")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an output that exists.")] = False,
    chunk: Annotated[int, typer.Option("--chunk", min=1, help="Rows answered and written together.")] = 256,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, and no line for each bad row.")] = False,
    model: a.Model = None,
    models: a.Models = None,
    task: a.Task = None,
    lang: a.Lang = None,
    calibration: a.Calibration = None,
    max_len: a.MaxLen = None,
    head_max_len: a.HeadMaxLen = None,
    min_confidence: a.MinConfidence = None,
    truncation: a.Truncate = a.Truncation.ALLOW,
) -> None:
    """Answer questions about every row of a file, in constant memory."""
    from laya.cli.batch_run import Job, run_job  # noqa: PLC0415 - loads the readers and writers

    job = Job(
        source=None if str(file) == "-" else file,
        source_format=None if source is None else source.value,
        output=output,
        output_format=None if form is None else form.value,
        text=text,
        id=ident,
        keep_input=keep_input,
        resume=resume,
        overwrite=overwrite,
        chunk=chunk,
        quiet=quiet,
    )
    how = How(max_len, head_max_len, min_confidence, lang, truncation.value)
    failed = run_job(job, asked_questions(preset, questions), Whom(model, models, task, calibration), how)
    if failed:
        raise typer.Exit(1)
