import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.errors import ArgumentError, ArgumentTypeError
from laya.language import language_code


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("en", "en"), ("EN-us", "en"), ("en_US.UTF-8", "en"), ("eng", "en"), ("English", "en"), (" en ", "en"),
        ("de_DE@euro", "de"), ("ger", "de"), ("deu", "de"), ("pt-BR", "pt"), ("zh_TW", "zh"), ("cmn", "zh"),
        ("iw", "he"),
        ("no", "no"), ("nb", "no"), ("nn-NO", "no"), ("sr-Latn", "sr"), ("en-x-mine", "en"), ("tlh", "tlh"),
    ],
)  # fmt: skip
def test_codes_are_read(value, code):
    assert language_code(value) == code


@pytest.mark.parametrize(
    "value", [None, "", "   ", "und", "zxx", "mul", "c", "C", "posix", "POSIX", "C.UTF-8", "und-Latn"]
)
def test_what_says_nothing_abstains(value):
    assert language_code(value) is None


@pytest.mark.parametrize(
    "value", ["klingon", "hinglish", "zz", "xx", "not a code", "e n", "5", "e", "x-mine", "én", "en--us"]
)
def test_what_is_no_code_is_refused(value):
    with pytest.raises(ArgumentError) as caught:
        language_code(value, index=3)
    assert repr(value) in str(caught.value)
    assert (caught.value.index, caught.value.path) == (3, "lang")


@pytest.mark.parametrize("value", [5, True, 1.0, ["en"], b"en", {}])
def test_other_types_are_refused(value):
    with pytest.raises(ArgumentTypeError, match="lang must be a language code"):
        language_code(value)


@given(st.text(max_size=20))
def test_any_text_is_read_or_refused(text):
    try:
        code = language_code(text)
    except ArgumentError:
        return
    assert code is None or (2 <= len(code) <= 3 and code.isalpha() and code.islower())
    assert code is None or language_code(code) == code
