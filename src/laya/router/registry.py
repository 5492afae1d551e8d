"""Which checkpoints a Router knows, and where each comes from."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laya.errors import ArgumentError, ArgumentTypeError
from laya.language.codes import language_code
from laya.router.names import (
    ALIASES,
    BUILTIN,
    CATALOGUES,
    Source,
    canonical,
    check_new_name,
    near_builtin,
    parse_source,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


class Registry:
    """Sources by canonical name. The mapping is replaced and never changed, so readers need no lock.

    Args:
        models: "embedded", "hub", or a dict of name to source on top of the embedded ones.
    """

    def __init__(self, models: str | Mapping[str, Any] | None) -> None:
        self._lock = threading.Lock()
        if models is None or isinstance(models, Mapping):
            self.sources: Mapping[str, Source] = dict(CATALOGUES["embedded"])
            for name, source in (models or {}).items():
                self.add(name, source)
        elif isinstance(models, str) and models in CATALOGUES:
            self.sources = dict(CATALOGUES[models])  # type: ignore[index]  # checked in this line
        else:
            raise ArgumentError(
                f"models must be 'embedded', 'hub' or a dict of name to source, got {models!r}; "
                "for one checkpoint use laya.load(...)"
            )

    def knows(self, name: Any) -> bool:
        """Whether a name, or what it is an alias of, is known."""
        return isinstance(name, str) and canonical(name) in self.sources

    def resolve(self, name: Any) -> str:
        """Canonical name of a known checkpoint.

        Raises:
            ArgumentError: it is not known; lists those that are.
        """
        if type(name) is str and name in self.sources:
            return name
        self.source(name)
        return canonical(name)

    def source(self, name: Any) -> Source:
        """Where a known checkpoint comes from.

        Raises:
            ArgumentError: see `resolve`.
        """
        source = self.sources.get(canonical(name)) if isinstance(name, str) else None
        if source is None:
            raise ArgumentError(
                f"unknown model {name!r}; choose one of {sorted(self.sources)} (or an alias: {sorted(ALIASES)})"
            )
        return source

    def add(
        self, name: Any, source: Any, description: str | None = None, languages: Iterable[str] | None = None
    ) -> tuple[str, bool]:
        """Add or re-point a checkpoint.

        Returns:
            Its canonical name, and whether its source is another than before.

        Raises:
            ArgumentError, ArgumentTypeError: the name, source or a language code is not usable; nothing changed.
        """
        key = check_new_name(name)
        new = parse_source(source)
        if description is not None and not isinstance(description, str):
            raise ArgumentTypeError(f"description must be a string, got {description!r}")
        if description is not None:
            new = replace(new, description=description)
        if languages is not None:
            new = replace(new, languages=_codes(languages))
        near = near_builtin(key) if key not in BUILTIN else None
        if near is not None and key not in self.sources:
            warnings.warn(
                f"laya: registered checkpoint {key!r}, one letter away from the built-in {near!r}; was it a slip?",
                RuntimeWarning,
                stacklevel=3,
            )
        with self._lock:
            old = self.sources.get(key)
            self.sources = {**{k: s for k, s in self.sources.items() if k != key or k in BUILTIN}, key: new}
        return key, old is not None and (old.location, old.subfolder) != (new.location, new.subfolder)

    def remove(self, name: Any) -> str:
        """Forget a registered checkpoint.

        Raises:
            ArgumentError: it is built in or unknown.
        """
        key = self.resolve(name)
        if key in BUILTIN:
            raise ArgumentError(f"{key!r} is built in and cannot be unregistered; re-point it with register()")
        with self._lock:
            self.sources = {known: source for known, source in self.sources.items() if known != key}
        return key


def _codes(languages: Iterable[str]) -> tuple[str, ...]:
    if isinstance(languages, str):
        raise ArgumentTypeError(f"languages must be a list of codes, got the string {languages!r}")
    codes = []
    for given in languages:
        code = language_code(given)
        if code is None:
            raise ArgumentError(f"language code {given!r} names no language")
        codes.append(code)
    return tuple(codes)
