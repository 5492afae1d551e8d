"""From a trained reader to a checkpoint: put trunk and reader together, then fit what calibrates it.

    python -m training.finish pack RUN --trunk FOLDER OUT       a float32 checkpoint directory
    python -m training.finish mean A B OUT                      the first one, its trunk the mean of both
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

import numpy as np
import numpy.typing as npt
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

import laya
from laya.calibration import fit_abstention_thresholds, fit_conformal, fit_temperatures
from training.held_out import HELD_OUT
from training.mix import Mix
from training.train import KIND_NAMES
from training.widen import widened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from training.examples import Example

    Array = npt.NDArray[np.float64]
    Drawn = tuple[str, Array, Array, Array]

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
    # How the trunk answers alone, so that the evaluation can put it beside.
    config["matcher"] = {"reader": config["reader"], "temperature": config["temperature"]}
    config["reader"] = config["reader"] | kept | {"layers": shape["layers"]}
    config["temperature"], config["temperature_by_options"] = [1.0, 1.0, 1.0], {}
    (out / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def mean(first: Path, second: Path, out: Path) -> None:
    """Write `first` with the mean of the two checkpoints' trunks: of adaptations to different draws.

    The mean of weights that were tuned from the same start is often better than either (Wortsman et al., Model soups,
    2022).
    """
    shutil.copytree(first, out, dirs_exist_ok=True)
    ours, theirs = load_file(first / "model.safetensors"), load_file(second / "model.safetensors")
    for name, value in ours.items():
        if name.startswith("encoder."):
            ours[name] = ((value + theirs[name]) / 2).astype(value.dtype)
    save_file(ours, out / "model.safetensors")


def records(out: Path, examples: Sequence[Example]) -> list[Drawn]:
    """Type, prior, residual and target of every example, as the checkpoint in `out` computes them."""
    logits = [_logits(out, examples, share) for share in (0.0, 1.0)]
    return [
        (example.question["type"], np.array(prior), np.array(both) - prior, _right(example))
        for example, prior, both in zip(examples, *logits, strict=True)
    ]


def _right(example: Example) -> Array:
    """The likeliest options of the target in equal parts: an answer is right or wrong when it is counted."""
    target = np.array(example.target)
    best = np.isclose(target, target.max())
    return best / best.sum()


def _logits(out: Path, examples: Sequence[Example], share: float) -> list[list[float]]:
    _configure(out, lambda config: config["reader"].update(residual=[share] * 3))
    with laya.Agent(out) as agent:
        return [agent.logits([e.state], {"q": e.question})[0]["q"] for e in examples]


def _configure(out: Path, change: Callable[[dict[str, Any]], object]) -> None:
    config = json.loads((out / CONFIG).read_text("utf-8"))
    change(config)
    (out / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")


def fit_shares(drawn: Sequence[Drawn], kind: str) -> tuple[float, float]:
    """Scales of prior and residual that minimise the mean log loss of one type: a logarithmic opinion pool.

    The rows of the two scales are searched on a grid that is refined around its best point.
    """
    mine = [(prior, residual, target) for each, prior, residual, target in drawn if each == kind]
    best, width = (1.0, 1.0), 4.0
    for _ in range(5):
        grid = np.geomspace(1 / width, width, 9)
        tried = [(best[0] * a, best[1] * b) for a in grid for b in grid]
        best = min(tried, key=lambda pair: _loss(mine, *pair))
        width **= 0.5
    return best


def spare_residual(drawn: Sequence[Drawn], shares: tuple[float, float]) -> tuple[float, float]:
    """Shares of a choice with as little of the reader as does not answer significantly fewer questions right.

    What matches a text with labels is the prior; the reader knows the label sets that it was trained on, and held-out
    families are more like those than what users bring. Fewer is a share of right answers more than two standard errors
    of the paired differences below that of `shares` (after the rule of one standard error of Breiman et al., CART,
    1984). Each share of the reader has the prior's share that suits it best.
    """
    mine = [(prior, residual, target) for kind, prior, residual, target in drawn if kind == "choice"]
    most = _hits(mine, *shares)
    for part in np.linspace(0.0, 1.0, 20, endpoint=False):
        share = part * shares[1]
        tried = [(float(a * shares[0]), float(share)) for a in np.geomspace(0.7, 2.0, 22)]
        best = min(tried, key=lambda pair: _loss(mine, *pair))
        fewer = most - _hits(mine, *best)
        if fewer.mean() <= 2 * fewer.std() / len(fewer) ** 0.5:
            return best
    return shares


def _hits(rows: Sequence[tuple[Array, Array, Array]], prior_share: float, share: float) -> Array:
    """Share of the target that the likeliest option of every row has."""
    return np.array([target[np.argmax(prior_share * prior + share * rest)] for prior, rest, target in rows])


def _loss(rows: Sequence[tuple[Array, Array, Array]], prior_share: float, share: float) -> float:
    return float(_losses(rows, prior_share, share).mean())


def _losses(rows: Sequence[tuple[Array, Array, Array]], prior_share: float, share: float) -> Array:
    """Log loss of every row."""
    found = []
    for prior, residual, target in rows:
        logits = prior_share * prior + share * residual
        logits = logits - logits.max()
        found.append(-float(target @ (logits - np.log(np.exp(logits).sum()))))
    return np.array(found)


def calibrate(out: Path, examples: Sequence[Example]) -> dict[str, Any]:
    """Fit shares, temperatures, abstention thresholds and conformal quantiles, and write them into the config.

    Args:
        out: checkpoint directory.
        examples: what it is asked.
    """
    drawn = records(out, examples)
    shares = [fit_shares(drawn, kind) for kind in KIND_NAMES]
    shares[0] = spare_residual(drawn, shares[0])
    tau = [
        a * b for a, (b, _) in zip(json.loads((out / CONFIG).read_text("utf-8"))["reader"]["tau"], shares, strict=True)
    ]
    by_kind = dict(zip(KIND_NAMES, shares, strict=True))
    found = [(kind, by_kind[kind][0] * prior + by_kind[kind][1] * rest, target) for kind, prior, rest, target in drawn]
    fit = fit_temperatures(found)
    temperatures = fit["temperature"], fit["temperature_by_options"]
    thresholds = fit_abstention_thresholds(found, *temperatures, target_error=ERROR)
    sets = fit_conformal(found, *temperatures, coverage=COVERAGE)
    _configure(out, lambda config: config["reader"].update(tau=tau, residual=[share for _, share in shares]))
    fitted = {"temperature": fit["temperature"], "temperature_by_options": fit["temperature_by_options"]}
    fitted |= {"abstention": dict(thresholds), "conformal": sets.to_json()}
    _configure(out, lambda config: config.update(fitted))
    return {"shares": shares, "fit": fit, "families": dict(Counter(e.family for e in examples))}


def _asked(mix: Mix, count: int, seed: int) -> list[Example]:
    """What a checkpoint is calibrated on: held-out families, some with more options, and trained yes/no and score."""
    examples = mix.draw_held_out(Random(seed + 1), count)
    examples += widened(Random(seed + 3), examples, count // 3)
    # Users ask both of concepts that the reader was trained on and of others. New label sets are the rule in choice.
    trained = list(mix.draw(Random(seed + 2), 8 * count))
    for kind in ("noul", "score"):
        examples += [e for e in trained if e.question["type"] == kind][:count]
    return examples


def main() -> None:
    """Run one of the steps."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    parser = argparse.ArgumentParser(prog="python -m training.finish", description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    packing = steps.add_parser("pack")
    packing.add_argument("run", type=Path)
    packing.add_argument("--trunk", type=Path, required=True)
    blending = steps.add_parser("mean")
    blending.add_argument("first", type=Path)
    blending.add_argument("second", type=Path)
    calibrating = steps.add_parser("calibrate")
    for step in (packing, blending, calibrating):
        step.add_argument("out", type=Path)
    calibrating.add_argument("--languages", nargs="*", default=["en"])
    calibrating.add_argument("--without", nargs="*", default=[], help="patterns of sources to leave out")
    calibrating.add_argument("--held-out", type=int, default=900)
    calibrating.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    if options.step == "pack":
        pack(options.run, options.trunk, options.out)
        return
    if options.step == "mean":
        mean(options.first, options.second, options.out)
        return
    from training.__main__ import WRITERS  # noqa: PLC0415 - packing needs no data
    from training.write.choice_wordnet import missing  # noqa: PLC0415 - nor words

    if missing() and "wordnet" not in options.without:
        raise SystemExit(missing())
    mix = Mix(WRITERS, HELD_OUT, frozenset(options.languages), tuple(options.without), slow=0.0)
    report = calibrate(options.out, _asked(mix, options.held_out, options.seed))
    _LOG.info("%s", json.dumps(report, indent=1, default=str))


if __name__ == "__main__":
    main()
