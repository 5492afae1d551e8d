"""`laya serve`: the HTTP server."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from laya.cli.console import note, write
from laya.errors import ArgumentError
from laya.extras import require

if TYPE_CHECKING:
    from laya.server.settings import ServerSettings

EXAMPLES = """Examples:

    laya serve

    laya serve --config laya.toml --check

    LAYA_API_KEY=... laya serve --host 0.0.0.0 --port 8080

Every setting is also a variable `LAYA_<NAME>` and a key of the config file; an option beats a variable, and a variable
beats the file.
"""


def serve(
    *,
    config: Annotated[Path | None, typer.Option("--config", "-c", help="A .toml or .json file of settings.")] = None,
    host: Annotated[str | None, typer.Option("--host", help="Address to listen on; loopback if absent.")] = None,
    port: Annotated[int | None, typer.Option("--port", "-p", help="Port to listen on; 8000 if absent.")] = None,
    log_level: Annotated[
        str | None, typer.Option("--log-level", help="critical, error, warning, info or debug.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check all settings and stop.")] = False,
) -> None:
    """Answer over HTTP, in the System One protocol."""
    for module in ("starlette", "uvicorn", "pydantic_settings"):
        require(module, "server", "laya serve")
    from laya.server.settings import load_settings, unknown_variables  # noqa: PLC0415 - needs the extra

    settings = load_settings(config, host=host, port=port, log_level=log_level)
    if check:
        for sentence in unknown_variables():
            note(sentence)
        _check(settings)
        write(f"the settings are in order; the server would listen on {settings.host}:{settings.port}")
        return
    from laya.server.run import serve as run_server  # noqa: PLC0415 - needs the extra

    run_server(settings)


def _check(settings: "ServerSettings") -> None:
    """Look for what only shows when the parts are put together: keys, models, aliases. Nothing is loaded.

    Raises:
        ArgumentError: something cannot work; the message has a line for every problem.
    """
    from laya.server.service import problems_of  # noqa: PLC0415 - needs the extra

    found = problems_of(settings)
    if found:
        lines = "\n".join(f"  {problem}" for problem in found)
        raise ArgumentError(f"the server could not work with these settings:\n{lines}")
