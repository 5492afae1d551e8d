"""The routes: what comes in is checked, answered by the service, and written as the protocol says."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from laya.plan import plan
from laya.server.answers import batch_of, keys_as_text, response_of
from laya.server.bodies import read_json
from laya.server.decisions import answers_in_order, in_this_dialect, is_openai, to_system_one
from laya.server.errors import WireError
from laya.server.responses import json_response

if TYPE_CHECKING:
    from starlette.requests import Request

    from laya.server.service import Service


def service_of(request: Request) -> Service:
    """The service of the app that a request came to."""
    service: Service = request.app.state.service
    return service


async def system_one(request: Request) -> Response:
    """Answer questions about one state."""
    service = service_of(request)
    service.authenticate(request)
    return await _system_one(request, await read_json(request, service.settings))


async def _system_one(request: Request, value: Any) -> Response:
    service = service_of(request)
    asked = service.reader.system_one(value)
    (result,) = await service.answer(request, asked)
    return json_response(response_of(result, strict=service.settings.strict, warnings=asked.warnings))


async def batch(request: Request) -> Response:
    """Answer the same questions about many states."""
    service = service_of(request)
    service.authenticate(request)
    asked = service.reader.batch(await read_json(request, service.settings))
    results = await service.answer(request, asked)
    return json_response(batch_of(results, strict=service.settings.strict, warnings=asked.warnings))


async def decisions(request: Request) -> Response:
    """Answer a request in either dialect: with `state` and a map of questions, or with `input` and a list of them."""
    service = service_of(request)
    service.authenticate(request)
    value = await read_json(request, service.settings)
    if not is_openai(value):
        return await _system_one(request, value)
    translated = to_system_one(value)
    try:
        asked = service.reader.system_one(translated.body)
        (result,) = await service.answer(request, asked)
    except WireError as exc:
        raise in_this_dialect(exc) from exc
    return json_response(answers_in_order(result, translated))


async def plan_request(request: Request) -> Response:
    """Tell what a request would cost and cut, without answering it."""
    service = service_of(request)
    service.authenticate(request)
    asked = service.reader.system_one(await read_json(request, service.settings))
    arguments = {key: value for key, value in asked.requests[0].items() if key not in {"truncation", "min_confidence"}}
    try:
        planned = await asyncio.to_thread(lambda: plan(service.router, **arguments))
    except Exception as exc:
        raise service.wire_error(exc) from exc
    routing = dict(planned.get("routing") or {})
    routing.pop("repo", None)
    return json_response(keys_as_text({**planned, "model": routing.get("model"), "routing": routing}))


async def models(request: Request) -> Response:
    """List what can be asked."""
    service = service_of(request)
    service.authenticate(request)
    return json_response(service.names.listing())


async def health(request: Request) -> Response:
    """Tell that the process lives; more to those who may call. Loads nothing and waits for nothing."""
    service = service_of(request)
    if service.keys.required and service.keys.owner(request.headers) is None:
        return json_response({"status": "ok"})
    details = {"phase": service.phase, "loaded": service.router.loaded, "checkpoints": service.residents.facts}
    return json_response({"status": "ok", **details})


async def ready(request: Request) -> Response:
    """Tell whether requests should be sent here: checkpoints are loaded, and the server is not about to end."""
    service = service_of(request)
    fine = service.phase == "ready"
    return json_response(
        {"status": service.phase},
        200 if fine else 503,
        None if fine else {"Retry-After": "1", "Cache-Control": "no-store"},
    )


async def metrics(request: Request) -> Response:
    """The counts, in the text format of Prometheus."""
    service = service_of(request)
    if not service.settings.open_metrics:
        service.authenticate(request)
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4")


async def openapi(request: Request) -> Response:
    """The OpenAPI document."""
    return json_response(request.app.state.openapi)
