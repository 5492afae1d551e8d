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
TEMPERATURES = tuple(1.15**step for step in range(-6, 10))


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


def summary(logits: list[npt.NDArray[np.float64]], targets: list[npt.NDArray[np.float64]]) -> dict[str, float]:
    """Accuracy, log loss as it is and at the best of some temperatures, and mean absolute error in steps."""
    pairs = list(zip(map(_softmax, logits), targets, strict=True))
    hit = np.mean([t[p.argmax()] >= t.max() - 1e-6 for p, t in pairs])
    mae = np.mean([abs((p - t) @ np.arange(len(p))) for p, t in pairs])
    fitted = min(_nll([z / heat for z in logits], targets) for heat in TEMPERATURES)
    return {"acc": float(hit), "nll": _nll(logits, targets), "fitted_nll": fitted, "mae": float(mae)}


def _nll(logits: list[npt.NDArray[np.float64]], targets: list[npt.NDArray[np.float64]]) -> float:
    each = [-(t * np.log(np.maximum(_softmax(z), 1e-9))).sum() for z, t in zip(logits, targets, strict=True)]
    return float(np.mean(each))


def _softmax(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    raised = np.exp(logits - logits.max())
    return np.asarray(raised / raised.sum())
