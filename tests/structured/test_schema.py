import enum
import json
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from laya.errors import SchemaError
from laya.structured import MAX_OPTIONS, MAX_PROPERTIES, plan_from_json_schema, questions_from_json_schema


def schema(**properties):
    return {"type": "object", "properties": properties}


def ask(node):
    """The one question of a schema with the property x."""
    return questions_from_json_schema(schema(x=node))["x"]


def field(node, **root):
    (only,) = plan_from_json_schema({**schema(x=node), **root}).fields
    return only


def test_each_kind_of_property_becomes_its_question():
    assert ask({"enum": ["a", 2, 1.5, None, "", {"k": [1]}]}) == {
        "type": "choice",
        "instructions": "What is `x`?",
        "criteria": {
            "a": None,
            "2": None,
            "1.5": None,
            "null": "not stated, unknown or not applicable",
            '""': None,
            '{"k": [1]}': None,
        },
    }
    assert ask({"const": "a", "enum": ["b"]})["criteria"] == {"a": None}
    assert ask({"type": "boolean"}) == {"type": "noul", "instructions": "Is `x` true?"}
    assert ask({"enum": [True, False]})["type"] == "noul"
    assert ask({"type": "integer", "minimum": 2, "maximum": 4}) == {
        "type": "score",
        "instructions": "Score `x` from 2 to 4",
        "criteria": ["2", "3", "4"],
    }


def test_a_description_becomes_the_instructions():
    assert ask({"type": "boolean", "description": "Is it urgent?"})["instructions"] == "Is it urgent?"
    assert ask({"type": "boolean", "description": " "})["instructions"] == "Is `x` true?"


@pytest.mark.parametrize(
    ("bounds", "values"),
    [
        ({"exclusiveMinimum": 0, "exclusiveMaximum": 6}, (1, 2, 3, 4, 5)),
        ({"exclusiveMinimum": 0.5, "maximum": 2.5}, (1, 2)),
        ({"minimum": 0, "exclusiveMinimum": 0, "maximum": 2}, (1, 2)),
        ({"minimum": 0, "maximum": 100, "multipleOf": 25}, (0, 25, 50, 75, 100)),
        ({"minimum": -7, "maximum": 7, "multipleOf": 2.5}, (-5, 0, 5)),
        ({"minimum": 3, "maximum": 3}, (3,)),
        ({"minimum": -2, "maximum": 0}, (-2, -1, 0)),
    ],
)
def test_integers_take_every_value_within_their_bounds(bounds, values):
    assert field({"type": "integer", **bounds}).values == values


def test_a_number_with_a_step_takes_exact_multiples():
    levels = field({"type": "number", "minimum": 0, "maximum": 0.4, "multipleOf": 0.1})
    assert levels.values == (0, 0.1, 0.2, 0.3, 0.4)
    assert not levels.continuous


def test_a_number_without_a_step_is_continuous():
    assert field({"type": "number", "minimum": 0.0, "maximum": 1.0}).continuous


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        ({"type": "integer", "minimum": 0, "maximum": 10}, "the bounds allow 11 levels, at most 10"),
        ({"type": "integer", "minimum": 5, "maximum": 1}, "no value lies within its bounds"),
        ({"type": "integer", "maximum": 1}, "minimum is missing"),
        ({"type": "integer", "minimum": 1}, "maximum is missing"),
        ({"type": "integer", "minimum": True, "maximum": 5}, "minimum must be a finite number, got True"),
        ({"type": "integer", "minimum": 1, "maximum": float("inf")}, "maximum must be a finite number, got inf"),
        ({"type": "integer", "minimum": 1, "maximum": 5, "multipleOf": 0}, "multipleOf must be positive"),
        ({"type": "number", "minimum": 0.5, "maximum": 1}, "a number without multipleOf needs whole-number"),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "a number without multipleOf needs whole-number"),
        ({"type": "string"}, "free text cannot be decided"),
        ({"type": "string", "pattern": "a|b"}, "free text cannot be decided"),
        ({"enum": []}, "enum must be a non-empty list"),
        ({"enum": "ab"}, "enum must be a non-empty list"),
        ({"enum": [1, "1"]}, "the values 1 and '1' have the same label '1'"),
        ({"enum": ["a", "a"]}, "have the same label 'a'"),
        ({"enum": [None, "null"]}, "have the same label 'null'"),
        ({"enum": [float("nan")]}, "cannot be written as JSON"),
        ({"type": "string", "enum": ["a", 1]}, "the enum value 1 is not of type 'string'"),
        ({"type": "integer", "enum": [True]}, "the enum value True is not of type 'integer'"),
        ({"enum": list(range(MAX_OPTIONS + 1))}, f"{MAX_OPTIONS + 1} values are more than the {MAX_OPTIONS}"),
        ({"type": ["integer", "boolean"]}, "must name exactly one type besides null"),
        ({"type": "null"}, "unsupported schema"),
        ({"minimum": 1, "maximum": 5}, "unsupported schema"),
        ({}, "unsupported schema"),
        ("x", "must be a schema object"),
        ({"anyOf": [{"type": "null"}]}, "anyOf allows nothing but null"),
        ({"anyOf": []}, "anyOf must be a non-empty list"),
        ({"anyOf": [{"type": "boolean"}, {"enum": [1]}]}, "a union of several non-null branches"),
        ({"allOf": [{"type": "boolean"}, {"enum": [1]}]}, "allOf of 2 schemas cannot be asked"),
        ({"$ref": "#/$defs/none"}, "leads nowhere"),
        ({"$ref": "other.json"}, "points out of the schema"),
        ({"$ref": "#/properties/x"}, "is recursive"),
        ({"type": "object"}, "an object must have a non-empty 'properties'"),
        ({"type": "array"}, "must be a schema object|so its items need an enum"),
        ({"type": "array", "items": {"type": "string"}}, "so its items need an enum"),
        ({"type": "array", "items": {"enum": ["a", None]}}, "null cannot be an item"),
        ({"type": "array", "items": {"enum": ["a"]}, "minItems": 2}, "minItems 2 cannot be met"),
        ({"type": "array", "items": {"enum": ["a"]}, "maxItems": -1}, "maxItems must be an integer of at least 0"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_its_path(node, problem):
    with pytest.raises(SchemaError, match=problem) as caught:
        questions_from_json_schema(schema(x=node))
    assert str(caught.value).startswith("properties.x")
    assert caught.value.path.startswith("properties.x")
    assert caught.value.code == "invalid_schema"
    assert isinstance(caught.value, ValueError)


@pytest.mark.parametrize(
    ("whole", "problem"),
    [
        (None, "must be a JSON Schema dict or a pydantic v2 model class, got NoneType"),
        (dict, "dict is not a pydantic v2 model class"),
        ({"type": "array"}, "the top level must be an object"),
        ({"anyOf": [{"properties": {}}, {"enum": [1]}]}, "the top level must be an object"),
        ({"properties": {}}, "non-empty 'properties'"),
        (schema(**{str(i): {"type": "boolean"} for i in range(MAX_PROPERTIES + 1)}), "at most 32 properties"),
        (schema(**{" ": {"type": "boolean"}}), "a property needs a name that is not blank"),
    ],
)
def test_a_bad_schema_as_a_whole_is_refused(whole, problem):
    with pytest.raises(SchemaError, match=problem):
        questions_from_json_schema(whole)


def test_null_is_an_option_of_its_own():
    assert list(ask({"type": ["boolean", "null"]})["criteria"]) == ["true", "false", "null"]
    assert list(ask({"anyOf": [{"enum": ["a"]}, {"type": "null"}]})["criteria"]) == ["a", "null"]
    levels = ask({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 3}, {"type": "null"}]})
    assert (levels["type"], list(levels["criteria"])) == ("choice", ["1", "2", "3", "null"])


def test_an_enum_beside_a_nullable_type_lists_null_itself_or_not_at_all():
    assert not field({"type": ["string", "null"], "enum": ["a", "b"]}).nullable
    assert field({"type": ["string", "null"], "enum": ["a", None]}).nullable


def test_references_are_followed_and_outer_keywords_win():
    colour = {"enum": ["red", "blue"], "description": "A colour, as a type."}
    found = field({"$ref": "#/$defs/a~1b"}, **{"$defs": {"a/b": {"$ref": "#/$defs/colour"}, "colour": colour}})
    assert found.values == ("red", "blue")
    assert found.questions["x"]["instructions"] == "What is `x`?"
    outer = field({"allOf": [{"$ref": "#/definitions/c"}], "description": "Which?"}, definitions={"c": colour})
    assert outer.questions["x"]["instructions"] == "Which?"


def test_described_constants_become_described_labels():
    union = {"oneOf": [{"const": "a", "description": "first"}, {"const": "b"}, {"type": "null"}]}
    assert ask(union)["criteria"] == {"a": "first", "b": None, "null": "not stated, unknown or not applicable"}


def test_nested_objects_are_flattened_by_path():
    inner = schema(country={"enum": ["DE", "FR"]}, verified={"type": "boolean"})
    questions = questions_from_json_schema(schema(address=inner, vip={"type": "boolean"}))
    assert list(questions) == ["address.country", "address.verified", "vip"]
    assert questions["address.country"]["instructions"] == "What is `address.country`?"


def test_errors_inside_nested_objects_have_the_whole_path():
    with pytest.raises(SchemaError, match=r"^properties\.a\.properties\.b: free text"):
        questions_from_json_schema(schema(a=schema(b={"type": "string"})))


def test_colliding_question_ids_are_refused():
    clash = schema(**{"a.b": {"type": "boolean"}, "a": schema(b={"type": "boolean"})})
    with pytest.raises(SchemaError, match=r"^properties\.a\.properties\.b: its question id 'a\.b' is also that of"):
        questions_from_json_schema(clash)


def test_a_recursive_schema_is_refused():
    tree = {**schema(leaf={"type": "boolean"}, child={"$ref": "#"})}
    with pytest.raises(SchemaError, match=r"^properties\.child\.properties\.child: \$ref '#' is recursive"):
        questions_from_json_schema(tree)


def test_endless_nesting_is_refused():
    node = {"type": "boolean"}
    for _ in range(50):
        node = schema(a=node)
    with pytest.raises(SchemaError, match="objects nest deeper than 8 levels"):
        questions_from_json_schema(node)


def test_arrays_ask_one_question_per_value():
    tags = {"type": ["array", "null"], "items": {"enum": ["red", "blue"]}, "description": "Colours named."}
    assert questions_from_json_schema(schema(tags=tags)) == {
        "tags[red]": {"type": "noul", "instructions": "Colours named.\nDoes `tags` include 'red'?"},
        "tags[blue]": {"type": "noul", "instructions": "Colours named.\nDoes `tags` include 'blue'?"},
        "tags[null]": {"type": "noul", "instructions": "Is `tags` not stated, unknown or not applicable?"},
    }


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    country: Literal["DE", "FR"]


class Ticket(BaseModel):
    colour: Colour
    urgency: Annotated[int, Field(gt=0, lt=6)]
    share: Annotated[float, Field(ge=0, le=1)]
    spam: bool | None
    tags: set[Colour]
    address: Address | None = None


def test_a_pydantic_model_is_read_like_its_schema():
    plan = plan_from_json_schema(Ticket)
    assert plan.model is Ticket
    assert plan.questions == questions_from_json_schema(Ticket.model_json_schema())
    kinds = {f.id: f.kind for f in plan.fields}
    assert kinds == {
        "colour": "choice",
        "urgency": "score",
        "share": "score",
        "spam": "choice",
        "tags": "many",
        "address": "presence",
        "address.country": "choice",
    }
    assert plan_from_json_schema(plan) is plan


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYWORDS = st.sampled_from(
    ["type", "enum", "const", "minimum", "maximum", "multipleOf", "items", "properties", "anyOf", "allOf", "$ref"]
)
TYPES = st.sampled_from(["integer", "boolean", "array", "object", "null", ["integer", "null"]])
NODES = st.recursive(
    st.dictionaries(KEYWORDS, JSON | TYPES, max_size=4),
    lambda inner: st.dictionaries(KEYWORDS, JSON | TYPES | inner | st.lists(inner, max_size=2), max_size=4),
    max_leaves=5,
)


@given(st.dictionaries(st.text(max_size=4), NODES, max_size=3))
def test_any_schema_is_read_or_refused_by_path(properties):
    problem = None
    try:
        questions = questions_from_json_schema(schema(**properties))
    except SchemaError as exc:
        problem = exc
    if problem is None:
        json.dumps(questions, allow_nan=False)
    else:
        assert problem.path
        assert str(problem).startswith(problem.path)
