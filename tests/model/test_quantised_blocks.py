from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from safetensors.numpy import save_file

from laya.errors import CheckpointError
from laya.model.quantised import dequantise, quantise_blocks, stored
from laya.model.tensors import Tensors

SHAPES = st.tuples(st.integers(1, 4), st.integers(1, 70))
MATRICES = SHAPES.flatmap(lambda shape: hnp.arrays(np.float32, shape, elements=st.floats(-1e3, 1e3, width=32)))
STEPS = st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(
    lambda shape: hnp.arrays(np.int8, (*shape, 32), elements=st.integers(-8, 7))
)


def opened(folder, tensors):
    file = folder / "model.safetensors"
    save_file(tensors, str(file))
    return Tensors(file)


@given(MATRICES)
def test_a_weight_comes_back_within_half_a_step_where_the_grid_reaches(weight):
    small = stored("w", weight, bits=4)
    back = dequantise("w", small)
    assert (back.shape, back.dtype) == (weight.shape, np.float32)
    step = np.repeat(small["w_scale"].astype(np.float32), 32, axis=1)[:, : weight.shape[1]]
    low, high = np.minimum(-8 * step, 7 * step), np.maximum(-8 * step, 7 * step)
    inside = (low <= weight) & (weight <= high)
    error, half = np.abs(back - weight), np.abs(step) * 0.5001 + 1e-6
    assert np.all(error[inside] <= half[inside])
    # what the grid does not reach is its end, the nearest that there is
    nearest = np.where(weight < low, low, high)
    np.testing.assert_allclose(back[~inside], nearest[~inside], rtol=1e-6)


@given(MATRICES)
def test_the_squares_of_the_errors_are_no_larger_than_on_a_grid_that_spans_both_signs(weight):
    wide = np.pad(weight, ((0, 0), (0, -weight.shape[1] % 32))).reshape(len(weight), -1, 32).astype(np.float64)
    back = dequantise("w", stored("w", weight, bits=4))
    error = np.pad(back - weight, ((0, 0), (0, -weight.shape[1] % 32))).reshape(wide.shape).astype(np.float64)
    step = np.abs(wide).max(axis=2, keepdims=True) / 7
    plain = np.rint(np.divide(wide, step, out=np.zeros_like(wide), where=step > 0)) * step - wide
    # the scale is a float16: a few parts in a thousand of a weight
    slack = 1e-2 * np.square(wide).sum(axis=2) + 1e-9
    assert np.all(np.square(error).sum(axis=2) <= np.square(plain).sum(axis=2) + slack)


@given(STEPS, st.floats(2.0**-10, 2.0, width=16))
def test_a_matrix_that_is_on_such_a_grid_is_kept_exactly(steps, scale):
    steps[..., 0] = -8
    weight = (steps.astype(np.float32) * np.float32(scale)).reshape(len(steps), -1)
    assert np.array_equal(dequantise("w", stored("w", weight, bits=4)), weight)


def test_a_byte_holds_two_weights_sixteen_apart():
    weight = np.zeros((1, 32), np.float32)
    weight[0, 0], weight[0, 17], weight[0, 31] = -8, 3, 7
    blocks, scale = quantise_blocks(weight)
    assert (blocks.dtype, blocks.shape, scale.dtype, scale.tolist()) == (np.uint8, (1, 1, 16), np.float16, [[1.0]])
    assert blocks[0, 0].tolist() == [0x80, 0xB8, *[0x88] * 13, 0xF8]


def test_zeros_and_weights_too_small_for_a_scale_become_zeros():
    weight = np.zeros((2, 32), np.float32)
    weight[1] = 1e-9
    assert not dequantise("w", stored("w", weight, bits=4)).any()


def test_columns_are_stored_only_where_the_blocks_do_not_tell():
    assert sorted(stored("w", np.ones((2, 64), np.float32), bits=4)) == ["w", "w_scale"]
    assert stored("w", np.ones((2, 33), np.float32), bits=4)["w_columns"].tolist() == [33]
    assert sorted(stored("w", np.ones((2, 33), np.float32), bits=8)) == ["w", "w_scale"]


@pytest.mark.parametrize("columns", [31, 32, 33, 96])
def test_a_file_shows_the_weight_and_nothing_beside_it(tmp_path, columns):
    weight = np.linspace(-1, 1, 1100 * columns, dtype=np.float32).reshape(1100, columns)
    small = stored("w", weight, bits=4)
    tensors = opened(tmp_path, small | {"b": np.ones(2, np.float32), "free_scale": np.ones(3, np.float32)})
    assert sorted(tensors) == ["b", "free_scale", "w"]
    assert tensors.shape("w") == weight.shape
    assert not tensors.is_plain("w", "F16")
    whole = tensors.array("w")
    assert whole.flags.c_contiguous
    assert np.array_equal(whole, dequantise("w", small))
    assert np.array_equal(tensors.array("w", slice(511, 514)), whole[511:514])
    np.testing.assert_allclose(whole, weight, atol=0.08)


def test_bytes_along_two_axes_are_plain_numbers(tmp_path):
    tensors = opened(tmp_path, {"u": np.full((2, 16), 200, np.uint8)})
    assert tensors.array("u").tolist() == [[200.0] * 16] * 2


BLOCKS = np.zeros((2, 2, 16), np.uint8)
SCALES = np.ones((2, 2), np.float16)
MALFORMED = {
    "no scales": ({"w": BLOCKS}, r"'w' is in four bits but 'w_scale' is missing"),
    "a scale a row": ({"w": BLOCKS, "w_scale": SCALES[:, 0]}, r"'w_scale' has shape \(2,\) for blocks"),
    "too many scales": ({"w": BLOCKS, "w_scale": np.ones((2, 3), np.float16)}, r"'w_scale' has shape \(2, 3\)"),
    "short blocks": ({"w": BLOCKS[:, :, :8], "w_scale": SCALES}, r"'w' has shape \(2, 2, 8\); expected \[rows, bl"),
    "too many columns": ({"w": BLOCKS, "w_scale": SCALES, "w_columns": np.array([65])}, r"'w_columns' is \[65\] for 2"),
    "too few columns": ({"w": BLOCKS, "w_scale": SCALES, "w_columns": np.array([32])}, r"one integer from 33 to 64"),
    "columns of rows": ({"w": BLOCKS, "w_scale": SCALES, "w_columns": np.array([64, 64])}, r"'w_columns' is \[64, 64"),
    "broken columns": ({"w": BLOCKS, "w_scale": SCALES, "w_columns": np.array([64.0])}, r"'w_columns' is \[64.0\]"),
}


@pytest.mark.parametrize("case", MALFORMED)
def test_tensors_that_do_not_fit_together_are_refused(tmp_path, case):
    tensors, message = MALFORMED[case]
    with pytest.raises(CheckpointError, match=message) as caught:
        dequantise("w", tensors)
    assert caught.value.path == "w"
    with pytest.raises(CheckpointError, match=message):
        opened(tmp_path, tensors).array("w")
