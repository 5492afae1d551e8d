"""What is minimised and what is reported: proper scoring rules over the final probabilities.

Sources: Gneiting and Raftery, Strictly Proper Scoring Rules, Prediction, and Estimation (2007), for the logarithmic,
the spherical and the ranked probability score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import torch

if TYPE_CHECKING:
    from torch import Tensor

    from training.batches import Batch

FAR = -1e4
"""Logit of a column that is no option."""
SPHERICAL = 0.5
RANKED = 2.0
SCORE = 1


def losses(logits: Tensor, batch: Batch) -> Tensor:
    """Loss [B] of each example: log + spherical rule, and the ranked probability score for levels.

    Args:
        logits: [B, K] prior plus residual.
        batch: the examples.
    """
    logits = logits.masked_fill(~batch.real, FAR)
    log_p = torch.log_softmax(logits, dim=-1)
    p = log_p.exp()
    log_rule = -(batch.target * log_p).sum(-1) + torch.xlogy(batch.target, batch.target).sum(-1)
    spherical = 1 - (batch.target * p).sum(-1) / (p.norm(dim=-1) * batch.target.norm(dim=-1).clamp(min=1e-6))
    steps = (batch.real.sum(-1) - 1).clamp(min=1)
    ranked = (p.cumsum(-1) - batch.target.cumsum(-1)).square().sum(-1) / steps
    return log_rule + SPHERICAL * spherical + RANKED * ranked * (batch.types == SCORE)


def excess(residual: Tensor, batch: Batch) -> Tensor:
    """Mean squared residual [B] of an example's options about their mean: how far the reader leaves the prior."""
    count = batch.real.sum(-1, keepdim=True)
    centred = (residual - (residual * batch.real).sum(-1, keepdim=True) / count) * batch.real
    return centred.square().sum(-1) / count[:, 0]


def summary(probabilities: list[npt.NDArray[np.float64]], targets: list[npt.NDArray[np.float64]]) -> dict[str, float]:
    """Accuracy, log loss and mean absolute error in steps of a list of examples."""
    pairs = list(zip(probabilities, targets, strict=True))
    hit = np.mean([t[p.argmax()] >= t.max() - 1e-6 for p, t in pairs])
    nll = np.mean([-(t * np.log(np.maximum(p, 1e-9))).sum() for p, t in pairs])
    mae = np.mean([abs((p - t) @ np.arange(len(p))) for p, t in pairs])
    return {"acc": float(hit), "nll": float(nll), "mae": float(mae)}
