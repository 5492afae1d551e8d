"""The MCP server: typed decisions as tools, over stdio or HTTP. Needs the extra `mcp`; importing this module does not.

>>> from laya.mcp import serve_stdio
>>> serve_stdio()
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laya.mcp.http import create_http_app
    from laya.mcp.run import serve_http, serve_stdio
    from laya.mcp.server import create_server

_HOME = {
    "create_http_app": "laya.mcp.http",
    "create_server": "laya.mcp.server",
    "serve_http": "laya.mcp.run",
    "serve_stdio": "laya.mcp.run",
}

__all__ = ["create_http_app", "create_server", "serve_http", "serve_stdio"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'laya.mcp' has no attribute {name!r}")
    from laya.extras import require  # noqa: PLC0415 - only where a name is used

    for module in ("mcp", "starlette", "uvicorn", "msgspec", "pydantic_settings", "prometheus_client", "zstandard"):
        require(module, "mcp", "the MCP server")
    return getattr(importlib.import_module(_HOME[name]), name)
