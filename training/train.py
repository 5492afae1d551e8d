"""Training of a reader over cached trunk outputs: seeded, bounded by time, resumable."""

from __future__ import annotations

import json
import logging
import math
import time
from copy import deepcopy
from dataclasses import asdict, dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from laya.model.tensors import Tensors
from training.mix import NOUL
from training.model import Reader, Shape
from training.scoring import FAR, excess, losses, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from training.batches import Batch, Batches
    from training.examples import Asked

_LOG: Final = logging.getLogger(__name__)
SHOWN: Final = ("acc", "nll", "fitted_nll")
"""What is said of the prior."""
KIND_NAMES: Final = ("choice", "score", "noul")
CHUNK: Final = 4096
"""Examples whose sizes are sorted together."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train.

    Attributes:
        minutes: wall time of the run, all sessions together.
        rate: peak learning rate.
        warm: share of the time in which the rate rises.
        cells: question tokens of a batch, with padding.
        decay: weight decay.
        drop: dropout inside the layers.
        state_drop: share of state tokens that are hidden.
        no_prior: share of examples that are asked without their prior, so that the layers learn to stand alone.
        anchor: weight of the squared residual, which keeps answers near the prior where the data say nothing.
        noul_weight: weight of the loss of a yes/no question: one bit says little, and would drown among the others.
        denied_weight: factor on that where words such as "not" turn the question round: fewer are, and they are harder.
        polarity: weight of the squared distance of a gate from where the wording of its question puts it.
        turn: where that is: this for a plain question, minus this for a denied one.
        average: decay of the moving average of the weights, a step.
        every: seconds between two looks at the held-out examples.
        seed: seed of everything drawn here.
    """

    minutes: float = 42.0
    rate: float = 8e-4
    warm: float = 0.03
    cells: int = 1400
    decay: float = 0.05
    drop: float = 0.05
    state_drop: float = 0.05
    no_prior: float = 0.15
    anchor: float = 2e-3
    noul_weight: float = 2.0
    denied_weight: float = 1.5
    polarity: float = 0.5
    turn: float = 0.8
    average: float = 0.998
    every: float = 180.0
    seed: int = 7


class Run:
    """One training run in a folder: `run.log`, `last.pt`, `best.safetensors`, `looks.jsonl`.

    Args:
        folder: where it keeps its files; a run that is there already goes on.
        shape: of the reader.
        plan: how to train.
        batches: makes tensors of examples.
        start: weights to start from: `best.safetensors` of another run, or `model.safetensors` of a checkpoint.
    """

    def __init__(self, folder: Path, shape: Shape, plan: Plan, batches: Batches, start: Path | None = None) -> None:
        torch.manual_seed(plan.seed)
        self.folder, self.plan, self.batches = folder, plan, batches
        self.reader = Reader(shape)
        self.reader.standardise(*batches.sample(plan.seed))
        if start:
            stored = Tensors(start)
            named = {name: torch.tensor(stored.array(name)) for name in stored if name.startswith("reader.")}
            self.reader.load_state_dict({name.removeprefix("reader."): value for name, value in named.items()})
        self.average = deepcopy(self.reader).eval()
        self.optimiser = torch.optim.AdamW(
            self.reader.parameters(), lr=plan.rate, weight_decay=plan.decay, betas=(0.9, 0.98)
        )
        self.spent, self.steps, self.seen, self.best = 0.0, 0, 0, math.inf
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / "last.pt").exists():
            self._resume()

    def _resume(self) -> None:
        saved = torch.load(self.folder / "last.pt", weights_only=False)
        self.reader.load_state_dict(saved["reader"])
        self.average.load_state_dict(saved["average"])
        self.optimiser.load_state_dict(saved["optimiser"])
        self.spent, self.steps, self.seen, self.best = saved["at"]
        _LOG.info("resumed at %.0f s, step %d", self.spent, self.steps)

    def save(self) -> None:
        """Write everything that a later session needs to go on."""
        parts = {"reader": self.reader, "average": self.average, "optimiser": self.optimiser}
        state: dict[str, Any] = {name: part.state_dict() for name, part in parts.items()}
        torch.save(state | {"at": (self.spent, self.steps, self.seen, self.best)}, self.folder / "new.pt")
        (self.folder / "new.pt").replace(self.folder / "last.pt")

    def train(
        self,
        stages: Sequence[tuple[float, Sequence[Asked]]],
        held_out: Sequence[Asked],
        change: Callable[[Random, Asked], Asked] = lambda _, asked: asked,
    ) -> None:
        """Train until the time is spent, looking at the held-out examples now and then.

        Args:
            stages: shares of the time at which they end, in rising order up to 1, and the examples of each.
            held_out: examples of families that no stage has.
            change: what becomes of an example when it is met; never of a held-out one.
        """
        rng, budget = Random(self.plan.seed + self.steps), self.plan.minutes * 60
        if not self.steps:
            self.look(held_out)
        next_look, mark = self.spent + self.plan.every, time.monotonic()
        total, count = np.zeros(3), np.zeros(3)
        for chosen in self._forever(stages, rng, change):
            kinds, values = self._step(chosen, min(1.0, self.spent / budget))
            np.add.at(total, kinds, values)
            np.add.at(count, kinds, 1)
            now = time.monotonic()
            self.spent, mark = self.spent + now - mark, now
            if self.spent >= next_look or self.spent >= budget:
                _LOG.info(
                    "%.0f s, step %d, %d examples, loss %s",
                    self.spent,
                    self.steps,
                    self.seen,
                    " ".join(f"{n} {t / max(c, 1):.3f}" for n, t, c in zip(KIND_NAMES, total, count, strict=True)),
                )
                total, count = np.zeros(3), np.zeros(3)
                self.look(held_out)
                self.save()
                next_look, mark = self.spent + self.plan.every, time.monotonic()
            if self.spent >= budget:
                self._blend(held_out)
                return

    def _blend(self, held_out: Sequence[Asked]) -> None:
        """Look at the mean of the best weights and the last ones, too: it is often better than either."""
        best = load_file(self.folder / "best.safetensors")
        with torch.no_grad():
            for name, value in self.average.named_parameters():
                value.lerp_(best[f"reader.{name}"], 0.5)
        self.look(held_out)

    def _forever(
        self,
        stages: Sequence[tuple[float, Sequence[Asked]]],
        rng: Random,
        change: Callable[[Random, Asked], Asked],
    ) -> Iterator[list[Asked]]:
        for end, examples in stages:
            while True:
                mixed = rng.sample(examples, len(examples))
                for at in range(0, len(mixed), CHUNK):
                    met = [change(rng, example) for example in mixed[at : at + CHUNK]]
                    for batch in self.batches.order(met, self.plan.cells, rng):
                        if self.spent > end * self.plan.minutes * 60 and end < 1:
                            break
                        yield batch
                if self.spent > end * self.plan.minutes * 60 and end < 1:
                    break

    def _step(self, chosen: list[Asked], progress: float) -> tuple[np.ndarray, np.ndarray]:
        plan = self.plan
        rate = progress / plan.warm if progress < plan.warm else 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress))
        for group in self.optimiser.param_groups:
            group["lr"] = plan.rate * rate
        batch = self.batches.batch(chosen)
        hidden = torch.rand(batch.state_seen.shape) >= plan.state_drop
        hidden[:, 0] = True
        batch.state_seen.logical_and_(hidden)
        kept = (torch.rand(len(chosen), 1) >= plan.no_prior).float()
        self.reader.train()
        each, loss = self._loss(batch, kept)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.reader.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.steps, self.seen = self.steps + 1, self.seen + len(chosen)
        follow = min(plan.average, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for mean, value in zip(self.average.parameters(), self.reader.parameters(), strict=True):
                mean.lerp_(value, 1 - follow)
        return batch.types.numpy(), each.detach().numpy()

    def _loss(self, batch: Batch, kept: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The loss of each example [B], and what is minimised; `kept` is 0 where an example is asked without prior."""
        plan = self.plan
        with torch.autocast("cpu", dtype=torch.bfloat16):
            residual, turn = self.reader(batch, drop=plan.drop)
        each = losses(self.reader.prior(batch) * kept + residual, batch)
        weight = torch.where(batch.types == NOUL, plan.noul_weight, 1.0)
        weight = weight * torch.where(batch.polarity < 0, plan.denied_weight, 1.0)
        polarity = batch.polarity.square() * (turn[:, :2].mean(-1) - plan.turn * batch.polarity).square()
        return each, (weight * each + plan.anchor * excess(residual, batch) + plan.polarity * polarity).mean()

    def look(self, held_out: Sequence[Asked]) -> None:
        """Measure the averaged weights on the held-out families; keep them if they are the best so far."""
        found = measure(self.average, self.batches, held_out)
        # Sharpness is calibrated afterwards, so the nearest temperature is granted to both.
        value = float(np.mean([found[kind]["fitted_nll"] / found[kind]["prior_fitted_nll"] for kind in found]))
        line = {"seconds": round(self.spent), "steps": self.steps, "examples": self.seen, "value": value, **found}
        with (self.folder / "looks.jsonl").open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
        _LOG.info("held out: %.4f %s", value, {k: {n: round(v, 3) for n, v in f.items()} for k, f in found.items()})
        if value < self.best:
            self.best = value
            self.export(self.folder / "best.safetensors")

    def export(self, path: Path) -> None:
        """Write the averaged weights under the names of the checkpoint file."""
        tensors = {f"reader.{name}": value.contiguous() for name, value in self.average.state_dict().items()}
        save_file(tensors, path, metadata={"shape": json.dumps(asdict(self.reader.shape)), "steps": str(self.steps)})


@torch.inference_mode()
def answer(reader: Reader, batch: Batch) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits [B, K] of a batch with and without the reader's residual."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        residual, _ = reader(batch)
    prior = reader.prior(batch)
    return (prior + residual).masked_fill(~batch.real, FAR), prior.masked_fill(~batch.real, FAR)


def measure(reader: Reader, batches: Batches, examples: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Summaries by kind, beside accuracy and log losses of the prior alone."""
    rows: dict[int, list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = {0: [], 1: [], 2: []}
    for chosen in batches.order(examples, 6000, None):
        both = [part.double().numpy() for part in answer(reader, batches.batch(chosen))]
        for example, ours, prior in zip(chosen, *both, strict=True):
            n = len(example.target)
            rows[example.kind].append((ours[:n], prior[:n], np.array(example.target)))
    found = {}
    for kind, part in rows.items():
        if part:
            ours, prior, targets = (list(column) for column in zip(*part, strict=True))
            before = summary(prior, targets)
            found[KIND_NAMES[kind]] = summary(ours, targets) | {f"prior_{name}": before[name] for name in SHOWN}
    return found
