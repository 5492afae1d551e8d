"""`laya doctor`: whether this installation works here."""

from typing import Any

import typer

from laya.cli import arguments as a
from laya.cli.console import write, write_json, write_table

EXAMPLES = """Examples:

    laya doctor

    laya doctor --json

Exit code 1 says that something does not work. Nothing is downloaded.
"""


def doctor(
    *,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """Check the environment: versions, settings, caches, runtimes, and one question to the embedded checkpoint."""
    from laya.cli.checkup import run_checks  # noqa: PLC0415 - looks at everything that is installed

    checks = run_checks()
    rows: list[dict[str, Any]] = [{"check": c.name, "status": c.status, "found": c.found} for c in checks]
    if as_json or form is a.Format.JSON:
        write_json(rows)
    elif form is a.Format.JSONL:
        for row in rows:
            write_json(row, lines=True)
    else:
        write_table(("check", "status", "found"), [tuple(row.values()) for row in rows])
        failed = [c.name for c in checks if c.status == "fail"]
        write(f"\n{'does not work: ' + ', '.join(failed) if failed else 'everything that is needed works'}")
    if any(c.status == "fail" for c in checks):
        raise typer.Exit(1)
