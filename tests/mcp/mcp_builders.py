"""Clients of the SDK, on a server in this process over fake agents."""

import asyncio
import contextlib
import json

from mcp import Client

from laya.mcp import create_server
from laya.server import load_settings
from server_builders import ENOUGH, fake_router


@contextlib.asynccontextmanager
async def connected(router=None, *, mode="auto", **settings):
    """A client of a server in this process."""
    own = fake_router() if router is None else router
    try:
        async with Client(create_server(load_settings(**settings), own), mode=mode) as client:
            yield client
    finally:
        own.close()


def call(name, arguments, router=None, **settings):
    """The structured result of one call."""
    return structured(called(name, arguments, router, **settings))


def called(name, arguments, router=None, **settings):
    """The result of one call, as the SDK gives it; the client has checked it against the tool's schema."""

    async def one():
        async with connected(router, **settings) as client:
            return await client.call_tool(name, arguments)

    return run(one())


def structured(result):
    """What a call that went well says; its text says the same."""
    assert not result.is_error, result.content
    (content,) = result.content
    assert json.loads(content.text) == result.structured_content
    return result.structured_content


def error_of(result):
    """What a call that failed says."""
    assert result.is_error
    assert result.structured_content is None
    (content,) = result.content
    return json.loads(content.text)["error"]


def run(work):
    """Run a coroutine to its end, in time."""
    return asyncio.run(asyncio.wait_for(work, ENOUGH))
