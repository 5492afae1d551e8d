from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import HookResultError
from laya.hooks import aggregate_usage
from laya.hooks.contract import USAGE_COUNTS

usages = st.dictionaries(st.sampled_from(USAGE_COUNTS), st.integers(0, 10**6)) | st.none()


@given(st.lists(st.tuples(usages, st.booleans())))
def test_counts_are_summed_and_a_missing_key_is_zero(parts):
    results = [{"answers": {}, "usage": None if usage is None else {**usage, "truncated": cut}} for usage, cut in parts]
    total = aggregate_usage(results)
    for key in USAGE_COUNTS:
        assert total[key] == sum((usage or {}).get(key, 0) for usage, _ in parts)
    assert total["truncated"] is any(cut for usage, cut in parts if usage is not None)
    assert set(total) == {*USAGE_COUNTS, "truncated"}


def test_numbers_of_other_types_become_ints():
    total = aggregate_usage([{"usage": {"input_tokens": np.int64(2), "windows": 1.0, "output_tokens": Fraction(3)}}])
    assert (total["input_tokens"], total["windows"], total["output_tokens"]) == (2, 1, 3)
    assert all(type(total[key]) is int for key in USAGE_COUNTS)


@pytest.mark.parametrize("usage", ["text", 5, [1], {"input_tokens": "3"}, {"windows": None}, {"windows": math.inf}])
def test_a_usage_that_is_no_dict_of_numbers_is_refused_with_its_index(usage):
    with pytest.raises(HookResultError, match="result 1 has") as caught:
        aggregate_usage([{"answers": {}}, {"answers": {}, "usage": usage}])
    assert caught.value.index == 1


def test_other_keys_of_a_usage_are_left_alone():
    assert "questions" not in aggregate_usage([{"usage": {"questions": {"q": 1}, "truncated_questions": ["q"]}}])


def test_a_result_that_is_no_dict_is_refused():
    with pytest.raises(HookResultError):
        aggregate_usage(["text"])
