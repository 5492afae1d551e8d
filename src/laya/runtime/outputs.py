"""What all runtimes over the packed graph share: its outputs as a `Forward`, and the thread count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from laya.errors import ArgumentError, ForwardError
from laya.request import Forward, PackedBatch, QuestionTokens
from laya.runtime.act import act_logits
from laya.settings import settings

if TYPE_CHECKING:
    from laya.request import Batch, FloatArray
    from laya.runtime.source import ActHead


def thread_count(threads: int | None) -> int:
    """Threads of one forward: the argument, else `LAYA_THREADS`, else 0 for the runtime's own choice.

    Raises:
        ArgumentError: not a positive integer.
    """
    if threads is None:
        return settings().threads or 0
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ArgumentError(f"threads must be a positive integer or None, got {threads!r}")
    return threads


def missing_part(batch: Batch) -> ForwardError:
    """The error of a batch for which the checkpoint has no graph."""
    return ForwardError(
        f"this checkpoint has no graph for {type(batch).__name__}; only a checkpoint with reader layers has"
    )


def finish(outputs: dict[str, FloatArray], batch: Batch, head: ActHead | None) -> Forward:
    """Outputs of a graph as a `Forward`, with the action logits where there is an action head.

    Raises:
        ForwardError: a number is not finite.
    """
    if "hidden" in outputs:
        return Forward(hidden=finite(outputs["hidden"], "hidden states"))
    if "markers" in outputs:
        tokens = {name: finite(values, "question states") for name, values in outputs.items()}
        return Forward(question=QuestionTokens(**tokens))
    scores = finite(outputs["logits"], "scores")
    if not isinstance(batch, PackedBatch):
        return Forward(scores=scores)
    act = None if head is None else act_logits(head, outputs["features"], scores, batch.out_starts)
    return Forward(scores=scores, act=None if act is None else finite(act, "action logits"))


def finite(values: FloatArray, what: str) -> FloatArray:
    """Return the values if all are finite numbers.

    Raises:
        ForwardError: one is not.
    """
    if not np.isfinite(values).all():
        raise ForwardError(
            f"the model returned {what} that are not finite numbers; its weights are damaged or overflow"
        )
    return values
