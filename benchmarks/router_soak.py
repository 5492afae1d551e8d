"""Some thousand mixed calls on one Router from many threads, with hooks that fail: order, counts, memory.

Run: python benchmarks/router_soak.py [--calls 6000] [--threads 8] [--seed 1] [--limit 300]

Fake agents answer, so the time goes into routing, residency and hooks. Afterwards every started request must have
ended exactly once and after its start, every checkpoint that was loaded must have been evicted as often as it was and
closed once, no thread may be stuck, and memory must not have grown between the second quarter of the calls and the
last. Exits with 1 otherwise.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import gc
import logging
import random
import sys
import threading
import time
import tracemalloc
import warnings

import laya
from laya.testing import FakeRuntime, fake_agent

NAMES = ["a", "b", "c", "d"]
TEXTS = ["Where is my invoice?", "Wo ist meine Rechnung?", "где мой счёт", "12345", {"note": "charged twice"}]
QUESTIONS = [
    {"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}},
    {"spam": {"type": "noul", "instructions": "Is it spam?"}},
]
GROWTH_KIB = 1024
"""What the heap may gain between the second quarter and the end; caches of this size class are still filling."""


class BoomError(Exception):
    """What the hooks raise."""


class CountingRuntime(FakeRuntime):
    """A fake runtime that keeps no batches, and counts how often it was closed."""

    def __init__(self):
        super().__init__()
        self.batches = collections.deque(maxlen=1)
        self.closes = 0

    def close(self):
        self.closes += 1
        super().close()


class Watch:
    """Counts events and violations of their order, and fails at random."""

    def __init__(self, seed):
        self.rng, self.lock = random.Random(seed), threading.Lock()
        self.counts, self.residency, self.open, self.violations = collections.Counter(), collections.Counter(), {}, []

    def _note(self, event, share):
        with self.lock:
            self.counts[event] += 1
            fails = self.rng.random() < share
            self.counts["hook failures"] += fails
        if fails:
            raise BoomError(event)

    def _step(self, event, ctx, wanted, then):
        with self.lock:
            found = self.open.pop(ctx.run_id, None)
            if found not in wanted:
                self.violations.append(f"{event} of a request that was {found or 'not started'}")
            if then is not None:
                self.open[ctx.run_id] = then

    def on_route(self, _):
        self._note("on_route", 0.01)

    def on_load(self, ctx):
        with self.lock:
            self.residency["loads", ctx.model] += 1
        if self.rng.random() < 0.2:
            ctx.router.predict("warm up", QUESTIONS[0], model=ctx.model, hooks_raise=False)
        self._note("on_load", 0.1)

    def on_evict(self, ctx):
        with self.lock:
            self.residency["evictions", ctx.model] += 1
        self._note("on_evict", 0.1)

    def on_predict_start(self, ctx):
        self._step("on_predict_start", ctx, {None}, "started")
        self._note("on_predict_start", 0.02)

    def on_error(self, ctx):
        self._step("on_error", ctx, {"started"}, "failed")
        self._note("on_error", 0.05)

    def on_predict_end(self, ctx):
        self._step("on_predict_end", ctx, {"started", "failed"}, None)
        self._note("on_predict_end", 0.02)


class Soak:
    """The Router under test and what is known about it."""

    def __init__(self, seed):
        self.watch = Watch(seed)
        self.lock = threading.Lock()
        self.closes, self.built, self.calls, self.unexpected = [], 0, collections.Counter(), []
        self.heaps = []
        sources = {**dict.fromkeys(NAMES, "somewhere"), "english": "somewhere", "multilingual": "somewhere"}
        self.router = laya.Router(sources, build=self.build, hooks=[self.watch], max_loaded=3)
        self.pinned = self.router.attach("pinned", fake_agent(runtime=CountingRuntime()))

    def build(self, *_):
        runtime = CountingRuntime()
        with self.lock:
            self.closes.append(runtime)
            self.built += 1
        return fake_agent(runtime=runtime)

    def request(self, rng):
        request = {"state": rng.choice(TEXTS), "questions": rng.choice(QUESTIONS)}
        if rng.random() < 0.6:
            request["model"] = rng.choice([*NAMES, "pinned"])
        return request

    def act(self, rng):
        kind = rng.choices(
            ["predict", "batch", "batch, errors returned", "long", "route", "load", "unload", "register"],
            [40, 15, 15, 5, 10, 8, 4, 3],
        )[0]
        with self.lock:
            self.calls[kind] += 1
        router, name = self.router, rng.choice(NAMES)
        if kind in {"predict", "long"}:
            call = router.predict if kind == "predict" else router.predict_long
            call(**self.request(rng))
        elif kind.startswith("batch"):
            requests = [self.request(rng) for _ in range(rng.randint(0, 8))]
            results = router.predict_batch(requests, errors="return" if "errors" in kind else "raise")
            if len(results) != len(requests):
                raise AssertionError(f"{len(results)} results for {len(requests)} requests")
        elif kind == "route":
            router.route(rng.choice(TEXTS), None)
        elif kind == "load":
            router.load(name)
        elif kind == "unload":
            router.unload(name)
        else:
            router.register(name, rng.choice(["here", "there"]))

    def work(self, seed, calls):
        rng = random.Random(seed)
        for _ in range(calls):
            try:
                self.act(rng)
            except BoomError:
                continue
            except Exception as exc:
                self.unexpected.append(repr(exc))

    def quarter(self, number, calls, threads, deadline):
        """Run a quarter of the calls, then measure the heap at rest; False when a thread is stuck."""
        workers = [
            threading.Thread(target=self.work, args=(number * 1000 + worker, calls // threads), daemon=True)
            for worker in range(threads)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(max(0.0, deadline - time.monotonic()))
        if any(worker.is_alive() for worker in workers):
            faulthandler.dump_traceback()
            return False
        self.closes = [runtime for runtime in self.closes if runtime.closes != 1]
        gc.collect()
        self.heaps.append(tracemalloc.get_traced_memory()[0] / 1024)
        return True

    def problems(self):
        """What is not as it has to be, after close."""
        watch, found = self.watch, [*self.watch.violations[:5], *self.unexpected[:5]]
        found += [f"{len(watch.open)} requests never ended"] if watch.open else []
        loads = sum(count for (what, _), count in watch.residency.items() if what == "loads")
        for name in {name for _, name in watch.residency} - {"pinned"}:
            counts = (watch.residency["loads", name], watch.residency["evictions", name])
            found += [f"{name}: {counts[0]} loads, {counts[1]} evictions"] if counts[0] != counts[1] else []
        found += [f"{self.built} builds, {loads} loads"] if self.built != loads else []
        wrong = [runtime.closes for runtime in self.closes if runtime.closes != 1]
        found += [f"agents closed {sorted(set(wrong))} times"] if wrong else []
        growth = self.heaps[-1] - self.heaps[1]
        found += [f"the heap grew by {growth:.0f} KiB"] if growth > GROWTH_KIB else []
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=6000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=300.0, help="seconds after which a thread counts as stuck")
    options = parser.parse_args()
    warnings.simplefilter("ignore", RuntimeWarning)
    logging.getLogger("laya.hooks").setLevel(logging.CRITICAL)
    tracemalloc.start()
    soak = Soak(options.seed)
    begin = time.monotonic()
    for number in range(4):
        if not soak.quarter(options.seed * 10 + number, options.calls // 4, options.threads, begin + options.limit):
            print("a thread is stuck")
            return 1
    seconds = time.monotonic() - begin
    resident = [name for name in soak.router.loaded if name != "pinned"]
    soak.router.remove_hook(soak.watch)
    for name in resident:
        soak.watch.residency["evictions", name] += 1
    soak.router.close()
    print(f"{sum(soak.calls.values())} calls on {options.threads} threads in {seconds:.1f} s: {dict(soak.calls)}")
    print(f"events: {dict(sorted(soak.watch.counts.items()))}")
    print(f"builds: {soak.built}; resident at rest: {resident} of at most {soak.router.max_loaded}")
    print(f"heap after each quarter: {', '.join(f'{heap:.0f} KiB' for heap in soak.heaps)}")
    problems = soak.problems()
    if len(resident) > soak.router.max_loaded:
        problems.append(f"{len(resident)} residents")
    print("order, counts and memory as they have to be" if not problems else "\n".join(f"WRONG: {p}" for p in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
