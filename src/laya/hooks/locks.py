"""Leases and locks: who is running a hook, on behalf of which call, and whether it still may."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

    from typing_extensions import Self

    from laya.hooks.context import PredictContext

logger = logging.getLogger("laya.hooks")

_LOOP_POLL: Final = 0.05
"""Seconds between looks at a lock from a thread whose event loop stands still while it waits."""


class ForkSafeLock:
    """A mutex that is free again in a forked child, whoever held it in the parent."""

    __slots__ = ("__weakref__", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _LOCKS.add(self)

    def __enter__(self) -> Self:
        self._lock.acquire()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()

    def reset(self) -> None:
        """Start afresh; only for a forked child."""
        self._lock = threading.Lock()


_LOCKS: weakref.WeakSet[ForkSafeLock] = weakref.WeakSet()


class Lease:
    """The permission of one run of a hook to act on its call.

    Args:
        parent: lease of the hook in which this call was made, if any.
        lock: the lock that the run holds, if its instance runs one hook at a time.

    Attributes:
        active: whether the run counts as the owner of `lock`; False once it ended or was abandoned.
        loop: event loop on which the run, or a call it made, is being awaited.
    """

    __slots__ = ("_inner", "active", "lock", "loop", "parent")

    def __init__(self, parent: Lease | None, lock: HookLock | None) -> None:
        self.parent = parent
        self.lock = lock
        self.active = True
        self.loop: AbstractEventLoop | None = None
        self._inner: HookLock | None = None

    def inner_lock(self) -> HookLock:
        """The lock that takes turns among hooks of calls made from inside this run."""
        with _MUTEX:
            if self._inner is None:
                self._inner = HookLock()
            return self._inner

    def awaited_on(self, loop: AbstractEventLoop) -> None:
        """Note that this run, and those it is nested in, cannot go on before `loop` does."""
        lease: Lease | None = self
        while lease is not None:
            lease.loop = loop
            lease = lease.parent


current_lease: ContextVar[Lease | None] = ContextVar("laya_hook_lease", default=None)

loop_depth: ContextVar[int] = ContextVar("laya_hook_loop_depth", default=0)
"""How many background loops the running code may be blocking: a nested call takes the next one."""


class HookLock(ForkSafeLock):
    """Lets one hook of an instance run at a time. Owned by the logical call, so calls from inside a hook pass.

    Args:
        foreign: another lock, with `acquire` and `release`, to use instead of an own one.
    """

    __slots__ = ("_holder",)

    def __init__(self, foreign: Any = None) -> None:
        super().__init__()
        if foreign is not None:
            self._lock = foreign
        self._holder: Lease | None = None

    def acquire_for(self, lease: Lease, timeout: float | None) -> HookLock | None:
        """Wait for the right to run a hook.

        Args:
            lease: lease of the run.
            timeout: seconds to wait, or None to wait as long as it takes.

        Returns:
            What to `release` after the run, or None when the time is over.
        """
        target = self
        outer = lease.parent
        while outer is not None:
            if outer.active and outer.lock is self:
                target = outer.inner_lock()
                break
            outer = outer.parent
        return target.take(lease, timeout)

    def release(self) -> None:
        """Let the next hook run."""
        self._holder = None
        self._lock.release()

    def take(self, lease: Lease, timeout: float | None) -> HookLock | None:
        """Wait like `acquire_for`, but for this very lock."""
        if not self._lock.acquire(blocking=False):
            loop = _running_loop()
            if loop is not None:
                return self._take_on_loop(lease, timeout, loop)
            if not self._lock.acquire(timeout=-1 if timeout is None else timeout):
                return None
        self._holder = lease
        return self

    def _take_on_loop(self, lease: Lease, timeout: float | None, loop: AbstractEventLoop) -> HookLock | None:
        # This thread's loop stands still meanwhile: a holder that is awaited on it could never give the lock back.
        left = timeout
        while not self._lock.acquire(timeout=_LOOP_POLL if left is None else min(_LOOP_POLL, left)):
            holder = self._holder
            if holder is not None and holder.loop is loop:
                logger.warning("a hook runs beside another one, which waits for the event loop that it blocks")
                return HookLock().take(lease, None)
            if left is not None:
                left -= _LOOP_POLL
                if left <= 0:
                    return None
        self._holder = lease
        return self


_MUTEX = ForkSafeLock()


def _running_loop() -> AbstractEventLoop | None:
    import asyncio  # noqa: PLC0415  # costly to import, and only needed when two hooks compete

    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def is_barred(barred: tuple[Lease, ...]) -> bool:
    """Whether the running code belongs to one of these revoked runs."""
    lease = current_lease.get()
    while lease is not None:
        if any(lease is revoked for revoked in barred):
            return True
        lease = lease.parent
    return False


def revoke(lease: Lease, contexts: list[PredictContext]) -> None:
    """From now on the run can no longer write to these contexts, nor own its lock."""
    with _MUTEX:
        lease.active = False
        for ctx in contexts:
            ctx.barred = (*ctx.barred, lease)


def store(ctx: PredictContext, slot: str, value: Any) -> None:
    """Write a field of a context, unless the running code belongs to a revoked run."""
    if current_lease.get() is None:
        setattr(ctx, slot, value)
        return
    with _MUTEX:
        if not ctx.barred or not is_barred(ctx.barred):
            setattr(ctx, slot, value)
            return
    logger.debug("a hook wrote %s after its time was over; dropped", slot.removeprefix("raw_"))


def _reset_locks() -> None:
    for lock in list(_LOCKS):
        lock.reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_reset_locks)
