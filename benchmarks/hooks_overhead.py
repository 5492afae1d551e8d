"""Cost of the hook lifecycle itself: no hooks, one hook that does nothing, and what each further policy adds.

Run: python benchmarks/hooks_overhead.py [--repeat 30] [--number 5000]

Targets: under 5 us without hooks, under 2 us more for one no-op hook. Each figure is the best of `repeat` rounds, of
one call with one state: context, dispatcher and lifecycle around an inference that only hands over a ready result.
Figures are CPU time of the calling thread, so that a busy machine disturbs them less; with a timeout, wall time.
"""

from __future__ import annotations

import argparse
import platform
import time
import timeit

from laya.hooks import BaseHook, HookRegistry, PredictContext
from laya.hooks.contract import USAGE_COUNTS
from laya.hooks.lifecycle import run


class Owner(HookRegistry):
    def __init__(self, hooks=None, **policy):
        self._init_hooks(hooks, **policy)
        self.dispatcher = self._dispatcher


class StartOnly:
    def on_predict_start(self, ctx):
        pass


QUESTIONS = {"intent": {"type": "choice", "instructions": "Which?", "criteria": ["refund", "bug"]}}


def result():
    return {
        "model": "bench",
        "answers": {"intent": {"choice": "refund", "probabilities": {"refund": 0.9, "bug": 0.1}, "confidence": 0.9}},
        "usage": {**dict.fromkeys(USAGE_COUNTS, 1), "truncated": False},
    }


def measure(owner, ready, number, options):
    def body(contexts):
        for ctx in contexts:
            ctx.results = ready

    def call():
        ctx = PredictContext(["hello"], QUESTIONS, model="bench", agent=owner)
        run([ctx], owner.dispatcher(), body)

    timer = time.perf_counter if owner.hooks_timeout else time.thread_time
    return min(timeit.repeat(call, number=number, repeat=options.repeat, timer=timer)) / number * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=30)
    parser.add_argument("--number", type=int, default=5_000)
    options = parser.parse_args()
    empty = [{"answers": {}}]
    cases = [
        ("no hooks", Owner(), [result()], 1),
        ("one no-op hook (all six events), result of one answer", Owner(BaseHook()), [result()], 1),
        ("one no-op hook (all six events), empty result", Owner(BaseHook()), empty, 1),
        ("one no-op start hook, result of one answer", Owner(StartOnly()), [result()], 1),
        ("ten no-op hooks", Owner([BaseHook() for _ in range(10)]), [result()], 1),
        ("one no-op hook, hooks_concurrent=False", Owner(BaseHook(), hooks_concurrent=False), [result()], 1),
        ("one no-op hook, hooks_timeout=1", Owner(BaseHook(), hooks_timeout=1.0), [result()], 20),
    ]
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}")
    bare = None
    for name, owner, ready, fewer in cases:
        cost = measure(owner, ready, options.number // fewer, options)
        bare = cost if bare is None else bare
        print(f"{name:<58} {cost:8.2f} us  (+{cost - bare:.2f})")


if __name__ == "__main__":
    main()
