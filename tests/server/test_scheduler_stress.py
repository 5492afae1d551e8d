"""Random clients that cancel, expire, fail, wait for cold checkpoints and are cut off by a drain: nothing is lost."""

import asyncio
import threading
from collections import Counter

from engine_room import Q, play, request, until
from hypothesis import given, settings
from hypothesis import strategies as st

import laya
from fuzzing import examples
from laya.errors import ClosedError, DeadlineError, QueueFullError
from laya.server.scheduler import Scheduler, SchedulerOptions
from router_builders import Factory


class HookError(Exception):
    """What the hook of these tests raises."""


class Watch:
    """Counts starts and ends by state, and fails in the event that a state names."""

    def __init__(self):
        self.lock, self.starts, self.ends = threading.Lock(), Counter(), Counter()

    def _note(self, event, counts, ctx):
        with self.lock:
            counts[ctx.states[0]] += 1
        if ctx.states[0].startswith(event):
            raise HookError(event)

    def on_predict_start(self, ctx):
        self._note("start", self.starts, ctx)

    def on_predict_end(self, ctx):
        self._note("end", self.ends, ctx)


class World:
    """A Router whose checkpoints push each other out, its scheduler, and what was submitted to it."""

    def __init__(self, options):
        self.watch, self.factory = Watch(), Factory()
        self.factory.fail["broken"] = OSError("no such checkpoint")
        self.router = laya.Router(
            dict.fromkeys(["a", "b", "broken"], "somewhere"), build=self.factory, max_loaded=1, hooks=[self.watch]
        )
        self.room = Scheduler(self.router, options)
        self.tasks = []
        self.submitted = 0

    def submit(self, client, kinds, model, deadline):
        states = [f"{kind} {len(self.tasks)}.{n}" for n, kind in enumerate(kinds)]
        requests = [request(state, model=model) for state in states]

        async def call():
            self.submitted += len(requests)  # not for a task that is cancelled before it began
            return await self.room.submit(requests, client=client, deadline=deadline, request_id=client)

        self.tasks.append((asyncio.ensure_future(call()), states, model))

    async def check(self, expected):
        """Every call has ended once and as it may; every request is accounted for; every start has its end."""
        await until(lambda: not self.room.stats().in_flight, pause=0.001)
        outcomes = await asyncio.gather(*[task for task, *_ in self.tasks], return_exceptions=True)
        for outcome, (_, states, model) in zip(outcomes, self.tasks, strict=True):
            if isinstance(outcome, list):
                assert len(outcome) == len(states)
                for result, state in zip(outcome, states, strict=True):
                    check_result(result, state, model, expected)
            else:
                assert isinstance(outcome, (asyncio.CancelledError, DeadlineError, QueueFullError, ClosedError))
        stats = self.room.stats()
        ends = stats.answered + stats.failed + stats.discarded + stats.expired + stats.cancelled + stats.refused
        closed = sum(len(s) for o, (_, s, _) in zip(outcomes, self.tasks, strict=True) if is_unadmitted(o))
        assert ends + stats.rejected + closed == self.submitted
        assert (stats.queued, stats.queued_bytes, stats.in_flight) == (0, 0, 0)
        assert self.watch.starts == self.watch.ends
        assert all(count == 1 for count in self.watch.starts.values())


def is_unadmitted(outcome):
    return isinstance(outcome, ClosedError) and "takes no new requests" in str(outcome)


def check_result(result, state, model, expected):
    kind = state.split()[0]
    if model == "broken":
        assert isinstance(result, OSError)
    elif kind in {"start", "end"}:
        assert isinstance(result, HookError)
        assert str(result) == kind
    else:
        assert result["answers"] == expected(state)


ACTIONS = st.lists(
    st.one_of(
        st.tuples(
            st.just("submit"),
            st.sampled_from("xyz"),
            st.lists(st.sampled_from(["good", "fine", "start", "end"]), min_size=1, max_size=5),
            st.sampled_from(["a", "a", "b", "broken"]),
            st.sampled_from([None, None, 0.0, 0.002, 10.0]),
        ),
        st.tuples(st.just("cancel"), st.integers(0, 50)),
        st.tuples(st.just("wait"), st.sampled_from([0.0, 0.0, 0.001, 0.003])),
    ),
    min_size=1,
    max_size=30,
)
OPTIONS = st.builds(
    SchedulerOptions,
    max_batch_requests=st.sampled_from([1, 3, 64]),
    max_queued=st.sampled_from([6, 1000]),
    max_wait=st.sampled_from([0.0, 0.001]),
    engines=st.sampled_from([1, 2]),
    loaders=st.sampled_from([1, 2]),
    idle_unload=st.sampled_from([None, 0.01]),
)


@settings(max_examples=examples(60), deadline=None)
@given(ACTIONS, OPTIONS, st.sampled_from([0.0, 0.003, 20.0]))
def test_every_request_is_answered_once_or_refused_for_a_reason(actions, options, drain):
    with laya.Router({"a": "somewhere"}, build=Factory()) as solo:

        def expected(state):
            return solo.predict(state, Q, model="a")["answers"]

        async def scene():
            world = World(options)
            await world.room.start()
            for action in actions:
                if action[0] == "submit":
                    world.submit(*action[1:])
                elif action[0] == "wait":
                    await asyncio.sleep(action[1])
                elif world.tasks:
                    world.tasks[action[1] % len(world.tasks)][0].cancel()
            await asyncio.sleep(0)
            await world.room.drain(drain)
            await world.check(expected)
            assert not any(thread.is_alive() for thread in world.room._threads)
            world.router.close()

        play(scene)
