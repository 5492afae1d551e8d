"""The trunk in torch: a BERT encoder that keeps the hidden states of chosen layers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import embedding, gelu, layer_norm, linear, scaled_dot_product_attention

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Trunk(nn.Module):
    """A checkpoint's encoder.

    Args:
        folder: checkpoint directory with `encoder/config.json` and float32 `model.safetensors`.
        taps: encoder layers to keep, counted from 1; the last one is the trunk's last layer.
        dtype: precision of the matrix products.
    """

    def __init__(self, folder: Path, taps: Sequence[int], dtype: torch.dtype = torch.bfloat16) -> None:
        super().__init__()
        self.config: dict[str, Any] = json.loads((folder / "encoder" / "config.json").read_text("utf-8"))
        self.taps = tuple(taps)
        self.dtype = dtype
        weights = load_file(folder / "model.safetensors")
        self.weights = {name.removeprefix("encoder."): value.to(dtype) for name, value in weights.items()}

    @property
    def width(self) -> int:
        """Width D of a hidden state."""
        return int(self.config["hidden_size"])

    def _named(self, name: str) -> tuple[Tensor, Tensor]:
        return self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]

    def _norm(self, value: Tensor, name: str) -> Tensor:
        return layer_norm(value, (self.width,), *self._named(name), self.config["layer_norm_eps"])

    @torch.inference_mode()
    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Hidden states [B, L, D * taps] of padded rows `ids` [B, L]; what stands behind a row's length is noise."""
        return self.read(ids, lengths)

    def read(self, ids: Tensor, lengths: Tensor, first: int = 0) -> Tensor:
        """The same, with gradients from the layer of number `first` on, counted from 0, where they are asked for."""
        length = ids.shape[1]
        hidden = self._embedded(ids)
        mask = None
        if int(lengths.min()) < length:
            mask = (torch.arange(length)[None] < lengths[:, None])[:, None, None]
        kept, learning = [], torch.is_grad_enabled()
        for layer in range(self.config["num_hidden_layers"]):
            with torch.set_grad_enabled(learning and layer >= first):
                hidden = self._layer(f"encoder.layer.{layer}", hidden, mask)
            if layer + 1 in self.taps:
                kept.append(hidden)
        return torch.cat(kept, dim=-1)

    def _embedded(self, ids: Tensor) -> Tensor:
        weights = self.weights
        hidden = embedding(ids, weights["embeddings.word_embeddings.weight"])
        hidden = hidden + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
        hidden = hidden + weights["embeddings.token_type_embeddings.weight"][0]
        return self._norm(hidden, "embeddings.LayerNorm")

    def _layer(self, name: str, hidden: Tensor, mask: Tensor | None) -> Tensor:
        rows, length, _ = hidden.shape
        query, key, value = (
            linear(hidden, *self._named(f"{name}.attention.self.{part}"))
            .view(rows, length, self.config["num_attention_heads"], -1)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        mixed = attend(query, key, value, mask).transpose(1, 2).reshape(rows, length, -1)
        attended = linear(mixed, *self._named(f"{name}.attention.output.dense"))
        hidden = self._norm(attended + hidden, f"{name}.attention.output.LayerNorm")
        inner = gelu(linear(hidden, *self._named(f"{name}.intermediate.dense")))
        return self._norm(linear(inner, *self._named(f"{name}.output.dense")) + hidden, f"{name}.output.LayerNorm")


def attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    """Attention of [B, heads, L, d]; written out where gradients are wanted.

    The backward pass of the fused kernel is three times slower on a CPU.
    """
    if not torch.is_grad_enabled():
        return scaled_dot_product_attention(query, key, value, attn_mask=mask)
    scores = (query @ key.transpose(-1, -2)).float() * query.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, -1e9)
    return torch.softmax(scores, dim=-1).to(value.dtype) @ value
