"""Bodies as requests: every problem is named, and what the protocol lets clients leave out is filled in."""

import pytest

from laya.server import load_settings
from laya.server.errors import WireError
from laya.server.models import ModelNames, Residents
from laya.server.reading import Reader
from server_builders import CHOICE, NOUL, SCORE, body, fake_router


@pytest.fixture
def read():
    """Reads a body, with settings if need be."""
    routers = []

    def run(value, what="system_one", **settings):
        router = fake_router()
        routers.append(router)
        chosen = load_settings(**settings)
        return getattr(Reader(chosen, ModelNames(router, chosen, Residents(router))), what)(value)

    yield run
    for router in routers:
        router.close()


def problems(read, value, what="system_one", **settings):
    with pytest.raises(WireError) as caught:
        read(value, what, **settings)
    assert caught.value.status == 422
    return {problem.loc: problem for problem in caught.value.problems}


def test_a_request_becomes_one_of_the_router(read):
    controls = {"task": "english", "lang": "de", "max_len": 64, "min_confidence": 0.5, "head_max_len": 32}
    asked = read(body(**controls, x_trace="t", seed=7))
    assert asked.requests == ({"state": "I was charged twice", "questions": {"refund": NOUL}, **controls},)
    assert asked.locs == (("state",),)
    assert not asked.scan
    assert asked.warnings == ()


def test_a_control_that_is_null_is_not_forwarded(read):
    assert read({**body(), "lang": None, "max_len": None, "assets": None, "model": None}).requests == (
        {"state": "I was charged twice", "questions": {"refund": NOUL}},
    )


@pytest.mark.parametrize(
    ("name", "model"),
    [
        *(("jev-latest", None), ("JEV-Latest", None), ("auto", None)),
        *(("english", "english"), ("ml", "multilingual"), ("fast", "english")),
    ],
)
def test_names_of_models(read, name, model):
    (request,) = read(body(model=name), aliases={"fast": "en"}).requests
    assert request.get("model") == model


@pytest.mark.parametrize("name", ["jev-lates", "../secret", "typed-decisions", "gpt-6-luna"])
def test_an_unknown_model_is_refused_with_the_list(read, name):
    with pytest.raises(WireError) as caught:
        read(body(model=name))
    assert (caught.value.status, caught.value.path) == (400, "model")
    assert f"unknown model {name!r}; use one of auto, jev-latest, jev-preview, english" in caught.value.message


def test_states_share_their_questions(read):
    asked = read({**body(state=None), "states": ["a", {"b": 1}, ["c"]], "batch_size": 2}, "batch")
    assert [request["state"] for request in asked.requests] == ["a", {"b": 1}, ["c"]]
    assert asked.requests[0]["questions"] is asked.requests[2]["questions"]
    assert asked.locs == (("states", 0), ("states", 1), ("states", 2))


@pytest.mark.parametrize(
    ("question", "instructions"),
    [
        ({"type": "noul", "criteria": {"true": "A refund is wanted"}}, "A refund is wanted"),
        ({"type": "noul", "criteria": {"true": {"any": ["x"]}}, "instructions": None}, '{"any": ["x"]}'),
        ({"type": "noul", "criteria": {"false": "only a question"}}, "Which description fits?"),
        ({"type": "choice", "criteria": {"a": None}}, "Which option fits best?"),
        ({"type": "score", "criteria": ["a", "b"]}, "Which level fits best?"),
        ({**NOUL, "x_note": 1}, NOUL["instructions"]),
    ],
)
def test_instructions_may_be_left_out(read, question, instructions):
    (request,) = read(body(questions={"q": question})).requests
    kept = {key: value for key, value in question.items() if key != "x_note"}
    assert request["questions"]["q"] == {**kept, "instructions": instructions}


def test_every_problem_is_found(read):
    found = problems(
        read,
        {
            "model": 5,
            "questions": {
                "a": {"type": "boolean", "instructions": "x"},
                "b": NOUL,
                "c": {"type": "choice", "instructions": "x", "criteria": {}},
                "d": {"type": "score", "instructions": "x", "criteria": {"0": "low"}},
                "e": "no object",
                "f": {"type": "noul"},
                "g": {"type": "box", "instructions": "x"},
            },
            "max_len": 0,
            "x_truncation": "cut",
        },
    )
    assert set(found) == {
        *((name,) for name in ("model", "state", "max_len", "x_truncation")),
        *(("questions", name) for name in "acdef"),
        ("questions", "g", "type"),
    }
    assert found["questions", "a"].message.startswith("question 'a': unknown type 'boolean'")
    assert found["questions", "a"].code == "invalid_question"
    assert found[("state",)].code == "missing"
    assert found[("model",)].message == "expected `str | null`, got `int`"


@pytest.mark.parametrize(
    ("change", "loc"),
    [
        ({"state": None}, ("state",)),
        ({"state": 5}, ("state",)),
        ({"state": True}, ("state",)),
        ({"model": ""}, ("model",)),
        ({"questions": {}}, ("questions",)),
        ({"questions": []}, ("questions",)),
        ({"questions": None}, ("questions",)),
        ({"questions": {" ": NOUL}}, ("questions", " ")),
        ({"assets": [{}]}, ("assets",)),
        ({"max_len": True}, ("max_len",)),
        ({"max_len": 9000}, ("max_len",)),
        ({"min_confidence": 2}, ("min_confidence",)),
        ({"lang": 5}, ("lang",)),
    ],
)
def test_a_bad_field_is_named(read, change, loc):
    assert set(problems(read, {**body(), **change})) == {loc}


@pytest.mark.parametrize("value", [[], "x", 5, None, True])
def test_a_body_is_an_object(read, value):
    assert problems(read, value)[()].message.startswith("the body must be a JSON object, got ")


@pytest.mark.parametrize("states", [[], "x", None, [5], [None]])
def test_states_are_a_list_of_states(read, states):
    assert set(problems(read, {**body(state=None), "states": states}, "batch")) == {("states",)}


def many(kind, count):
    return {"type": kind, "instructions": "x", "criteria": [f"option {i}" for i in range(count)]}


@pytest.mark.parametrize(
    ("questions", "loc", "message"),
    [
        ({str(i): NOUL for i in range(5)}, ("questions",), "at most 4 questions are allowed here, got 5"),
        ({"q": many("choice", 7)}, ("questions", "q", "criteria"), "at most 6 options are allowed here, got 7"),
        ({"q": many("score", 6)}, ("questions", "q", "criteria"), "at most 5 levels are allowed here, got 6"),
        ({str(i): many("choice", 6) for i in range(3)}, ("questions",), "at most 12 options in all"),
    ],
)
def test_counts_are_limited(read, questions, loc, message):
    limits = {"max_questions": 4, "max_options": 6, "max_levels": 5, "max_total_options": 12}
    assert problems(read, body(questions=questions), **limits)[loc].message.startswith(message)
    fitting = {"a": many("choice", 6), "b": many("score", 5)}
    assert read(body(questions=fitting), **limits).requests[0]["questions"] == fitting


def test_states_are_limited(read):
    value = {**body(state=None), "states": ["x"] * 3}
    assert set(problems(read, value, "batch", max_states=2)) == {("states",)}


def test_the_limits_of_the_protocol_are_the_defaults(read):
    questions = {"a": many("choice", 255), "b": many("score", 10), "c": CHOICE, "d": SCORE}
    assert len(read(body(questions=questions)).requests[0]["questions"]) == 4


@pytest.mark.parametrize(
    ("wanted", "default", "scan", "truncation"),
    [
        *((None, "allow", False, None), ("error", "allow", False, "error"), ("scan", "error", True, None)),
        *((None, "scan", True, None), ("allow", "error", False, None)),
    ],
)
def test_cuts_are_as_the_client_says(read, wanted, default, scan, truncation):
    asked = read(body(x_truncation=wanted), default_truncation=default)
    assert (asked.scan, asked.requests[0].get("truncation")) == (scan, truncation)


def test_a_slip_is_ignored_and_told(read):
    asked = read(body(min_confidance=0.5, langs="de", other=1))
    assert asked.warnings == (
        "unknown field 'min_confidance' was ignored; did you mean 'min_confidence'?",
        "unknown field 'langs' was ignored; did you mean 'lang'?",
    )
