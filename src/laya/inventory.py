"""Which checkpoints there are, what one is made of, and whether its files are in order."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from typing_extensions import TypedDict

from laya.encoding import TextEncoder
from laya.errors import CheckpointError, CheckpointNotFoundError, DigestError, MissingExtraError
from laya.loading import EMBEDDED, EMBEDDED_NAMES, embedded_name, embedded_path, locate
from laya.model.checkpoint import Checkpoint
from laya.model.digests import PARSED_FILES, file_digest, verify_digests
from laya.model.hub import BUNDLE, PUBLISHED, resolve
from laya.settings import settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_SHOWN: Final = 3


class ModelEntry(TypedDict):
    """A checkpoint that has a name. `path` is where it lies on this machine, None where it does not."""

    name: str
    source: str
    aliases: list[str]
    path: str | None


class FileFacts(TypedDict):
    """A file of a checkpoint."""

    bytes: int
    sha256: str


class Verification(TypedDict):
    """What `verify_model` found. `files` has what was read, `problems` one sentence for each thing that is wrong."""

    name: str
    path: str
    files: dict[str, FileFacts]
    problems: list[str]


def list_models() -> list[ModelEntry]:
    """The checkpoints inside the package, then the published ones. Nothing is downloaded."""
    embedded: list[ModelEntry] = [
        {
            "name": name,
            "source": "the package",
            "aliases": [],
            "path": str(embedded_path(name)) if embedded_path(name).is_dir() else None,
        }
        for name in EMBEDDED_NAMES
    ]
    return [*embedded, *(_published(entry.name, entry.subfolder, entry.aliases) for entry in PUBLISHED)]


def _published(name: str, subfolder: str | None, aliases: tuple[str, ...]) -> ModelEntry:
    try:
        path: str | None = str(resolve(name, offline=True).path)
    except (CheckpointNotFoundError, MissingExtraError):
        path = None
    source = f"{BUNDLE}/{subfolder}" if subfolder else BUNDLE
    return {"name": name, "source": source, "aliases": list(aliases), "path": path}


def model_argument(name: str | None) -> str | None:
    """A name as `laya.load` takes it: that of the default checkpoint stands for None."""
    return None if name == EMBEDDED else name


def model_info(name: str | None = None) -> dict[str, Any]:
    """Facts about a checkpoint: files, layout, encoder, budgets, temperatures. Its weights are not run.

    Args:
        name: folder, hub id or name; None is the embedded checkpoint.

    Raises:
        CheckpointNotFoundError, CheckpointError, DigestError, ArgumentError: it cannot be opened.
    """
    place = locate(model_argument(name))
    checkpoint = Checkpoint.open(place.path)
    config, encoder, tensors = checkpoint.config, checkpoint.encoder, checkpoint.tensors
    return {
        "name": name or EMBEDDED,
        "path": str(place.path),
        "revision": place.revision,
        "layout": checkpoint.layout,
        "encoder": {
            "type": encoder.model_type,
            "layers": encoder.layers,
            "width": encoder.hidden_size,
            "vocabulary": encoder.vocab,
            "positions": encoder.max_positions,
        },
        "max_len": config.max_len,
        "head_max_len": config.head_max_len,
        "parameters": sum(math.prod(tensors.shape(tensor)) for tensor in tensors),
        "memory_bytes": checkpoint.memory_bytes(),
        "temperature": list(config.temperature),
        "temperature_by_options": dict(config.temperature_by_options),
        "digest": checkpoint.digest(),
    }


def verify_model(
    name: str | None = None, *, pins: Mapping[str, str] | None = None, strict: bool = False
) -> Verification:
    """Read every file of a checkpoint and say what is wrong with it.

    Digests are compared with the pins; configs, tokenizer and weights must fit together; every weight must be finite.

    Args:
        name: folder, hub id or name; None is the embedded checkpoint.
        pins: file to SHA-256; None takes `LAYA_SHA256_DIGESTS`, which is not about the embedded checkpoint.
        strict: a file that is read but not pinned is a problem.

    Raises:
        CheckpointNotFoundError: there is no such checkpoint.
        ArgumentError: a pin cannot work.
    """
    model = model_argument(name)
    path = locate(model, expected_sha256={}).path
    if pins is None and embedded_name(model) is None:
        pins = settings().sha256_digests
    problems = [*_digest_problems(path, pins or {}, strict=strict), *_content_problems(path)]
    files = {file: path / file for file in PARSED_FILES if (path / file).is_file()}
    facts: dict[str, FileFacts] = {
        file: {"bytes": found.stat().st_size, "sha256": file_digest(found)} for file, found in files.items()
    }
    return {"name": name or EMBEDDED, "path": str(path), "files": facts, "problems": problems}


def _digest_problems(path: Path, pins: Mapping[str, str], *, strict: bool) -> list[str]:
    problems = []
    for file, digest in pins.items():
        try:
            verify_digests(path, {file: digest})
        except (DigestError, CheckpointNotFoundError) as exc:
            problems.append(exc.message)
    if strict:
        problems += [
            f"no digest is pinned for {file}" for file in PARSED_FILES if file not in pins and _is_read(path, file)
        ]
    return problems


def _is_read(path: Path, file: str) -> bool:
    return (path / file).is_file()


def _content_problems(path: Path) -> list[str]:
    try:
        checkpoint = Checkpoint.open(path)
        TextEncoder.from_directory(path / "tokenizer")
    except (CheckpointError, CheckpointNotFoundError) as exc:
        return [exc.message]
    bad = [name for name in checkpoint.tensors if not np.isfinite(checkpoint.tensors.array(name)).all()]
    more = f" and {len(bad) - _SHOWN} more" if len(bad) > _SHOWN else ""
    return [f"weights are not finite numbers: {', '.join(bad[:_SHOWN])}{more}"] if bad else []
