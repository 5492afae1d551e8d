from __future__ import annotations

import threading

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from laya.hooks.copies import Copier, detach

leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary()
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner) | st.sets(st.integers())
    ),
    max_leaves=20,
)


def containers(value):
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, (list, tuple)):
        inner = value
    else:
        return [value] if isinstance(value, set) else []
    own = [] if isinstance(value, tuple) else [value]
    return own + [found for item in inner for found in containers(item)]


@given(values)
def test_a_copy_is_equal_and_shares_no_container_that_can_change(value):
    for new in (detach(value), Copier()(value), Copier(deep=False)(value)):
        assert new == value
        assert type(new) is type(value)
        old = {id(found) for found in containers(value)}
        assert not old & {id(found) for found in containers(new)}


def test_what_holds_itself_is_copied_once():
    value = {"list": []}
    value["list"].append(value)
    new = detach(value)
    assert new is not value
    assert new["list"][0] is new


def test_what_two_values_share_stays_shared_between_their_copies():
    shared = {"q": {}}
    copier = Copier()
    assert copier(shared) is copier(shared)
    first, second = copier([shared, shared])
    assert first is second is not shared


def test_objects_are_copied_deeply_and_kept_when_they_refuse():
    class Refuses:
        def __deepcopy__(self, memo):
            raise ValueError

    lock, refuses, array = threading.Lock(), Refuses(), np.zeros(2)
    new = detach({"lock": lock, "refuses": refuses, "array": array})
    assert new["lock"] is lock
    assert new["refuses"] is refuses
    assert new["array"] is not array
    assert Copier(deep=False)([array])[0] is array


def test_a_value_too_deep_for_the_stack_is_copied_at_the_top():
    value = [1]
    for _ in range(100_000):
        value = [value]
    new = detach(value)
    assert new is not value
    while value[0] != 1:  # taken apart by hand, since freeing it at once would recurse too
        value, new = value[0], None
