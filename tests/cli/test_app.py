"""The commands, with a stand-in for the agent: what they ask, what they print, how they fail."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import laya
from laya.cli.app import app, main
from laya.errors import CheckpointNotFoundError, ForwardError
from laya.presets import PRESETS, preset

RESULT = {
    "model": "stand-in",
    "answers": {
        "intent": {
            "type": "choice",
            "choice": "réfund",
            "probabilities": {"réfund": 0.75, "b": 0.25},
            "confidence": 0.5,
        }
    },
    "usage": {"input_tokens": 9},
}
DEFAULTS = {"max_len": None, "head_max_len": None, "min_confidence": None, "lang": None}


class StandIn:
    """Records what it is asked and returns `RESULT`, or raises `error`."""

    def __init__(self):
        self.loaded, self.calls, self.closed, self.error = [], [], 0, None

    def load(self, model=None):
        self.loaded.append(model)
        return self

    def predict(self, state, questions, **options):
        self.calls.append((state, questions, options))
        if self.error:
            raise self.error
        return RESULT

    def close(self):
        self.closed += 1


@pytest.fixture
def agent(monkeypatch):
    stand_in = StandIn()
    monkeypatch.setitem(vars(laya), "load", stand_in.load)
    return stand_in


@pytest.fixture
def stdin(monkeypatch):
    def give(raw, *, terminal=False):
        stream = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8")
        stream.isatty = lambda: terminal
        monkeypatch.setattr(sys, "stdin", stream)

    return give


def failure(capsys, *args):
    """The one line on standard error of a command that fails."""
    assert main(args) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("laya: ")
    assert err.count("\n") == 1
    return err


@pytest.mark.parametrize(
    "args", [["I was", "charged"], ["predict", "I was charged"], ["--preset", "triage", "I was charged"]]
)
def test_a_text_is_answered_under_the_key_of_the_preset(agent, capsys, args):
    assert main(args) == 0
    assert agent.calls == [({"message": "I was charged"}, preset("triage"), DEFAULTS)]
    assert agent.loaded == [None]
    assert agent.closed == 1
    out = capsys.readouterr().out
    assert "réfund" in out
    assert " ms" in out


@pytest.mark.parametrize("name", PRESETS)
def test_each_preset_can_be_asked(agent, name):
    assert main(["x", "--preset", name]) == 0
    (state, questions, _), *_ = agent.calls
    assert questions == preset(name)
    assert list(state.values()) == ["x"]


def test_options_reach_the_agent(agent):
    args = [
        "x",
        "--model",
        "some/dir",
        "--max-len",
        "64",
        "--head-max-len",
        "32",
        "--min-confidence",
        "0.5",
        "--lang",
        "de",
    ]
    assert main(args) == 0
    assert agent.loaded == ["some/dir"]
    assert agent.calls[0][2] == {"max_len": 64, "head_max_len": 32, "min_confidence": 0.5, "lang": "de"}


def test_json_is_the_payload(agent, capsys):
    assert main(["x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == RESULT


def test_json_is_ascii_where_the_output_is(agent, monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="latin-1"))
    assert main(["x", "--json"]) == 0
    assert json.loads(raw.getvalue().decode("ascii")) == RESULT


def test_questions_come_from_a_file(agent, tmp_path):
    path = tmp_path / "mine.json"
    questions = {"q": {"type": "noul", "instructions": "Is it late?"}}
    path.write_text(json.dumps(questions))
    assert main(["x", "--questions", str(path)]) == 0
    assert agent.calls == [("x", questions, DEFAULTS)]


def test_a_printed_preset_can_be_passed_back(agent, capsys, tmp_path):
    assert main(["presets", "guard"]) == 0
    path = tmp_path / "guard.json"
    path.write_text(capsys.readouterr().out)
    assert main(["x", "--questions", str(path)]) == 0
    assert agent.calls == [({"prompt": "x"}, preset("guard"), DEFAULTS)]


@pytest.mark.parametrize("raw", ["é x\n".encode(), b"\xef\xbb\xbf\xc3\xa9 x"])
def test_text_is_read_from_standard_input(agent, stdin, raw):
    stdin(raw)
    assert main([]) == 0
    assert agent.calls[0][0] == {"message": "é x"}


def test_an_argument_beats_standard_input(agent, stdin):
    stdin(b"piped")
    assert main(["given"]) == 0
    assert agent.calls[0][0] == {"message": "given"}


def test_a_terminal_is_not_read(agent, stdin, capsys):
    stdin(b"typed later", terminal=True)
    assert "no text given; run: laya" in failure(capsys)


@pytest.mark.parametrize("raw", [b"", b" \n"])
def test_empty_standard_input_is_refused(agent, stdin, capsys, raw):
    stdin(raw)
    assert "no text given" in failure(capsys)
    assert not agent.loaded


def test_standard_input_that_is_not_utf8_is_refused(agent, stdin, capsys):
    stdin(b"abc\xff")
    assert "not UTF-8 (byte 3)" in failure(capsys)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([""], "no text given"),
        (["x", "--preset", "nope"], "unknown preset 'nope'; the presets are triage, email"),
        (["x", "--preset", ""], "unknown preset ''"),
        (["x", "--nope"], "--nope"),
        (["x", "--max-len", "many"], "--max-len"),
        (["x", "--questions", "missing.json"], "'missing.json' cannot be read"),
        (["x", "--preset", "guard", "--questions", "f.json"], "exclude each other"),
        (["presets", "nope"], "unknown preset 'nope'"),
        (["export", "dir"], "--output"),
    ],
)
def test_bad_arguments_are_one_line_and_load_nothing(agent, capsys, args, says):
    assert says in failure(capsys, *args)
    assert not agent.loaded


@pytest.mark.parametrize("error", [ForwardError("first\nsecond"), OSError("first second")])
def test_a_failing_agent_is_one_line_and_is_closed(agent, capsys, error):
    agent.error = error
    assert failure(capsys, "x") == "laya: first second\n"
    assert agent.closed == 1


def test_a_foreign_error_keeps_its_traceback(agent):
    agent.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        main(["x"])
    assert agent.closed == 1


def test_an_interrupt_ends_without_a_traceback(agent, capsys):
    agent.error = KeyboardInterrupt()
    assert main(["x"]) == 130
    assert capsys.readouterr() == ("", "")


def test_a_text_that_looks_like_an_option_follows_two_dashes(agent):
    assert main(["--", "--help"]) == 0
    assert agent.calls[0][0] == {"message": "--help"}


@pytest.mark.parametrize(("flags", "verify"), [([], True), (["--no-verify"], False)])
def test_export_writes_a_graph(monkeypatch, tmp_path, capsys, flags, verify):
    asked = []

    def export(model, output, *, verify):
        asked.append((model, output, verify))
        output.write_bytes(bytes(1_500_000))
        return output

    monkeypatch.setitem(vars(laya), "export", export)
    target = tmp_path / "out.onnx"
    assert main(["export", "dir", "--output", str(target), *flags]) == 0
    assert asked == [("dir", target, verify)]
    assert capsys.readouterr().out == f"wrote {target} (1.5 MB)\n"


def test_export_of_a_missing_checkpoint_is_one_line(monkeypatch, capsys):
    def export(model, output, *, verify):
        raise CheckpointNotFoundError(f"Local model path not found: {model!r}")

    monkeypatch.setitem(vars(laya), "export", export)
    assert failure(capsys, "export", "./no", "--output", "x.onnx") == "laya: Local model path not found: './no'\n"


def test_presets_are_listed_with_key_and_ids(capsys):
    assert main(["presets"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(PRESETS)
    assert lines[0].split(maxsplit=2)[1:] == ["message", "intent, is_urgent, frustration, refund_requested, churn_risk"]


def test_the_version_is_that_of_the_distribution(monkeypatch, capsys):
    monkeypatch.setitem(vars(laya), "__version__", "9.8.7")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "laya-engine 9.8.7\n"


def test_help_lists_every_command():
    shown = CliRunner().invoke(app, ["--help"]).output
    assert all(f" {name} " in shown for name in ("predict", "export", "presets"))
    shown = CliRunner().invoke(app, ["predict", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    wanted = (
        "--preset",
        "--questions",
        "--model",
        "--json",
        "--max-len",
        "--head-max-len",
        "--min-confidence",
        "--lang",
    )
    assert all(option in shown for option in wanted)


CHILD = f"""
import sys, types, laya
agent = types.SimpleNamespace(predict=lambda *a, **o: {RESULT!r}, close=lambda: None)
vars(laya)["load"] = lambda model=None: agent
from laya.cli.app import main
sys.exit(main())
"""


def child(*args):
    env = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", CHILD, *args]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    return subprocess.Popen(command, env=env, **pipes)  # noqa: S603 - runs this file's own code


def test_a_real_pipe_is_read_and_written():
    with child("--json") as process:
        out, err = process.communicate("é".encode(), timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert json.loads(out) == RESULT


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_reader_that_has_gone_ends_it_quietly(flags):
    with child(*flags) as process:
        process.stdout.close()
        process.stdin.write(b"text")
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=60) == 1
