"""Residency: which checkpoints are in memory, who is using them, and which one goes when there is no room.

Nothing is built, closed or told to hooks while the lock of the table is held.
"""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ClosedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_building: Final[ContextVar[frozenset[tuple[int, str]]]] = ContextVar("laya_building", default=frozenset())
"""(pool, name) pairs whose build or load event this logical call is inside of."""


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
    leaving: bool = False
    """Out of the table already; closed when its last user is done."""


@dataclass(eq=False, slots=True)
class Build:
    """A build that is under way; others wait for it."""

    done: threading.Event = field(default_factory=threading.Event)
    error: BaseException | None = None


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

    @contextmanager
    def use(self, name: str) -> Iterator[Any]:
        """Load a checkpoint if need be, and keep it alive for the length of the block."""
        resident = self._acquire(name)
        try:
            yield resident.agent
        finally:
            self._release(resident)

    def load(self, name: str) -> Any:
        """The agent of a checkpoint, built once however many threads ask for it."""
        resident = self._acquire(name)
        self._release(resident)
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

    def unload(self, name: str | None = None) -> list[str]:
        """Take one checkpoint, or all, out of memory after the builds of that name are over; fires `on_evict`."""
        names = sorted({*self.names, *self._builds_of(None)}, key=self._age) if name is None else [name]
        gone, freed = [], []
        for each in names:
            self._wait_for_build(each)
            with self._lock:
                resident = self._residents.pop(each, None)
            if resident is not None:
                gone.append(each)
                freed.append(resident)
        self._let_go(freed)
        self._owner.announce(gone, None, None)
        return gone

    def close(self) -> None:
        """Refuse new loads and unload everything."""
        with self._lock:
            self._closed = True
        self.unload()

    # -- loading -------------------------------------------------------------------------------------------------

    def _acquire(self, name: str) -> Resident:
        while True:
            with self._lock:
                self._check_open()
                build = self._builds.get(name)
                ours = (id(self), name) in _building.get()
                resident = self._residents.get(name)
                if resident is not None and (build is None or ours):
                    self._residents.move_to_end(name)
                    resident.users += 1
                    return resident
                if build is None:
                    build = self._builds[name] = Build()
                    break
            if ours:
                raise RuntimeError(f"checkpoint {name!r} cannot be loaded from inside its own build")
            build.done.wait()
            if isinstance(build.error, Exception):
                raise _own(build.error)
        return self._build(name, build)

    def _build(self, name: str, build: Build) -> Resident:
        token = _building.set(_building.get() | {(id(self), name)})
        try:
            evicted = self._make_room(self._owner.size(name))
            try:
                agent = self._owner.build(name)
            except BaseException:
                self._owner.announce(evicted, None, None)
                raise
            resident, more = self._register(name, agent)
            build.error = None
            self._owner.announce(evicted + more, name if resident.agent is agent else None, resident.agent)
        except BaseException as exc:
            if self.peek(name) is None:
                build.error = exc
            else:
                self._release(resident)
            raise
        finally:
            _building.reset(token)
            with self._lock:
                self._builds.pop(name, None)
            build.done.set()
        return resident

    def _register(self, name: str, agent: Any) -> tuple[Resident, list[str]]:
        with self._lock:
            current = self._residents.get(name)
            if current is not None:  # attached while it was being built: the caller's agent stays
                current.users += 1
                surplus = [Resident(agent, pinned=False, size=0)]
                victims: list[str] = []
            else:
                current = self._residents[name] = Resident(agent, pinned=False, size=_bytes_of(agent))
                current.users = 1
                victims, surplus = self._choose_victims(0, len(self._counted()) - self.max_loaded, keep=name)
        self._let_go(surplus)
        return current, victims

    def _make_room(self, wanted: int) -> list[str]:
        if self.max_bytes is None:
            return []
        with self._lock:
            names, freed = self._choose_victims(wanted, 0, keep=None)
        self._let_go(freed)
        return names

    def _counted(self) -> list[Resident]:
        return [resident for resident in self._residents.values() if not resident.pinned]

    def _choose_victims(self, wanted: int, surplus: int, keep: str | None) -> tuple[list[str], list[Resident]]:
        """Take the least recently used out of the table until count and bytes fit; attached ones stay."""
        names: list[str] = []
        freed: list[Resident] = []
        for name, resident in list(self._residents.items()):
            used = sum(other.size for other in self._counted())
            too_big = self.max_bytes is not None and used + wanted > self.max_bytes
            if len(names) >= surplus and not too_big:
                break
            if resident.pinned or name == keep:
                continue
            del self._residents[name]
            names.append(name)
            freed.append(resident)
        return names, freed

    # -- ends ----------------------------------------------------------------------------------------------------

    def _release(self, resident: Resident) -> None:
        with self._lock:
            resident.users -= 1
            last = resident.leaving and resident.users == 0
        if last:
            resident.agent.close()

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
            resident.agent.close()

    def _builds_of(self, name: str | None) -> list[str]:
        with self._lock:
            return [known for known in self._builds if name in {None, known}]

    def _wait_for_build(self, name: str) -> None:
        with self._lock:
            build = self._builds.get(name)
        if build is not None and (id(self), name) not in _building.get():
            build.done.wait()

    def _age(self, name: str) -> int:
        names = self.names
        return names.index(name) if name in names else len(names)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError("this Router is closed; make a new one")


def _bytes_of(agent: Any) -> int:
    return int(getattr(agent, "memory_bytes", 0) or 0)


def _own(error: Exception) -> Exception:
    """An exception of a waiter's own: tracebacks of several threads must not grow on one object."""
    try:
        mine = copy.copy(error)
    except Exception:
        mine = RuntimeError(f"the checkpoint could not be loaded: {error}")
    mine.__cause__ = error
    return mine
