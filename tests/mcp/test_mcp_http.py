"""The server on a port: the SDK's client, keys, hosts, origins, bodies."""

import asyncio
import http.client
import json
import logging
import socket
import threading

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_builders import run, structured

from laya.errors import ArgumentError
from laya.mcp import create_http_app
from laya.server import hash_key, load_settings
from laya.server.run import LayaServer
from server_builders import ENOUGH, fake_router, wait_until

CHECK = {"text": "I was charged twice", "question": "Is the customer asking for money back?"}
HEADERS = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


class Serving:
    """The app on a free loopback port, on a thread of its own."""

    def __init__(self, **settings):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self.router = fake_router()
        chosen = load_settings(port=self.port, **settings)
        self.server = LayaServer(create_http_app(chosen, self.router), chosen)
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve([self.socket])), daemon=True)

    def __enter__(self):
        self.thread.start()
        wait_until(lambda: self.server.started)
        wait_until(lambda: self.send("GET", path="/ready").status == 200)
        return self

    def __exit__(self, *_):
        self.server.should_exit = True
        self.thread.join(ENOUGH)
        self.socket.close()
        self.router.close()
        assert not self.thread.is_alive(), "the server does not end"

    def send(self, method="POST", value=LIST, path="/mcp", **headers):
        """A bare request; the response with its body read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ENOUGH)
        try:
            named = {name.replace("_", "-"): text for name, text in headers.items()}
            raw = value if isinstance(value, bytes) else json.dumps(value).encode()
            connection.request(method, path, raw if method == "POST" else None, {**HEADERS, **named})
            response = connection.getresponse()
            response.text = response.read().decode()
            return response
        finally:
            connection.close()


@pytest.fixture(scope="module")
def serving():
    with Serving(max_body_bytes=10_000, allowed_origins=("https://friend.example",)) as running:
        yield running


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_client_of_the_sdk_asks_over_http(serving, mode):
    async def asked():
        async with Client(serving.url, mode=mode) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            listing = await client.read_resource("laya://models")
            return names, listing, structured(await client.call_tool("check", CHECK))

    names, listing, found = run(asked())
    assert "check" in names
    assert "english" in listing.contents[0].text
    assert found["model"] == "english"


def test_requests_without_a_session_are_answered(serving):
    called = {"name": "check", "arguments": CHECK}
    response = serving.send(value={**LIST, "method": "tools/call", "params": called}, X_Request_ID="mine")
    assert response.status == 200
    assert response.headers["x-request-id"] == "mine"
    assert "mcp-session-id" not in response.headers
    assert json.loads(response.text)["result"]["structuredContent"]["model"] == "english"


def test_the_log_names_its_route(serving, caplog):
    with caplog.at_level("INFO", "laya.access"):
        serving.send(X_Request_ID="logged")
        wait_until(lambda: any("logged" in message for message in caplog.messages))
    (entry,) = [line for line in map(json.loads, caplog.messages) if line["request_id"] == "logged"]
    assert (entry["route"], entry["status"]) == ("/mcp", 200)


def test_there_is_nothing_to_listen_to(serving):
    assert serving.send("GET").status == 405


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [
        ({"Host": "evil.example"}, 403, "unknown_host"),
        ({"Origin": "https://evil.example"}, 403, "unknown_origin"),
        ({"Origin": "https://friend.example"}, 200, None),
        ({"Content_Encoding": "br"}, 415, "unsupported_encoding"),
    ],
)
def test_who_may_call_from_where(serving, headers, status, code):
    response = serving.send(**headers)
    assert response.status == status
    assert code is None or json.loads(response.text)["error"]["code"] == code


def test_pages_of_the_server_itself_may_call(serving):
    assert serving.send(Origin=f"http://127.0.0.1:{serving.port}").status == 200


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [(b" " * 10_001, 413, "body_too_large"), (b'{"id": 1, "id": 2}', 422, "invalid_json"), (b"{", 422, "invalid_json")],
)
def test_bodies_are_read_as_those_of_the_http_server(serving, raw, status, code):
    response = serving.send(value=raw)
    assert (response.status, json.loads(response.text)["error"]["code"]) == (status, code)


def test_keys(tmp_path):
    keys = tmp_path / "keys"
    keys.write_text(f"ann {hash_key('k')}\n")

    async def asked(server):
        async with (
            httpx2.AsyncClient(headers={"Authorization": "Bearer k"}) as sender,
            Client(streamable_http_client(server.url, http_client=sender)) as client,
        ):
            return structured(await client.call_tool("check", CHECK))

    lines = []
    log, handler = logging.getLogger("laya.access"), logging.Handler()
    handler.emit = lambda record: lines.append(json.loads(record.getMessage()))
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        with Serving(api_keys_file=str(keys)) as server:
            for headers in ({}, {"Authorization": "Bearer other"}):
                response = server.send(**headers)
                assert response.status == 401
                assert response.headers["www-authenticate"] == "Bearer"
            assert run(asked(server))["model"] == "english"
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
    (told,) = [line for line in lines if "model" in line]
    assert (told["client"], told["model"], told["questions"]) == ("ann", "english", 1)


def test_other_machines_need_a_key():
    with pytest.raises(ArgumentError, match="a key is needed"):
        create_http_app(load_settings(host="0.0.0.0"))  # noqa: S104 - nothing listens
