"""Around every request: its id, the check of the host, the last catch of errors, the access log, the metrics."""

from __future__ import annotations

import datetime as dt
import json
import logging
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect

from laya.server.errors import WireError
from laya.server.responses import error_response

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from laya.server.service import Service

access = logging.getLogger("laya.access")

REQUEST_ID_HEADERS: Final = ("x-request-id", "x-typesafe-request-id")
HUNG_UP: Final = 499
"""Status in the log and the metrics of a request whose client had gone before there was an answer."""
_ID: Final = re.compile(r"[\w.:/+=@-]{1,128}", re.ASCII)
_ROUTES: Final = (
    *("/v1/systemone", "/v1/systemone/batch", "/v1/models", "/v1/decisions", "/v1/plan"),
    *("/health", "/healthz", "/ready", "/readyz", "/metrics", "/openapi.json", "/docs", "/mcp"),
)


@dataclass(eq=False, slots=True)
class Call:
    """One HTTP request, for the log: facts and counts, never a text of the user."""

    request_id: str
    client: str
    method: str
    route: str
    started: float = field(default_factory=time.perf_counter)
    status: int = 0
    bytes_out: int = 0
    code: str | None = None
    model: str | None = None
    states: int | None = None
    questions: int | None = None
    input_tokens: int | None = None
    truncated: bool | None = None

    def note(self, results: Sequence[dict[str, Any]]) -> None:
        """Remember what results say of themselves."""
        usages = [result["usage"] for result in results]
        self.model = str((results[0].get("routing") or {}).get("model") or results[0]["model"])
        self.input_tokens = sum(usage["input_tokens"] for usage in usages)
        self.truncated = any(usage.get("truncated") for usage in usages)

    @property
    def seconds(self) -> float:
        """Time since the request came."""
        return time.perf_counter() - self.started


class Envelope:
    """ASGI middleware around all routes.

    Args:
        app: what it wraps.
        service: knows the settings, and takes the counts.
    """

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        call = _call(scope, headers)
        scope.setdefault("state", {})["call"] = call

        async def outgoing(message: Message) -> None:
            if message["type"] == "http.response.start":
                call.status = message["status"]
                _mark(MutableHeaders(scope=message), call)
            elif message["type"] == "http.response.body":
                call.bytes_out += len(message.get("body", b""))
            await send(message)

        try:
            self._check_host(headers)
            await self._app(scope, receive, outgoing)
        except ClientDisconnect:
            call.status = call.status or HUNG_UP
        except Exception as exc:
            error = self._service.wire_error(exc)
            if call.status:
                raise
            await error_response(error, call)(scope, receive, outgoing)
        finally:
            call.status = call.status or HUNG_UP
            self._service.metrics.count(call)
            if self._service.settings.access_log:
                access.info(log_line(call))

    def _check_host(self, headers: Headers) -> None:
        hosts = self._service.settings.hosts
        name = host_of(headers.get("host", ""))
        if "*" not in hosts and name not in hosts:
            raise WireError(
                403,
                "unknown_host",
                f"requests to the host {name!r:.80} are not answered; the operator can add it to allowed_hosts",
            )


def host_of(header: str) -> str:
    """Name in a Host header, without port and brackets."""
    text = header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0]


def log_line(call: Call) -> str:
    """A request as one line of JSON."""
    entry = {
        "time": dt.datetime.now(dt.timezone.utc).isoformat(timespec="milliseconds"),
        "request_id": call.request_id,
        "client": call.client,
        "method": call.method,
        "route": call.route,
        "status": call.status,
        "ms": round(call.seconds * 1000, 2),
        "bytes_out": call.bytes_out,
        "code": call.code,
        "model": call.model,
        "states": call.states,
        "questions": call.questions,
        "input_tokens": call.input_tokens,
        "truncated": call.truncated,
    }
    return json.dumps({key: value for key, value in entry.items() if value is not None})


def _call(scope: Scope, headers: Headers) -> Call:
    sent = next((headers[name] for name in REQUEST_ID_HEADERS if name in headers), "")
    path = scope["path"].removeprefix(scope.get("root_path", ""))
    method = scope["method"] if scope["method"] in {"GET", "HEAD", "POST", "OPTIONS"} else "other"
    return Call(
        request_id=sent if _ID.fullmatch(sent) else uuid.uuid4().hex,
        client=(scope.get("client") or ("local", 0))[0],
        method=method,
        route=path if path in _ROUTES else "/playground" if path.startswith("/playground") else "other",
    )


def _mark(headers: MutableHeaders, call: Call) -> None:
    for name in REQUEST_ID_HEADERS:
        headers[name] = call.request_id
    headers["server-timing"] = f"total;dur={call.seconds * 1000:.2f}"
    headers["x-content-type-options"] = "nosniff"
