"""Arguments and options that several commands share."""

# no `from __future__ import annotations` in modules that typer reads: it needs the annotations themselves

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

import laya
from laya.presets import PRESETS


class Format(str, Enum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"
    JSONL = "jsonl"


class Truncation(str, Enum):
    """What happens to a text that is longer than the checkpoint reads."""

    ALLOW = "allow"
    ERROR = "error"
    SCAN = "scan"


def _language(given: str | None) -> str | None:
    """The value of `--lang`; a code that no language has is a slip, whoever answers.

    Raises:
        ArgumentError: no language has this code.
    """
    if given is not None:
        laya.language_code(given)
    return given


Text = Annotated[list[str] | None, typer.Argument(help="The text; without it, standard input is read.")]
StateFile = Annotated[
    Path | None,
    typer.Option("--state", help="A JSON file that holds the state as it is, in place of a text; - is standard input."),
]
Preset = Annotated[str | None, typer.Option("--preset", help=f"A ready-made set of questions: {', '.join(PRESETS)}.")]
Questions = Annotated[Path | None, typer.Option("--questions", help="A JSON file of question id to definition.")]
Model = Annotated[
    str | None,
    typer.Option("--model", help="Checkpoint folder, hub id or name; the embedded one if absent."),
]
Models = Annotated[
    str | None,
    typer.Option(
        "--models",
        help="Choose among several checkpoints by language or task: 'embedded', 'hub', or a JSON file of name to "
        "source. --model then names one of them.",
    ),
]
Task = Annotated[str | None, typer.Option("--task", help="Task to route by; needs --models.")]
Lang = Annotated[
    str | None,
    typer.Option(
        "--lang",
        help="Language code, for routing and for checkpoints calibrated by language.",
        callback=_language,
    ),
]
MaxLen = Annotated[int | None, typer.Option("--max-len", help="Token budget of one question with its state.")]
HeadMaxLen = Annotated[int | None, typer.Option("--head-max-len", help="Token budget of the question alone.")]
MinConfidence = Annotated[
    float | None, typer.Option("--min-confidence", help="Mark answers below this as low, 0 to 1.")
]
Truncate = Annotated[
    Truncation,
    typer.Option(
        "--truncation",
        help="What to do with a text that is too long: cut it and say so, fail, or read it in windows.",
    ),
]
Calibration = Annotated[
    Path | None, typer.Option("--calibration", help="A calibration file, as `laya calibrate` writes it.")
]
Form = Annotated[Format, typer.Option("--format", "-f", help="How to print it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Short for --format json.")]
