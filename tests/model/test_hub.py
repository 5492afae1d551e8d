import sys

import pytest

from laya.errors import ArgumentError, ArgumentTypeError, CheckpointNotFoundError, MissingExtraError
from laya.model.hub import BUNDLE, PUBLISHED, resolve
from tiny import write_checkpoint

COMMIT = "0123456789abcdef0123456789abcdef01234567"
constants = pytest.importorskip("huggingface_hub.constants", reason="the extra 'hub' is not installed")


@pytest.fixture(autouse=True)
def no_network(tmp_path, monkeypatch):
    """An empty hub cache, and a client that may not go out."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("LAYA_REVISION", raising=False)
    monkeypatch.delenv("HF_TOKEN", raising=False)


class Client:
    """A hub client that answers from a folder and remembers what it was asked."""

    def __init__(self, root, *, cached):
        self.root, self.cached, self.asked = root, cached, []

    def snapshot_download(self, repository, **options):
        self.asked.append((repository, options))
        if options["local_files_only"] and not self.cached:
            raise FileNotFoundError("not in the cache")
        return str(self.root)


@pytest.fixture
def client(tmp_path, monkeypatch):
    def install(*, cached, subfolder="", complete=True):
        root = tmp_path / "snapshots" / COMMIT
        write_checkpoint(root / subfolder)
        if not complete:
            (root / subfolder / "model.safetensors").unlink()
        made = Client(root, cached=cached)
        monkeypatch.setitem(sys.modules, "huggingface_hub", made)
        return made

    return install


def test_a_directory_is_itself(tmp_path, monkeypatch):
    write_checkpoint(tmp_path / "mine")
    assert resolve(tmp_path / "mine").path == tmp_path / "mine"
    assert resolve(str(tmp_path / "mine")).revision is None
    monkeypatch.chdir(tmp_path)
    assert resolve("mine").path == tmp_path / "mine"
    assert resolve("./mine").path == tmp_path / "mine"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    assert resolve("~/mine").path == tmp_path / "mine"


def test_a_directory_wins_over_a_registry_name(tmp_path, monkeypatch):
    (tmp_path / "english").mkdir()
    monkeypatch.chdir(tmp_path)
    assert resolve("english").path == tmp_path / "english"


@pytest.mark.parametrize("name", ["/no/such/dir", "./nope", "../nope", "~/nope", "a/b/c", "nope/", "C:\\nope", "a\\b"])
def test_what_looks_local_never_asks_the_hub(client, name):
    made = client(cached=True)
    with pytest.raises(CheckpointNotFoundError, match="Local model path not found"):
        resolve(name)
    assert made.asked == []


def test_a_path_object_is_always_local(client, tmp_path):
    made = client(cached=True)
    with pytest.raises(CheckpointNotFoundError, match="Local model path not found"):
        resolve(tmp_path / "english")
    assert made.asked == []


def test_a_file_is_no_directory(tmp_path):
    file = write_checkpoint(tmp_path) / "model.safetensors"
    with pytest.raises(CheckpointNotFoundError, match="It is a file; pass the directory"):
        resolve(str(file))


def test_subfolders(tmp_path):
    (tmp_path / "inner").mkdir()
    assert resolve(tmp_path, subfolder="inner").path == tmp_path / "inner"
    with pytest.raises(CheckpointNotFoundError, match=r"Subfolder 'zz' not found in '.*'\."):
        resolve(tmp_path, subfolder="zz")
    for bad in ("", "..", "a/../..", "/etc", "C:\\x"):
        with pytest.raises(ArgumentError, match="subfolder must be a relative folder"):
            resolve(tmp_path, subfolder=bad)
    with pytest.raises(ArgumentTypeError, match="subfolder must be a string or None, got int"):
        resolve(tmp_path, subfolder=3)


@pytest.mark.parametrize("model", [None, 5, ["x"]])
def test_a_model_of_the_wrong_type(model):
    with pytest.raises(ArgumentTypeError, match="must be a path or a hub id, got"):
        resolve(model)


def test_a_model_that_is_no_name():
    with pytest.raises(ArgumentError, match="empty string"):
        resolve(" ")
    with pytest.raises(CheckpointNotFoundError, match="one of english, multilingual, typed-decisions"):
        resolve("what is this?")


def test_an_empty_cache_without_network():
    with pytest.raises(CheckpointNotFoundError, match=r"'owner/name' is no local directory.*HF_HUB_OFFLINE"):
        resolve("owner/name")
    with pytest.raises(CheckpointNotFoundError, match="folder multilingual"):
        resolve("ml")


def test_a_failing_download_says_why():
    with pytest.raises(CheckpointNotFoundError, match=r"could not download 'owner/name' from the hub: .+") as caught:
        resolve("owner/name", offline=False)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize(
    ("name", "subfolder"), [(name, e.subfolder) for e in PUBLISHED for name in (e.name, *e.aliases, e.name.upper())]
)
def test_registry_names(client, name, subfolder):
    made = client(cached=True, subfolder=subfolder or "")
    found = resolve(name)
    assert found.path == made.root / (subfolder or "")
    assert found.revision == COMMIT
    repository, options = made.asked[0]
    prefix = f"{subfolder}/" if subfolder else ""
    assert repository == BUNDLE
    assert options["allow_patterns"] == [
        f"{prefix}{p}" for p in ("rl_agent_config.json", "model.safetensors", "tokenizer/*", "encoder/*")
    ]


def test_the_cache_comes_before_the_network(client):
    made = client(cached=True)
    resolve("owner/name", offline=False)
    assert [options["local_files_only"] for _, options in made.asked] == [True]


@pytest.mark.parametrize("complete", [True, False])
def test_the_network_fills_a_cache_that_misses_files(client, complete):
    made = client(cached=not complete, complete=complete)
    assert resolve("owner/name", offline=False).revision == COMMIT
    assert [options["local_files_only"] for _, options in made.asked] == [True, False]


def test_an_incomplete_cache_without_network(client):
    made = client(cached=True, complete=False)
    with pytest.raises(CheckpointNotFoundError, match="not complete in the local hub cache"):
        resolve("owner/name")
    assert [options["local_files_only"] for _, options in made.asked] == [True]


def test_revision_and_token(client, monkeypatch):
    made = client(cached=True)
    monkeypatch.setenv("LAYA_REVISION", "v1")
    monkeypatch.setenv("HF_TOKEN", "secret")
    resolve("owner/name")
    resolve("owner/name", revision="v2", token="mine")  # noqa: S106 - no real token
    resolve("owner/name", revision="")
    asked = [(options["revision"], options["token"]) for _, options in made.asked]
    assert asked == [("v1", "secret"), ("v2", "mine"), (None, "secret")]


def test_no_table_of_reviewed_commits(client, monkeypatch):
    client(cached=True)
    with pytest.raises(ArgumentError, match="pass the commit"):
        resolve("english", revision="Reviewed")
    monkeypatch.setenv("LAYA_REVISION", "reviewed")
    with pytest.raises(ArgumentError, match="pass the commit"):
        resolve("english")


def test_without_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r"laya-engine\[hub\]"):
        resolve("owner/name")
