"""The commands, with a stand-in for the agent: what they ask, what they print, how they fail."""

from __future__ import annotations

import io
import json
import sys

import pytest
from cli_builders import RESULT
from typer.testing import CliRunner

import laya
from laya.cli.app import app, main
from laya.errors import CheckpointNotFoundError, ForwardError
from laya.presets import PRESETS, preset


@pytest.mark.parametrize(
    "args", [["I was", "charged"], ["predict", "I was charged"], ["--preset", "triage", "I was charged"]]
)
def test_a_text_is_answered_under_the_key_of_the_preset(agent, capsys, args):
    assert main(args) == 0
    assert agent.calls == [({"message": "I was charged"}, preset("triage"), {})]
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
    assert agent.calls == [("x", questions, {})]


def test_a_printed_preset_can_be_passed_back(agent, capsys, tmp_path):
    assert main(["presets", "guard"]) == 0
    path = tmp_path / "guard.json"
    path.write_text(capsys.readouterr().out)
    assert main(["x", "--questions", str(path)]) == 0
    assert agent.calls == [({"prompt": "x"}, preset("guard"), {})]


@pytest.mark.parametrize("raw", ["é x\n".encode(), b"\xef\xbb\xbf\xc3\xa9 x"])
def test_text_is_read_from_standard_input(agent, stdin, raw):
    stdin(raw)
    assert main([]) == 0
    assert agent.calls[0][0] == {"message": "é x"}


def test_an_argument_beats_standard_input(agent, stdin):
    stdin(b"piped")
    assert main(["given"]) == 0
    assert agent.calls[0][0] == {"message": "given"}


def test_a_terminal_is_not_read(agent, stdin, failure):
    stdin(b"typed later", terminal=True)
    assert "no text given; run: laya" in failure()


@pytest.mark.parametrize("raw", [b"", b" \n"])
def test_empty_standard_input_is_refused(agent, stdin, failure, raw):
    stdin(raw)
    assert "no text given" in failure()
    assert not agent.loaded


def test_standard_input_that_is_not_utf8_is_refused(agent, stdin, failure):
    stdin(b"abc\xff")
    assert "not UTF-8 (byte 4, in line 1)" in failure()


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
def test_bad_arguments_are_one_line_and_load_nothing(agent, failure, args, says):
    assert says in failure(*args)
    assert not agent.loaded


@pytest.mark.parametrize("error", [ForwardError("first\nsecond"), OSError("first second")])
def test_a_failing_agent_is_one_line_and_is_closed(agent, failure, error):
    agent.error = error
    assert failure("x") == "laya: first second\n"
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


def test_export_of_a_missing_checkpoint_is_one_line(monkeypatch, failure):
    def export(model, output, *, verify):
        raise CheckpointNotFoundError(f"Local model path not found: {model!r}")

    monkeypatch.setitem(vars(laya), "export", export)
    assert failure("export", "./no", "--output", "x.onnx") == "laya: Local model path not found: './no'\n"


def test_presets_are_listed_with_key_and_ids(capsys):
    assert main(["presets"]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(PRESETS)
    assert lines[0].split(maxsplit=2)[1:] == ["message", "intent, is_urgent, frustration, refund_requested, churn_risk"]


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_presets_are_listed_as_data(capsys, form):
    assert main(["presets", "--format", form]) == 0
    out = capsys.readouterr().out
    entries = json.loads(out) if form == "json" else [json.loads(line) for line in out.splitlines()]
    assert {entry["name"]: entry["questions"] for entry in entries} == {name: list(preset(name)) for name in PRESETS}


def test_the_version_is_that_of_the_distribution(monkeypatch, capsys):
    monkeypatch.setitem(vars(laya), "__version__", "9.8.7")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "laya-engine 9.8.7\n"


COMMANDS = ("predict", "batch", "route", "plan", "presets", "serve", "mcp", "calibrate", "export", "doctor", "models")


def test_help_lists_every_command_and_exit_code():
    shown = CliRunner().invoke(app, ["--help"]).output
    assert all(f" {name} " in shown for name in COMMANDS)
    assert all(f"{code}: " in shown for code in (0, 1, 2, 130, 141))


@pytest.mark.parametrize("words", [*((name,) for name in COMMANDS[:-1]), *(("models", w) for w in ("list", "info"))])
def test_every_command_has_examples(words):
    shown = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    assert f"laya {' '.join(words)}" in shown.split("Examples:")[1]


def test_predict_has_every_option_of_a_call():
    shown = CliRunner().invoke(app, ["predict", "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    call = ("--max-len", "--head-max-len", "--min-confidence", "--lang", "--truncation", "--calibration")
    assert all(option in shown for option in ("--preset", "--questions", "--model", "--models", "--json", *call))


@pytest.mark.parametrize("args", [["bacth", "f.jsonl"], ["plann", "some", "text"], ["model", "list"]])
def test_a_slip_in_a_command_is_not_taken_for_a_text(agent, failure, args):
    assert f"there is no command {args[0]!r}; did you mean" in failure(*args)
    assert not agent.loaded


@pytest.mark.parametrize("args", [["planning"], ["predict", "bacth", "x"]])
def test_a_text_may_look_like_a_command(agent, args):
    assert main(args) == 0
    assert len(agent.calls) == 1


def test_jsonl_is_one_line(agent, capsys):
    assert main(["x", "--format", "jsonl"]) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    assert json.loads(out) == RESULT


@pytest.mark.parametrize(
    ("content", "state"), [('{"message": "x"}', {"message": "x"}), ('["a", "b"]', ["a", "b"]), ('"t"', "t")]
)
def test_a_state_may_be_a_file_or_piped_json(agent, stdin, tmp_path, content, state):
    path = tmp_path / "state.json"
    path.write_text(content)
    stdin(content.encode())
    assert main(["predict", "--state", str(path)]) == 0
    assert main(["predict", "--state", "-"]) == 0
    assert [asked for asked, _, _ in agent.calls] == [state, state]


@pytest.mark.parametrize(
    ("content", "text", "says"),
    [
        ("{", [], "is not JSON"),
        ('{"a": 1, "a": 2}', [], "the key 'a' occurs twice"),
        ('{"a": 1}', ["a text"], "exclude each other"),
    ],
)
def test_a_state_that_cannot_be_used_is_refused(failure, tmp_path, content, text, says):
    path = tmp_path / "state.json"
    path.write_text(content)
    assert says in failure("predict", *text, "--state", str(path))


def test_a_calibration_is_loaded_with_the_checkpoint(agent):
    assert main(["x", "--calibration", "c.json"]) == 0
    ((model, options),) = agent.loaded
    assert (model, str(options["calibration"])) == (None, "c.json")


def test_the_name_of_the_embedded_checkpoint_loads_it(agent):
    assert main(["x", "--model", "embedded/english"]) == 0
    assert agent.loaded == [None]


@pytest.mark.parametrize(
    ("args", "says"),
    [(["--task", "typed-decisions"], "pass --models too"), (["--models", "hub", "--calibration", "c"], "one of them")],
)
def test_options_that_do_not_go_together_are_refused(agent, failure, args, says):
    assert says in failure("x", *args)


@pytest.mark.parametrize("how", ["error", "scan"])
def test_a_text_that_is_too_long_is_cut_only_if_that_is_allowed(fake, run, how):
    code, out, err = run("word " * 800, "--truncation", how, "--json", "--preset", "guard")
    if how == "error":
        assert (code, out) == (2, "")
        assert "do not fit the budget" in err
    else:
        usage = json.loads(out)["usage"]
        assert usage["windows"] > 1
        assert not usage["truncated"]


def test_a_warning_is_one_line(child, tmp_path):
    path = tmp_path / "q.json"
    path.write_text(json.dumps({"q": {"type": "choice", "instructions": "Which?", "criteria": ["a", "A "]}}))
    out, err = (process := child("x", "--questions", str(path), "--json")).communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads(out)["answers"]
    assert err.decode().startswith("laya: warning: question 'q': labels 'a' and 'A ' differ")
    assert err.count(b"\n") == 1


def test_no_terminal_means_no_colour(child):
    out, _ = child("x", FORCE_COLOR="").communicate(timeout=60)
    assert b"\x1b" not in out


def test_a_real_pipe_is_read_and_written(child):
    out, err = (process := child("--json")).communicate("é".encode(), timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert list(json.loads(out)["answers"]) == list(preset("triage"))


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_reader_that_has_gone_ends_it_quietly(child, flags):
    process = child(*flags)
    process.stdout.close()
    process.stdin.write(b"text")
    process.stdin.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 141
    process.stdout, process.stdin = None, None
