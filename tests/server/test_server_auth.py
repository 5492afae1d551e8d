"""Keys: several, hashed, sent in two ways, changed while the server runs."""

import pytest

from laya.errors import ArgumentError
from laya.server import hash_key, load_settings
from laya.server.auth import Keys
from server_builders import body, client


def bearer(key):
    return {"authorization": f"Bearer {key}"}


@pytest.fixture
def keys_file(tmp_path):
    file = tmp_path / "keys"
    file.write_text(f"# who may call\nann {hash_key('k-ann')}\n\nbob {hash_key('k-bob')}\n")
    return file


def test_every_key_has_an_owner(keys_file, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("k-file\n")
    keys = Keys(load_settings(api_key="k-one", api_key_file=secret, api_keys_file=keys_file))
    owners = {key: keys.owner(bearer(key)) for key in ("k-one", "k-file", "k-ann", "k-bob", "k-eve", "")}
    assert owners == {"k-one": "default", "k-file": "default", "k-ann": "ann", "k-bob": "bob", "k-eve": None, "": None}
    assert keys.names == ["ann", "bob", "default"]


@pytest.mark.parametrize(
    ("headers", "known"),
    [
        ({"authorization": "bearer k-ann"}, True),
        ({"authorization": "BEARER  k-ann "}, True),
        ({"x-api-key": "k-ann"}, True),
        ({"authorization": "Basic k-ann"}, False),
        ({"authorization": "k-ann"}, False),
        ({"authorization": "Bearer k-ann-more"}, False),
        ({"authorization": "Bearer ключ"}, False),
        ({}, False),
    ],
)
def test_the_scheme_is_read_in_any_case(keys_file, headers, known):
    assert (Keys(load_settings(api_keys_file=keys_file)).owner(headers) == "ann") is known


def test_keys_change_while_the_server_runs(keys_file):
    keys = Keys(load_settings(api_keys_file=keys_file))
    keys_file.write_text(f"eve {hash_key('k-eve')}\n")
    assert keys.owner(bearer("k-eve")) is None
    assert keys.reload()
    assert keys.owner(bearer("k-eve")) == "eve"
    assert keys.owner(bearer("k-ann")) is None
    keys_file.write_text("eve k-in-clear\n")
    assert not keys.reload()
    assert keys.owner(bearer("k-eve")) == "eve"


@pytest.mark.parametrize(
    ("text", "message"),
    [("ann k-in-clear", "line 1: must be `name sha256"), ("", "holds no key"), ("a b c", "line 1")],
)
def test_a_bad_file_of_keys_is_refused(tmp_path, text, message):
    file = tmp_path / "keys"
    file.write_text(text)
    with pytest.raises(ArgumentError, match=message) as caught:
        Keys(load_settings(api_keys_file=file))
    assert caught.value.path == str(file)


def test_an_empty_secret_is_refused(tmp_path):
    file = tmp_path / "secret"
    file.write_text(" \n")
    with pytest.raises(ArgumentError, match="must hold one key"):
        Keys(load_settings(api_key_file=file))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *(("POST", f"/v1/{name}") for name in ("systemone", "systemone/batch", "decisions", "plan")),
        *(("GET", path) for path in ("/v1/models", "/metrics")),
    ],
)
def test_a_key_is_needed_before_anything_is_read(method, path):
    with client(api_key="k") as api:
        for headers in ({}, bearer("wrong")):
            refused = api.request(method, path, headers=headers, content=b"not even JSON")
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"] == "Bearer"
            assert refused.json()["detail"]["error_type"] == "authentication_error"
        assert api.request(method, path, headers=bearer("k"), content=b"x").status_code != 401


def test_the_owner_of_the_key_is_the_client_of_the_log(caplog):
    with caplog.at_level("INFO", "laya.access"), client(api_key="k") as api:
        assert api.post("/v1/systemone", json=body(), headers=bearer("k")).status_code == 200
        assert '"client": "default"' in caplog.messages[-1]


def test_health_is_open_and_says_more_to_those_who_may_call():
    with client(api_key="k") as api:
        assert api.get("/health").json() == {"status": "ok"}
        assert api.get("/health", headers=bearer("k")).json()["loaded"] == ["english"]


def test_metrics_can_be_open():
    with client(api_key="k", open_metrics=True) as api:
        assert api.get("/metrics").status_code == 200
