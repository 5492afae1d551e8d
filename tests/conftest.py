"""Fixtures of all tests. This file also puts its folder on the import path, for the builders beside it."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Built graphs go to a folder of this run, never to the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAYA_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield
