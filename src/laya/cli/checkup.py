"""The checks of `laya doctor`, one function each. A check that fails in a way nobody foresaw fails alone."""

from __future__ import annotations

import importlib.util
import os
import platform
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING, Final, Literal

import laya
from laya.presets import preset
from laya.settings import settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Status = Literal["ok", "warn", "fail"]

_DISTRIBUTION: Final = "laya-engine"
_PEER: Final = "laya"
_OLDEST: Final = (3, 10)
_EXTRAS: Final = {
    "hub": "huggingface_hub",
    "openvino": "openvino",
    "parquet": "pyarrow",
    "server": "starlette",
    "mcp": "mcp",
    "metrics": "prometheus_client",
    "tracing": "opentelemetry",
    "structured": "pydantic",
    "email": "inscriptis",
    "lingua": "lingua",
}
"""Extra to a module that it installs."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: what was looked at.
        status: "ok", "warn" (works, but look at it) or "fail".
        found: what was found, and what to do about it.
    """

    name: str
    status: Status
    found: str


def run_checks() -> list[Check]:
    """All checks, in order."""
    return [_guarded(name, look) for name, look in _CHECKS.items()]


def _guarded(name: str, look: Callable[[], tuple[Status, str]]) -> Check:
    try:
        return Check(name, *look())
    except Exception as exc:
        return Check(name, "fail", f"{type(exc).__name__}: {' '.join(str(exc).split())}")


def _python() -> tuple[Status, str]:
    found = f"{platform.python_implementation()} {platform.python_version()} on {platform.platform(terse=True)}"
    return ("ok" if sys.version_info >= _OLDEST else "fail"), found


def _package() -> tuple[Status, str]:
    found = f"{_DISTRIBUTION} {laya.__version__}"
    try:
        return "fail", f"{found}, but {_PEER} {version(_PEER)} is installed too, with a module of the same name"
    except PackageNotFoundError:
        return "ok", found


def _dependencies() -> tuple[Status, str]:
    names = [_name_of(line) for line in requires(_DISTRIBUTION) or () if "extra ==" not in line]
    missing = [name for name in names if _version(name) is None]
    if missing:
        return "fail", f"not installed: {', '.join(missing)}; run: pip install --force-reinstall {_DISTRIBUTION}"
    return "ok", ", ".join(f"{name} {_version(name)}" for name in names)


def _name_of(requirement: str) -> str:
    end = next((i for i, c in enumerate(requirement) if not (c.isalnum() or c in "-_.")), len(requirement))
    return requirement[:end]


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _extras() -> tuple[Status, str]:
    present = [extra for extra, module in _EXTRAS.items() if importlib.util.find_spec(module) is not None]
    return "ok", ", ".join(present) or "none installed"


def _environment() -> tuple[Status, str]:
    found = settings()
    threads = found.threads or "left to the runtime"
    revision = f", revision {found.revision}" if found.revision else ""
    return "ok", f"threads {threads}, network {'off' if found.offline else 'allowed'}{revision}"


def _cache() -> tuple[Status, str]:
    folder = settings().cache_dir
    problem = _unwritable(folder)
    if problem:
        return "warn", f"{folder} is not writable ({problem}), so graphs are built anew each time; set LAYA_CACHE_DIR"
    return "ok", str(folder)


def _unwritable(folder: Path) -> str | None:
    """Why nothing can be written to a folder, or None; it is made if it is not there, as the cache would do."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return None
    except OSError as exc:
        return exc.strerror or type(exc).__name__


def _onnxruntime() -> tuple[Status, str]:
    import onnxruntime as ort  # noqa: PLC0415 - a broken installation is what is looked for

    providers = [name.removesuffix("ExecutionProvider") for name in ort.get_available_providers()]
    if "CPU" not in providers:
        return "fail", f"has no CPU provider, only {', '.join(providers)}; reinstall onnxruntime"
    return "ok", f"onnxruntime {ort.__version__}: {', '.join(providers)}"


def _processors() -> tuple[Status, str]:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = settings().threads
    if wanted is not None and wanted > usable:
        return "warn", f"{usable} usable, but LAYA_THREADS is {wanted}; more threads than processors slow it down"
    return "ok", f"{usable} usable of {os.cpu_count()}"


def _embedded() -> tuple[Status, str]:
    started = time.perf_counter()
    with laya.load() as agent:
        loaded = time.perf_counter()
        answer = agent.predict("I was charged twice, please send my money back", preset("triage"))["answers"]["intent"]
        done = time.perf_counter()
        found = f"{agent.model_id} on {agent.runtime} ({agent.device}, {agent.precision})"
    times = f"loaded in {1000 * (loaded - started):.0f} ms, answered in {1000 * (done - loaded):.0f} ms"
    if answer["type"] != "choice" or not answer["probabilities"]:
        return "fail", f"{found} gave no answer"
    return "ok", f"{found}: {times}"


_CHECKS: Final[dict[str, Callable[[], tuple[Status, str]]]] = {
    "python": _python,
    "package": _package,
    "dependencies": _dependencies,
    "extras": _extras,
    "environment": _environment,
    "cache": _cache,
    "onnxruntime": _onnxruntime,
    "processors": _processors,
    "embedded": _embedded,
}
