import hashlib
import shutil

import numpy as np
import pytest

from laya.errors import CheckpointError, CheckpointNotFoundError
from laya.model.checkpoint import Checkpoint
from tiny import BERT, MODERNBERT, write_checkpoint, write_configs


def files_of(directory):
    return {
        str(p.relative_to(directory)): (hashlib.sha256(p.read_bytes()).hexdigest(), p.stat().st_mtime_ns)
        for p in directory.rglob("*")
        if p.is_file()
    }


@pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])
@pytest.mark.parametrize("encoder", [BERT, MODERNBERT], ids=["bert", "modernbert"])
def test_opening_reads_and_writes_nothing(tmp_path, encoder, layout):
    reader = {} if layout == "reader" else None
    write_checkpoint(tmp_path, encoder_config=encoder, option_layout=layout, reader=reader)
    before = files_of(tmp_path)
    checkpoint = Checkpoint.open(str(tmp_path))
    checkpoint.digest()
    checkpoint.graph("fused")
    assert dict(checkpoint.initializers("fused"))
    assert files_of(tmp_path) == before
    assert checkpoint.layout == layout
    assert checkpoint.max_positions == 64
    assert (checkpoint.act_head() is None) == (layout == "reader")
    assert f"{encoder['model_type']} {encoder['num_hidden_layers']}x32" in repr(checkpoint)


def test_the_home_directory_is_expanded(tmp_path, monkeypatch):
    write_checkpoint(tmp_path / "mine")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert Checkpoint.open("~/mine").directory == tmp_path / "mine"


def test_a_missing_directory(tmp_path):
    with pytest.raises(CheckpointNotFoundError, match=r"Local model path not found: '.*nope'"):
        Checkpoint.open(tmp_path / "nope")


def test_missing_weights(tmp_path):
    write_configs(tmp_path)
    with pytest.raises(CheckpointNotFoundError, match=r"Incompatible model: 'model\.safetensors' not found in"):
        Checkpoint.open(tmp_path)


def test_without_weights_only_the_config_is_needed(tmp_path):
    write_configs(tmp_path)
    checkpoint = Checkpoint.open(tmp_path, weights=False)
    assert checkpoint.max_positions == 64
    with pytest.raises(CheckpointNotFoundError, match="without its weights"):
        _ = checkpoint.tensors
    shutil.rmtree(tmp_path / "encoder")
    bare = Checkpoint.open(tmp_path, weights=False)
    assert bare.max_positions == bare.config.max_len
    assert "no encoder" in repr(bare)
    with pytest.raises(CheckpointNotFoundError, match=r"encoder/config\.json"):
        _ = bare.encoder


def test_more_tokens_than_positions(tmp_path):
    write_checkpoint(tmp_path, max_len=65)
    with pytest.raises(CheckpointError, match="max_len 65 is more than the 64 positions"):
        Checkpoint.open(tmp_path)


def parts(prefix, tmp_path):
    names = Checkpoint.open(write_checkpoint(tmp_path / "whole")).tensors
    return {name: None for name in names if name.startswith(prefix)}


@pytest.mark.parametrize("prefix", ["encoder.", "type_emb.", "scorer.", "act_head."])
def test_a_missing_part(tmp_path, prefix):
    write_checkpoint(tmp_path / "cut", tensors=parts(prefix, tmp_path))
    with pytest.raises(CheckpointError, match=f"Incompatible model weights for .*: checkpoint is missing '{prefix}'"):
        Checkpoint.open(tmp_path / "cut")


def test_missing_tensors_are_counted(tmp_path):
    write_checkpoint(tmp_path / "cut", tensors=parts("head.", tmp_path) | {"temperature": None})
    with pytest.raises(
        CheckpointError, match=r"Model weights incomplete for .*: missing 13 parameter tensors \(e\.g\."
    ):
        Checkpoint.open(tmp_path / "cut")


def test_shapes_are_listed_up_to_five(tmp_path):
    write_checkpoint(tmp_path / "a", tensors={"scorer.3.bias": np.zeros(2, np.float32)})
    with pytest.raises(CheckpointError) as caught:
        Checkpoint.open(tmp_path / "a")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("Model architecture mismatch for ")
    assert lines[1] == "  - scorer.3.bias: expected (1,), found (2,)"
    assert lines[2] == "The checkpoint weights do not match the configured model architecture."
    write_checkpoint(tmp_path / "b")
    write_configs(tmp_path / "b", encoder_config=BERT | {"hidden_size": 16})
    with pytest.raises(CheckpointError) as caught:
        Checkpoint.open(tmp_path / "b")
    lines = str(caught.value).splitlines()
    assert len(lines) == 8
    assert lines[6].startswith("  ... and ")
    assert lines[6].endswith(" more mismatched layers.")


def test_extra_tensors_are_named(tmp_path):
    one = np.zeros(1, np.float32)
    write_checkpoint(tmp_path / "a", tensors={"head.final_norm.weight": one})
    with pytest.raises(CheckpointError, match=r"hold 1 tensors .*: head\.final_norm\.weight\."):
        Checkpoint.open(tmp_path / "a")
    write_checkpoint(tmp_path / "b", tensors={f"more.{i}": one for i in range(7)})
    with pytest.raises(CheckpointError, match=r"hold 7 tensors .*more\.4, \.\.\. and 2 more"):
        Checkpoint.open(tmp_path / "b")


def test_an_unread_pooler_is_no_extra_tensor(tmp_path):
    pooler = {"encoder.pooler.dense.weight": np.zeros((32, 32), np.float32)}
    assert Checkpoint.open(write_checkpoint(tmp_path, tensors=pooler))


def test_the_reader_owns_its_tensors(tmp_path):
    extra = {"reader.layers.0.weight": np.zeros(3, np.float32)}
    assert Checkpoint.open(write_checkpoint(tmp_path / "a", tensors=extra, option_layout="reader", reader={}))
    with pytest.raises(CheckpointError, match=r"reader\.layers\.0\.weight"):
        Checkpoint.open(write_checkpoint(tmp_path / "b", tensors=extra))


def test_a_truncated_file(tmp_path):
    write_checkpoint(tmp_path)
    file = tmp_path / "model.safetensors"
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(CheckpointError, match="probably truncated"):
        Checkpoint.open(tmp_path)


@pytest.mark.parametrize(
    "name", ["rl_agent_config.json", "encoder/config.json", "tokenizer/tokenizer.json", "model.safetensors"]
)
def test_the_digest_depends_on_every_file(tmp_path, name):
    write_checkpoint(tmp_path / "a")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    first = Checkpoint.open(tmp_path / "a").digest()
    assert len(first) == 64
    assert Checkpoint.open(tmp_path / "b").digest() == first
    file = tmp_path / "b" / name
    file.write_bytes(file.read_bytes() + b" ")
    assert Checkpoint.open(tmp_path / "b").digest() != first
