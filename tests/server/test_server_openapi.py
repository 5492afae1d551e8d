"""The OpenAPI document says what the server does."""

import msgspec
import pytest

from laya.server.decisions import DecisionResponse
from laya.server.errors import TYPES
from laya.server.openapi import document
from laya.server.wire import BatchResponse, ErrorResponse, ModelList, SystemOneResponse
from server_builders import CHOICE, NOUL, SCORE, body, client


def references(value):
    if isinstance(value, dict):
        yield from ([value["$ref"]] if "$ref" in value else [])
        for item in value.values():
            yield from references(item)
    elif isinstance(value, list):
        for item in value:
            yield from references(item)


def test_every_reference_leads_somewhere():
    whole = document()
    names = {f"#/components/schemas/{name}" for name in whole["components"]["schemas"]}
    assert set(references(whole)) <= names


def test_every_route_of_the_document_exists():
    with client() as api:
        served = api.get("/openapi.json").json()
        assert served == msgspec.json.decode(msgspec.json.encode(document()))
        for path, verbs in served["paths"].items():
            for verb in verbs:
                assert api.request(verb.upper(), path).status_code not in {404, 405}, path


@pytest.mark.parametrize(
    ("sent", "status", "kind"),
    [
        (body(questions={"a": NOUL, "b": CHOICE, "c": SCORE}, min_confidence=0.9), 200, SystemOneResponse),
        (body(questions={}), 422, ErrorResponse),
        (body(model="nope"), 400, ErrorResponse),
    ],
)
def test_responses_are_what_the_document_says(sent, status, kind):
    with client() as api:
        answered = api.post("/v1/systemone", json=sent)
        assert answered.status_code == status
        msgspec.json.decode(answered.content, type=kind)
        msgspec.json.decode(api.get("/v1/models").content, type=ModelList)


def examples():
    for path, verbs in document()["paths"].items():
        if "post" in verbs:
            media = verbs["post"]["requestBody"]["content"]["application/json"]
            yield from ((path, example["value"]) for example in media["examples"].values())


@pytest.mark.parametrize(("path", "sent"), list(examples()))
def test_every_example_is_answered_as_the_document_says(path, sent):
    kind = {"/v1/systemone/batch": BatchResponse, "/v1/plan": dict}.get(path, SystemOneResponse)
    with client() as api:
        answered = api.post(path, json=sent)
    assert answered.status_code == 200
    msgspec.json.decode(answered.content, type=DecisionResponse if "input" in sent else kind)


def test_every_route_that_takes_a_body_has_an_example():
    assert {path for path, _ in examples()} == {path for path, verbs in document()["paths"].items() if "post" in verbs}


def test_every_status_that_is_sent_is_in_the_document():
    assert {str(status) for status in TYPES} - {"404", "405"} <= set(
        document()["paths"]["/v1/systemone"]["post"]["responses"]
    )
