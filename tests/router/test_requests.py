"""Requests of a Router: their checks, batches in which some fail, gates, and what a batch shares."""

import pytest

import laya
from laya.errors import ArgumentError, ArgumentTypeError, LayaError, QuestionError, StateError
from laya.testing import fake_agent
from router_builders import CHOICE, Calls, Fails, Recorder

Q = {"team": CHOICE}
SPAM = {"spam": {"type": "noul", "instructions": "Is it spam?"}}
BAD = {"team": {"type": "choice", "instructions": "?", "criteria": {}}}
PREDICTING = {"on_predict_start", "on_error", "on_predict_end"}


def request(state="x", model="a", questions=Q, **more):
    return {"state": state, "questions": questions, "model": model, **more}


def without(key):
    return {name: value for name, value in request().items() if name != key}


MALFORMED = {
    "no dict": (["state", "x"], "request 1: must be a dict, got list"),
    "None": (None, "request 1: must be a dict, got NoneType"),
    "no state": (without("state"), "request 1: missing required key 'state'"),
    "no questions": (without("questions"), "request 1: missing required key 'questions'"),
    "state None": (request(None), "request 1: 'state' must not be None"),
    "questions a list": (request(questions=["q"]), "request 1: 'questions' must be a dict"),
    "slip in a key": (request(langs="de"), "request 1: unknown key 'langs'; did you mean 'lang'?"),
    "unknown key": (request(hooks=[]), "request 1: unknown key 'hooks'"),
    "unknown model": (request(model="nope"), "request 1: unknown model 'nope'; choose one of"),
    "unknown task": (request(task="nope"), "request 1: unknown model 'nope'"),
    "unknown lang": (request(lang="zz9"), "request 1: lang 'zz9' is not a language code"),
    "lang no string": (request(lang=5), "request 1: lang must be a language code"),
    "unknown lang_guess": (request(lang_guess="zz9"), "request 1: lang 'zz9' is not a language code"),
    "max_len 0": (request(max_len=0), "request 1: max_len must be a positive int"),
    "max_len True": (request(max_len=True), "request 1: max_len must be a positive int"),
    "head_max_len text": (request(head_max_len="9"), "request 1: head_max_len must be a positive int"),
    "min_confidence": (request(min_confidence=2), "request 1: min_confidence must be a float in [0.0, 1.0]"),
    "min_confidence {}": (request(min_confidence={}), "request 1: a min_confidence map must be a non-empty dict"),
    "request_id": (request(request_id=7), "request 1: request_id must be a string or None"),
    "truncation": (request(truncation="cut"), "request 1: truncation must be 'allow' or 'error', got 'cut'"),
}


@pytest.mark.parametrize("what", list(MALFORMED))
@pytest.mark.parametrize("lazy", [False, True])
def test_a_malformed_request_is_named_by_its_index_before_any_event(make, factory, what, lazy):
    bad, message = MALFORMED[what]
    log = []
    router = make(hooks=[Recorder("A", log)])
    requests = [request(), bad, request()]
    with pytest.raises(LayaError) as caught:
        router.predict_batch(iter(requests) if lazy else requests)
    assert str(caught.value).startswith(message)
    assert caught.value.index == 1
    with pytest.raises(type(caught.value)):
        router.route_batch(requests)
    assert log == factory.built == []


NOT_FOR_PREDICT = {"no dict", "None", "no state", "no questions", "slip in a key", "unknown key"}


@pytest.mark.parametrize("what", sorted(set(MALFORMED) - NOT_FOR_PREDICT))
def test_predict_checks_the_same_before_any_event(make, what):
    bad, message = MALFORMED[what]
    log = []
    router = make(hooks=[Recorder("A", log)])
    options = {key: value for key, value in bad.items() if key not in {"state", "questions"}}
    with pytest.raises(LayaError) as caught:
        router.predict(bad["state"], bad["questions"], **options)
    assert str(caught.value).startswith(message.removeprefix("request 1: "))
    assert caught.value.index is None
    assert log == []


def test_predict_refuses_options_it_does_not_have(make):
    with pytest.raises(ArgumentTypeError, match="predict got an unexpected option 'langs'; did you mean 'lang'"):
        make().predict("x", Q, langs="de")


@pytest.mark.parametrize("requests", ["text", b"bytes", {"state": "x"}, {1, 2}, 5, None, frozenset()])
def test_requests_come_in_an_ordered_iterable(make, requests):
    for call in [make().predict_batch, make().route_batch]:
        with pytest.raises(ArgumentTypeError, match="requests must be a sequence of request dictionaries, got"):
            call(requests)


@pytest.mark.parametrize("kind", [list, tuple, iter, lambda requests: dict(enumerate(requests)).values()])
def test_any_ordered_iterable_of_requests_will_do(make, kind):
    results = make().predict_batch(kind([request("x"), request("y", "b")]))
    assert [result["routing"]["model"] for result in results] == ["a", "b"]


@pytest.mark.parametrize("size", [0, -1, True, 1.5, "2"])
def test_batch_size_is_a_positive_int_also_for_an_empty_batch(make, size):
    for requests in [[], [request()]]:
        with pytest.raises(ArgumentError, match="batch_size must be a positive int or None"):
            make().predict_batch(requests, batch_size=size)


@pytest.mark.parametrize(
    "options",
    [
        {"hooks": Recorder},
        {"on_predict_start": 5},
        {"hooks_timeout": 0},
        {"hooks_raise": "no"},
        {"min_confidence": -1},
        {"errors": "ignore"},
        {"modle": "a"},
    ],
    ids=str,
)
def test_options_of_a_batch_are_checked_before_any_event_also_for_an_empty_batch(make, options):
    log = []
    router = make(hooks=[Recorder("A", log)])
    for requests in [[], [request()]]:
        with pytest.raises((TypeError, ValueError)):
            router.predict_batch(requests, **options)
    assert log == []


def test_a_request_without_questions_is_answered_by_nothing_and_loads_nothing(make, factory):
    log = []
    router = make(hooks=[Recorder("A", log)])
    result = router.predict("hi", {})
    assert result["answers"] == {}
    assert result["usage"]["input_tokens"] == 0
    assert result["routing"]["model"]
    assert factory.built == router.loaded == []
    assert [event for _, event, _ in log] == ["on_route", "on_predict_start", "on_predict_end"]


def test_questions_that_a_start_hook_adds_to_none_load_the_checkpoint(make, factory):
    router = make(on_predict_start=lambda ctx: setattr(ctx, "questions", Q))
    assert router.predict("hi", {}, model="a")["answers"] == fake_agent().predict("hi", Q)["answers"]
    assert factory.built == ["a"]


# -- what a batch says of a request that fails --------------------------------------------------------------------


def test_a_bad_question_in_a_batch_is_named_with_its_request_and_id(make):
    requests = [request("0"), request("1", "b"), request("2"), request("3", questions=BAD)]
    with pytest.raises(QuestionError, match=r"^request 3: question 'team'") as caught:
        make().predict_batch(requests)
    assert (caught.value.index, caught.value.question) == (3, "team")
    with pytest.raises(QuestionError, match=r"^question 'team'"):
        make().predict("x", BAD, model="a")


def test_a_bad_state_in_a_batch_is_named_with_its_request_and_path(make):
    requests = [request("0", "b"), request("1"), request({"deep": [1, {2}]}), request("3")]
    with pytest.raises(StateError, match=r"^request 2: \$\.deep\[1\]") as caught:
        make().predict_batch(requests)
    assert (caught.value.index, caught.value.path) == (2, "$.deep[1]")


FAILURES = {
    "malformed": (request("bad", langs="de"), [], ArgumentError, "request 1: unknown key", set()),
    "question": (request("bad", questions=BAD), [], QuestionError, "request 1: question 'team'", PREDICTING),
    "state": (request({"bad": {1}}), [], StateError, "request 1: $.bad", PREDICTING),
    "load": (request("bad", "c"), [], OSError, "away", set()),
    "load hook": (request("bad", "c"), [Fails("on_load", model="c")], RuntimeError, "on_load of c", set()),
    "lang_guess": (request("bad", None, lang_guess=lambda state: 1 / 0), [], ZeroDivisionError, "division", set()),
}
FAILED_HOOKS = {
    "on_route": set(),
    "on_predict_start": PREDICTING,
    "on_predict_end": PREDICTING - {"on_error"},
}
for event, events in FAILED_HOOKS.items():
    FAILURES[event] = (request("bad"), [Fails(event, state="bad")], RuntimeError, f"{event} of", events)


@pytest.mark.parametrize("what", list(FAILURES))
def test_in_a_batch_that_returns_errors_the_others_are_answered(make, factory, what):
    bad, hooks, error, message, events = FAILURES[what]
    factory.fail = {"c": OSError("away")} if what == "load" else {}
    recorder = Recorder("A", [])
    router = make(hooks=[recorder, *hooks])
    first, failed, third = router.predict_batch([request("x"), bad, request("z", "b")], errors="return")
    assert first["answers"] == fake_agent().predict("x", Q)["answers"]
    assert (first["routing"]["model"], third["routing"]["model"]) == ("a", "b")
    assert isinstance(failed, error)
    assert str(failed).startswith(message)
    seen = [(ctx.states[0], event) for event, ctx in recorder.contexts if event in PREDICTING]
    assert sorted(event for state, event in seen if state == bad["state"]) == sorted(events)
    for state in ["x", "z"]:
        assert [event for seen_state, event in seen if seen_state == state] == ["on_predict_start", "on_predict_end"]


def test_an_error_hook_of_a_returned_error_sees_that_error(make):
    seen = []
    router = make(hooks=[Calls("on_error", lambda ctx: seen.append(ctx.error))])
    _, failed = router.predict_batch([request(), request(questions=BAD)], errors="return")
    assert seen == [failed]


def test_only_the_requests_that_fail_alone_fail_when_a_shared_forward_does(make):
    states = ["good", {"bad": {1}}, "fine", {"worse": float("nan")}]
    results = make().predict_batch([request(state) for state in states], errors="return")
    assert [isinstance(result, StateError) for result in results] == [False, True, False, True]
    assert [result.index for result in results[1::2]] == [1, 3]


def test_what_finished_is_kept_when_a_later_checkpoint_fails(make, factory):
    factory.fail["b"] = OSError("away")
    results = make().predict_batch([request("x"), request("y", "b"), request("z", "c")], errors="return")
    assert [type(result) for result in results] == [dict, OSError, dict]


def test_an_interrupt_is_raised_also_when_errors_are_returned(make):
    router = make(hooks=[Fails("on_predict_start", KeyboardInterrupt, state="bad")])
    with pytest.raises(KeyboardInterrupt):
        router.predict_batch([request("x"), request("bad")], errors="return")


# -- what a batch shares ------------------------------------------------------------------------------------------


def test_equal_requests_are_read_once_and_their_results_share_nothing(make, factory):
    results = make().predict_batch([request("same"), request("other"), request("same"), request("same")])
    assert factory.forwards("a") == 2
    assert results[0] == results[2] == results[3] != results[1]
    results[0]["answers"]["team"]["choice"] = "mine"
    results[0]["usage"]["input_tokens"] = -1
    results[0]["routing"]["model"] = "mine"
    assert results[2] == results[3] != results[0]


def test_short_and_long_requests_get_in_a_batch_what_they_get_alone(make):
    router = make()
    states = ["x", "word " * 300, "", "a b c", {"k": ["long " * 50]}, [{"role": "user", "content": "hi " * 20}]]
    together = router.predict_batch([request(state) for state in states])
    assert together == [router.predict(state, Q, model="a") for state in states]


def test_a_batch_is_cut_by_tokens_whatever_the_number_of_requests(make, factory):
    make().predict_batch([request(f"{number} " + "word " * 60) for number in range(64)])
    longest = 60 * 5 + 200
    assert len(factory.runtimes["a"].batches) > 8
    assert max(len(batch.input_ids) for batch in factory.runtimes["a"].batches) < 2048 + longest


def test_the_time_of_a_request_leaves_out_the_start_hooks_of_the_others(make):
    def wait(ctx):
        if ctx.states == ["slow"]:
            import time

            time.sleep(0.2)

    ends = {}
    router = make(on_predict_start=wait, on_predict_end=lambda ctx: ends.update({ctx.states[0]: ctx.elapsed_ms}))
    for errors in ["raise", "return"]:
        router.predict_batch([request("before"), request("slow"), request("after")], errors=errors)
        assert ends["slow"] >= 200
        assert ends["before"] < ends["slow"] - 150
        assert ends["after"] < ends["slow"] - 150


# -- gates, ids, decide -------------------------------------------------------------------------------------------


def flags(result):
    return [answer.get("low_confidence", False) for answer in result["answers"].values()]


def test_min_confidence_of_a_request_beats_that_of_the_call(make):
    router = make()
    requests = [request("x"), request("x", min_confidence=0.0), request("x", min_confidence={"choice:2": 1.0})]
    assert [flags(result) for result in router.predict_batch(requests)] == [[False], [False], [True]]
    assert [flags(result) for result in router.predict_batch(requests, min_confidence=1.0)] == [[True], [False], [True]]
    assert flags(router.predict("x", Q, model="a", min_confidence=1.0)) == [True]


def test_a_request_id_reaches_the_hooks_of_the_router_and_of_the_agent(make):
    outer, inner = [], []
    router = make(on_predict_end=lambda ctx: outer.append(ctx.request_id))
    router.attach("own", fake_agent(on_predict_end=lambda ctx: inner.append(ctx.request_id)))
    router.predict_batch([request("x", "own", request_id="r1"), request("y", "own", SPAM, request_id="r2")])
    assert outer == ["r2", "r1"]
    assert inner == ["r1", "r2"]


def test_a_request_may_refuse_to_be_cut_and_the_others_are_answered(make, factory):
    factory.agent_options["a"] = {"max_len": 128}
    router = make()
    long = "word " * 50
    requests = [request(long), request(long, truncation="error"), request("short", truncation="error")]
    cut, refused, whole = router.predict_batch(requests, errors="return")
    assert cut["usage"]["truncated"]
    assert isinstance(refused, laya.errors.TruncationError)
    assert refused.index == 1
    assert whole == router.predict("short", Q, model="a")
    with pytest.raises(laya.errors.TruncationError):
        router.predict(long, Q, model="a", truncation="error")


def test_decide_fills_a_schema_over_the_router(make):
    schema = {"type": "object", "properties": {"team": {"enum": ["billing", "tech"]}, "spam": {"type": "boolean"}}}
    router = make()
    decided = router.decide("I was charged twice", schema, model="a")
    assert set(decided) == {"team", "spam"}
    assert decided == fake_agent().decide("I was charged twice", schema)
    assert router.decide_batch(["I was charged twice"], schema, model="a") == [decided]
    details = router.decide("I was charged twice", schema, model="a", return_details=True)
    assert details.routing["model"] == "a"


def test_idle_checkpoints_can_be_freed_and_come_back_at_the_next_call(make, factory):
    router = make()
    first = router.predict("x", Q, model="a")
    router.unload()
    assert router.loaded == []
    assert router.predict("x", Q, model="a") == first
    assert factory.built == ["a", "a"]


def test_an_agent_says_that_it_is_closed():
    with laya.load() as agent:
        pass
    with pytest.raises(laya.errors.ClosedError, match="is closed; load it again"):
        agent.system_one("x", Q)
