"""Tiny builders for hook tests: an owner of hooks whose inference is a function, and hooks that keep a log."""

from __future__ import annotations

from laya.hooks import HOOK_EVENTS, HookRegistry, PredictContext
from laya.hooks.lifecycle import run


def result(**extra):
    return {"answers": {}, "usage": {"input_tokens": 3, "output_tokens": 1}, **extra}


def infer(contexts):
    for ctx in contexts:
        ctx.results = [result() for _ in ctx.states]


def fail_with(exc):
    def body(contexts):
        raise exc

    return body


class Owner(HookRegistry):
    """Stands where an agent or a router stands."""

    def __init__(self, hooks=None, on_predict_start=None, on_predict_end=None, **policy):
        self._init_hooks(hooks, on_predict_start, on_predict_end, **policy)

    def call(self, states=("text",), body=infer, finish=None, questions=None, **options):
        ctx = PredictContext(states, {} if questions is None else questions, model="m", agent=self)
        return self.run([ctx], body, finish, **options)[0]

    def run(self, contexts, body=infer, finish=None, **options):
        run(contexts, self._dispatcher(**options), body, finish=finish)
        return contexts

    def fire(self, event, ctx, **options):
        self._dispatcher(**options).fire(event, ctx)


class Log:
    """Writes `name.event` for every event, and raises what it is told to."""

    def __init__(self, name="h", log=None, **raises):
        self.name = name
        self.log = [] if log is None else log
        self.raises = raises
        self.seen = {}

    def _event(self, event, ctx):
        self.log.append(f"{self.name}.{event}")
        self.seen[event] = (ctx.error, ctx.elapsed_ms, ctx.usage)
        if event in self.raises:
            raise self.raises[event]


def _method(event):
    def method(self, ctx):
        self._event(event, ctx)

    return method


for _event in HOOK_EVENTS:
    setattr(Log, _event, _method(_event))


def on(event, function):
    """A hook with one event."""
    return type("One", (), {event: lambda self, ctx: function(ctx)})()


def while_handling(exc, function):
    """Call a function in an `except` block."""
    try:
        raise exc
    except type(exc):
        return function()


def chain_of(exc):
    """The exception and its contexts; fails on a cycle."""
    nodes = []
    while exc is not None:
        assert all(exc is not node for node in nodes), "cycle"
        nodes.append(exc)
        exc = exc.__context__
    return nodes
