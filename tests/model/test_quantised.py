from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from laya.errors import CheckpointError
from laya.model.quantised import dequantise, quantise

MATRICES = hnp.arrays(
    np.float32, hnp.array_shapes(min_dims=2, max_dims=2, max_side=8), elements=st.floats(-1e3, 1e3, width=32)
)


@example(weight=np.array([[1.073e-41]], dtype=np.float32))
@given(MATRICES)
def test_a_weight_comes_back_within_half_a_step(weight):
    small, scale = quantise(weight)
    back = dequantise("w", {"w": small, "w_scale": scale})
    assert (small.dtype, scale.dtype, back.dtype) == (np.int8, np.float32, np.float32)
    assert np.all(np.abs(back - weight) <= scale[:, None] * 0.5001)


def test_the_largest_weight_of_a_row_is_the_last_step():
    small, scale = quantise(np.array([[0.5, -2.54], [0.0, 0.0]], dtype=np.float32))
    assert small.tolist() == [[25, -127], [0, 0]]
    np.testing.assert_allclose(scale, [0.02, 1.0], rtol=1e-6)


GRIDS = st.tuples(st.integers(1, 4), st.integers(1, 40)).flatmap(
    lambda shape: hnp.arrays(np.int8, shape, elements=st.integers(-127, 127))
)


@given(GRIDS, st.floats(2.0**-10, 1e3, width=32))
def test_a_row_of_multiples_of_a_scale_is_kept(steps, scale):
    weight = steps.astype(np.float32) * np.float32(scale)
    small, own = quantise(weight)
    np.testing.assert_allclose(dequantise("w", {"w": small, "w_scale": own}), weight, rtol=1e-6)


def test_each_row_keeps_the_grid_that_it_has():
    coarse = np.array([[64, -63, 1], [3, 2, 1], [127, 5, -126]], np.float32) * np.array(
        [[0.5], [0.1], [2.0]], np.float32
    )
    small, scale = quantise(coarse)
    assert small[0].tolist() == [64, -63, 1]
    assert small[1].tolist() == [126, 84, 42]
    assert small[2].tolist() == [127, 5, -126]
    np.testing.assert_allclose(scale, [0.5, 0.3 / 126, 2.0], rtol=1e-6)


def test_other_types_are_only_widened():
    half = np.array([0.5, 2.0], dtype=np.float16)
    back = dequantise("b", {"b": half})
    assert (back.dtype, back.tolist()) == (np.float32, [0.5, 2.0])


def test_missing_scales_are_named():
    with pytest.raises(CheckpointError, match=r"'w' is int8 but 'w_scale' is missing"):
        dequantise("w", {"w": np.zeros((2, 2), np.int8)})


@pytest.mark.parametrize("shape", [(3,), (2, 1)])
def test_scales_of_another_shape_are_refused(shape):
    with pytest.raises(CheckpointError, match=r"'w_scale' has shape"):
        dequantise("w", {"w": np.zeros((2, 2), np.int8), "w_scale": np.ones(shape, np.float32)})
