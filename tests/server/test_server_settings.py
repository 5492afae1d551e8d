"""Settings: three sources, every problem at once, and no server for others without a key."""

import json
import sys

import pytest

import laya.server
from laya.errors import ArgumentError, MissingExtraError
from laya.server import ServerSettings, hash_key, load_settings
from laya.server.service import problems_of
from laya.server.settings import unknown_variables


def test_the_defaults_serve_this_machine_alone():
    settings = load_settings()
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.on_loopback
    assert problems_of(settings) == []


def test_arguments_beat_the_environment_which_beats_the_file(tmp_path, monkeypatch):
    file = tmp_path / "laya.toml"
    file.write_text('port = 1\nmax_states = 2\nlog_level = "debug"\n[aliases]\nfast = "english"\n')
    monkeypatch.setenv("LAYA_PORT", "3")
    monkeypatch.setenv("LAYA_MAX_STATES", "4")
    settings = load_settings(file, port=5, max_states=None)
    assert (settings.port, settings.max_states, settings.log_level) == (5, 4, "debug")
    assert settings.aliases == {"fast": "english"}


def test_the_file_may_be_json_and_be_named_by_a_variable(tmp_path, monkeypatch):
    file = tmp_path / "laya.json"
    file.write_text(json.dumps({"extra_models": {"own": ["org/name", "small"]}}))
    monkeypatch.setenv("LAYA_CONFIG", str(file))
    assert load_settings().extra_models == {"own": ("org/name", "small")}


def test_lists_and_maps_are_read_from_variables(monkeypatch):
    monkeypatch.setenv("LAYA_MODELS", "english, multilingual")
    monkeypatch.setenv("LAYA_ALLOWED_HOSTS", '["a.example"]')
    monkeypatch.setenv("LAYA_ALIASES", '{"gpt-6-luna": "auto"}')
    monkeypatch.setenv("LAYA_PRELOAD", "")
    settings = load_settings()
    assert settings.models == ("english", "multilingual")
    assert settings.hosts == ("a.example",)
    assert settings.all_aliases["gpt-6-luna"] == "auto"
    assert settings.preload is True


def test_every_problem_is_told_at_once(monkeypatch):
    monkeypatch.setenv("LAYA_PORT", "70000")
    monkeypatch.setenv("LAYA_ALIASES", "{oops")
    monkeypatch.setenv("LAYA_MAX_LOADED", "two")
    with pytest.raises(ArgumentError) as caught:
        load_settings(max_stats=3, extra_models={"own": 7})
    lines = str(caught.value).splitlines()
    assert lines[0] == "5 settings cannot work:"
    for line, words in zip(
        sorted(lines[1:]),
        [
            ("aliases (LAYA_ALIASES): is not JSON", "got '{oops'"),
            ("extra_models['own'] (LAYA_EXTRA_MODELS): must be a folder, a hub id",),
            ("max_loaded (LAYA_MAX_LOADED)", "'two'"),
            ("max_stats: there is no such setting; did you mean 'max_states'?",),
            ("port (LAYA_PORT)", "65535", "'70000'"),
        ],
        strict=True,
    ):
        assert all(word in line for word in words), line


def test_a_secret_is_not_in_the_message(monkeypatch):
    with pytest.raises(ArgumentError) as caught:
        load_settings(api_key=["hunter2"])
    assert "api_key" in str(caught.value)
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in repr(load_settings(api_key="hunter2"))


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.4", "laya.example", "::"])  # noqa: S104 - refused, not bound
def test_other_machines_are_not_served_without_a_key(host):
    with pytest.raises(ArgumentError, match="so a key is needed"):
        load_settings(host=host)
    assert load_settings(host=host, allow_no_key=True).hosts == ("*",)
    assert not load_settings(host=host, api_key="k").on_loopback


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_loopback_is_known(host):
    assert load_settings(host=host).on_loopback


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("laya.toml", None, "does not exist"),
        ("laya.yaml", "port: 1", "must be a .toml or .json file"),
        ("laya.toml", "port = = 1", "cannot be read"),
        ("laya.json", "{", "cannot be read"),
    ],
)
def test_a_bad_file_is_named(tmp_path, name, text, message):
    file = tmp_path / name
    if text is not None:
        file.write_text(text)
    with pytest.raises(ArgumentError, match=message) as caught:
        load_settings(file)
    assert caught.value.path == str(file)


def test_slips_in_variables_are_told(monkeypatch):
    monkeypatch.setenv("LAYA_MAX_STATS", "3")
    for name in ("LAYA_THREADS", "LAYA_TRAINING_DATA", "LAYA_WORDNET"):
        monkeypatch.setenv(name, "2")
    assert unknown_variables() == ["LAYA_MAX_STATS is set but nothing reads it; did you mean LAYA_MAX_STATES?"]


def test_a_deeper_check_finds_names_and_files_that_do_not_exist(tmp_path):
    settings = load_settings(aliases={"fast": "nope"}, models=("english", "typed-decisions"))
    first, second = problems_of(settings)
    assert first.startswith("aliases: 'fast': 'nope' is no checkpoint; use one of english")
    assert second.startswith("models: 'typed-decisions' is no checkpoint")
    assert "unknown model 'nope'" in problems_of(load_settings(default_model="nope"))[0]
    assert "cannot be read" in problems_of(load_settings(api_keys_file=tmp_path / "none"))[0]


def test_registered_models_are_known(tmp_path):
    settings = load_settings(extra_models={"own": str(tmp_path)}, aliases={"fast": "own"}, models=("own",))
    assert problems_of(settings) == []


def test_every_setting_of_the_documentation_exists(pytestconfig):
    page = (pytestconfig.rootpath / "docs" / "server.md").read_text(encoding="utf-8")
    missing = [name for name in ServerSettings.model_fields if f"`{name}`" not in page]
    assert not missing


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'laya-engine\[server\]'"):
        laya.server.serve  # noqa: B018 - reading the name is the point
    with pytest.raises(AttributeError, match="has no attribute 'nope'"):
        laya.server.nope  # noqa: B018 - as above


def test_a_hash_is_what_sha256sum_writes():
    assert hash_key("abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
