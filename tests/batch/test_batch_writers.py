"""Records to files."""

from __future__ import annotations

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from laya.batch.writers import CsvWriter, JsonLinesWriter, JsonWriter, flat_columns, flat_record, open_writer
from laya.errors import ArgumentError

QUESTIONS = {"topic": {"type": "choice"}, "angry": {"type": "noul"}, 3: {"type": "score"}}
RECORDS = [
    {
        "row": 1,
        "id": 7,
        "model": "m",
        "answers": {
            "topic": {"type": "choice", "choice": "é, x", "confidence": 0.5},
            "angry": {"type": "noul", "noul": 0.25, "confidence": 0.75},
            3: {"type": "score", "score": 1.5, "confidence": 1.0},
        },
    },
    {"row": 4, "error": {"code": "c", "message": "torn"}},
]
FLAT = [
    {
        "row": 1,
        "id": 7,
        "topic": "é, x",
        "topic.confidence": 0.5,
        "angry": 0.25,
        "angry.confidence": 0.75,
        "3": 1.5,
        "3.confidence": 1.0,
        "error": None,
    },
    {
        **dict.fromkeys(("id", "topic", "topic.confidence", "angry", "angry.confidence", "3", "3.confidence")),
        "row": 4,
        "error": "torn",
    },
]


def written(path, kind, *parts):
    writer = open_writer(path, kind, QUESTIONS)
    for part in parts:
        writer.write(part)
    writer.close()
    return path


def as_json(value):
    return json.loads(json.dumps(value))


def test_json_lines_have_a_record_a_line(tmp_path):
    content = written(tmp_path / "o", "jsonl", RECORDS[:1], RECORDS[1:]).read_bytes()
    assert [json.loads(line) for line in content.splitlines()] == as_json(RECORDS)
    assert "é".encode() in content


@pytest.mark.parametrize("parts", [(), ([],), (RECORDS,), (RECORDS[:1], RECORDS[1:])])
def test_json_is_one_array(tmp_path, parts):
    content = written(tmp_path / "o", "json", *parts).read_text(encoding="utf-8")
    assert json.loads(content) == as_json([record for part in parts for record in part])


def test_csv_has_a_column_for_each_value(tmp_path):
    with written(tmp_path / "o", "csv", RECORDS).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert rows == [{name: "" if v is None else str(v) for name, v in flat.items()} for flat in FLAT]


def test_parquet_has_typed_columns(tmp_path):
    table = pq.read_table(written(tmp_path / "o", "parquet", RECORDS[:1], RECORDS[1:]))
    assert table.to_pylist() == [FLAT[0] | {"id": "7"}, FLAT[1]]
    assert str(table.schema.field("angry").type) == "double"


def test_flat_records_have_every_column_in_order():
    columns = flat_columns(QUESTIONS)
    assert [flat_record(record, columns) for record in RECORDS] == FLAT
    assert list(columns) == list(FLAT[0])


@pytest.mark.parametrize(
    "questions", [{"row": {}}, {"error": {}}, {"a": {}, "a.confidence": {}}, {1: {}, "1": {}}], ids=str
)
def test_a_question_that_takes_the_name_of_a_column_is_refused(questions):
    with pytest.raises(ArgumentError, match="which is taken; write JSON Lines"):
        flat_columns(questions)


def test_an_answer_without_a_column_is_not_dropped():
    record = {"row": 3, "answers": {"own": {"type": "noul", "noul": 0.5}}}
    with pytest.raises(ArgumentError, match="row 3 answers the question 'own' of its own"):
        flat_record(record, flat_columns(QUESTIONS))


def test_lone_surrogates_stay_json(tmp_path):
    record = {"row": 1, "id": "\ud800"}
    assert json.loads(written(tmp_path / "o", "jsonl", [record]).read_bytes()) == record


@pytest.mark.parametrize("kind", ["jsonl", "json", "csv", "parquet"])
def test_a_file_that_cannot_be_made_is_refused(tmp_path, kind):
    with pytest.raises(ArgumentError, match="cannot write"):
        open_writer(tmp_path / "none" / "o", kind, QUESTIONS)


@pytest.mark.parametrize("kind", [JsonLinesWriter, JsonWriter])
def test_a_stream_stays_open_and_may_be_ascii(kind):
    stream = io.StringIO()
    writer = kind(stream, ascii_only=True, keep_open=True)
    writer.write(RECORDS[:1])
    writer.close()
    assert stream.getvalue().isascii()
    found = json.loads(stream.getvalue())
    assert found in (as_json(RECORDS[0]), as_json(RECORDS[:1]))


def test_every_chunk_is_in_the_file_when_write_returns(tmp_path):
    path = tmp_path / "o"
    for make in (JsonLinesWriter, lambda file: CsvWriter(file, flat_columns(QUESTIONS))):
        with path.open("w", newline="", encoding="utf-8") as file:
            make(file).write(RECORDS)
            assert path.stat().st_size == file.tell() > 0
