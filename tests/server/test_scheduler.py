"""The engine room: merging, order, errors, cancellation, deadlines, fairness, bounds, cold checkpoints, drain."""

import asyncio
import gc
import pickle
import threading
import time

import pytest
from engine_room import Plug, Q, engine_room, play, request, submit, until, waiting

from laya.errors import ArgumentError, ClosedError, DeadlineError, ForwardError, LayaError, QueueFullError, StateError
from laya.server.scheduler import Scheduler, SchedulerOptions
from laya.server.work import Ticket
from laya.testing import fake_agent
from router_builders import ENOUGH, Calls, Fails, Gate, Recorder

STATES = ["Where is my invoice?", "It crashes.", "Hello", "I was charged twice", "The app does not start"]


# -- merging --------------------------------------------------------------------------------------------------------


def test_results_are_those_of_the_router_in_order(make):
    router = make()

    async def scene():
        async with engine_room(router) as room:
            return await room.submit([request(state) for state in STATES], client="c")

    assert play(scene) == [router.predict(state, Q, model="a") for state in STATES]


def test_no_requests_are_no_work(make):
    async def scene():
        async with engine_room(make()) as room:
            return await room.submit([], client="c"), room.stats()

    results, stats = play(scene)
    assert results == []
    assert stats.batches == 0


def test_what_waits_is_merged_over_clients(make, factory):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            tasks = [submit(room, request(state), client=state) for state in STATES]
            await waiting(room, len(STATES))
            plug.open()
            results = await asyncio.gather(*tasks)
            await held
            return [result for (result,) in results], room.stats()

    results, stats = play(scene)
    assert results == [router.predict(state, Q, model="a") for state in STATES]
    assert (stats.batches, stats.largest_batch, stats.batch_requests) == (2, len(STATES), len(STATES) + 1)
    assert stats.answered == len(STATES) + 1
    assert len(factory.runtimes["a"].batches) == 2 + len(STATES)  # the plug, the merged batch, and the solo runs here
    assert stats.batch_tokens == sum(
        result["usage"]["input_tokens"] for result in [*results, router.predict("plug", Q)]
    )


@pytest.mark.parametrize(
    ("options", "largest", "batches"),
    [({"max_batch_requests": 2}, 2, 4), ({"max_batch_tokens": 1}, 1, 6), ({"max_batch_tokens": 10_000}, 5, 2)],
)
def test_a_batch_has_bounds(make, options, largest, batches):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router, **options) as room:
            held = await plug.block(room)
            task = submit(room, *[request(state) for state in STATES])
            await waiting(room, len(STATES))
            plug.open()
            await asyncio.gather(task, held)
            return room.stats()

    stats = play(scene)
    assert (stats.largest_batch, stats.batches) == (largest, batches)


def test_a_batch_takes_no_longer_than_it_should_by_the_pace_so_far(make):
    router = make(on_predict_start=lambda _: time.sleep(0.01))
    plug = Plug(router)

    async def scene():
        async with engine_room(router, max_batch_seconds=0.015) as room:
            held = await plug.block(room)
            task = submit(room, *[request() for _ in range(8)])
            await waiting(room, 8)
            plug.open()
            await asyncio.gather(task, held)
            return room.stats()

    assert play(scene).largest_batch < 8


def test_a_batch_may_wait_for_company(make):
    router = make()
    router.load("a")

    async def scene():
        async with engine_room(router, max_wait=5.0, max_batch_requests=3) as room:
            first = submit(room, request("one"))
            await waiting(room, 1)
            rest = submit(room, request("two"), request("three"))
            await asyncio.gather(first, rest)  # a full batch waits no longer
            return room.stats()

    stats = play(scene)
    assert (stats.batches, stats.largest_batch) == (1, 3)


def test_engines_share_what_waits_and_work_side_by_side(make):
    together = threading.Barrier(2)
    router = make(on_predict_start=lambda _: together.wait(ENOUGH))
    router.load("a")

    async def scene():
        async with engine_room(router, engines=2) as room:
            await until(lambda: room._backlog._free == 2)
            results = await room.submit([request("one"), request("two")], client="c")
            return results, room.stats()

    results, stats = play(scene)
    assert all("answers" in result for result in results)
    assert (stats.batches, stats.largest_batch) == (2, 1)


# -- hooks ----------------------------------------------------------------------------------------------------------


def test_merged_requests_have_contexts_and_request_ids_of_their_own(make):
    router, seen = make(), []
    plug = Plug(router)
    note = lambda event: lambda ctx: seen.append((event, ctx.states[0], ctx.request_id, ctx.run_id))  # noqa: E731 - shortest
    for event in ("on_route", "on_predict_start", "on_predict_end"):
        router.add_hook(Calls(event, note(event)))

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            seen.clear()
            tasks = [
                submit(room, request("one"), request("two"), client="x", request_id="r1"),
                submit(room, request("three"), request("four", request_id="own"), client="y", request_id="r2"),
            ]
            await waiting(room, 4)
            plug.open()
            await asyncio.gather(held, *tasks)

    play(scene)
    ids = {"one": "r1", "two": "r1", "three": "r2", "four": "own"}
    of_tasks = [entry for entry in seen if entry[1] in ids]
    assert len(of_tasks) == 3 * len(ids)
    assert all(request_id == ids[state] for _, state, request_id, _ in of_tasks)
    run_ids = {state: {run_id for _, known, _, run_id in of_tasks if known == state} for state in ids}
    assert all(len(found) == 1 for found in run_ids.values())
    assert len(set.union(*run_ids.values())) == len(ids)
    starts = [state for event, state, *_ in of_tasks if event == "on_predict_start"]
    assert [s for s in starts if s in {"one", "two"}] == ["one", "two"]
    assert [s for s in starts if s in {"three", "four"}] == ["three", "four"]


def test_the_callers_request_is_left_as_it_was(make):
    given = request()

    async def scene():
        async with engine_room(make()) as room:
            await room.submit([given], client="c", request_id="r")

    play(scene)
    assert given == request()


def test_a_hook_that_fails_fails_its_own_request(make):
    router = make()
    plug = Plug(router)
    router.add_hook(Fails("on_predict_start", state="bad"))

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            tasks = [submit(room, request(state), client=state) for state in ("good", "bad", "fine")]
            await waiting(room, 3)
            plug.open()
            return await asyncio.gather(held, *tasks), room.stats()

    (_, (good,), (bad,), (fine,)), stats = play(scene)
    assert isinstance(bad, RuntimeError)
    assert "choice" in good["answers"]["team"]
    assert "choice" in fine["answers"]["team"]
    assert (stats.batches, stats.failed, stats.answered) == (2, 1, 3)


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_from_a_hook_fails_its_batch_and_the_engine_goes_on(make, interrupt):
    router = make(hooks=[Fails("on_predict_start", error=interrupt, state="bad")])
    router.load("a")

    async def scene():
        async with engine_room(router) as room:
            (bad,) = await room.submit([request("bad")], client="c")
            return bad, await room.submit([request()], client="c")

    bad, (good,) = play(scene)
    assert isinstance(bad, ForwardError)
    assert isinstance(bad.__cause__.__cause__, interrupt)
    assert good["answers"]


# -- errors ---------------------------------------------------------------------------------------------------------


def failures_among_others(make, *requests):
    """What requests of one call come to, merged into a batch behind those of somebody else."""
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            others = submit(room, *[request(f"other {n}") for n in range(3)], client="a")
            mine = submit(room, *requests, client="b")
            await waiting(room, 3 + len(requests))
            plug.open()
            results = await asyncio.gather(held, others, mine)
            assert all("answers" in result for result in results[1])
            assert room.stats().largest_batch == 3 + len(requests)
            return results[2]

    return play(scene)


BAD_STATE = request({"amount": float("nan")})
BAD_QUESTION = request(questions={"team": {"type": "choice", "instructions": "Which?"}})
BAD_NAME = request(model="nope")


@pytest.mark.parametrize("bad", [BAD_STATE, BAD_QUESTION, BAD_NAME], ids=["state", "question", "name"])
def test_an_error_reads_as_if_the_request_had_come_alone(make, bad):
    (found,) = failures_among_others(make, bad)
    with pytest.raises(LayaError) as alone:
        make().predict(**bad)
    assert type(found) is alone.type
    assert str(found) == str(alone.value)
    assert (found.index, found.question) == (alone.value.index, alone.value.question)


@pytest.mark.parametrize("bad", [BAD_STATE, BAD_QUESTION, BAD_NAME], ids=["state", "question", "name"])
def test_an_error_names_the_request_by_its_number_in_its_own_call(make, bad):
    results = failures_among_others(make, request(), bad, request())
    assert [isinstance(result, Exception) for result in results] == [False, True, False]
    assert results[1].index == 1
    assert str(results[1]).startswith("request 1: ")


def test_a_closed_router_fails_requests_and_loses_none(make):
    router = make()
    router.close()

    async def scene():
        async with engine_room(router) as room:
            return await room.submit([request(), request(questions={})], client="c")

    assert [type(result) for result in play(scene)] == [ClosedError, ClosedError]


# -- callers that go, deadlines -------------------------------------------------------------------------------------


def test_work_of_a_caller_who_has_gone_is_dropped_before_it_runs(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            gone = submit(room, request("gone 1"), request("gone 2"))
            stays = submit(room, request("stays"))
            await waiting(room, 3)
            gone.cancel()
            await asyncio.gather(gone, return_exceptions=True)
            assert room.stats().queued == 1
            plug.open()
            await asyncio.gather(held, stays)
            return gone, room.stats()

    gone, stats = play(scene)
    assert gone.cancelled()
    assert plug.seen == ["plug", "stays"]
    assert (stats.cancelled, stats.answered) == (2, 2)


@pytest.mark.parametrize("resident", [True, False])
def test_work_that_an_engine_has_taken_is_dropped_up_to_its_begin(make, factory, resident):
    gate, starts = Gate(), []
    router = make(lang_guess=lambda _: gate() or "en", on_predict_start=lambda ctx: starts.append(ctx.states[0]))
    if resident:
        router.load("english")

    async def scene():
        async with engine_room(router, loaders=1) as room:
            goes = submit(room, {"state": "goes", "questions": Q})
            await asyncio.to_thread(gate.wait)  # the engine asks which checkpoint it needs
            goes.cancel()
            await asyncio.gather(goes, return_exceptions=True)
            gate.open()
            await room.submit([request("stays")], client="c")
            return room.stats()

    stats = play(scene)
    assert starts == ["stays"]
    assert factory.built == (["english", "a"] if resident else ["a"])
    assert (stats.cancelled, stats.answered, stats.discarded, stats.queued) == (1, 1, 0, 0)


def test_work_of_a_caller_who_has_gone_is_discarded_when_it_runs_already(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            held.cancel()
            await asyncio.gather(held, return_exceptions=True)
            plug.open()
            await room.submit([request()], client="c")
            return room.stats()

    stats = play(scene)
    assert (stats.discarded, stats.cancelled, stats.answered) == (1, 0, 1)


def test_a_request_that_waits_beyond_its_deadline_is_dropped_and_says_so(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            with pytest.raises(DeadlineError, match="2 of 2 requests were still waiting at the deadline"):
                await room.submit([request("late 1"), request("late 2")], client="c", deadline=0.01)
            plug.open()
            await asyncio.gather(held, room.submit([request("in time")], client="c", deadline=20))
            return room.stats()

    stats = play(scene)
    assert plug.seen == ["plug", "in time"]
    assert (stats.expired, stats.answered, stats.queued) == (2, 2, 0)


def test_a_deadline_that_the_event_loop_has_not_seen_yet_counts_for_the_engine(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            late = submit(room, request("late"), deadline=0.02)
            await waiting(room, 1)
            time.sleep(0.03)  # noqa: ASYNC251 - the loop is busy beyond the deadline
            plug.open()
            time.sleep(0.05)  # noqa: ASYNC251 - the loop is busy
            outcome = await asyncio.gather(held, late, return_exceptions=True)
            return outcome[1], room.stats()

    late, stats = play(scene)
    assert isinstance(late, DeadlineError)
    assert plug.seen == ["plug"]
    assert stats.expired == 1


def test_a_request_that_runs_at_its_deadline_is_answered(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            task = submit(room, request("plug"), deadline=0.02)
            await asyncio.to_thread(plug.gate.wait)
            await asyncio.sleep(0.05)
            plug.open()
            return await task

    (result,) = play(scene)
    assert result["answers"]


def test_a_caller_who_goes_as_the_answer_comes_leaves_nothing_behind(make):
    router = make()
    plug = Plug(router)

    async def scene():
        room = Scheduler(router)
        await room.start()
        held = await plug.block(room)
        queued = submit(room, request("queued"))
        await waiting(room, 1)
        draining = asyncio.ensure_future(room.drain(0))
        await until(lambda: room.stats().refused)
        for task in (held, queued):
            task.cancel()
        outcomes = await asyncio.gather(held, queued, return_exceptions=True)
        plug.open()
        await draining
        assert all(isinstance(outcome, (asyncio.CancelledError, ClosedError)) for outcome in outcomes)
        return room.stats()

    stats = play(scene)
    assert (stats.refused, stats.cancelled) == (1, 0)


# -- bounds ---------------------------------------------------------------------------------------------------------


def test_a_full_queue_refuses_all_of_a_call_and_says_when_to_come_back(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router, max_queued=4) as room:
            await room.submit([request()], client="c")  # so that the pace is known
            held = await plug.block(room)
            first = submit(room, request(), request(), client="a")
            await waiting(room, 2)
            with pytest.raises(QueueFullError, match="2 requests with") as refused:
                await room.submit([request()] * 3, client="b")
            assert room.stats().queued == 2
            second = submit(room, request(), client="b")
            await waiting(room, 3)
            plug.open()
            await asyncio.gather(held, first, second)
            return refused.value, room.stats()

    refused, stats = play(scene)
    assert refused.retry_after > 0
    assert not refused.client
    assert (stats.rejected, stats.answered) == (3, 5)


def test_a_queue_is_full_by_bytes_too(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router, max_queued_bytes=2000) as room:
            held = await plug.block(room)
            with pytest.raises(QueueFullError):
                await room.submit([request("x" * 2000)], client="a")
            small = submit(room, request("x" * 1000), client="a")
            await waiting(room, 1)
            assert 1000 < room.stats().queued_bytes < 2000
            plug.open()
            await asyncio.gather(held, small)
            return room.stats()

    assert play(scene).queued_bytes == 0


def test_one_client_cannot_fill_the_queue(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router, max_queued=8) as room:
            held = await plug.block(room)
            greedy = [submit(room, request(), client="greedy") for _ in range(8)]
            await waiting(room, 4)
            other = submit(room, request(), client="other")
            await waiting(room, 5)
            plug.open()
            outcomes = await asyncio.gather(*greedy, return_exceptions=True)
            await asyncio.gather(held, other)
            return outcomes

    outcomes = play(scene)
    refused = [outcome for outcome in outcomes if isinstance(outcome, QueueFullError)]
    assert len(refused) == 4
    assert all(error.client for error in refused)


def test_a_client_with_little_is_not_held_up_by_one_with_much(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router, max_batch_requests=4) as room:
            held = await plug.block(room)
            much = submit(room, *[request(f"much {n}") for n in range(20)], client="much")
            little = submit(room, request("little 0"), request("little 1"), client="little")
            await waiting(room, 22)
            plug.open()
            await asyncio.gather(held, much, little)

    play(scene)
    assert {"little 0", "little 1"} <= set(plug.seen[1:5])
    assert [state for state in plug.seen if state.startswith("much")] == [f"much {n}" for n in range(20)]


def test_the_estimate_grows_with_what_waits(make):
    router = make(on_predict_start=lambda _: time.sleep(0.01))
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            assert room.estimate() == 0
            await room.submit([request() for _ in range(3)], client="c")
            assert room.estimate() == 0
            held = await plug.block(room)
            tasks, estimates = [], []
            for number in range(1, 4):
                tasks.append(submit(room, *[request()] * 10))
                await waiting(room, 10 * number)
                estimates.append(room.estimate())
            plug.open()
            await asyncio.gather(held, *tasks)
            return estimates

    first, second, third = play(scene)
    assert 0.05 < first < second < third


# -- cold checkpoints -----------------------------------------------------------------------------------------------


def test_a_cold_checkpoint_holds_up_nobody_else(make, factory):
    router = make()
    factory.before["b"] = gate = Gate()
    router.load("a")

    async def scene():
        async with engine_room(router) as room:
            cold = [submit(room, request(state, model="b"), client=state) for state in ("one", "two")]
            await asyncio.to_thread(gate.wait)
            warm = await room.submit([request()], client="c")
            assert room.stats().loading == ("b",)
            assert not any(task.done() for task in cold)
            gate.open()
            return warm, await asyncio.gather(*cold), room.stats()

    (warm,), cold, stats = play(scene)
    assert warm["routing"]["model"] == "a"
    assert [result["routing"]["model"] for (result,) in cold] == ["b", "b"]
    assert stats.loading == ()
    assert factory.built == ["a", "b"]


def test_who_waits_for_a_cold_checkpoint_may_go_or_expire(make, factory):
    router = make()
    factory.before["b"] = gate = Gate()
    recorder = Recorder("r", [])
    router.add_hook(recorder)

    async def scene():
        async with engine_room(router) as room:
            stays = submit(room, request("stays", model="b"))
            await asyncio.to_thread(gate.wait)
            goes = submit(room, request("goes", model="b"))
            with pytest.raises(DeadlineError):
                await room.submit([request("late", model="b")], client="c", deadline=0.02)
            goes.cancel()
            await asyncio.gather(goes, return_exceptions=True)
            gate.open()
            await stays
            return room.stats()

    stats = play(scene)
    starts = [state for _, event, state in recorder.log if event == "on_predict_start"]
    assert starts == ["stays"]
    assert (stats.expired, stats.cancelled, stats.answered) == (1, 1, 1)


def test_a_deadline_that_passes_while_a_checkpoint_loads_counts_for_the_loader(make, factory):
    router = make()
    factory.before["b"] = gate = Gate()

    async def scene():
        async with engine_room(router) as room:
            late = submit(room, request("late 1", model="b"), request("late 2", model="b"), deadline=0.02)
            stays = submit(room, request("stays", model="b"))
            await asyncio.to_thread(gate.wait)
            time.sleep(0.03)  # noqa: ASYNC251 - the loop is busy beyond the deadline
            gate.open()
            time.sleep(0.05)  # noqa: ASYNC251 - the loop is busy
            return await asyncio.gather(late, stays, return_exceptions=True), room.stats()

    (late, (stays,)), stats = play(scene)
    assert isinstance(late, DeadlineError)
    assert stays["answers"]
    assert (stats.expired, stats.answered) == (2, 1)


def test_a_checkpoint_that_nobody_waits_for_any_more_is_not_loaded(make, factory):
    router = make()
    factory.before["b"] = gate = Gate()

    async def scene():
        async with engine_room(router, loaders=1) as room:
            first = submit(room, request(model="b"))
            await asyncio.to_thread(gate.wait)
            goes = submit(room, request(model="c"))
            await until(lambda: room.stats().loading == ("b", "c"))
            goes.cancel()
            await asyncio.gather(goes, return_exceptions=True)
            gate.open()
            await first
            await room.submit([request(model="a")], client="c")  # the only loader comes to it after "c"

    play(scene)
    assert factory.built == ["b", "a"]


def test_a_checkpoint_that_cannot_be_loaded_fails_those_who_wait_for_it(make, factory):
    router = make()
    factory.fail["b"] = OSError("no such file")

    async def scene():
        async with engine_room(router) as room:
            failed = await asyncio.gather(*[room.submit([request(model="b")], client=str(n)) for n in range(3)])
            del factory.fail["b"]
            return [error for (error,) in failed], await room.submit([request(model="b")], client="c")

    failed, (answered,) = play(scene)
    assert all(isinstance(error, OSError) for error in failed)
    assert len({id(error) for error in failed}) == 3
    assert answered["answers"]


def test_checkpoints_that_push_each_other_out_answer_all_the_same(make, factory):
    router = make(max_loaded=1)

    async def scene():
        async with engine_room(router, max_batch_requests=2) as room:
            names = ["a", "b", "c"] * 8
            return names, await asyncio.gather(*[room.submit([request(model=n)], client=n) for n in names])

    names, results = play(scene)
    assert [result["routing"]["model"] for (result,) in results] == names


def test_a_request_that_asks_nothing_loads_nothing(make, factory):
    async def scene():
        async with engine_room(make()) as room:
            return await room.submit([{"state": "x", "questions": {}, "model": "b"}], client="c")

    (result,) = play(scene)
    assert result["answers"] == {}
    assert factory.built == []


def test_an_idle_checkpoint_leaves_memory_and_an_attached_one_stays(make):
    router = make()
    router.attach("mine", fake_agent())

    async def scene():
        async with engine_room(router, idle_unload=0.05) as room:
            await room.submit([request(), request(model="mine")], client="c")
            await until(lambda: router.loaded == ["mine"], pause=0.01)
            return await room.submit([request()], client="c")

    (result,) = play(scene)
    assert result["answers"]


def test_a_hook_that_fails_when_a_checkpoint_leaves_does_not_end_the_unloading(make, caplog):
    router = make(hooks=[Fails("on_evict")])

    async def scene():
        async with engine_room(router, idle_unload=0.02) as room:
            for _ in range(2):
                await room.submit([request()], client="c")
                await until(lambda: not router.loaded, pause=0.005)

    play(scene)
    assert "a hook failed when an idle checkpoint left memory" in caplog.text


# -- long documents -------------------------------------------------------------------------------------------------


def test_a_long_document_is_read_in_windows(make):
    router = make()
    state = "invoice " * 1000

    async def scene():
        async with engine_room(router) as room:
            return await room.submit([request(state), request("short")], client="c", windows={"max_windows": 50})

    results = play(scene)
    assert results == [router.predict_long(text, Q, model="a", max_windows=50) for text in (state, "short")]
    assert results[0]["usage"]["windows"] > 1


def test_a_long_document_is_no_part_of_a_batch(make):
    router = make()
    plug = Plug(router)
    state = "invoice " * 1000

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            tasks = [
                submit(room, request("before"), client="a"),
                submit(room, request(state), client="b", windows={}),
                submit(room, request("behind"), client="c"),
            ]
            await waiting(room, 3)
            plug.open()
            await held
            return [result for (result,) in await asyncio.gather(*tasks)]

    before, long, behind = play(scene)
    assert long == router.predict_long(state, Q, model="a")
    assert [before, behind] == [router.predict(text, Q, model="a") for text in ("before", "behind")]


def test_a_long_document_that_fails_fails_alone(make):
    async def scene():
        async with engine_room(make()) as room:
            return await room.submit(
                [request("word " * 5000), request("short")], client="c", windows={"max_windows": 1}
            )

    refused, answered = play(scene)
    assert isinstance(refused, ArgumentError)
    assert answered["answers"]


# -- the end --------------------------------------------------------------------------------------------------------


def test_drain_finishes_what_there_is_and_refuses_what_comes(make):
    router = make()
    plug = Plug(router)

    async def scene():
        async with engine_room(router) as room:
            held = await plug.block(room)
            queued = submit(room, request("queued"))
            await waiting(room, 1)
            drained = asyncio.ensure_future(room.drain(20))
            await asyncio.sleep(0)
            with pytest.raises(ClosedError, match="shutting down"):
                await room.submit([request("too late")], client="c")
            plug.open()
            await drained
            assert held.done()
            assert queued.done()
            return room.stats()

    assert play(scene).answered == 2


def test_drain_refuses_what_is_not_done_in_time(make):
    router = make()
    plug = Plug(router)

    async def scene():
        room = Scheduler(router)
        await room.start()
        held = await plug.block(room)
        queued = submit(room, request("queued"))
        await waiting(room, 1)
        draining = asyncio.ensure_future(room.drain(0.01))
        outcomes = await asyncio.gather(held, queued, return_exceptions=True)
        plug.open()
        await draining
        await room.drain(0)
        return outcomes, room.stats()

    outcomes, stats = play(scene)
    assert all(isinstance(outcome, ClosedError) for outcome in outcomes)
    assert plug.seen == ["plug"]
    assert stats.refused == 1


def test_a_scheduler_has_one_life(make):
    async def scene():
        room = Scheduler(make())
        with pytest.raises(ClosedError, match="not started"):
            await room.submit([request()], client="c")
        await room.start()
        with pytest.raises(ClosedError, match="started before"):
            await room.start()
        await room.drain(1)
        with pytest.raises(ClosedError):
            await room.submit([request()], client="c")

    play(scene)


def test_nothing_is_kept_of_calls_that_are_over(make):
    async def scene():
        async with engine_room(make()) as room:
            for number in range(50):
                await room.submit([request()], client=str(number), deadline=60)
            gc.collect()
            return sum(isinstance(found, Ticket) for found in gc.get_objects())

    assert play(scene) <= 1  # the last one may still be on its way out of the engine's thread


# -- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(
            (name, value)
            for name in ("max_batch_requests", "max_queued", "engines")
            for value in (0, -1, True, 1.5, "2")
        ),
        *(
            (name, value)
            for name in ("max_batch_seconds", "idle_unload")
            for value in (0, -1.0, True, float("inf"), "1")
        ),
        ("max_wait", -0.1),
        ("max_batch_seconds", None),
    ],
)
def test_an_option_that_cannot_work_is_refused(name, value):
    with pytest.raises(ArgumentError, match=name):
        SchedulerOptions(**{name: value})


def test_errors_travel_between_processes():
    error = pickle.loads(pickle.dumps(QueueFullError("full", retry_after=1.5, client=True)))
    assert (str(error), error.retry_after, error.client) == ("full", 1.5, True)
    assert isinstance(DeadlineError("late"), TimeoutError)
    assert isinstance(StateError("x"), LayaError)
