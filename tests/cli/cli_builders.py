"""A stand-in for the agent, and the program of a child process."""

from __future__ import annotations

RESULT = {
    "model": "stand-in",
    "answers": {
        "intent": {
            "type": "choice",
            "choice": "réfund",
            "probabilities": {"réfund": 0.75, "b": 0.25},
            "confidence": 0.5,
        }
    },
    "usage": {"input_tokens": 9},
}


class StandIn:
    """Records what it is asked and returns `RESULT`, or raises `error`."""

    def __init__(self):
        self.loaded, self.calls, self.closed, self.error = [], [], 0, None

    def load(self, model=None, **options):
        self.loaded.append((model, options) if options else model)
        return self

    def predict(self, state, questions, **options):
        self.calls.append((state, questions, options))
        if self.error:
            raise self.error
        return RESULT

    def close(self):
        self.closed += 1


CHILD = """
import sys, laya
from laya.testing import fake_agent
vars(laya)["load"] = lambda model=None: fake_agent()
from laya.cli.app import main
sys.exit(main())
"""
