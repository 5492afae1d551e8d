"""What the trunk says of every distinct text, computed once and kept on disk."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import torch

from laya.encoding.tokenizer import TextEncoder
from training.trunk import Trunk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_LOG: Final = logging.getLogger(__name__)
LONGEST: Final = 192
"""Tokens of a text that are kept, with CLS and SEP."""
BATCH_TOKENS: Final = 8192


@dataclass(frozen=True, slots=True)
class TextCache:
    """Trunk outputs of many texts.

    Attributes:
        hidden: [tokens, D * taps] float16 hidden states with CLS and SEP, texts of like length together.
        starts: [texts] first token of each text.
        lengths: [texts] number of its tokens.
        before: tokens of a text in front of its own: CLS, and the prefix of trunks that want one.
        vectors: [texts, D] float32 unit vectors: the mean of the last tap over a text's tokens.
    """

    hidden: npt.NDArray[np.float16]
    starts: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float32]
    before: int = 1

    @classmethod
    def open(cls, folder: Path) -> TextCache:
        """Open a finished cache; the hidden states stay on disk."""
        starts, lengths = np.load(folder / "spans.npy")
        hidden = np.load(folder / "hidden.npy", mmap_mode="r")
        before = json.loads((folder / "done.json").read_text("utf-8"))["before"]
        return cls(hidden, starts, lengths, np.load(folder / "vectors.npy"), before)


def fill(folder: Path, checkpoint: Path, texts: Sequence[str], taps: Sequence[int]) -> TextCache:
    """Read texts with the trunk, or go on where an earlier run stopped.

    Args:
        folder: where the cache lies.
        checkpoint: directory of the trunk.
        texts: distinct texts, in the order of their numbers.
        taps: see `Trunk`.
    """
    done = folder / "done.json"
    wanted = {"texts": len(texts), "taps": list(taps), "checkpoint": checkpoint.name}
    if done.exists() and json.loads(done.read_text("utf-8"))["made"] == wanted:
        return TextCache.open(folder)
    folder.mkdir(parents=True, exist_ok=True)
    prefix, rows = tokenise(checkpoint, texts)
    lengths = np.array([len(row) for row in rows])
    order = np.argsort(lengths, kind="stable")
    starts = np.empty_like(lengths)
    starts[order] = np.cumsum(lengths[order]) - lengths[order]
    np.save(folder / "spans.npy", np.stack([starts, lengths]))
    trunk = Trunk(checkpoint, taps)
    shapes = (int(lengths.sum()), trunk.width * len(taps)), (len(rows), trunk.width)
    progress = folder / "progress.json"
    resumed = progress.exists() and (folder / "hidden.npy").exists()
    first = json.loads(progress.read_text("utf-8"))["batches"] if resumed else 0
    mode = "r+" if resumed else "w+"
    hidden = np.lib.format.open_memmap(folder / "hidden.npy", mode=mode, dtype=np.float16, shape=shapes[0])
    vectors = np.lib.format.open_memmap(folder / "vectors.npy", mode=mode, dtype=np.float32, shape=shapes[1])
    batches = list(enumerate(_batches(lengths, order)))[first:]
    _read(trunk, rows, batches, (hidden, vectors), progress)
    done.write_text(json.dumps({"made": wanted, "before": 1 + prefix}), encoding="utf-8")
    progress.unlink()
    return TextCache.open(folder)


def tokenise(checkpoint: Path, texts: Sequence[str]) -> tuple[int, list[npt.NDArray[np.int64]]]:
    """Number of prefix tokens, and the ids of every text with CLS, prefix and SEP around it."""
    encoder = TextEncoder.from_directory(checkpoint / "tokenizer")
    config = json.loads((checkpoint / "rl_agent_config.json").read_text("utf-8"))
    (prefix,) = encoder.encode([config["reader"].get("prefix", "")])
    room = LONGEST - 2 - len(prefix)
    around = [encoder.cls_id], [encoder.sep_id]
    return len(prefix), [
        np.concatenate([around[0], prefix, ids[:room], around[1]]) for ids in encoder.encode(list(texts))
    ]


def _read(
    trunk: Trunk,
    rows: list[npt.NDArray[np.int64]],
    batches: list[tuple[int, npt.NDArray[np.int64]]],
    out: tuple[npt.NDArray[np.float16], npt.NDArray[np.float32]],
    progress: Path,
) -> None:
    hidden, vectors = out
    at = len(hidden) - sum(len(rows[i]) for _, batch in batches for i in batch)
    began, tokens = time.monotonic(), 0
    for number, batch in batches:
        lengths = np.array([len(rows[i]) for i in batch])
        start, at = at, at + int(lengths.sum())
        real = np.arange(lengths.max()) < lengths[:, None]
        ids = np.zeros(real.shape, dtype=np.int64)
        ids[real] = np.concatenate([rows[i] for i in batch])
        output = trunk(torch.from_numpy(ids), torch.from_numpy(lengths))
        means = (output[..., -trunk.width :].float() * torch.from_numpy(real)[..., None]).sum(1).numpy()
        vectors[batch] = means / np.linalg.norm(means, axis=1, keepdims=True)
        hidden[start:at] = output.to(torch.float16).numpy()[real]
        tokens += at - start
        if number % 20 == 0:
            speed = tokens / (time.monotonic() - began)
            _LOG.info("trunk: %d of %d tokens, %.0f a second", at, len(hidden), speed)
            progress.write_text(json.dumps({"batches": number + 1}), encoding="utf-8")


def _batches(lengths: npt.NDArray[np.int64], order: npt.NDArray[np.int64]) -> list[npt.NDArray[np.int64]]:
    """Numbers of texts in order of length, at most `BATCH_TOKENS` tokens with padding a batch."""
    cuts, first = [], 0
    for at, text in enumerate(order):
        if (at + 1 - first) * lengths[text] > BATCH_TOKENS and at > first:
            cuts.append(at)
            first = at
    return np.split(order, cuts)
