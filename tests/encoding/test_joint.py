import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.encoding import JointLayout, encode_states
from laya.errors import BudgetError, StateError, StateTypeError
from laya.questions import parse_questions
from laya.request import Budget, RowOutput

WIDE = Budget(512, 192)
QUESTIONS = {
    "team": {"type": "choice", "instructions": "Which?", "criteria": ["billing", "tech"]},
    "mood": {"type": "score", "instructions": "How?", "criteria": ["calm", "angry", "livid"]},
    "spam": {"type": "noul", "instructions": "Spam?"},
}


def heads_of(layout, budget=WIDE, questions=QUESTIONS):
    return [layout.head(question, budget) for question in parse_questions(questions)]


@pytest.fixture
def layout(encoder):
    return JointLayout(encoder, "sequential")


def test_states_keep_their_index_and_only_lists_keep_their_tail(layout):
    states = encode_states(layout.encoder, ["a b", {"k": 1}, ["x"], ("x",)], start_index=7)
    assert [state.index for state in states] == [7, 8, 9, 10]
    assert [state.keep_tail for state in states] == [False, False, True, False]
    texts = layout.encoder.encode(["a b", '{"k": 1}', '["x"]', '["x"]'])
    assert [state.ids.tolist() for state in states] == [ids.tolist() for ids in texts]
    assert [len(state.ids) for state in states] == [3, 8, 5, 5]
    assert encode_states(layout.encoder, []) == []


def test_a_bad_state_is_named_by_its_index_in_the_callers_batch(layout):
    with pytest.raises(StateTypeError) as caught:
        encode_states(layout.encoder, ["a", None], start_index=20)
    assert caught.value.index == 21
    with pytest.raises(StateError, match="state 20: "):
        encode_states(layout.encoder, [b"bytes"], start_index=20)


def test_rows_are_row_major_and_hold_head_state_and_separator(layout, encoder):
    states = encode_states(layout.encoder, ["first", "second one"])
    heads = heads_of(layout)
    rows = layout.rows(states, heads, WIDE)
    assert [row.type_index for row in rows] == [0, 1, 2, 0, 1, 2]
    for i, row in enumerate(rows):
        state, head = states[i // 3], heads[i % 3]
        assert row.ids.tolist() == [*head.ids.tolist(), *state.ids.tolist(), encoder.sep_id]
        assert row.positions.tolist() == list(range(row.length))
        assert not row.options.any()
        assert row.state_used == len(state.ids)
    assert layout.tokens_read(rows[:3], heads) == sum(row.length for row in rows[:3])


def test_a_long_text_keeps_its_start_and_a_conversation_its_end(layout):
    text, turns = encode_states(layout.encoder, ["0123456789" * 20, ["0123456789" * 20]])
    (head,) = heads_of(layout, questions={"spam": QUESTIONS["spam"]})
    budget = Budget(len(head.ids) + 1 + 12, 192)
    first, last = layout.rows([text, turns], [head], budget)
    assert first.ids[-13:-1].tolist() == text.ids[:12].tolist()
    assert last.ids[-13:-1].tolist() == turns.ids[-12:].tolist()
    assert (first.length, first.state_used, last.state_used) == (budget.max_len, 12, 12)


def test_a_row_without_room_drops_the_state_and_the_last_separator(layout):
    states = encode_states(layout.encoder, ["text", ["text"]])
    (head,) = heads_of(layout, questions={"spam": QUESTIONS["spam"]})
    for length in (len(head.ids) + 1, len(head.ids), int(head.markers[-1]) + 1):
        for row in layout.rows(states, [head], Budget(length, 192)):
            assert row.state_used == 0
            assert row.length == len(row.positions) == len(row.options) == length
            assert np.array_equal(row.ids[: len(head.ids)], head.ids[:length])


def test_markers_that_do_not_fit_are_an_error_that_names_the_question(layout):
    (head,) = heads_of(layout, questions={"mood": QUESTIONS["mood"]})
    length = int(head.markers[-1])
    with pytest.raises(BudgetError) as caught:
        layout.rows(encode_states(layout.encoder, ["x"]), [head], Budget(length, 192))
    assert caught.value.question == "mood"
    assert str(caught.value) == (
        f"question 'mood': only 2 of its 3 option markers fit in max_len={length} with head_max_len=192 spent on the "
        "question; lower head_max_len, raise max_len, or use fewer options"
    )


@settings(deadline=None)
@given(st.text(max_size=30), st.integers(0, 40))
def test_a_parallel_state_goes_on_where_the_longest_option_ended(encoder, state, room):
    layout = JointLayout(encoder, "parallel")
    (head,) = heads_of(layout, questions={"mood": QUESTIONS["mood"]})
    states = encode_states(layout.encoder, [state])
    (row,) = layout.rows(states, [head], Budget(len(head.ids) + 1 + room, 192))
    tail = row.positions[len(head.ids) :].tolist()
    assert tail == list(range(head.state_position, head.state_position + row.state_used + 1))
    assert not row.options[len(head.ids) :].any()
    assert row.state_used == min(room, len(states[0].ids))


def test_scores_carry_logits_and_rows_carry_counts(layout):
    states = encode_states(layout.encoder, ["abc"])
    heads = heads_of(layout)
    rows = layout.rows(states, heads, WIDE)
    outputs = [
        RowOutput(
            logits=np.arange(head.question.k, dtype=np.float32),
            act=np.array([i], dtype=np.float32),
            hidden=np.zeros((0, 0), dtype=np.float32),
        )
        for i, head in enumerate(heads)
    ]
    scores = layout.scores(states, heads, rows, outputs)
    assert [len(score.logits) for score in scores] == [2, 3, 2]
    assert [score.act.tolist() for score in scores] == [[0], [1], [2]]
    assert [row.state_used for row in rows] == [3, 3, 3]
    assert layout.tokens_read(rows, heads) == sum(row.length for row in rows)
