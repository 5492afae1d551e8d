"""Questions from a file: both shapes, and everything that is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzing import examples
from laya.cli.questions_file import read_questions
from laya.errors import ArgumentError

NOUL = {"type": "noul", "instructions": "Is `body` long?"}
PLAIN = {"type": "noul", "instructions": "Is it long?"}


@pytest.fixture
def read(tmp_path):
    def reading(content):
        path = tmp_path / "mine.json"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_questions(path)

    return reading


def test_a_map_of_questions_takes_its_key_from_the_instructions(read):
    asked = read(json.dumps({"q": NOUL}))
    assert asked.questions == {"q": NOUL}
    assert asked.state_of("x") == {"body": "x"}


def test_without_a_key_the_text_is_the_state(read):
    assert read(json.dumps({"q": PLAIN})).state_of("x") == "x"


@pytest.mark.parametrize(
    ("extra", "state"), [({}, {"body": "x"}), ({"state_key": "post"}, {"post": "x"}), ({"state_key": None}, "x")]
)
def test_a_wrapper_may_name_the_key(read, extra, state):
    asked = read(json.dumps({"questions": {"q": NOUL}, **extra}))
    assert asked.questions == {"q": NOUL}
    assert asked.state_of("x") == state


def test_a_question_may_be_called_questions(read):
    assert read(json.dumps({"questions": NOUL})).questions == {"questions": NOUL}


def test_order_is_kept_and_a_byte_order_mark_is_ignored(read):
    asked = read(b"\xef\xbb\xbf" + json.dumps({"z": PLAIN, "a": PLAIN}).encode())
    assert list(asked.questions) == ["z", "a"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"q": {}, "q": {}}', "the key 'q' occurs twice"),
        ('{"q": {"criteria": {"a": "x", "a": "y"}}}', "the key 'a' occurs twice"),
        ('{"q": NaN}', "NaN is not a JSON number"),
        ('{"q": ', "is not JSON: .* in column 7"),
        ("{\n1", "is not JSON: .* in line 2, column 1"),
        ("", "is not JSON"),
        ("{}", "holds an empty object; wanted"),
        ("[1]", "holds a JSON list; wanted"),
        (b'{"q": "\xff"}', r"is not UTF-8 \(byte 7\)"),
        ('{"questions": {}, "statekey": "x"}', "unknown key 'statekey'"),
        ('{"questions": {}, "state_key": " "}', "'state_key' ' '"),
        ('{"questions": {}, "state_key": 1}', "'state_key' 1"),
        ("[" * 100_000, "cannot be used"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_file_name(read, tmp_path, content, says):
    with pytest.raises(ArgumentError, match=says) as caught:
        read(content)
    assert caught.value.path == str(tmp_path / "mine.json")
    assert "mine.json" in str(caught.value)


def test_a_folder_and_a_missing_file_are_refused(tmp_path):
    with pytest.raises(ArgumentError, match="cannot be read"):
        read_questions(tmp_path)
    with pytest.raises(ArgumentError, match="cannot be read"):
        read_questions(tmp_path / "none.json")


KEYS = st.text(min_size=1, max_size=5)


@settings(deadline=None, max_examples=examples(50))
@given(st.dictionaries(KEYS, st.dictionaries(KEYS, st.text(max_size=5), max_size=3), min_size=1, max_size=4))
def test_every_object_of_objects_comes_back_as_it_was(tmp_path_factory, questions):
    path = tmp_path_factory.mktemp("questions") / "q.json"
    path.write_text(json.dumps({"questions": questions}), encoding="utf-8")
    assert read_questions(path).questions == ({"questions": questions} if "type" in questions else questions)
