"""Following what a schema says elsewhere: local `$ref`, `allOf` of one, and the null branch of a union."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from laya.errors import SchemaError

UNIONS: Final = ("anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class Resolved:
    """A schema without indirection.

    Attributes:
        node: the keywords, those nearest to the property winning.
        nullable: null is one of its values.
        branches: the non-null branches of a union where there are several, else empty.
        trail: references followed to get here, to notice recursion further in.
    """

    node: Mapping[str, Any]
    nullable: bool
    branches: tuple[Mapping[str, Any], ...]
    trail: tuple[str, ...]


def resolve(root: Mapping[str, Any], node: Any, path: str, trail: tuple[str, ...] = ()) -> Resolved:
    """Follow `node` until it says itself what it is.

    Args:
        root: the whole schema, which local references point into.
        node: the schema to follow.
        path: where it stands, for errors.
        trail: references followed on the way to `node`.

    Raises:
        SchemaError: a reference leads nowhere, out of the schema or back to itself, or a union has only null.
    """
    nullable = False
    while True:
        node = _as_schema(node, path)
        if "$ref" in node:
            node, trail = _follow(root, node, path, trail)
            continue
        if "allOf" in node:
            node = _merge(node, "allOf", _only(node["allOf"], "allOf", path), path)
            continue
        union = next((key for key in UNIONS if key in node), None)
        if union is None:
            break
        branches = [_as_schema(branch, path) for branch in _list(node[union], union, path)]
        rest = [branch for branch in branches if branch.get("type") != "null"]
        nullable = nullable or len(rest) < len(branches)
        if not rest:
            raise SchemaError(f"{path}: {union} allows nothing but null, so there is nothing to ask", path=path)
        if len(rest) > 1:
            return Resolved(node, nullable, tuple(rest), trail)
        node = _merge(node, union, rest[0], path)
    return Resolved(node, nullable, (), trail)


def _follow(
    root: Mapping[str, Any], node: Mapping[str, Any], path: str, trail: tuple[str, ...]
) -> tuple[Mapping[str, Any], tuple[str, ...]]:
    reference = node["$ref"]
    if not isinstance(reference, str) or not reference.startswith("#"):
        raise SchemaError(
            f"{path}: $ref {reference!r} points out of the schema; only local references (#/$defs/...) are followed",
            path=path,
        )
    if reference in trail:
        raise SchemaError(f"{path}: $ref {reference!r} is recursive; flatten the schema to a fixed depth", path=path)
    target = _as_schema(_point(root, reference, path), path)
    # The definition's own description tells of the type, not of this property.
    target = {key: value for key, value in target.items() if key not in {"description", "title", "$defs"}}
    return _merge(node, "$ref", target, path), (*trail, reference)


def _point(root: Mapping[str, Any], reference: str, path: str) -> Any:
    found: Any = root
    for part in unquote(reference[1:]).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, list) and key.isascii() and key.isdigit() and int(key) < len(found):
            found = found[int(key)]
        else:
            raise SchemaError(f"{path}: $ref {reference!r} leads nowhere; add the definition", path=path)
    return found


def _merge(outer: Mapping[str, Any], via: str, inner: Any, path: str) -> dict[str, Any]:
    kept = {key: value for key, value in outer.items() if key != via}
    return {**_as_schema(inner, path), **kept}


def _only(value: Any, key: str, path: str) -> Any:
    items = _list(value, key, path)
    if len(items) != 1:
        raise SchemaError(f"{path}: {key} of {len(items)} schemas cannot be asked; merge them into one", path=path)
    return items[0]


def _list(value: Any, key: str, path: str) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise SchemaError(f"{path}: {key} must be a non-empty list of schemas, got {value!r}", path=path)
    return value


def _as_schema(value: Any, path: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise SchemaError(f"{path}: must be a schema object, got {value!r}", path=path)
    return value
