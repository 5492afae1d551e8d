"""The environment variables that laya reads, all in one place.

Nothing else of the package looks at the environment. `settings()` reads it at the time of the call, so a variable that
is set after the import still counts; a value that cannot work raises `ArgumentError` with the variable's name.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRUE: Final = frozenset({"1", "true", "yes", "on"})
_FALSE: Final = frozenset({"", "0", "false", "no", "off"})


@dataclass(frozen=True, slots=True)
class Settings:
    """What the environment says.

    Attributes:
        hf_token: token for the model hub (`HF_TOKEN`).
        revision: revision of hub checkpoints when the call names none (`LAYA_REVISION`).
        sha256_digests: relative file name to hex digest (`LAYA_SHA256_DIGESTS`, a JSON object), or None.
        cache_dir: folder for files that can be made again (`LAYA_CACHE_DIR`, or the user's cache folder).
        threads: threads of one forward (`LAYA_THREADS`), None when the runtime chooses.
        offline: no network access (`HF_HUB_OFFLINE`).
    """

    hf_token: str | None
    revision: str | None
    sha256_digests: Mapping[str, str] | None
    cache_dir: Path
    threads: int | None
    offline: bool


def settings() -> Settings:
    """Read the environment.

    Raises:
        ArgumentError: a variable has a value that cannot work.
    """
    return Settings(
        hf_token=_text("HF_TOKEN"),
        revision=_text("LAYA_REVISION"),
        sha256_digests=_digests("LAYA_SHA256_DIGESTS"),
        cache_dir=_cache_dir(),
        threads=_positive_int("LAYA_THREADS"),
        offline=_flag("HF_HUB_OFFLINE"),
    )


def _text(name: str) -> str | None:
    return os.environ.get(name, "").strip() or None


def _flag(name: str) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in _TRUE:
        return True
    if value in _FALSE:
        return False
    raise ArgumentError(f"{name} must be one of 1, true, yes, on, 0, false, no, off, got {value!r}", path=name)


def _positive_int(name: str) -> int | None:
    text = _text(name)
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ArgumentError(f"{name} must be a positive whole number, got {text!r}", path=name)
    return int(text)


def _digests(name: str) -> Mapping[str, str] | None:
    text = _text(name)
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError as exc:
        raise ArgumentError(f"{name} must be a JSON object of file name to digest: {exc}", path=name) from exc
    if not isinstance(value, dict) or not all(isinstance(digest, str) for digest in value.values()):
        raise ArgumentError(f"{name} must be a JSON object of file name to digest, got {text!r}", path=name)
    return value


def _cache_dir() -> Path:
    own = _text("LAYA_CACHE_DIR")
    if own is not None:
        return Path(own).expanduser()
    if sys.platform == "win32":
        base = _text("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = _text("XDG_CACHE_HOME") or "~/.cache"
    # Without a home directory `~` stays as it is; whoever writes there then fails softly, as for any unwritable cache.
    return Path(os.path.expanduser(base)) / "laya"  # noqa: PTH111 - Path.expanduser raises when there is no home
