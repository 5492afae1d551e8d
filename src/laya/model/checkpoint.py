"""A checkpoint directory, opened and checked: configs, tensors, and what a runtime needs to run them."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laya.errors import CheckpointError, CheckpointNotFoundError
from laya.model.config import (
    CONFIG_FILE,
    ENCODER_CONFIG_FILE,
    CheckpointConfig,
    EncoderConfig,
    read_config,
    read_encoder_config,
)
from laya.model.digests import TOKENIZER_FILE, WEIGHTS_FILE, file_digest
from laya.model.graph.cache import GraphSpec, ReaderSpec, load_graph
from laya.model.graph.weights import graph_weights, initializer_value, is_stored, reader_weights
from laya.model.reader import ReaderShape, reader_shape
from laya.model.schema import Shape, expected_tensors, may_ignore, required_prefixes
from laya.model.tensors import Tensors

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from laya.request import FloatArray, GraphPart, OptionLayout

_DIGEST_FILES: Final = (CONFIG_FILE, ENCODER_CONFIG_FILE, TOKENIZER_FILE, WEIGHTS_FILE)
_SHOWN: Final = 5


class Checkpoint:
    """An opened checkpoint. Nothing is ever written into its directory.

    Build one with `Checkpoint.open`. The weights stay mapped from the file, so the file must not be changed while the
    checkpoint is in use.

    Attributes:
        directory: absolute path of the checkpoint.
        config: content of `rl_agent_config.json`.
    """

    def __init__(
        self, directory: Path, config: CheckpointConfig, encoder: EncoderConfig | None, tensors: Tensors | None
    ) -> None:
        self.directory = directory
        self.config = config
        self._encoder = encoder
        self._tensors = tensors
        self._digest: str | None = None

    @classmethod
    def open(cls, path: str | Path, *, weights: bool = True) -> Checkpoint:
        """Open a local checkpoint directory and check that its parts fit together.

        Args:
            path: the directory; `~` is expanded.
            weights: whether the weights are needed; without them `model.safetensors` and `encoder/` may be missing,
                and nothing that depends on them works.

        Raises:
            CheckpointNotFoundError: the directory or one of its files is missing.
            CheckpointError: a file is damaged, or configs and weights do not fit together.
        """
        directory = Path(path).expanduser().absolute()
        if not directory.is_dir():
            raise CheckpointNotFoundError(
                f"Local model path not found: {str(path)!r}. Pass the directory that holds {CONFIG_FILE}",
                path=str(path),
            )
        config = read_config(directory)
        if weights:
            return _open_with_weights(cls, directory, config)
        encoder = read_encoder_config(directory) if (directory / ENCODER_CONFIG_FILE).is_file() else None
        return cls(directory, config, encoder, None)

    def __repr__(self) -> str:
        encoder = self._encoder
        kind = "no encoder" if encoder is None else f"{encoder.model_type} {encoder.layers}x{encoder.hidden_size}"
        return f"Checkpoint({str(self.directory)!r}, {kind}, {self.layout})"

    @property
    def encoder(self) -> EncoderConfig:
        """Content of `encoder/config.json`.

        Raises:
            CheckpointNotFoundError: opened without weights, and there is no such file.
        """
        if self._encoder is None:
            raise CheckpointNotFoundError(
                f"{str(self.directory)!r} has no {ENCODER_CONFIG_FILE}; it is needed for the weights",
                path=str(self.directory / ENCODER_CONFIG_FILE),
            )
        return self._encoder

    @property
    def tensors(self) -> Tensors:
        """The weights, read on demand.

        Raises:
            CheckpointNotFoundError: opened without weights.
        """
        if self._tensors is None:
            raise CheckpointNotFoundError(
                f"{str(self.directory)!r} was opened without its weights; open it with weights=True",
                path=str(self.directory / WEIGHTS_FILE),
            )
        return self._tensors

    @property
    def max_positions(self) -> int:
        """Longest sequence that the encoder can read; `max_len` where nothing is known of the encoder."""
        return self.config.max_len if self._encoder is None else self._encoder.max_positions

    @property
    def layout(self) -> OptionLayout:
        """The option layout that the checkpoint was trained for."""
        return self.config.option_layout

    def memory_bytes(self) -> int:
        """Bytes of all weights as float32; 0 where they were not opened."""
        tensors = self._tensors
        return 0 if tensors is None else sum(4 * math.prod(tensors.shape(name)) for name in tensors)

    def digest(self) -> str:
        """SHA-256 over the files here that decide an answer (configs, tokenizer, weights), as hex; computed once."""
        if self._digest is None:
            self._digest = _digest_of(self.directory)
        return self._digest

    @property
    def reader(self) -> ReaderShape | None:
        """Shape of the reader layers, None where there are none."""
        return reader_shape(self.config, self.encoder)

    @property
    def parts(self) -> tuple[GraphPart, ...]:
        """The graphs of this checkpoint: "rows", and "question" and "pairs" where there are reader layers."""
        return ("rows",) if self.reader is None else ("rows", "question", "pairs")

    def graph(self, dialect: str, part: GraphPart = "rows") -> bytes:
        """The ONNX model that runs the batches with this `part`, without its weights.

        Args:
            dialect: "fused" for onnxruntime; "standard" for plain ONNX operators; "parameters" for a fused graph whose
                weights are inputs, for engines that take them one by one.
            part: one of `parts`.
        """
        reader, half = self.reader, self._half(dialect)
        if part == "rows":
            taps = () if reader is None else reader.taps
            return load_graph(GraphSpec(self.encoder, self.layout, self.config.head_layers, dialect, half, taps))
        return load_graph(ReaderSpec(part, self._shape_for(part), dialect, half))

    def initializers(self, dialect: str, part: GraphPart = "rows") -> Iterator[tuple[str, npt.NDArray[Any]]]:
        """Name and value of every weight that `graph(dialect, part)` leaves out, one at a time, C-contiguous.

        Weights are float32, or float16 where the whole file is and the graph widens them itself. A tensor that the file
        stores in the wanted type comes as a read-only view of it, anything else as a fresh array.
        """
        half = self._half(dialect)
        if part == "rows":
            names = graph_weights(self.encoder, self.layout, self.config.head_layers)
        else:
            names = reader_weights(self._shape_for(part), part)
        for name in names:
            yield name, initializer_value(name, self.encoder, self.tensors, half=half and is_stored(name))

    def _shape_for(self, part: GraphPart) -> ReaderShape:
        shape = self.reader
        if shape is None:
            raise CheckpointError(
                f"{str(self.directory)!r} has no reader layers, so it has no graph {part!r}", path=str(self.directory)
            )
        return shape

    def _half(self, dialect: str) -> bool:
        return dialect == "fused" and all(self.tensors.is_plain(name, "F16") for name in self.tensors)

    def act_head(self) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray] | None:
        """Weight and bias of both layers of the action head, or None for a trunk.

        Shapes: [256, D + 4], [256], [A, 256], [A].
        """
        if self.layout == "reader":
            return None
        names = ("act_head.0.weight", "act_head.0.bias", "act_head.2.weight", "act_head.2.bias")
        first, first_bias, second, second_bias = (self.tensors.array(name) for name in names)
        return first, first_bias, second, second_bias


def _open_with_weights(kind: type[Checkpoint], directory: Path, config: CheckpointConfig) -> Checkpoint:
    weights = directory / WEIGHTS_FILE
    if not weights.is_file():
        raise CheckpointNotFoundError(
            f"Incompatible model: {WEIGHTS_FILE!r} not found in {str(directory)!r}. Copy it from the publisher's "
            "checkpoint",
            path=str(weights),
        )
    encoder = read_encoder_config(directory)
    _check_positions(directory, config, encoder)
    reader_shape(config, encoder)  # a setting that cannot work is named before any tensor is missed
    tensors = Tensors(weights)
    _check_tensors(directory, config, encoder, tensors)
    return kind(directory, config, encoder, tensors)


def _digest_of(directory: Path) -> str:
    total = hashlib.sha256()
    for name in _DIGEST_FILES:
        path = directory / name
        if path.is_file():
            total.update(f"{name}:{file_digest(path)}\n".encode())
    return total.hexdigest()


def _check_positions(directory: Path, config: CheckpointConfig, encoder: EncoderConfig) -> None:
    if config.max_len > encoder.max_positions:
        raise CheckpointError(
            f"Incompatible model config for {str(directory)!r}: max_len {config.max_len} is more than the "
            f"{encoder.max_positions} positions of the encoder; lower max_len in {CONFIG_FILE}",
            path=str(directory / CONFIG_FILE),
        )


def _check_tensors(directory: Path, config: CheckpointConfig, encoder: EncoderConfig, tensors: Tensors) -> None:
    file = str(directory / WEIGHTS_FILE)
    for prefix in required_prefixes(config):
        if not any(name.startswith(prefix) for name in tensors):
            raise CheckpointError(
                f"Incompatible model weights for {str(directory)!r}: checkpoint is missing {prefix!r} parameters. "
                f"{file!r} is not the weights file of such a checkpoint",
                path=file,
            )
    expected = expected_tensors(config, encoder)
    _check_shapes(directory, expected, tensors)
    missing = [name for name in expected if name not in tensors]
    if missing:
        raise CheckpointError(
            f"Model weights incomplete for {str(directory)!r}: missing {len(missing)} parameter tensors "
            f"(e.g. {missing[:3]}). The file belongs to another config, or was saved in part",
            path=file,
        )
    extra = [name for name in tensors if name not in expected and not may_ignore(name, config)]
    if extra:
        raise CheckpointError(
            f"Model weights for {str(directory)!r} hold {len(extra)} tensors that the configs do not call for: "
            f"{', '.join(extra[:_SHOWN])}{_more(extra)}. Check head_layers, option_layout and {ENCODER_CONFIG_FILE}",
            path=file,
        )


def _more(names: list[str]) -> str:
    return f", ... and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""


def _check_shapes(directory: Path, expected: Mapping[str, Shape], tensors: Tensors) -> None:
    wrong = [name for name, shape in expected.items() if name in tensors and tensors.shape(name) != shape]
    if not wrong:
        return
    lines = [f"Model architecture mismatch for {str(directory)!r}:"]
    lines += [f"  - {name}: expected {expected[name]}, found {tensors.shape(name)}" for name in wrong[:_SHOWN]]
    if len(wrong) > _SHOWN:
        lines.append(f"  ... and {len(wrong) - _SHOWN} more mismatched layers.")
    lines.append("The checkpoint weights do not match the configured model architecture.")
    raise CheckpointError("\n".join(lines), path=str(directory / WEIGHTS_FILE))
