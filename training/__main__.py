"""The recipe from data to trained reader: `python -m training NAME --trunk FOLDER`; see `training/README.md`."""

from __future__ import annotations

import argparse
import logging
import os
from dataclasses import fields
from pathlib import Path

# Batches have many shapes, and what is prepared for each would be kept: gigabytes that the cached texts need.
os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "32")
os.environ.setdefault("LRU_CACHE_CAPACITY", "32")

import torch

from training.adapt import RATES, Adaptation, adapted
from training.batches import Batches
from training.cache import fill
from training.held_out import HELD_OUT
from training.mix import Mix, stages
from training.model import Shape
from training.prepare import draw
from training.train import Plan, Run
from training.widen import Wider
from training.write import choice, noul, score
from training.write.choice_wordnet import missing

WRITERS = (*choice.WRITERS, *score.WRITERS, *noul.WRITERS)


def main() -> None:
    """Draw, read with the trunk, train; every step goes on where it stopped."""
    options = _arguments()
    if missing() and "wordnet" not in options.without:
        raise SystemExit(missing())
    options.folder.mkdir(parents=True, exist_ok=True)
    logging.basicConfig(
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        force=True,
        handlers=[logging.StreamHandler(), logging.FileHandler(options.folder / "run.log")],
    )
    torch.set_num_threads(options.threads)
    mix = Mix(WRITERS, HELD_OUT, frozenset(options.languages), tuple(options.without), options.abroad, options.slow)
    examples, held_out, texts = draw(options.folder, mix, options.draws, options.held_out, options.seed)
    sizes = {name: getattr(options, name) for name in ("layers", "compare", "gate")}
    shape = Shape(**sizes, taps=tuple(options.taps), tau=tuple(options.tau))
    trunk = options.trunk
    if options.adapt:
        rate = RATES[options.bits]
        how = Adaptation(options.adapt, rate, tau=options.tau[0], bits=options.bits, seed=options.seed)
        trunk = adapted(trunk, options.folder / "adapted", how, (examples, held_out, texts))
    cache = fill(options.folder / "trunk", trunk, texts, shape.taps)
    if options.until == "cache":
        return
    plan = Plan(**{f.name: getattr(options, f.name) for f in fields(Plan)})
    run = Run(options.folder / options.run, shape, plan, Batches(cache), options.start)
    run.train(stages(examples, options.first), held_out, Wider(examples, texts))


def _arguments() -> argparse.Namespace:
    shape = Shape()
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.add_argument("folder", type=Path, help="working folder")
    parser.add_argument("--trunk", type=Path, required=True, help="float32 checkpoint directory of the trunk")
    parser.add_argument("--adapt", type=float, default=0.0, help="minutes for adapting the trunk first; 0 leaves it")
    parser.add_argument("--bits", type=int, choices=(4, 32), default=32, help="4 keeps an adapted trunk in four bits")
    parser.add_argument("--run", default="run", help="name of the training run inside the folder")
    parser.add_argument("--start", type=Path, help="weights to start from: of another run, or of a checkpoint")
    parser.add_argument("--languages", nargs="*", default=["en"], help="languages of the states; none for all")
    parser.add_argument("--without", nargs="*", default=[], help="patterns of sources to leave out")
    parser.add_argument("--abroad", type=float, default=1.0, help="factor on writers that speak more than English")
    parser.add_argument("--draws", type=int, default=260_000, help="examples to train on")
    parser.add_argument("--held-out", type=int, default=900, help="held-out examples of each question type")
    parser.add_argument("--first", type=float, default=0.2, help="share of the time for yes/no concepts alone")
    parser.add_argument("--slow", type=float, default=0.04, help="share of the draws of slow families that is kept")
    parser.add_argument("--threads", type=int, default=1)
    for part in ("compare", "gate"):
        parser.add_argument(f"--{part}", action=argparse.BooleanOptionalAction, default=getattr(shape, part))
    parser.add_argument("--until", choices=("cache", "train"), default="train")
    parser.add_argument("--layers", type=int, default=shape.layers)
    parser.add_argument("--taps", type=int, nargs="+", default=list(shape.taps))
    parser.add_argument("--tau", type=float, nargs=3, default=list(shape.tau))
    for field in fields(Plan):
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default)
    return parser.parse_args()


if __name__ == "__main__":
    main()
