"""Whatever JSON comes in, what comes out is as documented: an answer or a refusal, never a failure of the server."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzing import examples
from laya.server.decisions import DecisionResponse
from laya.server.wire import BatchResponse, ErrorResponse, SystemOneResponse
from server_builders import CHOICE, NOUL, SCORE, client

WORDS = st.sampled_from(["noul", "choice", "score", "box", "a", "", " ", "true", "false", "auto", "é", "0", "scan"])
LEAVES = st.none() | st.booleans() | st.integers(-3, 300) | st.floats(allow_nan=False, allow_infinity=False) | WORDS
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=8
)


def some(fields, **good):
    """Objects with these fields, each good or anything, or absent."""
    values = {name: st.sampled_from(good[name]) | JSON if name in good else JSON for name in fields}
    return st.fixed_dictionaries({}, optional=values)


QUESTION = st.sampled_from([NOUL, CHOICE, SCORE]) | some(
    ["type", "instructions", "criteria", "labels", "option_order"],
    type=["noul", "choice", "score"],
    instructions=["Which?"],
    criteria=[["a", "b"], {"a": None}, {"true": "x"}],
)
OWN = some(
    ["model", "questions", "max_len", "head_max_len", "min_confidence", "lang", "task", "x_truncation", "assets"],
    model=["auto", "english"],
).flatmap(
    lambda rest: st.builds(
        lambda state, states, questions: {**rest, "state": state, "states": states, "questions": questions},
        st.just("hello") | JSON,
        st.lists(st.just("hello") | JSON, max_size=3),
        st.dictionaries(WORDS, QUESTION, max_size=3) | JSON,
    )
)
ITEM = JSON | some(
    ["type", "role", "content", "output", "name", "arguments", "input"],
    type=["message", "function_call", "function_call_output", "custom_tool_call"],
    role=["user", "assistant"],
    content=["hi", [{"type": "input_text", "text": "hi"}], [{"type": "input_json", "data": {}}]],
)
ASKED = JSON | some(
    ["type", "instructions", "choices", "levels", "name"],
    type=["predicate", "choice", "score"],
    instructions=["Which?"],
    choices=[[{"value": "a"}, {"value": True}]],
    levels=[[{"label": "low"}]],
)
OTHER = st.fixed_dictionaries(
    {
        "input": st.just("hello") | st.lists(ITEM, max_size=3) | JSON,
        "questions": st.lists(ASKED, max_size=3) | JSON,
        "model": st.just("auto") | JSON,
    }
)
FINE = {200, 400, 413, 422}
KINDS = {
    **dict.fromkeys(("/v1/systemone", "/v1/decisions"), SystemOneResponse),
    "/v1/systemone/batch": BatchResponse,
    "/v1/plan": dict,
}


@pytest.fixture(scope="module")
def api():
    with client() as made:
        yield made


@pytest.mark.parametrize("path", ["/v1/systemone", "/v1/systemone/batch", "/v1/plan", "/v1/decisions"])
@settings(deadline=None, max_examples=examples(40))  # a forward pass on a busy machine takes its time
@given(OWN | JSON)
def test_our_dialect(api, path, sent):
    check(api, path, sent)


@settings(deadline=None, max_examples=examples(40))  # as above
@given(OTHER)
def test_the_other_dialect(api, sent):
    check(api, "/v1/decisions", sent)


def check(api, path, sent):
    answered = api.post(path, content=json.dumps(sent).encode())
    assert answered.status_code in FINE, (sent, answered.text)
    kind = KINDS[path] if answered.status_code == 200 else ErrorResponse
    if kind is SystemOneResponse and isinstance(sent, dict) and "state" not in sent:
        kind = DecisionResponse
    msgspec.json.decode(answered.content, type=kind)
