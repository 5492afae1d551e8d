"""Our `predict_batch` against the peer's quickest way, a loop of `predict`: two processes that take turns.

    python benchmarks/batch_pair.py --peer-python PEER_VENV/bin/python CHECKPOINT [--rounds 3] [--states 64]

Prints seconds of each round and the median ratio. For all modes of the peer see `against_peer.py`.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

WORKER = """
import sys, time, warnings
warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[4])
import bench_workload as w
import laya
if sys.argv[1] == "peer":
    import torch
    torch.set_num_threads(2)
options = {"threads": 2} if sys.argv[1] == "ours" else {}
options.update(pair.split("=") for pair in sys.argv[5:])
agent = laya.load(sys.argv[2], device="cpu", **options)
states = w.mixed(int(sys.argv[3]))
agent.predict(states[0], w.FIVE)
for _ in sys.stdin:
    start = time.perf_counter()
    if sys.argv[1] == "peer":
        [agent.predict(state, w.FIVE) for state in states]
    else:
        agent.predict_batch(states, w.FIVE)
    print(time.perf_counter() - start, flush=True)
"""


def start(name, python, checkpoint, states, *options, **env):
    command = [python, "-c", WORKER, name, checkpoint, str(states), str(Path(__file__).parent), *options]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    return subprocess.Popen(command, env={**os.environ, **env}, **pipes)


def turn(process):
    process.stdin.write("\n")
    process.stdin.flush()
    return float(process.stdout.readline())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint")
    parser.add_argument("--peer-python", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--states", type=int, default=64)
    given = parser.parse_args()
    common = (given.checkpoint, given.states)
    engines = {
        "ours": start("ours", sys.executable, *common),
        "peer": start("peer", given.peer_python, *common),
        "ours bf16 (openvino)": start("ours", sys.executable, *common, "runtime=openvino", "precision=bf16"),
        "peer bf16": start("peer", given.peer_python, *common, LAYA_CPU_AMP="bf16"),
    }
    times = {name: [] for name in engines}
    for number in range(given.rounds):
        for name in sorted(engines, reverse=bool(number % 2)):
            times[name].append(turn(engines[name]))
    for name, seconds in times.items():
        print(f"{name:<22} {statistics.median(seconds):6.2f} s   rounds: {' '.join(f'{s:.2f}' for s in seconds)}")
    for ours, peer in (("ours", "peer"), ("ours", "peer bf16"), ("ours bf16 (openvino)", "peer bf16")):
        ratio = statistics.median(p / o for o, p in zip(times[ours], times[peer], strict=True))
        print(f"{peer} / {ours}: {ratio:.2f}")
    for process in engines.values():
        process.stdin.close()


if __name__ == "__main__":
    main()
