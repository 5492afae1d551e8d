"""Drawn examples and their texts on disk, so that a run starts where an earlier one stopped."""

from __future__ import annotations

import logging
import pickle
from collections import Counter
from random import Random
from typing import TYPE_CHECKING, Final

from training.examples import Asked
from training.numbered import Texts, number_example

if TYPE_CHECKING:
    from pathlib import Path

    from training.mix import Mix

_LOG: Final = logging.getLogger(__name__)
Drawn = tuple[list[Asked], list[Asked], list[str]]


def draw(folder: Path, mix: Mix, count: int, held_out: int, seed: int) -> Drawn:
    """Examples to train on, held-out examples, and the texts of both; drawn once a folder.

    Args:
        folder: working folder of the checkpoint.
        mix: where examples come from.
        count: examples to train on.
        held_out: held-out examples of each kind.
        seed: seed of both draws.
    """
    file = folder / "examples.pickle"
    if file.exists():
        with file.open("rb") as stored:
            drawn: Drawn = pickle.load(stored)
        examples, kept, known = drawn
        left_out = {task for task in {e.task for e in examples} if mix.is_left_out(task)}
        wanted = [e for e in examples if e.task not in left_out and not mix.is_held_out(e.family)]
        return wanted, kept, known
    texts = Texts()
    kept = [number_example(example, texts) for example in mix.draw_held_out(Random(seed + 1), held_out)]
    examples = [number_example(example, texts) for example in mix.draw(Random(seed), count)]
    _LOG.info(
        "drew %d examples of %d families, %d held out of %d families, %d texts",
        len(examples),
        len({e.family for e in examples}),
        len(kept),
        len({e.family for e in kept}),
        len(texts.numbers),
    )
    for task, number in Counter(e.task for e in examples).most_common():
        _LOG.info("  %6d %s", number, task)
    folder.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as stored:
        pickle.dump((examples, kept, list(texts.numbers)), stored)
    return examples, kept, list(texts.numbers)
