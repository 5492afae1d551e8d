"""The one order of events around a call: start hooks, inference, error hooks, end hooks.

Every entry point runs through `run`, an agent with one context, a router with one per request of a checkpoint.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

from laya.errors import HookResultError
from laya.hooks.contract import CONTRACT, Guard, results_problem, state_count, sum_usage
from laya.hooks.copies import detach
from laya.hooks.failures import join, reraise, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from laya.hooks.context import PredictContext
    from laya.hooks.dispatch import Dispatcher

    Body: TypeAlias = Callable[[list[PredictContext]], None]
    Finish: TypeAlias = Callable[[PredictContext], None]


def run(
    contexts: Sequence[PredictContext], dispatcher: Dispatcher, body: Body, *, finish: Finish | None = None
) -> None:
    """Run a group of calls that share inference; their answers are in each `ctx.results` afterwards.

    Start hooks run in input order, end hooks in reverse. Every context whose start was begun gets its `on_predict_end`,
    exactly once, and on failure `on_error` before it. Without hooks, time and token counts are not recorded.

    Args:
        contexts: one per call, in input order.
        dispatcher: the hooks and their policies.
        body: inference; gets the contexts without results, and must set `results` on each.
        finish: called with each context that has results, also with skipped ones, before its end hooks.

    Raises:
        BaseException: what failed first in a start hook, `body` or `finish`; else the first failure of an end hook.
            Later failures are further down its `__context__` chain. An interrupt from a later hook comes before both.
        HookResultError: a hook left `ctx.results` or `ctx.states` in a form that breaks the contract.
    """
    if not dispatcher.hooks:
        _infer(contexts, dispatcher, body, finish)
        return  # nobody would see the time and the token counts
    begun: list[Guard] = []
    spent: list[float] = []
    error: BaseException | None = None
    try:
        error = _start(contexts, dispatcher, begun, spent)
        if error is None:
            _infer(contexts, dispatcher, body, finish)
    except BaseException as exc:
        error = exc
    # From here on exceptions are data: hooks do not run inside an `except` block, whose exception Python would chain.
    _share_out(begun, spent)
    failure = _succeed(dispatcher, begun) if error is None else _fail(dispatcher, begun, error)
    if failure is None:
        return
    try:
        reraise(failure)
    finally:
        del error, failure  # a traceback that holds this frame must not hold itself


def run_isolated(
    contexts: Sequence[PredictContext], dispatcher: Dispatcher, body: Body, *, finish: Finish | None = None
) -> list[Exception | None]:
    """Run calls that share inference but not their failures: like `run` of each alone, in the order of a group.

    Args:
        contexts: one per call, in input order.
        dispatcher: the hooks and their policies.
        body: inference; sets `results` or `error` on each context it gets. What it raises fails those left without.
        finish: see `run`.

    Returns:
        What each call failed with, in input order, or None where `ctx.results` has its answers.

    Raises:
        BaseException: an interrupt (KeyboardInterrupt, SystemExit, ...), from anywhere; it fails every call.
    """
    begun: list[Guard] = []
    spent: list[float] = []
    errors: dict[PredictContext, BaseException] = {}
    stop: BaseException | None = None
    try:
        for ctx in contexts:
            failure = _start([ctx], dispatcher, begun, spent)
            if failure is not None:
                errors[ctx] = failure
                if not isinstance(failure, Exception):
                    stop = failure
                    break
        if stop is None:
            _infer_apart(contexts, dispatcher, body, finish, errors)
    except BaseException as exc:
        stop = exc
    _share_out(begun, spent)
    if stop is not None:
        reraise(_fail(dispatcher, begun, stop))
    return _end_apart(dispatcher, begun, errors)


def _infer_apart(
    contexts: Sequence[PredictContext],
    dispatcher: Dispatcher,
    body: Body,
    finish: Finish | None,
    errors: dict[PredictContext, BaseException],
) -> None:
    started = [ctx for ctx in contexts if ctx not in errors]
    waiting = _waiting(started)
    failure: Exception | None = None
    if waiting:
        try:
            dispatcher.inside(body, waiting)
        except Exception as exc:
            failure = exc
    for ctx in waiting:
        error = failure if ctx.raw_error is None and ctx.raw_results is None else ctx.raw_error
        if error is not None:
            errors[ctx] = error
    for ctx in started:
        if ctx not in errors:
            try:
                _accept(ctx, dispatcher, finish)
            except Exception as exc:
                errors[ctx] = exc


def _end_apart(
    dispatcher: Dispatcher, begun: list[Guard], errors: dict[PredictContext, BaseException]
) -> list[Exception | None]:
    outcomes: list[BaseException | None] = []
    now = perf_counter()
    for guard in reversed(begun):
        error = errors.get(guard.ctx)
        outcomes.append(_succeed(dispatcher, [guard], now) if error is None else _fail(dispatcher, [guard], error, now))
    failures = [failure for failure in outcomes if failure is not None]
    if not all(isinstance(failure, Exception) for failure in failures):
        reraise(join(failures, []) or failures[0])
    return [outcome if isinstance(outcome, Exception) else None for outcome in reversed(outcomes)]


def _infer(contexts: Sequence[PredictContext], dispatcher: Dispatcher, body: Body, finish: Finish | None) -> None:
    waiting = _waiting(contexts)
    if waiting:
        dispatcher.inside(body, waiting)
    for ctx in contexts:
        _accept(ctx, dispatcher, finish)


def _waiting(contexts: Sequence[PredictContext]) -> list[PredictContext]:
    """The contexts that no hook has answered."""
    waiting = []
    for ctx in contexts:
        ctx.raw_skipped = ctx.raw_results is not None
        if not ctx.raw_skipped:
            waiting.append(ctx)
    return waiting


def _accept(ctx: PredictContext, dispatcher: Dispatcher, finish: Finish | None) -> None:
    if type(ctx.raw_results) is tuple:
        ctx.raw_results = list(ctx.raw_results)
    problem = results_problem(ctx.raw_results, state_count(ctx.raw_states))
    if problem is not None:
        raise HookResultError(f"laya: inference left {problem[0]}; {CONTRACT}", index=problem[1])
    if finish is not None:
        dispatcher.inside(finish, ctx)


def _start(
    contexts: Sequence[PredictContext], dispatcher: Dispatcher, begun: list[Guard], spent: list[float]
) -> BaseException | None:
    """Run the start hooks; return the failure that refuses the group."""
    for ctx in contexts:
        guard = Guard(ctx)
        begun.append(guard)
        began = perf_counter()
        found = dispatcher.collect("on_predict_start", ctx, guard)
        spent.append(perf_counter() - began)
        ctx.raw_skipped = ctx.raw_results is not None
        if found:
            return found[0]
        if ctx.raw_skipped:
            ctx.raw_results = detach(ctx.raw_results)
    return None


def _share_out(begun: list[Guard], spent: list[float]) -> None:
    """Take the start hooks of the others out of the time of each call of a group."""
    total = sum(spent)
    for guard, own in zip(begun, spent):  # noqa: B905 # one shorter after an interrupt
        guard.ctx.raw_started_at += total - own


def _succeed(dispatcher: Dispatcher, begun: list[Guard], now: float | None = None) -> BaseException | None:
    """Run the end hooks of calls that have their results; return what to raise."""
    failures: list[BaseException] = []
    now = perf_counter() if now is None else now
    for guard in reversed(begun):
        ctx = guard.ctx
        _close(ctx, now)
        guard.required = True
        found = dispatcher.collect("on_predict_end", ctx, guard)
        if found:
            if any(failure is guard.violation for failure in found):
                ctx.raw_error = guard.violation
                found += dispatcher.collect("on_error", ctx, guard)
            failures += found
        ctx.raw_results = detach(ctx.raw_results)  # hooks may keep what they saw; the caller gets none of it
    return join(failures, []) if failures else None


def _fail(dispatcher: Dispatcher, begun: list[Guard], error: BaseException, now: float | None = None) -> BaseException:
    """Run the error and end hooks of every call that was begun; return what to raise."""
    now = perf_counter() if now is None else now
    chain = walk(error)  # before a hook can re-raise the error and change what it came from
    failures: list[BaseException] = []
    for guard in reversed(begun):
        ctx = guard.ctx
        ctx.raw_error = error
        if ctx.raw_results is not None and results_problem(ctx.raw_results, state_count(ctx.raw_states)):
            ctx.raw_results = None  # inference stopped half-way
        failures += dispatcher.collect("on_error", ctx, guard)
        _close(ctx, now)
        failures += dispatcher.collect("on_predict_end", ctx, guard)
    return join(failures, chain) or error


def _close(ctx: PredictContext, now: float) -> None:
    ctx.raw_elapsed_ms = (now - ctx.raw_started_at) * 1000.0
    if ctx.raw_results:
        ctx.raw_usage = sum_usage(ctx.raw_results)
