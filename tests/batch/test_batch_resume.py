"""Continuing an output that was cut anywhere."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.batch.items import Item
from laya.batch.resume import Written, drop_written, read_written
from laya.batch.writers import open_writer
from laya.errors import ArgumentError

RECORDS = [{"row": 2 * i, "id": f"é{i}", "answers": "x" * (i % 7)} for i in range(1, 9)]
WHOLE = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in RECORDS).encode()


@given(st.integers(0, len(WHOLE)))
def test_a_cut_anywhere_is_continued_to_the_same_file(tmp_path_factory, cut):
    path = tmp_path_factory.mktemp("cut") / "out.jsonl"
    path.write_bytes(WHOLE[:cut])
    written = read_written(path)
    assert written.size <= cut
    assert WHOLE[: written.size].count(b"\n") * 2 == written.row
    items = [Item(record["row"], id=record["id"]) for record in RECORDS]
    left = {item.number for item in drop_written(items, written)}
    writer = open_writer(path, "jsonl", {}, at=written.size)
    writer.write([record for record in RECORDS if record["row"] in left])
    writer.close()
    assert path.read_bytes() == WHOLE


def test_a_file_that_is_not_there_or_empty_holds_nothing(tmp_path):
    path = tmp_path / "out.jsonl"
    assert read_written(path) == Written(name=str(path))
    path.write_bytes(b'{"row": 1')
    assert read_written(path) == Written(name=str(path))


def test_a_line_longer_than_a_block_is_found(tmp_path):
    path = tmp_path / "out.jsonl"
    lines = [json.dumps({"row": row, "long": "x" * 200_000}) + "\n" for row in (1, 2)]
    path.write_text("".join(lines) + "y" * 100_000)
    assert read_written(path) == Written(sum(map(len, lines)), 2, None, str(path))


@pytest.mark.parametrize(
    "content", [b"text\n", b'{"id": 1}\n', b"[1]\n", b'{"row": true}\n', b'{"row": 1}\n\xff\n', b"\n"]
)
def test_a_file_of_something_else_is_not_continued(tmp_path, content):
    path = tmp_path / "out.jsonl"
    path.write_bytes(content)
    with pytest.raises(ArgumentError, match="is not a record of laya batch"):
        read_written(path)
    assert path.read_bytes() == content


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(ArgumentError, match="cannot read"):
        read_written(tmp_path)


@pytest.mark.parametrize(
    ("items", "says"),
    [
        (
            [Item(1, id="a"), Item(2, id="z"), Item(3)],
            "has the id 'z', but 'out' was written for an input where it is 'b'",
        ),
        ([Item(1, id="a")], "the input has no row 2"),
        ([], "the input has no row 2"),
        ([Item(1, id="a"), Item(3)], "the input has no row 2"),
    ],
)
def test_another_input_is_refused_before_anything_is_answered(items, says):
    with pytest.raises(ArgumentError, match=says):
        next(drop_written(items, Written(9, 2, "b", "out")))
