"""`laya presets`: the ready-made sets of questions."""

from typing import Annotated

import typer

from laya.cli import arguments as a
from laya.cli.console import write_json, write_table
from laya.presets import PRESETS, preset, state_field

EXAMPLES = """Examples:

    laya presets

    laya presets guard > mine.json
"""


def presets(
    name: Annotated[str | None, typer.Argument(help="Print this preset as JSON, to edit and pass back.")] = None,
    *,
    form: a.Form = a.Format.TABLE,
) -> None:
    """List the ready-made sets of questions, or print one."""
    if name is not None:
        write_json(preset(name), lines=form is a.Format.JSONL)
        return
    known = {each: preset(each) for each in PRESETS}
    if form is a.Format.TABLE:
        rows = [(each, state_field(asked), ", ".join(asked)) for each, asked in known.items()]
        write_table(("preset", "state key", "questions"), rows)
        return
    entries = [
        {"name": each, "state_key": state_field(asked), "questions": list(asked)} for each, asked in known.items()
    ]
    for entry in entries if form is a.Format.JSONL else [entries]:
        write_json(entry, lines=form is a.Format.JSONL)
