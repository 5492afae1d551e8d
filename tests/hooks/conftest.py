from __future__ import annotations

import threading

import pytest

from laya.hooks import clear_default_hooks


@pytest.fixture(autouse=True)
def _no_default_hooks():
    yield
    clear_default_hooks()


@pytest.fixture
def gate():
    """An event that abandoned hooks wait for; set at the end so that none outlives its test."""
    event = threading.Event()
    yield event
    event.set()
