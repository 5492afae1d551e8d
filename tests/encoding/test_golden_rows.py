import json

import pytest

from laya.encoding import JointLayout, TextEncoder, check_budget, encode_states
from laya.errors import LayaError, QuestionError
from laya.questions import parse_questions

NAMES = ["tiny-bert", "tiny-nohead", "tiny-par", "tiny-seq", "tiny-wp"]
CONTROL_TEXT = "state/mask-literal"
BLANK_LABEL = "question/choice-labels"


def rows_of(module, folder, case):
    _, state, questions, options = case
    config = json.loads((folder / "rl_agent_config.json").read_text())
    layout = JointLayout(TextEncoder.from_directory(folder / "tokenizer"), config.get("option_layout", "sequential"))
    budget = check_budget(
        options.get("max_len"), options.get("head_max_len"), config["max_len"], config["head_max_len"], 10_000
    )
    heads = [layout.head(question, budget) for question in parse_questions(module.QUESTIONS[questions])]
    return layout, layout.rows(encode_states(layout.encoder, [module.resolve(state)]), heads, budget)


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_row_and_error_is_reproduced(golden, name):
    module, recorded, folder = golden
    compared = 0
    for case in module.CASES:
        want = recorded[name]["cases"][case[0]]
        if case[0] in {CONTROL_TEXT, BLANK_LABEL}:
            continue
        if "error" in want:
            with pytest.raises(LayaError) as caught:
                rows_of(module, folder / name, case)
            assert str(caught.value) == want["message"], case[0]
            assert isinstance(caught.value, ValueError)
            continue
        _, rows = rows_of(module, folder / name, case)
        assert [row.ids.tolist() for row in rows] == [row["ids"] for row in want["rows"]], case[0]
        compared += len(rows)
    assert compared > 100


@pytest.mark.parametrize("name", NAMES)
def test_control_tokens_of_a_state_do_not_reach_the_row(golden, name):
    module, _, folder = golden
    case = next(case for case in module.CASES if case[0] == CONTROL_TEXT)
    layout, rows = rows_of(module, folder / name, case)
    for row in rows:
        state = row.ids[-1 - row.state_used : -1]
        assert layout.encoder.control_ids.isdisjoint(state.tolist())
        assert row.state_used > 0


def test_a_recorded_question_with_a_blank_label_is_refused(golden):
    module, _, _ = golden
    with pytest.raises(QuestionError, match="choice label 3 is blank"):
        parse_questions(module.QUESTIONS["choice-labels"])
