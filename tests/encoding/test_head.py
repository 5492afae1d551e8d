import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.encoding import JointLayout
from laya.questions import parse_questions
from laya.request import Budget


def choice(labels, instructions="Which one?", **extra):
    (question,) = parse_questions({"q": {"type": "choice", "instructions": instructions, "criteria": labels, **extra}})
    return question


def text_of(encoder, ids):
    """Bytes of the tokens of the byte-level test tokenizer, control tokens in brackets."""
    names = {encoder.cls_id: "[CLS]", encoder.sep_id: "[SEP]", encoder.mask_id: "[MASK]"}
    bytes_of = {int(encoder.encode([chr(c)])[0][0]): chr(c) for c in range(32, 127)}
    return "".join(names.get(i) or bytes_of[i] for i in ids.tolist())


def test_the_parts_lie_in_the_published_order(encoder):
    head = JointLayout(encoder, "sequential").head(choice({"yes": "it is", "no": None}), Budget(512, 192))
    assert text_of(encoder, head.ids) == "[CLS]choice question: Which one?[SEP][MASK] yes: it is[MASK] no[SEP]"
    assert head.ids[head.markers].tolist() == [encoder.mask_id] * 2
    assert head.tokens == len(head.ids) == head.state_position
    assert head.tokens_per_option is None
    assert (head.instruction_dropped, head.options_dropped, head.options_distinct) == (0, 0, 2)


def test_option_order_moves_texts_to_slots(encoder):
    head = JointLayout(encoder, "sequential").head(choice(["a", "b", "c"], option_order=[2, 0, 1]), Budget(512, 192))
    assert text_of(encoder, head.ids).endswith("[SEP][MASK] c[MASK] a[MASK] b[SEP]")


def test_a_long_option_is_read_up_to_48_tokens_and_the_rest_reported(encoder):
    head = JointLayout(encoder, "sequential").head(choice(["x" * 60, "y"]), Budget(512, 192))
    assert head.markers[1] - head.markers[0] == 49
    assert head.options_dropped == 13  # the leading space is a token of its own here
    assert head.tokens_per_option is None


def test_options_share_what_a_small_budget_leaves(encoder):
    labels = [f"option {i}" for i in range(6)]
    head = JointLayout(encoder, "sequential").head(choice(labels, "i" * 50), Budget(512, 64))
    assert head.tokens_per_option == (64 - 16) // 6
    assert np.diff(head.markers).tolist() == [8] * 5
    assert head.options_dropped == 6 * 2
    assert head.options_distinct == 1
    assert head.instruction_dropped == len("choice question: ") + 50 - 16


def test_parallel_options_all_start_at_one_position(encoder):
    head = JointLayout(encoder, "parallel").head(choice(["ab", "c", "defg"]), Budget(512, 192))
    start = int(head.markers[0])
    shared = start
    assert head.positions[:start].tolist() == list(range(start))
    assert head.positions[start:].tolist() == [start + i for i in (0, 1, 2, 3, 0, 1, 2, 0, 1, 2, 3, 4, 5, 6)]
    assert head.options.tolist() == [0] * shared + [1] * 4 + [2] * 3 + [3] * 6 + [0]
    assert head.state_position == start + 7


@settings(deadline=None)
@given(
    st.lists(st.text(min_size=1, max_size=70).filter(str.strip), min_size=1, max_size=40, unique=True),
    st.integers(1, 300),
    st.sampled_from(["sequential", "parallel"]),
)
@pytest.mark.filterwarnings("ignore::laya.questions.QuestionWarning")
def test_any_budget_keeps_every_marker_and_the_bounds(encoder, labels, head_max_len, name):
    question = choice(labels, "Some instructions that take a number of tokens?")
    head = JointLayout(encoder, name).head(question, Budget(4096, head_max_len))
    k = question.k
    assert head.ids[head.markers].tolist() == [encoder.mask_id] * k
    assert np.count_nonzero(head.ids == encoder.mask_id) == k
    assert len(head.ids) == len(head.positions) == len(head.options) == head.tokens
    assert len(head.ids) <= max(head_max_len, 8 + max(4 * k, head_max_len - 8)) + 3
    asked = int(head.markers[0]) - 2
    total = len(encoder.encode([f"choice question: {question.instructions}"])[0])
    assert asked >= min(8, total)
    assert asked + head.instruction_dropped == total
    texts = sum(len(ids) for ids in encoder.encode([f" {option}" for option in question.options]))
    assert texts - head.options_dropped == len(head.ids) - asked - 3 - k
    assert 1 <= head.options_distinct <= k
    assert head.positions.max() < len(head.ids)
