"""The HTTP server: the System One protocol over a Router. Needs the extra `server`; importing this module does not.

>>> from laya.server import create_app, load_settings
>>> app = create_app(load_settings(port=8080))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laya.server.app import create_app
    from laya.server.auth import hash_key
    from laya.server.run import serve
    from laya.server.settings import ServerSettings, load_settings

_HOME = {
    "create_app": "laya.server.app",
    "hash_key": "laya.server.auth",
    "serve": "laya.server.run",
    "ServerSettings": "laya.server.settings",
    "load_settings": "laya.server.settings",
}

__all__ = ["ServerSettings", "create_app", "hash_key", "load_settings", "serve"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'laya.server' has no attribute {name!r}")
    from laya.extras import require  # noqa: PLC0415 - only where a name is used

    for module in ("starlette", "uvicorn", "msgspec", "pydantic_settings", "prometheus_client", "zstandard"):
        require(module, "server", "the server")
    return getattr(importlib.import_module(_HOME[name]), name)
