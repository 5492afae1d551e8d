"""The server as an object: its parts, the phase it is in, and the one way in which requests are answered."""

from __future__ import annotations

import asyncio
import logging
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from starlette.requests import ClientDisconnect

from laya.errors import ArgumentError, MissingExtraError
from laya.hooks.builtin import Cache, Tracing
from laya.router import Router
from laya.server.auth import Keys
from laya.server.errors import REFUSED, WireError, invalid, problem_of, wire_error
from laya.server.metrics import ServerMetrics
from laya.server.models import ModelNames, Residents
from laya.server.options import SchedulerOptions
from laya.server.reading import Reader
from laya.server.scheduler import Scheduler

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.requests import Request

    from laya.server.calls import Call
    from laya.server.reading import Asked
    from laya.server.settings import ServerSettings

logger = logging.getLogger("laya.server")

Phase = Literal["starting", "loading", "ready", "failed", "draining"]
DEADLINE_HEADER: Final = "x-request-timeout"

T = TypeVar("T")


def build_router(settings: ServerSettings) -> Router:
    """The Router that the settings describe; nothing is loaded.

    Raises:
        ArgumentError: a name, source or number cannot work.
    """
    router = Router(
        settings.catalogue,
        device=settings.device,
        default=settings.default_name,
        max_loaded=settings.max_loaded,
        max_bytes=settings.max_bytes,
        auto_task_detection=settings.auto_task,
        hooks=[
            *([Tracing()] if settings.tracing else []),
            *([Cache(settings.cache_size)] if settings.cache_size else []),
        ],
        hooks_raise=False,
    )
    for name, source in settings.extra_models.items():
        router.register(name, source)
    return router


def problems_of(settings: ServerSettings) -> list[str]:
    """What would keep a server with these settings from working, found without loading a checkpoint."""
    try:
        Keys(settings)
        router = build_router(settings)
    except (ArgumentError, MissingExtraError) as exc:
        return [exc.message]
    names = ModelNames(router, settings, Residents(router))
    found = names.problems()
    found += [f"models: {exc}" for exc in map(names.problem_with, settings.preloads) if exc]
    router.close()
    return found


@dataclass(eq=False)
class Service:
    """What the routes share.

    Attributes:
        settings: as loaded.
        router: answers; closed at the end if it was built here.
        owns_router: whether it was.
        phase: what `/ready` tells.
    """

    settings: ServerSettings
    router: Router
    owns_router: bool
    phase: Phase = "starting"
    keys: Keys = field(init=False)
    residents: Residents = field(init=False)
    names: ModelNames = field(init=False)
    reader: Reader = field(init=False)
    metrics: ServerMetrics = field(init=False)
    scheduler: Scheduler = field(init=False)
    _loading: asyncio.Task[None] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.keys = Keys(self.settings)
        self.residents = Residents(self.router)
        self.names = ModelNames(self.router, self.settings, self.residents)
        self.reader = Reader(self.settings, self.names)
        self.metrics = ServerMetrics()
        self.scheduler = self._new_scheduler()

    def _new_scheduler(self) -> Scheduler:
        settings = self.settings
        options = SchedulerOptions(
            max_batch_requests=settings.max_batch_requests,
            max_batch_tokens=settings.max_batch_tokens,
            max_wait=settings.max_batch_wait,
            engines=settings.engines,
            max_queued=settings.max_queued,
            max_queued_bytes=settings.max_queued_bytes,
            idle_unload=settings.idle_unload_seconds or None,
        )
        return Scheduler(self.router, options)

    # -- from start to end ---------------------------------------------------------------------------------------

    async def start(self) -> None:
        """Start the engine room, and load checkpoints in the background; requests that come meanwhile wait."""
        for hook in (self.residents, self.metrics.hook):
            self.router.add_hook(hook)
        if self.phase != "starting":  # a drained scheduler does not start again
            self.scheduler = self._new_scheduler()
        self.metrics.start(self.scheduler.stats)
        await self.scheduler.start()
        self.phase = "loading"
        self._loading = asyncio.create_task(self._load())

    async def stop(self) -> None:
        """Refuse new work, let what runs finish, and free what was built here."""
        await self.drain()
        if self._loading is not None:
            await self._loading
        self.metrics.stop()
        for hook in (self.residents, self.metrics.hook):
            self.router.remove_hook(hook)
        if self.owns_router:
            await asyncio.to_thread(self.router.close)

    async def drain(self) -> None:
        """Refuse new work, wait for what runs, then refuse what waits; safe to call twice."""
        self.begin_drain()
        await self.scheduler.drain(self.settings.drain_timeout)

    def begin_drain(self) -> None:
        """Tell load balancers to go elsewhere; requests are still answered."""
        self.phase = "draining"

    async def _load(self) -> None:
        try:
            if self.settings.preload:
                await asyncio.to_thread(self._warm_up)
        except Exception:
            logger.exception("a checkpoint could not be loaded; the server is not ready")
            self.phase = "failed" if self.phase == "loading" else self.phase
        else:
            self.phase = "ready" if self.phase == "loading" else self.phase

    def _warm_up(self) -> None:
        self.router.preload(self.settings.preloads)
        self.router.route("The first request should not wait for the detection of languages to load.")
        for name in self.settings.preloads:
            agent = self.router.load(name)
            if hasattr(agent, "warmup"):
                logger.info("warmed up %s in %.2f s", name, agent.warmup())

    # -- requests ------------------------------------------------------------------------------------------------

    def authenticate(self, request: Request) -> None:
        """Find out who calls.

        Raises:
            WireError: 401, no key or one that is not known.
        """
        call: Call = request.state.call
        owner = self.keys.owner(request.headers) if self.keys.required else None
        if owner is not None:
            call.client = owner
        elif self.keys.required:
            raise WireError(
                401,
                "invalid_api_key",
                "a key is needed: send it as 'Authorization: Bearer <key>'; none was sent, or it is not known here",
                headers={"WWW-Authenticate": "Bearer"},
            )

    async def answer(self, request: Request, asked: Asked) -> list[dict[str, Any]]:
        """Have requests answered by the engine room.

        Raises:
            WireError: a request was refused or failed, the queue is full, or the deadline passed.
            ClientDisconnect: the client hung up; what was still waiting is not run.
        """
        call: Call = request.state.call
        call.states, call.questions = len(asked.requests), len(asked.requests[0]["questions"])
        work = self.scheduler.submit(
            asked.requests,
            client=call.client,
            deadline=self._deadline(request),
            request_id=call.request_id,
            windows={"max_windows": self.settings.max_windows} if asked.scan else None,
        )
        try:
            results = await unless_gone(request, work)
        except Exception as exc:
            if isinstance(exc, ClientDisconnect):
                raise
            raise self.wire_error(exc) from exc
        self._raise_failures(results, asked)
        call.note(results)
        return results

    def wire_error(self, error: Exception) -> WireError:
        """What the wire says of an exception."""
        return wire_error(error, overload_status=self.settings.overload_status)

    def _raise_failures(self, results: list[Any], asked: Asked) -> None:
        problems = []
        for result, loc in zip(results, asked.locs, strict=True):
            if isinstance(result, REFUSED):
                problems.append(problem_of(result, loc))
            elif isinstance(result, Exception):
                raise self.wire_error(result) from result
        if problems:
            raise invalid(list(dict.fromkeys(problems)))

    def _deadline(self, request: Request) -> float:
        """Seconds within which the answering must begin: what the client asks for, at most what the settings allow."""
        text = request.headers.get(DEADLINE_HEADER)
        if text is None:
            return self.settings.request_timeout
        try:
            seconds = float(text)
        except ValueError:
            seconds = math.nan
        if not 0 < seconds < math.inf:
            message = f"{DEADLINE_HEADER} must be a positive number of seconds, got {text!r:.40}"
            raise WireError(400, "invalid_header", message)
        return min(seconds, self.settings.request_timeout)


async def unless_gone(request: Request, work: Awaitable[T]) -> T:
    """Await work, and cancel it when the client hangs up.

    Raises:
        ClientDisconnect: the client hung up first.
    """
    answering = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(_hang_up(request))
    try:
        await asyncio.wait((answering, watching), return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            return answering.result()
        raise ClientDisconnect
    finally:
        for task in (answering, watching):
            task.cancel()
        await asyncio.gather(answering, watching, return_exceptions=True)


async def _hang_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
