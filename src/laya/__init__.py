"""laya: typed decisions over text in one encoder pass.

>>> import laya
>>> agent = laya.load()
>>> agent.predict("I was charged twice", laya.preset("triage"))["answers"]["intent"]["choice"]
'refund'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from laya import errors
    from laya.agent import Agent
    from laya.calibration import (
        GATE_STATES,
        apply_confidence_gate,
        check_min_confidence,
        check_min_confidence_map,
        flag_low_confidence,
        jev_confidence,
        resolve_min_confidence,
    )
    from laya.hooks import (
        HOOK_EVENTS,
        AsyncHook,
        BaseHook,
        Hook,
        HookRegistry,
        PredictContext,
        add_default_hook,
        clear_default_hooks,
        default_hooks,
        set_default_hooks,
    )
    from laya.loading import export, load
    from laya.onnx_agent import ONNXAgent
    from laya.presets import preset
    from laya.pretty import Pretty, print_result
    from laya.types import Answer, Questions, Result, State, Usage

_HOME = {
    "laya.agent": ("Agent",),
    "laya.calibration": (
        "GATE_STATES",
        "apply_confidence_gate",
        "check_min_confidence",
        "check_min_confidence_map",
        "flag_low_confidence",
        "jev_confidence",
        "resolve_min_confidence",
    ),
    "laya.hooks": (
        "HOOK_EVENTS",
        "AsyncHook",
        "BaseHook",
        "Hook",
        "HookRegistry",
        "PredictContext",
        "add_default_hook",
        "clear_default_hooks",
        "default_hooks",
        "set_default_hooks",
    ),
    "laya.loading": ("export", "load"),
    "laya.onnx_agent": ("ONNXAgent",),
    "laya.presets": ("preset",),
    "laya.pretty": ("Pretty", "print_result"),
    "laya.types": ("Answer", "Questions", "Result", "State", "Usage"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
_ALIASES = {"RLAgent": "Agent"}

__all__ = [
    "GATE_STATES",
    "HOOK_EVENTS",
    "Agent",
    "Answer",
    "AsyncHook",
    "BaseHook",
    "Hook",
    "HookRegistry",
    "ONNXAgent",
    "PredictContext",
    "Pretty",
    "Questions",
    "Result",
    "State",
    "Usage",
    "add_default_hook",
    "apply_confidence_gate",
    "check_min_confidence",
    "check_min_confidence_map",
    "clear_default_hooks",
    "default_hooks",
    "errors",
    "export",
    "flag_low_confidence",
    "jev_confidence",
    "load",
    "preset",
    "print_result",
    "resolve_min_confidence",
    "set_default_hooks",
]


def __getattr__(name: str) -> Any:
    if name == "errors":
        return importlib.import_module("laya.errors")
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - reading metadata costs more than all of `import laya`

        return version("laya-engine")
    wanted = _ALIASES.get(name, name)
    if wanted not in _MODULE_OF:
        raise AttributeError(f"module 'laya' has no attribute {name!r}")
    value = getattr(importlib.import_module(_MODULE_OF[wanted]), wanted)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
