from __future__ import annotations

import pytest
from hook_builders import Log, Owner, chain_of, infer, on, result

from laya.errors import HookResultError
from laya.hooks import PredictContext
from laya.hooks.lifecycle import run_isolated


def isolated(owner, body=infer, finish=None, count=3):
    contexts = [PredictContext([f"s{i}"], {}, request_id=str(i)) for i in range(count)]
    return contexts, run_isolated(contexts, owner._dispatcher(), body, finish=finish)


def raising(event, exc, request="1"):
    def act(ctx):
        if ctx.request_id == request:
            raise exc

    return on(event, act)


@pytest.mark.parametrize("event", ["on_predict_start", "on_predict_end"])
def test_a_hook_that_raises_fails_its_own_request_only(event):
    error, log = ValueError(), []
    hooks = [raising(event, error), on("on_predict_end", lambda ctx: log.append((ctx.request_id, ctx.error)))]
    contexts, failures = isolated(Owner(hooks))
    assert failures == [None, error, None]
    assert log == [("2", None), ("1", error if event == "on_predict_start" else None), ("0", None)]
    assert [ctx.results for ctx in contexts][::2] == [[result()], [result()]]


def test_inference_marks_the_requests_that_fail():
    error, log = ValueError(), Log()

    def body(waiting):
        infer(waiting)
        waiting[1].results, waiting[1].error = None, error

    _, failures = isolated(Owner(log), body)
    assert failures == [None, error, None]
    assert log.log.count("h.on_error") == 1
    assert log.log.count("h.on_predict_end") == 3


def test_inference_that_raises_fails_what_it_left_without_results():
    error = ValueError()

    def body(waiting):
        infer(waiting[:1])
        raise error

    hooks = raising("on_error", OSError("telemetry"), "2")
    contexts, failures = isolated(Owner(hooks), body)
    assert failures == [None, error, error]
    assert contexts[0].results == [result()]
    assert [type(exc) for exc in chain_of(error)] == [ValueError, OSError]


def test_results_and_finish_are_checked_request_by_request():
    def body(waiting):
        infer(waiting)
        waiting[0].results = []

    def finish(ctx):
        if ctx.request_id == "2":
            raise KeyError

    _, failures = isolated(Owner(), body, finish)
    assert [type(failure) for failure in failures] == [HookResultError, type(None), KeyError]


def test_skipped_requests_are_not_inferred():
    def start(ctx):
        if ctx.request_id == "0":
            ctx.skip([result(by="cache")])

    contexts, failures = isolated(Owner(on_predict_start=start), count=2)
    assert failures == [None, None]
    assert [ctx.skipped for ctx in contexts] == [True, False]


@pytest.mark.parametrize("event", ["on_predict_start", "on_predict_end", "infer"])
def test_an_interrupt_fails_every_request_and_every_started_one_ends(event):
    stop, log = KeyboardInterrupt(), Log()

    def body(waiting):
        if event == "infer":
            raise stop
        infer(waiting)

    hooks = [log] if event == "infer" else [raising(event, stop), log]
    with pytest.raises(KeyboardInterrupt) as caught:
        isolated(Owner(hooks), body)
    assert caught.value is stop
    assert log.log.count("h.on_predict_end") == (2 if event == "on_predict_start" else 3)
