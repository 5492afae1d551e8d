"""The rows of the Errors page for the Router and for exported graphs; `docs/contract.md` is the table."""

import contextvars
import json
import threading

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

import laya
from failing import Failing
from laya import errors
from laya.testing import fake_agent
from tiny import BERT, write_checkpoint

Q = {"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}}
BAD = {"team": {"type": "choice", "instructions": "?"}}


def predict(router, questions=Q, **options):
    return router.predict("x", questions, model="a", **options)


def predict_batch(router, questions=Q, **options):
    return router.predict_batch([{"state": "x", "questions": questions, "model": "a"}], **options)[0]


both = pytest.mark.parametrize("call", [predict, predict_batch])


def texts(exc):
    found = []
    while exc is not None:
        assert exc not in found, "the chain has a cycle"
        found.append(exc)
        exc = exc.__context__
    return [str(each) for each in found]


@both
def test_a_failing_start_strict_still_runs_on_error_and_end(make, factory, call):
    hook = Failing("on_predict_start")
    with pytest.raises(RuntimeError, match="on_predict_start broke") as caught:
        call(make(hooks=[hook]))
    assert hook.log == ["on_predict_start", "on_error", "on_predict_end"]
    assert hook.contexts[-1].error is caught.value
    assert hook.contexts[-1].elapsed_ms > 0
    assert factory.runtimes["a"].batches == []


@both
def test_a_failing_start_lenient_warns_and_keeps_the_changes_it_made(make, call):
    def change_and_fail(ctx):
        ctx.states = ["changed"]
        raise ValueError("after the change")

    router = make(hooks_raise=False)
    with pytest.warns(RuntimeWarning, match=r"change_and_fail\.on_predict_start failed: after the change"):
        result = call(router, on_predict_start=change_and_fail)
    assert result["answers"] == fake_agent().predict("changed", Q)["answers"]


@both
@pytest.mark.parametrize("lenient", [True, False])
def test_a_failing_inference_sets_the_error_and_runs_on_error_then_end(make, call, lenient):
    hook = Failing()
    with pytest.raises(errors.QuestionError) as caught:
        call(make(hooks=[hook], hooks_raise=not lenient), BAD)
    assert hook.log == ["on_predict_start", "on_error", "on_predict_end"]
    assert all(ctx.error is caught.value for ctx in hook.contexts)
    assert hook.contexts[-1].usage is None


@both
@pytest.mark.parametrize("event", ["on_error", "on_predict_end"])
def test_a_hook_that_fails_on_the_failure_path_never_masks_the_original(make, call, event):
    with pytest.raises(errors.QuestionError) as caught:
        call(make(hooks=[Failing(event)]), BAD)
    assert f"{event} broke" in texts(caught.value)


@both
def test_a_failing_end_on_the_success_path_is_raised_strict_and_warned_about_lenient(make, call):
    hook = Failing("on_predict_end")
    router = make(hooks=[hook])
    with pytest.raises(RuntimeError, match="on_predict_end broke"):
        call(router)
    assert hook.log == ["on_predict_start", "on_predict_end"]
    with pytest.warns(RuntimeWarning, match=r"laya: hook Failing\.on_predict_end failed: on_predict_end broke"):
        result = call(router, hooks_raise=False)
    assert result["answers"] == fake_agent().predict("x", Q)["answers"]


@both
def test_the_policy_of_a_call_beats_that_of_the_instance_and_none_means_the_instance(make, call):
    lenient = make(hooks=[Failing("on_predict_start")], hooks_raise=False)
    with pytest.raises(RuntimeError):
        call(lenient, hooks_raise=True)
    with pytest.warns(RuntimeWarning):
        call(lenient, hooks_raise=None)


@both
@pytest.mark.parametrize("event", ["on_predict_start", "on_error", "on_predict_end"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_lenient_never_swallows_what_is_not_an_exception(make, call, event, error):
    with pytest.raises(error):
        call(make(hooks=[Failing(event, error=error)], hooks_raise=False), BAD if event == "on_error" else Q)


@both
def test_an_interrupt_during_inference_runs_on_error_and_end_before_it_unwinds(make, factory, call):
    hook = Failing()
    router = make(hooks=[hook])
    router.load("a")

    def interrupted(batch):
        raise KeyboardInterrupt

    factory.runtimes["a"].forward = interrupted
    with pytest.raises(KeyboardInterrupt):
        call(router)
    assert hook.log == ["on_predict_start", "on_error", "on_predict_end"]
    assert isinstance(hook.contexts[-1].error, KeyboardInterrupt)


@both
@pytest.mark.parametrize(
    "options",
    [{"hooks": [Failing]}, {"hooks": [object()]}, {"on_predict_start": 5}, {"hooks": [lambda ctx: None]}],
)
def test_a_wrong_hook_is_a_type_error_at_construction_and_at_the_call_before_anything_runs(
    make, factory, call, options
):
    with pytest.raises(TypeError):
        make(**options)
    log = Failing()
    router = make(hooks=[log])
    with pytest.raises(TypeError):
        call(router, **options)
    assert log.log == factory.built == []


@both
def test_a_hook_over_its_time_is_an_error_strict_and_a_warning_lenient(make, call):
    release = threading.Event()

    class Stuck:
        def on_predict_start(self, ctx):
            release.wait(20)

    router = make(hooks=[Stuck()])
    with pytest.raises(TimeoutError, match=r"laya: hook Stuck\.on_predict_start exceeded 0\.05s"):
        call(router, hooks_timeout=0.05)
    with pytest.warns(RuntimeWarning, match=r"Stuck\.on_predict_start failed: .*exceeded 0\.05s"):
        assert call(router, hooks_timeout=0.05, hooks_raise=False)["answers"]
    release.set()


@both
@pytest.mark.parametrize("bad", [0, -1, True])
def test_a_timeout_must_be_positive_where_it_is_set(make, factory, call, bad):
    with pytest.raises(ValueError, match="hooks_timeout must be a positive finite number or None"):
        make(hooks_timeout=bad)
    router = make()
    with pytest.raises(ValueError, match="hooks_timeout must be a positive finite number or None"):
        call(router, hooks_timeout=bad)
    with pytest.raises(ValueError, match="hooks_timeout must be a positive finite number or None"):
        router.route("x", Q, hooks_timeout=bad)
    assert factory.built == []


request_id = contextvars.ContextVar("request_id", default=None)


@both
def test_a_timed_hook_sees_the_context_variables_of_the_caller(make, call):
    seen = []

    class Reads:
        def on_route(self, ctx):
            seen.append(request_id.get())

        on_predict_start = on_predict_end = on_route

    token = request_id.set("r-17")
    call(make(hooks=[Reads()], hooks_timeout=20))
    request_id.reset(token)
    assert seen == ["r-17"] * 3


def test_guards_and_telemetry_can_be_mixed_by_the_policy_of_the_call(make):
    class Guard:
        def on_predict_start(self, ctx):
            if "forbidden" in ctx.states[0]:
                raise PermissionError("refused")

    router = make(hooks=[Guard()])
    with pytest.raises(PermissionError):
        router.predict("forbidden", Q, model="a")
    with pytest.warns(RuntimeWarning, match="on_predict_end broke"):
        assert predict(router, hooks=[Failing("on_predict_end")], hooks_raise=False)["answers"]


@pytest.fixture(scope="module")
def graph_agent(tmp_path_factory):
    """An agent on an exported graph of a tiny random checkpoint."""
    folder = write_checkpoint(
        tmp_path_factory.mktemp("graph"), encoder_config=BERT, option_layout="sequential", max_len=48, head_max_len=24
    )
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = {token: i for i, token in enumerate([*special, "x"])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.add_special_tokens(special)
    tokenizer.save(str(folder / "tokenizer" / "tokenizer.json"))
    names = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
    (folder / "tokenizer" / "tokenizer_config.json").write_text(json.dumps(names))
    laya.export(folder, folder / "laya.onnx")
    with laya.ONNXAgent(folder) as agent:
        yield agent


@pytest.mark.parametrize("call", ["system_one", "predict", "predict_batch"])
def test_a_timeout_bounds_the_hooks_of_an_exported_graph_too(graph_agent, call):
    release, state = threading.Event(), ["x"] if call == "predict_batch" else "x"

    class Stuck:
        def on_predict_end(self, ctx):
            release.wait(20)

    with pytest.raises(TimeoutError, match=r"Stuck\.on_predict_end exceeded 0\.05s"):
        getattr(graph_agent, call)(state, Q, hooks=[Stuck()], hooks_timeout=0.05)
    release.set()
    with pytest.raises(ValueError, match="hooks_timeout must be"):
        getattr(graph_agent, call)(state, Q, hooks_timeout=0)


def test_an_exported_graph_has_the_lifecycle_of_an_agent(graph_agent):
    hook = Failing()
    assert list(graph_agent.predict("x", Q, hooks=[hook])["answers"]) == ["team"]
    with pytest.raises(errors.QuestionError):
        graph_agent.predict("x", BAD, hooks=[hook])
    assert hook.log == ["on_predict_start", "on_predict_end", "on_predict_start", "on_error", "on_predict_end"]
