"""The process: logs, signals, an orderly end."""

import asyncio
import http.client
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from laya.server import hash_key, load_settings
from laya.server.run import configure_logging
from router_builders import Calls, Gate
from server_builders import ENOUGH, Running, body, fake_router, wait_until

CODE = """
import sys
from laya.server import load_settings, serve
from server_builders import fake_router
serve(load_settings(**eval(sys.argv[1])), fake_router())
"""


class Process:
    """`serve` in a process of its own."""

    def __init__(self, **settings):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        path = os.pathsep.join(sys.path)
        self.process = subprocess.Popen(  # noqa: S603 - our own code
            [sys.executable, "-c", CODE, repr({"port": self.port, **settings})],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.lines = []
        self.reader = threading.Thread(target=lambda: self.lines.extend(self.process.stderr), daemon=True)
        self.reader.start()

    def __enter__(self):
        wait_until(lambda: self.status("GET", "/ready") == 200)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(ENOUGH)
        self.reader.join(ENOUGH)
        self.process.stderr.close()

    def status(self, method, path, sent=None, key="k"):
        """Status of a request, or None where nobody listens."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ENOUGH)
        try:
            headers = {"Authorization": f"Bearer {key}"}
            connection.request(method, path, None if sent is None else json.dumps(sent), headers)
            return connection.getresponse().status
        except OSError:
            return None
        finally:
            connection.close()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
def test_signals(tmp_path):
    keys = tmp_path / "keys"
    keys.write_text(f"ann {hash_key('k')}\n")
    with Process(api_keys_file=str(keys), drain_delay=0.5) as server:
        assert server.status("POST", "/v1/systemone", body()) == 200
        keys.write_text(f"bob {hash_key('other')}\n")
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: server.status("POST", "/v1/systemone", body(), key="other") == 200)
        assert server.status("POST", "/v1/systemone", body()) == 401
        server.process.send_signal(signal.SIGTERM)
        wait_until(lambda: server.status("GET", "/ready") in {503, None})
        wait_until(lambda: server.process.poll() is not None)
        server.reader.join(ENOUGH)
    entries = [json.loads(line) for line in server.lines if line.startswith("{")]
    assert {"ann", "bob"} <= {entry["client"] for entry in entries}
    probes = [entry["status"] for entry in entries if entry["route"] == "/ready"]
    assert 503 in probes, "readiness flips first"
    assert not [line for line in server.lines if "Traceback" in line]


def test_what_runs_at_the_end_is_answered():
    with fake_router() as router, Running(router) as server:
        submit, begun, release = server.service.scheduler.submit, threading.Event(), threading.Event()

        async def slow(*args, **options):
            begun.set()
            await asyncio.to_thread(release.wait, ENOUGH)
            return await submit(*args, **options)

        server.service.scheduler.submit = slow
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=ENOUGH)
        connection.request("POST", "/v1/systemone", json.dumps(body()))
        assert begun.wait(ENOUGH)
        server.server.handle_exit(signal.SIGTERM, None)
        assert server.service.phase == "draining"
        release.set()
        assert connection.getresponse().status == 200
        connection.close()


def test_what_cannot_end_in_time_is_refused_cleanly():
    gate = Gate()
    with fake_router(hooks=[Calls("on_predict_start", gate)]) as router:
        with Running(router, drain_timeout=0.2) as server:
            first, second = (http.client.HTTPConnection("127.0.0.1", server.port, timeout=ENOUGH) for _ in range(2))
            first.request("POST", "/v1/systemone", json.dumps(body()))
            gate.wait()
            second.request("POST", "/v1/systemone", json.dumps(body()))
            wait_until(lambda: server.service.scheduler.stats().queued == 1)
            server.server.handle_exit(signal.SIGTERM, None)
            wait_until(lambda: server.service.scheduler.stats().queued == 0)
            gate.open()
            statuses = {connection.getresponse().status for connection in (first, second)}
            for connection in (first, second):
                connection.close()
        assert statuses == {503}


def test_work_that_comes_after_the_drain_is_refused_cleanly():
    with fake_router() as router, Running(router) as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=ENOUGH)
        connection.request("GET", "/health")
        connection.getresponse().read()
        draining = server.service.scheduler.drain(1.0)
        asyncio.run_coroutine_threadsafe(draining, server.server.loop).result(ENOUGH)
        connection.request("POST", "/v1/systemone", json.dumps(body()))
        refused = connection.getresponse()
        found = json.loads(refused.read())
        assert (refused.status, found["error"]["code"]) == (503, "draining")
        assert refused.headers["retry-after"] == "1"
        connection.close()


def test_logs_are_sentences_and_bare_lines_of_json(capsys):
    before = {name: list(logging.getLogger(name).handlers) for name in ("laya", "uvicorn", "laya.access")}
    try:
        configure_logging(load_settings().log_level)
        logging.getLogger("laya.server").warning("a sentence")
        logging.getLogger("laya.access").info('{"a": 1}')
        logging.getLogger("laya.server").debug("too quiet")
    finally:
        for name, handlers in before.items():
            logging.getLogger(name).handlers = handlers
            logging.getLogger(name).propagate = True
            logging.getLogger(name).setLevel(logging.NOTSET)
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("WARNING laya.server: a sentence")
    assert second == '{"a": 1}'
