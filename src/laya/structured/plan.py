"""What a schema asks: one field per leaf, and the questions of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["choice", "score", "noul", "many", "presence"]

NULL_LABEL: Final = "null"
NULL_TEXT: Final = "not stated, unknown or not applicable"


@dataclass(frozen=True, slots=True)
class Field:
    """A leaf of a schema, or the presence of a nullable object.

    Attributes:
        keys: names that lead to it in the values.
        kind: "many" is an array of labels (one yes/no question each); "presence" asks whether a nullable object is
            given at all; the others are question types.
        questions: id to definition; one, but for "many".
        labels: label of each value, in the order of `values`.
        values: what is returned for each label, lowest first for numbers, (False, True) for yes/no.
        nullable: null is a valid value.
        omittable: its object does not require it.
        continuous: the expected value is returned instead of the most probable one.
        sizes: least and most items of an array.
    """

    keys: tuple[str, ...]
    kind: Kind
    questions: Mapping[str, Mapping[str, Any]]
    labels: tuple[str, ...]
    values: tuple[Any, ...]
    nullable: bool = False
    omittable: bool = False
    continuous: bool = False
    sizes: tuple[int, int] = (0, 0)

    @property
    def id(self) -> str:
        """Dotted path, such as "address.country"; also the id of its question, but for "many"."""
        return ".".join(self.keys)

    def item_id(self, label: str) -> str:
        """Question id of one label of a "many" field, such as "tags[red]"."""
        return f"{self.id}[{label}]"


@dataclass(frozen=True, slots=True)
class Plan:
    """A schema, read. Pass it to `decide` in place of the schema to read the schema only once.

    Attributes:
        fields: in the order of the schema; a "presence" field stands before the fields of its object.
        model: the pydantic class the schema came from, or None.
    """

    fields: tuple[Field, ...]
    model: Any = None

    @property
    def questions(self) -> dict[str, dict[str, Any]]:
        """Questions of all fields, as fresh dicts."""
        return {qid: dict(definition) for field in self.fields for qid, definition in field.questions.items()}
