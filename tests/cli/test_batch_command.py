"""`laya batch`, on the fake runtime: options, exit codes, streams."""

from __future__ import annotations

import json
import os
import re
import signal
import time

import pyarrow.parquet as pq
import pytest

from laya.cli.app import main
from laya.presets import preset

ROWS = [{"id": f"r{i}", "text": f"text {i}"} for i in range(1, 8)]
ASK = ("--preset", "guard")
IDS = list(preset("guard"))


@pytest.fixture
def table(tmp_path, fake):
    """Seven rows in JSON Lines; the third is no JSON and the fifth has no text."""
    path = tmp_path / "in.jsonl"
    lines = [json.dumps(row) for row in ROWS]
    lines[2], lines[4] = '{"id": "r3"', '{"id": "r5", "text": ""}'
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def good(tmp_path, fake):
    path = tmp_path / "good.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def records(text):
    return [json.loads(line) for line in text.splitlines()]


def test_good_rows_are_answered_in_order(run, good):
    code, out, err = run("batch", good, *ASK)
    assert (code, err) == (0, "")
    assert [(r["row"], r["id"], list(r["answers"])) for r in records(out)] == [(i, f"r{i}", IDS) for i in range(1, 8)]


def test_the_answers_are_those_of_single_calls(run, good):
    _, out, _ = run("batch", good, *ASK, "--chunk", "3")
    _, alone, _ = run("text 4", *ASK, "--json")
    assert records(out)[3]["answers"] == json.loads(alone)["answers"]


def test_bad_rows_are_reported_and_do_not_lose_the_others(run, table):
    code, out, err = run("batch", table, *ASK)
    assert code == 1
    assert [(r["row"], "error" in r) for r in records(out)] == [(i, i in {3, 5}) for i in range(1, 8)]
    first, second, last = err.splitlines()
    assert first.startswith("laya: line 3: is not JSON")
    assert second == "laya: line 5 (id 'r5'): has a blank text in 'text'"
    assert last == "laya: 2 of 7 rows could not be answered"


def test_quiet_leaves_the_count_alone(run, table):
    assert run("batch", table, *ASK, "-q")[2] == "laya: 2 of 7 rows could not be answered\n"


def test_many_bad_rows_are_named_up_to_a_point(run, tmp_path, fake):
    path = tmp_path / "bad.txt"
    path.write_bytes(b"\xff\n" * 50)
    code, out, err = run("batch", path, *ASK)
    assert (code, len(records(out))) == (1, 50)
    *named, last = err.splitlines()
    assert len(named) == 20
    assert named[0].startswith("laya: line 1: is not UTF-8")
    assert last == "laya: 50 of 50 rows could not be answered; each has its error in the output"


def test_a_row_that_fails_in_the_engine_fails_alone(run, tmp_path, fake):
    path, questions = tmp_path / "long.txt", tmp_path / "q.json"
    path.write_text("short\n" + "long " * 1000 + "\nshort\n")
    questions.write_text('{"q": {"type": "noul", "instructions": "Is it long?"}}')
    ask = ("--questions", questions)
    code, out, _ = run("batch", path, *ask, "--truncation", "error")
    assert code == 1
    found = records(out)
    assert ["error" in r for r in found] == [False, True, False]
    assert found[1]["error"]["code"] == "truncated"
    assert re.match(r"\d+ state tokens do not fit", found[1]["error"]["message"])
    code, out, _ = run("batch", path, *ask, "--truncation", "scan")
    assert code == 0
    assert [r["usage"]["windows"] > 1 for r in records(out)] == [False, True, False]


def test_rows_may_have_questions_of_their_own(run, tmp_path, fake):
    path = tmp_path / "own.jsonl"
    own = {"late": {"type": "noul", "instructions": "Is it late?"}}
    rows = [{"state": "x", "questions": own}, {"text": "y"}, {"state": "z", "questions": {"q": {"type": "nul"}}}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, _ = run("batch", path, *ASK)
    first, second, third = records(out)
    assert code == 1
    assert (list(first["answers"]), list(second["answers"]), third["error"]["question"]) == (["late"], IDS, "q")
    assert "write JSON Lines" in run("batch", path, *ASK, "--format", "csv")[1]


def test_standard_input_and_columns(run, stdin, fake):
    stdin("no,body\n7,é\n8,\n".encode())
    code, out, _ = run("batch", "-", "--input", "csv", "--id", "no", "--text", "body", "--keep-input", *ASK)
    first, second = records(out)
    assert code == 1
    assert (first["id"], first["input"]) == ("7", {"no": "7", "body": "é"})
    assert (second["id"], second["error"]["message"]) == ("8", "has a blank text in 'body'")


@pytest.mark.parametrize(("name", "form"), [("o.jsonl", None), ("o.ndjson", None), ("o.txt", "jsonl")])
def test_an_output_file_holds_what_would_be_printed(run, good, tmp_path, name, form):
    _, printed, _ = run("batch", good, *ASK)
    flags = ("--format", form) if form else ()
    assert run("batch", good, *ASK, "-o", tmp_path / name, *flags) == (0, "", "")
    assert (tmp_path / name).read_text(encoding="utf-8") == printed


def test_json_csv_and_parquet(run, table, tmp_path):
    for name in ("o.json", "o.csv", "o.parquet"):
        assert run("batch", table, *ASK, "-q", "-o", tmp_path / name)[0] == 1
    whole = json.loads((tmp_path / "o.json").read_text())
    flat = pq.read_table(tmp_path / "o.parquet").to_pylist()
    assert [r["row"] for r in flat] == [r["row"] for r in whole] == list(range(1, 8))
    assert [r["error"] for r in flat] == [r.get("error", {}).get("message") for r in whole]
    assert flat[0][IDS[0]] == whole[0]["answers"][IDS[0]]["noul"]
    assert (tmp_path / "o.csv").read_text().splitlines()[0] == ",".join(flat[0])


def test_a_parquet_file_is_read(run, table, tmp_path):
    run("batch", table, *ASK, "-q", "-o", tmp_path / "o.parquet")
    code, out, _ = run("batch", tmp_path / "o.parquet", *ASK, "--text", "error", "-q")
    assert code == 1
    assert [r["row"] for r in records(out) if "answers" in r] == [3, 5]


def test_a_table_has_a_line_a_row(run, table):
    _, out, _ = run("batch", table, *ASK, "--format", "table", "-q")
    head, *lines = out.splitlines()
    assert head.split()[:2] == ["row", "id"]
    assert [line.split()[0] for line in lines] == [str(i) for i in range(1, 8)]
    assert lines[4].endswith("has a blank text in 'text'")


@pytest.mark.parametrize("cut", [0, 10, 700, 1500, 4000])
def test_an_output_that_was_cut_is_continued(run, table, tmp_path, cut):
    whole, torn = tmp_path / "whole.jsonl", tmp_path / "torn.jsonl"
    run("batch", table, *ASK, "-o", whole)
    torn.write_bytes(whole.read_bytes()[:cut])
    assert run("batch", table, *ASK, "-o", torn, "--resume", "--chunk", "2")[0] in {0, 1}
    assert torn.read_bytes() == whole.read_bytes()


def test_a_complete_output_asks_nothing_again(run, table, tmp_path):
    out = tmp_path / "o.jsonl"
    assert run("batch", table, *ASK, "-o", out, "--resume")[0] == 1
    content = out.read_bytes()
    assert run("batch", table, *ASK, "-o", out, "--resume") == (0, "", f"laya: {str(out)!r} is complete already\n")
    assert out.read_bytes() == content


def test_another_input_is_not_continued(failure, run, good, tmp_path):
    out, other = tmp_path / "o.jsonl", tmp_path / "other.jsonl"
    run("batch", good, *ASK, "-o", out)
    content = out.read_bytes()
    other.write_text("".join(json.dumps({"id": i, "text": "x"}) + "\n" for i in range(20)))
    assert "pass the same input" in failure("batch", str(other), *ASK, "-o", str(out), "--resume")
    assert out.read_bytes() == content


def test_an_output_that_exists_is_left_alone(failure, run, good, tmp_path):
    out = tmp_path / "o.jsonl"
    out.write_text("mine")
    assert "pass --overwrite to replace it, or --resume" in failure("batch", str(good), "-o", str(out))
    assert out.read_text() == "mine"
    assert run("batch", good, *ASK, "-o", out, "--overwrite")[0] == 0
    assert len(records(out.read_text())) == 7


@pytest.mark.parametrize("args", [["--preset", "nope"], ["--questions", "none.json"], ["--model", "./none"]])
def test_a_batch_that_cannot_begin_does_not_touch_the_output(capsys, tmp_path, args):
    source, out = tmp_path / "in.txt", tmp_path / "o.jsonl"
    source.write_text("x\n")
    out.write_text("mine")
    assert main(["batch", str(source), "-o", str(out), "--overwrite", *args]) == 2
    assert out.read_text() == "mine"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["none.jsonl"], "cannot read 'none.jsonl'"),
        (["in.jsonl", "-o", "in.jsonl", "--overwrite"], "'in.jsonl' is the input"),
        (["in.jsonl", "-o", "o.xml"], "cannot tell what to write to 'o.xml'"),
        (["in.jsonl", "-o", "o.csv", "--resume"], "--resume continues JSON Lines, not csv"),
        (["in.jsonl", "-o", "o.jsonl", "--resume", "--overwrite"], "exclude each other"),
        (["in.jsonl", "--resume"], "--resume and --overwrite are about a file"),
        (["in.jsonl", "--format", "parquet"], "Parquet cannot be written to standard output"),
        (["in.jsonl", "-o", "o", "--format", "table"], "a table is for reading"),
        (["in.jsonl", "-o", "none/o.jsonl"], "cannot write 'none/o.jsonl'"),
        (["in.jsonl", "--chunk", "0"], "--chunk"),
        (["in.jsonl", "--task", "x"], "pass --models too"),
        (["-", "--input", "parquet"], "Parquet cannot be read from standard input"),
        ([], "FILE"),
    ],
)
def test_what_cannot_work_is_one_line(failure, fake, stdin, monkeypatch, tmp_path, args, says):  # noqa: PLR0917 - fixtures
    stdin(b"")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('"x"\n')
    assert says.lower() in failure("batch", *args).lower()
    assert not (tmp_path / "o.jsonl").exists()


def test_bad_questions_are_one_error_not_one_a_row(failure, good, tmp_path):
    path = tmp_path / "q.json"
    path.write_text('{"q": {"type": "nul", "instructions": "x"}}')
    assert "question 'q': unknown type 'nul'" in failure("batch", str(good), "--questions", str(path))


def test_an_empty_input_is_an_empty_output(run, tmp_path, fake):
    path = tmp_path / "in.jsonl"
    path.write_text("\n\n")
    assert run("batch", path, *ASK) == (0, "", "")
    assert run("batch", path, *ASK, "--format", "json") == (0, "[]\n", "")


def test_a_router_chooses_by_row(run, tmp_path):
    path, models = tmp_path / "in.txt", tmp_path / "models.json"
    path.write_text("I was charged twice for my order\nJe voudrais un remboursement s'il vous plaît\n")
    models.write_text(json.dumps({"english": "embedded/english", "multilingual": "embedded/english"}))
    code, out, _ = run("batch", path, *ASK, "--models", models, "--model", "english")
    assert code == 0
    assert [r["routing"]["reason_code"] for r in records(out)] == ["explicit_model"] * 2


# -- in a process of its own ---------------------------------------------------------------------------------------


def test_a_reader_that_stops_reading_is_no_error(child, tmp_path):
    path = tmp_path / "in.txt"
    path.write_text("some text\n" * 4000)
    process = child("batch", str(path), *ASK, "--chunk", "10")
    assert json.loads(process.stdout.readline())["row"] == 1
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stdout = None


def test_lines_of_a_pipe_are_answered_as_they_come(child):
    process = child("batch", "-", "--input", "lines", "--chunk", "1", *ASK)
    for row in (1, 2):
        process.stdin.write(b"a line\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["row"] == row
    process.stdin.close()
    process.stdin = None
    assert process.wait(timeout=60) == 0


def test_an_interrupt_keeps_what_was_answered(child, tmp_path):
    out = tmp_path / "o.jsonl"
    process = child("batch", "-", "--input", "lines", "--chunk", "1", "-o", str(out), *ASK)
    process.stdin.write(b"a line\n" * 3)
    process.stdin.flush()
    for _ in range(300):
        if out.exists() and out.read_bytes().count(b"\n") == 3:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    err = process.stderr.read().decode()
    assert process.wait(timeout=60) == 130
    assert err == f"laya: interrupted after 3 rows, which are in {str(out)!r}; run it again with --resume to go on\n"
    assert [r["row"] for r in records(out.read_text())] == [1, 2, 3]


def test_a_killed_batch_is_continued(child, tmp_path):
    source, out = tmp_path / "in.txt", tmp_path / "o.jsonl"
    source.write_text("".join(f"some text {i}\n" for i in range(600)))
    process = child("batch", str(source), "--chunk", "5", "-o", str(out), *ASK)
    for _ in range(300):
        if out.exists() and out.stat().st_size > 10_000:
            break
        time.sleep(0.1)
    process.kill()
    process.wait(timeout=60)
    assert 0 < out.read_bytes().count(b"\n") < 600
    process = child("batch", str(source), "-o", str(out), "--resume", *ASK)
    assert process.wait(timeout=120) == 0
    assert [r["row"] for r in records(out.read_text())] == list(range(1, 601))


def test_memory_does_not_grow_with_the_file(child, tmp_path):
    peaks = []
    for rows in (100, 1600):
        path = tmp_path / f"{rows}.txt"
        path.write_text(("x" * 8000 + "\n") * rows)
        process = child(
            "batch", str(path), "--chunk", "20", "-o", str(tmp_path / f"{rows}.jsonl"), "--keep-input", *ASK
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0
        peaks.append(used.ru_maxrss)
    small, large = peaks
    assert large < small + 9_000  # in KiB; the larger file has 12 MB of text and its output as much again
