"""Builders for tests of the Router."""

from laya.testing import FakeRuntime, fake_agent

CHOICE = {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}


class Factory:
    """Builds fake agents, and remembers which."""

    def __init__(self):
        self.built, self.runtimes, self.fail, self.agent_options = [], {}, {}, {}

    def __call__(self, name, source):
        self.built.append(name)
        if name in self.fail:
            raise self.fail[name]
        runtime = self.runtimes[name] = FakeRuntime()
        return fake_agent(runtime=runtime, **self.agent_options.get(name, {}))

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
