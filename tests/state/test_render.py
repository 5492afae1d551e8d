import datetime as dt
import decimal
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.errors import StateError, StateTypeError
from laya.state import render_state

SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    SCALARS | TEXT, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4)
)


@settings(deadline=None)
@given(JSON.filter(lambda value: value is not None))
def test_json_round_trips_with_its_order(state):
    text = render_state(state, 0)
    if isinstance(state, str):
        assert text == state
    else:
        assert text == json.dumps(state, ensure_ascii=False)
        assert json.loads(text, object_pairs_hook=list) == json.loads(json.dumps(state), object_pairs_hook=list)


def test_the_form_is_the_published_one():
    assert render_state({"b": [1, "ü"], "a": (True, None, 1.5)}, 0) == '{"b": [1, "ü"], "a": [true, null, 1.5]}'
    assert render_state({1: "x", None: "y"}, 0) == '{"1": "x", "null": "y"}'
    assert [render_state(state, 0) for state in ("", {}, [], 0, False)] == ["", "{}", "[]", "0", "false"]


def test_none_names_its_index():
    with pytest.raises(StateTypeError) as caught:
        render_state(None, 4)
    assert str(caught.value).startswith("state must not be None; pass a string, dict, or list")
    assert "4" in str(caught.value)
    assert caught.value.index == 4


CYCLE: dict = {"a": []}
CYCLE["a"].append(CYCLE)


@pytest.mark.parametrize(
    ("state", "path", "what"),
    [
        ({"body": ["a", 1, dt.datetime(2020, 1, 1, tzinfo=dt.timezone.utc)]}, "$.body[2]", "a datetime"),
        ({"body": {"n": decimal.Decimal(1)}}, "$.body.n", "a Decimal"),
        ([{"x": {1, 2}}], "$[0].x", "a set"),
        (b"raw", "$", "bytes"),
        ({"two words": [b""]}, "$['two words'][0]", "bytes"),
        ({"x": (1, float("nan"))}, "$.x[1]", "nan"),
        ([float("-inf")], "$[0]", "-inf"),
        ({"x": {(1, 2): 3}}, "$.x", "the key (1, 2), a tuple"),
        ({"x": {float("nan"): 3}}, "$.x", "a key that holds nan"),
        ("bad \ud83d text", "$", "lone surrogate '\\ud83d'"),
        ({"x": ["ok", "\udc00"]}, "$.x[1]", "lone surrogate"),
        ({"\udc00": 1}, "$", "a key that holds the lone surrogate"),
        (CYCLE, "$.a[0]", "holds itself"),
        (object(), "$", "an object"),
    ],
)
def test_what_cannot_be_written_is_found(state, path, what):
    with pytest.raises(StateError) as caught:
        render_state(state, 3)
    assert str(caught.value).startswith(f"state 3: {path} ")
    assert what in str(caught.value)
    assert (caught.value.index, caught.value.path) == (3, path)


def test_a_value_that_occurs_twice_is_no_cycle():
    shared = [1]
    assert render_state({"a": shared, "b": shared}, 0) == '{"a": [1], "b": [1]}'
    with pytest.raises(StateError, match=r"state 0: \$\.c "):
        render_state({"a": shared, "b": shared, "c": b""}, 0)


@pytest.mark.parametrize("leaf", [1, float("nan")])
def test_nesting_beyond_the_interpreter_is_a_clear_error(leaf):
    state = leaf
    for _ in range(100_000):
        state = [state]
    with pytest.raises(StateError, match="state 2: "):
        render_state(state, 2)
