"""The ASGI app: routes, the envelope around them, and what happens at the start and the end."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from laya.server import routes
from laya.server.calls import REQUEST_ID_HEADERS, Envelope
from laya.server.errors import WireError
from laya.server.openapi import document
from laya.server.pages import Playground
from laya.server.responses import error_response
from laya.server.service import Service, build_router
from laya.server.settings import ServerSettings, load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from laya.router import Router

_FOLDER: Final = Path(__file__).parent


def create_app(settings: ServerSettings | None = None, router: Router | None = None) -> Starlette:
    """The server as an ASGI app.

    Args:
        settings: see `load_settings`; None reads the environment.
        router: answers the requests, with whatever hooks it has, and stays the caller's to close; None builds the one
            that the settings describe.

    Raises:
        ArgumentError: a setting cannot work.
    """
    chosen = load_settings() if settings is None else settings
    service = Service(chosen, build_router(chosen) if router is None else router, owns_router=router is None)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.stop()

    app = Starlette(
        routes=_routes(chosen),
        middleware=_middleware(service),
        exception_handlers={WireError: _wire_error, HTTPException: _http_error},
        lifespan=lifespan,
    )
    app.state.service = service
    app.state.openapi = document(chosen.root_path or "/")
    return app


def _routes(settings: ServerSettings) -> list[BaseRoute]:
    found: list[BaseRoute] = [
        Route("/v1/systemone", routes.system_one, methods=["POST"]),
        Route("/v1/systemone/batch", routes.batch, methods=["POST"]),
        Route("/v1/decisions", routes.decisions, methods=["POST"]),
        Route("/v1/plan", routes.plan_request, methods=["POST"]),
        Route("/v1/models", routes.models),
        Route("/health", routes.health),
        Route("/healthz", routes.health),
        Route("/ready", routes.ready),
        Route("/readyz", routes.ready),
        Route("/metrics", routes.metrics),
    ]
    if settings.docs:
        found += [
            Route("/openapi.json", routes.openapi),
            Route("/docs", _docs),
            Route("/playground", _to_playground),
            Mount("/playground", Playground()),
        ]
    return found


def _middleware(service: Service) -> list[Middleware]:
    found = [Middleware(Envelope, service=service)]
    if service.settings.allowed_origins:
        found.append(
            Middleware(
                CORSMiddleware,
                allow_origins=service.settings.allowed_origins,
                allow_methods=["GET", "POST"],
                allow_headers=["*"],
                expose_headers=list(REQUEST_ID_HEADERS),
            )
        )
    return found


async def _docs(_request: Request) -> Response:
    return FileResponse(_FOLDER / "static" / "docs.html")


async def _to_playground(request: Request) -> Response:
    return RedirectResponse(request.scope.get("root_path", "") + "/playground/")


async def _wire_error(request: Request, exc: Exception) -> Response:
    assert isinstance(exc, WireError)  # noqa: S101 - the only kind that this handler is registered for
    return error_response(exc, request.state.call)


async def _http_error(request: Request, exc: Exception) -> Response:
    assert isinstance(exc, HTTPException)  # noqa: S101 - the only kind that this handler is registered for
    code = {404: "not_found", 405: "method_not_allowed"}.get(exc.status_code, "http_error")
    messages = {404: "there is no such route here", 405: f"this route does not take {request.method}"}
    message = messages.get(exc.status_code, str(exc.detail))
    error = WireError(exc.status_code, code, message, headers=dict(exc.headers or {}))
    return error_response(error, request.state.call)
