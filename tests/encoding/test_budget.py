import pytest

from laya.encoding import check_budget
from laya.errors import ArgumentError
from laya.request import Budget


def test_the_call_wins_over_the_config():
    assert check_budget(None, None, 512, 192, 512) == Budget(512, 192)
    assert check_budget(64, None, 512, 192, 512) == Budget(64, 192)
    assert check_budget(None, 400, 128, 64, 512) == Budget(128, 400)


@pytest.mark.parametrize("value", [0, -5, True, "256", 60.5, 256.0, [1]])
@pytest.mark.parametrize("name", ["max_len", "head_max_len"])
def test_a_value_that_is_no_positive_int_is_named(name, value):
    arguments = {"max_len": None, "head_max_len": None} | {name: value}
    with pytest.raises(ArgumentError) as caught:
        check_budget(**arguments, config_max_len=512, config_head_max_len=192, positions=512)
    assert str(caught.value).startswith(f"{name} must be a positive int")
    assert repr(value) in str(caught.value)


def test_the_encoder_positions_are_the_upper_bound():
    assert check_budget(512, None, 128, 64, 512).max_len == 512
    with pytest.raises(ArgumentError, match="max_len=513 exceeds the 512 positions"):
        check_budget(513, None, 128, 64, 512)
    with pytest.raises(ArgumentError, match="max_len=128 of the checkpoint's config exceeds the 64 positions"):
        check_budget(None, None, 128, 64, 64)
