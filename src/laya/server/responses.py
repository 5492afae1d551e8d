"""Responses: JSON bodies of structs and of errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

if TYPE_CHECKING:
    from laya.server.calls import Call
    from laya.server.errors import WireError


def json_response(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A value or struct as a JSON response."""
    return Response(msgspec.json.encode(value), status, headers, media_type="application/json")


def error_response(error: WireError, call: Call) -> Response:
    """An error as a JSON response; its code goes into the log."""
    call.code = error.code
    return json_response(error.body(call.request_id), error.status, error.headers)
