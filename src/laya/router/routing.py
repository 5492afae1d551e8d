"""Routing with hooks: every request is decided, and `on_route` may change what was decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laya.errors import ArgumentError, HookResultError
from laya.hooks import PredictContext
from laya.hooks.failures import reraise
from laya.hooks.protocol import hook_name
from laya.router.decision import RouteDecision
from laya.router.group import Routed

if TYPE_CHECKING:
    from laya.hooks.dispatch import Dispatcher
    from laya.router.policy import Policy, Request

_CONTRACT = "on_route must leave ctx.decision a dict with the 'model' of a known checkpoint, and exactly one state"


def route_one(
    request: Request, policy: Policy, dispatcher: Dispatcher, router: Any, request_id: str | None = None
) -> Routed:
    """Decide one request, and run `on_route` on the decision. Loads nothing.

    Raises:
        HookResultError: a hook left something that is no decision (strict policy).
        BaseException: whatever an `on_route` hook or a `lang_guess` function raised.
    """
    decision = policy.decide(request)
    if not dispatcher.hooks:
        return Routed(decision, None, request.state, request.questions)
    ctx = PredictContext([request.state], request.questions, decision=decision, router=router, request_id=request_id)
    found = dispatcher.collect("on_route", ctx, _Guard(ctx, policy))
    if found:
        reraise(found[0])
    return Routed(_settled(ctx.decision, policy), ctx.run_id, ctx.states[0], ctx.questions)


class _Guard:
    """Takes back what a hook leaves that is no decision; that is then the failure of this hook."""

    def __init__(self, ctx: PredictContext, policy: Policy) -> None:
        self._ctx = ctx
        self._policy = policy
        self._saved: tuple[Any, Any] = (None, None)

    def save(self) -> None:
        self._saved = (self._ctx.decision.copy(), list(self._ctx.states))

    def settle(self, hook: object, event: str, failure: BaseException | None) -> BaseException | None:
        problem = self._problem()
        if problem is None or failure is not None:
            return failure
        self._ctx.decision, self._ctx.states = self._saved
        return HookResultError(f"laya: hook {hook_name(hook, event)} left {problem}; {_CONTRACT}")

    def _problem(self) -> str | None:
        decision, states = self._ctx.decision, self._ctx.states
        if not isinstance(decision, dict) or "model" not in decision:
            return f"ctx.decision = {decision!r:.80}"
        try:
            self._policy.registry.resolve(decision["model"])
        except ArgumentError as exc:
            return f"a decision for an {exc}"
        if not isinstance(states, list) or len(states) != 1:
            return f"ctx.states = {states!r:.80}"
        return None


def _settled(decision: dict[str, Any], policy: Policy) -> RouteDecision:
    """The decision with its checkpoint resolved; what a hook left out is filled in."""
    name = policy.registry.resolve(decision["model"])
    settled = RouteDecision(
        model=name, repo=policy.registry.source(name).repo, reason="decided by an on_route hook", reason_code="on_route"
    )
    settled.update({key: value for key, value in decision.items() if key not in {"model", "repo"}})
    return settled
