"""Fixtures of all tests. This file also puts its folder on the import path, for the builders beside it."""

import pytest
from hypothesis import settings

import laya
from fuzzing import examples
from router_builders import Factory

settings.register_profile("laya", max_examples=examples(100))
settings.load_profile("laya")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Built graphs go to a folder of this run, never to the user's cache."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAYA_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def factory():
    """Builds the fake agents of a Router, and remembers which."""
    return Factory()


@pytest.fixture
def make(factory):
    """Makes Routers on fake agents, and closes them."""
    made = []

    def make(models=None, **options):
        router = laya.Router(models or {"a": "path-a", "b": "path-b", "c": "path-c"}, build=factory, **options)
        made.append(router)
        return router

    yield make
    for router in made:
        for hook in router.hooks:
            router.remove_hook(hook)
        router.close()
