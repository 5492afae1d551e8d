"""The list of checkpoints, what one is made of, and what can be wrong with it."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

import laya
from golden import directory, needs_golden
from laya.errors import ArgumentError, CheckpointNotFoundError
from laya.inventory import list_models, model_info, verify_model
from laya.model.digests import PARSED_FILES
from tiny import random_tensors, write_checkpoint


@pytest.fixture
def checkpoint(tmp_path):
    return write_checkpoint(tmp_path / "tiny")


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))


def test_the_embedded_and_the_published_checkpoints_are_listed():
    *embedded, english, multilingual, typed = list_models()
    published = [english, multilingual, typed]
    assert [(entry["name"], entry["source"]) for entry in embedded] == [
        ("embedded/english", "the package"),
        ("embedded/multilingual", "the package"),
    ]
    assert all(entry["path"] for entry in embedded)
    assert [entry["name"] for entry in published] == ["english", "multilingual", "typed-decisions"]
    assert "en" in published[0]["aliases"]


@pytest.mark.parametrize("name", [None, "embedded/english"])
def test_the_embedded_checkpoint_is_described(name):
    facts = model_info(name)
    with laya.load() as agent:
        assert (facts["name"], facts["digest"]) == (agent.model_id, agent._loaded.digest())
        assert facts["memory_bytes"] == agent.memory_bytes
    assert (facts["layout"], facts["encoder"]["type"], facts["revision"]) == ("reader", "bert", None)
    json.dumps(facts)


def test_a_folder_is_described_by_its_configs(checkpoint):
    facts = model_info(str(checkpoint))
    assert (facts["max_len"], facts["head_max_len"], facts["layout"]) == (48, 24, "sequential")
    assert facts["encoder"] == {"type": "bert", "layers": 2, "width": 32, "vocabulary": 50, "positions": 64}
    assert facts["parameters"] == sum(tensor.size for tensor in random_tensors(checkpoint).values())


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    for look in (model_info, verify_model):
        with pytest.raises(CheckpointNotFoundError, match="not found"):
            look(str(tmp_path / "none"))


@pytest.mark.parametrize("name", [None, "embedded/english"])
def test_the_embedded_checkpoint_is_in_order(name):
    found = verify_model(name)
    assert found["problems"] == []
    assert list(found["files"]) == list(PARSED_FILES)


@needs_golden
@pytest.mark.parametrize("name", ["tiny-bert", "tiny-seq"])
def test_what_verify_tells_can_be_pinned(name, tmp_path):
    path = shutil.copytree(directory(name), tmp_path / name, copy_function=shutil.copyfile)
    pins = {file: facts["sha256"] for file, facts in verify_model(str(path))["files"].items()}
    assert verify_model(str(path), pins=pins, strict=True)["problems"] == []
    less = dict(list(pins.items())[1:])
    (problem,) = verify_model(str(path), pins=less, strict=True)["problems"]
    assert problem == f"no digest is pinned for {next(iter(pins))}"


def test_a_changed_file_a_missing_one_and_every_other_problem_are_all_told(checkpoint):
    pins = {"rl_agent_config.json": "0" * 64, "gone.json": "1" * 64}
    first, second, third = verify_model(str(checkpoint), pins=pins)["problems"]
    assert "SHA-256 mismatch for 'rl_agent_config.json'" in first
    assert "cannot verify 'gone.json'" in second
    assert "tokenizer" in third  # the tiny tokenizer is an empty object


def test_pins_of_the_environment_count_unless_others_are_passed(checkpoint, monkeypatch):
    monkeypatch.setenv("LAYA_SHA256_DIGESTS", json.dumps({"model.safetensors": "0" * 64}))
    assert any("mismatch" in problem for problem in verify_model(str(checkpoint))["problems"])
    assert not any("mismatch" in problem for problem in verify_model(str(checkpoint), pins={})["problems"])
    assert verify_model()["problems"] == []


def test_a_pin_that_cannot_work_is_an_error(checkpoint):
    with pytest.raises(ArgumentError, match="64 hexadecimal digits"):
        verify_model(str(checkpoint), pins={"model.safetensors": "abc"})


@needs_golden
def test_weights_that_are_not_finite_are_a_problem(tmp_path):
    path = shutil.copytree(directory("tiny-bert"), tmp_path / "broken", copy_function=shutil.copyfile)
    weights = path / "model.safetensors"
    raw = bytearray(weights.read_bytes())
    raw[-4:] = np.float32("nan").tobytes()
    weights.write_bytes(bytes(raw))
    (problem,) = verify_model(str(path))["problems"]
    assert problem.startswith("weights are not finite numbers: ")


def test_a_torn_weights_file_is_a_problem_and_not_a_crash(checkpoint):
    weights = checkpoint / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    assert len(verify_model(str(checkpoint))["problems"]) == 1
