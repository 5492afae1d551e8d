"""Servers for foreign clients: one that answers with the embedded checkpoint, and one that is too busy at first."""

import json
import urllib.request

import pytest
from client_adapters import KEY, plain

from router_builders import Calls, Gate, Threads
from server_builders import ENOUGH, Running, body, fake_router, wait_until


@pytest.fixture(scope="module")
def server():
    """A server on the embedded checkpoint."""
    with Running(api_key=KEY) as running:
        yield running


@pytest.fixture(scope="module")
def engine(server):
    """Answers the same questions without HTTP; each of them once."""
    known = {}

    def ask(state, questions):
        key = json.dumps([state, questions])
        if key not in known:
            known[key] = plain(server.service.router.predict(state, questions, model="english")["answers"])
        return known[key]

    return ask


@pytest.fixture
def crowded():
    """A server on which this machine has its full share waiting, until it has refused somebody once."""
    gate = Gate()
    with fake_router(hooks=[Calls("on_predict_start", gate)]) as router, Running(router, max_queued=2) as running:
        stats, others = running.service.scheduler.stats, Threads()
        for waiting in range(2):
            others.start(ask_once, running.url)
            wait_until(lambda waiting=waiting: (stats().in_flight, stats().queued) == (1, waiting))
        others.start(lambda: (wait_until(lambda: stats().rejected), gate.open()))
        yield running
        gate.open()
        assert others.join()[:2] == [200, 200]


def ask_once(url):
    """Status of one request."""
    request = urllib.request.Request(f"{url}/v1/systemone", json.dumps(body()).encode())  # noqa: S310 - our own server
    with urllib.request.urlopen(request, timeout=ENOUGH) as answered:  # noqa: S310 - as above
        return answered.status
