"""Who may call: several keys, kept as hashes, that can be changed while the server runs."""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
from typing import TYPE_CHECKING, Final

from laya.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from laya.server.settings import ServerSettings

logger = logging.getLogger("laya.server")

_LINE: Final = re.compile(r"(?P<name>[\w.@-]+)\s+sha256:(?P<digest>[0-9a-fA-F]{64})")


def hash_key(key: str) -> str:
    """The hash of a key, as the file of keys holds it: `sha256:` and 64 hexadecimal digits."""
    return f"sha256:{_digest(key.encode()).hex()}"


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(key).digest()


class Keys:
    """The keys that are accepted, by the name of their owner.

    Args:
        settings: where the keys come from.

    Raises:
        ArgumentError: a file is missing, or a line of it is malformed; names the file and line.
    """

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._digests: Mapping[bytes, str] = self._read()

    @property
    def required(self) -> bool:
        """Whether a key must be sent."""
        return self._settings.has_keys

    @property
    def names(self) -> list[str]:
        """Owners of the keys."""
        return sorted(set(self._digests.values()))

    def reload(self) -> bool:
        """Read the files again; a file that cannot be read leaves the keys as they are.

        Returns:
            Whether the keys were read.
        """
        try:
            self._digests = self._read()
        except ArgumentError:
            logger.exception("the keys could not be read again; those in use stay")
            return False
        logger.info("read the keys again: %d", len(self._digests))
        return True

    def owner(self, headers: Mapping[str, str]) -> str | None:
        """Owner of the key that a request has in `Authorization: Bearer` or `X-API-Key`; None if it is not accepted.

        Args:
            headers: headers of the request, by lower-case name.
        """
        sent = key_of(headers)
        if sent is None:
            return None
        digest = _digest(sent.encode("latin-1", "replace"))
        found = None
        for known, name in self._digests.items():  # all are compared, so that the time tells nothing
            if hmac.compare_digest(known, digest):
                found = name
        return found

    def _read(self) -> dict[bytes, str]:
        digests: dict[bytes, str] = {}
        if self._settings.api_key is not None:
            digests[_digest(self._settings.api_key.get_secret_value().encode())] = "default"
        if self._settings.api_key_file is not None:
            key = _text(self._settings.api_key_file).strip()
            if not key:
                raise ArgumentError(f"{self._settings.api_key_file} is empty; it must hold one key")
            digests[_digest(key.encode())] = "default"
        if self._settings.api_keys_file is not None:
            digests |= _lines(self._settings.api_keys_file)
        return digests


def key_of(headers: Mapping[str, str]) -> str | None:
    """The key that a request carries; the scheme is read in any case, as HTTP says."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and key.strip():
        return key.strip()
    return headers.get("x-api-key") or None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as exc:
        raise ArgumentError(f"the file of keys {str(path)!r} cannot be read: {exc}", path=str(path)) from exc


def _lines(path: Path) -> dict[bytes, str]:
    digests = {}
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise ArgumentError(
                f"{path}, line {number}: must be `name sha256:<64 hexadecimal digits>` "
                "(a key in clear does not belong here; hash it with laya.server.hash_key)",
                path=str(path),
            )
        digests[bytes.fromhex(found["digest"])] = found["name"]
    if not digests:
        raise ArgumentError(f"{path} holds no key", path=str(path))
    return digests
