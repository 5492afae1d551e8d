"""JSON Schema, or a pydantic model, as questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from laya.errors import SchemaError
from laya.structured.fields import MAX_OPTIONS, Option, choice_field, many_field, number_field, presence_field
from laya.structured.numbers import MAX_SCORE_LEVELS, read_levels
from laya.structured.plan import Field, Plan
from laya.structured.references import Resolved, resolve

MAX_PROPERTIES: Final = 32
"""Most leaf properties of a schema, nested ones included."""
MAX_QUESTIONS: Final = 512
"""Most questions of a schema: arrays ask one per value."""
MAX_DEPTH: Final = 8
"""Most levels of nested objects."""

__all__ = [
    "MAX_OPTIONS",
    "MAX_PROPERTIES",
    "MAX_SCORE_LEVELS",
    "plan_from_json_schema",
    "questions_from_json_schema",
    "questions_from_pydantic",
]

_OF_TYPE: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int, float),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


def questions_from_json_schema(schema: Any) -> dict[str, dict[str, Any]]:
    """Questions that a schema asks: id (dotted path) to definition.

    Raises:
        SchemaError: as `plan_from_json_schema`.
    """
    return plan_from_json_schema(schema).questions


questions_from_pydantic = questions_from_json_schema


def plan_from_json_schema(schema: Any) -> Plan:
    """Read a schema.

    Strings need an `enum` (or a `const`, or a union of described constants), integers and numbers need bounds, arrays
    need items with an enum; objects may be nested. A `description` becomes the instructions.

    Args:
        schema: a JSON Schema object, a pydantic v2 model class, or a plan, which is returned as it is.

    Raises:
        SchemaError: something cannot be asked; the message starts with its path.
    """
    if isinstance(schema, Plan):
        return schema
    model = schema if isinstance(schema, type) else None
    if model is not None:
        generate = getattr(model, "model_json_schema", None)
        if not callable(generate):
            raise SchemaError(
                f"schema: {model.__name__} is not a pydantic v2 model class; "
                "pass one, or a JSON Schema dict with properties",
                path="schema",
            )
        schema = generate()
    if not isinstance(schema, Mapping):
        raise SchemaError(
            f"schema: must be a JSON Schema dict or a pydantic v2 model class, got {type(schema).__name__}",
            path="schema",
        )
    reader = _Reader(schema)
    reader.read_root()
    return Plan(tuple(reader.fields), model)


class _Reader:
    """Walks a schema and collects its fields."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self.fields: list[Field] = []
        self._owners: dict[str, str] = {}

    def read_root(self) -> None:
        found = resolve(self.root, self.root, "schema")
        if found.branches or found.node.get("type", "object") != "object":
            raise SchemaError("schema: the top level must be an object with properties", path="schema")
        self._object(found, (), "schema")

    def _object(self, found: Resolved, keys: tuple[str, ...], path: str) -> None:
        properties = found.node.get("properties")
        if not isinstance(properties, Mapping) or not properties:
            raise SchemaError(f"{path}: an object must have a non-empty 'properties' object", path=path)
        if len(keys) >= MAX_DEPTH:
            raise SchemaError(f"{path}: objects nest deeper than {MAX_DEPTH} levels; flatten them", path=path)
        required = found.node.get("required")
        needed = required if isinstance(required, list) else []
        prefix = f"{path}." if keys else ""
        for name, node in properties.items():
            where = f"{prefix}properties.{name}"
            if not isinstance(name, str) or not name.strip():
                raise SchemaError(f"{where}: a property needs a name that is not blank, got {name!r}", path=where)
            self._property(node, (*keys, name), where, found.trail, omittable=name not in needed)

    def _property(
        self, node: Any, keys: tuple[str, ...], path: str, trail: tuple[str, ...], *, omittable: bool
    ) -> None:
        found = resolve(self.root, node, path, trail)
        constants = self._constants(found, path)
        if constants is not None:
            self._add(choice_field(keys, path, constants, found, omittable=omittable), path)
            return
        kind, nullable = _type_of(found, path)
        rest = Resolved(found.node, nullable, (), found.trail)
        if kind == "object":
            if nullable:
                self._add(presence_field(keys, found.node, omittable=omittable), path)
            self._object(rest, keys, path)
        elif kind == "array":
            self._array(rest, keys, path, omittable=omittable)
        elif kind == "boolean":
            self._add(choice_field(keys, path, [(True, None), (False, None)], rest, omittable=omittable), path)
        elif kind == "integer" or kind == "number":  # noqa: PLR1714 - a schema may say anything, even a list
            self._add(number_field(keys, path, read_levels(found.node, kind, path), rest, omittable=omittable), path)
        elif kind == "string":
            raise SchemaError(
                f"{path}: free text cannot be decided; give it an 'enum' of the possible values", path=path
            )
        else:
            raise SchemaError(
                f"{path}: unsupported schema {dict(found.node)!r}; give it an enum, a const, or a type", path=path
            )

    def _array(self, found: Resolved, keys: tuple[str, ...], path: str, *, omittable: bool) -> None:
        where = f"{path}.items"
        items = resolve(self.root, found.node.get("items", {}), where, found.trail)
        options = self._constants(items, where)
        if options is None or items.nullable:
            raise SchemaError(
                f"{where}: an array is asked as one yes/no question per value, so its items need an enum without null",
                path=where,
            )
        field = many_field(keys, path, options, found, omittable=omittable)
        self._add(field, path)

    def _constants(self, found: Resolved, path: str) -> list[Option] | None:
        """Values of an enum, a const or a union of such, or None where the schema is none of these."""
        if not found.branches:
            return _own_constants(found.node, path)
        options: list[Option] = []
        for branch in found.branches:
            part = resolve(self.root, branch, path, found.trail)
            constants = None if part.branches else _own_constants(part.node, path)
            if constants is None:
                raise SchemaError(
                    f"{path}: a union of several non-null branches can be asked only when every branch is a const or "
                    "an enum; keep one branch",
                    path=path,
                )
            text = part.node.get("description")
            options += [(value, text if isinstance(text, str) and text.strip() else None) for value, _ in constants]
        return options

    def _add(self, field: Field, path: str) -> None:
        for qid in field.questions:
            other = self._owners.setdefault(qid, path)
            if other != path:
                raise SchemaError(f"{path}: its question id {qid!r} is also that of {other}; rename one", path=path)
        self.fields.append(field)
        if len(self.fields) > MAX_PROPERTIES:
            raise SchemaError(f"{path}: a schema can have at most {MAX_PROPERTIES} properties; split it", path=path)
        if len(self._owners) > MAX_QUESTIONS:
            raise SchemaError(
                f"{path}: a schema can ask at most {MAX_QUESTIONS} questions, arrays one per value; split it", path=path
            )


def _own_constants(node: Mapping[str, Any], path: str) -> list[Option] | None:
    if "const" in node:
        return [(node["const"], None)]
    if "enum" not in node:
        return None
    values = node["enum"]
    if not isinstance(values, list) or not values:
        raise SchemaError(f"{path}: enum must be a non-empty list of values, got {values!r}", path=path)
    types = node.get("type")
    names = types if isinstance(types, list) else [types]
    for value in values:
        if types is not None and not any(_is_of_type(value, name) for name in names):
            raise SchemaError(f"{path}: the enum value {value!r} is not of type {types!r}; correct one", path=path)
    return [(value, None) for value in values]


def _is_of_type(value: Any, name: Any) -> bool:
    if isinstance(value, bool) and name != "boolean":
        return False
    if name == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _OF_TYPE.get(str(name), (object,)))


def _type_of(found: Resolved, path: str) -> tuple[str | None, bool]:
    """The one type that is not null, and whether null is allowed."""
    value = found.node.get("type")
    if value is None and "properties" in found.node:
        return "object", found.nullable
    names = value if isinstance(value, list) else [value]
    rest = [name for name in names if name != "null"]
    if len(rest) != 1 and isinstance(value, list):
        raise SchemaError(f"{path}: type {value!r} must name exactly one type besides null", path=path)
    return (rest[0] if rest else None), found.nullable or len(rest) < len(names)
