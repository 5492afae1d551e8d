"""An engine in a process of its own, as the driver sees it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from bench_machine import THREAD_VARIABLES
from bench_workload import FIVE, variants

HERE = Path(__file__).resolve().parent
LOAD_LIMIT = 600.0


class EngineError(RuntimeError):
    """An engine failed or broke off."""


class CallLimitError(EngineError):
    """An engine did not answer in time and was ended."""


@dataclass
class Engine:
    """One engine: interpreter, arguments of `laya.load`, environment, and its process while it runs."""

    name: str
    python: str
    threads: int
    load: dict[str, Any] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)
    checkpoint: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None
    log: IO[str] | None = None

    def environment(self) -> dict[str, str]:
        """Environment of the process: no network, no other source tree on the path, a set number of threads."""
        clean = {key: value for key, value in os.environ.items() if key not in {"PYTHONPATH", "LAYA_CPU_AMP"}}
        offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "USE_TF": "0"}
        return clean | offline | dict.fromkeys(THREAD_VARIABLES, str(self.threads)) | self.env

    def start(self, checkpoint: str) -> None:
        """Start the process afresh and load a checkpoint.

        Raises:
            EngineError: it could not load it.
        """
        self.stop()
        self.checkpoint = checkpoint
        # a file, not a pipe: nobody reads the log while the engine works
        self.log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115 - `stop` closes it
        self.process = subprocess.Popen(
            [self.python, str(HERE / "bench_worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.log, text=True, env=self.environment(), cwd=tempfile.gettempdir(),
        )  # fmt: skip
        reply = self.ask({"do": "load", "path": checkpoint, "kwargs": self.load}, LOAD_LIMIT)
        self.versions = reply["versions"] | self.env

    def ask(self, job: dict[str, Any], limit: float) -> dict[str, Any]:
        """Send one job and wait for its reply, at most `limit` seconds.

        Raises:
            CallLimitError: no reply in time; the process is ended.
            EngineError: the engine raised an error, or its process ended.
        """
        process = self.process
        if process is None or process.stdin is None or process.stdout is None:
            raise EngineError(f"engine {self.name!r}: not started; call start() first")
        try:
            process.stdin.write(json.dumps(job) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            pass  # the empty reply below tells why
        if not select.select([process.stdout], [], [], limit)[0]:
            self.stop()
            raise CallLimitError(f"> {limit:.0f} s")
        line = process.stdout.readline()
        if not line:
            tail = self.tail()
            self.stop()
            raise EngineError(f"engine {self.name!r}: its process ended.\n{tail}")
        reply: dict[str, Any] = json.loads(line)
        if "error" in reply:
            raise EngineError(f"engine {self.name!r}: {reply['error']}")
        return reply

    def tail(self) -> str:
        """The end of what the process wrote to its error output."""
        if self.log is None:
            return ""
        self.log.seek(0)
        return self.log.read()[-2000:]

    def stop(self) -> None:
        """End the process, if there is one."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None
        if self.log is not None:
            self.log.close()
            self.log = None

    def cold(self, checkpoint: str | None) -> dict[str, float]:
        """Import, load and answer in a fresh process; None loads what the package carries.

        Raises:
            EngineError: the process failed.
        """
        argument = json.dumps([checkpoint, self.load, variants("short", 1)[0], FIVE])
        done = subprocess.run(
            [self.python, str(HERE / "bench_cold.py"), argument], capture_output=True, text=True,
            env=self.environment(), cwd=tempfile.gettempdir(), check=False,
        )  # fmt: skip
        if done.returncode:
            raise EngineError(f"engine {self.name!r}: cold start failed.\n{done.stderr[-2000:]}")
        figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return figures
