"""Runs the server: on standard input and output for a client that starts it, or on a port."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from mcp.server.stdio import stdio_server

from laya.mcp.http import create_http_app
from laya.mcp.server import create_server
from laya.server.run import LayaServer, configure_logging
from laya.server.settings import load_settings, unknown_variables

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from laya.router import Router
    from laya.server.service import Service
    from laya.server.settings import ServerSettings

logger = logging.getLogger("laya.server")


def serve_stdio(settings: ServerSettings | None = None, router: Router | None = None) -> None:
    """Serve one client over standard input and output, until it closes them. Logs go to standard error.

    Args:
        settings: see `laya.server.load_settings`; None reads the environment. Host, port and keys mean nothing here.
        router: see `create_server`.

    Raises:
        ArgumentError: a setting cannot work.
    """
    chosen = load_settings(host="127.0.0.1") if settings is None else settings
    _start(chosen)
    asyncio.run(_stdio(create_server(chosen, router)))


def serve_http(settings: ServerSettings | None = None, router: Router | None = None) -> None:
    """Serve over HTTP until SIGTERM or SIGINT; see `laya.server.serve`.

    Args:
        settings: see `laya.server.load_settings`; None reads the environment.
        router: see `create_http_app`.

    Raises:
        ArgumentError: a setting cannot work.
        SystemExit: the port is taken.
    """
    chosen = load_settings() if settings is None else settings
    _start(chosen)
    LayaServer(create_http_app(chosen, router), chosen).run()


def _start(settings: ServerSettings) -> None:
    configure_logging(settings.log_level)
    for sentence in unknown_variables():
        logger.warning("%s", sentence)


async def _stdio(server: Server[Service]) -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
