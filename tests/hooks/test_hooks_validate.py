from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hook_builders import Log, Owner, on
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, HookConfigError
from laya.hooks import (
    HOOK_EVENTS,
    BaseHook,
    PredictContext,
    check_hooks_raise,
    check_timeout,
    compose_hooks,
    normalise_hooks,
)


@pytest.mark.parametrize("given", [None, [], ()])
def test_none_and_empty_add_nothing(given):
    assert normalise_hooks(given, given, given) == []


def test_one_hook_a_list_and_a_tuple_are_taken_in_order_and_callables_come_after():
    a, b = BaseHook(), BaseHook()
    assert normalise_hooks(a) == [a]
    assert normalise_hooks((b, a)) == [b, a]
    hooks = normalise_hooks([a], on_predict_start=print, on_predict_end=[len, repr])
    assert hooks[0] is a
    assert [hook.target for hook in hooks[1:]] == [print, len, repr]


def test_a_base_hook_implements_every_event_and_does_nothing():
    ctx = PredictContext(["a"], {})
    assert [getattr(BaseHook(), event)(ctx) for event in HOOK_EVENTS] == [None] * 6


def test_an_attribute_that_is_none_is_not_implemented():
    class Partly:
        on_predict_start = None

        def on_predict_end(self, ctx):
            ctx.results[0]["ended"] = True

    assert Owner(Partly()).call().results[0]["ended"]


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"hooks": [Log]}, r"^hooks entries must be instances, not classes; got Log\. Instantiate it first\.$"),
        (
            {"hooks": [object()]},
            r"^hooks entries must implement at least one of on_predict_start, .*, on_error; got object",
        ),
        (
            {"hooks": [lambda ctx: None]},
            r"got function\. Pass a plain callable as on_predict_start=/on_predict_end= instead\.$",
        ),
        ({"hooks": {BaseHook()}}, "got set"),
        (
            {"hooks": type("Odd", (), {"on_predict_start": 5})()},
            r"^hooks entry Odd\.on_predict_start must be callable, got int$",
        ),
        ({"on_predict_start": 123}, "^on_predict_start must be callable, got int$"),
        ({"on_predict_end": [print, "x"]}, "^on_predict_end must be callable, got str$"),
    ],
)
def test_a_wrong_hook_is_a_type_error_where_it_is_set(kwargs, message):
    with pytest.raises(HookConfigError, match=message) as caught:
        Owner(**kwargs)
    assert isinstance(caught.value, TypeError)
    log = Log()
    with pytest.raises(TypeError, match=message):
        Owner(log).call(**kwargs)
    assert log.log == []


def test_compose_puts_installed_hooks_first():
    a, b = BaseHook(), BaseHook()
    assert compose_hooks([a], [b]) == [a, b]
    assert compose_hooks((), None, print)[0].target is print


@pytest.mark.parametrize("wrong", [0, -1, -0.5, math.nan, math.inf, 10**400, "2", b"2", [1], 1j])
def test_a_timeout_is_a_positive_finite_number(wrong):
    with pytest.raises(ArgumentError, match=r"^hooks_timeout must be a positive finite number or None; got "):
        check_timeout(wrong)
    with pytest.raises(ValueError):
        Owner(hooks_timeout=wrong)
    log = Log()
    with pytest.raises(ValueError):
        Owner(log).call(hooks_timeout=wrong)
    with pytest.raises(ValueError):
        Owner().call(hooks_timeout=wrong)
    assert log.log == []


@pytest.mark.parametrize("wrong", [True, False])
def test_a_timeout_is_no_bool(wrong):
    with pytest.raises(
        ValueError, match=f"^hooks_timeout must be a positive finite number or None, not a bool; got {wrong}$"
    ):
        check_timeout(wrong)


@given(st.floats(min_value=0, exclude_min=True, allow_infinity=False) | st.integers(1, 10**6))
def test_a_good_timeout_becomes_a_float(value):
    assert check_timeout(value) == float(value)
    assert check_timeout(None) is None


def test_numbers_of_other_libraries_are_timeouts_too():
    assert check_timeout(np.float32(0.5)) == 0.5
    assert check_timeout(Fraction(1, 2)) == 0.5


@pytest.mark.parametrize("wrong", ["False", 0, 1, "", [], np.bool_(True)])
def test_the_failure_policy_is_a_bool_or_none(wrong):
    with pytest.raises(HookConfigError, match="hooks_raise must be True or False, got "):
        check_hooks_raise(wrong)
    with pytest.raises(TypeError):
        Owner(hooks_raise=wrong)
    with pytest.raises(TypeError):
        Owner(on("on_load", print)).call(hooks_raise=wrong)
    assert [check_hooks_raise(value) for value in (True, False, None)] == [True, False, None]


def test_the_concurrency_policy_is_a_bool():
    with pytest.raises(HookConfigError, match="hooks_concurrent must be True or False, got 'no'"):
        Owner(hooks_concurrent="no")
