"""`laya mcp`: the MCP server."""

import ipaddress
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from laya.cli.questions_file import read_json_file
from laya.errors import ArgumentError
from laya.extras import require

EXAMPLES = """Examples:

    laya mcp

    laya mcp --http 127.0.0.1:8000

    LAYA_API_KEY=... laya mcp --http 0.0.0.0:8080 --models hub

Limits, keys and checkpoints are the settings of `laya serve`: variables `LAYA_<NAME>` and keys of the config file.
"""

_CATALOGUES: Final = ("embedded", "hub")


def mcp(
    *,
    http: Annotated[
        str | None,
        typer.Option(
            "--http", metavar="HOST:PORT", help="Serve over HTTP at this address, not on standard input and output."
        ),
    ] = None,
    models: Annotated[
        str | None, typer.Option("--models", help="'embedded', 'hub', or a JSON file of name to source.")
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", "-c", help="A .toml or .json file of settings.")] = None,
    log_level: Annotated[
        str | None, typer.Option("--log-level", help="critical, error, warning, info or debug.")
    ] = None,
) -> None:
    """Give typed decisions as tools to a program that speaks the Model Context Protocol."""
    for module in ("mcp", "starlette", "uvicorn", "msgspec", "pydantic_settings"):
        require(module, "mcp", "laya mcp")
    from laya.mcp import serve_http, serve_stdio  # noqa: PLC0415 - needs the extra
    from laya.server.settings import load_settings  # noqa: PLC0415 - needs the extra

    overrides: dict[str, Any] = {"log_level": log_level, **_sources(models)}
    if http is None:
        # nobody else can reach standard input, whatever the settings say of an HTTP server
        serve_stdio(load_settings(config, host="127.0.0.1", **overrides))
        return
    host, port = _address(http)
    serve_http(load_settings(config, host=host, port=port, **overrides))


def _sources(models: str | None) -> dict[str, Any]:
    if models is None or models in _CATALOGUES:
        return {"catalogue": models}
    sources = read_json_file(Path(models), "models")
    if not isinstance(sources, dict) or not sources:
        raise ArgumentError(f"models file {models!r} must hold an object of name to source", path=models)
    return {"extra_models": sources}


def _address(given: str) -> tuple[str, int]:
    """Host and port of `HOST:PORT`; an IPv6 address stands in brackets.

    Raises:
        ArgumentError: it is not of this form.
    """
    host, colon, port = given.rpartition(":")
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if not colon or not bare or not (port.isascii() and port.isdigit()) or (":" in bare and not _is_ipv6(bare, host)):
        raise ArgumentError(f"--http takes HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000, got {given!r}")
    return bare, int(port)


def _is_ipv6(bare: str, host: str) -> bool:
    try:
        return host != bare and ipaddress.ip_address(bare).version == 6
    except ValueError:
        return False
