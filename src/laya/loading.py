"""Opening checkpoints: from a name, a folder or nothing at all to a model that answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from laya.calibration import Temperatures
from laya.decode import Calibration
from laya.encoding import JointLayout, ReaderLayout, TextEncoder
from laya.engine import Layout, Model
from laya.errors import ArgumentError
from laya.model.checkpoint import Checkpoint
from laya.model.digests import verify_digests
from laya.model.hub import resolve
from laya.runtime.registry import create_runtime
from laya.settings import settings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Unpack

    from laya.agent import Agent
    from laya.options import AgentOptions
    from laya.runtime.base import Runtime

EMBEDDED: Final = "embedded/english"
"""The checkpoint that is meant where none is named."""
EMBEDDED_NAMES: Final = (EMBEDDED, "embedded/multilingual")
"""Checkpoints inside the package."""


@dataclass(frozen=True)
class Loaded:
    """A model, what calibrates it, and where it came from.

    Attributes:
        model: the checkpoint, ready to run.
        calibration: its own temperatures.
        config: its configuration as read.
        digest: SHA-256 over its files, computed when first asked for.
        memory_bytes: bytes of its weights as float32.
        subfolder: folder inside a bundle repository.
        revision: commit of a hub repository.
    """

    model: Model
    calibration: Calibration
    config: Mapping[str, Any]
    digest: Callable[[], str]
    memory_bytes: Callable[[], int] = lambda: 0
    subfolder: str | None = None
    revision: str | None = None


def embedded_path(name: str = EMBEDDED) -> Path:
    """Folder of a checkpoint inside the package."""
    return Path(__file__).parent / "data" / name.removeprefix("embedded/")


def embedded_name(model_id_or_path: str | Path | None) -> str | None:
    """The embedded checkpoint that is meant, None where it is another one."""
    if model_id_or_path is None:
        return EMBEDDED
    return model_id_or_path if isinstance(model_id_or_path, str) and model_id_or_path in EMBEDDED_NAMES else None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a checkpoint lies, its digests verified."""

    path: Path
    revision: str | None
    graph: Path | None


def locate(
    model_id_or_path: str | Path | None = None,
    *,
    subfolder: str | None = None,
    revision: str | None = None,
    token: str | None = None,
    expected_sha256: Mapping[str, str] | None = None,
    strict_digests: bool = False,
    graph: str | Path | None = None,
) -> Place:
    """Find a checkpoint, and verify the digests of its files.

    An argument beats the environment (`LAYA_REVISION`, `LAYA_SHA256_DIGESTS`, `HF_TOKEN`); the embedded checkpoint is
    part of the installed package and takes none from the environment.

    Args:
        model_id_or_path: folder, hub id or registry name, or one of `EMBEDDED_NAMES`; None is the first of these.
        subfolder: folder inside a bundle repository.
        revision: commit of a hub repository.
        token: hub token.
        expected_sha256: file to hex digest.
        strict_digests: refuse files that are read but not listed.
        graph: an exported graph: a path, or a file name inside the checkpoint.

    Raises:
        CheckpointNotFoundError, DigestError, ArgumentError: see `laya.model.hub.resolve` and `verify_digests`.
    """
    environment = settings()
    digests = expected_sha256
    inside = embedded_name(model_id_or_path)
    if inside is not None or model_id_or_path is None:
        path, commit = embedded_path(inside or EMBEDDED), None
    else:
        found = resolve(
            model_id_or_path,
            subfolder=subfolder,
            revision=environment.revision if revision is None else revision,
            token=environment.hf_token if token is None else token,
        )
        path, commit = found.path, found.revision
        digests = environment.sha256_digests if digests is None else digests
    file = None if graph is None else path / graph
    if file is not None and not file.is_file():
        file = Path(str(graph))
    if digests or strict_digests:
        verify_digests(path, digests or {}, strict=strict_digests, onnx_path=file)
    return Place(path, commit, file)


def open_model(
    model_id_or_path: str | Path | None = None,
    *,
    device: str | None = None,
    runtime: str | None = None,
    threads: int | None = None,
    precision: str | None = None,
    **where: Any,
) -> Loaded:
    """Open a checkpoint on a runtime.

    Args:
        model_id_or_path: folder, hub id or registry name; None is the embedded checkpoint.
        device: "cpu", "cuda", "cuda:N" or None for the best that the runtime finds.
        runtime: "onnxruntime", "openvino" or None for the default.
        threads: threads of one forward; None lets the runtime choose.
        precision: "fp32" (default), "bf16" or "int8" where the runtime has it.
        where: the keyword arguments of `locate`.
    """
    place = locate(model_id_or_path, **where)
    checkpoint = Checkpoint.open(place.path)
    encoder = TextEncoder.from_directory(place.path / "tokenizer")
    engine = create_runtime(
        checkpoint,
        runtime=runtime,
        device="auto" if device is None else device,
        threads=threads,
        precision="fp32" if precision is None else precision,
    )
    name = embedded_name(model_id_or_path) or str(model_id_or_path)
    return assemble(name, checkpoint, encoder, engine, subfolder=where.get("subfolder"), revision=place.revision)


def weight_bytes(model_id_or_path: str | Path | None, subfolder: str | None = None) -> int:
    """Bytes that the weights of a local checkpoint take in memory as float32; 0 for one that is not on this machine."""
    inside = embedded_name(model_id_or_path)
    folder = embedded_path(inside) if inside else Path(str(model_id_or_path)).expanduser() / (subfolder or "")
    if not folder.is_dir():
        return 0
    return Checkpoint.open(folder).memory_bytes()


def assemble(
    name: str,
    checkpoint: Checkpoint,
    encoder: TextEncoder,
    engine: Runtime,
    *,
    subfolder: str | None = None,
    revision: str | None = None,
) -> Loaded:
    """Put the parts of a checkpoint together."""
    config = checkpoint.config
    layout: Layout
    if config.option_layout == "reader":
        layout = ReaderLayout(encoder, config.reader or {}, engine)
    else:
        layout = JointLayout(encoder, config.option_layout)
    model = Model(
        name=name,
        layout=layout,
        runtime=engine,
        max_len=config.max_len,
        head_max_len=config.head_max_len,
        max_positions=checkpoint.max_positions,
    )
    temperatures = Temperatures(config.temperature, config.temperature_by_options)
    return Loaded(
        model,
        Calibration(temperatures, {}),
        config.raw,
        checkpoint.digest,
        checkpoint.memory_bytes,
        subfolder,
        revision,
    )


def load(
    model_id_or_path: str | Path | None = None,
    *,
    backend: str | None = None,
    onnx_path: str | Path | None = None,
    **options: Unpack[AgentOptions],
) -> Agent:
    """Load a checkpoint.

    Args:
        model_id_or_path: checkpoint folder, hub id, or a registry name ("english", "multilingual", "typed-decisions");
            None loads the checkpoint inside the package, which needs no network.
        backend: "onnx" runs an exported graph (`ONNXAgent`); any other name selects the runtime.
        onnx_path: the exported graph for backend="onnx" ("laya.onnx" in the checkpoint folder by default).
        options: see `laya.options.AgentOptions`.

    Returns:
        An `Agent`, or an `ONNXAgent` for backend="onnx".
    """
    from laya.agent import Agent  # noqa: PLC0415 - agents are built from models, so they import this module

    if backend == "onnx":
        from laya.onnx_agent import ONNXAgent  # noqa: PLC0415 - as above

        return ONNXAgent(model_id_or_path, onnx_path or "laya.onnx", **options)
    if onnx_path is not None:
        raise ArgumentError(f"onnx_path={str(onnx_path)!r} needs backend='onnx', got backend={backend!r}")
    if backend is not None:
        options["backend"] = backend  # type: ignore[typeddict-unknown-key]  # checked with the options of the agent
    return Agent(model_id_or_path, **options)


def export(model_id_or_path: str | Path, output: str | Path, *, verify: bool = True, **where: Any) -> Path:
    """Write a checkpoint as one ONNX graph that `ONNXAgent` runs.

    Args:
        model_id_or_path: checkpoint folder or hub id.
        output: file to write.
        verify: run the graph once and compare it with the packed runtime.
        where: the keyword arguments of `locate`.

    Returns:
        The file written.
    """
    from laya.model.export import export_graph  # noqa: PLC0415 - needs `onnx`, which nothing else here does

    place = locate(model_id_or_path, **where)
    return export_graph(Checkpoint.open(place.path), Path(output), verify=verify)
