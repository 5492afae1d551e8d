"""Residency and events against a small executable model of the rules, over random calls and hook failures."""

import random
import threading
import time
from collections import Counter, OrderedDict

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

import laya
from laya.testing import FakeRuntime, fake_agent
from router_builders import CHOICE, Factory, Recorder, Threads, closed

Q = {"team": CHOICE}
NAMES = ["a", "b", "c", "d"]
EVENTS = ["on_route", "on_load", "on_evict", "on_predict_start", "on_error", "on_predict_end"]
WATCHDOG = 60


class BoomError(Exception):
    """What the hooks of these tests raise."""


class Flaky:
    """Raises in the events it is told to."""

    def __init__(self):
        self.failing = frozenset()
        for event in EVENTS:
            setattr(self, event, self._make(event))

    def _make(self, event):
        def act(ctx):
            if event in self.failing:
                raise BoomError(event)

        return act


class Rules:
    """What a Router has to do, written down as plainly as can be: residents in order, events, and what is raised."""

    def __init__(self, max_loaded):
        self.max_loaded = max_loaded
        self.residents = OrderedDict()
        self.pinned = set()
        self.gone = []
        self.sources = {name: f"path-{name}" for name in NAMES}

    def start(self, failing):
        self.failing, self.events, self.raised = failing, [], None

    def fire(self, event, what):
        self.events.append((event, what))
        if event in self.failing and self.raised is None:
            self.raised = BoomError
        return event not in self.failing

    def drop(self, names):
        for name in names:
            if name not in self.pinned:
                self.gone.append(self.residents[name])
            del self.residents[name]
            self.pinned.discard(name)
        for name in names:
            self.fire("on_evict", name)

    def load(self, name, agent, *, build_fails=False):
        """Whether a call may go on."""
        if name in self.residents:
            self.residents.move_to_end(name)
            return True
        if build_fails:
            self.raised = OSError
            return False
        self.residents[name] = agent
        loose = [known for known in self.residents if known not in self.pinned]
        self.drop([known for known in loose if known != name][: max(0, len(loose) - self.max_loaded)])
        self.fire("on_load", name)
        return self.raised is None

    def predict(self, groups, build_fails):
        """`groups`: for each checkpoint in order of first appearance, its states and what would be built for it."""
        for name, states, agent in groups:
            if not self.load(name, agent, build_fails=build_fails):
                return
            started, refused = [], False
            for state in states:
                started.append(state)
                if not self.fire("on_predict_start", state):
                    refused = True
                    break
            for state in reversed(started):
                if refused:
                    self.fire("on_error", state)
                self.fire("on_predict_end", state)
            if self.raised is not None:
                return


class RouterMachine(RuleBasedStateMachine):
    """Random calls on a Router and on the rules, compared after each."""

    def __init__(self):
        super().__init__()
        self.factory, self.flaky, self.log = Factory(), Flaky(), []
        self.router = laya.Router(
            {name: f"path-{name}" for name in NAMES},
            build=self.factory,
            hooks=[Recorder("A", self.log), self.flaky],
            max_loaded=2,
        )
        self.rules = Rules(2)
        self.number = 0
        self.attached = []

    def compare(self, call, failing, expect):
        """Run a call under failing hooks; its events and its error must be those of the rules."""
        self.flaky.failing = frozenset(failing)
        self.log.clear()
        raised = None
        try:
            call()
        except (BoomError, OSError) as exc:
            raised = type(exc)
        self.flaky.failing = frozenset()
        self.rules.start(failing)
        expect()
        assert [(event, what) for _, event, what in self.log] == self.rules.events
        assert raised is self.rules.raised

    def built(self, name):
        """The agent that was built last for a name; the rules take it for the one they expect."""
        agents = self.factory.agents.get(name)
        return agents[-1] if agents else None

    def states(self, count):
        self.number += count
        return [f"s{number}" for number in range(self.number - count, self.number)]

    @rule(name=st.sampled_from(NAMES), failing=st.sets(st.sampled_from(EVENTS)), build_fails=st.booleans())
    def load(self, name, failing, build_fails):
        self.factory.fail = dict.fromkeys(NAMES, OSError("away")) if build_fails else {}
        self.compare(
            lambda: self.router.load(name),
            failing,
            lambda: self.rules.load(name, self.built(name), build_fails=build_fails),
        )

    @rule(
        names=st.lists(st.sampled_from([*NAMES, " A "]), min_size=1, max_size=5),
        failing=st.sets(st.sampled_from(EVENTS), max_size=2),
        build_fails=st.booleans(),
        single=st.booleans(),
    )
    def predict(self, names, failing, build_fails, single):
        names = names[:1] if single else names
        states = self.states(len(names))
        self.factory.fail = dict.fromkeys(NAMES, OSError("away")) if build_fails else {}
        requests = [{"state": s, "questions": Q, "model": n} for s, n in zip(states, names, strict=True)]
        call = (
            (lambda: self.router.predict(states[0], Q, model=names[0]))
            if single
            else (lambda: self.router.predict_batch(requests))
        )

        def expect():
            for state in states:
                if not self.rules.fire("on_route", state):
                    return
            grouped = {}
            for state, name in zip(states, names, strict=True):
                grouped.setdefault(name.strip().lower(), []).append(state)
            self.rules.predict([(name, mine, self.built(name)) for name, mine in grouped.items()], build_fails)

        self.compare(call, failing, expect)

    @rule(name=st.sampled_from([None, *NAMES]), failing=st.sets(st.sampled_from(EVENTS)))
    def unload(self, name, failing):
        def expect():
            self.rules.drop([known for known in self.rules.residents if name in {None, known}])

        self.compare(lambda: self.router.unload(name), failing, expect)

    @rule(name=st.sampled_from(NAMES), failing=st.sets(st.sampled_from(EVENTS)))
    def attach(self, name, failing):
        agent = fake_agent()
        self.attached.append(agent)

        def expect():
            if name in self.rules.residents and name not in self.rules.pinned:
                self.rules.gone.append(self.rules.residents[name])
            self.rules.residents.pop(name, None)
            self.rules.residents[name] = agent
            self.rules.pinned.add(name)

        self.compare(lambda: self.router.attach(name, agent), failing, expect)

    @rule(name=st.sampled_from(NAMES), source=st.sampled_from("pq"), failing=st.sets(st.sampled_from(EVENTS)))
    def register(self, name, source, failing):
        def expect():
            moved = self.rules.sources[name] != source
            self.rules.sources[name] = source
            if moved and name in self.rules.residents:
                self.rules.drop([name])

        self.compare(lambda: self.router.register(name, source), failing, expect)

    @rule(value=st.integers(1, 3))
    def limit(self, value):
        self.router.max_loaded = self.rules.max_loaded = value

    @rule(name=st.sampled_from(NAMES), failing=st.sets(st.sampled_from(["on_load", "on_evict"])))
    @precondition(lambda self: self.router.loaded)
    def route(self, name, failing):
        self.compare(
            lambda: self.router.route("never loads", Q, model=name),
            failing,
            lambda: self.rules.fire("on_route", "never loads"),
        )

    @invariant()
    def residents_are_those_of_the_rules(self):
        assert self.router.loaded == list(self.rules.residents)
        for name, agent in self.rules.residents.items():
            assert self.router._pool.peek(name) is agent
            assert not closed(agent)
        for agent in self.rules.gone:
            assert closed(agent)
        assert not any(closed(agent) for agent in self.attached)

    def teardown(self):
        self.compare(self.router.close, (), lambda: self.rules.drop(list(self.rules.residents)))
        assert all(closed(agent) for agents in self.factory.agents.values() for agent in agents)
        assert not any(closed(agent) for agent in self.attached)


RouterMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=15, deadline=None)
TestRouterMachine = RouterMachine.TestCase


# -- the same from several threads --------------------------------------------------------------------------------


class CountingRuntime(FakeRuntime):
    """Counts how often it was closed."""

    def __init__(self):
        super().__init__()
        self.closes = 0

    def close(self):
        self.closes += 1
        super().close()


class Tally:
    """Counts events by checkpoint, calls back, and sometimes raises."""

    def __init__(self, rng):
        self.rng, self.lock, self.counts = rng, threading.Lock(), Counter()

    def _note(self, event, what):
        with self.lock:
            self.counts[event, what] += 1
            return self.rng.random()

    def _maybe_raise(self, event, what, share):
        if self._note(event, what) < share:
            raise BoomError(event)

    def on_route(self, ctx):
        self._maybe_raise("on_route", None, 0.03)

    def on_load(self, ctx):
        luck = self._note("on_load", ctx.model)
        if luck < 0.3:
            ctx.router.predict("warm up", Q, model=ctx.model, hooks_raise=False)
        elif luck < 0.4:
            raise BoomError

    def on_evict(self, ctx):
        self._maybe_raise("on_evict", ctx.model, 0.1)

    def on_predict_start(self, ctx):
        self._maybe_raise("on_predict_start", None, 0.05)

    def on_predict_end(self, ctx):
        self._maybe_raise("on_predict_end", None, 0.05)


class Crowd:
    """Threads that do what they like with one Router."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.tally = Tally(self.rng)
        self.runtimes, self.lock = [], threading.Lock()
        self.router = laya.Router({n: n for n in NAMES}, build=self.build, hooks=[self.tally], max_loaded=2)
        self.pinned = fake_agent()
        self.router.attach("pinned", self.pinned)

    def build(self, name, source):
        runtime = CountingRuntime()
        with self.lock:
            self.runtimes.append((name, runtime))
        return fake_agent(runtime=runtime)

    def act(self, rng):
        router, name = self.router, rng.choice(NAMES)
        choice = rng.randrange(8)
        if choice == 0:
            router.load(name)
        elif choice == 1:
            router.unload(rng.choice([name, name, None]))
            router.attach("pinned", self.pinned)
        elif choice == 2:
            router.register(name, rng.choice("pq"))
        elif choice == 3:
            requests = [{"state": str(i), "questions": Q, "model": rng.choice(NAMES)} for i in range(4)]
            results = router.predict_batch(requests, errors="return")
            for result, request in zip(results, requests, strict=True):
                assert isinstance(result, BoomError) or result["routing"]["model"] == request["model"]
        else:
            asked = rng.choice([name, "pinned"])
            assert router.predict("x", Q, model=asked)["routing"]["model"] == asked

    def work(self, seed):
        rng = random.Random(seed)
        for _ in range(40):
            try:
                self.act(rng)
            except BoomError:
                continue


def test_many_threads_keep_the_rules_at_rest_and_after_close():
    crowd = Crowd(7)
    threads = Threads()
    begin = time.monotonic()
    for seed in range(6):
        threads.start(crowd.work, seed)
    for thread in threads.threads:
        thread.join(max(0, WATCHDOG - (time.monotonic() - begin)))
        assert not thread.is_alive(), "a thread is stuck"
    assert threads.outcomes == [None] * 6

    router, counts = crowd.router, crowd.tally.counts
    at_rest = [name for name in router.loaded if name != "pinned"]
    assert len(at_rest) <= router.max_loaded
    built = Counter(name for name, _ in crowd.runtimes)
    assert sum(built.values()) > 10
    for name in NAMES:
        assert counts["on_load", name] == built[name]
        assert counts["on_evict", name] == built[name] - at_rest.count(name)
    assert sum(runtime.closes for _, runtime in crowd.runtimes) == len(crowd.runtimes) - len(at_rest)

    router.remove_hook(crowd.tally)
    router.close()
    assert {runtime.closes for _, runtime in crowd.runtimes} == {1}
    assert not closed(crowd.pinned)
