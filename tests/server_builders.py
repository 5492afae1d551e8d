"""Servers to test with: on fake agents in this process, and on a free loopback port over real checkpoints."""

import asyncio
import contextlib
import socket
import threading
import time

from starlette.testclient import TestClient

import laya
from laya.server import create_app, load_settings
from laya.server.run import LayaServer
from laya.testing import fake_agent

ENOUGH = 60
"""Seconds after which a server is taken to be stuck."""

NOUL = {"type": "noul", "instructions": "Is the customer asking for money back?"}
CHOICE = {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": None}}
SCORE = {"type": "score", "instructions": "How angry?", "criteria": ["calm", "cross", "furious"]}


def body(**changes):
    """A good request about one state; None takes a field out."""
    whole = {"model": "jev-latest", "state": "I was charged twice", "questions": {"refund": NOUL}, **changes}
    return {name: value for name, value in whole.items() if value is not None}


def fake_router(hooks=None, **agent):
    """A Router whose every checkpoint is a fake agent."""
    return laya.Router(build=lambda _name, _source: fake_agent(**agent), default="english", hooks=hooks)


@contextlib.contextmanager
def client(router=None, *, ready=True, **settings):
    """A client of an app in this process, when the app is ready."""
    own = fake_router() if router is None else router
    app = create_app(load_settings(**settings), own)
    try:
        with TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False) as made:
            if ready:
                wait_until(lambda: made.get("/ready").status_code == 200)
            yield made
    finally:
        own.close()


def wait_until(fine):
    """Wait for something to come true."""
    end = time.monotonic() + ENOUGH
    while not fine():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


class Running:
    """A server on a free port, on a thread of its own."""

    def __init__(self, router=None, **settings):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        chosen = load_settings(port=self.port, **settings)
        self.server = LayaServer(create_app(chosen, router), chosen)
        self.service = self.server.config.app.state.service
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve([self.socket])), daemon=True)

    def __enter__(self):
        self.thread.start()
        wait_until(lambda: self.service.phase != "starting" and self.server.started)
        wait_until(lambda: self.service.phase != "loading")
        return self

    def connect(self):
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), ENOUGH)

    def __exit__(self, *_):
        self.server.should_exit = True
        self.thread.join(ENOUGH)
        self.socket.close()
        assert not self.thread.is_alive(), "the server does not end"
