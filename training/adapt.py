"""Adapting a trunk: its upper layers learn that a text lies nearer to the option that fits it than to the others.

What is trained is the prior itself, the scaled cosine of a state and an option, by cross-entropy over the options of
the choice examples that the reader learns from, too. The lower layers stay as they were published.
"""

from __future__ import annotations

import logging
import math
import shutil
import time
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from training.cache import BATCH_TOKENS, tokenise
from training.mix import CHOICE, is_slow
from training.scoring import summary
from training.trunk import Trunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from torch import Tensor

    from training.examples import Asked
    from training.prepare import Drawn

_LOG: Final = logging.getLogger(__name__)
BLOCK: Final = 32
WEIGHTS: Final = "model.safetensors"
RATES: Final = {32: 3e-5, 4: 1e-4}
"""Learning rates by `Adaptation.bits`: a weight on a grid must go half a step before anything changes."""


@dataclass(frozen=True, slots=True)
class Adaptation:
    """How to adapt.

    Attributes:
        minutes: wall time of the run, all sessions together.
        rate: peak learning rate; `RATES` has one for either kind of storage.
        warm: share of the time in which the rate rises.
        first: first encoder layer that learns, counted from 0.
        batch: examples of a step.
        most: options of an example that are read: the right ones and a sample of the others.
        tau: scale of the cosine.
        bits: 4 keeps every matrix that learns on a grid of four-bit blocks, for trunks that are stored so; 32 does not.
        decay: weight decay.
        every: seconds between two looks at the held-out examples.
        seed: seed of everything drawn here.
    """

    minutes: float = 21.0
    rate: float = 3e-5
    warm: float = 0.05
    first: int = 6
    batch: int = 32
    most: int = 16
    tau: float = 20.0
    bits: int = 32
    decay: float = 0.01
    every: float = 300.0
    seed: int = 7


class Learner(Trunk):
    """A trunk whose upper layers learn, in float32.

    Args:
        folder: checkpoint directory of the trunk.
        plan: how to adapt.
    """

    def __init__(self, folder: Path, plan: Adaptation) -> None:
        super().__init__(folder, (), torch.float32)
        self.plan = plan
        self.taps = (int(self.config["num_hidden_layers"]),)
        upper = tuple(f"encoder.layer.{i}." for i in range(plan.first, self.taps[0]))
        self.learning = {name: value for name, value in self.weights.items() if name.startswith(upper)}
        for value in self.learning.values():
            value.requires_grad_(True)

    def _named(self, name: str) -> tuple[Tensor, Tensor]:
        weight, bias = super()._named(name)
        return (on_grid(weight) if self._is_small(weight) else weight), bias

    def _is_small(self, weight: Tensor) -> bool:
        return self.plan.bits < BLOCK and weight.ndim == 2 and weight.requires_grad

    def vectors(self, rows: Sequence[np.ndarray]) -> Tensor:
        """Unit vectors [n, D] of tokenised texts: the mean of the last layer over a text's tokens."""
        order, parts, at = sorted(range(len(rows)), key=lambda i: len(rows[i])), [], 0
        while at < len(order):
            end = at + 1
            while end < len(order) and (end + 1 - at) * len(rows[order[end]]) <= BATCH_TOKENS // 2:
                end += 1
            parts.append(self._means([rows[i] for i in order[at:end]]))
            at = end
        back = torch.empty(len(order), dtype=torch.long)
        back[torch.tensor(order)] = torch.arange(len(order))
        return torch.cat(parts)[back]

    def _means(self, rows: Sequence[np.ndarray]) -> Tensor:
        lengths = torch.tensor([len(row) for row in rows])
        ids = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
        for row, text in zip(ids, rows, strict=True):
            row[: len(text)] = torch.from_numpy(text)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.read(ids, lengths, self.plan.first).float()
        total = (hidden * (torch.arange(ids.shape[1])[None] < lengths[:, None])[..., None]).sum(1)
        return total / total.norm(dim=-1, keepdim=True)

    def changed(self) -> dict[str, Tensor]:
        """What was learned, as it is stored: names as in the checkpoint file."""
        kept = ((name, on_grid(value) if self._is_small(value) else value) for name, value in self.learning.items())
        return {f"encoder.{name}": value.detach().contiguous() for name, value in kept}


def on_grid(weight: Tensor) -> Tensor:
    """The weights on four-bit steps of blocks of 32 (`laya.model.quantised`); gradients pass as if nothing was rounded.

    Source of that: Bengio et al., Estimating or Propagating Gradients Through Stochastic Neurons (2013).
    """
    blocks = weight.detach().view(weight.shape[0], -1, BLOCK)
    extreme = blocks.gather(2, blocks.abs().argmax(2, keepdim=True))
    scale = (extreme / -8).half().float()
    scale = torch.where(scale == 0, torch.ones_like(scale), scale)
    rounded = (blocks / scale).round().clamp(-8, 7) * scale
    return weight + (rounded.view_as(weight) - weight.detach())


class Adapting:
    """One run: `last.pt` in its folder, and at the end the adapted checkpoint.

    Args:
        learner: what learns.
        rows: token ids of every numbered text.
        folder: where the run keeps its state; a run that is there already goes on.
    """

    def __init__(self, learner: Learner, rows: Sequence[np.ndarray], folder: Path) -> None:
        self.learner, self.rows, self.plan, self.state = learner, rows, learner.plan, folder / "last.pt"
        self.optimiser = torch.optim.AdamW(
            learner.learning.values(), lr=self.plan.rate, weight_decay=self.plan.decay, betas=(0.9, 0.98)
        )
        self.spent, self.steps = 0.0, 0
        folder.mkdir(parents=True, exist_ok=True)
        if self.state.exists():
            saved = torch.load(self.state, weights_only=False)
            with torch.no_grad():
                for name, value in learner.learning.items():
                    value.copy_(saved["weights"][name])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.spent, self.steps = saved["at"]

    def save(self) -> None:
        """Write everything that a later session needs to go on."""
        state = {"weights": self.learner.learning, "optimiser": self.optimiser.state_dict()}
        torch.save(state | {"at": (self.spent, self.steps)}, self.state.with_suffix(".new"))
        self.state.with_suffix(".new").replace(self.state)

    def train(self, examples: Sequence[Asked], held_out: Sequence[Asked]) -> None:
        """Train on choices until the time is spent, looking at held-out ones now and then."""
        plan = self.plan
        if not self.steps:
            self.look(held_out)
        next_look, mark, losses = self.spent + plan.every, time.monotonic(), []
        for chosen in self._forever([e for e in examples if e.kind == CHOICE and not is_slow(e.family)]):
            losses.append(self._step(chosen))
            now = time.monotonic()
            self.spent, mark = self.spent + now - mark, now
            done = self.spent >= plan.minutes * 60
            if self.spent >= next_look or done:
                _LOG.info("%.0f s, step %d, loss %.3f", self.spent, self.steps, np.mean(losses))
                self.look(held_out)
                self.save()
                next_look, mark, losses = self.spent + plan.every, time.monotonic(), []
            if done:
                return

    def _forever(self, examples: Sequence[Asked]) -> Iterator[list[Asked]]:
        rng, size = Random(self.plan.seed + self.steps), self.plan.batch
        while True:
            mixed = rng.sample(examples, len(examples))
            for at in range(0, len(mixed), size):
                yield [self._cut(rng, example) for example in mixed[at : at + size]]

    def _cut(self, rng: Random, example: Asked) -> Asked:
        """The example with at most `most` options, the right ones first."""
        count = len(example.target)
        if count <= self.plan.most:
            return example
        right = [i for i in range(count) if example.target[i]][: self.plan.most // 2]
        wrong = [i for i in range(count) if not example.target[i]]
        kept = right + rng.sample(wrong, min(len(wrong), self.plan.most - len(right)))
        shares = [example.target[i] for i in kept]
        total = sum(shares)
        return replace(
            example, options=tuple(example.options[i] for i in kept), target=tuple(share / total for share in shares)
        )

    def _step(self, chosen: Sequence[Asked]) -> float:
        plan = self.plan
        progress = min(1.0, self.spent / (plan.minutes * 60))
        falling = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress))
        for group in self.optimiser.param_groups:
            group["lr"] = plan.rate * min(1.0, progress / plan.warm) * falling
        logits = self.logits(chosen)
        targets = [torch.tensor(e.target) for e in chosen]
        each = [-(t * torch.log_softmax(z, -1)).sum() for z, t in zip(logits, targets, strict=True)]
        loss = torch.stack(each).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.learner.learning.values(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.steps += 1
        return float(loss.detach())

    def logits(self, chosen: Sequence[Asked]) -> list[Tensor]:
        """Scaled cosines [k] of each example; a text that several of them have is read once."""
        place = {text: i for i, text in enumerate(dict.fromkeys(t for e in chosen for t in (e.state, *e.options)))}
        vectors = self.learner.vectors([self.rows[text] for text in place])
        return [
            self.plan.tau * (vectors[[place[option] for option in e.options]] @ vectors[place[e.state]]) for e in chosen
        ]

    @torch.no_grad()
    def look(self, held_out: Sequence[Asked]) -> None:
        """Log how the prior does on the choices of families that are never trained on."""
        choices = [e for e in held_out if e.kind == CHOICE]
        logits = [z for at in range(0, len(choices), 64) for z in self.logits(choices[at : at + 64])]
        found = summary([z.double().numpy() for z in logits], [np.array(e.target) for e in choices])
        _LOG.info("held out: %s", {name: round(value, 3) for name, value in found.items() if name != "mae"})


def write(learner: Learner, trunk: Path, out: Path) -> None:
    """Write the checkpoint of a trunk with what was learned in place of what was published."""
    shutil.copytree(trunk, out, dirs_exist_ok=True, ignore=shutil.ignore_patterns(WEIGHTS))
    learned = learner.changed()
    stored = load_file(trunk / WEIGHTS)
    # Complete or not there at all: a file with this name says that the run is done.
    save_file({name: learned.get(name, value) for name, value in stored.items()}, out / "new")
    (out / "new").replace(out / WEIGHTS)


def adapted(trunk: Path, folder: Path, plan: Adaptation, drawn: Drawn) -> Path:
    """The checkpoint of the adapted trunk, made in `folder` unless it is there already.

    Args:
        trunk: checkpoint directory of the published trunk, in float32.
        folder: where the run keeps its state and writes the checkpoint.
        plan: how to adapt.
        drawn: examples, held-out examples and texts.
    """
    out = folder / "trunk"
    if not (out / WEIGHTS).exists():
        examples, held_out, texts = drawn
        learner = Learner(trunk, plan)
        Adapting(learner, tokenise(trunk, texts)[1], folder).train(examples, held_out)
        write(learner, trunk, out)
    return out
