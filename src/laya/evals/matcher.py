"""The zero-shot matcher inside a trained checkpoint: the same trunk without its reader layers, to compare with."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import laya
from laya.errors import CheckpointError
from laya.loading import embedded_name, embedded_path

if TYPE_CHECKING:
    from collections.abc import Iterator


CONFIG: Final = "rl_agent_config.json"
KEY: Final = "matcher"
"""Key of the config that holds the numbers of the trunk alone: its `reader` object and its `temperature`."""
FITTED: Final = ("temperature_by_options", "abstention", "conformal")
"""Keys of the config that belong to the trained reader."""


def has_matcher(model: str | None) -> bool:
    """Whether a checkpoint folder or embedded name says how its trunk answers alone."""
    file = _folder(model) / CONFIG
    return file.is_file() and KEY in json.loads(file.read_text("utf-8"))


@contextmanager
def matcher_of(model: str | None) -> Iterator[laya.Agent]:
    """An agent of the trunk of a checkpoint folder or embedded name (None: the default one), reader left out.

    Raises:
        CheckpointError: the checkpoint does not say how its trunk answers alone.
    """
    folder = _folder(model)
    if not has_matcher(model):
        raise CheckpointError(
            f"{folder / CONFIG} has no {KEY!r}; name the matcher's checkpoint with --beside", path=str(folder)
        )
    config: dict[str, Any] = json.loads((folder / CONFIG).read_text("utf-8"))
    alone = {key: value for key, value in config.items() if key not in (*FITTED, KEY)} | config[KEY]
    with TemporaryDirectory(prefix="laya-matcher-") as temporary:
        out = Path(temporary) / "matcher"
        shutil.copytree(folder, out)
        (out / CONFIG).write_text(json.dumps(alone), encoding="utf-8")
        with laya.load(str(out)) as agent:
            yield agent


def _folder(model: str | None) -> Path:
    inside = embedded_name(model)
    return embedded_path(inside) if inside else Path(str(model))
