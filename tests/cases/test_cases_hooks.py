"""Situations that users of hooks report: redaction, wrong states, default hooks, correlation, caches."""

import copy

import pytest

import laya
from laya import errors
from laya.hooks import PredictContext, clear_default_hooks, set_default_hooks
from laya.hooks.builtin import Cache, Redact
from laya.testing import FakeRuntime, fake_agent

Q = {"d": {"type": "choice", "instructions": "which?", "criteria": {"billing": "invoices", "tech": "bugs"}}}


@pytest.fixture
def default_hook():
    class Default:
        def __init__(self):
            self.seen = []

        def on_predict_start(self, ctx):
            self.seen.append(("start", ctx.states))

        def on_predict_end(self, ctx):
            self.seen.append(("end", ctx.states))

    hook = Default()
    set_default_hooks([hook])
    yield hook
    clear_default_hooks()


def ask(owner, how, **options):
    if how == "predict":
        return owner.predict("x", Q, **options)
    if how == "predict_long":
        return owner.predict_long("x", Q, **options)
    if isinstance(owner, laya.Router):
        model = options.pop("model")
        return owner.predict_batch([{"state": "x", "questions": Q, "model": model}], **options)[0]
    return owner.predict_batch(["x"], Q, **options)[0]


ENTRIES = ["predict", "predict_batch", "predict_long"]


@pytest.mark.parametrize("how", ENTRIES)
@pytest.mark.parametrize("states", [[], ["x", "y"]])
def test_a_start_hook_that_leaves_other_than_one_state_is_refused_by_name(make, factory, states, how):
    class Widens:
        def on_predict_start(self, ctx):
            ctx.states = states

    runtime = FakeRuntime()
    router = make()
    router.load("a")
    for owner, options in ((fake_agent(runtime=runtime), {}), (router, {"model": "a"})):
        with pytest.raises(errors.HookResultError, match=rf"Widens\.on_predict_start left .* {len(states)} states"):
            ask(owner, how, hooks=[Widens()], **options)
    assert runtime.batches == factory.runtimes["a"].batches == []


def test_a_redaction_hook_on_the_router_covers_routing_inference_and_later_hooks(make):
    seen = []

    class Spy:
        def on_route(self, ctx):
            seen.append(ctx.states[0])

        on_predict_start = on_predict_end = on_route

    router = make(hooks=[Redact(), Spy()])
    inner = []
    router.attach("own", fake_agent(on_predict_start=lambda ctx: inner.append(ctx.states[0])))
    result = router.predict("mail me at jane@example.org", Q, model="own")
    masked = "mail me at [EMAIL]"
    assert seen == [masked] * 3
    assert inner == [masked]
    assert result["answers"] == fake_agent().predict(masked, Q)["answers"]


@pytest.mark.parametrize("owner", ["agent", "router"])
def test_a_hook_that_writes_into_the_list_of_states_leaves_the_callers_list_alone(make, owner):
    def mask(ctx):
        ctx.states[0] = "[r]"

    states = ["my ssn 123", "second"]
    requests = [{"state": state, "questions": Q, "model": "a"} for state in states]
    if owner == "agent":
        results = fake_agent().predict_batch(states, Q, on_predict_start=mask)
        expected = fake_agent().predict_batch(["[r]", "second"], Q)
    else:
        before = copy.deepcopy(requests)
        results = make().predict_batch(requests, on_predict_start=mask)
        assert requests == before
        expected = fake_agent().predict_batch(["[r]", "[r]"], Q)
    assert states == ["my ssn 123", "second"]
    assert [result["answers"] for result in results] == [result["answers"] for result in expected]


@pytest.mark.parametrize("how", ENTRIES)
def test_a_default_hook_fires_once_whoever_is_called(make, default_hook, how):
    ask(make(), how, model="a")
    assert default_hook.seen == [("start", ["x"]), ("end", ["x"])]
    default_hook.seen.clear()
    ask(fake_agent(), how)
    assert default_hook.seen == [("start", ["x"]), ("end", ["x"])]


def test_a_cached_answer_carries_the_routing_of_the_request_it_answers(make):
    cache = Cache()
    router = make(hooks=[cache])
    router.attach("first", fake_agent())
    routings = [router.predict("x", Q, model="first")["routing"] for _ in range(2)]
    router.lang_guess = "de"
    router.register("german", None, languages=["de"])
    router.attach("german", router.load("first"))
    hit = router.predict("x", Q)
    assert [routing["model"] for routing in routings] == ["first", "first"]
    assert cache.stats.hits == 2
    assert (hit["routing"]["model"], hit["routing"]["reason_code"]) == ("german", "router_lang_guess")


def test_equal_requests_of_one_batch_are_computed_once_and_answered_apart(make, factory):
    requests = [{"state": "the same ticket", "questions": Q, "model": "a"} for _ in range(5)]
    results = make(hooks=[Cache()]).predict_batch(requests)
    assert factory.forwards("a") == 1
    assert [result["answers"] for result in results] == [results[0]["answers"]] * 5
    assert len({id(result["answers"]["d"]) for result in results}) == 5


@pytest.mark.parametrize("bad", [None, {}, {"answers": {}}, "text", [None], [{}], []])
def test_a_cache_that_skips_with_anything_but_results_fails_by_name_before_inference(bad):
    class Broken:
        def on_predict_start(self, ctx):
            ctx.skip(bad)

    runtime, ended = FakeRuntime(), []
    agent = fake_agent(runtime=runtime, hooks=[Broken()], on_predict_end=ended.append)
    with pytest.raises(errors.HookResultError):
        agent.predict("x", Q)
    assert runtime.batches == []
    (ctx,) = ended
    assert isinstance(ctx, PredictContext)
    assert isinstance(ctx.error, errors.HookResultError)


def test_telemetry_that_fails_costs_no_answer_also_when_warnings_are_errors(caplog):
    class Down:
        def on_predict_end(self, ctx):
            raise ConnectionError("collector is down")

    agent = fake_agent(hooks=[Down()], hooks_raise=False)
    results = [agent.predict("x", Q) for _ in range(5)]
    assert results == [fake_agent().predict("x", Q)] * 5
    said = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert said == ["laya: hook Down.on_predict_end failed: collector is down"] * 5
