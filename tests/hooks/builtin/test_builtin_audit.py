"""Audit: one row per call, whatever happens to the call."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from laya.errors import ArgumentError, ClosedError, HookResultError
from laya.hooks.builtin import Audit, Cache
from laya.testing import fake_agent

Q = {"kind": {"type": "choice", "instructions": "which?", "criteria": [1, 2]}}


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]


def test_a_row_has_the_facts_of_the_call_and_no_text(tmp_path):
    path = tmp_path / "deep" / "audit.jsonl"
    with Audit(path) as audit:
        agent = fake_agent(hooks=[audit])
        result = agent.predict("my secret", Q, request_id="r1")
    (row,) = rows(path)
    answer = result["answers"]["kind"]
    assert row["model"] == "fake"
    assert row["request_id"] == "r1"
    assert len(row["run_id"]) == 32
    assert row["parent_run_id"] is None
    assert row["elapsed_ms"] > 0
    assert row["usage"]["input_tokens"] == result["usage"]["input_tokens"]
    assert row["error"] is None
    assert row["skipped"] is False
    assert row["answers"] == [
        {
            "kind": {
                "type": "choice",
                "choice": answer["choice"],
                "probabilities": {str(label): p for label, p in answer["probabilities"].items()},
                "confidence": answer["confidence"],
                "answer_confidence": answer["answer_confidence"],
            }
        }
    ]
    assert "secret" not in path.read_text()
    assert "which" not in path.read_text()


def test_text_is_written_where_it_is_asked_for(tmp_path):
    path = tmp_path / "a.jsonl"
    with Audit(path, include=("states", "questions", "routing", "messages")) as audit:
        agent = fake_agent(hooks=[audit])
        agent.predict("früh", Q)
        with pytest.raises(ValueError, match="question 'q'"):
            agent.predict("x", {"q": {}})
    good, bad = rows(path)
    assert "answers" not in good
    assert good["states"] == ["früh"]
    assert good["questions"]["kind"]["criteria"] == [1, 2]
    assert good["routing"] is None
    assert "question 'q'" in bad["error"]["message"]


def test_a_failed_call_has_a_row_with_its_error_and_no_message(tmp_path):
    path = tmp_path / "a.jsonl"
    with Audit(path) as audit, pytest.raises(ValueError, match="question"):
        fake_agent(hooks=[audit]).predict("x", {"secret": {"type": "choice", "instructions": "hush"}})
    (row,) = rows(path)
    assert row["error"] == {"type": "QuestionError", "code": "invalid_question", "question": "secret", "index": None}
    assert row["answers"] == []
    assert "hush" not in path.read_text()


def test_a_call_that_an_earlier_hook_refuses_has_a_row(tmp_path):
    def refuse(ctx):
        raise PermissionError("no")

    path = tmp_path / "a.jsonl"
    guard = type("Guard", (), {"on_predict_start": staticmethod(refuse)})()
    with Audit(path) as audit, pytest.raises(PermissionError):
        fake_agent(hooks=[guard, audit]).predict("x", Q)
    assert rows(path)[0]["error"] == {"type": "PermissionError"}


def test_a_call_that_fails_after_its_row_gets_a_second_one(tmp_path):
    path = tmp_path / "a.jsonl"
    with Audit(path) as audit, pytest.raises(HookResultError):
        fake_agent(hooks=[audit]).predict("x", Q, on_predict_end=lambda ctx: setattr(ctx, "results", []))
    good, bad = rows(path)
    assert good["run_id"] == bad["run_id"]
    assert good["error"] is None
    assert bad["error"]["code"] == "invalid_hook_result"


def test_a_cache_hit_can_be_told_apart(tmp_path):
    path = tmp_path / "a.jsonl"
    with Audit(path) as audit:
        agent = fake_agent(hooks=[Cache(), audit])
        for _ in range(2):
            agent.predict("x", Q)
    assert [(row["skipped"], row["usage"]["input_tokens"] > 0) for row in rows(path)] == [(False, True), (True, False)]


def test_rotation_keeps_every_row_in_whole_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    with Audit(path, max_bytes=1500, backups=50) as audit:
        agent = fake_agent(hooks=[audit])
        for i in range(20):
            agent.predict("x", Q, request_id=str(i))
    files = [path, *(tmp_path / f"a.jsonl.{i}" for i in range(1, len(list(tmp_path.iterdir()))))]
    assert len(files) > 5
    assert all(file.stat().st_size <= 1500 for file in files)
    # The newest row is last in the file itself, the oldest first in the highest number.
    assert [row["request_id"] for file in reversed(files) for row in rows(file)] == [str(i) for i in range(20)]


def test_no_more_backups_are_kept_than_asked_for(tmp_path):
    path = tmp_path / "a.jsonl"
    with Audit(path, max_bytes=1, backups=2) as audit:
        agent = fake_agent(hooks=[audit])
        for i in range(6):
            agent.predict("x", Q, request_id=str(i))
    kept = sorted(file.name for file in tmp_path.iterdir())
    assert kept == ["a.jsonl", "a.jsonl.1", "a.jsonl.2"]
    assert [rows(tmp_path / name)[0]["request_id"] for name in kept] == ["5", "4", "3"]


def test_a_rename_that_fails_does_not_cost_the_row(tmp_path, monkeypatch):
    path = tmp_path / "a.jsonl"
    with Audit(path, max_bytes=1) as audit:
        agent = fake_agent(hooks=[audit])
        agent.predict("x", Q, request_id="1")

        def refuse(self, target):
            raise PermissionError("in use")

        monkeypatch.setattr(Path, "replace", refuse)
        with pytest.raises(PermissionError):
            agent.predict("x", Q, request_id="2")
    assert [row["request_id"] for row in rows(path)] == ["1", "2"]


def test_threads_do_not_mix_their_rows(tmp_path):
    path = tmp_path / "a.jsonl"
    with Audit(path, max_bytes=5000, backups=99) as audit:
        agent = fake_agent(hooks=[audit])

        def work(name):
            for i in range(10):
                agent.predict("x", Q, request_id=f"{name}-{i}")

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    found = {row["request_id"] for file in tmp_path.iterdir() for row in rows(file)}
    assert found == {f"{n}-{i}" for n in range(4) for i in range(10)}


def test_rows_are_in_the_file_as_soon_as_the_call_returns_and_after_what_is_there(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"old": 1}\n{"cut')
    audit = Audit(path)
    fake_agent(hooks=[audit]).predict("x", Q)
    lines = path.read_text().splitlines()
    assert lines[:2] == ['{"old": 1}', '{"cut']
    assert json.loads(lines[2])["model"] == "fake"
    audit.close()


@pytest.mark.parametrize("state", [float("nan"), {(1, 2): "x"}, {1, 2}, "\ud800"])
def test_a_state_that_json_cannot_hold_does_not_cost_the_row(tmp_path, state):
    path = tmp_path / "a.jsonl"
    with Audit(path, include=["states"]) as audit:
        fake_agent(hooks=[audit]).predict_batch([state], {})
    (row,) = rows(path)
    assert isinstance(row["states"], (str, list))


def test_a_closed_audit_refuses_rows_by_name(tmp_path):
    audit = Audit(tmp_path / "a.jsonl")
    audit.close()
    audit.close()
    with pytest.raises(ClosedError, match=r"audit file .*a\.jsonl is closed"):
        fake_agent(hooks=[audit]).predict("x", Q)


@pytest.mark.parametrize("arguments", [{"include": "text"}, {"max_bytes": 0}, {"backups": 0}, {"backups": True}])
def test_arguments_are_checked_before_the_file_is_made(tmp_path, arguments):
    with pytest.raises(ArgumentError):
        Audit(tmp_path / "a.jsonl", **arguments)
    assert list(tmp_path.iterdir()) == []
