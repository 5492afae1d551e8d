"""Shape of the reader layers: what the `reader` object of `rl_agent_config.json` says of their tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laya.errors import CheckpointError
from laya.model.config import CONFIG_FILE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laya.model.config import CheckpointConfig, EncoderConfig


@dataclass(frozen=True, slots=True)
class ReaderShape:
    """Sizes of the reader layers. Filled by `reader_shape`.

    Attributes:
        layers: number L of layers, 1 or more.
        heads: attention heads; they divide `width`.
        width: width d of the reader's hidden states.
        ffn: width F of its feed-forward part.
        taps: encoder layers, counted from 1, whose hidden states the reader sees side by side; the last is the last.
        vector: width D of the encoder, and of the unit vectors of texts.
        compare: whether what a row asks of a state is multiplied with what it gets, and added.
        gate: whether the score of a marker is multiplied with a number between -1 and 1 that the question alone gives:
            a denial turns scores round.
    """

    layers: int
    heads: int
    width: int
    ffn: int
    taps: tuple[int, ...]
    vector: int
    compare: bool = False
    gate: bool = False

    @property
    def hidden(self) -> int:
        """Width of what the encoder says of a token: D for every tap."""
        return self.vector * len(self.taps)


def reader_shape(config: CheckpointConfig, encoder: EncoderConfig) -> ReaderShape | None:
    """Shape of a checkpoint's reader layers, None where it has none (other layouts, or `layers` 0).

    Raises:
        CheckpointError: a value cannot work; the message names the key.
    """
    values = config.reader
    if values is None:
        return None
    layers = values.get("layers", 0)
    if isinstance(layers, bool) or not isinstance(layers, int) or layers < 0:
        raise _unusable("layers", layers, "it must be a number of layers, 0 for none")
    if layers == 0:
        return None
    width = _positive(values, "width")
    heads = _positive(values, "heads")
    if width % heads:
        raise _unusable("heads", heads, f"it must divide the width {width}")
    return ReaderShape(
        layers=layers,
        heads=heads,
        width=width,
        ffn=_positive(values, "ffn"),
        taps=_taps(values.get("taps"), encoder.layers),
        vector=encoder.hidden_size,
        compare=_flag(values, "compare"),
        gate=_flag(values, "gate"),
    )


def _flag(values: Mapping[str, Any], key: str) -> bool:
    value = values.get(key, False)
    if not isinstance(value, bool):
        raise _unusable(key, value, "it must be true or false")
    return value


def _positive(values: Mapping[str, Any], key: str) -> int:
    value = values.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _unusable(key, value, "reader layers need a positive integer here")
    return value


def _taps(value: object, layers: int) -> tuple[int, ...]:
    wanted = f"it must list layers of the encoder in rising order, the last one {layers}"
    if not isinstance(value, list) or any(isinstance(tap, bool) or not isinstance(tap, int) for tap in value):
        raise _unusable("taps", value, wanted)
    if not value or value[0] < 1 or value[-1] != layers or sorted(set(value)) != value:
        raise _unusable("taps", value, wanted)
    return tuple(value)


def _unusable(key: str, value: object, why: str) -> CheckpointError:
    return CheckpointError(f"reader.{key} is {value!r} in {CONFIG_FILE}; {why}", path=f"reader.{key}")
