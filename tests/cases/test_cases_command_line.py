"""Situations that users of command lines report. Where another file shows one already, `SHOWN` names the test."""

import socket

import pytest

import laya
from case_tables import missing
from laya.cli.app import main
from laya.testing import fake_agent

SHOWN = {
    "a reader that stops reading": [
        "cli/test_app.py::test_a_reader_that_has_gone_ends_it_quietly",
        "cli/test_batch_command.py::test_a_reader_that_stops_reading_is_no_error",
    ],
    "a file that is not UTF-8": [
        "cli/test_terminal.py::test_progress_is_shown_beside_an_output_file_and_then_taken_away",
        "cli/test_batch_command.py::test_bad_rows_are_reported_and_do_not_lose_the_others",
    ],
    "text from a pipe, no text, empty text": [
        "cli/test_app.py::test_a_real_pipe_is_read_and_written",
        "cli/test_app.py::test_text_is_read_from_standard_input",
        "cli/test_app.py::test_empty_standard_input_is_refused",
        "cli/test_app.py::test_bad_arguments_are_one_line_and_load_nothing",
        "cli/test_terminal.py::test_no_text_at_a_terminal_says_what_to_do",
    ],
    "a question id that is there twice": [
        "cli/test_questions_file.py::test_what_cannot_be_used_is_refused_with_the_file_name"
    ],
    "a language that does not exist": ["cli/test_commands.py::test_a_route_that_cannot_be_is_one_line"],
}


def test_every_test_that_is_named_exists():
    assert missing(SHOWN) == []


@pytest.fixture
def no_network(monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise socket.gaierror("there is no network here")

    for name in ("getaddrinfo", "create_connection"):
        monkeypatch.setattr(socket, name, refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.usefixtures("no_network")
def test_the_first_command_needs_no_network(capsys):
    assert main(["I was charged twice", "--preset", "guard"]) == 0
    assert "jailbreak" in capsys.readouterr().out


@pytest.mark.usefixtures("no_network")
def test_a_checkpoint_that_cannot_be_fetched_is_one_line(capsys):
    assert main(["hi", "--model", "owner-of-nothing/no-such-checkpoint"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("laya: ")
    assert "owner-of-nothing/no-such-checkpoint" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["predict", "batch", "plan"])
def test_a_language_that_does_not_exist_is_refused_also_where_one_checkpoint_answers(
    command, capsys, tmp_path, monkeypatch
):
    monkeypatch.setitem(vars(laya), "load", lambda _model=None: fake_agent())
    rows = tmp_path / "rows.txt"
    rows.write_text("hello\n")
    text = str(rows) if command == "batch" else "hello"
    assert main([command, text, "--preset", "guard", "--lang", "klingon"]) == 2
    assert "lang 'klingon' is not a language code" in capsys.readouterr().err
    assert main([command, text, "--preset", "guard", "--lang", "de"]) == 0
