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
        hidden: [tokens, D * taps] float16 hidden states, text after text, with CLS and SEP.
        starts: [texts + 1] first token of each text.
        vectors: [texts, D] float32 unit vectors: the mean of the last tap over a text's tokens.
    """

    hidden: npt.NDArray[np.float16]
    starts: npt.NDArray[np.int64]
    vectors: npt.NDArray[np.float32]

    @classmethod
    def open(cls, folder: Path) -> TextCache:
        """Open a finished cache; the hidden states stay on disk."""
        starts = np.load(folder / "starts.npy")
        hidden = np.load(folder / "hidden.npy", mmap_mode="r")
        return cls(hidden, starts, np.load(folder / "vectors.npy"))


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
    rows = _tokenise(checkpoint, texts)
    starts = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    np.save(folder / "starts.npy", starts)
    trunk = Trunk(checkpoint, taps)
    shape = (int(starts[-1]), trunk.width * len(taps))
    progress = folder / "progress.json"
    resumed = progress.exists() and (folder / "hidden.npy").exists()
    first = json.loads(progress.read_text("utf-8"))["batches"] if resumed else 0
    mode = "r+" if resumed else "w+"
    hidden = np.lib.format.open_memmap(folder / "hidden.npy", mode=mode, dtype=np.float16, shape=shape)
    vectors = np.lib.format.open_memmap(
        folder / "vectors.npy", mode=mode, dtype=np.float32, shape=(len(rows), trunk.width)
    )
    _read(trunk, rows, starts, (hidden, vectors), progress, first)
    done.write_text(json.dumps({"made": wanted}), encoding="utf-8")
    progress.unlink()
    return TextCache.open(folder)


def _tokenise(checkpoint: Path, texts: Sequence[str]) -> list[npt.NDArray[np.int64]]:
    encoder = TextEncoder.from_directory(checkpoint / "tokenizer")
    rows = []
    for ids in encoder.encode(list(texts)):
        kept = ids[: LONGEST - 2]
        rows.append(np.concatenate([[encoder.cls_id], kept, [encoder.sep_id]]))
    return rows


def _read(
    trunk: Trunk,
    rows: list[npt.NDArray[np.int64]],
    starts: npt.NDArray[np.int64],
    out: tuple[npt.NDArray[np.float16], npt.NDArray[np.float32]],
    progress: Path,
    first: int,
) -> None:
    hidden, vectors = out
    began, tokens = time.monotonic(), 0
    for number, batch in enumerate(_batches(rows)):
        if number < first:
            continue
        lengths = np.array([len(rows[i]) for i in batch])
        ids = np.zeros((len(batch), lengths.max()), dtype=np.int64)
        for slot, i in enumerate(batch):
            ids[slot, : lengths[slot]] = rows[i]
        output = trunk(torch.from_numpy(ids), torch.from_numpy(lengths)).to(torch.float16).numpy()
        for slot, i in enumerate(batch):
            states = output[slot, : lengths[slot]]
            hidden[starts[i] : starts[i + 1]] = states
            mean = states[:, -trunk.width :].astype(np.float32).mean(axis=0)
            vectors[i] = mean / np.linalg.norm(mean)
        tokens += int(lengths.sum())
        if number % 50 == 0:
            speed = tokens / (time.monotonic() - began)
            _LOG.info("trunk: %d of %d tokens, %.0f a second", tokens, starts[-1], speed)
            progress.write_text(json.dumps({"batches": number + 1}), encoding="utf-8")


def _batches(rows: list[npt.NDArray[np.int64]]) -> list[list[int]]:
    """Numbers of rows of like length, at most `BATCH_TOKENS` with padding."""
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    batches: list[list[int]] = [[]]
    for i in order:
        if (len(batches[-1]) + 1) * len(rows[i]) > BATCH_TOKENS:
            batches.append([])
        batches[-1].append(i)
    return [batch for batch in batches if batch]
