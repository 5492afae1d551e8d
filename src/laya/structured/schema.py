"""JSON Schema, or a pydantic model, as questions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from laya.errors import SchemaError
from laya.structured.numbers import MAX_SCORE_LEVELS, Levels, read_levels
from laya.structured.plan import NULL_LABEL, NULL_TEXT, Field, Plan
from laya.structured.references import Resolved, resolve

MAX_PROPERTIES: Final = 32
"""Most leaf properties of a schema, nested ones included."""
MAX_OPTIONS: Final = 255
"""Most values of one property."""
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

Option = tuple[Any, "str | None"]
"""A value and its description."""


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


def label_of(value: Any, path: str) -> str:
    """Label of a value: a text as it is, anything else, and a blank text, as JSON.

    Raises:
        SchemaError: JSON cannot hold the value.
    """
    if isinstance(value, str) and value.strip():
        return value
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError) as exc:
        raise SchemaError(f"{path}: the value {value!r} cannot be written as JSON ({exc})", path=path) from exc


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
        needed = set(required) if isinstance(required, list) else set()
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
            self._add(_choice(keys, path, constants, found, omittable=omittable), path)
            return
        kind, nullable = _type_of(found, path)
        rest = Resolved(found.node, nullable, (), found.trail)
        if kind == "object":
            if nullable:
                self._add(_presence(keys, found.node, omittable=omittable), path)
            self._object(rest, keys, path)
        elif kind == "array":
            self._array(rest, keys, path, omittable=omittable)
        elif kind == "boolean":
            self._add(_choice(keys, path, [(True, None), (False, None)], rest, omittable=omittable), path)
        elif kind in {"integer", "number"}:
            self._add(_number(keys, path, read_levels(found.node, kind, path), rest, omittable=omittable), path)
        elif kind == "string":
            raise SchemaError(f"{path}: free text cannot be decided; give it an 'enum' of the possible values", path=path)
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
        field = _many(keys, path, options, found, omittable=omittable)
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


def _check_labels(options: list[Option], path: str) -> tuple[str, ...]:
    if len(options) > MAX_OPTIONS:
        raise SchemaError(
            f"{path}: {len(options)} values are more than the {MAX_OPTIONS} that one question can offer; "
            "use laya.shortlist, or split the property",
            path=path,
        )
    labels = tuple(label_of(value, path) for value, _ in options)
    seen: dict[str, int] = {}
    for i, label in enumerate(labels):
        j = seen.setdefault(label, i)
        if j != i:
            raise SchemaError(
                f"{path}: the values {options[j][0]!r} and {options[i][0]!r} have the same label {label!r}; change one",
                path=path,
            )
    return labels


def _instructions(node: Mapping[str, Any], default: str) -> str:
    text = node.get("description")
    return text if isinstance(text, str) and text.strip() else default


def _choice(
    keys: tuple[str, ...], path: str, options: list[Option], found: Resolved, *, omittable: bool
) -> Field:
    """A choice between values; a noul question where they are exactly true and false."""
    name = ".".join(keys)
    has_null = any(value is None for value, _ in options)
    nullable = found.nullable or has_null
    if nullable and not has_null:
        options = [*options, (None, None)]
    labels = _check_labels(options, path)
    values = tuple(value for value, _ in options)
    is_boolean = len(values) == 2 and {id(value) for value in values} == {id(True), id(False)}
    if is_boolean:
        definition: dict[str, Any] = {
            "type": "noul",
            "instructions": _instructions(found.node, f"Is `{name}` true?"),
        }
        return Field(keys, "noul", {name: definition}, ("false", "true"), (False, True), omittable=omittable)
    texts = [NULL_TEXT if value is None and text is None else text for value, text in options]
    definition = {
        "type": "choice",
        "instructions": _instructions(found.node, f"What is `{name}`?"),
        "criteria": dict(zip(labels, texts, strict=True)),
    }
    return Field(keys, "choice", {name: definition}, labels, values, nullable, omittable)


def _number(keys: tuple[str, ...], path: str, levels: Levels, found: Resolved, *, omittable: bool) -> Field:
    """A score; a choice between the levels and null where null is allowed."""
    name = ".".join(keys)
    low, high = levels.values[0], levels.values[-1]
    instructions = _instructions(found.node, f"Score `{name}` from {low} to {high}")
    labels = _check_labels([(value, None) for value in levels.values], path)
    if not found.nullable:
        definition: dict[str, Any] = {"type": "score", "instructions": instructions, "criteria": list(labels)}
        return Field(
            keys, "score", {name: definition}, labels, levels.values, False, omittable, continuous=levels.continuous
        )
    criteria: dict[str, str | None] = {**dict.fromkeys(labels), NULL_LABEL: NULL_TEXT}
    definition = {"type": "choice", "instructions": instructions, "criteria": criteria}
    return Field(
        keys,
        "choice",
        {name: definition},
        (*labels, NULL_LABEL),
        (*levels.values, None),
        True,
        omittable,
        continuous=levels.continuous,
    )


def _many(
    keys: tuple[str, ...], path: str, options: list[Option], found: Resolved, *, omittable: bool
) -> Field:
    """One yes/no question per value of an array, and one for null where null is allowed."""
    name = ".".join(keys)
    if any(value is None for value, _ in options):
        raise SchemaError(f"{path}.items: null cannot be an item; remove it from the enum", path=f"{path}.items")
    labels = _check_labels(options, path)
    if found.nullable and NULL_LABEL in labels:
        raise SchemaError(f"{path}: the value 'null' and null itself have the same label; change one", path=path)
    sizes = _sizes(found.node, len(labels), path)
    description = _instructions(found.node, "")
    field = Field(keys, "many", {}, labels, tuple(v for v, _ in options), found.nullable, omittable, sizes=sizes)
    questions: dict[str, dict[str, Any]] = {}
    for label, (_, text) in zip(labels, options, strict=True):
        shown = label if text is None else f"{label} ({text})"
        asked = f"Does `{name}` include {shown!r}?"
        instructions = f"{description}\n{asked}" if description else asked
        questions[field.item_id(label)] = {"type": "noul", "instructions": instructions}
    if found.nullable:
        questions[field.item_id(NULL_LABEL)] = {"type": "noul", "instructions": f"Is `{name}` {NULL_TEXT}?"}
    return Field(keys, "many", questions, labels, field.values, found.nullable, omittable, sizes=sizes)


def _sizes(node: Mapping[str, Any], count: int, path: str) -> tuple[int, int]:
    least, most = node.get("minItems", 0), node.get("maxItems", count)
    for key, value in (("minItems", least), ("maxItems", most)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise SchemaError(f"{path}: {key} must be an integer of at least 0, got {value!r}", path=path)
    if least > min(most, count):
        raise SchemaError(
            f"{path}: minItems {least} cannot be met: there are {count} values and maxItems is {most}", path=path
        )
    return least, min(most, count)


def _presence(keys: tuple[str, ...], node: Mapping[str, Any], *, omittable: bool) -> Field:
    """Whether a nullable object is given at all."""
    name = ".".join(keys)
    asked = f"Is `{name}` given?"
    description = _instructions(node, "")
    definition = {"type": "noul", "instructions": f"{description}\n{asked}" if description else asked}
    return Field(keys, "presence", {name: definition}, ("false", "true"), (False, True), True, omittable)
