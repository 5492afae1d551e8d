"""`laya plan`, `route`, `models`, `calibrate`, `doctor` and `serve`, through `main`."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

import laya
from golden import directory, needs_golden
from laya.cli import checkup
from laya.presets import preset
from laya.testing import fake_agent

QUESTIONS = {
    "topic": {"type": "choice", "instructions": "What is it about?", "criteria": ["delivery", "payment"]},
    "angry": {"type": "noul", "instructions": "Is the customer angry?"},
    "mood": {"type": "score", "instructions": "How is the mood?", "criteria": ["bad", "good"]},
}


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(QUESTIONS))
    return path


# -- plan ----------------------------------------------------------------------------------------------------------


def test_a_plan_is_the_usage_to_come(run, fake, mine):
    code, out, err = run("plan", "some text", "--questions", mine, "--json", "--max-len", "400")
    assert (code, err) == (0, "")
    planned = json.loads(out)
    assert planned == json.loads(json.dumps(fake_agent().plan("some text", QUESTIONS, max_len=400)))


def test_a_plan_for_people_has_a_line_a_question(run, fake, mine):
    code, out, _ = run("plan", "x" * 3000, "--questions", mine)
    head, *lines = out.splitlines()
    assert code == 0
    assert head.split()[:3] == ["question", "type", "tokens"]
    assert [line.split()[:2] for line in lines[:3]] == [["topic", "choice"], ["angry", "noul"], ["mood", "score"]]
    assert lines[-1].endswith("something is cut, or options read as equal")


@pytest.mark.parametrize(("text", "code"), [("short", 0), ("x" * 3000, 1)])
def test_a_strict_plan_is_a_check(run, fake, mine, text, code):
    assert run("plan", text, "--questions", mine, "--strict")[0] == code


def test_a_plan_may_be_routed(run, mine):
    code, out, _ = run(
        "plan", "I was charged twice for my order", "--questions", mine, "--models", "embedded", "--json"
    )
    assert code == 0
    assert json.loads(out)["routing"]["model"] == "english"


def test_a_plan_needs_models_for_a_task(failure, fake):
    assert "pass --models too" in failure("plan", "x", "--task", "typed-decisions")


# -- route ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["I was charged twice for my order"], "english"),
        (["Je voudrais un remboursement s'il vous plaît"], "foreign_language"),
        (["x", "--model", "en"], "explicit_model"),
        (["x", "--lang", "de"], "explicit_lang"),
        (["x", "--task", "typed-decisions"], "explicit_task"),
        (["1234", "--lang-guess", "fr"], "lang_guess"),
    ],
)
def test_a_route_says_why(run, args, code):
    done, out, err = run("route", *args, "--format", "jsonl")
    assert (done, err, json.loads(out)["reason_code"]) == (0, "", code)


def test_a_route_for_people_names_every_fact(run):
    _, out, _ = run("route", "hola, necesito ayuda con mi pedido", "--explain")
    facts = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert facts["model"] == "multilingual"
    assert facts["language"] == "es"


def test_models_of_a_file_are_routed(run, tmp_path):
    path = tmp_path / "models.json"
    path.write_text('{"german": "some/folder"}')
    assert json.loads(run("route", "x", "--models", path, "--model", "german", "--json")[1])["repo"] == "some/folder"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["x", "--lang", "klingon"], "lang 'klingon' is not a language code"),
        (["x", "--model", "nope"], "unknown model 'nope'; choose one of"),
        (["x", "--models", "nope.json"], "models file 'nope.json' cannot be read"),
        ([""], "no text given"),
    ],
)
def test_a_route_that_cannot_be_is_one_line(failure, args, says):
    assert says in failure("route", *args)


# -- models --------------------------------------------------------------------------------------------------------


@pytest.fixture
def offline(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))


@pytest.mark.usefixtures("offline")
def test_models_are_listed(run):
    listed = json.loads(run("models", "list", "--json")[1])
    lines = run("models", "list", "--format", "jsonl")[1].splitlines()
    assert [json.loads(line) for line in lines] == listed
    table = run("models", "list")[1]
    assert all(entry["name"] in table for entry in listed)
    assert table.count("not on this machine") == sum(entry["path"] is None for entry in listed)


def test_a_model_is_described(run):
    facts = json.loads(run("models", "info", "--json")[1])
    assert facts["name"] == "embedded/english"
    table = run("models", "info")[1]
    assert facts["digest"] in table
    assert f"{facts['parameters']:,}" in table


@needs_golden
def test_a_model_is_verified_against_pins_of_its_own(run, tmp_path):
    path, pins = shutil.copytree(directory("tiny-bert"), tmp_path / "m", copy_function=shutil.copyfile), tmp_path / "p"
    code, out, err = run("models", "verify", path, "--json")
    assert (code, err) == (0, "")
    digests = {file: facts["sha256"] for file, facts in json.loads(out)["files"].items()}
    pins.write_text(json.dumps(digests))
    code, out, _ = run("models", "verify", path, "--pins", pins, "--strict")
    assert code == 0
    assert out.splitlines()[-1].endswith("in order")
    config = path / "rl_agent_config.json"
    config.write_bytes(config.read_bytes() + b" ")
    code, out, err = run("models", "verify", path, "--pins", pins)
    assert code == 1
    assert out.splitlines()[-1].endswith("wrong")
    assert "SHA-256 mismatch for 'rl_agent_config.json'" in err


def test_a_model_that_is_not_there_is_one_line(failure, tmp_path):
    for command in ("info", "verify"):
        assert "not found" in failure("models", command, str(tmp_path / "none"))
    pins = tmp_path / "pins.json"
    pins.write_text("[]")
    assert "must hold an object" in failure("models", "verify", "--pins", str(pins))


# -- calibrate -----------------------------------------------------------------------------------------------------


@pytest.fixture
def labelled(tmp_path):
    topics = ("payment", "delivery", "delivery")
    rows = [
        {"text": f"parcel number {i} is late", "expected": {"topic": topics[i % 3], "angry": i % 2 == 0}}
        for i in range(60)
    ]
    path = tmp_path / "labelled.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_a_calibration_is_fitted_and_lies_beside_the_rows(run, fake, labelled, mine):
    code, out, err = run("calibrate", labelled, "--questions", mine, "--json")
    assert (code, err) == (0, "")
    fitted = json.loads(out)
    target = labelled.with_name("labelled.calibration.json")
    assert (fitted["output"], fitted["rows"], fitted["answers"]) == (str(target), 60, 120)
    with fake_agent() as agent:
        records = [
            record
            for row in map(json.loads, labelled.read_text().splitlines())
            for record in laya.records_from_labeled(agent, [(row["text"], QUESTIONS, row["expected"])])
        ]
        wanted = laya.fit_temperatures(records)
        assert fitted["temperature"] == wanted["temperature"] != [1.0, 1.0, 1.0]
        agent.load_calibration(target)
        assert agent.temperature == wanted["temperature"]


def test_a_calibration_for_people_names_what_was_too_thin(run, fake, labelled, mine, tmp_path):
    target = tmp_path / "c.json"
    code, out, err = run("calibrate", labelled, "--questions", mine, "-o", target, "--min-rows", "61")
    assert code == 0
    assert "calibration error" in out
    assert out.splitlines()[-1] == f"wrote {target} from 120 answers in 60 rows"
    assert err.splitlines() == [
        f"laya: 60 {kind} answers are too few for a temperature, which stays 1; see --min-rows"
        for kind in ("choice", "noul")
    ]


def test_bad_rows_are_reported_and_left_out(run, fake, labelled, mine):
    wrong = ({"topic": "nothing"}, {"q": 1})
    bad = ['{"text": "x"}', *(json.dumps({"text": "x", "expected": each}) for each in wrong), "{"]
    labelled.write_text("\n".join([*bad, labelled.read_text()]))
    code, out, err = run("calibrate", labelled, "--questions", mine, "--json")
    assert code == 1
    assert (json.loads(out)["rows"], json.loads(out)["rows_failed"]) == (64, 4)
    assert [line.split(": ")[1] for line in err.splitlines()] == ["line 1", "line 2", "line 3", "line 4"]
    assert "has no 'expected'" in err
    assert "the target 'nothing' does not fit" in err


def test_a_row_may_be_its_own_state(run, fake, tmp_path, mine):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"id": 1, "body": "x", "expected": {"angry": true}}\n{"expected": {"angry": true}}\n')
    code, out, err = run("calibrate", path, "--questions", mine, "--json")
    assert (code, json.loads(out)["answers"]) == (1, 1)
    assert err == "laya: line 2: has nothing to judge; give a 'text' or a 'state'\n"


@pytest.mark.usefixtures("fake")
def test_a_calibration_never_replaces_anything_unasked(failure, run, labelled, mine, tmp_path):
    args = ("calibrate", str(labelled), "--questions", str(mine), "-o")
    assert run(*args, tmp_path / "c.json")[0] == 0
    assert "pass --overwrite to replace it" in failure(*args, str(tmp_path / "c.json"))
    assert run(*args, tmp_path / "c.json", "--overwrite")[0] == 0
    config = tmp_path / "rl_agent_config.json"
    for content in ('{"temperature": [1, 1, 1], "head_layers": 1}', "text"):
        config.write_text(content)
        assert "is no calibration file, so it is left alone" in failure(*args, str(config), "--overwrite")
        assert config.read_text() == content


def test_nothing_to_fit_on_is_one_line(failure, fake, tmp_path, mine):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n")
    assert "has no usable row" in failure("calibrate", str(path), "--questions", str(mine))
    assert not path.with_suffix(".calibration.json").exists()


# -- doctor --------------------------------------------------------------------------------------------------------


def test_the_doctor_finds_this_installation_well(run):
    code, out, _ = run("doctor", "--json")
    checks = {check["check"]: check for check in json.loads(out)}
    assert code == 0, checks
    assert list(checks) == list(checkup._CHECKS)
    assert "CPU" in checks["onnxruntime"]["found"]
    assert "embedded/english on onnxruntime" in checks["embedded"]["found"]


def test_what_does_not_work_is_told_and_the_rest_is_checked(run, monkeypatch, tmp_path, fake):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("LAYA_THREADS", "many")
    monkeypatch.setenv("LAYA_CACHE_DIR", str(blocked / "cache"))
    code, out, _ = run("doctor")
    lines = {line.split()[0]: line.split()[1] for line in out.splitlines()[1:-2]}
    assert code == 1
    assert (lines["environment"], lines["python"], lines["onnxruntime"]) == ("fail", "ok", "ok")
    assert "LAYA_THREADS must be a positive whole number" in out
    assert out.splitlines()[-1].startswith("does not work: environment")


def test_a_cache_that_cannot_be_written_is_a_warning(run, monkeypatch, tmp_path, fake):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("LAYA_CACHE_DIR", str(blocked / "cache"))
    monkeypatch.setenv("LAYA_THREADS", "4096")
    code, out, _ = run("doctor", "--format", "jsonl")
    checks = {check["check"]: check for check in map(json.loads, out.splitlines())}
    assert code == 0
    assert checks["cache"]["status"] == "warn"
    assert "set LAYA_CACHE_DIR" in checks["cache"]["found"]
    assert checks["processors"]["status"] == "warn"


# -- serve ---------------------------------------------------------------------------------------------------------


def test_settings_are_checked_without_serving(run):
    code, out, _ = run("serve", "--check", "--port", "8123")
    assert (code, out) == (0, "the settings are in order; the server would listen on 127.0.0.1:8123\n")


def test_every_setting_that_is_wrong_is_told(run, monkeypatch):
    monkeypatch.setenv("LAYA_MAX_QUESTIONS", "none")
    code, out, err = run("serve", "--check", "--port", "99999", "--log-level", "loud")
    assert (code, out) == (2, "")
    first, *lines = err.splitlines()
    assert first.startswith("laya: 3 settings cannot work")
    assert {line.split()[0] for line in lines} == {"port", "log_level", "max_questions"}


def test_what_only_shows_when_the_parts_are_put_together_is_told(run, tmp_path):
    config = tmp_path / "laya.toml"
    config.write_text('models = ["english", "nope"]\n[aliases]\nfast = "gone"\n')
    code, out, err = run("serve", "--check", "--config", str(config))
    first, alias, model = err.splitlines()
    assert (code, out, first) == (2, "", "laya: the server could not work with these settings:")
    assert alias.startswith("  aliases: 'fast': 'gone' is no checkpoint; use one of english, multilingual")
    assert model.startswith("  models: 'nope' is no checkpoint; use one of english, multilingual")


def test_a_file_of_keys_that_cannot_be_read_is_told(run, tmp_path, monkeypatch):
    monkeypatch.setenv("LAYA_API_KEYS_FILE", str(tmp_path / "none"))
    code, out, err = run("serve", "--check", "--host", "0.0.0.0")  # noqa: S104 - nothing listens
    assert (code, out) == (2, "")
    assert f"the file of keys '{tmp_path / 'none'}' cannot be read" in err


def test_a_slip_in_a_variable_is_told_and_is_no_failure(run, monkeypatch):
    monkeypatch.setenv("LAYA_MAX_STATS", "3")
    code, out, err = run("serve", "--check")
    assert (code, out.startswith("the settings are in order")) == (0, True)
    assert "LAYA_MAX_STATS is set but nothing reads it; did you mean LAYA_MAX_STATES?" in err


def test_a_missing_extra_says_what_to_install(failure, monkeypatch):
    monkeypatch.setitem(sys.modules, "starlette", None)
    assert "run: pip install 'laya-engine[server]'" in failure("serve", "--check")


def test_presets_of_every_command_are_the_same(run, fake):
    for name in ("predict", "plan"):
        code, out, _ = run(name, "x", "--preset", "email", "--json")
        assert code == 0
        answered = json.loads(out)
        assert list(answered.get("answers") or answered["questions"]) == list(preset("email"))
