import sys

import pytest

from laya.errors import ArgumentError, MissingExtraError
from laya.model.checkpoint import Checkpoint
from laya.runtime.onnx import OnnxRuntime
from laya.runtime.registry import create_runtime, runtime_names
from tiny import write_checkpoint


@pytest.fixture
def source(tmp_path):
    return Checkpoint.open(write_checkpoint(tmp_path))


@pytest.mark.parametrize("name", [None, "auto", "onnxruntime"])
def test_the_default(source, name):
    assert isinstance(create_runtime(source, runtime=name, threads=1), OnnxRuntime)


@pytest.mark.parametrize("name", ["torch", "", 5, ["onnxruntime"]])
def test_unknown_names_list_the_known_ones(source, name):
    with pytest.raises(ArgumentError, match=r"unknown runtime .*; use one of auto, onnxruntime, openvino"):
        create_runtime(source, runtime=name)
    assert runtime_names() == ("onnxruntime", "openvino")


def test_options_reach_the_runtime(source):
    assert create_runtime(source, threads=2).capabilities.threads == 2
    with pytest.raises(ArgumentError, match="precision"):
        create_runtime(source, precision="int8")


def test_a_missing_extra_names_the_install_command(source, monkeypatch):
    monkeypatch.setitem(sys.modules, "openvino", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'laya-engine\[openvino\]'"):
        create_runtime(source, runtime="openvino")
