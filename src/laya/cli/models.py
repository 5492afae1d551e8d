"""`laya models`: which checkpoints there are, what they are made of, whether they are whole."""

from pathlib import Path
from typing import Annotated, Any

import typer

from laya.cli import arguments as a
from laya.cli.console import note, write, write_json, write_table
from laya.cli.questions_file import read_json_file
from laya.errors import ArgumentError

LIST_EXAMPLES = """Examples:

    laya models list
"""
INFO_EXAMPLES = """Examples:

    laya models info

    laya models info path/to/checkpoint --json
"""
VERIFY_EXAMPLES = """Examples:

    laya models verify path/to/checkpoint --json | jq '.files | map_values(.sha256)' > pins.json

    laya models verify path/to/checkpoint --pins pins.json --strict

Exit code 1 says that something is wrong with it.
"""

app = typer.Typer(help="The checkpoints: list, info, verify.", no_args_is_help=True)

Name = Annotated[str | None, typer.Argument(help="Checkpoint folder, hub id or name; the embedded one if absent.")]


def list_models(
    *,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """List the checkpoints that have a name, and which are on this machine. Nothing is downloaded."""
    from laya.inventory import list_models as entries_of  # noqa: PLC0415 - loads the engine

    entries = entries_of()
    if as_json or form is a.Format.JSON:
        write_json(entries)
    elif form is a.Format.JSONL:
        for entry in entries:
            write_json(entry, lines=True)
    else:
        rows = [(e["name"], e["source"], ", ".join(e["aliases"]), e["path"] or "not on this machine") for e in entries]
        write_table(("name", "source", "aliases", "where"), rows)


def info(
    name: Name = None,
    *,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """Tell what a checkpoint is made of."""
    from laya.inventory import model_info  # noqa: PLC0415 - loads the engine

    facts = model_info(name)
    if as_json or form is not a.Format.TABLE:
        write_json(facts, lines=form is a.Format.JSONL and not as_json)
        return
    encoder = facts.pop("encoder")
    flat = {**facts, "encoder": ", ".join(f"{key} {value}" for key, value in encoder.items())}
    flat["temperature"] = ", ".join(map(str, facts["temperature"]))
    flat["temperature_by_options"] = ", ".join(f"{k} {v}" for k, v in facts["temperature_by_options"].items()) or None
    write_table(("", ""), [(key.replace("_", " "), _grouped(value)) for key, value in flat.items()])


def verify(
    name: Name = None,
    *,
    pins: Annotated[
        Path | None, typer.Option("--pins", help="A JSON file of file name to SHA-256; else LAYA_SHA256_DIGESTS.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Every file that is read must be pinned.")] = False,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """Read every file of a checkpoint, and say what is wrong with it."""
    from laya.inventory import verify_model  # noqa: PLC0415 - loads the engine

    wanted: Any = None if pins is None else read_json_file(pins, "pins")
    if pins is not None and not isinstance(wanted, dict):
        raise ArgumentError(f"pins file {str(pins)!r} must hold an object of file name to SHA-256", path=str(pins))
    found = verify_model(name, pins=wanted, strict=strict)
    if as_json or form is not a.Format.TABLE:
        write_json(found, lines=form is a.Format.JSONL and not as_json)
    else:
        rows = [(file, facts["bytes"], facts["sha256"]) for file, facts in found["files"].items()]
        write_table(("file", "bytes", "sha256"), rows)
        write(f"\n{found['path']}: {'wrong' if found['problems'] else 'in order'}")
    for problem in found["problems"]:
        note(problem)
    if found["problems"]:
        raise typer.Exit(1)


def _grouped(value: Any) -> Any:
    return f"{value:,}" if isinstance(value, int) else value


app.command("list", epilog=LIST_EXAMPLES)(list_models)
app.command("info", epilog=INFO_EXAMPLES)(info)
app.command("verify", epilog=VERIFY_EXAMPLES)(verify)
