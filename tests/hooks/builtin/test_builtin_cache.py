"""Cache: serves the same answers for the same request, and nothing else."""

from __future__ import annotations

import json
import threading

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from laya.errors import ArgumentError, ForwardError, TruncationError
from laya.hooks import PredictContext
from laya.hooks.builtin import Cache, CacheStats, ConfidenceGate, Redact
from laya.hooks.builtin.content import request_digests
from laya.hooks.builtin.disk import DiskStore
from laya.hooks.dispatch import Dispatcher
from laya.hooks.lifecycle import run
from laya.testing import FakeRuntime, fake_agent

Q = {"d": {"type": "choice", "instructions": "which?", "criteria": {"billing": "invoices", "tech": "bugs"}}}


def counted(**options):
    runtime = FakeRuntime()
    return fake_agent(runtime=runtime, **options), runtime.batches


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


def test_the_second_equal_call_runs_no_forward_and_gives_the_same_answers():
    cache = Cache()
    agent, batches = counted(hooks=[cache])
    first, second = agent.predict("hello", Q), agent.predict("hello", Q)
    assert len(batches) == 1
    assert first["answers"] == second["answers"]
    assert cache.stats == CacheStats(hits=1, misses=1, size=1)


def test_a_hit_says_so_and_spends_no_tokens():
    seen = []
    agent, _ = counted(hooks=[Cache()], on_predict_end=lambda ctx: seen.append((ctx.skipped, ctx.usage)))
    first, second = agent.predict("hello", Q)["usage"], agent.predict("hello", Q)["usage"]
    assert "cached" not in first
    assert second == {**first, "cached": True, "input_tokens": 0, "windows": 0}
    assert [skipped for skipped, _ in seen] == [False, True]
    assert seen[1][1]["input_tokens"] == 0


def one_question(**changes):
    return {"d": {**Q["d"], **changes}}


OTHER_REQUESTS = {
    "state": {"state": "hello "},
    "type of a state": {"state": 1},
    "true is not one": {"state": True},
    "a float is not an int": {"state": 1.0},
    "order of state keys": {"state": {"b": 1, "a": 2}},
    "the other order": {"state": {"a": 2, "b": 1}},
    "order of options": {"questions": one_question(criteria={"tech": "bugs", "billing": "invoices"})},
    "option_order": {"questions": one_question(option_order=[1, 0])},
    "instructions": {"questions": one_question(instructions="Which?")},
    "id": {"questions": {"e": Q["d"]}},
    "int label": {"questions": one_question(criteria=[1, 2])},
    "text label": {"questions": one_question(criteria=["1", "2"])},
    "bool label": {"questions": one_question(criteria=[True, 2])},
    "max_len": {"max_len": 500},
    "head_max_len": {"head_max_len": 500},
    "lang": {"lang": "de"},
}


@pytest.mark.parametrize("change", OTHER_REQUESTS.values(), ids=OTHER_REQUESTS)
def test_any_difference_in_the_request_is_a_miss(change):
    cache = Cache()
    agent, batches = counted(hooks=[cache])
    requests = [{}, *(other for other in OTHER_REQUESTS.values() if other is not change), change]
    for other in requests:
        options = {"state": "hello", "questions": Q, **other}
        agent.predict(options.pop("state"), options.pop("questions"), **options)
    assert len(batches) == len(requests)
    assert cache.stats.hits == 0


def test_agents_that_share_a_cache_share_answers_only_with_their_equals(tmp_path):
    cache = Cache()
    one, first = counted(hooks=[cache])
    two, second = counted(hooks=[cache])
    answers = one.predict("hello", Q)["answers"]
    assert two.predict("hello", Q)["answers"] == answers
    assert (len(first), len(second)) == (1, 0)
    two.save_calibration(tmp_path / "c.json")
    hotter = {**json.loads((tmp_path / "c.json").read_text()), "temperature": [2.0, 2.0, 2.0]}
    (tmp_path / "c.json").write_text(json.dumps(hotter))
    two.load_calibration(tmp_path / "c.json")
    assert two.predict("hello", Q)["answers"] != answers
    assert (len(first), len(second)) == (1, 1)


def test_results_given_and_kept_are_copies():
    agent, _ = counted(hooks=[Cache()])
    first = agent.predict("hello", Q)
    kept = json.dumps(first["answers"])
    first["answers"]["d"]["probabilities"].clear()
    second = agent.predict("hello", Q)
    assert json.dumps(second["answers"]) == kept
    second["answers"].clear()
    assert json.dumps(agent.predict("hello", Q)["answers"]) == kept


def test_marks_of_a_confidence_gate_are_not_stored():
    agent, _ = counted(hooks=[Cache(), ConfidenceGate(0.0)])
    agent.predict("hello", Q, min_confidence=1.0)
    plain, _ = counted(hooks=[cache := Cache()])
    plain.predict("hello", Q, min_confidence=1.0)
    assert "abstention" not in plain.predict("hello", Q)["answers"]["d"]
    assert plain.predict("hello", Q, min_confidence=0.0)["answers"]["d"]["abstention"] == "passed"
    assert cache.stats.hits == 2


def test_routing_is_not_stored():
    cache = Cache()

    def call(decision):
        ctx = PredictContext(["hello"], Q, model="m", router=object(), decision=decision)
        run(
            [ctx],
            Dispatcher([cache]),
            lambda contexts: [
                setattr(c, "results", [{"model": "m", "answers": {"d": {"type": "choice"}}, "usage": {}}])
                for c in contexts
            ],
            finish=lambda c: [r.setdefault("routing", c.decision) for r in c.results],
        )
        return ctx.results[0]

    assert call("english")["routing"] == "english"
    hit = call("multilingual")
    assert hit["usage"]["cached"]
    assert hit["routing"] == "multilingual"


def test_a_cut_result_is_served_again_but_never_to_a_call_that_refuses_cuts():
    agent, batches = counted(hooks=[Cache()], max_len=160, head_max_len=120)
    long = "word " * 100
    assert agent.predict(long, Q)["usage"]["truncated"]
    assert agent.predict(long, Q)["usage"]["cached"]
    assert len(batches) == 1
    with pytest.raises(TruncationError):
        agent.predict(long, Q, truncation="error")


def test_answers_to_a_request_that_a_later_hook_changed_are_not_stored():
    cache = Cache()
    agent, batches = counted(hooks=[cache, Redact()])
    for _ in range(2):
        agent.predict("write to a@example.org", Q)
    assert len(batches) == 2
    after, batches = counted(hooks=[Redact(), cache])
    for address in ("a@example.org", "b@example.org"):
        after.predict(f"write to {address}", Q)
    assert len(batches) == 1


def test_answers_of_another_hook_are_not_stored():
    made = {"model": "m", "answers": {"d": {"type": "choice"}}, "usage": {}}
    cache = Cache()
    agent, _ = counted(hooks=[cache], on_predict_start=lambda ctx: ctx.skip([made]))
    agent.predict("hello", Q)
    assert cache.stats.size == 0


def test_a_failed_call_stores_nothing():
    def broken(option, row):
        raise ForwardError("no")

    cache = Cache()
    agent = fake_agent(runtime=FakeRuntime(broken), hooks=[cache])
    with pytest.raises(ForwardError):
        agent.predict("hello", Q)
    assert cache.stats.size == 0


def test_a_batch_is_served_only_when_all_of_it_is_known():
    cache = Cache()
    agent, batches = counted(hooks=[cache])
    agent.predict_batch(["a", "b"], Q)
    agent.predict_batch(["b", "a"], Q)
    assert len(batches) == 1
    mixed = agent.predict_batch(["a", "c"], Q)
    assert len(batches) == 2
    assert not any("cached" in result["usage"] for result in mixed)
    assert cache.stats == CacheStats(hits=2, misses=4, size=3)


@pytest.mark.parametrize("states", [[], [{1, 2}], "text"])
def test_requests_without_a_key_pass_by(states):
    cache = Cache()
    ctx = PredictContext(states, Q, model="m")
    cache.on_predict_start(ctx)
    assert ctx.results is None
    assert cache.stats == CacheStats(0, 0, 0)


def test_a_context_that_names_no_checkpoint_is_not_cached():
    cache = Cache()
    ctx = PredictContext(["a"], Q)
    cache.on_predict_start(ctx)
    assert ctx.scratch == {}


def test_the_least_recently_used_result_goes_first():
    agent, batches = counted(hooks=[Cache(2)])
    for state in ("a", "b", "a", "c", "a"):
        agent.predict(state, Q)
    assert len(batches) == 3
    agent.predict("b", Q)
    assert len(batches) == 4


def test_a_result_lives_no_longer_than_its_ttl(tmp_path):
    clock = Clock()
    cache = Cache(ttl=10, timer=clock, disk=tmp_path)
    agent, batches = counted(hooks=[cache])
    agent.predict("a", Q)
    clock.now += 9
    agent.predict("a", Q)
    assert len(batches) == 1
    fresh = Cache(ttl=10, timer=clock, disk=tmp_path)
    agent.predict("a", Q, hooks=[fresh])
    clock.now += 1
    assert cache.stats.size == 0
    agent.predict("a", Q)
    assert len(batches) == 2
    # The copy that came from the disk kept its age.
    assert fresh.stats.size == 0


def test_eight_threads_on_a_cache_of_one_get_their_own_answers():
    cache = Cache(1)
    agent, _ = counted(hooks=[cache])
    expected = {state: fake_agent().predict(state, Q)["answers"] for state in ("a", "b", "c")}
    wrong = []

    def work(offset):
        for i in range(20):
            state = "abc"[(i + offset) % 3]
            try:
                if agent.predict(state, Q)["answers"] != expected[state]:
                    wrong.append(state)
            except Exception as exc:
                wrong.append(exc)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert cache.stats.hits + cache.stats.misses == 160


def test_results_on_disk_outlive_the_cache_and_keep_label_types(tmp_path):
    questions = {7: {"type": "choice", "instructions": "how many?", "criteria": [1, 2.5, True + 2, "x"]}}
    agent, batches = counted()
    first = agent.predict("a", questions, hooks=[Cache(disk=tmp_path)])
    second = agent.predict("a", questions, hooks=[Cache(disk=tmp_path)])
    assert len(batches) == 1
    assert second["answers"] == first["answers"]
    types = [[type(label) for label in result["answers"][7]["probabilities"]] for result in (first, second)]
    assert types[0] == types[1] == [int, float, int, str]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"format": 1}',
        b'{"format": 1, "key": "other", "stored": 1, "result": {"answers": {}, "usage": {}}}',
        b'{"format": 1, "key": 3, "stored": 1, "result": {"answers": 1}}',
    ],
)
def test_a_damaged_file_is_a_miss_and_is_replaced(tmp_path, damage):
    agent, batches = counted()
    agent.predict("a", Q, hooks=[Cache(disk=tmp_path)])
    (file,) = tmp_path.iterdir()
    whole = json.loads(file.read_text())
    file.write_bytes(damage)
    agent.predict("a", Q, hooks=[Cache(disk=tmp_path)])
    assert len(batches) == 2
    assert json.loads(file.read_text())["result"] == whole["result"]


def test_a_failed_write_leaves_no_part_of_a_file(tmp_path, monkeypatch):
    store = DiskStore(tmp_path)
    store.put("k", 1.0, {"answers": {}, "usage": {}})

    def full(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    with pytest.raises(OSError, match="No space"):
        store.put("k", 2.0, {"answers": {"new": {}}, "usage": {}})
    assert [path.name for path in tmp_path.iterdir()] == ["k.json"]
    assert store.get("k") == (1.0, {"answers": {}, "usage": {}})


def test_a_result_that_json_cannot_hold_stays_in_memory(tmp_path):
    agent, batches = counted()
    # An end hook before the cache adds a tuple: it is answered from memory, not from disk.
    mark = type("Mark", (), {"on_predict_end": lambda self, ctx: ctx.results[0].update(extra=(1, 2))})()
    hooks = [mark, Cache(disk=tmp_path)]
    agent.predict("a", Q, hooks=hooks)
    assert agent.predict("a", Q, hooks=hooks)["extra"] == (1, 2)
    assert len(batches) == 1
    assert list(tmp_path.iterdir()) == []


def test_clear_forgets_memory_and_disk_but_not_the_files_of_others(tmp_path):
    (tmp_path / "README.txt").write_text("mine")
    cache = Cache(disk=tmp_path)
    agent, batches = counted(hooks=[cache])
    agent.predict("a", Q)
    cache.clear()
    agent.predict("a", Q)
    assert len(batches) == 2
    cache.clear()
    assert [path.name for path in tmp_path.iterdir()] == ["README.txt"]


@pytest.mark.parametrize("arguments", [{"maxsize": 0}, {"maxsize": True}, {"ttl": 0}, {"ttl": float("nan")}])
def test_sizes_and_times_must_be_positive(arguments):
    with pytest.raises(ArgumentError, match=r"must be a positive"):
        Cache(**arguments)


JSON = st.recursive(
    st.sampled_from([None, True, False, 0.0, -0.0, 1.0, 2.0, 1, 2, -1]) | st.text("a1:;sd", max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("a1:;sd", max_size=3) | st.integers(0, 2), inner, max_size=3)
    ),
    max_leaves=6,
)


def shape(value):
    """Content with types and order, in a form that Python compares exactly."""
    if isinstance(value, dict):
        return ("dict", [(shape(key), shape(item)) for key, item in value.items()])
    if isinstance(value, list):
        return ("list", [shape(item) for item in value])
    return (type(value).__name__, repr(value))


@given(JSON, JSON)
def test_digests_are_equal_for_equal_content_and_no_other(one, two):
    first, second = request_digests([], [one, two])
    assert (first == second) == (shape(one) == shape(two))
    assert request_digests([one], [two]) == request_digests([one], [two])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON)
def test_what_a_store_gives_back_is_what_it_was_given(tmp_path, value):
    store = DiskStore(tmp_path)
    result = {"answers": {"q": value, 1: "$map"}, "usage": {"$map": value}}
    assert store.put("k", 5.0, result)
    stored, found = store.get("k")
    assert stored == 5.0
    assert shape(found) == shape(result)


def test_a_state_that_contains_itself_has_no_digest():
    loop = []
    loop.append(loop)
    assert request_digests([], [loop]) is None
