"""SHA-256 pins: the files of a checkpoint must be exactly those that somebody reviewed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from laya.errors import ArgumentError, ArgumentTypeError, CheckpointNotFoundError, DigestError
from laya.model.config import CONFIG_FILE, ENCODER_CONFIG_FILE

WEIGHTS_FILE: Final = "model.safetensors"
TOKENIZER_FILE: Final = "tokenizer/tokenizer.json"
TOKENIZER_CONFIG_FILE: Final = "tokenizer/tokenizer_config.json"
PARSED_FILES: Final = (CONFIG_FILE, WEIGHTS_FILE, ENCODER_CONFIG_FILE, TOKENIZER_FILE, TOKENIZER_CONFIG_FILE)
"""Files of a checkpoint directory that this package reads."""
_GRAPH_KEYS: Final = ("onnx", "onnx_path")
_HEX: Final = re.compile(r"[0-9a-fA-F]{64}")
_CHUNK: Final = 1 << 20


def file_digest(path: Path) -> str:
    """SHA-256 of a file, as lower-case hex."""
    total = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            total.update(chunk)
    return total.hexdigest()


def verify_digests(
    directory: Path, expected: Mapping[str, str], *, strict: bool = False, onnx_path: Path | None = None
) -> None:
    """Compare files with their pinned digests.

    Args:
        directory: the checkpoint.
        expected: path relative to `directory` (with `/`) to hex digest. The keys `onnx` and `onnx_path` stand for the
            graph file.
        strict: also refuse a checkpoint with a file that would be read but is not pinned.
        onnx_path: the graph file, where one is used.

    Raises:
        ArgumentError: a path leaves the directory, or a digest is not 64 hex digits.
        CheckpointNotFoundError: a pinned file does not exist.
        DigestError: a file has another digest, or (strict) none is pinned for it.
    """
    pins = {name: _checked(name, digest) for name, digest in _mapping(expected).items()}
    targets = {name: _target(directory, name, onnx_path) for name in pins}
    if strict:
        _require_all(directory, pins, onnx_path)
    for name, path in targets.items():
        if not path.is_file():
            raise CheckpointNotFoundError(
                f"laya: cannot verify {name!r}: no such file under {str(directory)!r}", path=str(path)
            )
        found = file_digest(path)
        if found != pins[name]:
            raise DigestError(
                f"laya: SHA-256 mismatch for {name!r} in {str(directory)!r}: pinned {pins[name]}, found {found}; "
                "the file was changed or is another version",
                path=str(path),
            )


def _mapping(expected: object) -> Mapping[str, str]:
    if not isinstance(expected, Mapping):
        raise ArgumentTypeError(
            f"expected_sha256 must be a mapping of file name to digest, got {type(expected).__name__}"
        )
    return expected


def _checked(name: object, digest: object) -> str:
    if not isinstance(name, str) or not _is_safe(name):
        raise ArgumentError(
            f"laya: unsafe path {name!r} among the pinned digests; use paths inside the checkpoint, with '/'"
        )
    if not isinstance(digest, str) or _HEX.fullmatch(digest) is None:
        raise ArgumentError(f"laya: the pinned digest of {name!r} must be 64 hexadecimal digits, got {digest!r}")
    return digest.lower()


def _is_safe(name: str) -> bool:
    windows = PureWindowsPath(name)
    rooted = PurePosixPath(name).is_absolute() or windows.drive or windows.root
    parts = PurePosixPath(name).parts
    return bool(parts) and not rooted and ".." not in parts and "\\" not in name and "\0" not in name


def _target(directory: Path, name: str, onnx_path: Path | None) -> Path:
    return onnx_path if name in _GRAPH_KEYS and onnx_path is not None else directory / name


def _require_all(directory: Path, pins: Mapping[str, str], onnx_path: Path | None) -> None:
    known = {str(PurePosixPath(name)) for name in pins}
    # A graph file holds the weights itself: beside one, the directory gives only configs and the tokenizer.
    unused = () if onnx_path is None else (WEIGHTS_FILE, ENCODER_CONFIG_FILE)
    read = [name for name in PARSED_FILES if name not in unused and (directory / name).is_file()]
    missing = [name for name in read if name not in known]
    if onnx_path is not None and known.isdisjoint(_GRAPH_KEYS):
        missing.append("onnx")
    if missing:
        raise DigestError(
            f"laya: no digest is pinned for {', '.join(missing)} of {str(directory)!r}; strict verification wants one "
            "for every file that is read",
            path=str(directory / missing[0]),
        )
