"""The reader in torch: a few layers that let a question's tokens attend to those of a state.

The same network runs in the engine, see `laya.encoding.reader`; tensors have the names of the checkpoint file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu

if TYPE_CHECKING:
    from training.batches import Batch

MARKERS = 4
SEGMENTS = 6
STATE_SEGMENT = 5


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of a reader; the fields are keys of the `reader` object of a checkpoint's config."""

    layers: int = 2
    heads: int = 6
    width: int = 384
    ffn: int = 768
    taps: tuple[int, ...] = (6, 12)
    tau: tuple[float, float, float] = (20.0, 10.0, 5.0)
    trunk_width: int = 384
    compare: bool = True
    gate: bool = True


class Layer(nn.Module):
    """Self-attention, attention to the state, feed-forward; each behind its own norm."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(width) for _ in range(3))
        self.self_in, self.self_out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.cross_q, self.cross_kv = nn.Linear(width, width), nn.Linear(width, 2 * width)
        self.cross_out = nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, shape.ffn), nn.Linear(shape.ffn, width)
        self.compare = nn.Linear(width, width) if shape.compare else None
        with torch.no_grad():
            # Attention that starts as likeness: a token looks at the state tokens that resemble it.
            self.cross_q.weight.copy_(torch.eye(width) + 0.02 * torch.randn(width, width))
            self.cross_kv.weight[:width].copy_(torch.eye(width) + 0.02 * torch.randn(width, width))
            for last in (self.self_out, self.cross_out, self.down):
                last.weight.mul_(0.5)

    def _heads(self, value: Tensor) -> Tensor:
        rows, length, _ = value.shape
        return value.view(rows, length, self.heads, -1).transpose(1, 2)

    def _mix(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        # Written out: the fused kernel's backward pass is three times slower on a CPU.
        q, k, v = map(self._heads, (query, key, value))
        scores = (q @ k.transpose(-1, -2)).float() * q.shape[-1] ** -0.5
        mixed = torch.softmax(scores.masked_fill(~mask, -1e9), dim=-1).to(v.dtype) @ v
        return mixed.transpose(1, 2).reshape(query.shape)

    def forward(self, x: Tensor, state: Tensor, seen: Tensor, state_seen: Tensor, drop: float) -> Tensor:
        """One layer over question tokens x [B, Q, d] and state tokens [B, S, d]."""
        x = self.look(x, seen, drop)
        key, value = self.cross_kv(state).chunk(2, dim=-1)
        query = self.cross_q(self.norm2(x))
        mixed = self._mix(query, key, value, state_seen)
        x = x + self._drop(self.cross_out(mixed), drop)
        if self.compare is not None:
            x = x + self.compare(query * mixed)
        return x + self._drop(self.down(gelu(self.up(self.norm3(x)))), drop)

    def look(self, x: Tensor, seen: Tensor, drop: float = 0.0) -> Tensor:
        """Self-attention of question tokens and markers x [B, Q, d]."""
        return x + self._drop(self.self_out(self._mix(*self.self_in(self.norm1(x)).chunk(3, dim=-1), seen)), drop)

    def _drop(self, value: Tensor, share: float) -> Tensor:
        return dropout(value, share, self.training) if share else value


class Reader(nn.Module):
    """Scores of options: prior (scaled cosine) plus what the layers say. Starts exactly at the prior."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        wide, width = shape.trunk_width, shape.width
        self.input = nn.Linear(wide * len(shape.taps), width)
        self.segment, self.marker = nn.Embedding(SEGMENTS, width), nn.Embedding(MARKERS, width)
        self.option, self.match, self.rank = nn.Linear(wide, width), nn.Linear(wide, width), nn.Linear(4, width)
        self.pair_option, self.pair_state = nn.Linear(wide, wide), nn.Linear(wide, wide)
        self.state_norm, self.norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.scorer = nn.Linear(width, 1)
        self.gate = nn.Linear(width, 1) if shape.gate else None
        self.gate_norm = nn.LayerNorm(width) if shape.gate else nn.Identity()
        self.register_buffer("centre", torch.zeros(wide))
        self.register_buffer("scale", torch.full((wide,), wide**0.5))
        self.register_buffer("usual", torch.tensor([0.0, 1.0]))
        with torch.no_grad():
            for table in (self.segment, self.marker):
                table.weight.mul_(0.3)
            for small in (self.option, self.match, self.rank):
                small.weight.mul_(0.5)
            for side in (self.pair_option, self.pair_state):
                side.weight.copy_(torch.eye(wide))
                side.bias.zero_()
            self.scorer.weight.zero_()
            self.scorer.bias.zero_()
            if self.gate is not None:
                self.gate.weight.mul_(0.3)
                self.gate.bias.fill_(1.0)

    @torch.no_grad()
    def standardise(self, tokens: Tensor, vectors: Tensor) -> None:
        """Start from inputs of mean 0 and spread 1: texts of a trunk share a large common part that says nothing.

        Args:
            tokens: [n, D * taps] hidden states of a sample.
            vectors: [m, D] unit vectors of a sample.
        """
        mean, spread = tokens.mean(0), tokens.std(0).clamp(min=1e-4)
        wide = self.shape.trunk_width
        weight = 0.1 * self.input.weight * wide**0.5
        if self.shape.width == wide:
            weight[:, -wide:] += torch.eye(wide)
        self.input.weight.copy_(weight / spread)
        self.input.bias.copy_(-(weight / spread) @ mean)
        self.centre.copy_(vectors.mean(0))
        self.scale.copy_(1 / vectors.std(0).clamp(min=1e-5))
        near = (vectors[: len(vectors) // 2] * vectors[-(len(vectors) // 2) :]).sum(-1)
        self.usual.copy_(torch.stack([near.mean(), near.std()]))

    def forward(self, batch: Batch, drop: float = 0.0) -> tuple[Tensor, Tensor]:
        """Residual scores [B, K] of the options of a batch, and which way they count; behind the options is noise."""
        rows, options = batch.vectors.shape[:2]
        state = self.state_norm(self.input(batch.state) + self.segment.weight[STATE_SEGMENT])
        tokens = self.input(batch.tokens) + self.segment(batch.segments)
        asked = (batch.vectors - self.centre) * self.scale
        told = (batch.state_vector - self.centre) * self.scale
        near = self.pair_option(asked) * self.pair_state(told)[:, None]
        cosine = (batch.vectors * batch.state_vector[:, None]).sum(-1, keepdim=True)
        ranked = self.rank(torch.cat([(cosine - self.usual[0]) / self.usual[1], batch.ranks], dim=-1))
        started = self.marker(batch.markers) + self.option(asked)
        marked = started + self.match(near) + ranked
        x = torch.cat([tokens, marked], dim=1)
        seen, state_seen = batch.seen[:, None], batch.state_seen[:, None, None]
        for layer in self.layers:
            x = layer(x, state, seen, state_seen, drop)
        scores = self.scorer(self.norm(x[:, -options:])).view(rows, options).float()
        if self.gate is None:
            return scores, torch.ones_like(scores)
        turn = self._turn(torch.cat([tokens, started], dim=1), seen, options).view(rows, options)
        return scores * turn, turn

    def _turn(self, asked: Tensor, seen: Tensor, options: int) -> Tensor:
        """[B, K, 1] which way each score counts, by what the question alone says: a denial turns it round."""
        gate: Any = self.gate
        first: Any = self.layers[0]
        turn: Tensor = torch.tanh(gate(self.gate_norm(first.look(asked, seen)[:, -options:])).float())
        return turn

    def prior(self, batch: Batch) -> Tensor:
        """Scaled cosine [B, K] of every option and its state; zero where a type has none."""
        tau = torch.tensor(self.shape.tau)[batch.types]
        return tau[:, None] * (batch.vectors * batch.state_vector[:, None]).sum(-1) * batch.has_prior[:, None]
