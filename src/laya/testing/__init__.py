"""A test kit: an agent that answers deterministically without weights, and a pytest fixture over it.

>>> from laya.testing import fake_agent
>>> agent = fake_agent(on_predict_end=my_hook)
>>> agent.predict("hello", {"q": {"type": "noul", "instructions": "Is it a greeting?"}})

The fixture `laya_agent` is found by pytest by itself once the package is installed.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laya.testing.fake import FakeRuntime, fake_agent, fake_encoder

__all__ = ["FakeRuntime", "fake_agent", "fake_encoder"]


def __getattr__(name: str) -> Any:
    # pytest imports this package for its plugin in every project: the engine is loaded only when it is used
    if name in __all__:
        return getattr(importlib.import_module("laya.testing.fake"), name)
    raise AttributeError(f"module 'laya.testing' has no attribute {name!r}")
