"""Which checkpoints are in memory: order, limits, attached agents, ends."""

import shutil
from pathlib import Path

import pytest

import laya
from laya.errors import ArgumentError, ArgumentTypeError, ClosedError, LayaError
from laya.loading import weight_bytes
from laya.testing import fake_agent
from router_builders import CHOICE, Calls, Fails, Gate, Recorder, Threads, closed, settle

Q = {"team": CHOICE}
EMBEDDED = Path(laya.__file__).parent / "data" / "english"
NOT_POSITIVE = [0, -1, True, "2", 1.5, None]


# -- order and limits ---------------------------------------------------------------------------------------------


def test_loading_and_answering_count_as_use_and_the_least_recently_used_goes(make):
    router = make(max_loaded=2)
    router.load("a")
    router.load("b")
    router.predict("x", Q, model="a")
    assert router.loaded == ["b", "a"]
    router.load("c")
    assert router.loaded == ["a", "c"]


def test_looking_at_the_residents_is_no_use(make):
    router = make()
    router.preload(["a", "b"])
    assert router.loaded_revisions == {"a": None, "b": None}
    assert router.route("x", Q, model="a").model == "a"
    assert router.loaded == ["a", "b"]


@pytest.mark.parametrize("value", NOT_POSITIVE)
def test_max_loaded_takes_positive_ints_only(make, value):
    with pytest.raises(ArgumentError, match="max_loaded must be a positive int, got"):
        laya.Router(max_loaded=value)
    router = make(max_loaded=3)
    with pytest.raises(ArgumentError, match="max_loaded"):
        router.max_loaded = value
    assert router.max_loaded == 3


@pytest.mark.parametrize("value", NOT_POSITIVE[:-1])
def test_max_bytes_takes_positive_ints_or_none(make, value):
    with pytest.raises(ArgumentError, match="max_bytes must be a positive int or None, got"):
        laya.Router(max_bytes=value)
    router = make(max_bytes=None)
    router.max_bytes = 5
    with pytest.raises(ArgumentError, match="max_bytes"):
        router.max_bytes = value
    assert router.max_bytes == 5


def test_texts_of_two_scripts_by_turns_do_not_reload_at_the_default_limit(make, factory):
    router = make()
    for text in ["Where is my invoice?", "где мой счёт", "請求書はどこですか"] * 3:
        router.predict(text, Q)
    assert factory.built == ["english", "multilingual"]


def test_a_byte_budget_bounds_the_weights_and_an_attached_agent_does_not_count():
    size = weight_bytes(None)
    with laya.Router({"a": EMBEDDED, "b": EMBEDDED, "c": EMBEDDED}, max_loaded=9, max_bytes=2 * size) as router:
        router.attach("mine", router.load("a"))
        router.load("b")
        router.load("a")
        assert router.loaded == ["mine", "b", "a"]
        router.load("c")
        assert router.loaded == ["mine", "a", "c"]


def test_under_a_byte_budget_room_is_made_before_the_weights_are_read(tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(EMBEDDED, broken)
    shutil.rmtree(broken / "tokenizer")
    log = []
    size = weight_bytes(None)
    with laya.Router({"a": EMBEDDED, "b": broken}, max_bytes=size, hooks=[Recorder("A", log)]) as router:
        router.load("a")
        with pytest.raises(LayaError):
            router.load("b")
        assert router.loaded == []
        assert log == [("A", "on_load", "a"), ("A", "on_evict", "a")]


def test_a_failing_evict_hook_does_not_hide_that_the_build_failed(tmp_path):
    broken = tmp_path / "broken"
    shutil.copytree(EMBEDDED, broken)
    shutil.rmtree(broken / "tokenizer")
    with laya.Router({"a": EMBEDDED, "b": broken}, max_bytes=weight_bytes(None), hooks=[Fails("on_evict")]) as router:
        router.load("a")
        with pytest.raises(LayaError) as caught:
            router.load("b")
        chain = [caught.value]
        while chain[-1].__context__ is not None and len(chain) < 20:
            chain.append(chain[-1].__context__)
        assert str(chain[-1]) == "on_evict of a"


# -- preload ------------------------------------------------------------------------------------------------------


def test_preload_raises_the_limit_to_hold_what_it_loads(make):
    router = make(max_loaded=1)
    assert router.preload(["a", "b"]) is router
    assert (router.loaded, router.max_loaded) == (["a", "b"], 2)
    router.preload(["a"])
    assert router.max_loaded == 2


def test_preload_without_names_takes_every_checkpoint_that_has_a_source(make):
    router = make(preload=True)
    assert sorted(router.loaded) == ["a", "b", "c", "english", "multilingual"]


# -- attach -------------------------------------------------------------------------------------------------------


def test_an_attached_agent_is_pinned_and_does_not_count(make):
    router = make(max_loaded=1)
    agent = fake_agent()
    assert router.attach("mine", agent) is agent
    for name in ["a", "b", "c"]:
        router.load(name)
    assert sorted(router.loaded) == ["c", "mine"]
    assert router.max_loaded == 1
    assert router.load("mine") is agent


@pytest.mark.parametrize("agent", [object(), None, fake_agent, "predict_batch"])
def test_attach_refuses_what_cannot_answer(make, agent):
    router = make()
    with pytest.raises(ArgumentTypeError, match=r"attach takes an agent with predict_batch\(\) or system_one\(\)"):
        router.attach("mine", agent)
    assert "mine" not in router.models


def test_attach_replaces_without_an_event_and_closes_only_what_the_router_built(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    built = router.load("a")
    log.clear()
    first, second = fake_agent(), fake_agent()
    router.attach("a", first)
    router.attach("a", second)
    assert router.load("a") is second
    assert log == []
    assert (closed(built), closed(first), closed(second)) == (True, False, False)


def test_attach_during_a_build_of_that_name_wins_and_no_load_is_told(make, factory):
    log, mine = [], fake_agent()
    gate = factory.before["a"] = Gate()
    router = make(hooks=[Recorder("A", log)])
    threads = Threads().start(router.load, "a").start(router.load, "a")
    gate.wait()
    router.attach("a", mine)
    gate.open()
    assert threads.join() == [mine, mine]
    assert log == []
    assert closed(factory.agents["a"][0])
    assert not closed(mine)


def test_attach_during_a_build_that_fails_leaves_the_attached_agent(make, factory):
    gate = factory.before["a"] = Gate()
    error = factory.fail["a"] = OSError("no such file")
    router = make()
    threads = Threads().start(router.load, "a")
    gate.wait()
    mine = router.attach("a", fake_agent())
    gate.open()
    assert threads.join() == [error]
    assert router.load("a") is mine


def test_what_a_build_function_makes_must_be_an_agent():
    with (
        laya.Router({"a": "x"}, build=lambda name, source: object()) as router,
        pytest.raises(ArgumentTypeError, match="build made a object for checkpoint 'a'"),
    ):
        router.load("a")


# -- unload and close ---------------------------------------------------------------------------------------------


def test_unload_during_calls_lets_them_finish_and_closes_the_agent_then(make):
    gate = Gate()
    router = make(hooks=[Calls("on_predict_start", gate)])
    threads = Threads().start(router.predict, "x", Q, model="a")
    gate.wait()
    agent = router.load("a")
    router.unload("a")
    assert router.loaded == []
    assert not closed(agent)
    gate.open()
    (result,) = threads.join()
    assert result["routing"]["model"] == "a"
    assert closed(agent)


def test_the_last_of_several_calls_closes_an_agent_that_was_unloaded(make):
    gates = {"x": Gate(), "y": Gate()}
    router = make(hooks=[Calls("on_predict_start", lambda ctx: gates[ctx.states[0]]())])
    calls = [Threads().start(router.predict, state, Q, model="a") for state in gates]
    for gate in gates.values():
        gate.wait()
    agent = router.load("a")
    router.unload("a")
    gates["x"].open()
    calls[0].join()
    assert not closed(agent)
    gates["y"].open()
    assert calls[1].join()[0]["answers"]
    assert closed(agent)


def test_eviction_during_calls_lets_them_finish_and_closes_the_agent_then(make):
    gate = Gate()
    router = make(hooks=[Calls("on_predict_start", gate)], max_loaded=1)
    threads = Threads().start(router.predict_batch, [{"state": "x", "questions": Q, "model": "a"}] * 2)
    gate.wait()
    agent = router.load("a")
    router.load("b")
    assert not closed(agent)
    gate.open()
    assert len(threads.join()[0]) == 2
    assert closed(agent)


def test_unload_waits_for_a_build_of_that_name(make, factory):
    gate = factory.before["a"] = Gate()
    router = make()
    threads = Threads().start(router.load, "a")
    gate.wait()
    threads.start(router.unload, "a")
    settle()
    gate.open()
    threads.join()
    router.unload("a")
    assert router.loaded == []
    assert closed(factory.agents["a"][0])


def test_unload_of_what_is_not_in_memory_does_nothing_and_of_what_is_unknown_says_so(make):
    log = []
    router = make(hooks=[Recorder("A", log)])
    router.unload("a")
    router.unload()
    assert log == []
    with pytest.raises(ArgumentError, match="unknown model 'nope'"):
        router.unload("nope")


def test_an_agent_that_fails_to_close_fails_no_other_call(make, factory, caplog):
    router = make(max_loaded=1)
    agent = router.load("a")

    def broken():
        raise OSError("device lost")

    agent.close = broken
    assert router.predict("x", Q, model="b")["routing"]["model"] == "b"
    assert "failed to close" in caplog.text


@pytest.mark.parametrize(
    "call",
    [
        lambda router: router.load("a"),
        lambda router: router.preload(["a"]),
        lambda router: router.predict("x", Q),
        lambda router: router.predict_batch([]),
        lambda router: router.predict_long("x", Q),
        lambda router: router.route("x"),
        lambda router: router.route_batch([]),
        lambda router: router.attach("a", fake_agent()),
        lambda router: router.decide("x", questions=Q),
    ],
    ids=["load", "preload", "predict", "predict_batch", "predict_long", "route", "route_batch", "attach", "decide"],
)
def test_a_closed_router_says_so(make, call):
    router = make()
    router.load("a")
    router.close()
    router.close()
    assert router.loaded == []
    assert repr(router).endswith(", closed)")
    with pytest.raises(ClosedError, match=r"Router.* is closed; make a new one"):
        call(router)


def test_close_closes_what_was_built_and_nothing_that_was_attached(make):
    log = []
    mine = fake_agent()
    with make(hooks=[Recorder("A", log)]) as router:
        built = router.load("a")
        router.attach("mine", mine)
        log.clear()
    assert log == [("A", "on_evict", "a"), ("A", "on_evict", "mine")]
    assert (closed(built), closed(mine)) == (True, False)


def test_a_hook_that_fails_at_the_end_of_a_with_block_does_not_hide_what_the_block_raised(make):
    def block(error):
        with make(hooks=[Fails("on_evict")]) as router:
            router.load("a")
            if error is not None:
                raise error

    error = ValueError("mine")
    with pytest.raises(ValueError, match="mine") as caught:
        block(error)
    assert caught.value is error
    assert str(error.__context__) == "on_evict of a"
    with pytest.raises(RuntimeError, match="on_evict of a"):
        block(None)


def test_close_waits_for_builds_and_leaves_nothing_open(make, factory):
    gate = factory.before["a"] = Gate()
    router = make()
    threads = Threads().start(router.load, "a")
    gate.wait()
    threads.start(router.close)
    settle()
    gate.open()
    threads.join()
    assert router.loaded == []
    assert closed(factory.agents["a"][0])


def test_a_load_hook_may_close_the_router(make, factory):
    router = make(hooks=[Calls("on_load", lambda ctx: ctx.router.close())])
    router.load("a")
    assert closed(factory.agents["a"][0])
    with pytest.raises(ClosedError):
        router.load("a")
