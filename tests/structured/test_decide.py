import copy
import enum
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from laya.errors import AbstentionError, ArgumentError, ArgumentTypeError, HookResultError, SchemaError
from laya.structured import (
    answer_to_pydantic,
    answers_to_json,
    decide,
    decide_batch,
    plan_from_json_schema,
    questions_from_json_schema,
)
from laya.testing import fake_agent


def answer(definition, likes, sure=1.0):
    """An answer to a definition; `likes` weighs each option, and `sure` is its calibrated confidence."""
    if definition["type"] == "noul":
        return {"type": "noul", "noul": likes, "confidence": max(likes, 1 - likes), "answer_confidence": sure}
    weights = likes or [1.0, *[0.0] * (len(definition["criteria"]) - 1)]
    p = [weight / sum(weights) for weight in weights]
    common = {"confidence": 0.5, "answer_confidence": sure}
    if definition["type"] == "score":
        level = sum(i * x for i, x in enumerate(p))
        return {"type": "score", "score": level, "probabilities": {str(i): x for i, x in enumerate(p)}, **common}
    labels = list(definition["criteria"])
    best = labels[p.index(max(p))]
    return {"type": "choice", "choice": best, "probabilities": dict(zip(labels, p, strict=True)), **common}


class Runner:
    """Answers from a table: question id to weights, or to (weights, confidence)."""

    def __init__(self, **table):
        self.table = table
        self.calls = []

    def predict(self, state, questions, **options):
        self.calls.append((state, questions, options))
        answers = {}
        for qid, definition in questions.items():
            entry = self.table.get(qid, 0.0 if definition["type"] == "noul" else None)
            if entry == "gone":
                continue
            likes, sure = entry if isinstance(entry, tuple) else (entry, 1.0)
            answers[qid] = answer(definition, likes, sure)
        return {"model": "table", "answers": answers, "usage": {"input_tokens": 3}, "routing": {"model": "table"}}

    def predict_batch(self, states, questions, batch_size=None, **options):
        return [self.predict(state, questions, **options) for state in states]


class RequestRunner(Runner):
    takes_requests = True

    def predict_batch(self, requests, **options):
        self.batch_options = options
        return [self.predict(**request) for request in requests]


def schema(required=(), **properties):
    return {"type": "object", "properties": properties, "required": list(required)}


SCALE = {"type": "integer", "minimum": 1, "maximum": 3}


def test_values_come_back_as_the_schema_wrote_them():
    values = {"enum": ["a", 2, None]}
    assert decide(Runner(x=[0, 1, 0]), "s", schema(x=values)) == {"x": 2}
    assert decide(Runner(x=[0, 0, 1]), "s", schema(x=values)) == {"x": None}
    assert decide(Runner(x=0.5), "s", schema(x={"type": "boolean"})) == {"x": True}
    assert decide(Runner(x=0.49), "s", schema(x={"type": "boolean"})) == {"x": False}
    assert decide(Runner(x=[1, 0, 1]), "s", schema(x=SCALE)) == {"x": 1}
    assert decide(Runner(), "s", schema(x={"const": {"k": 1}})) == {"x": {"k": 1}}


def test_nullable_kinds_can_answer_null():
    boolean = {"type": ["boolean", "null"]}
    assert [decide(Runner(x=w), "s", schema(x=boolean))["x"] for w in ([1, 0, 0], [0, 1, 0], [0, 0, 1])] == [
        True,
        False,
        None,
    ]
    level = {**SCALE, "type": ["integer", "null"]}
    assert [decide(Runner(x=w), "s", schema(x=level))["x"] for w in ([0, 1, 0, 0], [0, 0, 0, 1])] == [2, None]


def test_a_continuous_number_is_the_expected_level():
    share = {"type": "number", "minimum": 0, "maximum": 1}
    assert decide(Runner(x=[0.25, 0.75]), "s", schema(x=share)) == {"x": 0.75}
    stars = {"type": ["number", "null"], "minimum": 1, "maximum": 3}
    assert decide(Runner(x=[1, 0, 3, 1]), "s", schema(x=stars)) == {"x": pytest.approx(2.5)}
    assert decide(Runner(x=[1, 0, 3, 9]), "s", schema(x=stars)) == {"x": None}


def test_arrays_select_labels_within_their_sizes():
    tags = {"type": "array", "items": {"enum": ["red", "green", "blue"]}}
    likes = {"tags[red]": 0.6, "tags[green]": 0.2, "tags[blue]": 0.9}
    assert decide(Runner(**likes), "s", schema(tags=tags)) == {"tags": ["red", "blue"]}
    assert decide(Runner(**likes), "s", schema(tags={**tags, "maxItems": 1})) == {"tags": ["blue"]}
    assert decide(Runner(**likes), "s", schema(tags={**tags, "minItems": 3})) == {"tags": ["red", "green", "blue"]}
    assert decide(Runner(), "s", schema(tags=tags)) == {"tags": []}
    nullable = {**tags, "type": ["array", "null"]}
    assert decide(Runner(**likes, **{"tags[null]": 0.9}), "s", schema(tags=nullable)) == {"tags": None}
    assert decide(Runner(**likes), "s", schema(tags=nullable)) == {"tags": ["red", "blue"]}


def test_nested_objects_are_built_again():
    address = schema(country={"enum": ["DE", "FR"]}, verified={"type": "boolean"})
    runner = Runner(**{"address.country": [0, 1], "address.verified": 1.0})
    assert decide(runner, "s", schema(address=address)) == {"address": {"country": "FR", "verified": True}}
    optional = schema(address={"anyOf": [address, {"type": "null"}]})
    assert decide(runner, "s", optional) == {"address": None}
    assert decide(Runner(address=1.0, **runner.table), "s", optional)["address"]["country"] == "FR"


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(BaseModel):
    country: Literal["DE", "FR"]


class Ticket(BaseModel):
    model_config = ConfigDict(strict=True)

    colour: Colour
    urgency: Annotated[int, Field(gt=0, lt=6)]
    share: Annotated[float, Field(ge=0, le=1)]
    spam: bool | None
    tags: set[Colour] = Field(alias="labels")
    address: Address | None = None


TICKET = {
    "colour": [0, 1],
    "urgency": [0, 0, 0, 0, 1],
    "share": [1, 3],
    "labels[red]": 1.0,
    "address": 1.0,
}


def test_a_model_class_in_gives_an_instance_out():
    runner = Runner(**TICKET)
    ticket = decide(runner, "s", Ticket)
    assert ticket == Ticket.model_validate(
        {
            "colour": Colour.BLUE,
            "urgency": 5,
            "share": 0.75,
            "spam": True,
            "labels": {Colour.RED},
            "address": Address(country="DE"),
        }
    )
    assert decide_batch(runner, ["s", "t"], Ticket) == [ticket, ticket]
    assert decide(runner, "s", Ticket, return_details=True).values == ticket
    answers = runner.predict("s", questions_from_json_schema(Ticket))["answers"]
    assert answer_to_pydantic(Ticket, answers) == ticket
    assert answers_to_json(answers, Ticket)["labels"] == ["red"]


def test_a_models_own_validators_run():
    class Never(BaseModel):
        ok: bool

        @model_validator(mode="after")
        def refuse(self):
            raise ValueError("never")

    with pytest.raises(ValidationError, match="never"):
        decide(Runner(), "s", Never)


UNSURE = ([1, 0, 0], 0.3)


def test_a_required_field_that_cannot_be_null_is_never_null_silently():
    runner = Runner(x=UNSURE)
    strict = schema(["x", "y"], x=SCALE, y={"type": "boolean"})
    with pytest.raises(AbstentionError, match=r"no sure answer for 'x', which the schema requires") as caught:
        decide(runner, "s", strict, min_confidence=0.5)
    assert caught.value.path == "x"
    details = decide(runner, "s", strict, min_confidence=0.5, return_details=True)
    assert (details.values, details.abstained, details.missing) == ({"y": False}, ("x",), ("x",))
    assert not details.complete
    assert details.answers["x"]["low_confidence"]
    assert decide(runner, "s", strict, min_confidence=0.3) == {"x": 1, "y": False}
    with pytest.raises(AbstentionError, match="state 1: no sure answer for 'x'") as caught:
        decide_batch(Flaky(), ["a", "b"], strict, min_confidence=0.5)
    assert caught.value.index == 1


class Flaky(Runner):
    def predict(self, state, questions, **options):
        self.table = {} if state == "a" else {"x": UNSURE}
        return super().predict(state, questions, **options)


def test_an_abstained_field_is_null_or_left_out_where_the_schema_allows_it():
    nullable = schema(["x"], x={**SCALE, "type": ["integer", "null"]})
    optional = schema(x=SCALE)
    assert decide(Runner(x=([1, 0, 0, 0], 0.3)), "s", nullable, min_confidence=0.5) == {"x": None}
    assert decide(Runner(x=UNSURE), "s", optional, min_confidence=0.5) == {}
    details = decide(Runner(x=UNSURE), "s", optional, min_confidence=0.5, return_details=True)
    assert (details.abstained, details.missing, details.complete) == (("x",), (), True)


def test_a_model_default_stands_in_for_an_optional_field_that_abstained():
    class Rated(BaseModel):
        stars: Annotated[int, Field(ge=1, le=3)] = 2

    assert decide(Runner(stars=UNSURE), "s", Rated, min_confidence=0.5) == Rated(stars=2)


def test_an_array_abstains_as_a_whole():
    tags = {"type": "array", "items": {"enum": ["red", "blue"]}}
    runner = Runner(**{"tags[red]": (0.6, 0.6), "tags[blue]": (0.9, 0.9)})
    details = decide(runner, "s", schema(["tags"], tags=tags), min_confidence=0.7, return_details=True)
    assert details.missing == ("tags",)
    assert details.answer_confidence == {"tags": 0.6}


def test_an_answer_that_a_hook_removed_counts_as_abstained():
    with pytest.raises(AbstentionError, match="'x'"):
        decide(Runner(x="gone"), "s", schema(["x"], x=SCALE))


def test_details_are_keyed_by_field():
    tags = {"type": "array", "items": {"enum": ["red", "blue"]}}
    whole = schema(level={"type": "integer", "minimum": 2, "maximum": 3}, ok={"type": "boolean"}, tags=tags)
    runner = Runner(level=([1, 3], 0.9), ok=0.75, **{"tags[blue]": (1.0, 0.8)})
    details = decide(runner, "s", whole, return_details=True)
    assert details.values == {"level": 3, "ok": True, "tags": ["blue"]}
    assert details.probabilities == {
        "level": {"2": 0.25, "3": 0.75},
        "ok": {"false": 0.25, "true": 0.75},
        "tags": {"red": 0.0, "blue": 1.0},
    }
    assert details.answer_confidence == {"level": 0.9, "ok": 1.0, "tags": 0.8}
    assert details.confidence == {"level": 0.5, "ok": 0.75, "tags": 1.0}
    assert details.usage == {"input_tokens": 3}
    assert details.routing == {"model": "table"}
    assert details.complete


def test_plain_questions_give_raw_answers():
    questions = {"x": {"type": "noul", "instructions": "Is it?"}}
    raw = decide(Runner(x=(0.9, 0.2)), "s", questions=questions, min_confidence=0.5)
    assert raw["x"]["noul"] == 0.9
    assert raw["x"]["abstention"] == "abstained"
    details = decide(Runner(x=(0.9, 0.2)), "s", questions=questions, min_confidence=0.5, return_details=True)
    assert details.values == raw
    assert details.abstained == ("x",)


def test_results_of_the_runner_are_not_changed():
    class Shared(Runner):
        def predict(self, state, questions, **options):
            return self.kept

    runner = Shared()
    runner.kept = Runner(x=UNSURE).predict("s", questions_from_json_schema(schema(x=SCALE)))
    before = copy.deepcopy(runner.kept)
    decide(runner, "s", schema(x=SCALE), min_confidence=0.9)
    assert runner.kept == before


def test_options_reach_the_runner():
    runner = Runner()
    decide(runner, "s", schema(x=SCALE), lang="de", min_confidence=0.1)
    assert runner.calls[0][2] == {"lang": "de", "min_confidence": 0.1}
    decide(runner, "s", schema(x=SCALE))
    assert runner.calls[1][2] == {}


def test_a_runner_that_takes_requests_gets_request_options_in_each():
    runner = RequestRunner()
    plan = plan_from_json_schema(schema(x=SCALE))
    assert decide_batch(runner, ["s", "t"], plan, lang="de", task="t", hooks=[]) == [{"x": 1}, {"x": 1}]
    assert runner.batch_options == {"hooks": []}
    assert runner.calls == [
        ("s", plan.questions, {"lang": "de", "task": "t"}),
        ("t", plan.questions, {"lang": "de", "task": "t"}),
    ]


def test_errors_of_single_states_can_be_returned():
    class Failing(RequestRunner):
        def predict_batch(self, requests, errors, **options):
            return [super().predict_batch(requests[:1])[0], ValueError("boom")]

    whole = schema(["x"], x=SCALE)
    first, second = decide_batch(Failing(), ["s", "t"], whole, errors="return")
    assert first == {"x": 1}
    assert str(second) == "boom"
    first, _ = decide_batch(Failing(x=UNSURE), ["s", "t"], whole, errors="return", min_confidence=0.9)
    assert isinstance(first, AbstentionError)


@pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])
def test_an_agent_is_a_runner(layout):
    agent = fake_agent(layout=layout)
    details = decide(agent, "I was charged twice", Ticket, return_details=True)
    assert isinstance(details.values, Ticket)
    assert list(details.answers) == list(plan_from_json_schema(Ticket).questions)
    assert details.usage["windows"] == 1
    assert decide_batch(agent, ["I was charged twice"], Ticket, batch_size=1) == [details.values]


@pytest.mark.parametrize("states", ["text", b"bytes", None, 5, {"a": 1}, iter([])])
def test_decide_batch_wants_a_list(states):
    with pytest.raises(ArgumentTypeError, match="decide_batch expects a list of states"):
        decide_batch(Runner(), states, schema(x=SCALE))


def test_wrong_calls_are_refused():
    with pytest.raises(ArgumentError, match="pass exactly one of schema= or questions="):
        decide(Runner(), "s")
    with pytest.raises(ArgumentError, match="pass exactly one of schema= or questions="):
        decide(Runner(), "s", schema(x=SCALE), questions={})
    with pytest.raises(ArgumentError, match="min_confidence"):
        decide(Runner(), "s", schema(x=SCALE), min_confidence=2)
    with pytest.raises(ArgumentTypeError, match="needs a runner with predict_batch, got object"):
        decide_batch(object(), [], schema(x=SCALE))
    with pytest.raises(SchemaError):
        decide_batch(Runner(), [], schema(x={"type": "string"}))


@pytest.mark.parametrize(
    ("node", "bad", "problem"),
    [
        ({"enum": ["a"]}, {"choice": "z"}, "the answer 'z' is not one of its labels"),
        ({"type": "boolean"}, {"noul": 1.5}, "a number in \\[0, 1\\], got 1.5"),
        (SCALE, {"score": 3}, "a level from 0 to 2, got 3"),
    ],
)
def test_answers_that_no_model_gave_are_refused(node, bad, problem):
    with pytest.raises(HookResultError, match=problem) as caught:
        answers_to_json({"x": bad}, schema(x=node))
    assert caught.value.question == "x"


def test_a_score_without_probabilities_is_rounded():
    assert answers_to_json({"x": {"score": 1.6}}, schema(x=SCALE)) == {"x": 3}


LEAVES = st.one_of(
    st.just({"type": "boolean"}),
    st.lists(st.text(max_size=3) | st.integers(), min_size=1, max_size=4, unique_by=str).map(lambda v: {"enum": v}),
    st.tuples(st.integers(-5, 5), st.integers(0, 9)).map(
        lambda t: {"type": "integer", "minimum": t[0], "maximum": t[0] + t[1]}
    ),
    st.lists(st.sampled_from("abcd"), min_size=1, unique=True).map(lambda v: {"type": "array", "items": {"enum": v}}),
)
NAMES = st.text("xyz", min_size=1, max_size=3)
OBJECTS = st.recursive(
    LEAVES,
    lambda inner: st.dictionaries(NAMES, inner, min_size=1, max_size=3).map(lambda p: schema(list(p), **p)),
    max_leaves=6,
)


def values_of(node, data):
    """A value that the schema allows."""
    if "properties" in node:
        return {name: values_of(sub, data) for name, sub in node["properties"].items()}
    if "enum" in node:
        return data.draw(st.sampled_from(node["enum"]))
    if node["type"] == "array":
        chosen = data.draw(st.sets(st.sampled_from(node["items"]["enum"])))
        return [v for v in node["items"]["enum"] if v in chosen]
    if node["type"] == "boolean":
        return data.draw(st.booleans())
    return data.draw(st.integers(node["minimum"], node["maximum"]))


def table_of(plan, values):
    """Likes of a runner that is sure of `values`."""
    table = {}
    for field in plan.fields:
        value = values
        for key in field.keys:
            value = value[key]
        if field.kind == "many":
            table.update({field.item_id(v): float(v in value) for v in field.labels})
        elif field.kind == "noul":
            table[field.id] = float(value)
        else:
            table[field.id] = [float(type(v) is type(value) and v == value) for v in field.values]
    return table


@given(st.dictionaries(NAMES, OBJECTS, min_size=1, max_size=3), st.data())
def test_every_value_that_a_schema_allows_can_be_decided(properties, data):
    whole = schema(list(properties), **properties)
    values = values_of(whole, data)
    plan = plan_from_json_schema(whole)
    assert decide(Runner(**table_of(plan, values)), "s", plan) == values
