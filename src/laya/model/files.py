"""Reading small checkpoint files, with one error per way in which they can be broken."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from laya.errors import CheckpointError, CheckpointNotFoundError

if TYPE_CHECKING:
    from pathlib import Path

_LFS_START: Final = b"version https://git-lfs"
LFS_ADVICE: Final = "it is a Git LFS pointer, not the file itself; fetch the content with `git lfs pull`"


def is_lfs_pointer(start: bytes) -> bool:
    """Whether a file that starts with these bytes is a Git LFS pointer."""
    return start.startswith(_LFS_START)


def read_json_object(path: Path) -> dict[str, Any]:
    """Read a file that holds one JSON object.

    Raises:
        CheckpointNotFoundError: the file does not exist.
        CheckpointError: it cannot be read, or holds something else; the message says what was found.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError as exc:
        raise CheckpointNotFoundError(f"{str(path)!r} does not exist", path=str(path)) from exc
    except OSError as exc:
        raise CheckpointError(f"cannot read {str(path)!r}: {exc.strerror or exc}", path=str(path)) from exc
    return _parse_object(content, path)


def _parse_object(content: bytes, path: Path) -> dict[str, Any]:
    if is_lfs_pointer(content):
        raise CheckpointError(f"cannot read {str(path)!r}: {LFS_ADVICE}", path=str(path))
    if not content.strip():
        raise CheckpointError(
            f"cannot read {str(path)!r}: the file is empty; the download was probably cut short", path=str(path)
        )
    try:
        value = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as exc:  # UnicodeDecodeError is a ValueError
        raise CheckpointError(f"cannot read {str(path)!r} as JSON: {exc}", path=str(path)) from exc
    if not isinstance(value, dict):
        raise CheckpointError(
            f"cannot use {str(path)!r}: wanted a JSON object, got {type(value).__name__}", path=str(path)
        )
    return value
