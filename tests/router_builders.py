"""Builders for tests of the Router."""

import contextlib
import threading
import time

from laya.errors import ClosedError
from laya.testing import FakeRuntime, fake_agent

ENOUGH = 30
"""Seconds after which a thread of a test is taken to be stuck."""

CHOICE = {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}


class Gate:
    """Stops who passes until it is opened, and tells that somebody is there."""

    def __init__(self):
        self.reached, self.opened = threading.Event(), threading.Event()

    def __call__(self, *_):
        self.reached.set()
        assert self.opened.wait(ENOUGH)

    def wait(self):
        assert self.reached.wait(ENOUGH)

    def open(self):
        self.opened.set()


class Factory:
    """Builds fake agents, and remembers which. `before` has what is called, and `fail` what is raised, by name."""

    def __init__(self):
        self.built, self.agents, self.runtimes, self.fail, self.agent_options = [], {}, {}, {}, {}
        self.before = {}

    def __call__(self, name, source):
        self.built.append(name)
        if name in self.before:
            self.before[name]()
        if name in self.fail:
            raise self.fail[name]
        runtime = self.runtimes[name] = FakeRuntime()
        agent = fake_agent(runtime=runtime, **self.agent_options.get(name, {}))
        self.agents.setdefault(name, []).append(agent)
        return agent

    def forwards(self, name):
        return sum(batch.rows for batch in self.runtimes[name].batches)


class Recorder:
    """Writes (hook, event, what) of every event into a list; `what` is the state, or the checkpoint's name."""

    def __init__(self, name, log):
        self.name, self.log, self.contexts = name, log, []

    def _note(self, event, ctx):
        self.contexts.append((event, ctx))
        self.log.append((self.name, event, ctx.states[0] if ctx.states else ctx.model))

    def on_route(self, ctx):
        self._note("on_route", ctx)

    def on_load(self, ctx):
        self._note("on_load", ctx)

    def on_evict(self, ctx):
        self._note("on_evict", ctx)

    def on_predict_start(self, ctx):
        self._note("on_predict_start", ctx)

    def on_error(self, ctx):
        self._note("on_error", ctx)

    def on_predict_end(self, ctx):
        self._note("on_predict_end", ctx)


class Fails:
    """Raises in one event, always or for one checkpoint or state."""

    def __init__(self, event, error=RuntimeError, model=None, state=None):
        def fail(ctx):
            if model in {None, ctx.model} and (state is None or ctx.states == [state]):
                raise error(f"{event} of {ctx.model}")

        setattr(self, event, fail)


class Calls:
    """Calls a function in one event."""

    def __init__(self, event, function):
        setattr(self, event, function)


class Threads:
    """Runs functions on threads of their own; `outcomes` has what each returned or raised, in order of start."""

    def __init__(self):
        self.threads, self.outcomes = [], []

    def start(self, function, *args, **options):
        place = len(self.outcomes)
        self.outcomes.append(None)

        def run():
            try:
                self.outcomes[place] = function(*args, **options)
            except BaseException as exc:
                self.outcomes[place] = exc

        self.threads.append(threading.Thread(target=run, daemon=True))
        self.threads[-1].start()
        return self

    def join(self):
        for thread in self.threads:
            thread.join(ENOUGH)
            assert not thread.is_alive(), "a thread is stuck"
        return self.outcomes


def settle():
    """Give threads that were started the time to come to where they wait; nothing may depend on it but coverage."""
    time.sleep(0.05)


def together(function, count, *args):
    """What `count` threads got from a function that they all called at once; each gets its number as well."""
    barrier = threading.Barrier(count)
    threads = Threads()

    def call(number):
        barrier.wait(ENOUGH)
        return function(*args, number)

    for number in range(count):
        threads.start(call, number)
    return threads.join()


def closed(agent):
    """Whether an agent refuses calls because it was closed."""
    with contextlib.suppress(ClosedError):
        agent.predict("x", {"team": CHOICE})
        return False
    return True
