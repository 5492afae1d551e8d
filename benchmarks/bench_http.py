"""Servers as processes, and clients that speak just enough HTTP to keep them busy."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from typing_extensions import Self

OURS = "from laya.server import serve; serve()"
START = 120.0
"""Seconds that a server gets to start."""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@dataclass
class Server:
    """A server on a free loopback port, with one checkpoint under the name "english"."""

    name: str
    command: list[str]
    checkpoint: Path | None
    env: dict[str, str] = field(default_factory=dict)
    port: int = field(default_factory=free_port)
    process: subprocess.Popen | None = None

    def __enter__(self) -> Self:
        models = {"LAYA_EXTRA_MODELS": json.dumps({"english": str(self.checkpoint)})} if self.checkpoint else {}
        env = {
            **{key: value for key, value in os.environ.items() if not key.startswith("LAYA_")},
            "LAYA_HOST": "127.0.0.1",
            "LAYA_PORT": str(self.port),
            "LAYA_LOG_LEVEL": "warning",
            "LAYA_MODELS": "english",
            "LAYA_DEFAULT_MODEL": "english",
            "HF_HUB_OFFLINE": "1",
            **models,
            **self.env,
        }
        self.process = subprocess.Popen(self.command, env=env, stdout=subprocess.DEVNULL)
        try:
            self._wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> int:
        """Ask it to end, then make it; its exit status."""
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(30)
        self.process.kill()
        return self.process.wait()

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
            return answer.read().decode()

    def rss(self) -> int:
        """Resident memory in KiB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    def _wait(self) -> None:
        end = time.monotonic() + START
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server of {self.name} ended with {self.process.returncode}")
            with contextlib.suppress(OSError, urllib.error.URLError):
                self.get("/health")
                return
            time.sleep(0.1)
        raise RuntimeError(f"the server of {self.name} did not start in {START:.0f} s")


def post(body: dict, path: str = "/v1/systemone", **headers: str) -> bytes:
    """A request as it goes over the wire."""
    data = json.dumps(body).encode()
    fields = {"Host": "127.0.0.1", "Content-Type": "application/json", "Content-Length": str(len(data)), **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + data


class Connection:
    """One connection that is used again and again."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, request: bytes) -> None:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        self._streams[1].write(request)
        await self._streams[1].drain()

    async def receive(self) -> tuple[int, dict[str, str], bytes]:
        """Status, headers in lower case, body."""
        reader = self._streams[0]
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:]) if name}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return int(head[0].split()[1]), headers, body

    async def ask(self, request: bytes) -> tuple[int, dict[str, str], bytes]:
        await self.send(request)
        return await self.receive()

    def close(self) -> None:
        """Hang up."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


@dataclass
class Load:
    """What clients saw: latencies of answered requests, and how often each status came; CPU seconds of the server."""

    seconds: float = 0.0
    cpu: float = 0.0
    latencies: list[float] = field(default_factory=list)
    statuses: Counter = field(default_factory=Counter)

    @property
    def rate(self) -> float:
        return len(self.latencies) / self.seconds

    def percentile(self, share: float) -> float:
        """In milliseconds."""
        ordered = sorted(self.latencies)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


async def _client(port: int, requests: list[bytes], end: float, load: Load) -> None:
    connection = Connection(port)
    turn = 0
    while time.monotonic() < end:
        began = time.monotonic()
        status, headers, _ = await connection.ask(requests[turn % len(requests)])
        load.statuses[status] += 1
        turn += 1
        if status == 200:
            load.latencies.append(time.monotonic() - began)
        else:
            await asyncio.sleep(min(1.0, float(headers.get("retry-after", 0.05))))
    connection.close()


async def drive(port: int, requests_of: list[list[bytes]], seconds: float) -> Load:
    """Keep a server busy: each client sends its requests in turn, the next as soon as the last is answered."""
    load = Load()
    began = time.monotonic()
    await asyncio.gather(*[_client(port, requests, began + seconds, load) for requests in requests_of])
    load.seconds = time.monotonic() - began
    return load
