"""The server of the protocol: lists and calls the tools, and lists checkpoints as a resource."""

from __future__ import annotations

import asyncio
import uuid
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

import msgspec
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolResult,
    ListResourcesResult,
    ListToolsResult,
    ReadResourceResult,
    Resource,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
)
from mcp.types import Tool as ToolInfo

from laya.mcp.reading import check_size, failed
from laya.mcp.schemas import schema_of
from laya.mcp.tools import TOOLS, Caller
from laya.server.service import Service, build_router
from laya.server.settings import ServerSettings, load_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.server.context import ServerRequestContext
    from mcp.types import CallToolRequestParams, PaginatedRequestParams, ReadResourceRequestParams

    from laya.router import Router

    Context = ServerRequestContext[Service, Any]

MODELS: Final = "laya://models"
_JSON: Final = "application/json"
_INSTRUCTIONS: Final = (
    "Typed decisions over text by a small local model: probabilities instead of prose. Prefer check, classify or score "
    "for one question and ask for several about the same state. The resource laya://models lists the checkpoints; "
    "without a model the one that suits the text is chosen. Errors are JSON with code, message and path."
)


def new_service(settings: ServerSettings | None = None, router: Router | None = None) -> Service:
    """What answers: the same parts that are behind the HTTP server.

    Args:
        settings: see `laya.server.load_settings`; None reads the environment.
        router: answers the requests and stays the caller's to close; None builds the one that the settings describe.

    Raises:
        ArgumentError: a setting cannot work.
    """
    chosen = load_settings() if settings is None else settings
    return Service(chosen, build_router(chosen) if router is None else router, owns_router=router is None)


def create_server(settings: ServerSettings | None = None, router: Router | None = None) -> Server[Service]:
    """The server, for a transport of the SDK to run.

    Args:
        settings: limits, checkpoints and timeouts; None reads the environment.
        router: answers the requests and stays the caller's to close; None builds the one that the settings describe.

    Raises:
        ArgumentError: a setting cannot work.
    """
    return server_of(new_service(settings, router))


def server_of(service: Service) -> Server[Service]:
    """The server of a service; it starts the service when it is run, and stops it at the end."""

    @asynccontextmanager
    async def lifespan(_server: Server[Service]) -> AsyncIterator[Service]:
        await service.start()
        try:
            yield service
        finally:
            await service.stop()

    return Server(
        "laya",
        title="laya: typed decisions",
        version=version("laya-engine"),
        instructions=_INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_read_resource=_read_resource,
    )


async def _list_tools(_ctx: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
    return ListToolsResult(tools=_INFOS)


async def _call_tool(ctx: Context, params: CallToolRequestParams) -> CallToolResult:
    service = ctx.lifespan_context
    tool = TOOLS.get(params.name)
    if tool is None:
        raise MCPError(INVALID_PARAMS, f"there is no tool {params.name!r:.80}; there are {', '.join(TOOLS)}")
    caller, arguments = _caller(ctx), params.arguments or {}
    try:
        if ctx.request is None:  # over HTTP the body was checked as a whole
            check_size(arguments, service.settings)
        result = msgspec.to_builtins(await tool.run(service, arguments, caller))
    except Exception as exc:
        return failed(service.wire_error(exc), tool.names, caller.request_id)
    text = msgspec.json.encode(result).decode()
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=result)


async def _list_resources(_ctx: Context, _params: PaginatedRequestParams | None) -> ListResourcesResult:
    return ListResourcesResult(
        resources=[
            Resource(
                uri=MODELS,
                name="models",
                title="Checkpoints",
                description="Names, languages, limits and calibration of every checkpoint that a tool can name.",
                mime_type=_JSON,
            )
        ]
    )


async def _read_resource(ctx: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
    if str(params.uri) != MODELS:
        raise MCPError(INVALID_PARAMS, f"there is no resource {str(params.uri)!r:.200}; there is {MODELS}")
    listing = await asyncio.to_thread(ctx.lifespan_context.names.listing)
    text = msgspec.json.encode(listing).decode()
    return ReadResourceResult(contents=[TextResourceContents(uri=params.uri, mime_type=_JSON, text=text)])


def _caller(ctx: Context) -> Caller:
    """Who calls: over HTTP the owner of the key, or the address."""
    if ctx.request is None:
        return Caller("local", uuid.uuid4().hex)
    call = ctx.request.state.call
    return Caller(call.client, call.request_id, call)


_HINTS: Final = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
_INFOS: Final = [
    ToolInfo(
        name=name,
        title=tool.title,
        description=tool.description,
        input_schema=schema_of(tool.takes),
        output_schema=schema_of(tool.gives),
        annotations=_HINTS,
    )
    for name, tool in TOOLS.items()
]
