"""A hook that fails where it is told to, and the chain of what was raised."""


class Failing:
    """Raises on the events it is told to, and writes every event down."""

    def __init__(self, *events, error=RuntimeError):
        self.events, self.error, self.log, self.contexts = events, error, [], []

    def _on(self, event, ctx):
        self.log.append(event)
        self.contexts.append(ctx)
        if event in self.events:
            raise self.error(f"{event} broke")

    def on_predict_start(self, ctx):
        self._on("on_predict_start", ctx)

    def on_predict_end(self, ctx):
        self._on("on_predict_end", ctx)

    def on_error(self, ctx):
        self._on("on_error", ctx)


def chain(exc):
    found = []
    while exc is not None:
        assert exc not in found, "the chain has a cycle"
        found.append(exc)
        exc = exc.__context__
    return found
