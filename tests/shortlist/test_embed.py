import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, ArgumentTypeError
from laya.shortlist import cached_embed_fn, embed_fn_from_agent


def by_length(texts):
    return [[len(text), 1.0] for text in texts]


class Counting:
    def __init__(self):
        self.calls = []

    def __call__(self, texts):
        self.calls.append(list(texts))
        return by_length(texts)


@given(st.lists(st.lists(st.text(max_size=3), max_size=6), max_size=6), st.integers(1, 8))
def test_a_cached_function_returns_what_the_function_returns(batches, maxsize):
    cached = cached_embed_fn(by_length, maxsize)
    for texts in batches:
        assert cached(texts).tolist() == by_length(texts)
        assert cached.cache_info()["size"] <= maxsize


def test_only_new_texts_reach_the_function_and_each_once():
    fn = Counting()
    cached = cached_embed_fn(fn)
    cached(["a", "b", "a"])
    cached(["b", "c"])
    assert fn.calls == [["a", "b"], ["c"]]
    assert cached.cache_info() == {"size": 3, "maxsize": 4096, "hits": 2, "misses": 3}
    cached.cache_clear()
    assert cached.cache_info() == {"size": 0, "maxsize": 4096, "hits": 0, "misses": 0}


def test_the_least_recently_used_text_goes_first():
    fn = Counting()
    cached = cached_embed_fn(fn, 2)
    for texts in (["a"], ["b"], ["a"], ["c"], ["a"], ["b"]):
        cached(texts)
    assert fn.calls == [["a"], ["b"], ["c"], ["b"]]


def test_another_dimension_is_refused():
    cached = cached_embed_fn(lambda texts: [[1.0] * len(text) for text in texts])
    cached(["ab"])
    with pytest.raises(ValueError, match="returned vectors of 3 numbers, before it returned 2"):
        cached(["abc"])


def test_a_cached_function_serves_many_threads():
    cached = cached_embed_fn(by_length, 4)
    wrong = []

    def work():
        for i in range(200):
            texts = ["x" * ((i + j) % 9) for j in range(5)]
            if cached(texts).tolist() != by_length(texts):
                wrong.append(texts)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    info = cached.cache_info()
    assert info["hits"] + info["misses"] >= 8 * 200 * 5 - 5
    assert info["size"] == 4


@pytest.mark.parametrize("bad", [0, -1, True, 1.5, "2", None])
def test_maxsize_is_a_positive_int(bad):
    with pytest.raises(ArgumentError, match="maxsize must be an int of at least 1, got "):
        cached_embed_fn(by_length, bad)


def test_a_function_is_needed():
    with pytest.raises(ArgumentTypeError, match="embed_fn must be callable"):
        cached_embed_fn([1.0])


class Embedder:
    def __init__(self):
        self.sizes = []

    def embed(self, texts):
        self.sizes.append(len(texts))
        return np.array(by_length(texts), np.float32)


def test_an_agent_embeds_in_batches():
    agent = Embedder()
    fn = embed_fn_from_agent(agent, batch_size=2)
    assert fn(["a", "bb", "ccc"]).tolist() == [[1, 1], [2, 1], [3, 1]]
    assert agent.sizes == [2, 1]
    assert len(fn([])) == 0


def test_an_agent_without_embeddings_is_refused():
    with pytest.raises(ArgumentTypeError, match=r"object has no embed\(texts\)"):
        embed_fn_from_agent(object())
    with pytest.raises(ArgumentError, match="batch_size"):
        embed_fn_from_agent(Embedder(), 0)
