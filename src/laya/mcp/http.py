"""The server over streamable HTTP, with the keys, host check and log of the HTTP server around it."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.routing import Route

from laya.mcp.server import new_service, server_of
from laya.server import routes
from laya.server.bodies import read_json
from laya.server.calls import Envelope
from laya.server.errors import WireError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.types import Message, Receive, Scope, Send

    from laya.router import Router
    from laya.server.service import Service
    from laya.server.settings import ServerSettings

PATH: Final = "/mcp"
_OF_THE_BODY: Final = (b"content-length", b"content-encoding", b"transfer-encoding")


def create_http_app(settings: ServerSettings | None = None, router: Router | None = None) -> Starlette:
    """The server as an ASGI app: `/mcp`, and `/health` and `/ready` for those who operate it.

    There are no sessions: any process answers any request. Every process may therefore end at any time.

    Args:
        settings: see `laya.server.load_settings`; None reads the environment.
        router: answers the requests and stays the caller's to close; None builds the one that the settings describe.

    Raises:
        ArgumentError: a setting cannot work.
    """
    service = new_service(settings, router)
    manager = StreamableHTTPSessionManager(
        server_of(service),
        json_response=True,
        stateless=True,
        # host and origin are checked here, by the rules of the HTTP server
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
        max_request_body_size=service.settings.max_body_bytes,
    )

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    app = Starlette(
        routes=[
            Route(PATH, Endpoint(service, manager), methods=["POST"]),
            *(Route(path, routes.health) for path in ("/health", "/healthz")),
            *(Route(path, routes.ready) for path in ("/ready", "/readyz")),
        ],
        middleware=[Middleware(Envelope, service=service)],
        lifespan=lifespan,
    )
    app.state.service = service
    return app


class Endpoint:
    """The one route of the protocol: checks who calls and what they send, then hands it to the SDK.

    Args:
        service: knows the keys and limits.
        manager: answers.
    """

    def __init__(self, service: Service, manager: StreamableHTTPSessionManager) -> None:
        self._service = service
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run one request.

        Raises:
            WireError: 401 and 403 for who calls, 408, 413, 415 and 422 for a body that is not read.
        """
        request = Request(scope, receive)
        self._check_origin(request)
        self._service.authenticate(request)
        value = await read_json(request, self._service.settings)
        raw = json.dumps(value, ensure_ascii=False).encode()
        left: list[Message] = [{"type": "http.request", "body": raw, "more_body": False}]

        async def replay() -> Message:
            return left.pop() if left else await receive()

        await self._manager.handle_request(_with_length(scope, len(raw)), replay, send)

    def _check_origin(self, request: Request) -> None:
        """Let pages of this very server and of the allowed origins call; programs send no origin."""
        origin = request.headers.get("origin")
        if origin is None or origin in self._service.settings.allowed_origins:
            return
        if urlsplit(origin).netloc != request.headers.get("host"):
            message = f"pages of {origin!r:.80} may not call; the operator can add it to allowed_origins"
            raise WireError(403, "unknown_origin", message)


def _with_length(scope: Scope, length: int) -> Scope:
    """A scope whose headers are those of the body that is handed on."""
    kept = [(name, value) for name, value in scope["headers"] if name.lower() not in _OF_THE_BODY]
    return {**scope, "headers": [*kept, (b"content-length", str(length).encode())]}
