"""From a trained reader to a checkpoint: put trunk and reader together, then fit what calibrates it.

    python -m training.finish pack RUN --trunk FOLDER OUT       a float32 checkpoint directory
    python -m training.finish calibrate OUT --languages en      temperatures, thresholds and prediction sets into OUT

Calibration asks the checkpoint itself, as it will be shipped, about families that it was not trained on.
"""

from __future__ import annotations

import argparse
import json
import logging
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from safetensors import safe_open
from safetensors.numpy import load_file, save_file

import laya
from laya.calibration import fit_abstention_thresholds, fit_conformal, fit_temperatures
from training.examples import Example
from training.held_out import HELD_OUT
from training.mix import Mix

if TYPE_CHECKING:
    from collections.abc import Sequence

_LOG: Final = logging.getLogger(__name__)
CONFIG: Final = "rl_agent_config.json"
COVERAGE: Final = 0.9
"""Share of right options that a prediction set holds."""
ERROR: Final = 0.1
"""Share of wrong answers above the abstention threshold."""


def pack(run: Path, trunk: Path, out: Path) -> None:
    """Write the float32 checkpoint of a trunk and the best reader of a run."""
    best = run / "best.safetensors"
    with safe_open(best, "numpy") as stored:
        shape: dict[str, Any] = json.loads(stored.metadata()["shape"])
    shutil.copytree(trunk, out, dirs_exist_ok=True)
    save_file(load_file(trunk / "model.safetensors") | load_file(best), out / "model.safetensors")
    config = json.loads((trunk / CONFIG).read_text("utf-8"))
    kept = {key: value for key, value in shape.items() if key != "trunk_width"}
    config["reader"] = config["reader"] | kept | {"layers": shape["layers"]}
    config["temperature"], config["temperature_by_options"] = [1.0, 1.0, 1.0], {}
    (out / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def records(agent: laya.Agent, examples: Sequence[Example]) -> list[tuple[str, list[float], list[float]]]:
    """Type, raw logits and target of every example."""
    read = []
    for example in examples:
        (logits,) = agent.logits([example.state], {"q": example.question})
        read.append((example.question["type"], logits["q"], list(example.target)))
    return read


def calibrate(out: Path, examples: Sequence[Example]) -> dict[str, Any]:
    """Fit temperatures, abstention thresholds and conformal quantiles, and write them into the checkpoint's config."""
    with laya.Agent(out) as agent:
        found = records(agent, examples)
    fit = fit_temperatures(found)
    temperatures = fit["temperature"], fit["temperature_by_options"]
    thresholds = fit_abstention_thresholds(found, *temperatures, target_error=ERROR)
    sets = fit_conformal(found, *temperatures, coverage=COVERAGE)
    config = json.loads((out / CONFIG).read_text("utf-8"))
    config |= {"temperature": fit["temperature"], "temperature_by_options": fit["temperature_by_options"]}
    config |= {"abstention": dict(thresholds), "conformal": sets.to_json()}
    (out / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    return {"fit": fit, "thresholds": dict(thresholds), "families": dict(Counter(e.family for e in examples))}


def main() -> None:
    """Run one of the two steps."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(prog="python -m training.finish", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    packing = steps.add_parser("pack")
    packing.add_argument("run", type=Path)
    packing.add_argument("--trunk", type=Path, required=True)
    calibrating = steps.add_parser("calibrate")
    for step in (packing, calibrating):
        step.add_argument("out", type=Path)
    calibrating.add_argument("--languages", nargs="*", default=["en"])
    calibrating.add_argument("--held-out", type=int, default=900)
    calibrating.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if options.step == "pack":
        pack(options.run, options.trunk, options.out)
        return
    from training.__main__ import WRITERS  # noqa: PLC0415 - packing needs no data

    mix = Mix(WRITERS, HELD_OUT, frozenset(options.languages))
    report = calibrate(options.out, mix.draw_held_out(Random(options.seed + 1), options.held_out))
    _LOG.info("%s", json.dumps(report, indent=1, default=str))


if __name__ == "__main__":
    main()
