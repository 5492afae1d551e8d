import asyncio
import contextvars
import pickle
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import laya
from fuzzing import examples
from laya import errors
from laya.testing import FakeRuntime, fake_agent

CHOICE = {
    "type": "choice",
    "instructions": "Which team?",
    "criteria": {"billing": "invoices", "tech": "bugs", "hr": None},
}
SCORE = {"type": "score", "instructions": "How urgent?", "criteria": ["low", "mid", "high"]}
NOUL = {"type": "noul", "instructions": "Is it spam?"}
Q = {"team": CHOICE, "urgency": SCORE, "spam": NOUL}
LAYOUTS = ["sequential", "parallel", "reader"]

AGENTS = {layout: fake_agent(layout=layout) for layout in LAYOUTS}
STATES = st.one_of(
    st.text(max_size=60),
    st.lists(st.text(max_size=10), max_size=4),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
)


def close(a, b, tolerance=1e-5):
    """Equal answers: same keys and labels, numbers within the tolerance."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k], tolerance) for k in a)
    if isinstance(a, float):
        return abs(a - b) <= tolerance
    return a == b


@pytest.mark.parametrize("layout", LAYOUTS)
@given(states=st.lists(STATES, min_size=1, max_size=6))
@settings(max_examples=examples(30), deadline=None)
def test_an_answer_does_not_depend_on_its_batch_mates(layout, states):
    agent = AGENTS[layout]
    together = agent.predict_batch(states, Q)
    assert all(close(agent.predict(state, Q), result) for state, result in zip(states, together, strict=True))


@pytest.mark.parametrize("layout", LAYOUTS)
@given(order=st.permutations(list(Q)), state=STATES)
@settings(max_examples=examples(30), deadline=None)
def test_an_answer_does_not_depend_on_the_other_questions_or_their_order(layout, order, state):
    agent = AGENTS[layout]
    together = agent.predict(state, {qid: Q[qid] for qid in order})["answers"]
    assert list(together) == order
    assert all(close(together[qid], agent.predict(state, {qid: Q[qid]})["answers"][qid]) for qid in order)


@given(order=st.permutations(list(CHOICE["criteria"].items())), state=STATES)
@settings(max_examples=examples(30), deadline=None)
def test_in_the_reader_layout_an_answer_does_not_depend_on_the_order_of_options(order, state):
    agent = AGENTS["reader"]
    permuted = agent.predict(state, {"team": {**CHOICE, "criteria": dict(order)}})["answers"]["team"]
    plain = agent.predict(state, {"team": CHOICE})["answers"]["team"]
    assert close(permuted["probabilities"], plain["probabilities"])


@pytest.mark.parametrize("layout", LAYOUTS)
@given(state=STATES)
@settings(max_examples=examples(20), deadline=None)
def test_compiled_questions_answer_like_uncompiled_ones(layout, state):
    assert fake_agent(layout=layout).predict(state, Q) == AGENTS[layout].predict(state, Q)


def test_questions_are_compiled_once():
    agent = fake_agent()
    agent.predict("x", Q)
    heads = []
    layout = agent._model.layout
    original = layout.head
    layout.head = lambda *args: heads.append(args) or original(*args)
    agent.predict("y", {qid: dict(q) for qid, q in Q.items()})
    assert heads == []
    agent.predict("y", Q, head_max_len=100)
    assert len(heads) == 3


def test_results_name_the_checkpoint_and_hold_plain_values():
    result = fake_agent().predict("x", Q)
    assert result["model"] == "fake"
    assert [a["type"] for a in result["answers"].values()] == ["choice", "score", "noul"]
    assert result["usage"]["windows"] == 1


def test_equal_states_of_a_batch_are_read_once_and_answered_apart():
    runtime = FakeRuntime()
    agent = fake_agent(runtime=runtime)
    results = agent.predict_batch(["a", "b", "a", ["a"], "a"], Q)
    assert sum(batch.rows for batch in runtime.batches) == 3 * len(Q)
    assert results == [agent.predict(state, Q) for state in ["a", "b", "a", ["a"], "a"]]
    results[0]["usage"]["truncated_questions"].append("team")
    assert results[2]["usage"]["truncated_questions"] == []


def test_results_share_nothing():
    agent = fake_agent()
    first = agent.predict("x", Q)
    first["answers"]["team"]["probabilities"]["billing"] = 99
    first["usage"]["truncated_questions"].append("team")
    assert agent.predict("x", Q)["answers"]["team"]["probabilities"]["billing"] != 99
    assert agent.predict("x", Q)["usage"]["truncated_questions"] == []


@pytest.mark.parametrize("bad", [0, -1, True, 1.5, "2"])
def test_batch_size_is_a_positive_int_or_none(bad):
    agent = fake_agent()
    with pytest.raises(ValueError, match=r"batch_size must be a positive int or None, got "):
        agent.predict_batch([], Q, batch_size=bad)
    with pytest.raises(ValueError, match="batch_size"):
        agent.predict_iter([], Q, batch_size=bad)


@pytest.mark.parametrize("name", ["max_len", "head_max_len"])
@pytest.mark.parametrize("bad", [-5, 0, True, "256", 60.5, 10**9])
def test_budgets_are_checked_before_any_hook_runs(name, bad):
    if name == "head_max_len" and bad == 10**9:
        return
    log = []
    agent = fake_agent(on_predict_start=log.append)
    with pytest.raises(ValueError, match=name):
        agent.predict_batch([], Q, **{name: bad})
    assert log == []


@pytest.mark.parametrize("name", ["max_len", "head_max_len"])
def test_a_budget_set_by_a_hook_is_checked_too(name):
    ended = []
    agent = fake_agent(on_predict_start=lambda ctx: setattr(ctx, name, -1), on_predict_end=ended.append)
    with pytest.raises(ValueError, match=name):
        agent.predict("x", Q)
    assert len(ended) == 1


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"lang": 5}, TypeError, "lang must be a language code"),
        ({"truncation": "maybe"}, ValueError, "truncation must be 'allow' or 'error', got 'maybe'"),
        ({"request_id": 7}, TypeError, "request_id must be a string"),
        ({"min_confidence": 2}, ValueError, "min_confidence must be a float"),
        ({"min_confidense": 0.5}, TypeError, "unexpected option 'min_confidense'; did you mean 'min_confidence'?"),
        ({"hooks_raise": "False"}, TypeError, "hooks_raise"),
        ({"hooks_timeout": 0}, ValueError, "hooks_timeout must be a positive finite number"),
    ],
)
def test_wrong_options_are_refused_before_any_hook_runs(options, error, text):
    log = []
    agent = fake_agent(on_predict_start=log.append)
    for call in (lambda: agent.predict("x", Q, **options), lambda: agent.predict_batch([], Q, **options)):
        with pytest.raises(error) as caught:
            call()
        assert text in str(caught.value)
    assert log == []


def test_a_state_that_cannot_be_written_names_its_index():
    with pytest.raises(errors.StateError, match="state 1") as caught:
        fake_agent().predict_batch(["fine", {"when": {1, 2}}], Q)
    assert caught.value.index == 1
    with pytest.raises(errors.StateTypeError, match="state must not be None"):
        fake_agent().predict(None, Q)


def test_cuts_are_reported_and_can_be_refused():
    agent = fake_agent(max_len=200, head_max_len=100)
    usage = agent.predict("word " * 100, {"spam": NOUL})["usage"]
    assert usage["truncated"] is True
    assert usage["truncated_questions"] == ["spam"]
    assert usage["state_tokens"] == 500
    assert usage["state_tokens_dropped"] > 0
    with pytest.raises(errors.TruncationError, match=r"state 1: \d+ state tokens do not fit the budget") as caught:
        agent.predict_batch(["short", "word " * 100], {"spam": NOUL}, truncation="error")
    assert caught.value.index == 1
    assert agent.predict("short", {"spam": NOUL}, truncation="error")["usage"]["truncated"] is False


def test_cut_instructions_and_options_are_counted_apart():
    agent = fake_agent(max_len=400, head_max_len=60)
    long = {"type": "choice", "instructions": "i" * 200, "criteria": ["a" * 40, "b" * 40]}
    usage = agent.predict("x", {"q": long})["usage"]
    assert usage["instruction_tokens_dropped"] > 0
    assert usage["option_tokens_dropped"] > 0
    assert usage["state_tokens_dropped"] == 0
    with pytest.raises(errors.TruncationError, match=r"instruction tokens and .* option tokens"):
        agent.predict("x", {"q": long}, truncation="error")


def test_options_that_became_equal_are_reported():
    agent = fake_agent(head_max_len=60)
    same = {"type": "choice", "instructions": "?", "criteria": [f"{'the same beginning ' * 5}{i}" for i in range(4)]}
    usage = agent.predict("x", {"q": same})["usage"]
    assert usage["options"]["q"]["total"] == 4
    assert usage["options"]["q"]["distinct"] == 1


def test_the_confidence_gate_runs_before_the_end_hooks_and_on_skipped_results():
    seen = []
    agent = fake_agent(on_predict_end=lambda ctx: seen.append(ctx.results[0]["answers"]["spam"]["abstention"]))
    assert agent.predict("x", Q, min_confidence=1.0)["answers"]["team"]["low_confidence"] is True
    cached = fake_agent().predict("x", Q)
    agent.predict("x", Q, min_confidence=0.0, on_predict_start=lambda ctx: ctx.skip([cached]))
    assert seen == ["abstained", "passed"]
    assert "abstention" not in cached["answers"]["spam"]


def test_predict_iter_streams_with_bounded_memory():
    taken = []

    def endless():
        i = 0
        while True:
            taken.append(i)
            yield f"state {i}"
            i += 1

    agent = fake_agent()
    stream = agent.predict_iter(endless(), Q, batch_size=3)
    assert taken == []
    first = [next(stream) for _ in range(4)]
    assert first == [agent.predict(f"state {i}", Q) for i in range(4)]
    assert len(taken) == 6


def test_predict_iter_checks_its_options_at_once():
    with pytest.raises(TypeError, match="unexpected option"):
        fake_agent().predict_iter([], Q, nonsense=1)


variable = contextvars.ContextVar("variable", default="unset")


def test_async_twins_answer_the_same_and_carry_context_variables():
    seen = []
    agent = fake_agent(on_predict_start=lambda ctx: seen.append(variable.get()))

    async def main():
        variable.set("request 9")
        one = await agent.apredict("x", Q)
        many = await agent.apredict_batch(["x", "y"], Q)
        return one, many

    one, many = asyncio.run(main())
    assert one == many[0] == agent.predict("x", Q)
    assert seen[:2] == ["request 9", "request 9"]


def test_async_twins_run_side_by_side():
    barrier = threading.Barrier(2)

    class Meeting(FakeRuntime):
        def forward(self, batch):
            barrier.wait(20)
            return super().forward(batch)

    agent = fake_agent(runtime=Meeting())

    async def main():
        return await asyncio.gather(agent.apredict("a", Q), agent.apredict("b", Q))

    assert [r["model"] for r in asyncio.run(main())] == ["fake", "fake"]


def test_a_closed_agent_says_so():
    log = []
    with fake_agent(on_predict_start=log.append) as agent:
        agent.predict("x", Q)
    assert repr(agent) == "Agent('fake', runtime='fake', device='cpu', precision='fp32', closed)"
    for call in (lambda: agent.predict("x", Q), lambda: agent.predict_batch([], Q), agent.warmup):
        with pytest.raises(errors.ClosedError, match="is closed"):
            call()
    assert len(log) == 1
    agent.close()


def test_repr_names_checkpoint_runtime_and_device():
    assert repr(fake_agent()) == "Agent('fake', runtime='fake', device='cpu', precision='fp32')"


def test_warmup_runs_forwards_without_hooks():
    log, runtime = [], FakeRuntime()
    agent = fake_agent(runtime=runtime, on_predict_start=log.append)
    assert agent.warmup() > 0
    assert len(runtime.batches) == 2
    assert log == []


def test_calibration_changes_numbers_and_fingerprint(tmp_path):
    agent, path = fake_agent(), tmp_path / "c.json"
    before, fingerprint = agent.predict("x", Q), agent.fingerprint
    agent.save_calibration(path)
    path.write_text(path.read_text().replace("1.0", "2.0"))
    agent.load_calibration(path)
    assert agent.temperature == [2.0, 2.0, 2.0]
    assert agent.fingerprint != fingerprint
    assert agent.predict("x", Q)["answers"]["spam"]["noul"] != before["answers"]["spam"]["noul"]
    path.write_text("{}")
    with pytest.raises(errors.CalibrationError):
        agent.load_calibration(path)
    assert agent.temperature == [2.0, 2.0, 2.0]


def test_a_fit_goes_straight_into_an_agent():
    agent = fake_agent()
    before = agent.predict("x", Q)["answers"]["spam"]["noul"]
    labeled = [(f"state {i}", {"spam": NOUL}, {"spam": i % 2 == 0}) for i in range(60)]
    agent.calibrate(laya.fit_temperatures(laya.records_from_labeled(agent, labeled)))
    assert agent.temperature[2] == 5.0
    assert abs(agent.predict("x", Q)["answers"]["spam"]["noul"] - 0.5) < abs(before - 0.5)
    with pytest.raises(errors.CalibrationError, match=r"temperature\[0\] must be a positive finite number, got -1"):
        agent.calibrate({"temperature": [-1, 1, 1]})
    assert agent.temperature[2] == 5.0


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"fast": True}, "fast=True belongs to a torch runtime"),
        ({"compile": True}, "laya-engine[openvino]"),
        ({"backend": "tilelang"}, "backend='tilelang' belongs to a torch runtime"),
        ({"backend": "eager"}, "use runtime='onnxruntime'"),
        ({"backend": "openvino", "runtime": "onnxruntime"}, "not both"),
        ({"runtime": "tpu"}, "onnxruntime"),
        ({"device": "gpu"}, "gpu"),
        ({"precision": "fp8"}, "fp8"),
        ({"threads": 0}, "threads"),
    ],
)
def test_options_of_another_runtime_are_refused_with_what_to_use(options, text):
    with pytest.raises(ValueError) as caught:
        laya.load(**options)
    assert text in str(caught.value)


def test_unknown_options_are_refused_with_the_nearest_name():
    with pytest.raises(TypeError, match="Agent got an unexpected option 'devise'; did you mean 'device'"):
        laya.load(devise="cpu")


def test_hooks_are_checked_before_anything_is_read():
    with pytest.raises(TypeError, match="hooks entries must be instances"):
        laya.load("/does/not/exist", hooks=[object])
    with pytest.raises(FileNotFoundError, match="/does/not/exist"):
        laya.load("/does/not/exist")


class Stamp:
    """A hook that can travel to another process."""

    def on_predict_end(self, ctx):
        ctx.results[0]["stamped"] = True


def test_an_agent_travels_as_its_configuration(tmp_path):
    agent = laya.load(hooks=[Stamp()], hooks_timeout=20, threads=1)
    agent.save_calibration(tmp_path / "c.json")
    agent.load_calibration(tmp_path / "c.json")
    twin = pickle.loads(pickle.dumps(agent))
    assert twin.predict("hello", Q) == agent.predict("hello", Q)
    assert twin.hooks_timeout == 20
    assert twin.fingerprint == agent.fingerprint
    agent.close()
    twin.close()
    with pytest.raises(TypeError, match="only a folder or id travels"):
        pickle.dumps(fake_agent())
