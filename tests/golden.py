"""The golden checkpoints and what the reference implementation says of every row of them."""

from __future__ import annotations

import functools
import importlib.util
import itertools
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from laya.request import TYPE_INDEX, EncodedRow

ROOT = Path(__file__).resolve().parents[2] / "shared" / "golden"
NAMES = ("tiny-bert", "tiny-nohead", "tiny-par", "tiny-seq", "tiny-wp")
needs_golden = pytest.mark.skipif(not ROOT.is_dir(), reason="the golden checkpoints are not beside this checkout")


@dataclass(frozen=True)
class GoldenRow:
    """One row: what goes in, and the reference's logits (slot order) and action logits."""

    case: str
    row: EncodedRow
    logits: np.ndarray
    act: np.ndarray


def directory(name: str) -> Path:
    return ROOT / "ckpt" / name


@functools.cache
def _recorded():
    return json.loads((ROOT / "golden.json").read_text(encoding="utf-8"))


@functools.cache
def _cases():
    spec = importlib.util.spec_from_file_location("golden_cases", ROOT / "golden.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {case: module.QUESTIONS[questions] for case, _, questions, _ in module.CASES}


@functools.cache
def rows(name: str) -> tuple[GoldenRow, ...]:
    """Every distinct recorded row of a checkpoint."""
    special = _special_ids(directory(name))
    found, seen = [], set()
    for case, questions in _cases().items():
        recorded = _recorded()[name]["cases"][case].get("rows", [])
        for question, row in zip(questions.values(), recorded, strict=False):
            key = (question["type"], tuple(row["ids"]))
            if key not in seen:
                seen.add(key)
                encoded = _encode(row["ids"], question["type"], special, parallel=name == "tiny-par")
                assert len(encoded.markers) == len(row["logits"])
                found.append(GoldenRow(case, encoded, np.array(row["logits"]), np.array(row["act"])))
    return tuple(found)


def _special_ids(path: Path) -> tuple[int, int]:
    """Ids of the mask and of the separator."""
    added = json.loads((path / "tokenizer" / "tokenizer.json").read_text(encoding="utf-8"))["added_tokens"]
    ids = {token["content"]: token["id"] for token in added}
    return ids["[MASK]"], ids["[SEP]"]


def _encode(ids, kind, special, *, parallel):
    mask, sep = special
    ids = np.array(ids)
    markers = np.flatnonzero(ids == mask)
    positions, options = np.arange(len(ids)), np.zeros(len(ids), np.int64)
    if parallel:
        after = np.flatnonzero((ids == sep) & (np.arange(len(ids)) > markers[-1]))
        stop = after[0] if len(after) else len(ids)
        bounds = [*markers, stop]
        for slot, (start, end) in enumerate(itertools.pairwise(bounds)):
            positions[start:end] = markers[0] + np.arange(end - start)
            options[start:end] = slot + 1
        positions[stop:] = markers[0] + max(np.diff(bounds)) + np.arange(len(ids) - stop)
    return EncodedRow(
        ids=ids, positions=positions, options=options, markers=markers, type_index=TYPE_INDEX[kind], state_used=0
    )
