import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from laya.encoding import pack_rows, unpack
from laya.errors import ForwardError
from laya.request import EncodedRow, Forward


def make_row(length, markers=(), seed=0, options=None):
    rng = np.random.default_rng([seed, length])
    return EncodedRow(
        ids=rng.integers(0, 1000, length),
        positions=rng.permutation(length),
        options=np.zeros(length, dtype=np.int64) if options is None else np.array(options, dtype=np.int64),
        markers=np.array(markers, dtype=np.int64),
        type_index=seed % 3,
        state_used=0,
    )


@st.composite
def row_lists(draw):
    rows = []
    for seed, length in enumerate(draw(st.lists(st.integers(1, 40), min_size=1, max_size=25))):
        markers = sorted(draw(st.sets(st.integers(0, length - 1), max_size=4)))
        options = draw(st.lists(st.integers(0, 3), min_size=length, max_size=length))
        rows.append(make_row(length, markers, seed, options))
    return rows


def visible(batch):
    """[T, T] which token sees which, by the rule of PackedBatch."""
    row, option, slot = batch.row.ravel(), batch.option.ravel(), batch.unpack_index
    pack = slot // batch.row.shape[1]
    a, b = option[slot][:, None], option[slot][None, :]
    same = (pack[:, None] == pack[None, :]) & (row[slot][:, None] == row[slot][None, :])
    return same & ((a == 0) | (b == 0) | (a == b))


@settings(deadline=None)
@given(row_lists(), st.integers(1, 120), st.randoms(use_true_random=False))
def test_packing_is_a_permutation_and_sees_what_rows_see(rows, max_tokens, random):
    numbers = list(range(100, 100 + len(rows)))
    random.shuffle(numbers)
    by_number = dict(zip(numbers, rows, strict=True))
    seen = []
    for batch in pack_rows(rows, numbers, max_tokens=max_tokens):
        total = len(batch.input_ids)
        members = [by_number[number] for number in batch.row_numbers]
        seen += batch.row_numbers
        assert total <= max_tokens or batch.rows == 1
        assert batch.row_starts.tolist() == [0, *np.cumsum([row.length for row in members])]
        assert np.array_equal(batch.input_ids, np.concatenate([row.ids for row in members]))
        assert np.array_equal(batch.position_ids, np.concatenate([row.positions for row in members]))
        assert batch.type_ids.tolist() == [row.type_index for row in members for _ in range(row.length)]

        filled = batch.row.ravel() >= 0
        assert sorted(batch.unpack_index.tolist()) == np.flatnonzero(filled).tolist()
        assert np.array_equal(batch.pack_index.ravel()[batch.unpack_index], np.arange(total))
        assert not batch.option.ravel()[~filled].any()
        assert not batch.pack_index.ravel()[~filled].any()
        assert batch.row.shape == batch.option.shape == batch.pack_index.shape
        first = [i * batch.row.shape[1] for i in range(batch.rows)]
        assert batch.unpack_index[batch.row_starts[:-1]].tolist() == first, "each row begins a pack of its own"
        assert not batch.row.shape[1] % 16

        want = np.zeros((total, total), dtype=bool)
        for start, row in zip(batch.row_starts, members, strict=False):
            a, b = row.options[:, None], row.options[None, :]
            span = slice(start, start + row.length)
            want[span, span] = (a == 0) | (b == 0) | (a == b)
        assert np.array_equal(visible(batch), want)

        wanted = [[0, *row.markers.tolist()] for row in members]
        assert batch.out_starts.tolist() == [0, *np.cumsum([len(entry) for entry in wanted])]
        assert batch.out_index.tolist() == [
            start + i for start, entry in zip(batch.row_starts.tolist(), wanted, strict=False) for i in entry
        ]
    assert sorted(seen) == sorted(numbers)


def test_dtypes_are_those_of_the_vocabulary():
    (batch,) = pack_rows([make_row(5, [1]), make_row(3, [2])], [0, 1])
    for name in ("row_starts", "input_ids", "position_ids", "type_ids", "pack_index", "unpack_index", "out_index"):
        assert getattr(batch, name).dtype == np.int64, name
    assert batch.row.dtype == batch.option.dtype == np.int32


def test_rows_have_a_pack_each_and_lie_shortest_first():
    (batch,) = pack_rows([make_row(n) for n in (60, 82, 75, 70, 61)], range(5))
    assert batch.row.shape == (5, 96)
    assert batch.row_numbers == (0, 4, 3, 2, 1)


def test_rows_that_would_be_mostly_empty_slots_have_another_batch():
    batches = list(pack_rows([make_row(n) for n in (20, 200, 20, 18, 210)], range(5)))
    assert [batch.row.shape for batch in batches] == [(3, 32), (2, 224)]


@pytest.mark.parametrize("length", [1, 3, 17, 33])
def test_the_rounding_of_packs_splits_no_batch(length):
    assert len(list(pack_rows([make_row(length)] * 9, range(9)))) == 1


def test_rows_of_equal_length_keep_their_order_and_fill_batches():
    batches = list(pack_rows([make_row(100) for _ in range(45)], range(45), max_tokens=2048))
    assert [batch.rows for batch in batches] == [20, 20, 5]
    assert [n for batch in batches for n in batch.row_numbers] == list(range(45))


def test_nothing_to_pack_gives_no_batch():
    assert list(pack_rows([], [])) == []


def test_outputs_come_back_to_their_rows():
    rows = [make_row(6, [2, 4]), make_row(4, [1])]
    (batch,) = pack_rows(rows, [10, 11])
    forward = Forward(
        scores=batch.input_ids[batch.out_index].astype(np.float32),
        act=np.array([[0.5, 1.5], [2.5, 3.5]], dtype=np.float32),
    )
    found = dict(unpack(batch, forward))
    for number, row in zip((10, 11), rows, strict=True):
        assert found[number].logits.tolist() == row.ids[row.markers].tolist()
        assert found[number].hidden.shape == (0, 0)
    assert found[11].act.tolist() == [0.5, 1.5]  # the shorter row lies first in the batch
    assert found[10].act.tolist() == [2.5, 3.5]


def test_hidden_states_come_back_to_text_rows():
    rows = [make_row(6), make_row(4), make_row(5)]
    (batch,) = pack_rows(rows, [0, 1, 2])
    hidden = np.repeat(batch.input_ids[:, None], 3, axis=1).astype(np.float32)
    found = dict(unpack(batch, Forward(hidden=hidden)))
    for number, row in enumerate(rows):
        assert found[number].hidden[:, 0].tolist() == row.ids.tolist()
        assert (len(found[number].logits), len(found[number].act)) == (0, 0)


@pytest.mark.parametrize(
    ("markers", "forward", "reason"),
    [
        ([1], Forward(), "no scores"),
        ([1], Forward(scores=np.zeros(2, dtype=np.float32)), "no action logits"),
        ([1], Forward(scores=np.zeros(3, dtype=np.float32)), "3 scores where the batch asks for 2"),
        ([], Forward(scores=np.zeros(1, dtype=np.float32), act=np.zeros((1, 1), dtype=np.float32)), "no hidden states"),
        ([], Forward(hidden=np.zeros((3, 2), dtype=np.float32)), "3 hidden states where the batch asks for 4"),
    ],
)
def test_a_runtime_that_breaks_the_contract_is_an_error(markers, forward, reason):
    (batch,) = pack_rows([make_row(4, markers)], [0])
    with pytest.raises(ForwardError, match=reason):
        dict(unpack(batch, forward))
