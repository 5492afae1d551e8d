from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzing import examples
from laya.encoding.reader_blocks import ASKING, EMPTY, UNIT, count_up, lay_out, round_up

SIZES = st.lists(st.integers(0, 60), min_size=1, max_size=15)
FEW = settings(max_examples=examples(40), deadline=None)


def seen_by(blocks):
    """For each row the rows that it sees, worked out from the blocks as the graph does."""
    found = []
    for row, number in enumerate(blocks.option.tolist()):
        keys, options = blocks.key_index[blocks.block[row]], blocks.key_option[blocks.block[row]]
        visible = (options == 0) | (options == abs(number)) | ((options < 0) & (number < 0))
        found.append(sorted(keys[visible].tolist()))
    return found


@given(st.integers(0, 60), SIZES, st.booleans())
@FEW
def test_every_row_sees_what_it_must(instructions, sizes, marked):
    blocks = lay_out(instructions, sizes, marked=marked)
    groups = [0] * instructions + [j + 1 for j, size in enumerate(sizes) for _ in range(size)]
    total, k = len(groups), len(sizes) * marked
    assert (blocks.tokens, blocks.markers) == (total, k)
    markers = list(range(total, total + k))
    wanted = [[i for i, other in enumerate(groups) if other in (0, own)] for own in groups]
    wanted += [[i for i, other in enumerate(groups) if other in (0, j + 1)] + markers for j in range(k)]
    assert seen_by(blocks) == wanted


@given(st.integers(0, 60), SIZES, st.booleans())
@FEW
def test_every_row_has_a_slot_of_its_own(instructions, sizes, marked):
    blocks = lay_out(instructions, sizes, marked=marked)
    places = list(zip(blocks.block.tolist(), blocks.column.tolist(), strict=True))
    assert len(set(places)) == len(places) == blocks.tokens + blocks.markers
    markers = list(zip(blocks.block[blocks.tokens :].tolist(), blocks.marker_column.tolist(), strict=True))
    assert len(set(markers)) == len(markers) == blocks.markers
    assert blocks.width % UNIT == 0


def test_blocks_are_bounded():
    blocks = lay_out(10, [8] * 255, marked=True)
    assert blocks.count == 10
    assert int(blocks.column.max()) < ASKING
    assert blocks.width == 496
    assert (blocks.key_option == EMPTY).any()
    assert blocks.nbytes < 2**20


def test_an_option_is_never_parted():
    blocks = lay_out(1, [3, 2 * ASKING, 3], marked=True)
    assert blocks.count == 3
    assert len(set(blocks.block[blocks.option == 2].tolist())) == 1


@pytest.mark.parametrize(("count", "wanted"), [(0, 64), (1, 64), (64, 64), (65, 128)])
def test_rounding_up(count, wanted):
    assert round_up(count, 64) == wanted


def test_counting_up():
    assert count_up(np.array([1, 0, 1, 1, 0])).tolist() == [0, 0, 1, 2, 1]
    assert count_up(np.zeros(0, np.int64)).tolist() == []
