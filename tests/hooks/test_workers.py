from __future__ import annotations

import threading

from laya.hooks.workers import Outcome, Pool, submit

ENOUGH = 20.0


def submitted(call, pool=None):
    outcome = Outcome()
    (submit if pool is None else pool.submit)(call, outcome)
    return outcome


def test_a_value_and_an_error_come_back():
    outcome = submitted(lambda: 5)
    assert outcome.wait(ENOUGH)
    assert (outcome.value, outcome.error) == (5, None)
    error = SystemExit()

    def fails():
        raise error

    outcome = submitted(fails)
    assert outcome.wait(ENOUGH)
    assert outcome.error is error


def test_calls_that_overlap_get_a_thread_each():
    barrier = threading.Barrier(3, timeout=ENOUGH)
    outcomes = [submitted(barrier.wait) for _ in range(3)]
    assert all(outcome.wait(ENOUGH) and outcome.error is None for outcome in outcomes)


def test_an_idle_worker_is_used_again_and_ends_after_a_while():
    pool = Pool(idle_seconds=0.05)
    first = submitted(threading.current_thread, pool)
    assert first.wait(ENOUGH)
    again = submitted(threading.current_thread, pool)
    assert again.wait(ENOUGH)
    first.value.join(ENOUGH)
    assert not first.value.is_alive()
    new = submitted(threading.current_thread, pool)
    assert new.wait(ENOUGH)
    assert new.value is not first.value


def test_late_is_called_once_the_outcome_is_there():
    outcome, late = Outcome(), []
    assert outcome.abandon(late.append)
    assert late == []
    outcome.settle(1)
    assert late == [outcome]
    assert not outcome.abandon(late.append)
