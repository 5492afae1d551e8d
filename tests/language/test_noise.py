import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.language.noise import BLOCK, LINE_OF_CODE, MARKUP, NOT_A_WORD, TOKEN, strip_noise


def left(text):
    return " ".join(strip_noise(text).split())


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("see https://exemple.fr/les/des?q=une&b#c now", "see now"),
        ("www.beispiel.de/der broke", "broke"),
        ("write to juan.perez@correo.es today", "write to today"),
        (r"at C:\Benutzer\der\die.txt or \\server\les", "at or"),
        ("/home/user/les/des.txt and ./run and a/b/c fail", "and and fail"),
        ("`rm -rf les` failed", "failed"),
        ("before\n```\nder die das\n```\nafter", "before after"),
        ('<div class="el la">text</div>', "text"),
        ("<script>var der = 'die'</script> done &amp; dusted", "done dusted"),
        ("hello {{ nom }} and ${nom} and %(nom)s", "hello and and"),
        ("id 3f2504e0-4f89-11d3-9a0c-0305e82c3301 gone", "id gone"),
        ("snake_case camelCase mod.attr call(x) std::vector --flag -x left", "left"),
        ("a file in .rst or '.txt' form", "a file in or form"),
        ("order 4411, 2FA, 1,234.50 and 3rd", "order and"),
        ("@anna #topic ok", "ok"),
        ("我在2023年买了iPhone手机", "我在 年买了 手机"),
    ],
)  # fmt: skip
def test_noise_is_removed(text, rest):
    assert left(text) == rest


@pytest.mark.parametrize(
    "line",
    [
        "for (int i = 0; i < n; i++) {", "}", "x = y == z", "const url = await get();", "def main():",
        "#include <stdio.h>",
        "SELECT * FROM users", "git checkout -b fix/des-die-les", "npm install --save-dev", "a => b",
        "return total;;(x);",
    ],
)  # fmt: skip
def test_lines_of_code_vanish_and_their_neighbours_stay(line):
    assert left(f"It fails here\n{line}\nPlease help") == "It fails here Please help"
    assert strip_noise(f"a\n{line}\nb").count("\n") == 2


@pytest.mark.parametrize(
    "prose",
    [
        "Where is my order?", "and/or", "e.g. this; or that", "state-of-the-art", "I said: no!", "C'est la vie",
        "WiFi and PayPal work", "Είναι εντάξει;", "class starts today", "git is broken",
        "SELECT A GIFT FROM THE LIST",
        "wait...what", "it broke.Please help",
    ],
)  # fmt: skip
def test_prose_stays(prose):
    assert left(prose) == prose


@given(st.text(max_size=80))
def test_lines_stay_lines(text):
    assert strip_noise(text).count("\n") == text.count("\n")


@given(st.text("ab<>`{}& /:.-\n", max_size=400))
def test_no_input_makes_it_slow_or_longer(text):
    assert len(strip_noise(text * 20)) <= len(text) * 20 + 20


words = st.sampled_from(
    ["Order", "camelCase", "naïve", "日本語", "4411,", "a.b", "foo()", "x::y", "-x", "=>", "{", "git a/b", "é1"]
)


@given(
    st.lists(st.tuples(words, st.sampled_from(["", " ", "\n", "\u00a0"]))).map(lambda parts: "".join(sum(parts, ())))
)
def test_the_quick_looks_find_all_that_the_signs_find(text):
    """Every sign of noise or code, looked for token by token and line by line."""
    lines = MARKUP.sub(" ", BLOCK.sub(" ", text)).split("\n")
    kept = ["" if LINE_OF_CODE.search(line) else TOKEN.sub(blank_if_noise, line) for line in lines]
    assert left(text) == " ".join("\n".join(kept).split())


def blank_if_noise(token):
    return " " if NOT_A_WORD.search(token[0]) else token[0]
