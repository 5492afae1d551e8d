"""The sentences of the Lifecycle page that are about the Agent, one test each; `docs/contract.md` is the table."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from laya import errors
from laya.hooks import PredictContext
from laya.testing import FakeRuntime, fake_agent

TEAM = {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}
Q = {"team": TEAM}
EVENTS = ("on_predict_start", "on_error", "on_predict_end")


class Recorder:
    """Writes (name, event, context) of every event of a prediction into a list."""

    def __init__(self, name, log):
        self.name, self.log = name, log

    def on_predict_start(self, ctx):
        self.log.append((self.name, "on_predict_start", ctx))

    def on_predict_end(self, ctx):
        self.log.append((self.name, "on_predict_end", ctx))

    def on_error(self, ctx):
        self.log.append((self.name, "on_error", ctx))


def brief(log):
    return [(name, event) for name, event, _ in log]


def test_system_one_and_predict_are_predict_batch_of_one():
    agent = fake_agent()
    batch = agent.predict_batch(["a ticket"], Q)
    assert agent.system_one("a ticket", Q) == agent.predict("a ticket", Q) == batch[0]


def test_installed_hooks_run_before_per_call_hooks():
    log = []
    agent = fake_agent(hooks=[Recorder("A", log), Recorder("B", log)])
    agent.predict_batch(["x"], Q, hooks=[Recorder("C", log)])
    assert brief(log) == [(n, e) for e in ("on_predict_start", "on_predict_end") for n in "ABC"]


def test_the_context_has_states_questions_model_and_agent():
    seen = []
    agent = fake_agent(on_predict_start=seen.append)
    agent.predict_batch(["x", "y"], Q)
    (ctx,) = seen
    assert isinstance(ctx, PredictContext)
    assert ctx.states == ["x", "y"]
    assert ctx.questions is Q
    assert ctx.model == agent.model_id
    assert ctx.agent is agent


def test_a_start_hook_may_rewrite_the_states():
    agent = fake_agent()
    rewritten = agent.predict("secret", Q, on_predict_start=lambda ctx: setattr(ctx, "states", ["public"]))
    assert rewritten == agent.predict("public", Q)


def test_a_start_hook_may_rewrite_the_questions():
    other = {"mood": {"type": "score", "instructions": "How angry?", "criteria": ["calm", "angry"]}}
    agent = fake_agent()
    result = agent.predict("x", Q, on_predict_start=lambda ctx: setattr(ctx, "questions", other))
    assert list(result["answers"]) == ["mood"]


def test_a_start_hook_may_set_the_token_budget():
    def shrink(ctx):
        ctx.max_len, ctx.head_max_len = 80, 60

    result = fake_agent().predict("long " * 100, Q, on_predict_start=shrink)
    assert result["usage"]["input_tokens"] == 80
    assert result["usage"]["truncated"] is True


def test_a_budget_set_by_a_start_hook_beats_that_of_the_call():
    def shrink(ctx):
        assert ctx.max_len == 500
        ctx.max_len = 90

    result = fake_agent().predict("long " * 200, Q, max_len=500, on_predict_start=shrink)
    assert result["usage"]["input_tokens"] == 90


def test_skip_answers_without_tokenising_or_forwarding():
    runtime = FakeRuntime()
    agent = fake_agent(runtime=runtime)
    ready = {"model": "cache", "answers": {"team": {"type": "choice", "choice": "tech"}}}
    result = agent.predict(object(), "not even questions", on_predict_start=lambda ctx: ctx.skip([ready]))
    assert result == ready
    assert runtime.batches == []


def test_a_start_hook_that_raises_aborts_the_call():
    runtime, log = FakeRuntime(), []

    def refuse(ctx):
        raise PermissionError("not allowed")

    agent = fake_agent(runtime=runtime, hooks=[Recorder("A", log)], on_predict_start=refuse)
    with pytest.raises(PermissionError, match="not allowed"):
        agent.predict("x", Q)
    assert runtime.batches == []
    assert brief(log) == [("A", "on_predict_start"), ("A", "on_error"), ("A", "on_predict_end")]


@pytest.mark.parametrize("states", ["text", b"bytes", {"a": 1}, {"a", "b"}, None, 5])
def test_states_must_be_a_list(states):
    log = []
    agent = fake_agent(hooks=[Recorder("A", log)])
    with pytest.raises(errors.StateTypeError, match="predict_batch expects a list of states, got "):
        agent.predict_batch(states, Q)
    assert brief(log) == [("A", e) for e in EVENTS]


@pytest.mark.parametrize("make", [tuple, iter, lambda s: (x for x in s), lambda s: dict.fromkeys(s).keys()])
def test_other_ordered_iterables_of_states_are_taken_as_lists(make):
    agent = fake_agent()
    assert agent.predict_batch(make(["a", "b"]), Q) == agent.predict_batch(["a", "b"], Q)


@pytest.mark.parametrize("batch_size", [None, 1, 2, 3, 100])
def test_chunks_of_any_size_give_the_same_results(batch_size):
    agent = fake_agent()
    states = ["a", "bb" * 40, "", {"k": [1, 2]}, ["turn one", "turn two"]]
    assert agent.predict_batch(states, Q, batch_size) == [agent.predict(state, Q) for state in states]


def test_any_failure_sets_the_error_runs_on_error_and_is_raised_again():
    log = []
    agent = fake_agent(hooks=[Recorder("A", log)])
    with pytest.raises(errors.QuestionError) as caught:
        agent.predict("x", {"bad": {"type": "choice", "instructions": "?"}})
    assert brief(log) == [("A", e) for e in EVENTS]
    assert all(ctx.error is caught.value for _, _, ctx in log)


def test_elapsed_ms_is_set_before_the_end_hooks_also_after_a_failure():
    seen = []
    agent = fake_agent(on_predict_end=lambda ctx: seen.append(ctx.elapsed_ms))
    agent.predict("x", Q)
    with pytest.raises(errors.StateTypeError):
        agent.predict(None, Q)
    assert all(isinstance(ms, float) and ms > 0 for ms in seen)
    assert len(seen) == 2


def test_usage_is_aggregated_over_the_results():
    seen = []
    agent = fake_agent(on_predict_end=lambda ctx: seen.append(ctx.usage))
    results = agent.predict_batch(["a", "b" * 5000], Q)
    assert seen[0]["input_tokens"] == sum(r["usage"]["input_tokens"] for r in results)
    assert seen[0]["state_tokens_dropped"] == results[1]["usage"]["state_tokens_dropped"] > 0
    assert seen[0]["truncated"] is True


def test_usage_stays_none_when_there_are_no_results():
    seen = []
    agent = fake_agent(on_predict_end=lambda ctx: seen.append(ctx.usage))
    agent.predict_batch([], Q)
    with pytest.raises(errors.QuestionTypeError):
        agent.predict("x", [])
    assert seen == [None, None]


def test_what_the_end_hooks_leave_in_results_is_returned():
    def stamp(ctx):
        ctx.results = [{**ctx.results[0], "stamped": True}]

    assert fake_agent(on_predict_end=stamp).predict("x", Q)["stamped"] is True


def test_one_context_flows_from_start_to_error_to_end():
    log = []
    agent = fake_agent(hooks=[Recorder("A", log)])
    with pytest.raises(errors.QuestionError):
        agent.predict("x", {"q": {}})
    agent.predict("x", Q)
    failed, fine = log[:3], log[3:]
    assert len({id(ctx) for _, _, ctx in failed}) == len({ctx.run_id for _, _, ctx in failed}) == 1
    assert len({id(ctx) for _, _, ctx in fine}) == 1
    assert failed[0][2].run_id != fine[0][2].run_id


def test_an_end_hook_can_read_the_error():
    seen = []
    agent = fake_agent(on_predict_end=lambda ctx: seen.append(ctx.error))
    agent.predict("x", Q)
    with pytest.raises(errors.QuestionError) as caught:
        agent.predict("x", {"q": {}})
    assert seen == [None, caught.value]


def test_system_one_inherits_every_hook_with_one_state():
    log = []
    agent = fake_agent(hooks=[Recorder("A", log)])
    agent.system_one({"body": "x"}, Q, hooks=[Recorder("B", log)])
    assert brief(log) == [(n, e) for e in ("on_predict_start", "on_predict_end") for n in "AB"]
    assert all(ctx.states == [{"body": "x"}] for _, _, ctx in log)


def test_a_cache_miss_is_stored_by_the_end_hook_and_served_by_skip():
    store, ends, runtime = {}, [], FakeRuntime()

    class Cache:
        def on_predict_start(self, ctx):
            if ctx.states[0] in store:
                ctx.skip([store[ctx.states[0]]])

        def on_predict_end(self, ctx):
            ends.append(ctx.skipped)
            store[ctx.states[0]] = ctx.results[0]

    agent = fake_agent(runtime=runtime, hooks=[Cache()])
    first, second = agent.predict("x", Q), agent.predict("x", Q)
    assert first == second
    assert len(runtime.batches) == 1
    assert ends == [False, True]


@pytest.mark.parametrize(
    ("call", "count"),
    [
        (lambda a: a.predict_batch([], Q), 0),
        (lambda a: a.predict_batch(["x", "y"], {}), 2),
        (lambda a: [a.system_one("x", {})], 1),
    ],
)
def test_empty_inputs_still_fire_hooks_and_read_nothing(call, count):
    log, runtime = [], FakeRuntime()
    agent = fake_agent(runtime=runtime, hooks=[Recorder("A", log)])
    results = call(agent)
    assert [r["answers"] for r in results] == [{}] * count
    assert all(r["usage"]["input_tokens"] == 0 and r["model"] == agent.model_id for r in results)
    assert runtime.batches == []
    assert brief(log) == [("A", "on_predict_start"), ("A", "on_predict_end")]
    assert log[-1][2].results == results


def test_usage_has_the_same_keys_whatever_was_asked():
    agent = fake_agent()
    keys = set(agent.predict("x", Q)["usage"])
    assert set(agent.predict("x", {})["usage"]) == keys
    assert set(agent.predict("x" * 9000, Q)["usage"]) == keys


def test_within_a_list_hooks_run_in_list_order_and_each_event_ends_before_the_next():
    log = []
    agent = fake_agent(hooks=[Recorder(n, log) for n in "ABC"])
    agent.predict("x", Q, hooks=[Recorder("D", log), Recorder("E", log)])
    assert brief(log) == [(n, e) for e in ("on_predict_start", "on_predict_end") for n in "ABCDE"]


def test_on_error_runs_before_on_predict_end():
    log = []
    agent = fake_agent(hooks=[Recorder("A", log), Recorder("B", log)])
    with pytest.raises(errors.QuestionError):
        agent.predict("x", {"q": {}})
    assert brief(log) == [(n, e) for e in EVENTS for n in "AB"]


def test_many_threads_get_their_own_contexts_and_right_answers():
    seen = []
    agent = fake_agent(on_predict_end=lambda ctx: seen.append((ctx.run_id, ctx.states[0], ctx.results[0])))
    states = [f"state {i}" for i in range(64)]
    expected = [fake_agent().predict(state, Q) for state in states]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda state: agent.predict(state, Q), states)) == expected
    assert len({run_id for run_id, _, _ in seen}) == len(states)
    assert {state: result for _, state, result in seen} == dict(zip(states, expected, strict=True))


class Overlap:
    """Counts how many of its own invocations run at the same time."""

    def __init__(self, parties):
        self.running = self.most = 0
        self.guard = threading.Lock()
        self.barrier = threading.Barrier(parties) if parties else None

    def on_predict_start(self, ctx):
        with self.guard:
            self.running += 1
            self.most = max(self.most, self.running)
        if self.barrier:
            self.barrier.wait(timeout=20)
        with self.guard:
            self.running -= 1


def test_hooks_run_in_parallel_by_default():
    hook = Overlap(parties=3)
    agent = fake_agent(hooks=[hook])
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda i: agent.predict(f"{i}", Q), range(3)))
    assert hook.most == 3


def test_without_concurrency_one_hook_runs_at_a_time():
    hook = Overlap(parties=0)
    agent = fake_agent(hooks=[hook], hooks_concurrent=False)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: agent.predict(f"{i}", Q), range(200)))
    assert hook.most == 1


def test_without_concurrency_calls_still_interleave_between_events():
    first_started, second_done = threading.Event(), threading.Event()

    class Waiting(FakeRuntime):
        def forward(self, batch):
            if not first_started.is_set():
                first_started.set()
                assert second_done.wait(20)
            return super().forward(batch)

    log = []
    agent = fake_agent(runtime=Waiting(), hooks=[Recorder("A", log)], hooks_concurrent=False)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(agent.predict, "first", Q)
        assert first_started.wait(20)
        agent.predict("second", Q)
        second_done.set()
        first.result(20)
    assert [(event, ctx.states[0]) for _, event, ctx in log] == [
        ("on_predict_start", "first"),
        ("on_predict_start", "second"),
        ("on_predict_end", "second"),
        ("on_predict_end", "first"),
    ]


@pytest.mark.parametrize("timeout", [None, 20])
@pytest.mark.parametrize("kind", ["sync", "async"])
def test_without_concurrency_a_hook_may_call_back_without_deadlock(timeout, kind):
    inner = []

    class CallsBack:
        def __init__(self):
            self.agent = None

        def work(self, ctx):
            if ctx.states == ["outer"]:
                inner.append(self.agent.predict("inner", Q))

    class Sync(CallsBack):
        def on_predict_start(self, ctx):
            self.work(ctx)

    class Async(CallsBack):
        async def on_predict_start(self, ctx):
            self.work(ctx)

    hook = Sync() if kind == "sync" else Async()
    hook.agent = fake_agent(hooks=[hook], hooks_concurrent=False, hooks_timeout=timeout)
    hook.agent.predict("outer", Q)
    assert inner == [fake_agent().predict("inner", Q)]
