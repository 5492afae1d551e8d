"""The pytest plugin: fixtures for users who test their own hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from laya.agent import Agent


@pytest.fixture
def laya_agent() -> Iterator[Agent]:
    """An agent on the fake runtime: same question and state, same answer, no weights."""
    from laya.testing import fake_agent  # noqa: PLC0415 - pytest loads plugins in every project

    with fake_agent() as agent:
        yield agent
