"""The numbers of the reader layout, from the `reader` object of a checkpoint's config."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laya.errors import CheckpointError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ReaderRules:
    """What the layout must know of the reader; sizes of its tensors are the business of `laya.model`.

    Attributes:
        tau: scale of the cosine for choice, score and noul.
        residual: scale of what the layers say beside the cosine, for choice, score and noul.
        layers: reader layers, 0 for a plain matcher.
        taps: number of trunk layers that the hidden states hold side by side.
        prefix: what the trunk wants to read in front of every text, such as "query:"; empty for nothing.
        noul_bias: no layers: cosine at which a lone statement is as likely to hold as not.
        noul_floor: no layers: cosine that a statement must exceed to be likely, however far away the denial is.
        noul_same: no layers: cosine between statement and denial above which they count as one text.
    """

    tau: tuple[float, float, float]
    residual: tuple[float, float, float] = (1.0, 1.0, 1.0)
    layers: int = 0
    taps: int = 1
    prefix: str = ""
    noul_bias: float = 0.2
    noul_floor: float = -1.0
    noul_same: float = 1.0

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> ReaderRules:
        """Read the `reader` object of a checkpoint's config.

        Raises:
            CheckpointError: a value is missing or of a kind that this version cannot run.
        """
        for key, wanted in (("pooling", "mean"), ("normalise", True)):
            if config.get(key, wanted) != wanted:
                raise _unusable(key, config[key], f"{wanted!r} is all that this version runs; install a newer one")
        layers = config.get("layers", 0)
        if isinstance(layers, bool) or not isinstance(layers, int) or layers < 0:
            raise _unusable("layers", layers, "it must be a number of layers, 0 for none")
        tau = _by_type("tau", config.get("tau"))
        residual = _by_type("residual", config.get("residual", (1.0, 1.0, 1.0)))
        prefix = config.get("prefix", "")
        if not isinstance(prefix, str):
            raise _unusable("prefix", prefix, "it must be a text, empty for none")
        names = ("noul_bias", "noul_floor", "noul_same")
        given = {name: _number(name, config[name]) for name in names if name in config}
        taps = _taps(config) if layers else 1
        return cls(tau=tau, residual=residual, layers=layers, taps=taps, prefix=prefix, **given)


def _by_type(name: str, values: object) -> tuple[float, float, float]:
    if not isinstance(values, list | tuple) or len(values) != 3:
        raise _unusable(name, values, "it must be three numbers: choice, score, noul")
    choice, score, noul = (_number(name, value) for value in values)
    return choice, score, noul


def _taps(config: Mapping[str, Any]) -> int:
    taps = config.get("taps")
    if not isinstance(taps, list | tuple) or not taps:
        raise _unusable("taps", taps, "it must list the encoder layers that the reader sees")
    return len(taps)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _unusable(name, value, "it must be a finite number")
    return float(value)


def _unusable(name: str, value: object, why: str) -> CheckpointError:
    return CheckpointError(f"reader.{name} is {value!r} in rl_agent_config.json; {why}", path=f"reader.{name}")
