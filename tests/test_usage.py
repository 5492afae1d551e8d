from laya.usage import combine_usage

ONE = {
    "input_tokens": 10,
    "output_tokens": 0,
    "state_tokens": 8,
    "state_tokens_dropped": 2,
    "instruction_tokens_dropped": 1,
    "option_tokens_dropped": 3,
    "truncated": False,
    "truncated_questions": ["a"],
    "options": {"a": {"total": 3, "distinct": 2, "tokens_per_option": 1}},
    "windows": 1,
}


def test_one_pass_stays_as_it_is():
    assert combine_usage([ONE], same_questions=True) == ONE


def test_passes_add_up_and_the_state_is_counted_once():
    two = {**ONE, "truncated": True, "truncated_questions": ["b", "a"], "options": {}}
    same = combine_usage([ONE, two], same_questions=True)
    assert same == {**ONE, "input_tokens": 20, "truncated": True, "truncated_questions": ["a", "b"], "windows": 2}
    other = combine_usage([ONE, two], same_questions=False)
    assert (other["instruction_tokens_dropped"], other["option_tokens_dropped"]) == (2, 6)


def test_what_a_pass_lacks_counts_as_nothing():
    assert combine_usage([{}, ONE], same_questions=False) == ONE
    assert combine_usage([], same_questions=True)["truncated"] is False
