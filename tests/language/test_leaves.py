from hypothesis import given
from hypothesis import strategies as st

from laya.language.leaves import MAX_CHARS, sample, text_leaves, thirds

STATES = st.recursive(
    st.none() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def pairs(state):
    return [(leaf.path, leaf.text) for leaf in text_leaves(state)]


def test_paths_name_the_field():
    state = {"mail": {"body": "a"}, "turns": [{"role": "user", "content": "b"}, "c"], "n": 5, "none": None}
    assert pairs(state) == [
        ("$.mail.body", "a"),
        ("$.turns[0].role", "user"),
        ("$.turns[0].content", "b"),
        ("$.turns[1]", "c"),
    ]
    assert pairs("x") == [("$", "x")]


def test_only_values_of_keys_can_be_tags():
    assert [leaf.keyed for leaf in text_leaves({"a": "x", "b": ["y"]})] == [True, False]


def test_what_holds_no_text_has_no_leaves():
    for state in (None, 5, True, b"bytes", {"k": b"x"}, {"id": 123}, [], {}, {1, 2}):
        assert text_leaves(state) == []


def test_cycles_end_and_deep_nesting_is_cut():
    loop = ["x"]
    loop += [loop, loop]
    assert pairs(loop) == [("$[0]", "x")]
    deep = "bottom"
    for _ in range(5000):
        deep = [deep]
    assert text_leaves(deep) == []


@given(STATES)
def test_small_states_are_kept_whole(state):
    leaves = text_leaves(state)
    assert sample(leaves) == (leaves, False)


@given(st.lists(st.integers(0, 30_000), max_size=20), st.integers(1, 900))
def test_samples_are_bounded_and_in_order(lengths, repeats):
    state = ["word " * (length // 5) for length in lengths] + ["ab cd" * 8] * repeats
    leaves = text_leaves(state)
    kept, cut = sample(leaves)
    total = sum(len(leaf.text) for leaf in leaves)
    assert cut == (total > MAX_CHARS)
    assert sum(len(leaf.text) for leaf in kept) <= MAX_CHARS + len(kept) + 2 * len(lengths)
    paths, chosen = [leaf.path for leaf in leaves], [leaf.path for leaf in kept]
    assert sorted(chosen, key=paths.index) == chosen
    assert kept[-1].path == paths[-1]


def test_a_long_text_keeps_head_middle_and_tail():
    text = "alpha " + "x " * 20_000 + "middle " + "x " * 20_000 + "omega"
    (leaf,), cut = sample(text_leaves(text))
    assert cut
    assert leaf.text.startswith("alpha")
    assert "middle" in leaf.text
    assert leaf.text.endswith("omega")
    assert len(leaf.text) <= MAX_CHARS + 2


@given(st.text("ab ", min_size=50, max_size=400), st.integers(30, 200))
def test_thirds_keep_whole_words_where_there_are_blanks(text, size):
    pieces = thirds(text, size).split("\n")
    assert len("".join(pieces)) <= max(size, 0) or len(text) <= size
    if len(text) > size:
        assert len(pieces) == 3
        assert all(piece in text for piece in pieces)
