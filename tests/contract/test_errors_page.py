"""Every row and bullet of the Errors page that is about the Agent, one test each; `docs/contract.md` is the table."""

import asyncio
import contextvars
import threading
import warnings

import pytest

from failing import Failing, chain
from laya import errors
from laya.testing import fake_agent

Q = {"ok": {"type": "noul", "instructions": "Is it fine?"}}
BAD = {"ok": {"type": "noul"}}


def texts(exc):
    return [str(e) for e in chain(exc)]


def test_strict_is_the_default_and_lets_hook_errors_out():
    with pytest.raises(RuntimeError, match="on_predict_start broke"):
        fake_agent(hooks=[Failing("on_predict_start")]).predict("x", Q)


def test_lenient_warns_and_goes_on():
    agent = fake_agent(hooks=[Failing("on_predict_start")], hooks_raise=False)
    with pytest.warns(RuntimeWarning, match=r"laya: hook Failing\.on_predict_start failed: on_predict_start broke"):
        result = agent.predict("x", Q)
    assert result == fake_agent().predict("x", Q)


@pytest.mark.parametrize("call", ["predict_batch", "system_one", "predict"])
def test_the_policy_of_a_call_beats_that_of_the_instance(call):
    state = ["x"] if call == "predict_batch" else "x"
    strict, lenient = (
        fake_agent(hooks=[Failing("on_predict_end")]),
        fake_agent(hooks=[Failing("on_predict_end")], hooks_raise=False),
    )
    with pytest.warns(RuntimeWarning):
        getattr(strict, call)(state, Q, hooks_raise=False)
    with pytest.raises(RuntimeError):
        getattr(lenient, call)(state, Q, hooks_raise=True)


def test_none_for_a_call_means_the_policy_of_the_instance():
    with pytest.raises(RuntimeError):
        fake_agent(hooks=[Failing("on_predict_end")]).predict("x", Q, hooks_raise=None)
    lenient = fake_agent(hooks=[Failing("on_predict_end")], hooks_raise=False)
    with pytest.warns(RuntimeWarning):
        lenient.predict("x", Q, hooks_raise=None)


@pytest.mark.parametrize("event", ["on_predict_start", "on_error", "on_predict_end"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_lenient_never_swallows_what_is_not_an_exception(event, error):
    agent = fake_agent(hooks=[Failing(event, error=error)], hooks_raise=False)
    with pytest.raises(error):
        agent.predict("x", BAD if event == "on_error" else Q)


def test_a_failing_start_strict_still_runs_on_error_and_end():
    hook = Failing("on_predict_start")
    with pytest.raises(RuntimeError) as caught:
        fake_agent(hooks=[hook]).predict("x", Q)
    assert hook.log == ["on_predict_start", "on_error", "on_predict_end"]
    assert hook.contexts[-1].error is caught.value


def test_a_failing_start_lenient_keeps_the_changes_it_made():
    def change_and_fail(ctx):
        ctx.states = ["changed"]
        raise ValueError("after the change")

    with pytest.warns(RuntimeWarning, match=r"change_and_fail\.on_predict_start failed: after the change"):
        result = fake_agent().predict("x", Q, on_predict_start=change_and_fail, hooks_raise=False)
    assert result == fake_agent().predict("changed", Q)


@pytest.mark.parametrize("lenient", [True, False])
def test_a_failing_inference_sets_the_error_and_runs_on_error_then_end(lenient):
    hook = Failing()
    with pytest.raises(errors.QuestionError) as caught:
        fake_agent(hooks=[hook], hooks_raise=not lenient).predict("x", BAD)
    assert hook.log == ["on_predict_start", "on_error", "on_predict_end"]
    assert all(ctx.error is caught.value for ctx in hook.contexts)


def test_a_failing_on_error_never_masks_the_original():
    with pytest.raises(errors.QuestionError) as caught:
        fake_agent(hooks=[Failing("on_error")]).predict("x", BAD)
    assert "on_error broke" in texts(caught.value)


def test_a_failing_end_on_the_success_path_is_raised_instead_of_the_result():
    hook = Failing("on_predict_end")
    with pytest.raises(RuntimeError, match="on_predict_end broke"):
        fake_agent(hooks=[hook]).predict("x", Q)
    assert hook.log == ["on_predict_start", "on_predict_end"]
    assert hook.contexts[-1].results


def test_a_failing_end_on_the_success_path_lenient_returns_the_result():
    agent = fake_agent(hooks=[Failing("on_predict_end")], hooks_raise=False)
    with pytest.warns(RuntimeWarning):
        assert agent.predict("x", Q) == fake_agent().predict("x", Q)


def test_a_failing_end_on_the_failure_path_never_masks_the_original():
    with pytest.raises(errors.QuestionError) as caught:
        fake_agent(hooks=[Failing("on_predict_end")]).predict("x", BAD)
    assert "on_predict_end broke" in texts(caught.value)


def test_the_context_of_the_original_is_set():
    with pytest.raises(errors.QuestionError) as caught:
        fake_agent().predict("x", BAD, hooks=[Failing("on_error")])
    assert caught.value.__context__ is not None


def test_no_failure_is_lost_and_the_root_cause_stays_first():
    first, second = Failing("on_error", "on_predict_end"), Failing("on_error", error=OSError)

    def inner(ctx):
        try:
            raise LookupError("the cause")
        except LookupError as exc:
            raise ValueError("the original") from exc

    with pytest.raises(ValueError, match="the original") as caught:
        fake_agent(hooks=[first, second]).predict("x", Q, on_predict_start=inner)
    found = texts(caught.value)
    assert found[:2] == ["the original", "the cause"]
    assert sorted(found[2:]) == ["on_error broke", "on_error broke", "on_predict_end broke"]


def test_an_interrupt_during_inference_runs_on_error_and_end_before_it_unwinds():
    hook = Failing()

    def interrupt(ctx):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fake_agent(hooks=[hook], hooks_raise=False).predict("x", Q, on_predict_start=interrupt)
    assert hook.log == ["on_predict_start", "on_error", "on_predict_end"]
    assert isinstance(hook.contexts[-1].error, KeyboardInterrupt)


def test_an_interrupt_in_on_error_carries_what_it_interrupted():
    with pytest.raises(KeyboardInterrupt) as caught:
        fake_agent(hooks=[Failing("on_error", error=KeyboardInterrupt)]).predict("x", BAD)
    assert any(isinstance(e, errors.QuestionError) for e in chain(caught.value))


class Plain:
    pass


class FiveStart:
    on_predict_start = 5


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"hooks": [Failing]}, "hooks entries must be instances, not classes; got Failing. Instantiate it first."),
        ({"hooks": [Plain()]}, "hooks entries must implement at least one of on_predict_start, "),
        ({"hooks": [object()]}, "hooks entries must implement at least one of on_predict_start, "),
        ({"hooks": [FiveStart()]}, "hooks entry FiveStart.on_predict_start must be callable, got int"),
        ({"on_predict_start": 123}, "on_predict_start must be callable, got int"),
        ({"on_predict_end": "x"}, "on_predict_end must be callable, got str"),
        ({"hooks": [lambda ctx: None]}, "Pass a plain callable as on_predict_start=/on_predict_end= instead."),
    ],
)
def test_a_wrong_hook_is_a_type_error_at_construction_and_at_the_call(options, text):
    with pytest.raises(TypeError) as caught:
        fake_agent(**options)
    assert text in str(caught.value)
    log = Failing()
    agent = fake_agent(hooks=[log])
    for call in (lambda: agent.predict("x", Q, **options), lambda: agent.predict_batch([], Q, **options)):
        with pytest.raises(TypeError) as caught:
            call()
        assert text in str(caught.value)
    assert log.log == []


def test_each_failure_is_warned_about_not_each_definition():
    agent = fake_agent(hooks=[Failing("on_predict_start", "on_predict_end")], hooks_raise=False)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        agent.predict("x", Q)
        agent.predict("x", Q)
    assert [str(w.message) for w in seen] == [
        "laya: hook Failing.on_predict_start failed: on_predict_start broke",
        "laya: hook Failing.on_predict_end failed: on_predict_end broke",
    ] * 2
    assert {w.category for w in seen} == {RuntimeWarning}


class Stuck:
    """Blocks until it is released; the test releases it at its end."""

    def __init__(self):
        self.release, self.entered, self.left = threading.Event(), threading.Event(), threading.Event()

    def on_predict_end(self, ctx):
        self.entered.set()
        self.release.wait(30)
        self.left.set()


@pytest.fixture
def stuck():
    hook = Stuck()
    yield hook
    hook.release.set()
    assert not hook.entered.is_set() or hook.left.wait(30)


@pytest.mark.parametrize("call", ["predict_batch", "system_one"])
def test_a_hook_over_its_time_is_a_timeout_error_strict(stuck, call):
    with pytest.raises(TimeoutError, match=r"laya: hook Stuck\.on_predict_end exceeded 0\.05s"):
        getattr(fake_agent(hooks=[stuck]), call)(["x"] if call == "predict_batch" else "x", Q, hooks_timeout=0.05)


def test_a_hook_over_its_time_is_a_warning_lenient(stuck):
    agent = fake_agent(hooks=[stuck], hooks_raise=False, hooks_timeout=0.05)
    with pytest.warns(RuntimeWarning, match=r"laya: hook Stuck\.on_predict_end failed: .*exceeded 0\.05s"):
        assert agent.predict("x", Q) == fake_agent().predict("x", Q)


def test_no_timeout_is_the_default_and_runs_hooks_in_the_calling_thread():
    seen = []
    fake_agent(on_predict_start=lambda ctx: seen.append(threading.current_thread())).predict("x", Q)
    assert seen == [threading.current_thread()]


@pytest.mark.parametrize("bad", [0, -1, 0.0, float("nan"), float("inf"), True, "2"])
def test_a_timeout_must_be_positive_where_it_is_set(bad):
    with pytest.raises(ValueError, match="hooks_timeout must be a positive finite number or None"):
        fake_agent(hooks_timeout=bad)
    log = Failing()
    with pytest.raises(ValueError, match="hooks_timeout must be a positive finite number or None"):
        fake_agent(hooks=[log]).predict("x", Q, hooks_timeout=bad)
    assert log.log == []


request = contextvars.ContextVar("request", default=None)


def test_a_timed_hook_sees_the_context_variables_of_the_caller():
    seen = []
    request.set("r-17")
    fake_agent(on_predict_start=lambda ctx: seen.append(request.get()), hooks_timeout=20).predict("x", Q)
    assert seen == ["r-17"]


def test_what_a_timed_start_hook_sets_its_end_hook_reads_and_resets():
    class Scoped:
        def on_predict_start(self, ctx):
            ctx.scratch["token"] = request.set("inside")

        def on_predict_end(self, ctx):
            assert request.get() == "inside"
            request.reset(ctx.scratch["token"])

    request.set("outside")
    fake_agent(hooks=[Scoped()], hooks_timeout=20).predict("x", Q)
    assert request.get() == "outside"


def test_an_abandoned_hook_goes_on_in_the_background(stuck):
    with pytest.raises(TimeoutError):
        fake_agent(hooks=[stuck], hooks_timeout=0.05).predict("x", Q)
    assert not stuck.left.is_set()
    stuck.release.set()
    assert stuck.left.wait(30)


def test_an_async_hook_over_its_time_returns_to_the_caller_and_goes_on():
    release, done = threading.Event(), threading.Event()

    class Slow:
        async def on_predict_end(self, ctx):
            await asyncio.to_thread(release.wait, 30)
            done.set()

    with pytest.raises(TimeoutError):
        fake_agent(hooks=[Slow()], hooks_timeout=0.05).predict("x", Q)
    assert not done.is_set()
    release.set()
    assert done.wait(30)


def test_a_timeout_frees_the_lock_for_the_hooks_behind(stuck):
    ran = []
    agent = fake_agent(
        hooks=[stuck], on_predict_end=lambda ctx: ran.append(ctx.states[0]), hooks_concurrent=False, hooks_raise=False
    )
    with pytest.warns(RuntimeWarning, match="exceeded"):
        agent.predict("x", Q, hooks_timeout=0.05)
    assert ran == ["x"]
    assert not stuck.left.is_set()
