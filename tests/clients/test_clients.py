"""Clients that others wrote, against a running server: answers, models, keys, refusals, and a server that is busy."""

import sys

import httpx2
import pytest
import typesafe_sdk
from client_adapters import (
    KEY,
    JevLite,
    JevLiteDecisions,
    OpenAi,
    PyDecide,
    PyDecideDecisions,
    SemanticOperators,
    TypeSafeJs,
    TypeSafeSdk,
    TypeSafeSdkAsync,
    TypeSafeSdkZstd,
    needs_js,
)

import laya
from server_builders import CHOICE, ENOUGH, NOUL, SCORE

CLIENTS = (
    *(TypeSafeSdk, TypeSafeSdkZstd, TypeSafeSdkAsync, TypeSafeJs),
    *(JevLite, JevLiteDecisions, PyDecide, PyDecideDecisions, SemanticOperators, OpenAi),
)
DECISIONS = {JevLiteDecisions, PyDecideDecisions, OpenAi}
"""Those that speak the other dialect, which has texts and no other states."""
QUESTIONS = {"refund": NOUL, "team": CHOICE, "anger": SCORE}
TEXT = "I was charged twice for my order, and nobody answers. I want my money back. " * 14
BLANK = {"team": {"type": "choice", "instructions": "Which team?", "criteria": {" ": "nobody", "tech": "bugs"}}}


NEW_PYTHON = pytest.mark.skipif(sys.version_info < (3, 11), reason="the client needs Python 3.11")
MARKS = {
    TypeSafeJs: pytest.mark.skipif(bool(needs_js()), reason=needs_js() or "it can run"),
    **dict.fromkeys((JevLite, JevLiteDecisions, SemanticOperators), NEW_PYTHON),
}


def kinds(*, without=(), only=lambda kind: True):
    chosen = [kind for kind in CLIENTS if kind not in without and only(kind)]
    return pytest.mark.parametrize(
        "kind", [pytest.param(kind, id=kind.__name__, marks=MARKS.get(kind, ())) for kind in chosen]
    )


@pytest.fixture
def connect(kind):
    """Makes clients, and closes them."""
    made = []

    def run(url, key=KEY):
        made.append(kind(url, key))
        return made[-1]

    yield run
    for client in made:
        client.close()


@kinds()
def test_a_mixed_request_has_the_answers_of_the_engine(kind, connect, server, engine):
    asked = QUESTIONS
    if kind is JevLiteDecisions:  # it sends the number of a level as its label, and the text as the description
        asked = QUESTIONS | {"anger": {**SCORE, "criteria": [f"{i}: {t}" for i, t in enumerate(SCORE["criteria"])]}}
    assert connect(server.url).ask(TEXT, QUESTIONS) == engine(TEXT, asked)


@kinds(without=DECISIONS)
@pytest.mark.parametrize("state", [{"body": TEXT, "amounts": [1, 2.5, None]}, ["first", {"second": "zweitens"}]])
def test_a_state_may_be_any_object_or_list(connect, server, engine, state):
    assert connect(server.url).ask(state, QUESTIONS) == engine(state, QUESTIONS)


@kinds(only=lambda kind: kind.models)
def test_the_models_that_are_listed_can_be_asked(connect, server, engine):
    client = connect(server.url)
    names = client.models()
    assert names == ["jev-latest", "english", "multilingual"]
    for name in names[:2]:  # the third would have to be loaded first
        assert client.ask(TEXT, {"refund": NOUL}, model=name) == engine(TEXT, {"refund": NOUL})


@kinds()
def test_a_wrong_key_is_an_error_of_authentication(connect, server):
    client = connect(server.url, "wrong")
    with pytest.raises(client.stranger) as caught:
        client.ask(TEXT, QUESTIONS)
    assert "a key is needed: send it as 'Authorization: Bearer <key>'" in client.text(caught.value)


@kinds()
def test_the_text_of_a_refusal_reaches_the_caller(connect, server):
    client = connect(server.url)
    with pytest.raises(client.refused) as caught:
        client.ask(TEXT, BLANK)
    assert "choice label 0 is blank" in client.text(caught.value)


@kinds(only=lambda kind: getattr(kind, "asks_again", True))
def test_a_busy_server_is_asked_again(connect, crowded):
    answered = connect(crowded.url).ask("x", {"refund": NOUL})
    assert 0 <= answered["refund"] <= 1
    assert crowded.service.scheduler.stats().rejected == 1


@pytest.mark.parametrize("compression", ["zstd", False, None])
def test_the_official_sdk_compresses_unless_told_not_to(server, compression):
    encodings = []
    watching = httpx2.Client(
        timeout=ENOUGH,
        event_hooks={"request": [lambda request: encodings.append(request.headers.get("content-encoding"))]},
    )
    with typesafe_sdk.TypeSafeClient(
        api_key=KEY, base_url=server.url, compression=compression, http_client=watching
    ) as client:
        answered = client.system_one(
            state=TEXT, questions={"refund": typesafe_sdk.Noul(instructions=NOUL["instructions"])}
        )
    assert answered.nouls
    assert len(answered.request_id) == 32
    assert encodings == [None if compression is False else "zstd"]


def test_an_unknown_model_is_an_error_that_lists_those_there_are(server):
    official = TypeSafeSdk(server.url, KEY)
    with pytest.raises(typesafe_sdk.TypeSafeBadRequestError, match="unknown model 'nope'; use one of auto, jev-latest"):
        official.ask(TEXT, QUESTIONS, model="nope")
    official.close()


@NEW_PYTHON
def test_an_adapter_for_the_published_library_takes_ours():
    from semantic_operators import Boolean, Choice, Score
    from semantic_operators.providers.laya import Laya

    asked = {
        "refund": Boolean(NOUL["instructions"]),
        "team": Choice(CHOICE["instructions"], CHOICE["criteria"]),
        "anger": Score(SCORE["instructions"], SCORE["criteria"]),
    }
    with laya.load() as agent:
        answers = Laya(agent).ask(TEXT, asked)
        wanted = agent.predict(TEXT, QUESTIONS)["answers"]
    assert answers["refund"].probabilities["true"] == wanted["refund"]["noul"]
    assert answers["team"].probabilities == wanted["team"]["probabilities"]
    assert answers["anger"].value == wanted["anger"]["score"]
