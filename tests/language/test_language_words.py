import pytest

from laya.language.words import count_words, find_words, lexicon


def counted(text):
    seen = count_words(find_words(text))
    return seen.own, seen.shared, seen.foreign, seen.names


def test_the_lists_do_not_overlap():
    lists = lexicon()
    assert not lists.own & lists.shared
    assert not (lists.own | lists.shared) & lists.giveaways
    assert min(map(len, lists)) > 500
    assert {"the", "order", "refund", "hello"} <= lists.own
    assert {"die", "no", "information"} <= lists.shared
    assert {"nicht", "gracias", "chahiye"} <= lists.giveaways


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the order", (2, 0, [], 0)),
        ("the Müller order", (2, 0, [], 1)),
        ("THE MÜLLER ORDER", (2, 0, ["müller"], 0)),
        ("the xyzzy order", (2, 0, ["xyzzy"], 0)),
        ("flight to Rio de Janeiro", (1, 1, [], 3)),
        ("El Paso store refund", (1, 1, [], 2)),
        ("customer's don\u2019t", (2, 0, [], 0)),
        ("per se and la carte", (1, 0, [], 0)),
        ("", (0, 0, [], 0)),
    ],
)
def test_words_are_sorted_by_what_they_say(text, expected):
    assert counted(text) == expected


def test_a_capital_at_the_start_is_told_from_a_name():
    assert count_words(["Zahlung", "failed"]).lone
    assert not count_words(["Jürgen", "Weiß", "called"]).lone
    assert not count_words(["failed", "Zahlung"]).lone


def test_known_foreign_words_count_apart_wherever_they_stand():
    seen = count_words(["Nicht", "zahlung", "nicht"])
    assert (seen.giveaways, seen.foreign) == (2, ["nicht", "zahlung", "nicht"])


def test_letters_and_keys_are_no_words():
    assert find_words("x a I " + "q" * 40 + " ok") == ["a", "I", "ok"]
