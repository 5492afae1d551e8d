"""The tools and the resource, asked by the SDK's client, which checks every result against the tool's schema."""

import asyncio
import json

import jsonschema
import msgspec
import pytest
from mcp.shared.exceptions import MCPError
from mcp_builders import call, called, connected, error_of, run, structured

import laya
from laya.mcp.reading import check_size
from laya.mcp.schemas import QuestionCost
from laya.plan import QuestionPlan
from laya.server import load_settings
from laya.server.errors import WireError
from laya.testing import fake_agent
from router_builders import Calls, Gate
from server_builders import CHOICE, ENOUGH, NOUL, SCORE, body, client, fake_router

TEXT = "I was charged twice, please send my money back"
LEVELS = ["calm", "cross", "furious"]
NAMES = ["ask", "check", "classify", "score", "route", "plan"]
MANY = {f"q{i}": NOUL for i in range(65)}


def answer_to(question, text=TEXT):
    return fake_agent().predict(text, {"q": question})["answers"]["q"]


# -- what there is ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_six_tools_that_change_nothing(mode):
    async def listed():
        async with connected(mode=mode) as found:
            return (await found.list_tools()).tools, found.instructions

    tools, instructions = run(listed())
    assert [tool.name for tool in tools] == NAMES
    assert "laya://models" in instructions
    for tool in tools:
        assert tool.title
        assert tool.description
        assert tool.annotations.read_only_hint
        for schema in (tool.input_schema, tool.output_schema):
            assert schema["type"] == "object"
            jsonschema.Draft202012Validator.check_schema(schema)


def test_the_schema_of_questions_tells_good_ones_from_bad_ones():
    async def listed():
        async with connected() as found:
            return (await found.list_tools()).tools[0].input_schema

    validator = jsonschema.Draft202012Validator(run(listed()))
    assert validator.is_valid({"state": TEXT, "questions": {"a": NOUL, "b": CHOICE, "c": SCORE}, "truncation": "scan"})
    assert not validator.is_valid({"state": TEXT, "questions": {"a": {"type": "noul", "criteria": ["x"]}}})
    assert not validator.is_valid({"state": TEXT, "questions": {}})
    assert not validator.is_valid({"state": TEXT, "questions": {"a": NOUL}, "trunctation": "scan"})


def test_checkpoints_are_a_resource():
    async def read():
        async with connected() as found:
            (resource,) = (await found.list_resources()).resources
            (content,) = (await found.read_resource(resource.uri)).contents
            return resource, content

    resource, content = run(read())
    assert (resource.uri, content.mime_type) == ("laya://models", "application/json")
    names = [model["name"] for model in json.loads(content.text)["models"]]
    assert {"jev-latest", "english", "multilingual"} <= set(names)


def test_what_there_is_not_is_an_error_of_the_protocol():
    async def asked():
        async with connected() as found:
            with pytest.raises(MCPError, match=r"no tool 'asks'; there are ask, check"):
                await found.call_tool("asks", {})
            with pytest.raises(MCPError, match=r"no resource 'laya://model'; there is laya://models"):
                await found.read_resource("laya://model")

    run(asked())


# -- answers ---------------------------------------------------------------------------------------------------------


def test_check_is_a_yes_no_question():
    found = call("check", {"text": TEXT, "question": NOUL["instructions"]})
    noul = answer_to(NOUL)["noul"]
    assert found == {"model": "english", "cut": False, "holds": noul >= 0.5, "probability": noul}


@pytest.mark.parametrize("labels", [["billing", "tech"], {"billing": "invoices", "tech": None}])
def test_classify_is_a_choice(labels):
    found = call("classify", {"text": TEXT, "labels": labels, "instructions": CHOICE["instructions"]})
    wanted = answer_to({**CHOICE, "criteria": labels})
    assert found["label"] == wanted["choice"]
    assert found["probabilities"] == wanted["probabilities"]
    assert found["confidence"] == pytest.approx(laya.jev_confidence(wanted))


def test_classify_needs_no_instructions():
    assert set(call("classify", {"text": TEXT, "labels": ["a", "b"]})["probabilities"]) == {"a", "b"}


def test_score_names_the_levels():
    found = call("score", {"text": TEXT, "levels": LEVELS, "instructions": SCORE["instructions"]})
    wanted = answer_to(SCORE)
    by_level = {entry["level"]: entry["probability"] for entry in found["probabilities"]}
    assert list(by_level.values()) == list(wanted["probabilities"].values())
    assert found["score"] == wanted["score"]
    assert found["level"] == max(by_level, key=by_level.get)


def test_ask_answers_what_the_http_server_answers():
    questions = {"refund": NOUL, "team": CHOICE, "mood": SCORE}
    with client() as http:
        wanted = http.post("/v1/systemone", json=body(questions=questions)).json()
    assert call("ask", {"state": body()["state"], "questions": questions, "model": "jev-latest"}) == wanted


def test_a_strict_server_keeps_to_the_protocol_and_the_small_tools_still_tell_of_cuts():
    asked = call("ask", {"state": TEXT, "questions": {"q": NOUL}}, strict=True)
    assert set(asked) == {"model", "answers", "usage"}
    assert call("check", {"text": "word " * 1000, "question": "Is it long?"}, strict=True)["cut"]


def test_a_text_that_looks_like_json_stays_a_text():
    found = call("ask", {"state": "[1,2]", "questions": {"q": NOUL}})
    assert found["answers"]["q"]["noul"] == answer_to(NOUL, "[1,2]")["noul"] != answer_to(NOUL, [1, 2])["noul"]


def test_route_loads_nothing_and_tells_no_source():
    router = fake_router()
    found = call("route", {"state": "Je voudrais un remboursement pour ma commande"}, router, preload=False)
    assert (found["model"], router.loaded) == ("multilingual", [])
    assert set(found) == {"model", "reason", "reason_code", "detection", "workflow"}
    assert call("route", {"state": TEXT, "model": "english"}, preload=False)["reason_code"] == "explicit_model"


def test_plan_tells_costs_without_an_answer():
    begun = []
    router = fake_router([Calls("on_predict_start", begun.append)])
    found = call("plan", {"state": TEXT, "questions": {"q": NOUL}, "max_len": 400}, router)
    wanted = fake_agent().plan(TEXT, {"q": NOUL}, max_len=400)
    assert {**found, "model": None, "routing": None} == {**wanted, "model": None, "routing": None}
    assert found["routing"]["model"] == found["model"] == "english"
    assert not begun


def test_plan_has_every_field_of_the_engines_plan():
    assert {field.name for field in msgspec.structs.fields(QuestionCost)} == set(QuestionPlan.__annotations__)


def test_too_long_a_text_is_cut_read_in_windows_or_refused():
    asked = {"text": "word " * 1000, "question": "Is it long?"}
    assert call("check", asked)["cut"]
    assert not call("check", {**asked, "truncation": "scan"})["cut"]
    error = error_of(called("check", {**asked, "truncation": "error"}))
    assert (error["code"], error["path"]) == ("truncated", "text")


# -- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "changes", "code", "path"),
    [
        ("ask", {"state": None}, "missing", "state"),
        ("ask", {"state": 3}, "invalid_type", "state"),
        ("ask", {"questions": {}}, "invalid_type", "questions"),
        ("ask", {"questions": {"a": {"type": "noul"}}}, "invalid_question", "questions.a"),
        ("ask", {"questions": MANY}, "limit_exceeded", "questions"),
        ("ask", {"truncation": "cut"}, "invalid_type", "truncation"),
        ("ask", {"max_len": 9999}, "limit_exceeded", "max_len"),
        ("ask", {"modle": "english"}, "unknown_argument", "modle"),
        ("ask", {"model": "nobody"}, "unknown_model", "model"),
        ("check", {"text": ""}, "invalid_type", "text"),
        ("check", {"question": " "}, "invalid_question", "question"),
        ("classify", {"labels": []}, "invalid_type", "labels"),
        ("classify", {"labels": ["a", "a"]}, "duplicate", "labels"),
        ("classify", {"labels": [str(i) for i in range(256)]}, "limit_exceeded", "labels"),
        ("classify", {"labels": {"a": 1}}, "invalid_type", "labels"),
        ("score", {"levels": [""]}, "invalid_type", "levels"),
        ("score", {"levels": ["x"] * 33}, "limit_exceeded", "levels"),
        ("route", {"questions": MANY}, "limit_exceeded", "questions"),
        ("route", {"lang": "nonsense!"}, "invalid_argument", None),
        ("plan", {"questions": {"a": {"type": "box"}}}, "unsupported_input", "questions.a.type"),
    ],
)
def test_errors_have_a_code_and_a_path(tool, changes, code, path):
    good = {
        "ask": {"state": TEXT, "questions": {"a": NOUL}},
        "plan": {"state": TEXT, "questions": {"a": NOUL}},
        "check": {"text": TEXT, "question": "Is it?"},
        "classify": {"text": TEXT, "labels": ["a", "b"]},
        "score": {"text": TEXT, "levels": LEVELS},
        "route": {"state": TEXT},
    }[tool]
    arguments = {name: value for name, value in {**good, **changes}.items() if value is not None}
    error = error_of(called(tool, arguments))
    assert (error["code"], error["path"]) == (code, path)
    assert error["message"]
    assert len(error["request_id"]) == 32


def test_every_problem_is_told():
    error = error_of(called("check", {"texts": TEXT, "question": 3}))
    found = {(problem["path"], problem["code"]) for problem in error["problems"]}
    assert found == {("texts", "unknown_argument"), ("text", "missing"), ("question", "invalid_type")}


@pytest.mark.parametrize(
    ("state", "settings", "code"),
    [
        ("x" * 1000, {"max_body_bytes": 500}, "body_too_large"),
        ([[[["deep"]]]], {"max_depth": 4}, "invalid_json"),
    ],
)
def test_arguments_are_held_to_the_limits_of_a_body(state, settings, code):
    assert error_of(called("ask", {"state": state, "questions": {"a": NOUL}}, **settings))["code"] == code


def test_what_json_does_not_have_is_refused():
    with pytest.raises(WireError, match="NaN is not JSON"):
        check_size({"state": [float("nan")]}, load_settings())


def test_a_failure_inside_tells_nothing_of_the_inside():
    def broken(_name, _source):
        raise RuntimeError("the secret folder is broken")

    router = laya.Router(build=broken, default="english")
    error = error_of(called("check", {"text": TEXT, "question": "Is it?"}, router, preload=False))
    assert error["code"] == "internal_error"
    assert "secret" not in json.dumps(error)


def test_an_answer_does_not_hold_up_other_calls():
    gate = Gate()

    async def both():
        async with connected(fake_router([Calls("on_predict_start", gate)])) as found:
            slow = asyncio.create_task(found.call_tool("check", {"text": TEXT, "question": "Is it?"}))
            await asyncio.to_thread(gate.wait)
            quick = structured(await asyncio.wait_for(found.call_tool("route", {"state": TEXT}), ENOUGH))
            assert not slow.done()
            gate.open()
            return quick, structured(await slow)

    quick, slow = run(both())
    assert quick["model"] == slow["model"] == "english"


def test_hooks_see_the_request_id():
    seen = []
    router = fake_router([Calls("on_predict_start", lambda ctx: seen.append(ctx.request_id))])
    call("check", {"text": TEXT, "question": "Is it?"}, router)
    assert len(seen) == 1
    assert len(seen[0]) == 32
