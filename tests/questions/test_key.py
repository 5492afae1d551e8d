import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.questions.key import content_key

SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | st.sampled_from(["", "1", "True", "a"])
KEYS = st.none() | st.booleans() | st.integers(-2, 2) | st.floats(allow_nan=False) | st.sampled_from(["", "1", "True"])
CONTENT = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple) | st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(CONTENT, CONTENT)
def test_keys_are_equal_exactly_when_content_reads_the_same(a, b):
    # repr shows types and order; it shows NaN as one thing, as the key does.
    assert (content_key(a) == content_key(b)) is (repr(a) == repr(b))


@settings(deadline=None)
@given(CONTENT)
def test_keys_are_hashable_and_repeatable(content):
    assert hash(content_key({"q": content})) == hash(content_key({"q": content}))


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, True),
        (1, 1.0),
        (1, "1"),
        (0.0, -0.0),
        ([1], (1,)),
        (["a", "b"], ["b", "a"]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({1: "x"}, {True: "x"}),
        ({}, []),
        ("", None),
    ],
)
def test_what_differs_has_another_key(a, b):
    assert content_key({"x": a}) != content_key({"x": b})


@pytest.mark.parametrize("odd", [{1}, b"x", object(), bytearray(), type("Text", (str,), {})("x"), 1j])
def test_odd_content_has_no_key(odd):
    assert content_key({"x": [odd]}) is None


def test_endless_content_has_no_key():
    endless = []
    endless.append(endless)
    assert content_key(endless) is None
