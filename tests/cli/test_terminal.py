"""What only a terminal shows: colour, progress, interrupts."""

from __future__ import annotations

import os
import re
import sys

import pexpect
import pytest
from cli_builders import CHILD

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def terminal():
    started = []

    def start(*args, **environment):
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8", **environment}
        for name in ("NO_COLOR", "FORCE_COLOR"):
            if name not in environment:
                env.pop(name, None)
        spawned = pexpect.spawn(
            sys.executable, ["-c", CHILD, *args], env=env, encoding="utf-8", timeout=60, dimensions=(30, 100)
        )
        started.append(spawned)
        return spawned

    yield start
    for spawned in started:
        spawned.close(force=True)


def finish(spawned):
    """All that was printed, and the exit code."""
    spawned.expect(pexpect.EOF)
    spawned.close()
    return spawned.before, spawned.exitstatus


def test_a_terminal_gets_colour_and_bars(terminal):
    shown, code = finish(terminal("some text", "--preset", "guard"))
    assert code == 0
    assert COLOUR.search(shown)
    assert "█" in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colour_can_be_turned_off(terminal, environment):
    shown, code = finish(terminal("some text", "--preset", "guard", **environment))
    assert code == 0
    # bold is no colour
    assert not set(COLOUR.findall(shown)) - {"\x1b[0m", "\x1b[1m", "\x1b[2m"}


def test_json_has_no_colour_even_on_a_terminal(terminal):
    shown, code = finish(terminal("some text", "--preset", "guard", "--json"))
    assert code == 0
    assert "\x1b" not in shown


def test_no_text_at_a_terminal_says_what_to_do(terminal):
    shown, code = finish(terminal())
    assert code == 2
    assert shown.startswith("laya: no text given; run: laya")


def test_an_interrupt_at_a_terminal_leaves_no_traceback(terminal, tmp_path):
    source, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_text("some text\n" * 20_000)
    spawned = terminal("batch", str(source), "-o", str(out), "--chunk", "8", "--preset", "guard")
    spawned.expect(r"\d+ rows")
    spawned.sendintr()
    shown, code = finish(spawned)
    assert code == 130
    assert "Traceback" not in shown
    assert re.search(r"interrupted after \d+ rows", ESCAPE.sub("", shown).replace("\r\n", ""))


def test_progress_is_shown_beside_an_output_file_and_then_taken_away(terminal, tmp_path):
    source, out = tmp_path / "in.txt", tmp_path / "out.jsonl"
    source.write_bytes(b"some text\n" * 400 + b"\xff\n")
    shown, code = finish(terminal("batch", str(source), "-o", str(out), "--chunk", "8", "--preset", "guard"))
    assert code == 1
    assert re.search(r"\d+%", shown)
    assert "line 401: is not UTF-8" in shown
    assert "1 of 401 rows could not be answered" in shown
    assert len(out.read_bytes().splitlines()) == 401


def test_progress_is_not_mixed_with_records(terminal, tmp_path):
    source = tmp_path / "in.txt"
    source.write_bytes(b"some text\n" * 20)
    shown, code = finish(terminal("batch", str(source), "--preset", "guard"))
    assert code == 0
    assert shown.count('"row"') == 20
    assert "\x1b" not in shown
