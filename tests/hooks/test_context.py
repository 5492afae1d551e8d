from __future__ import annotations

import threading

import pytest
from hook_builders import on, result

from laya.errors import HookResultError
from laya.hooks import AsyncHook, PredictContext


def test_contexts_compare_by_identity_and_are_hashable():
    one, other = PredictContext(["a"], {}), PredictContext(["a"], {})
    assert one != other
    assert len({one, other}) == 2


def test_a_context_has_every_field_of_a_call_with_its_default():
    ctx = PredictContext(["a"], {"q": {}})
    assert ctx.states == ["a"]
    assert ctx.questions == {"q": {}}
    unset = (
        "results decision model agent router max_len head_max_len usage elapsed_ms error parent_run_id request_id lang"
    )
    assert all(getattr(ctx, name) is None for name in unset.split())
    assert ctx.started_at > 0
    assert PredictContext.states is vars(PredictContext)["states"]


def test_fields_can_be_given_and_set():
    fields = {
        "run_id": "r",
        "results": [result()],
        "decision": {"model": "m"},
        "model": "m",
        "agent": object(),
        "router": object(),
        "max_len": 5,
        "head_max_len": 4,
        "usage": {},
        "started_at": 1.0,
        "elapsed_ms": 2.0,
        "error": ValueError(),
        "parent_run_id": "p",
        "request_id": "i",
        "lang": "de",
    }
    given = PredictContext(["a"], {}, **fields)
    changed = PredictContext(["a"], {})
    for name, value in fields.items():
        setattr(changed, name, value)
        assert getattr(given, name) is value
        assert getattr(changed, name) is value


def test_the_run_id_is_made_once_for_all_threads():
    ctx = PredictContext(["a"], {})
    assert "run_id" not in repr(ctx)
    seen = []
    threads = [threading.Thread(target=lambda: seen.append(ctx.run_id)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(seen)) == 1
    assert len(ctx.run_id) == 32
    assert int(ctx.run_id, 16) > 0
    assert PredictContext(["a"], {}).run_id != ctx.run_id


def test_repr_names_the_call_and_shows_no_text():
    ctx = PredictContext(["secret"], {}, model="m", run_id="r1")
    assert repr(ctx) == "PredictContext(1 states, model='m', run_id='r1')"
    assert repr(PredictContext(None, {})) == "PredictContext(states of type NoneType, model=None)"


def test_skip_copies_and_sets_the_results():
    cached = result()
    ctx = PredictContext(["a"], {})
    assert not ctx.skipped
    ctx.skip((cached,))
    assert ctx.skipped
    assert ctx.results == [cached]
    ctx.results[0]["answers"]["x"] = 1
    assert cached["answers"] == {}


@pytest.mark.parametrize(("count", "given"), [(1, 0), (1, 2), (3, 1), (0, 1)])
def test_skip_takes_exactly_one_result_per_state(count, given):
    ctx = PredictContext(["a"] * count, {})
    message = rf"^ctx\.skip\(\) takes one result per state in ctx\.states \({count}\); got {given}$"
    with pytest.raises(HookResultError, match=message):
        ctx.skip([result()] * given)
    assert ctx.results is None


def test_skip_of_nothing_is_legal_for_no_states():
    ctx = PredictContext([], {})
    ctx.skip([])
    assert ctx.results == []
    assert ctx.skipped


@pytest.mark.parametrize("wrong", [None, {}, result(), "text", 5, {1, 2}])
def test_skip_refuses_what_is_no_list(wrong):
    with pytest.raises(HookResultError, match=rf"takes a list with one result per state.*got {type(wrong).__name__}"):
        PredictContext(["a"], {}).skip(wrong)


@pytest.mark.parametrize("wrong", [None, [], {}, {"answers": None}, {"answers": {}, "usage": {"windows": None}}])
def test_skip_refuses_what_is_no_result_and_names_its_index(wrong):
    with pytest.raises(HookResultError, match=r"one result dict per state") as caught:
        PredictContext(["a", "b"], {}).skip([result(), wrong])
    assert caught.value.index == 1


def test_skip_needs_a_list_of_states():
    with pytest.raises(HookResultError, match=r"needs ctx\.states to be a list, got str"):
        PredictContext("text", {}).skip([result()])


def test_scratch_is_one_dict_made_on_first_use():
    ctx = PredictContext(["a"], {})
    assert ctx.scratch is ctx.scratch
    assert ctx.scratch == {}


def test_started_knows_what_an_async_hook_wraps():
    inner = on("on_predict_start", print)
    wrapped = AsyncHook(inner)
    ctx = PredictContext(["a"], {})
    ctx.completed.append(wrapped)
    assert ctx.started(inner)
    assert ctx.started(wrapped)
    assert not ctx.started(AsyncHook(inner))


def test_hooks_may_hang_their_own_attributes_on_the_context():
    ctx = PredictContext(["a"], {})
    ctx.span = "span"
    assert ctx.span == "span"
