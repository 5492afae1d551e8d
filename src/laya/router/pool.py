"""Residency: which checkpoints are in memory, who is using them, and which one goes when there is no room.

Nothing is built, closed or told to hooks while the lock of the table is held.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ClosedError
from laya.router.causes import beside, copy_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextvars import Token

logger = logging.getLogger("laya.router")

_around: Final[ContextVar[frozenset[Build]]] = ContextVar("laya_builds_around", default=frozenset())
"""Builds, with their events, that this logical call is inside of; some may be over."""


@dataclass(frozen=True, slots=True)
class Loads:
    """What the pool asks of its owner.

    Attributes:
        build: builds the agent of a checkpoint.
        size: bytes that a checkpoint will take, before it is built; 0 when unknown.
        announce: fires `on_evict` for each evicted name, then `on_load` for the loaded one, if any, with its agent.
    """

    build: Callable[[str], Any]
    size: Callable[[str], int]
    announce: Callable[[list[str], str | None, Any], None]


@dataclass(eq=False, slots=True)
class Resident:
    """One checkpoint in memory. Guarded by the pool's lock."""

    agent: Any
    pinned: bool
    size: int
    users: int = 0
    used: float = field(default_factory=time.monotonic)
    """When its last user left."""
    leaving: bool = False
    """Out of the table already; closed when its last user is done."""


@dataclass(eq=False, slots=True)
class Build:
    """A build that is under way, up to the end of its events; others wait for it.

    Attributes:
        pool: whose build it is.
        size: bytes it will take, until it has its place in the table.
        ready: set when the agent is in the table, or never will be; after that only hooks run.
        done: set when the hooks have run too.
        resident: what was built, or attached meanwhile; its user is the build itself until `done`.
        error: what the build failed with; None for an interrupt, which concerns the building thread alone.
    """

    pool: Pool
    size: int = 0
    ready: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)
    resident: Resident | None = None
    error: Exception | None = None


class Pool:
    """Agents by name, least recently used first.

    Args:
        owner: builds agents and tells hooks.
        max_loaded: most checkpoints in memory besides attached ones.
        max_bytes: most bytes of weights in memory besides attached ones; None is no limit.
    """

    def __init__(self, owner: Loads, max_loaded: int, max_bytes: int | None) -> None:
        self._owner = owner
        self.max_loaded = max_loaded
        self.max_bytes = max_bytes
        self._lock = threading.Lock()
        self._residents: OrderedDict[str, Resident] = OrderedDict()
        self._builds: dict[str, Build] = {}
        self._closed = False

    @property
    def names(self) -> list[str]:
        """Names in memory, least recently used first."""
        with self._lock:
            return list(self._residents)

    def peek(self, name: str) -> Any:
        """The agent in memory under this name, or None; does not count as a use."""
        with self._lock:
            resident = self._residents.get(name)
            return resident.agent if resident else None

    def use(self, name: str) -> AbstractContextManager[Any]:
        """Load a checkpoint if need be, and keep it alive for the length of the block."""
        return _Use(self, name)

    def load(self, name: str) -> Any:
        """The agent of a checkpoint, built once however many threads ask for it."""
        resident = self.acquire(name)
        self.release(resident)
        return resident.agent

    def reserve(self, names: Iterable[str]) -> None:
        """Raise `max_loaded` so that these fit beside what is in memory."""
        with self._lock:
            counted = {name for name, resident in self._residents.items() if not resident.pinned}
            pinned = self._residents.keys() - counted
            self.max_loaded = max(self.max_loaded, len(counted | set(names) - pinned))

    def attach(self, name: str, agent: Any) -> None:
        """Put an existing agent into the table for good; one that was there is let go without an event."""
        with self._lock:
            self._check_open()
            replaced = self._residents.pop(name, None)
            self._residents[name] = Resident(agent, pinned=True, size=0)
        if replaced is not None and replaced.agent is not agent:
            self._let_go([replaced])

    def unload(self, name: str | None = None) -> None:
        """Take one checkpoint, or all, out of memory, those under way when they are built; fires `on_evict`."""
        with self._lock:
            wanted = {name} if name is not None else self._residents.keys() | self._builds.keys()
            builds = [build for known, build in self._builds.items() if known in wanted]
            around = self._builds_around()
        for build in builds:
            if build not in around:
                build.ready.wait()
        with self._lock:
            gone = [known for known in self._residents if known in wanted]
            freed = [self._residents.pop(known) for known in gone]
        self._let_go(freed)
        self._owner.announce(gone, None, None)

    def unload_idle(self, seconds: float) -> list[str]:
        """Take checkpoints out of memory that nobody uses, or has used for so long; fires `on_evict`."""
        with self._lock:
            before = time.monotonic() - seconds
            gone = [name for name, r in self._residents.items() if not (r.pinned or r.users) and r.used <= before]
            freed = [self._residents.pop(name) for name in gone]
        self._let_go(freed)
        self._owner.announce(gone, None, None)
        return gone

    def close(self) -> None:
        """Refuse new loads and unload everything."""
        with self._lock:
            self._closed = True
        self.unload()

    # -- loading -------------------------------------------------------------------------------------------------

    def acquire(self, name: str) -> Resident:
        """Load a checkpoint if need be, and count one more user of it."""
        while True:
            with self._lock:
                self._check_open()
                build = self._builds.get(name)
                around = self._builds_around()
                resident = self._find(name, build)
                if resident is not None:
                    resident.users += 1
                    return resident
                if build is None:
                    build = self._builds[name] = Build(self)
                    break
            if build in around:
                raise RuntimeError(f"checkpoint {name!r} cannot be loaded from inside its own build")
            _wait(build, around)
            if build.error is not None:
                raise copy_error(build.error)
        return self._build(name, build)

    def _find(self, name: str, build: Build | None) -> Resident | None:
        """What is in the table, or what a build that still runs its hooks has made, though it was evicted since.

        It is there for everybody at once: a load hook may wait for a thread of its own that asks for it. Only those who
        waited for the build itself also wait for its hooks.
        """
        resident = self._residents.get(name)
        if resident is not None:
            self._residents.move_to_end(name)
        elif build is not None:
            resident = build.resident
        return resident

    def _builds_around(self) -> frozenset[Build]:
        """Builds of this pool that this call is inside of. It must not wait for hooks: they may wait for it."""
        around = _around.get()
        if not around:
            return around
        return frozenset(build for build in around if build.pool is self and not build.done.is_set())

    def _build(self, name: str, build: Build) -> Resident:
        token = _around.set(_around.get() | {build})
        try:
            agent, evicted = self._construct(name, build)
            resident, more = self._register(name, agent, build)
            self._owner.announce(evicted + more, name if resident.agent is agent else None, resident.agent)
        except BaseException as exc:
            if build.resident is None and isinstance(exc, Exception):
                build.error = exc
            self._finish(name, build, token)
            if build.resident is not None:
                self.release(build.resident)
            raise
        self._finish(name, build, token)
        return resident

    def _finish(self, name: str, build: Build, token: Token[frozenset[Build]]) -> None:
        _around.reset(token)
        with self._lock:
            self._builds.pop(name, None)
        build.ready.set()
        build.done.set()

    def _construct(self, name: str, build: Build) -> tuple[Any, list[str]]:
        """The new agent, and the names that went to make room for it."""
        evicted = self._make_room(build, self._owner.size(name))
        try:
            return self._owner.build(name), evicted
        except BaseException as exc:
            build.error = exc if isinstance(exc, Exception) else None
            build.ready.set()
            with beside(exc):
                self._owner.announce(evicted, None, None)
            raise

    def _register(self, name: str, agent: Any, build: Build) -> tuple[Resident, list[str]]:
        with self._lock:
            build.size = 0
            victims: list[str] = []
            surplus: list[Resident] = []
            current = self._residents.get(name)
            if current is None:
                current = self._residents[name] = Resident(agent, pinned=False, size=_bytes_of(agent))
                victims, surplus = self._choose_victims(len(self._counted()) - self.max_loaded, keep=name)
            elif current.agent is not agent:  # attached while it was being built: the caller's agent stays
                surplus = [Resident(agent, pinned=False, size=0)]
            current.users += 1
            build.resident = current
        self._let_go(surplus)
        build.ready.set()
        return current, victims

    def _make_room(self, build: Build, size: int) -> list[str]:
        if self.max_bytes is None:
            return []
        with self._lock:
            build.size = size
            names, freed = self._choose_victims(0, keep=None)
        self._let_go(freed)
        return names

    def _counted(self) -> list[Resident]:
        return [resident for resident in self._residents.values() if not resident.pinned]

    def _too_big(self) -> bool:
        if self.max_bytes is None:
            return False
        coming = sum(build.size for build in self._builds.values())
        return coming + sum(resident.size for resident in self._counted()) > self.max_bytes

    def _choose_victims(self, surplus: int, keep: str | None) -> tuple[list[str], list[Resident]]:
        """Take the least recently used out of the table until count and bytes fit; attached ones stay."""
        names: list[str] = []
        freed: list[Resident] = []
        for name, resident in list(self._residents.items()):
            if len(names) >= surplus and not self._too_big():
                break
            if resident.pinned or name == keep:
                continue
            del self._residents[name]
            names.append(name)
            freed.append(resident)
        return names, freed

    # -- ends ----------------------------------------------------------------------------------------------------

    def release(self, resident: Resident) -> None:
        """Count one user less; what has left the table is closed with its last user."""
        with self._lock:
            resident.users -= 1
            resident.used = time.monotonic()
            last = resident.leaving and resident.users == 0
        if last:
            _close(resident.agent)

    def _let_go(self, residents: list[Resident]) -> None:
        """Close agents that left the table: now, or when the calls that use them are over. Attached ones stay open."""
        idle = []
        with self._lock:
            for resident in residents:
                if resident.pinned:
                    continue
                resident.leaving = True
                if resident.users == 0:
                    idle.append(resident)
        for resident in idle:
            _close(resident.agent)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this Router is closed; make a new one")


class _Use(AbstractContextManager[Any]):
    """One use of a checkpoint; every call makes one, so it is a class rather than a generator."""

    __slots__ = ("_name", "_pool", "_resident")

    def __init__(self, pool: Pool, name: str) -> None:
        self._pool = pool
        self._name = name

    def __enter__(self) -> Any:
        self._resident = self._pool.acquire(self._name)
        return self._resident.agent

    def __exit__(self, *_: object) -> None:
        self._pool.release(self._resident)


def _bytes_of(agent: Any) -> int:
    return int(getattr(agent, "memory_bytes", 0) or 0)


def _wait(build: Build, around: frozenset[Build]) -> None:
    """Wait for a build, with its hooks unless this call is itself part of a build's hooks."""
    (build.ready if around else build.done).wait()


def _close(agent: Any) -> None:
    close = getattr(agent, "close", None)
    if close is None:
        return
    try:
        close()
    except Exception:  # the call that happens to evict it is not to blame
        logger.warning("laya: an agent that left memory failed to close", exc_info=True)
