"""Runs the app on uvicorn: logs as lines, an orderly end on SIGTERM, keys read again on SIGHUP."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from typing import TYPE_CHECKING, Any

import uvicorn

from laya.server.app import create_app
from laya.server.settings import ServerSettings, load_settings, unknown_variables

if TYPE_CHECKING:
    import socket
    from types import FrameType

    from starlette.applications import Starlette

    from laya.router import Router
    from laya.server.service import Service

logger = logging.getLogger("laya.server")


def serve(settings: ServerSettings | None = None, router: Router | None = None) -> None:
    """Serve until SIGTERM or SIGINT.

    On the first signal `/ready` says no at once; after `drain_delay` seconds no new connection is taken, what runs
    finishes within `drain_timeout`, and what still waits is refused. A second signal ends it sooner.

    Args:
        settings: see `load_settings`; None reads the environment.
        router: see `create_app`.

    Raises:
        ArgumentError: a setting cannot work.
        SystemExit: the port is taken.
    """
    chosen = load_settings() if settings is None else settings
    configure_logging(chosen.log_level)
    for sentence in unknown_variables():
        logger.warning("%s", sentence)
    app = create_app(chosen, router)
    LayaServer(app, chosen).run()


def configure_logging(level: str) -> None:
    """Send the logs of the server to stderr: sentences for people, and the access log as bare lines of JSON."""
    people = logging.StreamHandler(sys.stderr)
    people.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    for name in ("laya", "uvicorn"):
        _own(name, level, people)
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(logging.Formatter("%(message)s"))
    _own("laya.access", "info", lines)


def _own(name: str, level: str, handler: logging.Handler) -> None:
    chosen = logging.getLogger(name)
    chosen.handlers = [handler]
    chosen.setLevel(level.upper())
    chosen.propagate = False


class LayaServer(uvicorn.Server):
    """A uvicorn server that says "not ready" before it stops.

    Args:
        app: what `create_app` returned.
        settings: the same as there.

    Attributes:
        loop: the event loop that it runs on, once started.
    """

    def __init__(self, app: Starlette, settings: ServerSettings) -> None:
        config = uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            root_path=settings.root_path,
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            timeout_graceful_shutdown=int(settings.drain_timeout) + 1,
        )
        super().__init__(config)
        self._service: Service = app.state.service
        self._delay = settings.drain_delay
        self.loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Bind the port; SIGHUP reads the keys again from now on."""
        self.loop = asyncio.get_running_loop()
        hang_up: Any = getattr(signal, "SIGHUP", None)
        if hang_up is not None:
            try:
                self.loop.add_signal_handler(hang_up, self._service.keys.reload)
            except (RuntimeError, ValueError):  # not the main thread: whoever runs it there handles signals
                logger.debug("SIGHUP is not watched outside the main thread")
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the port, and refuse what still waits at the end of `drain_timeout` before connections are cut."""
        draining = asyncio.create_task(self._service.drain())
        await super().shutdown(sockets)
        await draining

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin the orderly end on the first signal, hurry on the second."""
        first = self._service.phase != "draining"
        self._service.begin_drain()
        if first and self._delay > 0 and self.loop is not None:
            self.loop.call_soon_threadsafe(self.loop.call_later, self._delay, super().handle_exit, sig, frame)
            return
        super().handle_exit(sig, frame)
