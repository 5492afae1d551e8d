"""Rows from files: every format, every encoding, and rows that are bad alone."""

from __future__ import annotations

import csv
import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.batch.readers import FORMATS, format_of, open_rows
from laya.errors import ArgumentError

BOM = b"\xef\xbb\xbf"
LONG = 1 << 17  # what Python's own limit refuses


def read(content, kind):
    with open_rows(None, io.BytesIO(content), kind=kind) as rows:
        return list(rows)


def values(content, kind):
    return {row.number: row.value if row.error is None else str(row.error) for row in read(content, kind)}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("start", [b"", BOM])
@pytest.mark.parametrize("last", [True, False])
def test_json_lines_are_values_numbered_by_line(start, end, last):
    lines = [b'{"a": "\xc3\xa9"}', b"", b'"text"', b"[1]", b" null "]
    content = start + end.join(lines) + (end if last else b"")
    assert values(content, "jsonl") == {1: {"a": "é"}, 3: "text", 4: [1], 5: None}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_lines_are_texts(end):
    assert values(BOM + end.join([b"\xc3\xa9 x ", b"  ", b"{"]), "lines") == {1: "é x ", 3: "{"}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"{", "is not JSON: .* in column 2"),
        (b'{"a": 1} x', "is not JSON: Extra data in column 10"),
        (b'{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        (b"NaN", "NaN is not a JSON number"),
        (b'"ab\xff"', r"is not UTF-8 \(byte 4 of the line\)"),
        (b"[" * 100_000, "nests too deeply"),
    ],
)
def test_a_bad_line_is_an_error_in_its_place(line, says):
    first, bad, last = read(b"\n".join([b"1", line, b"2"]), "jsonl")
    assert (first.value, last.value, bad.number) == (1, 2, 2)
    with pytest.raises(ValueError, match=says):
        raise bad.error


def test_a_latin_1_file_has_an_error_for_each_line_that_shows_it():
    rows = read("ok\ngrün\nok\nsüß".encode("latin-1"), "lines")
    assert [(row.number, row.error is not None) for row in rows] == [(1, False), (2, True), (3, False), (4, True)]


@pytest.mark.parametrize("kind", ["jsonl", "lines", "csv"])
def test_utf_16_is_refused_as_a_whole(kind):
    with pytest.raises(ArgumentError, match="standard input is UTF-16; convert it"):
        read('a\n"x"'.encode("utf-16"), kind)


@pytest.mark.parametrize(("kind", "mark"), [("csv", ","), ("tsv", "\t")])
def test_columns_are_read_under_their_names(kind, mark):
    content = BOM + f'id{mark}text\r\n1{mark}"two{mark}\r\nlines"\r\n\r\n2{mark}é\r\n'.encode()
    assert values(content, kind) == {1: {"id": "1", "text": f"two{mark}\r\nlines"}, 2: {"id": "2", "text": "é"}}


def test_a_bad_record_is_an_error_in_its_place():
    content = b"id,text\n1,ok\n2\n3,b\xff\n4,a,b\n5,ok\n"
    assert values(content, "csv") == {
        1: {"id": "1", "text": "ok"},
        2: "has 1 fields, the header 2 (line 3 of the file)",
        3: "is not UTF-8 (line 4 of the file); convert it to UTF-8",
        4: "has 3 fields, the header 2 (line 5 of the file)",
        5: {"id": "5", "text": "ok"},
    }


def test_a_long_field_is_read_and_an_endless_one_is_not():
    assert values(b"t\n" + b"x" * LONG + b"\n", "csv") == {1: {"t": "x" * LONG}}
    found = values(b't\n"' + b"x\n" * ((1 << 23) + 1) + b'"\n', "csv")
    assert "is not CSV, near line" in found[1]


@pytest.mark.parametrize(
    ("content", "says"),
    [(b"a,b,a\n1,2,3", "the column 'a' twice"), (b"a,\xff\n1,2", "header of standard input is not UTF-8")],
)
def test_a_header_that_cannot_be_used_is_refused(content, says):
    with pytest.raises(ArgumentError, match=says):
        read(content, "csv")


@pytest.mark.parametrize("kind", ["jsonl", "lines", "csv", "tsv"])
def test_an_empty_input_has_no_rows(kind):
    assert read(b"", kind) == []


def test_parquet_is_read_with_its_types(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"id": [7, 8], "text": ["a", None]}), path)
    with open_rows(path) as rows:
        assert [(row.number, row.value) for row in rows] == [(1, {"id": 7, "text": "a"}), (2, {"id": 8, "text": None})]
        assert (rows.total, rows.position(), rows.unit) == (2, 2, "row")


def test_parquet_is_read_a_part_at_a_time(tmp_path):
    path = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"n": range(5000)}), path)
    with open_rows(path) as rows:
        assert next(iter(rows)).value == {"n": 0}
        assert rows.position() == 1


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("none.jsonl", None, "cannot read .*none.jsonl.*: No such file"),
        ("folder.jsonl", "folder", "cannot read .*: Is a directory"),
        ("no.parquet", b"text", "cannot read .* as Parquet"),
        ("gone.parquet", None, "cannot read .* as Parquet"),
        ("rows.xml", b"<a/>", "cannot tell the format of .*rows.xml"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_name(tmp_path, name, content, says):
    path = tmp_path / name
    if content == "folder":
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ArgumentError, match=says):
        open_rows(path)


def test_what_cannot_come_from_a_stream_is_refused():
    with pytest.raises(ArgumentError, match="Parquet cannot be read from standard input"):
        open_rows(None, io.BytesIO(), kind="parquet")
    with pytest.raises(ArgumentError, match="no standard input"):
        open_rows(None)
    with pytest.raises(ArgumentError, match="unknown input format 'xml'; use one of jsonl"):
        open_rows(None, io.BytesIO(), kind="xml")


def test_names_say_the_format(tmp_path):
    names = {
        "a.jsonl": "jsonl",
        "a.NDJSON": "jsonl",
        "a.csv": "csv",
        "a.tsv": "tsv",
        "a.pq": "parquet",
        "a.txt": "lines",
    }
    assert {name: format_of(tmp_path / name) for name in names} == names
    assert set(names.values()) == set(FORMATS)


def test_rows_are_read_only_when_they_are_asked_for():
    class Endless(io.RawIOBase):
        def __init__(self):
            self.lines = 0

        def __iter__(self):
            while True:
                self.lines += 1
                yield b'{"n": 1}\n'

    stream = Endless()
    with open_rows(None, stream) as rows:
        for _ in range(10):
            next(iter(rows))
    assert stream.lines == 10


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
)


@given(st.lists(JSON, max_size=6), st.booleans())
def test_every_json_value_comes_back(written, ascii_only):
    content = "".join(json.dumps(value, ensure_ascii=ascii_only) + "\n" for value in written)
    assert [row.value for row in read(content.encode(), "jsonl")] == written


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=6))
def test_every_csv_record_comes_back(records):
    file = io.StringIO(newline="")
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *records])
    rows = read(file.getvalue().encode(), "csv")
    assert [tuple(row.value.values()) for row in rows] == records


@given(st.binary(max_size=60), st.sampled_from(["jsonl", "lines", "csv", "tsv"]))
def test_any_bytes_are_rows_or_one_clear_error(content, kind):
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    try:
        rows = read(content, kind)
    except ArgumentError:
        assert kind in {"csv", "tsv"}  # a header may be unusable, and then the file is
        return
    numbers = [row.number for row in rows]
    assert numbers == sorted(set(numbers))
    assert all(row.error is None or "\n" not in str(row.error) for row in rows)
