"""Names of checkpoints: the built-in ones, their aliases, and the rules for new ones."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from laya.errors import ArgumentError, ArgumentTypeError

if TYPE_CHECKING:
    from collections.abc import Mapping

ENGLISH: Final = "english"
MULTILINGUAL: Final = "multilingual"
TYPED: Final = "typed-decisions"
HUB_REPOSITORY: Final = "convaiinnovations/laya"
EMBEDDED_ENGLISH: Final = "embedded/english"
EMBEDDED_MULTILINGUAL: Final = "embedded/multilingual"

BUILTIN: Final = (ENGLISH, MULTILINGUAL, TYPED)
ALIASES: Final[Mapping[str, str]] = {
    "en": ENGLISH,
    "laya": ENGLISH,
    "default": ENGLISH,
    "multi": MULTILINGUAL,
    "ml": MULTILINGUAL,
    "laya-multilingual": MULTILINGUAL,
    "typed": TYPED,
    "typed_decisions": TYPED,
    "laya-typed-decisions": TYPED,
    "decisions": TYPED,
}
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]*")

Catalogue = Literal["embedded", "hub"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a checkpoint comes from.

    Attributes:
        location: folder or hub id; None for a checkpoint that is only ever attached.
        subfolder: folder inside a bundle repository.
        languages: language codes it declares; () leaves it out of automatic routing.
        description: one line for people.
    """

    location: str | None
    subfolder: str | None = None
    languages: tuple[str, ...] = ()
    description: str | None = None

    @property
    def repo(self) -> str | None:
        """Location and subfolder, as decisions name them."""
        return f"{self.location}/{self.subfolder}" if self.subfolder else self.location


CATALOGUES: Final[Mapping[Catalogue, Mapping[str, Source]]] = {
    "embedded": {
        ENGLISH: Source(EMBEDDED_ENGLISH, description="the English checkpoint inside the package"),
        MULTILINGUAL: Source(EMBEDDED_MULTILINGUAL, description="the multilingual checkpoint inside the package"),
        TYPED: Source(None, description="not embedded"),
    },
    "hub": {
        ENGLISH: Source(HUB_REPOSITORY, description="published English checkpoint"),
        MULTILINGUAL: Source(HUB_REPOSITORY, MULTILINGUAL, description="published multilingual checkpoint"),
        TYPED: Source(HUB_REPOSITORY, TYPED, description="published checkpoint for typed workflows"),
    },
}

STANDALONE: Final[Mapping[str, str]] = {
    ENGLISH: HUB_REPOSITORY,
    MULTILINGUAL: f"{HUB_REPOSITORY}-multilingual",
    TYPED: f"{HUB_REPOSITORY}-typed-decisions",
}
"""The published checkpoints as repositories of their own."""


def canonical(name: object) -> str:
    """Lower-case name with aliases resolved; whether it exists is the registry's question."""
    folded = str(name).strip().lower()
    return ALIASES.get(folded, folded)


def check_new_name(name: object) -> str:
    """Canonical form of a name that is about to be registered.

    Raises:
        ArgumentError: it is not made of letters, digits, ".", "_" and "-", or is reserved.
    """
    if not isinstance(name, str):
        raise ArgumentTypeError(f"a checkpoint name must be a string, got {name!r}")
    folded = canonical(name)
    if not _NAME.fullmatch(folded) or folded == "auto":
        raise ArgumentError(
            f"invalid checkpoint name {name!r}; use letters, digits, '.', '_' and '-', starting with a letter or a "
            "digit, and not 'auto'"
        )
    return folded


def parse_source(source: object) -> Source:
    """Read a source: a folder or hub id, a (repository, subfolder) pair, a Source, or None (attached only).

    Raises:
        ArgumentTypeError: it is none of these.
    """
    if isinstance(source, Source):
        return source
    if source is None or isinstance(source, str):
        return Source(source)
    if isinstance(source, (tuple, list)) and len(source) == 2 and isinstance(source[0], str):
        if source[1] is None or isinstance(source[1], str):
            return Source(source[0], source[1])
    elif hasattr(source, "__fspath__"):
        return Source(str(source))
    raise ArgumentTypeError(
        f"a checkpoint source must be a path, a hub id, a (repository, subfolder) pair or None, got {source!r}"
    )


def near_builtin(name: str) -> str | None:
    """The built-in name that is one typing slip (insert, delete, replace, swap) away, if there is one."""
    return next((known for known in BUILTIN if name != known and _one_edit(name, known)), None)


def _one_edit(a: str, b: str) -> bool:
    if abs(len(a) - len(b)) > 1:
        return False
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    rest_a, rest_b = a[i:], b[i:]
    swapped = len(rest_a) > 1 and rest_a[1::-1] + rest_a[2:] == rest_b
    return swapped or rest_a[1:] == rest_b[1:] or rest_a[1:] == rest_b or rest_a == rest_b[1:]
