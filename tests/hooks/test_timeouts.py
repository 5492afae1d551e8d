from __future__ import annotations

import contextvars
import signal
import threading
import time

import pytest
from hook_builders import Log, Owner, infer, on, result, while_handling

from laya.errors import HookTimeoutError
from laya.hooks import MAX_STUCK, BaseHook, PredictContext, stuck_hooks
from laya.hooks.workers import Outcome, leave_behind, submit

SOON = 0.03
ENOUGH = 20.0

var = contextvars.ContextVar("var", default="default")


def settled():
    """Wait until no abandoned hook is left."""
    deadline = time.monotonic() + ENOUGH
    while stuck_hooks() and time.monotonic() < deadline:
        time.sleep(0.001)
    return stuck_hooks() == 0


class Stuck:
    """Blocks at the gate on start, then does something to the context."""

    def __init__(self, gate, after=lambda ctx: None):
        self.gate = gate
        self.after = after
        self.done = threading.Event()

    def on_predict_start(self, ctx):
        self.gate.wait(ENOUGH)
        try:
            self.after(ctx)
        finally:
            self.done.set()


def test_a_hook_that_overruns_is_a_timeout_error_that_names_it(gate):
    log = Log()
    with pytest.raises(HookTimeoutError, match=r"^laya: hook Stuck\.on_predict_start exceeded 0\.03s$") as caught:
        Owner([Stuck(gate), log], hooks_timeout=SOON).call()
    assert isinstance(caught.value, TimeoutError)
    assert log.log == ["h.on_error", "h.on_predict_end"]


def test_a_hook_that_overruns_is_a_warning_under_the_lenient_policy(gate):
    with pytest.warns(RuntimeWarning, match=r"exceeded 0\.03s"):
        ctx = Owner(Stuck(gate), hooks_timeout=SOON, hooks_raise=False).call()
    assert ctx.results == [result()]
    assert not ctx.started(ctx)


def test_a_per_call_timeout_beats_the_instance(gate):
    with pytest.raises(TimeoutError):
        Owner(Stuck(gate)).call(hooks_timeout=SOON)


def test_a_quick_hook_runs_on_a_worker_with_the_callers_context_variables():
    seen = []
    token = var.set("caller")
    try:
        hook = on("on_predict_start", lambda ctx: seen.append((threading.current_thread(), var.get())))
        Owner(hook, hooks_timeout=ENOUGH).call()
    finally:
        var.reset(token)
    assert seen[0][0] is not threading.current_thread()
    assert seen[0][0].daemon
    assert seen[0][1] == "caller"


def test_workers_are_reused():
    seen = set()
    owner = Owner(on("on_predict_start", lambda ctx: seen.add(threading.get_ident())), hooks_timeout=ENOUGH)
    before = threading.active_count()
    for _ in range(20):
        owner.call()
    assert threading.active_count() <= before + 1
    assert len(seen) < 10


def test_an_end_hook_reads_and_resets_what_its_start_set_and_inference_sees_it():
    seen = []

    class Span:
        def on_predict_start(self, ctx):
            ctx.scratch[self] = var.set("span")

        def on_predict_end(self, ctx):
            seen.append(var.get())
            var.reset(ctx.scratch[self])
            seen.append(var.get())

    def body(contexts):
        seen.append(var.get())
        infer(contexts)

    Owner(Span(), hooks_timeout=ENOUGH).call(body=body)
    assert seen == ["span", "span", "default"]
    assert var.get() == "default"


def test_a_group_unwinds_its_context_variables_in_reverse():
    seen = []

    class Span:
        def on_predict_start(self, ctx):
            ctx.scratch[self] = var.set(ctx.request_id)

        def on_predict_end(self, ctx):
            seen.append(var.get())
            var.reset(ctx.scratch[self])

    for timeout in (None, ENOUGH):
        Owner(Span(), hooks_timeout=timeout).run([PredictContext(["x"], {}, request_id=str(i)) for i in range(3)])
    assert seen == ["2", "1", "0"] * 2


def test_an_abandoned_hook_can_no_longer_write_to_the_call(gate):
    def late(ctx):
        ctx.states = ["late"]
        ctx.questions = {"late": {}}
        ctx.max_len = 7
        ctx.run_id = "late"
        ctx.results = [result(late=True)]

    hook = Stuck(gate, late)
    inferred = threading.Event()

    def body(contexts):
        gate.set()
        assert hook.done.wait(ENOUGH)
        infer(contexts)
        inferred.set()

    with pytest.warns(RuntimeWarning):
        ctx = Owner(hook, hooks_timeout=SOON, hooks_raise=False).call(body=body)
    assert inferred.is_set()
    assert (ctx.states, ctx.questions, ctx.max_len) == (["text"], {}, None)
    assert ctx.run_id != "late"
    assert ctx.results == [result()]
    assert not ctx.skipped


def test_an_abandoned_hook_reads_copies_and_cannot_skip(gate):
    seen = []

    def late(ctx):
        ctx.states[0]["deep"].append("late")
        ctx.scratch["late"] = True
        seen.append(ctx.states)
        ctx.skip([result(late=True)])

    hook = Stuck(gate, late)

    def body(contexts):
        gate.set()
        assert hook.done.wait(ENOUGH)
        infer(contexts)

    with pytest.warns(RuntimeWarning):
        ctx = Owner(hook, hooks_timeout=SOON, hooks_raise=False).call([{"deep": []}], body=body)
    assert ctx.states == [{"deep": []}]
    assert seen == [[{"deep": []}]]
    assert ctx.scratch == {}
    assert ctx.results == [result()]


def test_objects_that_an_abandoned_hook_holds_are_no_longer_those_of_the_call(gate):
    class Holds(Stuck):
        def on_predict_start(self, ctx):
            states, questions, scratch = ctx.states, ctx.questions, ctx.scratch
            self.gate.wait(ENOUGH)
            states[0]["x"] = "late"
            questions["late"] = {}
            scratch["late"] = True
            self.done.set()

    hook = Holds(gate)

    def body(contexts):
        gate.set()
        assert hook.done.wait(ENOUGH)
        infer(contexts)

    with pytest.warns(RuntimeWarning):
        ctx = Owner(hook, hooks_timeout=SOON, hooks_raise=False).call([{"x": "text"}], body=body)
    assert ctx.states == [{"x": "text"}]
    assert ctx.questions == {}
    assert ctx.scratch == {}


def test_an_abandoned_hook_cannot_change_another_request_of_its_group(gate):
    questions = {"q": {}}
    contexts = [PredictContext(["x"], questions, request_id=str(i)) for i in range(2)]

    class Holds(Stuck):
        def on_predict_start(self, ctx):
            if ctx.request_id == "1":
                self.gate.wait(ENOUGH)
                contexts[0].max_len = 7
                questions["late"] = {}
                self.done.set()

    hook = Holds(gate)
    shared = []

    def body(waiting):
        gate.set()
        assert hook.done.wait(ENOUGH)
        shared.append(waiting[0].questions is waiting[1].questions)
        infer(waiting)

    with pytest.warns(RuntimeWarning):
        Owner(hook, hooks_timeout=SOON, hooks_raise=False).run(contexts, body)
    assert contexts[0].max_len is None
    assert contexts[0].questions == {"q": {}}
    assert shared == [True]


def test_later_hooks_go_on_in_a_fresh_copy_of_the_context_variables(gate):
    seen = []

    class Sets(BaseHook):
        def on_predict_start(self, ctx):
            var.set("early")

        def on_predict_end(self, ctx):
            seen.append(var.get())

    def late(ctx):
        var.set("late")

    stuck = Stuck(gate, late)

    def body(contexts):
        gate.set()
        assert stuck.done.wait(ENOUGH)
        infer(contexts)

    with pytest.warns(RuntimeWarning):
        Owner([Sets(), stuck], hooks_timeout=SOON, hooks_raise=False).call(body=body)
    assert seen == ["early"]


def test_a_hook_that_is_stuck_too_often_fails_at_once_instead_of_taking_one_more_thread(gate):
    hook = Stuck(gate)
    owner = Owner(hook, hooks_timeout=SOON / 10)
    before = threading.active_count()
    for _ in range(MAX_STUCK):
        with pytest.raises(TimeoutError, match="exceeded"):
            owner.call()
    assert stuck_hooks() == MAX_STUCK
    for _ in range(5):
        with pytest.raises(HookTimeoutError, match=r"hook Stuck\.on_predict_start is not run: 8 earlier runs"):
            owner.call()
    assert threading.active_count() <= before + MAX_STUCK
    with pytest.raises(TimeoutError, match="exceeded"):
        Owner(Stuck(gate), hooks_timeout=SOON / 10).call()
    gate.set()
    assert settled()
    owner.call(hooks_timeout=ENOUGH)


def test_plain_callables_passed_per_call_are_counted_as_one_hook(gate):
    class Holder:
        def wait(self, ctx):
            gate.wait(ENOUGH)

    holder, owner = Holder(), Owner(hooks_timeout=SOON / 10)
    for _ in range(MAX_STUCK):
        with pytest.raises(TimeoutError, match="exceeded"):
            owner.call(on_predict_start=holder.wait)
    with pytest.raises(TimeoutError, match="is not run"):
        owner.call(on_predict_start=holder.wait)
    gate.set()
    assert settled()


def test_a_run_that_has_just_ended_is_not_left_behind():
    outcome = Outcome()
    submit(lambda: 5, outcome)
    assert outcome.wait(ENOUGH)
    assert not leave_behind(object(), outcome)
    assert outcome.value == 5
    outcome.settle(6)
    assert outcome.value == 5


def test_an_interrupt_while_the_caller_waits_revokes_the_hook_and_propagates(gate):
    def late(ctx):
        ctx.states = ["late"]

    interrupted = threading.Event()

    def handler(number, frame):
        if not interrupted.is_set():
            interrupted.set()
            raise KeyboardInterrupt

    class Interrupts(Stuck):
        def on_predict_start(self, ctx):
            # Repeated, since a signal that comes just before the main thread falls asleep does not wake it.
            while not interrupted.wait(0.005):
                signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
            super().on_predict_start(ctx)

    hook, log, contexts = Interrupts(gate, late), Log(), [PredictContext(["text"], {})]
    previous = signal.signal(signal.SIGUSR1, handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            Owner([hook, log], hooks_timeout=ENOUGH, hooks_raise=False).run(contexts)
    finally:
        signal.signal(signal.SIGUSR1, previous)
    assert log.log == ["h.on_error", "h.on_predict_end"]
    gate.set()
    assert hook.done.wait(ENOUGH)
    assert contexts[0].states == ["text"]
    assert settled()


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_raised_by_a_hook_on_a_worker_propagates(interrupt):
    with pytest.raises(interrupt):
        Owner(Log(on_predict_start=interrupt()), hooks_timeout=ENOUGH, hooks_raise=False).call()


def test_a_failure_on_a_worker_keeps_its_own_chain():
    def start(ctx):
        try:
            raise KeyError("inner")
        except KeyError:
            raise ValueError("outer")  # noqa: B904 - the implicit chain is what is tested

    owner = Owner(on_predict_start=start, hooks_timeout=ENOUGH)
    with pytest.raises(ValueError) as caught:
        while_handling(OSError(), owner.call)
    assert isinstance(caught.value.__context__, KeyError)


def test_a_very_long_timeout_is_no_error():
    assert Owner(Log(), hooks_timeout=1e300).call().results == [result()]


def test_hooks_may_be_fired_from_inside_inference_under_a_timeout():
    owner = Owner(Log(), hooks_timeout=ENOUGH)
    dispatcher = owner._dispatcher()
    ctx = PredictContext(["x"], {})
    dispatcher.fire("on_predict_start", ctx)
    dispatcher.inside(dispatcher.fire, "on_load", ctx)
    assert owner.hooks[0].log == ["h.on_predict_start", "h.on_load"]
