import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from laya.errors import CheckpointError, CheckpointNotFoundError
from laya.model.tensors import Tensors


def raw_file(path, header, data=b""):
    """A file with a header of our choice."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


@pytest.fixture
def file(tmp_path):
    return tmp_path / "model.safetensors"


def test_float32_is_a_view_of_the_file(file):
    wanted = np.arange(12, dtype=np.float32).reshape(3, 4)
    save_file({"a": wanted, "b": np.ones(2, np.float16)}, str(file))
    tensors = Tensors(file)
    assert sorted(tensors) == ["a", "b"]
    assert len(tensors) == 2
    assert "a" in tensors
    assert "c" not in tensors
    assert tensors.shape("a") == (3, 4)
    assert tensors.dtype("b") == "F16"
    assert np.array_equal(tensors.array("a"), wanted)
    assert not tensors.array("a").flags.owndata
    assert not tensors.array("a").flags.writeable
    assert np.array_equal(tensors.array("a", slice(1, 3)), wanted[1:3])


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int32])
def test_other_types_become_float32(file, dtype):
    wanted = np.array([[1, -2], [3, 4]], dtype)
    save_file({"a": wanted}, str(file))
    found = Tensors(file).array("a")
    assert found.dtype == np.float32
    assert np.array_equal(found, wanted)


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_bfloat16_keeps_the_upper_half_of_the_bits(tmp_path_factory, values):
    bits = (np.array(values, np.float32).view(np.uint32) >> 16).astype("<u2")
    header = {"a": {"dtype": "BF16", "shape": [len(bits)], "data_offsets": [0, 2 * len(bits)]}}
    tensors = Tensors(raw_file(tmp_path_factory.mktemp("t") / "m.safetensors", header, bits.tobytes()))
    assert np.array_equal(tensors.array("a").view(np.uint32), bits.astype(np.uint32) << 16)


def test_eight_bit_rows_are_one_tensor(file):
    weight = np.array([[1, -2], [127, 5]], np.int8)
    save_file({"w": weight, "w_scale": np.array([0.5, 2.0], np.float32), "x_scale": np.ones(1, np.float32)}, str(file))
    tensors = Tensors(file)
    assert sorted(tensors) == ["w", "x_scale"]
    assert np.array_equal(tensors.array("w"), [[0.5, -1.0], [254.0, 10.0]])
    assert np.array_equal(tensors.array("w", slice(1, 2)), [[254.0, 10.0]])


def test_eight_bit_rows_without_scales(file):
    save_file({"w": np.ones((2, 2), np.int8)}, str(file))
    with pytest.raises(CheckpointError, match="w_scale"):
        Tensors(file).array("w")


def test_data_at_an_odd_address(file):
    wanted = np.arange(4, dtype=np.float32)
    entry = {"a": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}
    text = json.dumps(entry).encode()
    text += b" " * ((-len(text)) % 8 + 1)
    tensors = Tensors(raw_file(file, text, wanted.tobytes()))
    assert not tensors.is_plain("a", "F32")
    assert np.array_equal(tensors.array("a"), wanted)
    assert tensors.array("a").flags.aligned


def test_no_tensors_at_all(file):
    assert list(Tensors(raw_file(file, {"__metadata__": {"format": "pt"}}))) == []


def test_missing_file(file):
    with pytest.raises(CheckpointNotFoundError, match=r"model\.safetensors"):
        Tensors(file)


GOOD = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "holds 0 bytes; the file is probably truncated"),
        (b"abc", "holds 3 bytes"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "Git LFS pointer"),
        (b"<html><body>404</body></html>", "not a safetensors file"),
        (struct.pack("<Q", 500) + b"{}", "truncated"),
        (struct.pack("<Q", 4) + b"oops", "not JSON"),
        (struct.pack("<Q", 2) + b"[]", "not a JSON object"),
    ],
)
def test_files_that_are_no_safetensors(file, content, reason):
    file.write_bytes(content)
    with pytest.raises(CheckpointError, match=reason) as caught:
        Tensors(file)
    assert caught.value.path == str(file)
    assert str(file) in str(caught.value)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (GOOD | {"data_offsets": [0, 12]}, "does not fit"),
        (GOOD | {"data_offsets": [-8, 0]}, "does not fit"),
        (GOOD | {"shape": [3]}, "does not fit"),
        (GOOD | {"shape": [True, 2]}, "does not fit"),
        (GOOD | {"dtype": "F4"}, "has type 'F4'; supported are"),
        (GOOD | {"data_offsets": [0]}, "is damaged"),
        ({"dtype": "F32"}, "is damaged"),
        (5, "is damaged"),
        (GOOD | {"data_offsets": [8, 16]}, "need 16 bytes and 8 are there; the file is probably truncated"),
    ],
)
def test_headers_that_lie(file, entry, reason):
    with pytest.raises(CheckpointError, match=reason):
        Tensors(raw_file(file, {"a": entry}, bytes(8)))


@given(st.binary(max_size=60))
def test_no_garbage_escapes_as_another_error(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("t") / "m.safetensors"
    file.write_bytes(struct.pack("<Q", len(content)) + content)
    try:
        Tensors(file)
    except CheckpointError:
        return
    json.loads(content)
