"""Built graphs on disk: they depend on the configs alone, so each is built once per machine.

A cache that is missing, unwritable or damaged costs a rebuild and is never an error.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laya.settings import settings

if TYPE_CHECKING:
    from laya.model.config import EncoderConfig
    from laya.model.graph.weights import ReaderPart
    from laya.model.reader import ReaderShape
    from laya.request import OptionLayout

_LOG: Final = logging.getLogger(__name__)
BUILDER_VERSION: Final = 5
"""Part of the cache key: raise it with every change of what the builders produce."""
DIALECTS: Final = ("fused", "standard", "parameters")
_DIGEST_SIZE: Final = 32


@dataclass(frozen=True, slots=True)
class GraphSpec:
    """Everything that the bytes of a packed graph depend on."""

    encoder: EncoderConfig
    option_layout: OptionLayout
    head_layers: int
    dialect: str
    half: bool
    """Whether the weights come as float16."""
    taps: tuple[int, ...] = ()
    """Reader layout: encoder layers, counted from 1, whose hidden states are given side by side; empty for the last."""


@dataclass(frozen=True, slots=True)
class ReaderSpec:
    """Everything that the bytes of a reader graph depend on."""

    part: ReaderPart
    shape: ReaderShape
    dialect: str
    half: bool
    """Whether the weights come as float16."""


def graph_key(spec: GraphSpec | ReaderSpec) -> str:
    """Name of the graph of a spec in the cache."""
    facts = json.dumps([BUILDER_VERSION, asdict(spec)], sort_keys=True)
    return hashlib.sha256(facts.encode()).hexdigest()[:32]


def load_graph(spec: GraphSpec | ReaderSpec) -> bytes:
    """The serialised ONNX model for a spec, from the cache or freshly built."""
    path = settings().cache_dir / "graphs" / f"{graph_key(spec)}.onnx"
    cached = _read(path)
    if cached is not None:
        return cached
    model = _build(spec)
    _write(path, model)
    return model


def _build(spec: GraphSpec | ReaderSpec) -> bytes:
    # The builders load `onnx`, which is needed on a cache miss alone.
    if isinstance(spec, GraphSpec):
        from laya.model.graph.packed import build_packed  # noqa: PLC0415 - as above

        return build_packed(spec)
    from laya.model.graph.reader import build_pairs, build_question  # noqa: PLC0415 - as above

    return build_question(spec) if spec.part == "question" else build_pairs(spec)


def _read(path: Path) -> bytes | None:
    try:
        content = path.read_bytes()
    except OSError:
        return None
    digest, model = content[:_DIGEST_SIZE], content[_DIGEST_SIZE:]
    if hashlib.sha256(model).digest() != digest:
        _LOG.warning("ignoring the damaged cache file %s", path)
        return None
    return model


def _write(path: Path, model: bytes) -> None:
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(model).digest() + model)
        Path(temporary).replace(path)
    except OSError as exc:
        _LOG.debug("could not cache a graph in %s: %s", path.parent, exc)
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
