"""Hooks that ship with the package.

Each is a small class that uses nothing but the public surface of a hook, so each is also an example of how to write
one. The optional packages of `Metrics` and `Tracing` are imported when such a hook is made, not here.
"""

from laya.hooks.builtin.audit import Audit
from laya.hooks.builtin.cache import Cache, CacheStats
from laya.hooks.builtin.gate import Abstained, ConfidenceGate
from laya.hooks.builtin.metrics import Metrics
from laya.hooks.builtin.redact import Redact
from laya.hooks.builtin.reliability import calibrate_reliability, decide_reliability
from laya.hooks.builtin.stability import OptionStability
from laya.hooks.builtin.tracing import Tracing
from laya.hooks.builtin.variants import Variant, make_variants

__all__ = [
    "Abstained",
    "Audit",
    "Cache",
    "CacheStats",
    "ConfidenceGate",
    "Metrics",
    "OptionStability",
    "Redact",
    "Tracing",
    "Variant",
    "calibrate_reliability",
    "decide_reliability",
    "make_variants",
]
