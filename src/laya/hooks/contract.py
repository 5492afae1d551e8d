"""The contract of `ctx.results` and `ctx.states`, checked where a hook could have broken it, and token usage."""

from __future__ import annotations

import math
from numbers import Real
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from laya.errors import HookResultError
from laya.hooks.copies import detach
from laya.hooks.protocol import hook_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.hooks.context import PredictContext

USAGE_COUNTS: Final = (
    "input_tokens",
    "output_tokens",
    "state_tokens",
    "state_tokens_dropped",
    "instruction_tokens_dropped",
    "option_tokens_dropped",
    "windows",
)
_NOTHING: Final = dict.fromkeys(USAGE_COUNTS, 0)
_counts = itemgetter(*USAGE_COUNTS)
CONTRACT: Final = "ctx.results must be a list with one result dict per state, each with a dict 'answers'"


def aggregate_usage(results: Sequence[Any]) -> dict[str, Any]:
    """Sum the usage of several results.

    Args:
        results: result dicts; a missing `usage`, or a missing key in one, counts as zero.

    Returns:
        Every count of `USAGE_COUNTS` summed, and `truncated`: whether anything was cut in any result.

    Raises:
        HookResultError: a usage is not a dict of numbers; `index` is the position of the result.
    """
    for index, result in enumerate(results):
        usage = result.get("usage") if isinstance(result, dict) else result
        problem = None if usage is None else _usage_problem(usage)
        if problem is not None:
            raise HookResultError(f"result {index} has {problem}; {CONTRACT}", index=index)
    return sum_usage(results)


def sum_usage(results: Sequence[Any]) -> dict[str, Any]:
    """Sum the usage of results that are known to keep the contract; see `aggregate_usage`."""
    total: dict[str, Any] = _NOTHING.copy()
    truncated = False
    for result in results:
        usage = result.get("usage")
        if not usage:
            continue
        for key in USAGE_COUNTS:
            value = usage.get(key, 0)
            total[key] += value if type(value) is int else int(value)
        truncated = truncated or bool(usage.get("truncated"))
    total["truncated"] = truncated
    return total


def _usage_problem(usage: Any) -> str | None:
    if not isinstance(usage, dict):
        return f"a usage of type {type(usage).__name__}, wanted a dict of numbers"
    try:
        if type(sum(_counts(usage))) is int:
            return None
    except (KeyError, TypeError):
        pass  # a key is missing, or something is no number: look at each
    for key in USAGE_COUNTS:
        value = usage.get(key, 0)
        if not isinstance(value, Real) or not math.isfinite(value):
            return f"usage[{key!r}] = {value!r:.80}, wanted a number"
    return None


def results_problem(results: Any, count: int | None) -> tuple[str, int | None] | None:
    """Say what is wrong with the results of a call.

    Args:
        results: the value of `ctx.results`.
        count: number of states, or None when the states are not a list.

    Returns:
        None when the contract holds, else a description of what was found and the state's index, if it is one's.
    """
    if type(results) is not list:
        return f"ctx.results as {type(results).__name__}", None
    if count is not None and len(results) != count:
        return f"ctx.results with {len(results)} results for {count} states", None
    for index, result in enumerate(results):
        if not isinstance(result, dict):
            return f"ctx.results[{index}] as {type(result).__name__}", index
        if not isinstance(result.get("answers"), dict):
            return f"ctx.results[{index}] without a dict 'answers'", index
        usage = result.get("usage")
        if usage is not None:
            problem = _usage_problem(usage)
            if problem is not None:
                return f"ctx.results[{index}] with {problem}", index
    return None


def checked_results(results: Any, states: Any) -> list[Any]:
    """Check what a hook hands to `skip`, and copy it.

    Raises:
        HookResultError: not a list or tuple with exactly one result dict per state.
    """
    if not isinstance(states, (list, tuple)):
        raise HookResultError(
            f"ctx.skip() needs ctx.states to be a list, got {type(states).__name__}; set ctx.states first"
        )
    wanted = f"one result per state in ctx.states ({len(states)})"
    if not isinstance(results, (list, tuple)):
        raise HookResultError(f"ctx.skip() takes a list with {wanted}; got {type(results).__name__}")
    if len(results) != len(states):
        raise HookResultError(f"ctx.skip() takes {wanted}; got {len(results)}")
    new: list[Any] = detach(list(results))
    problem = results_problem(new, len(states))
    if problem is not None:
        raise HookResultError(f"ctx.skip() got {problem[0]}; {CONTRACT}", index=problem[1])
    return new


def state_count(states: Any) -> int | None:
    """Number of states, or None while `ctx.states` is not a list (a start hook may mend that)."""
    return len(states) if isinstance(states, (list, tuple)) else None


class Guard:
    """Holds one context to the contract around each of its hooks, and can go back to what it was before a hook.

    Args:
        ctx: the context to guard.

    Attributes:
        ctx: the context.
        required: whether `ctx.results` may no longer be None.
        violation: the first failure that `settle` made of a broken contract.
    """

    __slots__ = ("_count", "_results", "_states", "ctx", "required", "violation")

    def __init__(self, ctx: PredictContext) -> None:
        self.ctx = ctx
        self._count = state_count(ctx.raw_states)
        self._states: Any = None
        self._results: list[Any] | None = None
        self.required = False
        self.violation: HookResultError | None = None

    def save(self) -> None:
        """Remember states and results as they are, before a hook runs."""
        ctx = self.ctx
        self._states = ctx.raw_states[:] if self._count is not None else None
        results = ctx.raw_results
        self._results = None if results is None else _snapshot(results)

    def settle(self, hook: object, event: str, failure: BaseException | None) -> BaseException | None:
        """Check states and results after a hook ran, and go back where they break the contract.

        Args:
            hook: the hook that ran.
            event: the event it ran for.
            failure: what the hook raised, if anything; it outranks a broken contract.

        Returns:
            The failure of this hook: what it raised, or the HookResultError for what it left behind, or None.
        """
        ctx = self.ctx
        states, results = ctx.raw_states, ctx.raw_results
        problem = None
        if type(states) is not list or len(states) != self._count:
            problem = self._settle_states()
        if results is not None or self.required:
            problem = self._settle_results(results) or problem
        if problem is None or failure is not None:
            return failure
        violation = HookResultError(
            f"laya: hook {hook_name(hook, event)} left {problem[0]}; {CONTRACT}, "
            "and the number of states must not change",
            index=problem[1],
        )
        if self.violation is None:
            self.violation = violation
        return violation

    def _settle_states(self) -> tuple[str, int | None] | None:
        ctx = self.ctx
        found = state_count(ctx.raw_states)
        if found is not None and self._count in (None, found):
            ctx.raw_states = list(ctx.raw_states)
            self._count = found
            return None
        if self._count is None:
            return None
        problem = (
            f"ctx.states as {type(ctx.raw_states).__name__}"
            if found is None
            else f"ctx.states with {found} states instead of {self._count}"
        )
        ctx.raw_states = detach(self._states)
        return problem, None

    def _settle_results(self, results: Any) -> tuple[str, int | None] | None:
        if type(results) is tuple:
            results = self.ctx.raw_results = list(results)
        problem = results_problem(results, self._count)
        if problem is not None:
            self.ctx.raw_results = detach(self._results)
        return problem


def _snapshot(results: list[Any]) -> list[Any]:
    # Only what the contract covers can break it: the list, each result and its usage.
    saved = results.copy()
    for index, result in enumerate(results):
        saved[index] = new = result.copy()
        usage = new.get("usage")
        if usage:
            new["usage"] = usage.copy()
    return saved
