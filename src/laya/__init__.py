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
        ConformalSets,
        apply_confidence_gate,
        check_min_confidence,
        check_min_confidence_map,
        ece_score,
        fit_abstention_thresholds,
        fit_binning_map,
        fit_conformal,
        fit_temperatures,
        flag_low_confidence,
        jev_confidence,
        records_from_labeled,
        resolve_min_confidence,
    )
    from laya.email import clean_email_body, email_state, email_state_from_message
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
    from laya.hooks.builtin import OptionStability
    from laya.language import LanguageDetector, analyse, language_code
    from laya.loading import export, load
    from laya.onnx_agent import ONNXAgent
    from laya.presets import preset
    from laya.pretty import Pretty, print_result
    from laya.router import RouteDecision, Router
    from laya.shortlist import (
        cached_embed_fn,
        embed_fn_from_agent,
        predict_shortlist,
        predict_tournament,
        shortlist_choice,
    )
    from laya.structured import (
        DecisionResult,
        answers_to_json,
        decide,
        decide_batch,
        questions_from_json_schema,
        questions_from_pydantic,
    )
    from laya.types import Answer, Questions, Result, State, Usage

_HOME = {
    "laya.agent": ("Agent",),
    "laya.calibration": (
        "GATE_STATES",
        "ConformalSets",
        "apply_confidence_gate",
        "check_min_confidence",
        "check_min_confidence_map",
        "ece_score",
        "fit_abstention_thresholds",
        "fit_binning_map",
        "fit_conformal",
        "fit_temperatures",
        "flag_low_confidence",
        "jev_confidence",
        "records_from_labeled",
        "resolve_min_confidence",
    ),
    "laya.email": ("clean_email_body", "email_state", "email_state_from_message"),
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
    "laya.hooks.builtin": ("OptionStability",),
    "laya.language": ("LanguageDetector", "analyse", "language_code"),
    "laya.router": ("RouteDecision", "Router"),
    "laya.shortlist": (
        "cached_embed_fn",
        "embed_fn_from_agent",
        "predict_shortlist",
        "predict_tournament",
        "shortlist_choice",
    ),
    "laya.structured": (
        "DecisionResult",
        "answers_to_json",
        "decide",
        "decide_batch",
        "questions_from_json_schema",
        "questions_from_pydantic",
    ),
    "laya.types": ("Answer", "Questions", "Result", "State", "Usage"),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}
_ALIASES = {"RLAgent": "Agent", "OptionStabilityHook": "OptionStability"}

__all__ = [
    "GATE_STATES",
    "HOOK_EVENTS",
    "Agent",
    "Answer",
    "AsyncHook",
    "BaseHook",
    "ConformalSets",
    "DecisionResult",
    "Hook",
    "HookRegistry",
    "LanguageDetector",
    "ONNXAgent",
    "OptionStability",
    "PredictContext",
    "Pretty",
    "Questions",
    "Result",
    "RouteDecision",
    "Router",
    "State",
    "Usage",
    "add_default_hook",
    "analyse",
    "answers_to_json",
    "apply_confidence_gate",
    "cached_embed_fn",
    "check_min_confidence",
    "check_min_confidence_map",
    "clean_email_body",
    "clear_default_hooks",
    "decide",
    "decide_batch",
    "default_hooks",
    "ece_score",
    "email_state",
    "email_state_from_message",
    "embed_fn_from_agent",
    "errors",
    "export",
    "fit_abstention_thresholds",
    "fit_binning_map",
    "fit_conformal",
    "fit_temperatures",
    "flag_low_confidence",
    "jev_confidence",
    "language_code",
    "load",
    "predict_shortlist",
    "predict_tournament",
    "preset",
    "print_result",
    "questions_from_json_schema",
    "questions_from_pydantic",
    "records_from_labeled",
    "resolve_min_confidence",
    "set_default_hooks",
    "shortlist_choice",
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
