from __future__ import annotations

import logging

import pytest
from hook_builders import Log, Owner, chain_of, fail_with, infer, on, result, while_handling

from laya.errors import HookResultError
from laya.hooks import BaseHook, PredictContext

# -- order ------------------------------------------------------------------------------------------------------------


def test_start_hooks_run_before_inference_and_end_hooks_after_it_in_list_order():
    log = []

    def body(contexts):
        log.append("infer")
        infer(contexts)

    Owner([Log("a", log), Log("b", log)]).call(body=body, hooks=Log("c", log))
    starts = ["a.on_predict_start", "b.on_predict_start", "c.on_predict_start"]
    assert log == [*starts, "infer", "a.on_predict_end", "b.on_predict_end", "c.on_predict_end"]


def test_the_same_context_goes_through_start_error_and_end():
    seen = []
    hook = type(
        "H",
        (),
        {e: lambda self, ctx: seen.append(ctx.run_id) for e in ("on_predict_start", "on_predict_end", "on_error")},
    )()
    with pytest.raises(KeyError):
        Owner(hook).call(body=fail_with(KeyError("x")))
    assert len(seen) == 3
    assert len(set(seen)) == 1


def test_a_failing_inference_runs_error_hooks_then_end_hooks_and_is_raised():
    log, error = [], ValueError("broken")
    hook = Log("a", log)
    with pytest.raises(ValueError) as caught:
        Owner(hook).call(body=fail_with(error))
    assert caught.value is error
    assert log == ["a.on_predict_start", "a.on_error", "a.on_predict_end"]
    assert hook.seen["on_predict_end"][0] is error


def test_elapsed_and_usage_are_unset_in_error_hooks_and_elapsed_is_set_in_end_hooks():
    hook = Log()
    with pytest.raises(ValueError):
        Owner(hook).call(body=fail_with(ValueError()))
    assert hook.seen["on_error"][1:] == (None, None)
    assert hook.seen["on_predict_end"][1] > 0
    assert hook.seen["on_predict_end"][2] is None


def test_usage_is_summed_before_the_end_hooks_with_truncation():
    ready = [
        {"answers": {}, "usage": {"input_tokens": 5, "windows": 2, "truncated": True}},
        {"answers": {}},
        {"answers": {}, "usage": {"input_tokens": 7, "output_tokens": 1, "truncated": False}},
    ]
    hook = Log()
    Owner(hook).call(["a", "b", "c"], body=lambda cs: setattr(cs[0], "results", ready))
    usage = hook.seen["on_predict_end"][2]
    assert (usage["input_tokens"], usage["output_tokens"], usage["windows"]) == (12, 1, 2)
    assert usage["truncated"] is True
    assert usage["state_tokens_dropped"] == 0


def test_usage_stays_unset_for_empty_results():
    hook = Log()
    ctx = Owner(hook).call([])
    assert ctx.results == []
    assert ctx.usage is None
    assert ctx.elapsed_ms is not None
    assert hook.log == ["h.on_predict_start", "h.on_predict_end"]


def test_without_hooks_inference_runs_and_its_error_passes_unchanged():
    ready = [result()]
    ctx = Owner().call(body=lambda cs: setattr(cs[0], "results", ready))
    assert ctx.results is ready
    assert not ctx.skipped
    error = KeyError("x")
    with pytest.raises(KeyError) as caught:
        Owner().call(body=fail_with(error))
    assert caught.value is error


# -- groups -----------------------------------------------------------------------------------------------------------


def group(count=3):
    return [PredictContext([f"s{i}"], {}, request_id=str(i)) for i in range(count)]


def test_a_group_starts_in_input_order_shares_inference_and_ends_in_reverse():
    log = []

    def note(word):
        return lambda ctx: log.append(word + ctx.request_id)

    def body(contexts):
        log.append("infer" + "".join(ctx.request_id for ctx in contexts))
        infer(contexts)

    Owner([on("on_predict_start", note("start")), on("on_predict_end", note("end"))]).run(group(), body)
    assert log == ["start0", "start1", "start2", "infer012", "end2", "end1", "end0"]


def test_a_start_that_raises_fails_the_started_requests_of_its_group_and_no_other():
    log = []
    error = ValueError("refused")

    def start(ctx):
        if ctx.request_id == "1":
            raise error

    hooks = [
        on("on_predict_start", start),
        on("on_error", lambda ctx: log.append(f"error{ctx.request_id}:{ctx.error is error}")),
        on("on_predict_end", lambda ctx: log.append(f"end{ctx.request_id}")),
    ]
    with pytest.raises(ValueError, match="refused"):
        Owner(hooks).run(group())
    assert log == ["error1:True", "end1", "error0:True", "end0"]


def test_every_request_ends_once_even_when_the_end_hook_of_another_raises():
    log = []

    def end(ctx):
        log.append(ctx.request_id)
        raise ValueError(ctx.request_id)

    with pytest.raises(ValueError, match="2") as caught:
        Owner(on_predict_end=end).run(group())
    assert log == ["2", "1", "0"]
    assert [str(exc) for exc in chain_of(caught.value)] == ["2", "1", "0"]


def test_a_cache_hit_fails_with_its_group():
    log = []

    def start(ctx):
        if ctx.request_id == "0":
            ctx.skip([result()])

    hooks = [on("on_predict_start", start), on("on_error", lambda ctx: log.append(ctx.request_id))]
    with pytest.raises(RuntimeError):
        Owner(hooks).run(group(2), fail_with(RuntimeError()))
    assert log == ["1", "0"]


# -- skipping ---------------------------------------------------------------------------------------------------------


def test_skip_leaves_out_inference_and_the_end_hook_still_runs():
    def body(contexts):
        pytest.fail("inference ran")

    hook = Log()
    ctx = Owner(hook, on_predict_start=lambda ctx: ctx.skip([result(cached=True)])).call(body=body)
    assert ctx.results[0]["cached"]
    assert ctx.skipped
    assert hook.log[-1] == "h.on_predict_end"


def test_only_requests_that_are_left_are_inferred():
    seen = []

    def body(contexts):
        seen.extend(ctx.request_id for ctx in contexts)
        infer(contexts)

    def start(ctx):
        if ctx.request_id == "1":
            ctx.results = [result()]

    contexts = Owner(on_predict_start=start).run(group(), body)
    assert seen == ["0", "2"]
    assert [ctx.skipped for ctx in contexts] == [False, True, False]


def test_finish_runs_for_skipped_results_too_and_never_touches_the_objects_of_the_hook():
    cached = result()

    def finish(ctx):
        ctx.results[0].setdefault("routing", "this request")

    for start in (lambda ctx: ctx.skip([cached]), lambda ctx: setattr(ctx, "results", [cached])):
        ctx = Owner(on_predict_start=start).call(finish=finish)
        assert ctx.results[0]["routing"] == "this request"
    assert "routing" not in cached


def test_results_returned_share_nothing_with_what_hooks_keep():
    kept = []
    ctx = Owner(on_predict_end=lambda ctx: kept.append(ctx.results)).call()
    ctx.results[0]["answers"]["x"] = 1
    assert kept[0][0]["answers"] == {}


def test_a_failing_finish_is_a_failure_of_the_call():
    hook = Log()
    with pytest.raises(KeyError):
        Owner(hook).call(finish=lambda ctx: {}["missing"])
    assert hook.log[1:] == ["h.on_error", "h.on_predict_end"]


# -- the contract of results and states -------------------------------------------------------------------------------

BROKEN = {
    "none in a list": [None],
    "a dict": {},
    "too few": [],
    "too many": [result(), result()],
    "no answers": [{}],
    "answers of another type": [{"answers": []}],
    "usage of another type": [{"answers": {}, "usage": [1]}],
    "usage not a number": [{"answers": {}, "usage": {"input_tokens": "3"}}],
    "usage nan": [{"answers": {}, "usage": {"windows": float("nan")}}],
    "a number": 5,
}


@pytest.mark.parametrize("value", BROKEN.values(), ids=BROKEN)
def test_malformed_results_of_a_start_hook_abort_the_call_like_a_raising_hook(value):
    log = Log()

    def body(contexts):
        pytest.fail("inference ran")

    class Bad:
        def on_predict_start(self, ctx):
            ctx.results = value

    with pytest.raises(
        HookResultError, match=r"hook Bad\.on_predict_start left ctx\.results.*one result dict per state"
    ):
        Owner([Bad(), log]).call(body=body)
    assert log.log == ["h.on_error", "h.on_predict_end"]


@pytest.mark.parametrize("value", BROKEN.values(), ids=BROKEN)
def test_malformed_results_of_a_start_hook_are_dropped_with_a_warning_under_the_lenient_policy(value):
    with pytest.warns(RuntimeWarning, match=r"left ctx\.results"):
        ctx = Owner(on_predict_start=lambda ctx: setattr(ctx, "results", value)).call(hooks_raise=False)
    assert ctx.results == [result()]
    assert not ctx.skipped


@pytest.mark.parametrize("value", [*BROKEN.values(), None], ids=[*BROKEN, "none"])
def test_malformed_results_of_an_end_hook_fail_the_call_after_all_end_hooks_and_error_hooks(value):
    seen = []

    class Bad(BaseHook):
        def on_predict_end(self, ctx):
            ctx.results = value

    class Later(BaseHook):
        def on_predict_end(self, ctx):
            seen.append(("end", ctx.results, ctx.error))

        def on_error(self, ctx):
            seen.append(("error", ctx.error))

    with pytest.raises(HookResultError, match=r"hook Bad\.on_predict_end left ctx\.results") as caught:
        Owner([Bad(), Later()]).call()
    assert seen == [("end", [result()], None), ("error", caught.value)]


@pytest.mark.parametrize("value", [*BROKEN.values(), None], ids=[*BROKEN, "none"])
def test_malformed_results_of_an_end_hook_go_back_to_the_last_good_ones_under_the_lenient_policy(value):
    with pytest.warns(RuntimeWarning, match=r"on_predict_end failed: laya: hook .* left ctx\.results"):
        ctx = Owner(
            on_predict_end=[
                lambda ctx: ctx.results[0].update(first=True),
                lambda ctx: setattr(ctx, "results", value),
                lambda ctx: ctx.results[0].update(last=True),
            ],
            hooks_raise=False,
        ).call()
    assert ctx.results == [result(first=True, last=True)]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda ctx: ctx.results.clear(),
        lambda ctx: ctx.results.append(result()),
        lambda ctx: ctx.results[0].clear(),
        lambda ctx: ctx.results[0]["usage"].update(input_tokens="many"),
        lambda ctx: ctx.results.__setitem__(0, None),
    ],
)
def test_results_spoiled_in_place_go_back_too(spoil):
    with pytest.warns(RuntimeWarning):
        ctx = Owner(on_predict_end=spoil).call(hooks_raise=False)
    assert ctx.results == [result()]


def test_a_tuple_of_results_becomes_a_list():
    assert Owner(on_predict_end=lambda ctx: setattr(ctx, "results", (result(),))).call().results == [result()]


def test_an_end_hook_may_replace_results():
    ctx = Owner(on_predict_end=lambda ctx: setattr(ctx, "results", [result(new=1)])).call()
    assert ctx.results == [result(new=1)]


@pytest.mark.parametrize("states", [[], ["a", "b"], "text", None])
def test_a_hook_that_changes_the_number_of_states_is_refused_by_name(states):
    class Cut:
        def on_predict_start(self, ctx):
            ctx.states = states

    log = Log()
    with pytest.raises(HookResultError, match=r"hook Cut\.on_predict_start left ctx\.states"):
        Owner([Cut(), log]).call()
    assert log.log == ["h.on_error", "h.on_predict_end"]
    with pytest.warns(RuntimeWarning, match=r"ctx\.states"):
        assert Owner(Cut(), hooks_raise=False).call().states == ["text"]


def test_states_that_are_not_a_list_may_be_mended_by_a_start_hook():
    ctx = Owner(on_predict_start=lambda ctx: setattr(ctx, "states", ("a", "b"))).call("no list")
    assert ctx.states == ["a", "b"]
    assert len(ctx.results) == 2


def test_a_refused_skip_is_a_failure_of_the_hook_and_falls_back_to_inference_when_lenient():
    def start(ctx):
        ctx.skip([])

    with pytest.raises(HookResultError, match="takes one result per state"):
        Owner(on_predict_start=start).call()
    with pytest.warns(RuntimeWarning, match="takes one result per state"):
        assert Owner(on_predict_start=start).call(hooks_raise=False).results == [result()]


def test_malformed_results_of_inference_are_named_and_pass_through_the_failure_path():
    log = Log()
    with pytest.raises(HookResultError, match="inference left") as caught:
        Owner(log).call(["a", "b"], body=lambda cs: setattr(cs[0], "results", [result(), None]))
    assert caught.value.index == 1
    assert log.log == ["h.on_predict_start", "h.on_error", "h.on_predict_end"]


def test_inference_that_stops_half_way_leaves_no_results_to_count():
    hook = Log()

    def body(contexts):
        contexts[0].results = [None]
        raise ValueError

    with pytest.raises(ValueError):
        Owner(hook).call(body=body)
    assert hook.log[-1] == "h.on_predict_end"
    assert hook.seen["on_predict_end"][2] is None


# -- policies ---------------------------------------------------------------------------------------------------------


def test_a_raising_start_hook_stops_the_start_and_still_ends_every_hook():
    log = []
    with pytest.raises(ValueError):
        Owner([Log("a", log), Log("b", log, on_predict_start=ValueError()), Log("c", log)]).call()
    assert log == [
        "a.on_predict_start",
        "b.on_predict_start",
        *(f"{name}.on_error" for name in "abc"),
        *(f"{name}.on_predict_end" for name in "abc"),
    ]


def test_a_hook_can_tell_whether_its_own_start_completed():
    gauge = [0]

    class Span:
        def on_predict_start(self, ctx):
            gauge[0] += 1

        def on_predict_end(self, ctx):
            gauge[0] -= ctx.started(self)

    class Refuses(Span):
        def on_predict_start(self, ctx):
            raise ValueError

    first, last = Span(), Span()
    with pytest.raises(ValueError):
        Owner([first, Refuses(), last]).call()
    assert gauge == [0]


def test_started_accepts_the_plain_callable_that_was_installed():
    seen = []

    def begin(ctx):
        pass

    def refuse(ctx):
        raise ValueError

    class Check(BaseHook):
        def on_error(self, ctx):
            seen.extend((ctx.started(begin), ctx.started(refuse), ctx.started(self)))

    with pytest.raises(ValueError):
        Owner(Check(), on_predict_start=[begin, refuse]).call()
    assert seen == [True, False, True]


def test_a_lenient_start_failure_warns_goes_on_and_keeps_changes_made_before():
    def start(ctx):
        ctx.max_len = 64
        raise ValueError("flaky")

    with pytest.warns(RuntimeWarning, match="^laya: hook start.on_predict_start failed: flaky$"):
        ctx = Owner(on_predict_start=start).call(hooks_raise=False)
    assert ctx.max_len == 64
    assert ctx.results == [result()]


def test_a_failing_end_hook_fails_the_call_without_error_hooks():
    log = Log(on_predict_end=ValueError("late"))
    with pytest.raises(ValueError, match="late"):
        Owner(log).call()
    assert log.log == ["h.on_predict_start", "h.on_predict_end"]


def test_every_end_hook_runs_and_the_first_failure_is_raised_with_the_rest_in_its_chain():
    log, first, second = [], ValueError("1"), ValueError("2")
    with pytest.raises(ValueError) as caught:
        Owner([Log("a", log, on_predict_end=first), Log("b", log, on_predict_end=second), Log("c", log)]).call()
    assert log[3:] == ["a.on_predict_end", "b.on_predict_end", "c.on_predict_end"]
    assert chain_of(caught.value) == [first, second]


def test_the_per_call_policy_beats_the_instance_and_none_means_the_instance():
    lenient = Owner(Log(on_predict_end=ValueError()), hooks_raise=False)
    with pytest.raises(ValueError):
        lenient.call(hooks_raise=True)
    with pytest.warns(RuntimeWarning):
        lenient.call(hooks_raise=None)


def test_warnings_as_errors_do_not_turn_telemetry_into_an_outage(caplog):
    # The test configuration turns every warning into an error.
    with caplog.at_level(logging.WARNING, logger="laya.hooks"):
        ctx = Owner(Log(on_predict_end=OSError("connection reset"))).call(hooks_raise=False)
    assert ctx.results == [result()]
    assert "laya: hook Log.on_predict_end failed: connection reset" in caplog.text


@pytest.mark.filterwarnings("ignore")
def test_every_failure_is_logged_also_when_warnings_are_not_shown(caplog):
    owner = Owner(Log(on_predict_end=OSError("flaky")), hooks_raise=False)
    with caplog.at_level(logging.WARNING, logger="laya.hooks"):
        for _ in range(5):
            owner.call()
    assert sum("laya: hook Log.on_predict_end failed: flaky" in record.message for record in caplog.records) == 5
    assert caplog.records[0].hook == "Log.on_predict_end"


# -- failures and their chain -----------------------------------------------------------------------------------------


def test_the_original_is_raised_and_the_failures_of_error_and_end_hooks_are_in_its_chain():
    cause, original = OSError("cause"), ValueError("original")
    original.__context__ = cause
    on_error, on_end = RuntimeError("telemetry down"), RuntimeError("end")
    with pytest.raises(ValueError) as caught:
        Owner(Log(on_error=on_error, on_predict_end=on_end)).call(body=fail_with(original))
    assert chain_of(caught.value) == [original, cause, on_error, on_end]


def test_a_hook_that_raises_from_the_original_makes_no_cycle():
    def relay(ctx):
        raise RuntimeError("wrapped") from ctx.error

    with pytest.raises(ValueError) as caught:
        Owner(on("on_error", relay)).call(body=fail_with(ValueError("original")))
    original, later = chain_of(caught.value)
    assert later.__cause__ is original


def test_a_hook_that_raises_the_original_again_changes_nothing_of_its_chain():
    cause, original = OSError("cause"), ValueError("original")
    original.__context__ = cause

    def again(ctx):
        try:
            raise KeyError("inner")
        except KeyError:
            raise ctx.error  # noqa: B904 - the implicit chain is what is tested

    with pytest.raises(ValueError) as caught:
        Owner(on("on_error", again)).call(body=fail_with(original))
    assert chain_of(caught.value)[:2] == [original, cause]
    assert len(chain_of(caught.value)) == 3


def test_the_chain_survives_a_caller_who_is_handling_another_exception():
    cause, original, later = OSError("cause"), ValueError("original"), RuntimeError("hook")

    def body(contexts):
        try:
            raise cause
        except OSError:
            raise original  # noqa: B904 - the implicit chain is what is tested

    owner, outer = Owner(on("on_error", fail_with(later))), KeyError("outer")
    with pytest.raises(ValueError) as caught:
        while_handling(outer, lambda: owner.call(body=body))
    assert chain_of(caught.value) == [original, cause, outer, later]


@pytest.mark.parametrize("event", ["on_predict_start", "on_error", "on_predict_end"])
@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit, GeneratorExit])
@pytest.mark.parametrize("lenient", [True, False])
def test_interrupts_propagate_from_any_hook_under_any_policy_with_what_they_interrupted(event, interrupt, lenient):
    original, stop, log = ValueError("original"), interrupt(), []
    hooks = [Log("a", log, **{event: stop}), Log("b", log)]
    with pytest.raises(interrupt) as caught:
        Owner(hooks).call(body=fail_with(original), hooks_raise=not lenient)
    assert caught.value is stop
    assert log[-4:] == ["a.on_error", "b.on_error", "a.on_predict_end", "b.on_predict_end"]
    assert chain_of(stop) == ([stop] if event == "on_predict_start" else [stop, original])


def test_an_interrupt_of_an_end_hook_on_the_success_path_propagates_after_the_other_end_hooks():
    log, stop, first = [], KeyboardInterrupt(), ValueError("first")
    hooks = [Log("a", log, on_predict_end=first), Log("b", log, on_predict_end=stop), Log("c", log)]
    with pytest.raises(KeyboardInterrupt) as caught:
        Owner(hooks).call()
    assert log[-1] == "c.on_predict_end"
    assert chain_of(caught.value) == [stop, first]


def test_an_interrupt_in_inference_runs_error_and_end_hooks():
    hook = Log()
    with pytest.raises(KeyboardInterrupt):
        Owner(hook).call(body=fail_with(KeyboardInterrupt()), hooks_raise=False)
    assert hook.log == ["h.on_predict_start", "h.on_error", "h.on_predict_end"]
    assert isinstance(hook.seen["on_error"][0], KeyboardInterrupt)


# -- what hooks may change --------------------------------------------------------------------------------------------


def test_states_are_a_new_list_and_questions_are_the_callers_own_dict():
    states, questions = ["my number 123"], {"q": {}}

    def start(ctx):
        ctx.states[0] = "[redacted]"
        ctx.questions["added"] = {}

    ctx = Owner(on_predict_start=start).call(states, questions=questions)
    assert states == ["my number 123"]
    assert ctx.states == ["[redacted]"]
    assert questions == {"q": {}, "added": {}}


def test_assigning_new_questions_does_not_reach_the_caller():
    questions = {"q": {}}
    ctx = Owner(on_predict_start=lambda ctx: setattr(ctx, "questions", {})).call(questions=questions)
    assert ctx.questions == {}
    assert questions == {"q": {}}


def test_each_call_has_its_own_scratch():
    class Counts:
        def on_predict_start(self, ctx):
            ctx.scratch[self] = ctx.states[0]

        def on_predict_end(self, ctx):
            ctx.results[0]["seen"] = ctx.scratch[self]

    owner = Owner(Counts())
    contexts = owner.run([PredictContext([text], {}) for text in "abc"])
    assert [ctx.results[0]["seen"] for ctx in contexts] == ["a", "b", "c"]
