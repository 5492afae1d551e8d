"""Items to records: order, chunks, groups and errors."""

from __future__ import annotations

import datetime as dt
import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.batch.items import Item
from laya.batch.run import Asked, answer_items, check_questions
from laya.errors import ForwardError, QuestionError, StateError

QUESTIONS = {"q": {"type": "noul"}}


class Ask:
    """Answers with the state itself; the states in `bad` fail."""

    def __init__(self, *bad):
        self.bad, self.calls = bad, []

    def __call__(self, states, questions):
        self.calls.append((states, questions))
        return [
            StateError(f"state {i}: bad", index=i) if s in self.bad else {"answers": s} for i, s in enumerate(states)
        ]


def records(items, ask=None, *, chunk=2, **options):
    return list(answer_items(items, Asked(ask or Ask(), QUESTIONS, **options), chunk=chunk))


def test_records_come_in_order_and_chunks():
    parts = records([Item(i, id=f"i{i}", state=i) for i in range(1, 6)])
    assert [len(part) for part in parts] == [2, 2, 1]
    assert list(itertools.chain(*parts)) == [{"row": i, "id": f"i{i}", "answers": i} for i in range(1, 6)]


def test_errors_are_in_their_places_without_the_position_in_the_chunk():
    items = [Item(4, state="a"), Item(5, id=0, error=StateError("torn", path="x")), Item(6, state="bad")]
    ((one, two, three),) = records(items, Ask("bad"), chunk=9)
    assert one == {"row": 4, "answers": "a"}
    assert two == {"row": 5, "id": 0, "error": {"code": "invalid_state", "message": "torn", "path": "x"}}
    assert three == {"row": 6, "error": {"code": "invalid_state", "message": "bad"}}


def test_an_error_names_its_question():
    ask = lambda _states, _questions: [QuestionError("question 'q': no", question="q")]  # noqa: E731 - shortest here
    (((record),),) = (records([Item(1, state="x")], ask)[0],)
    assert record["error"] == {"code": "invalid_question", "message": "question 'q': no", "question": "q"}


def test_foreign_errors_in_the_places_of_results_are_named():
    ((record,),) = records([Item(1, state="x")], lambda _states, _questions: [KeyError("k")])
    assert record["error"] == {"code": "error", "message": "KeyError: 'k'"}


def test_states_that_share_questions_are_asked_together():
    ask, own = Ask(), {"p": {"type": "noul"}}
    items = [
        Item(1, state="a"),
        Item(2, state="b", questions=own),
        Item(3, state="c"),
        Item(4, state="d", questions=own),
    ]
    records(items, ask, chunk=9)
    assert ask.calls == [(["a", "c"], QUESTIONS), (["b", "d"], own)]


def test_what_ask_raises_ends_the_batch_after_whole_chunks():
    def ask(states, _questions):
        if 3 in states:
            raise ForwardError("broken")
        return [{} for _ in states]

    parts = answer_items((Item(i, state=i) for i in range(1, 9)), Asked(ask, QUESTIONS), chunk=2)
    assert [record["row"] for record in next(parts)] == [1, 2]
    with pytest.raises(ForwardError, match="broken"):
        next(parts)


def test_no_more_items_are_read_than_a_chunk_holds():
    read = []
    items = (read.append(i) or Item(i, state=i) for i in range(10_000))
    parts = answer_items(items, Asked(Ask(), QUESTIONS), chunk=16)
    for done in range(1, 5):
        next(parts)
        assert len(read) == 16 * done


def test_the_row_is_kept_as_json_can_write_it():
    source = {"id": dt.date(2026, 1, 2), "n": float("nan"), "raw": b"x", "deep": [{1: (2,)}]}
    (((record),),) = (records([Item(1, id=source["id"], state="x", source=source)], keep_input=True)[0],)
    assert record["id"] == "2026-01-02"
    assert record["input"] == {"id": "2026-01-02", "n": "nan", "raw": "b'x'", "deep": [{"1": [2]}]}
    json.dumps(record, allow_nan=False)


def test_questions_are_checked_before_any_row():
    with pytest.raises(QuestionError, match="'q': unknown type"):
        check_questions({"q": {"type": "nul", "instructions": "x"}})


@given(st.lists(st.sampled_from(["good", "bad", "torn"]), max_size=30), st.integers(1, 40))
def test_there_is_one_record_a_row_whatever_the_chunk(kinds, chunk):
    items = [
        Item(i, state=k) if k != "torn" else Item(i, error=StateError("torn")) for i, k in enumerate(kinds, start=1)
    ]
    found = list(itertools.chain(*records(items, Ask("bad"), chunk=chunk)))
    assert [record["row"] for record in found] == list(range(1, len(kinds) + 1))
    assert ["error" in record for record in found] == [kind != "good" for kind in kinds]
