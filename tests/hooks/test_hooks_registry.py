from __future__ import annotations

import contextvars
import threading

import pytest
from hook_builders import Log, Owner

from laya.errors import HookConfigError
from laya.hooks import (
    AsyncHook,
    BaseHook,
    add_default_hook,
    clear_default_hooks,
    default_hooks,
    set_default_hooks,
)


def test_defaults_run_first_then_installed_then_the_hooks_of_the_call():
    log = []
    set_default_hooks(Log("default", log))
    owner = Owner(Log("installed", log))
    with owner.hooks_installed(Log("local", log), local=True):
        owner.call(hooks=[Log("call", log)])
    assert log[:4] == [f"{name}.on_predict_start" for name in ("default", "installed", "local", "call")]


def test_defaults_can_be_left_out_of_a_call():
    log = Log()
    set_default_hooks(log)
    Owner().call(use_defaults=False)
    assert log.log == []


def test_defaults_are_replaced_added_to_and_cleared():
    a, b = BaseHook(), BaseHook()
    set_default_hooks([a], on_predict_end=print)
    add_default_hook(b)
    found = default_hooks()
    assert (found[0], found[1].target, found[2]) == (a, print, b)
    found.clear()
    assert len(default_hooks()) == 3
    with pytest.raises(HookConfigError):
        set_default_hooks(BaseHook)
    assert len(default_hooks()) == 3
    set_default_hooks(b)
    assert default_hooks() == [b]
    clear_default_hooks()
    assert default_hooks() == []


def test_hooks_are_added_in_order_and_read_as_a_snapshot():
    a, b, c = BaseHook(), BaseHook(), BaseHook()
    owner = Owner(a)
    before = owner.hooks
    assert owner.add_hook(b).add_hook([c]) is owner
    assert owner.hooks == (a, b, c)
    assert before == (a,)
    with pytest.raises(HookConfigError):
        owner.add_hook(Log)


def test_removing_takes_the_latest_occurrence_by_identity():
    class Equal(BaseHook):
        def __eq__(self, other):
            return True

        __hash__ = None

    a, b = Equal(), Equal()
    owner = Owner([a, b, a])
    assert owner.remove_hook(a)
    assert [hook is a for hook in owner.hooks] == [True, False]
    assert not owner.remove_hook(Equal())
    assert owner.remove_hook(a)
    assert not owner.remove_hook(a)


class Holder:
    def end(self, ctx):
        pass


def test_a_plain_callable_and_a_wrapped_hook_are_found_by_what_was_installed():
    def end(ctx):
        pass

    holder, inner = Holder(), BaseHook()
    owner = Owner(AsyncHook(inner), on_predict_start=end, on_predict_end=[end, holder.end])
    assert not owner.remove_hook(Holder().end)
    assert [owner.remove_hook(hook) for hook in (end, end, holder.end, inner)] == [True] * 4
    assert owner.hooks == ()


def test_a_running_call_keeps_its_hooks():
    log = Log()
    owner = Owner(log, on_predict_start=lambda ctx: owner.remove_hook(log))
    owner.call()
    assert log.log == ["h.on_predict_start", "h.on_predict_end"]
    assert log not in owner.hooks


def test_hooks_installed_for_a_block_leave_the_others_alone():
    a, b, c = BaseHook(), BaseHook(), BaseHook()
    owner = Owner(a)
    with owner.hooks_installed(b, [a]) as same:
        assert same is owner
        owner.add_hook(c)
        assert owner.hooks == (a, b, a, c)
    assert owner.hooks == (a, c)


def test_hooks_installed_are_removed_after_an_error():
    owner = Owner()
    for local in (False, True):
        with pytest.raises(KeyError), owner.hooks_installed(BaseHook(), local=local):
            raise KeyError
    assert owner.hooks == ()


def test_a_local_hook_is_not_seen_by_other_threads_contexts_or_owners():
    log, owner, other = Log(), Owner(), Owner()
    outside = contextvars.copy_context()
    with owner.hooks_installed(log, local=True):
        thread = threading.Thread(target=owner.call)
        thread.start()
        thread.join()
        other.call()
        outside.run(owner.call)
        assert log.log == []
        assert owner.hooks == (log,)
        owner.call()
    owner.call()
    assert log.log == ["h.on_predict_start", "h.on_predict_end"]


def test_a_local_block_may_end_in_another_context():
    owner = Owner()
    block = owner.hooks_installed(BaseHook(), local=True)
    contextvars.copy_context().run(block.__enter__)
    block.__exit__(None, None, None)
    assert owner.hooks == ()


def test_local_is_a_bool():
    with pytest.raises(HookConfigError, match="local must be True or False"), Owner().hooks_installed(local=1):
        pass


def test_policies_can_be_read():
    owner = Owner(hooks_raise=False, hooks_concurrent=False, hooks_timeout=2)
    assert (owner.hooks_raise, owner.hooks_concurrent, owner.hooks_timeout) == (False, False, 2.0)
    owner = Owner()
    assert (owner.hooks_raise, owner.hooks_concurrent, owner.hooks_timeout) == (True, True, None)
    assert Owner(hooks_raise=None).hooks_raise is True


def test_hooks_are_added_and_removed_under_threads():
    owner = Owner()

    def churn():
        for _ in range(200):
            hook = BaseHook()
            owner.add_hook(hook)
            owner.call()
            assert owner.remove_hook(hook)

    threads = [threading.Thread(target=churn) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert owner.hooks == ()
