"""Optional dependencies: one way to import them, one message when they are missing."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from laya.errors import MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType


def require(module: str, extra: str, purpose: str) -> ModuleType:
    """Import an optional module.

    Args:
        module: dotted name to import.
        extra: name of the extra of the `laya-engine` distribution that installs it.
        purpose: what needs it, as the subject of a sentence ("the OpenVINO runtime").

    Raises:
        MissingExtraError: the module is not installed; says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as exc:
        raise MissingExtraError(
            f"{purpose} needs the package {module.split('.', maxsplit=1)[0]!r}, which is not installed ({exc}); "
            f"run: pip install 'laya-engine[{extra}]'"
        ) from exc
