"""Folders that do not load, and what the error says; nothing here may reach a network."""

import json
import re
import shutil
import socket
from pathlib import Path

import pytest

import laya
from laya import errors

SOURCE = Path(laya.__file__).parent
EMBEDDED = SOURCE / "data" / "english"
PROJECT = Path(__file__).parents[2] / "pyproject.toml"
LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 30000000\n"


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a local checkpoint must not open a socket")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture
def folder(tmp_path):
    """A copy of the embedded checkpoint; the weights are a link."""
    path = tmp_path / "checkpoint"
    shutil.copytree(EMBEDDED, path, ignore=lambda _, names: [name for name in names if name == "model.safetensors"])
    (path / "model.safetensors").symlink_to(EMBEDDED / "model.safetensors")
    return path


def edit(file, **changes):
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | changes), "utf-8")


def replace_weights(folder, content):
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors").write_bytes(content)


def test_a_folder_without_a_tokenizer_is_named_at_once(folder):
    shutil.rmtree(folder / "tokenizer")
    with pytest.raises(FileNotFoundError, match="tokenizer") as caught:
        laya.load(folder)
    assert isinstance(caught.value, errors.CheckpointNotFoundError)


def test_weights_that_were_cut_off_are_named(folder):
    replace_weights(folder, (EMBEDDED / "model.safetensors").read_bytes()[:4096])
    with pytest.raises(errors.CheckpointError, match=r"model\.safetensors"):
        laya.load(folder)


def test_weights_that_are_a_pointer_of_git_lfs_are_called_that(folder):
    replace_weights(folder, LFS.encode())
    with pytest.raises(errors.CheckpointError, match=r"model\.safetensors.*(?i:lfs)"):
        laya.load(folder)


def test_an_empty_config_is_named(folder):
    (folder / "rl_agent_config.json").write_text("")
    with pytest.raises(errors.CheckpointError, match=r"rl_agent_config\.json"):
        laya.load(folder)


@pytest.mark.parametrize("value", ["256", None, 0, True, 60.5])
def test_a_budget_of_the_wrong_kind_in_the_config_is_named_when_loading(folder, value):
    edit(folder / "rl_agent_config.json", max_len=value)
    with pytest.raises(errors.CheckpointError, match="max_len"):
        laya.load(folder)


def test_a_folder_that_is_not_there_is_missing_and_not_a_hub_name(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("~/nope", str(tmp_path / "nope"), "./nope"):
        with pytest.raises(errors.CheckpointNotFoundError, match="Local model path not found"):
            laya.load(name)


def test_a_folder_under_the_home_directory_is_found(monkeypatch, folder):
    monkeypatch.setenv("HOME", str(folder.parent))
    with laya.load("~/checkpoint") as agent:
        assert agent.model_id == "~/checkpoint"


@pytest.mark.parametrize("device", ["gpu", "cuda:x", 7, True])
def test_a_device_that_is_none_is_refused_by_name(device):
    with pytest.raises((ValueError, TypeError), match="device") as caught:
        laya.load(device=device)
    assert isinstance(caught.value, errors.LayaError)


@pytest.mark.parametrize("extra", [["<extra>"], {"extra": "<extra>"}, []])
def test_a_tokenizer_config_of_any_generation_loads_and_no_file_is_rewritten(folder, extra):
    edit(folder / "tokenizer" / "tokenizer_config.json", extra_special_tokens=extra)
    before = {path: path.read_bytes() for path in folder.rglob("*.json")}
    with laya.load(folder) as agent:
        agent.predict("hello", {"q": {"type": "noul", "instructions": "Is it a greeting?"}})
    assert {path: path.read_bytes() for path in folder.rglob("*.json")} == before
    assert {path.name for path in folder.iterdir()} == {path.name for path in EMBEDDED.iterdir()}


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"temperature": [NaN, 1, 1]}', '{"temperature": [0, 1, -1]}', '{"temperature": [1, 1]}'],
)
def test_a_corrupt_calibration_is_refused_and_the_one_in_use_stays(tmp_path, content):
    question = {"q": {"type": "noul", "instructions": "Is it a greeting?"}}
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    bad.write_text(content)
    with laya.load() as agent:
        before = agent.predict("hello", question)
        agent.save_calibration(good)
        with pytest.raises(errors.CalibrationError, match=r"bad\.json"):
            agent.load_calibration(bad)
        assert agent.predict("hello", question) == before
        agent.load_calibration(good)
        assert agent.predict("hello", question) == before
        with pytest.raises(errors.CalibrationError, match="nowhere"):
            agent.save_calibration(tmp_path / "nowhere" / "file.json")


def test_every_extra_that_an_error_tells_to_install_exists():
    section = PROJECT.read_text("utf-8").split("[project.optional-dependencies]")[1].split("\n[")[0]
    there = set(re.findall(r"^([\w-]+) = ", section, re.MULTILINE))
    code = "\n".join(path.read_text("utf-8") for path in SOURCE.rglob("*.py"))
    named = set(re.findall(r"""laya-engine\[([\w-]+)\]""", code))
    named |= set(re.findall(r"""require\("[\w.]+", "([\w-]+)\"""", code))
    assert {"openvino", "hub", "tracing"} <= named <= there
