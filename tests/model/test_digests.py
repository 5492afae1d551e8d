import hashlib

import pytest

from laya.errors import ArgumentError, ArgumentTypeError, CheckpointNotFoundError, DigestError
from laya.model.digests import PARSED_FILES, file_digest, verify_digests
from tiny import write_checkpoint


@pytest.fixture
def directory(tmp_path):
    return write_checkpoint(tmp_path / "checkpoint")


def pins(directory):
    return {name: file_digest(directory / name) for name in PARSED_FILES if (directory / name).is_file()}


def test_file_digest(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 3_000_000)
    assert file_digest(tmp_path / "a") == hashlib.sha256(b"x" * 3_000_000).hexdigest()


def test_matching_digests_pass_in_either_case(directory):
    verify_digests(directory, {name: digest.upper() for name, digest in pins(directory).items()}, strict=True)
    verify_digests(directory, {})


def test_a_changed_file(directory):
    expected = pins(directory)
    (directory / "rl_agent_config.json").write_text("{}")
    with pytest.raises(DigestError, match=r"laya: SHA-256 mismatch for 'rl_agent_config\.json'") as caught:
        verify_digests(directory, expected)
    assert isinstance(caught.value, ValueError)
    assert expected["rl_agent_config.json"] in str(caught.value)


def test_a_pinned_file_that_is_missing(directory):
    with pytest.raises(CheckpointNotFoundError, match=r"laya: cannot verify 'more\.bin': no such file under"):
        verify_digests(directory, {"more.bin": "0" * 64})


@pytest.mark.parametrize(
    "name", ["../secret", "/etc/passwd", "a/../../b", "", ".", "C:\\x", "C:x", "a\\b", "\\\\host\\x", "a\0b", 5]
)
def test_paths_that_leave_the_directory(directory, name):
    with pytest.raises(ArgumentError, match="unsafe path"):
        verify_digests(directory, {name: "0" * 64})


@pytest.mark.parametrize("digest", ["", "abc", "g" * 64, "0" * 65, None])
def test_digests_that_are_none(directory, digest):
    with pytest.raises(ArgumentError, match="64 hexadecimal digits"):
        verify_digests(directory, {"model.safetensors": digest})


def test_pins_must_be_a_mapping(directory):
    with pytest.raises(ArgumentTypeError, match="mapping of file name to digest, got list"):
        verify_digests(directory, ["model.safetensors"])


def test_strict_wants_every_file_that_is_read(directory):
    expected = pins(directory)
    del expected["tokenizer/tokenizer.json"]
    verify_digests(directory, expected)
    with pytest.raises(DigestError, match=r"no digest is pinned for tokenizer/tokenizer\.json"):
        verify_digests(directory, expected, strict=True)


def test_the_graph_file_has_a_key_of_its_own(directory, tmp_path):
    graph = tmp_path / "graph.onnx"
    graph.write_bytes(b"graph")
    expected = {name: digest for name, digest in pins(directory).items() if name.startswith(("rl_", "tokenizer"))}
    with pytest.raises(DigestError, match="no digest is pinned for onnx"):
        verify_digests(directory, expected, strict=True, onnx_path=graph)
    verify_digests(directory, expected | {"onnx": file_digest(graph)}, strict=True, onnx_path=graph)
    with pytest.raises(DigestError, match="SHA-256 mismatch for 'onnx_path'"):
        verify_digests(directory, {"onnx_path": "0" * 64}, onnx_path=graph)
