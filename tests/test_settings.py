from pathlib import Path

import pytest

from laya.errors import ArgumentError
from laya.settings import settings

NAMES = ("HF_TOKEN", "LAYA_REVISION", "LAYA_SHA256_DIGESTS", "LAYA_CACHE_DIR", "LAYA_THREADS", "HF_HUB_OFFLINE")


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_an_empty_environment():
    found = settings()
    assert (found.hf_token, found.revision, found.sha256_digests, found.threads, found.offline) == (None,) * 4 + (
        False,
    )
    assert found.cache_dir.name == "laya"


def test_values_are_read_at_the_time_of_the_call(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_TOKEN", " t ")
    monkeypatch.setenv("LAYA_REVISION", "v1")
    monkeypatch.setenv("LAYA_SHA256_DIGESTS", '{"a": "b"}')
    monkeypatch.setenv("LAYA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("LAYA_THREADS", "3")
    monkeypatch.setenv("HF_HUB_OFFLINE", "Yes")
    found = settings()
    assert (found.hf_token, found.revision, found.sha256_digests) == ("t", "v1", {"a": "b"})
    assert (found.cache_dir, found.threads, found.offline) == (Path(tmp_path), 3, True)
    monkeypatch.setenv("LAYA_THREADS", "")
    assert settings().threads is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LAYA_THREADS", "0"),
        ("LAYA_THREADS", "-1"),
        ("LAYA_THREADS", "two"),
        ("LAYA_THREADS", "1.5"),
        ("LAYA_SHA256_DIGESTS", "{"),
        ("LAYA_SHA256_DIGESTS", "[]"),
        ("LAYA_SHA256_DIGESTS", '{"a": 1}'),
        ("HF_HUB_OFFLINE", "maybe"),
    ],
)
def test_values_that_cannot_work_name_the_variable(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(ArgumentError, match=f"{name} must be") as caught:
        settings()
    assert caught.value.path == name
