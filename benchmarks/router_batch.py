"""`Router.predict_batch` of 64 mixed requests against every mode of the peer's Router: processes that take turns.

    python benchmarks/router_batch.py --peer-python PEER_VENV/bin/python CHECKPOINT CHECKPOINT [--rounds 5]

The requests are those of `bench_workload`: states of many lengths, objects and conversations among them, each with one
of three sets of questions, half of them for either checkpoint. Prints the seconds of each round, medians, and the ratio
of the peer's best mode to ours, round by round. Both sides read the same checkpoints, and answers are compared.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

WORKER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
import bench_workload as w
import laya
side, mode, count, folders, options = json.loads(sys.argv[2])
if side == "peer":
    import torch
    torch.set_num_threads(2)
    router = laya.Router(models=folders, device="cpu")
else:
    router = laya.Router(models=folders, agent_kwargs={"threads": 2, **options})
requests = w.requests(count, list(folders))
for name in folders:
    router.predict(requests[0]["state"], requests[0]["questions"], model=name)
def loop():
    return [router.predict(r["state"], r["questions"], model=r["model"]) for r in requests]
print("ready", flush=True)
for _ in sys.stdin:
    start = time.perf_counter()
    results = loop() if mode == "loop" else router.predict_batch(requests, **mode)
    took = time.perf_counter() - start
    print(json.dumps([took, [result["answers"] for result in results]]), flush=True)
"""
MODES = {
    "predict_batch": {},
    "predict_batch, batch_size=8": {"batch_size": 8},
    "predict_batch, batch_size=8, sort_by_length": {"batch_size": 8, "sort_by_length": True},
    "loop of predict": "loop",
}
OURS, BEST_OURS = "ours, predict_batch", "ours bf16 (openvino), predict_batch"
TOLERANCE = 1e-3


class Side:
    """One process with one Router that answers the same requests again and again."""

    def __init__(self, python, *work, **env):
        command = [python, "-c", WORKER, str(Path(__file__).parent), json.dumps(work)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process = subprocess.Popen(command, env={**os.environ, **env}, **pipes)
        self.times = []
        self.answers = None

    def wait(self):
        """Wait until it has loaded, so that no loading disturbs a round."""
        if self._process.stdout.readline() != "ready\n":
            raise SystemExit("a worker ended while it loaded; its error stands above")

    def turn(self):
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        took, self.answers = json.loads(self._process.stdout.readline())
        self.times.append(took)

    def close(self):
        self._process.stdin.close()
        self._process.wait()


def sides(given):
    folders = {name: str(Path(path).resolve()) for name, path in zip(("one", "two"), given.checkpoints, strict=True)}
    common = given.requests, folders
    found = {OURS: Side(sys.executable, "ours", {}, *common, {})}
    if given.bf16:
        options = {"runtime": "openvino", "precision": "bf16"}
        found[BEST_OURS] = Side(sys.executable, "ours", {}, *common, options)
    for name, mode in MODES.items():
        found[f"peer, {name}"] = Side(given.peer_python, "peer", mode, *common, {})
        if given.bf16:
            found[f"peer bf16, {name}"] = Side(given.peer_python, "peer", mode, *common, {}, LAYA_CPU_AMP="bf16")
    return found


def difference(ours, theirs):
    """Largest difference between two answers' numbers; the shapes must agree."""
    if isinstance(ours, dict):
        return max((difference(ours[key], theirs[key]) for key in ours.keys() & theirs.keys()), default=0.0)
    if isinstance(ours, list):
        return max((difference(a, b) for a, b in zip(ours, theirs, strict=True)), default=0.0)
    both_numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in (ours, theirs))
    return abs(ours - theirs) if both_numbers else 0.0


def report(found, ours, prefix):
    peers = {name: side for name, side in found.items() if name.startswith(prefix)}
    best = min(peers, key=lambda name: statistics.median(peers[name].times))
    ratios = [p / o for o, p in zip(found[ours].times, peers[best].times, strict=True)]
    print(f"{best} / {ours}: {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoints", nargs=2)
    parser.add_argument("--peer-python", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--requests", type=int, default=64)
    parser.add_argument("--bf16", action="store_true", help="both engines in bfloat16 as well (needs openvino here)")
    given = parser.parse_args()
    found = sides(given)
    for side in found.values():
        side.wait()
    for number in range(given.rounds):
        for name in sorted(found, reverse=bool(number % 2)):
            found[name].turn()
    for name, side in found.items():
        times = " ".join(f"{second:.2f}" for second in side.times)
        print(f"{name:<58} {statistics.median(side.times):6.2f} s   {times}")
    report(found, OURS, "peer, ")
    worst = difference(found[OURS].answers, found["peer, predict_batch"].answers)
    print(f"largest difference between our answers and the peer's: {worst:.1e}")
    if given.bf16:
        report(found, BEST_OURS, "peer bf16, ")
    for side in found.values():
        side.close()
    return 0 if worst < TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
