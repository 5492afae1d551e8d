"""Builders for tests of the engine room."""

import asyncio
import contextlib

from laya.server.scheduler import Scheduler, SchedulerOptions
from router_builders import CHOICE, ENOUGH, Calls, Gate

Q = {"team": CHOICE}


def request(state="Where is my invoice?", questions=None, **options):
    """One request for the checkpoint "a", unless the options name another."""
    return {"state": state, "questions": questions or Q, "model": "a", **options}


def play(scene, *args):
    """Run an async test; a scene that hangs fails."""
    return asyncio.run(asyncio.wait_for(scene(*args), ENOUGH))


@contextlib.asynccontextmanager
async def engine_room(router, **options):
    """A started scheduler; drained at the end. Batches have no limit in time unless a test gives one."""
    scheduler = Scheduler(router, SchedulerOptions(**{"max_batch_seconds": 1000.0, **options}))
    await scheduler.start()
    try:
        yield scheduler
    finally:
        await scheduler.drain(ENOUGH)


class Plug:
    """Holds up the engine with one request, so that what comes meanwhile has to wait."""

    def __init__(self, router, state="plug"):
        self.gate, self.state, self.seen = Gate(), state, []
        router.load("a")  # else a loader runs the plug
        router.add_hook(Calls("on_predict_start", self._start))

    def _start(self, ctx):
        self.seen.append(ctx.states[0])
        if ctx.states == [self.state]:
            self.gate()

    async def block(self, scheduler):
        """Submit the plug; returns its task once the engine is held up."""
        task = asyncio.ensure_future(scheduler.submit([request(self.state)], client="plug"))
        await asyncio.to_thread(self.gate.wait)
        return task

    def open(self):
        self.gate.open()


async def until(fine, pause=0.0):
    """Let the loop run until something is true."""
    while not fine():  # noqa: ASYNC110 - what is waited for happens on threads
        await asyncio.sleep(pause)


async def waiting(scheduler, number):
    """Let the loop run until so many requests wait."""
    await until(lambda: scheduler.stats().queued == number)


def submit(scheduler, *requests, client="c", **options):
    """A task that submits requests."""
    return asyncio.ensure_future(scheduler.submit(list(requests), client=client, **options))
