"""From what a caller names a checkpoint by to its directory on this machine.

A local path never leads to the network. Everything else is a registry name or an id on the Hugging Face hub: the local
hub cache is asked first, the network only if that is allowed, and only for the files of the checkpoint.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Final

from laya.errors import ArgumentError, ArgumentTypeError, CheckpointNotFoundError
from laya.extras import require
from laya.model.config import CONFIG_FILE, ENCODER_CONFIG_FILE
from laya.model.digests import TOKENIZER_FILE, WEIGHTS_FILE
from laya.settings import settings

BUNDLE: Final = "convaiinnovations/laya"
"""Repository of the published checkpoints: one at its root, the others in subfolders."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where a checkpoint is.

    Attributes:
        path: absolute path of its directory.
        revision: commit of the hub repository that the directory is a snapshot of, None for a local directory.
    """

    path: Path
    revision: str | None = None


@dataclass(frozen=True, slots=True)
class PublishedCheckpoint:
    """A checkpoint that has a short name.

    Attributes:
        name: the short name.
        subfolder: its folder in the bundle, None for the root.
        aliases: further names.
    """

    name: str
    subfolder: str | None
    aliases: tuple[str, ...]


PUBLISHED: Final = (
    PublishedCheckpoint("english", None, ("en", "laya", "default")),
    PublishedCheckpoint("multilingual", "multilingual", ("multi", "ml", "laya-multilingual")),
    PublishedCheckpoint(
        "typed-decisions", "typed-decisions", ("typed", "typed_decisions", "laya-typed-decisions", "decisions")
    ),
)
_BY_NAME: Final = {name: entry for entry in PUBLISHED for name in (entry.name, *entry.aliases)}
_PATTERNS: Final = (CONFIG_FILE, WEIGHTS_FILE, "tokenizer/*", "encoder/*")
_NEEDED: Final = (CONFIG_FILE, WEIGHTS_FILE, ENCODER_CONFIG_FILE, TOKENIZER_FILE)
_HUB_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?", re.ASCII)
_REVIEWED: Final = "reviewed"


def resolve(
    model_id_or_path: str | os.PathLike[str],
    *,
    subfolder: str | None = None,
    revision: str | None = None,
    token: str | None = None,
    offline: bool | None = None,
) -> Resolved:
    """Find the directory of a checkpoint.

    Args:
        model_id_or_path: a directory, a name or alias of `PUBLISHED`, or a hub id such as "owner/name".
        subfolder: folder of the checkpoint inside the directory or the repository.
        revision: commit, tag or branch on the hub; None is `LAYA_REVISION`, "" is none whatever the environment says.
        token: hub token; None is `HF_TOKEN`.
        offline: whether the network is off limits; None is `HF_HUB_OFFLINE`.

    Raises:
        ArgumentError: an argument has a value that cannot work.
        ArgumentTypeError: the model is neither a string nor a path.
        CheckpointNotFoundError: there is no such checkpoint here, or it could not be fetched.
        MissingExtraError: a hub id is given and huggingface-hub is not installed.
    """
    if not isinstance(model_id_or_path, (str, os.PathLike)):
        raise ArgumentTypeError(f"the model must be a path or a hub id, got {type(model_id_or_path).__name__}")
    folder = _checked_subfolder(subfolder)
    local = _local_path(model_id_or_path)
    if local is not None:
        return Resolved(_inside(local, folder))
    name = str(model_id_or_path)
    entry = _BY_NAME.get(name.lower()) if folder is None else None
    repository, folder = (BUNDLE, entry.subfolder) if entry else (name, folder)
    if _HUB_ID.fullmatch(repository) is None:
        raise CheckpointNotFoundError(
            f"Local model path not found: {name!r}. It is no hub id either; pass an existing directory, a hub id "
            f"(owner/name), or one of {', '.join(published.name for published in PUBLISHED)}",
            path=name,
        )
    source = _Hub(repository, folder, _revision(revision), token or settings().hf_token)
    return source.find(offline=settings().offline if offline is None else offline)


def _local_path(model: str | os.PathLike[str]) -> Path | None:
    """The directory that is meant, or None for a name that is not a path."""
    text = os.fspath(model)
    if isinstance(model, str) and not text.strip():
        raise ArgumentError("the model must not be an empty string; pass a directory or a hub id")
    path = Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises for an unknown user
    if path.is_dir():
        return path.absolute()
    if not isinstance(model, str) or path.exists() or _looks_local(text):
        found = "It is a file; pass the directory that holds it" if path.is_file() else "Check the spelling"
        raise CheckpointNotFoundError(
            f"Local model path not found: {text!r}. {found}; nothing is downloaded for a local path", path=text
        )
    return None


def _looks_local(text: str) -> bool:
    windows = PureWindowsPath(text)
    rooted = text.startswith(("/", "~", "\\", ".")) or windows.drive
    return bool(rooted) or "\\" in text or text.count("/") > 1 or text.endswith("/")


def _checked_subfolder(subfolder: str | None) -> str | None:
    if subfolder is None:
        return None
    if not isinstance(subfolder, str):
        raise ArgumentTypeError(f"subfolder must be a string or None, got {type(subfolder).__name__}")
    parts = PurePosixPath(subfolder).parts
    windows = PureWindowsPath(subfolder)
    if not parts or ".." in parts or "\\" in subfolder or windows.drive or windows.root:
        raise ArgumentError(f"subfolder must be a relative folder inside the checkpoint, got {subfolder!r}")
    return str(PurePosixPath(subfolder))


def _inside(directory: Path, subfolder: str | None) -> Path:
    path = directory if subfolder is None else directory / subfolder
    if not path.is_dir():
        raise CheckpointNotFoundError(
            f"Subfolder {subfolder!r} not found in {str(directory)!r}. Pass a folder that it has", path=str(path)
        )
    return path


def _revision(revision: str | None) -> str | None:
    chosen = settings().revision if revision is None else revision.strip() or None
    if chosen is not None and chosen.lower() == _REVIEWED:
        raise ArgumentError(
            "revision='reviewed' needs a table of reviewed commits and this package ships none; pass the commit "
            "(40 hex digits) that you reviewed"
        )
    return chosen


@dataclass(frozen=True, slots=True)
class _Hub:
    """One checkpoint on the hub."""

    repository: str
    subfolder: str | None
    revision: str | None
    token: str | None

    def find(self, *, offline: bool) -> Resolved:
        hub = require("huggingface_hub", "hub", f"Loading {self.repository!r} from the hub")
        cached = self._cached(hub)
        if cached is not None:
            return cached
        if offline:
            raise CheckpointNotFoundError(
                f"{self.repository!r} is no local directory, and {self._label()} is not complete in the local hub "
                "cache; the network is off (HF_HUB_OFFLINE). Download it first, or pass a directory",
                path=self.repository,
            )
        try:
            root = self._snapshot(hub, local=False)
        except Exception as exc:
            raise CheckpointNotFoundError(
                f"could not download {self._label()} from the hub: {exc}. Check the name, the token and the network",
                path=self.repository,
            ) from exc
        return Resolved(_inside(root, self.subfolder), root.name)

    def _cached(self, hub: Any) -> Resolved | None:
        """The checkpoint in the local hub cache, if all of its files are there."""
        try:
            root = self._snapshot(hub, local=True)
        except Exception:  # the hub client has many ways to say that it is not there
            return None
        path = root / (self.subfolder or "")
        # The folder of a snapshot is named after its commit.
        return Resolved(path, root.name) if all((path / name).is_file() for name in _NEEDED) else None

    def _snapshot(self, hub: Any, *, local: bool) -> Path:
        prefix = f"{self.subfolder}/" if self.subfolder else ""
        return Path(
            hub.snapshot_download(
                self.repository,
                revision=self.revision,
                token=self.token,
                allow_patterns=[prefix + pattern for pattern in _PATTERNS],
                local_files_only=local,
            )
        )

    def _label(self) -> str:
        at = f" at revision {self.revision}" if self.revision else ""
        return f"{self.repository!r}{f' (folder {self.subfolder})' if self.subfolder else ''}{at}"
