"""`laya mcp`: a process of its own that the SDK's client starts, and what the command refuses."""

import os
import sys

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_builders import error_of, run, structured

from laya.cli.app import main

TEXT = "I was charged twice for order 4411, please send my money back"


def command(*args, **environment):
    """How a client starts the command."""
    env = {**os.environ, "PYTHONWARNINGS": "error", **environment}
    return StdioServerParameters(command=sys.executable, args=["-m", "laya", "mcp", *args], env=env)


def test_a_client_asks_the_command_over_stdio(tmp_path):
    log = tmp_path / "log"

    async def asked():
        with log.open("w") as errors:
            async with Client(stdio_client(command(), errlog=errors)) as client:
                names = [tool.name for tool in (await client.list_tools()).tools]
                listing = (await client.read_resource("laya://models")).contents[0].text
                arguments = {"text": TEXT, "question": "Is the customer asking for a refund?"}
                found = structured(await client.call_tool("check", arguments))
                bad = error_of(await client.call_tool("check", {"text": TEXT}))
                return names, listing, found, bad

    names, listing, found, bad = run(asked())
    assert names == ["ask", "check", "classify", "score", "route", "plan"]
    assert '"x_loaded":' in listing
    assert found["holds"]
    assert (bad["code"], bad["path"]) == ("missing", "question")
    assert "Traceback" not in log.read_text()


def refusal(capsys, *args):
    assert main(["mcp", *args]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


@pytest.mark.parametrize("address", ["8000", "localhost", ":8000", "localhost:", "localhost:x", "::1:80", "[x:y]:80"])
def test_an_address_is_a_host_and_a_port(capsys, address):
    assert f"--http takes HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000, got {address!r}" in refusal(
        capsys, "--http", address
    )


def test_other_machines_need_a_key(capsys):
    assert "a key is needed" in refusal(capsys, "--http", "0.0.0.0:8000")


def test_ports_are_checked(capsys):
    assert "port (LAYA_PORT)" in refusal(capsys, "--http", "[::1]:99999")


def test_a_file_of_models_holds_sources(capsys, tmp_path):
    path = tmp_path / "models.json"
    path.write_text("[]")
    assert "must hold an object of name to source" in refusal(capsys, "--models", str(path))


def test_a_missing_extra_says_what_to_install(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert "run: pip install 'laya-engine[mcp]'" in refusal(capsys)


def test_settings_of_an_http_server_do_not_keep_stdio_from_starting(monkeypatch):
    monkeypatch.setenv("LAYA_HOST", "0.0.0.0")  # noqa: S104 - nothing listens
    monkeypatch.setenv("LAYA_PRELOAD", "false")
    started = []
    monkeypatch.setattr("laya.mcp.run.serve_stdio", lambda settings: started.append(settings.host))
    assert main(["mcp"]) == 0
    assert started == ["127.0.0.1"]
