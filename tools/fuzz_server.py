"""Let schemathesis ask a server whatever its OpenAPI document allows, and much that it does not.

    python tools/fuzz_server.py [options of `schemathesis run`]

The server has fake checkpoints, so that it answers quickly. It must never fail (5xx), every status, type and body must
be as the document says, what the document forbids must be refused, and other methods must be told off; what is not
asked is in `schemathesis.toml`. Exit code 0 if so. Needs the dependency group `fuzz`.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path

import laya
from laya.server import create_app, load_settings
from laya.server.run import LayaServer
from laya.testing import fake_agent

CONFIG = Path(__file__).with_name("schemathesis.toml")


def main(options: list[str]) -> int:
    """Run; returns the exit code of schemathesis."""
    settings = load_settings(port=0, access_log=False)
    with laya.Router(build=lambda _name, _source: fake_agent(), default="english") as router:
        server = LayaServer(create_app(settings, router), settings)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
        thread.start()
        try:
            return schemathesis(f"http://127.0.0.1:{port_of(server)}", options)
        finally:
            server.should_exit = True
            thread.join()


def port_of(server: LayaServer) -> int:
    """Port that a server got, once it listens."""
    while not server.started:
        time.sleep(0.01)
    port: int = server.servers[0].sockets[0].getsockname()[1]
    return port


def schemathesis(url: str, options: list[str]) -> int:
    """Run the command against a server."""
    program = Path(sys.executable).with_name("schemathesis")
    given = ["--config-file", str(CONFIG), "run", f"{url}/openapi.json", *options]
    return subprocess.run([program, *given], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
