"""Fixtures of the command line's tests: a stand-in for the agent, standard input, and a real child process."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from cli_builders import CHILD, StandIn

import laya
from laya.cli.app import main
from laya.testing import fake_agent


@pytest.fixture
def agent(monkeypatch):
    stand_in = StandIn()
    monkeypatch.setitem(vars(laya), "load", stand_in.load)
    return stand_in


@pytest.fixture
def fake(monkeypatch):
    """Every checkpoint is a real agent on the fake runtime."""
    monkeypatch.setitem(vars(laya), "load", lambda _model=None: fake_agent())


@pytest.fixture
def stdin(monkeypatch):
    def give(raw, *, terminal=False):
        stream = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")
        stream.isatty = lambda: terminal
        monkeypatch.setattr(sys, "stdin", stream)

    return give


@pytest.fixture
def failure(capsys):
    def failing(*args):
        """The one line on standard error of a command that fails."""
        assert main(args) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("laya: ")
        assert err.count("\n") == 1
        return err

    return failing


@pytest.fixture
def child():
    """Starts the command in a process of its own, on the fake runtime."""
    started = []

    def start(*args, **environment):
        env = {**os.environ, "PYTHONIOENCODING": "utf-8", **environment}
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        started.append(subprocess.Popen([sys.executable, "-c", CHILD, *args], env=env, **pipes))  # noqa: S603 - our own
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def run(capsys):
    """Runs a command here and returns its exit code, output and errors."""

    def running(*args):
        code = main([str(arg) for arg in args])
        return (code, *capsys.readouterr())

    return running
