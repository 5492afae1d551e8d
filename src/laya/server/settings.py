"""The settings of the server, from the environment (`LAYA_*`), a config file and arguments, checked as a whole."""

from __future__ import annotations

import difflib
import ipaddress
import json
import os
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    JsonConfigSettingsSource,
    NoDecode,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)
from typing_extensions import Self

from laya.errors import ArgumentError

PREFIX: Final = "LAYA_"
ALIASES: Final = {"auto": "auto", "jev-latest": "auto", "jev-preview": "auto"}
"""Model names of clients that always mean something here; "auto" lets the Router choose."""

_ELSEWHERE: Final = frozenset(
    f"{PREFIX}{name}"
    for name in (
        *("REVISION", "SHA256_DIGESTS", "CACHE_DIR", "THREADS", "CONFIG", "BASE_URL"),
        *("TRAINING_DATA", "WORDNET"),
    )
)
"""Variables with our prefix that other parts of the package read, and those of the training recipe."""


def _items(value: Any) -> Any:
    """A comma-separated list, or a JSON one, as variables of the environment hold it."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("["):
        return _json(value)
    return [item.strip() for item in value.split(",") if item.strip()]


def _json(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as exc:
        raise ValueError(f"is not JSON ({exc})") from exc


def _source(value: Any) -> Any:
    """A source as the Router takes it: a folder or hub id, or a (repository, subfolder) pair."""
    if isinstance(value, str) and value.strip():
        return value
    if isinstance(value, (list, tuple)) and len(value) == 2 and all(isinstance(part, str) for part in value):
        return tuple(value)
    raise ValueError(f"must be a folder, a hub id or a [repository, subfolder] pair, got {value!r}")


Names = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_items)]
Sources = Annotated[dict[str, Annotated[Any, AfterValidator(_source)]], NoDecode, BeforeValidator(_json)]
Aliases = Annotated[dict[str, str], NoDecode, BeforeValidator(_json)]
Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Rest = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class ServerSettings(BaseSettings):
    """Everything that can be set. Each field is also the variable `LAYA_<NAME>` and a key of the config file."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="forbid", frozen=True)

    host: str = "127.0.0.1"
    port: int = Field(default=8000, ge=0, le=65535)
    root_path: str = ""
    log_level: Literal["critical", "error", "warning", "info", "debug"] = "info"
    access_log: bool = True
    docs: bool = True
    """Serve /docs, /openapi.json and /playground."""

    api_key: SecretStr | None = None
    """One key, in clear."""
    api_key_file: Path | None = None
    """A file that holds one key, in clear, as container secrets do."""
    api_keys_file: Path | None = None
    """A file with a line `name sha256:<hex>` per key; read again on SIGHUP."""
    allow_no_key: bool = False
    """Serve other machines without any key."""
    allowed_hosts: Names = ()
    """Host names that requests may be addressed to; empty is loopback names on loopback, any elsewhere."""
    allowed_origins: Names = ()
    """Origins whose pages may call from a browser."""
    open_metrics: bool = False
    """Serve /metrics without a key."""

    catalogue: Literal["embedded", "hub"] = "embedded"
    extra_models: Sources = {}
    default_model: str | None = None
    """Checkpoint for texts whose language is not clear; None is "english" if embedded, "multilingual" from the hub."""
    models: Names = ()
    """Checkpoints to load at the start; empty is "english" and the default one."""
    preload: bool = True
    device: str | None = None
    auto_task: bool = False
    max_loaded: Positive = 2
    max_bytes: Positive | None = None
    idle_unload_seconds: Rest = 0.0
    aliases: Aliases = {}
    """Further model names that clients send, to the checkpoint that each means, or "auto"."""
    default_truncation: Literal["allow", "error", "scan"] = "allow"
    strict: bool = False
    """Answer with the fields of the protocol alone, without ours (`x_...`)."""
    cache_size: int = Field(default=0, ge=0)
    tracing: bool = False

    max_body_bytes: Positive = 2 * 1024 * 1024
    """Bytes of a body, as sent and as decompressed."""
    body_read_timeout: Seconds = 10.0
    max_questions: Positive = 64
    max_options: Positive = 255
    max_levels: Positive = 32
    max_total_options: Positive = 2048
    max_states: Positive = 64
    max_depth: Positive = 64
    max_token_budget: Positive = 8192
    max_windows: Positive = 64

    request_timeout: Seconds = 30.0
    """Seconds within which the answering of a request must begin."""
    overload_status: Literal[429, 503, 529] = 529
    """Status when the whole server is busy; a client with more than its share always gets 429."""
    max_queued: Positive = 1024
    max_queued_bytes: Positive = 64 * 1024 * 1024
    max_batch_requests: Positive = 64
    max_batch_tokens: Positive = 16384
    max_batch_wait: Rest = 0.0
    engines: Positive = 1
    """Threads that answer batches; more than one pays with `LAYA_THREADS=1` and small checkpoints."""
    drain_delay: Rest = 0.0
    """Seconds between "not ready" and the refusal of new work on SIGTERM."""
    drain_timeout: Seconds = 20.0

    @model_validator(mode="after")
    def _key_off_loopback(self) -> Self:
        if not self.on_loopback and not self.allow_no_key and not self.has_keys:
            raise ValueError(
                f"host {self.host!r} is reachable from other machines, so a key is needed: set api_key, api_key_file "
                "or api_keys_file, or allow_no_key=true where something in front checks who calls"
            )
        return self

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def has_keys(self) -> bool:
        """Whether any key is configured."""
        return any(value is not None for value in (self.api_key, self.api_key_file, self.api_keys_file))

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names for the check of the Host header; "*" is any."""
        if self.allowed_hosts:
            return self.allowed_hosts
        return ("localhost", "127.0.0.1", "::1", self.host) if self.on_loopback else ("*",)

    @property
    def default_name(self) -> str:
        """Checkpoint for texts whose language is not clear."""
        return self.default_model or ("english" if self.catalogue == "embedded" else "multilingual")

    @property
    def preloads(self) -> tuple[str, ...]:
        """Checkpoints to load at the start."""
        return self.models or tuple(dict.fromkeys(("english", self.default_name)))

    @property
    def all_aliases(self) -> dict[str, str]:
        """Configured aliases on top of the built-in ones."""
        return {**ALIASES, **self.aliases}


def load_settings(config: str | Path | None = None, **overrides: Any) -> ServerSettings:
    """Read the settings: arguments beat the environment, which beats the config file.

    Args:
        config: a `.toml` or `.json` file; None takes the one that `LAYA_CONFIG` names, if any.
        overrides: settings by field name; None leaves a setting as it is.

    Raises:
        ArgumentError: something cannot work; the message has a line for every problem.
    """
    path = config or os.environ.get("LAYA_CONFIG") or None
    given = {name: value for name, value in overrides.items() if value is not None}
    try:
        values = {**_file(path), **EnvSettingsSource(ServerSettings)(), **given}
        return ServerSettings(**values)
    except ValidationError as exc:
        lines = [_line(error) for error in exc.errors()]
        count = "1 setting" if len(lines) == 1 else f"{len(lines)} settings"
        text = "\n".join(f"  {line}" for line in lines)
        raise ArgumentError(f"{count} cannot work:\n{text}", path=None if path is None else str(path)) from None


def unknown_variables() -> list[str]:
    """Sentences about `LAYA_*` variables of the environment that nothing reads, which are often slips."""
    known = {PREFIX + name.upper() for name in ServerSettings.model_fields} | _ELSEWHERE
    sentences = []
    for name in sorted(os.environ):
        if name.startswith(PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            sentences.append(f"{name} is set but nothing reads it{hint}")
    return sentences


def _file(path: str | Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    file = Path(path)
    if not file.is_file():
        raise ArgumentError(f"config file {str(file)!r} does not exist", path=str(file))
    kinds = {".toml": TomlConfigSettingsSource, ".json": JsonConfigSettingsSource}
    if file.suffix not in kinds:
        raise ArgumentError(f"config file {str(file)!r} must be a .toml or .json file", path=str(file))
    try:
        return dict(kinds[file.suffix](ServerSettings, file)())
    except ValueError as exc:
        raise ArgumentError(f"config file {str(file)!r} cannot be read: {exc}", path=str(file)) from exc


def _line(error: Any) -> str:
    """One problem: the setting, what is wrong, and what was read unless it is secret."""
    name = str(error["loc"][0]) if error["loc"] else ""
    message = str(error["msg"]).removeprefix("Value error, ")
    if not name:
        return message
    if error["type"] == "extra_forbidden":
        near = difflib.get_close_matches(name, ServerSettings.model_fields, n=1)
        return f"{name}: there is no such setting" + (f"; did you mean {near[0]!r}?" if near else "")
    inside = "".join(f"[{part!r}]" for part in error["loc"][1:])
    read = "" if name == "api_key" else f", got {error['input']!r:.80}"
    return f"{name}{inside} ({PREFIX}{name.upper()}): {message[:1].lower()}{message[1:]}{read}"
