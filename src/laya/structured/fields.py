"""Fields of a schema: how each kind of property is asked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from laya.errors import SchemaError
from laya.structured.plan import NULL_LABEL, NULL_TEXT, Field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laya.structured.numbers import Levels
    from laya.structured.references import Resolved

MAX_OPTIONS: Final = 255
"""Most values of one property."""

Option = tuple[Any, "str | None"]
"""A value and its description."""


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


def choice_field(keys: tuple[str, ...], path: str, options: list[Option], found: Resolved, *, omittable: bool) -> Field:
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


def number_field(keys: tuple[str, ...], path: str, levels: Levels, found: Resolved, *, omittable: bool) -> Field:
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


def many_field(keys: tuple[str, ...], path: str, options: list[Option], found: Resolved, *, omittable: bool) -> Field:
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


def presence_field(keys: tuple[str, ...], node: Mapping[str, Any], *, omittable: bool) -> Field:
    """Whether a nullable object is given at all."""
    name = ".".join(keys)
    asked = f"Is `{name}` given?"
    description = _instructions(node, "")
    definition = {"type": "noul", "instructions": f"{description}\n{asked}" if description else asked}
    return Field(keys, "presence", {name: definition}, ("false", "true"), (False, True), True, omittable)
