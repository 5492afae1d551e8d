"""One Router, one agent and one hook object in many threads."""

import threading

import pytest

import laya
from laya.testing import fake_agent
from router_builders import CHOICE, ENOUGH, Threads, together

Q = {"team": CHOICE}
STATES = [f"state {number} " * (number % 7 + 1) for number in range(24)]


@pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])
def test_many_threads_get_the_answers_that_one_gets(make, factory, layout):
    factory.agent_options["a"] = {"layout": layout}
    router = make()
    alone = [router.predict(state, Q, model="a") for state in STATES]
    batch = [{"state": state, "questions": Q, "model": "a"} for state in STATES]

    def ask(number):
        if number % 2:
            return router.predict_batch(batch)
        return [router.predict(state, Q, model="a") for state in STATES]

    assert together(ask, 6) == [alone] * 6


def test_texts_cut_in_one_thread_do_not_cut_those_of_another():
    with laya.load() as agent:

        def ask(number):
            options = [f"{word} of department {number}" for word in ("long " * 30, "short")]
            question = {"q": {"type": "choice", "instructions": "Which?", "criteria": options}}
            budget = 48 if number % 2 else None
            return [agent.predict("word " * 40, question, max_len=budget)["usage"]["state_tokens"] for _ in range(6)]

        counts = {count for mine in together(ask, 8) for count in mine}
        assert len(counts) == 1


def test_unloading_while_others_ask_fails_nobody(make):
    router = make()
    stop = threading.Event()

    def ask():
        answered = 0
        while not stop.is_set() or answered < 20:
            assert router.predict("x", Q, model="a")["routing"]["model"] == "a"
            answered += 1

    threads = Threads()
    for _ in range(3):
        threads.start(ask)
    for _ in range(10):
        router.unload()
        router.predict("y", Q, model="b")
    stop.set()
    assert threads.join() == [None] * 3


def test_one_hook_object_keeps_calls_apart_in_the_scratch_of_each(make):
    barrier, spans = threading.Barrier(4), []

    class Span:
        def on_predict_start(self, ctx):
            ctx.scratch[self] = ctx.states[0]
            barrier.wait(ENOUGH)

        def on_predict_end(self, ctx):
            spans.append((ctx.scratch[self], ctx.states[0], ctx.run_id))

    router = make(hooks=[Span()])
    router.load("a")
    together(lambda number: router.predict(f"s{number}", Q, model="a"), 4)
    assert sorted(begun for begun, _, _ in spans) == ["s0", "s1", "s2", "s3"]
    assert all(begun == ended for begun, ended, _ in spans)
    assert len({run_id for _, _, run_id in spans}) == 4


def test_two_agents_of_one_checkpoint_share_no_tokenizer():
    with laya.load() as first, laya.load() as second:
        one, two = first._model.layout.encoder, second._model.layout.encoder
        assert one is not two
        assert one._tokenizer is not two._tokenizer
        expected = second.predict("x", Q)
        first.close()
        assert second.predict("x", Q) == expected


def test_an_agent_attached_to_two_routers_serves_both(make):
    agent = fake_agent()
    one, two = make(), make()
    one.attach("shared", agent)
    two.attach("shared", agent)
    results = together(lambda number: (one, two)[number % 2].predict("x", Q, model="shared"), 4)
    assert all(result == results[0] for result in results)
    one.close()
    assert two.predict("x", Q, model="shared") == results[0]
