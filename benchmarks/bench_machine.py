"""What the machine is, how loaded it is by others, and whether it runs at its usual speed."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any

FLAGS = ("avx2", "avx_vnni", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "amx_int8")
THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
PROBE_SHAPE = (340, 1024, 5248)
PROBE = """
import sys, time
import numpy as np
m, k, n = map(int, sys.argv[1:])
a, b = np.ones((m, k), np.float32), np.ones((k, n), np.float32)
out = a @ b
times = []
for _ in range(9):
    began = time.perf_counter()
    np.matmul(a, b, out=out)
    times.append(time.perf_counter() - began)
print(2e-9 * m * k * n / sorted(times)[len(times) // 2])
"""


def busy_seconds() -> float | None:
    """CPU seconds spent by everything on the machine since boot, time stolen by the host included; None off Linux."""
    try:
        fields = Path("/proc/stat").read_text("ascii").split("\n", 1)[0].split()[1:9]
    except OSError:
        return None
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields)
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def process_seconds(pid: int) -> float:
    """CPU seconds of a process, its threads and its finished children; 0 when it has gone."""
    try:
        # the command name may hold spaces and brackets, so read behind its closing bracket
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def usable_cpus() -> int:
    """Number of CPUs that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not Linux
        return os.cpu_count() or 1


class LoadMeter:
    """Measures the share of the usable CPUs that others use between construction and `foreign_share`.

    Processes not named in `pids` count as foreign, idle engines of the benchmark included: an engine that keeps its
    threads spinning while another is timed disturbs it like any other load.
    """

    def __init__(self, *pids: int) -> None:
        self._pids = pids
        self._busy = busy_seconds()
        self._own = sum(map(process_seconds, pids))
        self._began = time.perf_counter()

    def foreign_share(self) -> float | None:
        """CPU time of others as a share of what this process may use; None where it cannot be read."""
        busy = busy_seconds()
        if busy is None or self._busy is None:
            return None
        own = sum(map(process_seconds, self._pids)) - self._own
        capacity = (time.perf_counter() - self._began) * usable_cpus()
        return max(0.0, busy - self._busy - own) / capacity


def gemm_probe(python: str, threads: int) -> float:
    """Speed of a bare fp32 matrix product of numpy in GFLOP/s.

    It runs in a process of its own, so that no thread of a linear algebra library outlives it.
    """
    command = [python, "-c", PROBE, *map(str, PROBE_SHAPE)]
    env = os.environ | dict.fromkeys(THREAD_VARIABLES, str(threads))
    return float(subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout)


class SpeedGate:
    """Holds a round back until the probe is near the best speed seen in this run, or the usual one if that is known."""

    FLOOR, TRIES, PAUSE = 0.85, 12, 5.0

    def __init__(self, python: str, threads: int, usual: float) -> None:
        self._python, self._threads = python, threads
        self._best = max(usual, *(gemm_probe(python, threads) for _ in range(3)))

    def wait(self) -> dict[str, Any]:
        """Probe until quiet or out of tries; returns the speed, its share of the best, and whether it passed."""
        for attempt in range(self.TRIES):
            if attempt:
                time.sleep(self.PAUSE)
            speed = gemm_probe(self._python, self._threads)
            self._best = max(self._best, speed)
            if speed >= self.FLOOR * self._best:
                break
        share = speed / self._best
        return {
            "gflops": round(speed, 1),
            "share": round(share, 3),
            "quiet": share >= self.FLOOR,
            "tries": attempt + 1,
        }


def describe() -> dict[str, Any]:
    """Facts about this machine for the head of a report."""
    model, flags = platform.processor() or platform.machine(), ""
    memory = None
    try:
        lines = [line.partition(":") for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()]
        info = {key.strip(): value.strip() for key, _, value in reversed(lines)}
        model, present = info.get("model name", model), info.get("flags", "").split()
        flags = " ".join(flag for flag in FLAGS if flag in present)
        memory = round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)
    except OSError:
        pass  # not Linux: the name of the processor must do
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "flags": flags,
        "memory_gib": memory,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
