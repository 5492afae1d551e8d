"""What a row asks."""

from __future__ import annotations

import pytest

from laya.batch.items import Fields, to_items
from laya.batch.rows import Row
from laya.errors import StateError


def item(value, **fields):
    (found,) = to_items([Row(3, value)], Fields(lambda text: {"message": text}, **fields))
    assert found.number == 3
    return found


@pytest.mark.parametrize(
    ("value", "ident", "state"),
    [
        ("x", None, {"message": "x"}),
        ({"text": "x"}, None, {"message": "x"}),
        ({"id": "a", "text": "x", "more": 1}, "a", {"message": "x"}),
        ({"id": 0, "state": {"text": "x"}}, 0, {"text": "x"}),
        ({"state": "x", "text": "y"}, None, "x"),
        ({"id": 1, "message": "x", "from": "y"}, 1, {"message": "x", "from": "y"}),
        ([{"role": "user"}], None, [{"role": "user"}]),
        (7, None, 7),
    ],
)
def test_a_row_is_a_text_a_state_or_its_own_state(value, ident, state):
    found = item(value)
    assert (found.id, found.state, found.error, found.source) == (ident, state, None, value)


def test_other_keys_may_be_named():
    found = item({"no": 5, "body": "x", "id": "y"}, text="body", id="no")
    assert (found.id, found.state) == (5, {"message": "x"})


def test_a_state_may_have_questions_of_its_own():
    questions = {"q": {"type": "noul"}}
    assert item({"state": "x", "questions": questions}).questions == questions
    assert item({"state": "x", "questions": None}).questions is None
    assert item({"text": "x", "questions": questions}).questions is None


@pytest.mark.parametrize(
    ("value", "fields", "says"),
    [
        (None, {}, "is null"),
        (" ", {}, "has a blank text in the row"),
        ({"text": ""}, {}, "has a blank text in 'text'"),
        ({"text": None}, {}, "has no text in 'text' but null"),
        ({"text": 4}, {}, "has no text in 'text' but a int"),
        ({"state": None}, {}, "'state' null"),
        ({"state": 1, "questions": []}, {}, "'questions' that are a list"),
        ({"state": 1, "questions": {}}, {"own_questions": False}, "write JSON Lines"),
        ({"id": 1}, {}, "has nothing to judge"),
        ({}, {}, "has nothing to judge"),
        ({"a": "x", "b": "y"}, {"text": "body"}, "has no 'body'; it has a, b"),
        ([1], {"text": "body"}, "is a JSON list, which has no 'body'"),
    ],
)
def test_a_row_that_asks_nothing_is_an_error(value, fields, says):
    found = item(value, **fields)
    assert says in str(found.error)
    assert found.state is None
    assert found.id == (value.get("id") if isinstance(value, dict) else None)


def test_an_unreadable_row_keeps_its_error():
    error = StateError("is not UTF-8")
    (found,) = to_items([Row(9, error=error)], Fields(str))
    assert (found.number, found.error, found.state) == (9, error, None)
