"""The two dialects of /v1/decisions."""

import openai
import pytest

from server_builders import CHOICE, NOUL, SCORE, Running, body, client, fake_router

QUESTIONS = [
    {"type": "predicate", "name": "refund", "instructions": NOUL["instructions"]},
    {
        "type": "choice",
        "instructions": [{"type": "input_text", "text": CHOICE["instructions"]}],
        "choices": [{"value": "billing", "description": "invoices"}, {"value": "tech"}],
    },
    {"type": "score", "name": "anger", "instructions": SCORE["instructions"], "levels": [{"label": "calm"}]},
]


def ask(**changes):
    return {"model": "auto", "input": "I was charged twice", "questions": QUESTIONS, **changes}


@pytest.fixture
def api():
    with client() as made:
        yield made


def test_the_official_client_reads_the_answers():
    with fake_router() as router, Running(router, api_key="k") as server:
        with openai.OpenAI(api_key="k", base_url=f"{server.url}/v1", max_retries=0) as official:
            decided = official.decisions.create(**ask())
            with pytest.raises(openai.UnprocessableEntityError, match="'instructions' must not be empty"):
                official.decisions.create(**ask(questions=[{**QUESTIONS[0], "instructions": "  "}]))
        refused = pytest.raises(openai.AuthenticationError, match="a key is needed")
        with openai.OpenAI(api_key="wrong", base_url=f"{server.url}/v1", max_retries=0) as stranger, refused:
            stranger.decisions.create(**ask())
    refund, team, anger = decided.answers
    assert (refund.name, team.name, anger.name) == ("refund", None, "anger")
    assert 0 <= refund.probability <= 1
    assert team.choice in {"billing", "tech"}
    assert [entry.value for entry in team.probabilities] == ["billing", "tech"]
    assert [(entry.value, entry.label, entry.probability) for entry in anger.probabilities] == [(0, "calm", 1.0)]
    assert decided.usage.total_tokens == decided.usage.input_tokens > 0
    assert decided.model == "english"


def test_both_dialects_give_the_same_numbers(api):
    other = api.post("/v1/decisions", json=ask()).json()["answers"]
    own = api.post("/v1/decisions", json=body(questions={"a": NOUL, "b": CHOICE})).json()["answers"]
    assert other[0]["probability"] == own["a"]["noul"]
    assert {p["value"]: p["probability"] for p in other[1]["probabilities"]} == own["b"]["probabilities"]
    assert (other[1]["choice"], other[1]["confidence"]) == (own["b"]["choice"], own["b"]["confidence"])


def test_a_boolean_and_its_text_are_two_choices(api):
    choices = [{"value": True}, {"value": "true"}, {"value": False}]
    answered = api.post("/v1/decisions", json=ask(questions=[{**QUESTIONS[1], "choices": choices}]))
    (answer,) = answered.json()["answers"]
    assert [entry["value"] for entry in answer["probabilities"]] == [True, "true", False]


def test_a_conversation_with_tools_is_read(api):
    items = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": [{"type": "input_text", "text": "hi"}, {"type": "input_json", "data": {"a": 1}}]},
        {"role": "assistant", "content": [{"type": "output_text", "text": "no"}, {"type": "refusal", "refusal": "oh"}]},
        {"type": "function_call", "call_id": "1", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": [{"type": "input_text", "text": "found"}]},
        {"type": "custom_tool_call", "call_id": "2", "name": "run", "input": "ls"},
        {"type": "custom_tool_call_output", "call_id": "2", "output": "files"},
    ]
    turns = [
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": ["hi", {"a": 1}]},
        {"role": "assistant", "content": "no\noh"},
        {"tool": "look", "arguments": "{}"},
        {"tool_output": "found"},
        {"tool": "run", "arguments": "ls"},
        {"tool_output": "files"},
    ]
    other = api.post("/v1/decisions", json=ask(input=items, questions=QUESTIONS[:1])).json()
    own = api.post("/v1/decisions", json=body(state=turns)).json()
    assert other["answers"][0]["probability"] == own["answers"]["refund"]["noul"]
    assert other["usage"]["input_tokens"] == own["usage"]["input_tokens"]


@pytest.mark.parametrize(
    ("change", "loc"),
    [
        ({"input": []}, ["input"]),
        ({"input": 5}, ["input"]),
        ({"input": ["x"]}, ["input", 0]),
        ({"input": [{"role": "tool", "content": "x"}]}, ["input", 0]),
        ({"input": [{"role": "user", "content": []}]}, ["input", 0, "content"]),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image"}]}]},
            ["input", 0, "content", 0],
        ),
        ({"questions": []}, ["questions"]),
        ({"questions": {}}, ["questions"]),
        ({"questions": [QUESTIONS[0], {"type": "nope"}]}, ["questions", 1]),
        ({"questions": [{**QUESTIONS[1], "choices": [{"value": "a"}]}]}, ["questions", 0, "choices"]),
        ({"questions": [{**QUESTIONS[1], "choices": [{"value": "a"}] * 2}]}, ["questions", 0, "choices"]),
        ({"questions": [{**QUESTIONS[2], "levels": []}]}, ["questions", 0, "levels"]),
        ({"questions": [QUESTIONS[0], {**QUESTIONS[0], "instructions": " "}]}, ["questions", 1]),
        ({"questions": [QUESTIONS[0]] * 65}, ["questions"]),
        ({"input": "x" * 5000, "x_truncation": "error"}, ["input"]),
        ({"model": 5}, ["model"]),
    ],
)
def test_what_cannot_be_read_is_named(api, change, loc):
    refused = api.post("/v1/decisions", json=ask(**change))
    assert refused.status_code == 422
    assert refused.json()["detail"][0]["loc"] == ["body", *loc]
