from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.encoding import ReaderLayout, encode_states, pack_rows, unpack
from laya.encoding.reader import layered_texts, open_label, question_texts
from laya.errors import BudgetError, CheckpointError
from laya.questions import parse_questions
from laya.request import Budget, Forward

CONFIG = {"layers": 0, "pooling": "mean", "normalise": True, "tau": [3.0, 5.0, 7.0], "noul_bias": 0.25}
BUDGET = Budget(max_len=64, head_max_len=32)
WIDTH = 24


class BytesTrunk:
    """Gives every token a fixed random vector, so that texts are as near as the letters they share."""

    def __init__(self):
        self.table = np.random.default_rng(5).standard_normal((300, WIDTH)).astype(np.float32)
        self.texts = 0

    def forward(self, batch):
        self.texts += batch.rows
        return Forward(hidden=self.table[batch.input_ids])


@pytest.fixture
def trunk():
    return BytesTrunk()


@pytest.fixture
def layout(encoder, trunk):
    return ReaderLayout(encoder, CONFIG, trunk)


def ask(kind, criteria=None, instructions="is it about cats?", **more):
    definition = {"type": kind, "instructions": instructions, **more}
    if criteria is not None:
        definition["criteria"] = criteria
    (question,) = parse_questions({"q": definition})
    return question


def logits(layout, question, *states, budget=BUDGET):
    """Logits of one question about states that are read in one batch."""
    head = layout.head(question, budget)
    encoded = encode_states(layout.encoder, states)
    rows = layout.rows(encoded, [head], budget)
    outputs = dict(
        pair for batch in pack_rows(rows, range(len(rows))) for pair in unpack(batch, layout._trunk.forward(batch))
    )
    return [s.logits for s in layout.scores(encoded, [head], rows, [outputs[i] for i in range(len(rows))])]


def cosine(layout, first, second):
    """Reference: cosine of the mean token vectors of two texts."""
    e, table = layout.encoder, layout._trunk.table.astype(np.float64)
    a, b = (table[[e.cls_id, *ids.tolist(), e.sep_id]].mean(axis=0) for ids in e.encode([first, second]))
    return a @ b / np.linalg.norm(a) / np.linalg.norm(b)


def test_a_choice_is_scored_by_the_scaled_cosine(layout):
    question = ask("choice", {"cats": "purring pets", "dog_food": None})
    expected = [3 * cosine(layout, text, "my cat") for text in ("purring pets (cats)", "dog food")]
    np.testing.assert_allclose(logits(layout, question, "my cat")[0], expected, atol=1e-6)


def test_a_score_is_scored_by_its_levels_alone(layout):
    expected = [5 * cosine(layout, text, "so so") for text in ("bad", "good")]
    np.testing.assert_allclose(logits(layout, ask("score", ["bad", "good"]), "so so")[0], expected, atol=1e-6)


def test_a_lone_statement_competes_with_the_bias(layout):
    expected = [0, 7 * (cosine(layout, "is it about cats?", "my cat") - 0.25)]
    np.testing.assert_allclose(logits(layout, ask("noul"), "my cat")[0], expected, atol=1e-6)


def test_a_description_takes_the_place_of_the_instructions(layout):
    expected = 7 * (cosine(layout, "purring", "my cat") - 0.25)
    assert logits(layout, ask("noul", {"true": "purring"}), "my cat")[0][1] == pytest.approx(expected, abs=1e-6)


def test_a_denial_competes_with_the_statement(layout):
    question = ask("noul", {"true": "purring", "false": "xyz"})
    expected = 7 * (cosine(layout, "purring", "my cat") - cosine(layout, "xyz", "my cat"))
    assert logits(layout, question, "my cat")[0][1] == pytest.approx(expected, abs=1e-6)


def test_a_statement_must_exceed_the_floor_however_far_the_denial_is(encoder, trunk):
    layout = ReaderLayout(encoder, CONFIG | {"noul_floor": 0.99}, trunk)
    question = ask("noul", {"true": "purring", "false": "xyz"})
    expected = 7 * (cosine(layout, "purring", "my cat") - 0.99)
    assert logits(layout, question, "my cat")[0][1] == pytest.approx(expected, abs=1e-6)


def test_a_denial_that_says_the_same_is_left_out(encoder, trunk):
    layout = ReaderLayout(encoder, CONFIG | {"noul_same": -1.0}, trunk)
    both = logits(layout, ask("noul", {"true": "purring", "false": "xyz"}), "my cat")[0]
    lone = logits(layout, ask("noul", {"true": "purring"}), "my cat")[0]
    assert both.tolist() == lone.tolist()


LABELS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]


@given(st.permutations(LABELS))
def test_permuting_options_permutes_logits_exactly(encoder, order):
    layout = ReaderLayout(encoder, CONFIG, BytesTrunk())
    plain = dict(zip(LABELS, logits(layout, ask("choice", LABELS), "a state")[0].tolist(), strict=True))
    moved = logits(layout, ask("choice", list(order)), "a state")[0].tolist()
    assert moved == [plain[label] for label in order]


@given(st.permutations(range(4)))
def test_logits_come_in_the_order_of_the_slots(encoder, order):
    layout = ReaderLayout(encoder, CONFIG, BytesTrunk())
    levels = ["awful", "poor", "fair", "great"]
    plain = logits(layout, ask("score", levels), "a state")[0]
    shown = logits(layout, ask("score", levels, option_order=list(order)), "a state")[0]
    assert shown.tolist() == plain[list(order)].tolist()


def test_the_order_of_a_yes_no_question_is_followed(layout):
    plain = logits(layout, ask("noul"), "my cat")[0].tolist()
    assert logits(layout, ask("noul", option_order=[1, 0]), "my cat")[0].tolist() == plain[::-1]


def test_a_state_is_scored_the_same_beside_any_others(layout):
    question = ask("choice", LABELS)
    others = ["x" * n for n in (1, 5, 30, 200)]
    np.testing.assert_array_equal(
        logits(layout, question, *others, "my cat")[-1], logits(layout, question, "my cat")[0]
    )


def test_one_row_serves_all_questions_of_a_state(layout, trunk):
    heads = [layout.head(ask("choice", LABELS), BUDGET), layout.head(ask("noul"), BUDGET)]
    read = trunk.texts
    states = encode_states(layout.encoder, ["one", "two"])
    rows = layout.rows(states, heads, BUDGET)
    outputs = [output for batch in pack_rows(rows, [0, 1]) for _, output in unpack(batch, trunk.forward(batch))]
    assert trunk.texts == read + 2
    scores = layout.scores(states, heads, rows, outputs)
    assert [len(s.logits) for s in scores] == [7, 2, 7, 2]
    assert layout.tokens_read(rows[:1], heads) == rows[0].length + heads[0].tokens + heads[1].tokens


def test_a_repeated_text_is_read_once(layout, trunk):
    head = layout.head(ask("score", ["same", "other", "same text"]), replace(BUDGET, head_max_len=6))
    assert (trunk.texts, head.options_distinct) == (2, 2)


@pytest.mark.parametrize(("state", "kept"), [("abcdefgh", "abc"), (["abcdefgh"], 'h"]')])
def test_a_state_is_cut_to_the_budget_and_a_list_keeps_its_end(layout, encoder, state, kept):
    (row,) = layout.rows(encode_states(layout.encoder, [state]), [], Budget(max_len=5, head_max_len=5))
    (ids,) = encoder.encode([kept])
    assert row.ids.tolist() == [encoder.cls_id, *ids.tolist(), encoder.sep_id]
    assert (row.state_used, row.positions.tolist()) == (3, [0, 1, 2, 3, 4])


def test_cut_options_are_counted(layout):
    head = layout.head(ask("choice", ["abcdef", "abcxyz", "ab"]), replace(BUDGET, head_max_len=5))
    assert (head.options_dropped, head.options_distinct, head.tokens_per_option) == (6, 2, 3)
    assert head.tokens == 5 + 5 + 4
    assert head.instruction_dropped == 0


def test_cut_instructions_of_a_yes_no_question_are_counted_apart(layout):
    head = layout.head(ask("noul", {"false": "xyzxyz"}, "abcd"), replace(BUDGET, head_max_len=5))
    assert (head.instruction_dropped, head.options_dropped, head.options_distinct) == (1, 3, 2)


def test_nothing_is_counted_where_nothing_is_cut(layout):
    head = layout.head(ask("noul"), BUDGET)
    assert (head.instruction_dropped, head.options_dropped, head.options_distinct) == (0, 0, 2)
    assert head.tokens_per_option is None


def test_the_smaller_budget_bounds_a_text(layout):
    head = layout.head(ask("choice", ["abcdef"]), Budget(max_len=4, head_max_len=32))
    assert head.tokens == 4


def test_a_budget_without_room_for_text_is_refused(layout):
    with pytest.raises(BudgetError, match=r"^question 'q': a budget of 2 tokens leaves no room") as caught:
        layout.head(ask("noul"), Budget(max_len=64, head_max_len=2))
    assert caught.value.question == "q"
    with pytest.raises(BudgetError, match=r"^a budget of 1 tokens leaves no room"):
        layout.rows(encode_states(layout.encoder, ["x"]), [], Budget(max_len=1, head_max_len=64))


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("card_arrival", "card arrival"),
        ("RateBook", "Rate Book"),
        ("HTTPError2Fix", "HTTP Error2 Fix"),
        ("alarm/set-alarm", "alarm set alarm"),
        ("is a_b", "is a_b"),
        ("__", "__"),
    ],
)
def test_labels_written_as_identifiers_are_opened(label, words):
    assert open_label(label) == words


def test_texts_follow_the_slots():
    question = ask("choice", {"a_b": "first", "c": None}, option_order=[1, 0])
    assert question_texts(question) == ["c", "first (a b)"]
    assert layered_texts(question) == ["is it about cats?", "c", "first (a b)"]


@pytest.mark.parametrize(
    ("criteria", "texts"),
    [
        (None, []),
        ({"true": "yes"}, ["yes"]),
        ({"false": "no"}, ["no"]),
        ({"true": "yes", "false": "no"}, ["no", "yes"]),
    ],
)
def test_reader_layers_read_the_instructions_and_the_criteria_of_a_yes_no_question(criteria, texts):
    assert layered_texts(ask("noul", criteria)) == ["is it about cats?", *texts]


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"layers": -1}, "layers"),
        ({"layers": "2"}, "layers"),
        ({"layers": True}, "layers"),
        ({"layers": 2}, "taps"),
        ({"layers": 2, "taps": []}, "taps"),
        ({"pooling": "cls"}, "pooling"),
        ({"normalise": False}, "normalise"),
        ({"tau": [1.0, 2.0]}, "tau"),
        ({"tau": [1.0, 2.0, True]}, "tau"),
        ({"tau": [1.0, 2.0, float("nan")]}, "tau"),
        ({"noul_bias": "0.2"}, "noul_bias"),
    ],
)
def test_settings_that_cannot_run_are_refused(encoder, trunk, change, key):
    with pytest.raises(CheckpointError, match=rf"^reader\.{key} is "):
        ReaderLayout(encoder, CONFIG | change, trunk)


def test_missing_scales_are_refused(encoder, trunk):
    with pytest.raises(CheckpointError, match=r"^reader\.tau is None"):
        ReaderLayout(encoder, {}, trunk)
