"""Requests of one checkpoint: their contexts, their shared forward passes, their results."""

from __future__ import annotations

import inspect
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laya.calibration import apply_confidence_gate
from laya.errors import ArgumentTypeError, HookResultError, LayaError
from laya.hooks import PredictContext
from laya.hooks.copies import detach
from laya.questions import content_key
from laya.router.causes import copy_error
from laya.usage import empty_usage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from laya.router.batch import Call
    from laya.router.decision import RouteDecision
    from laya.router.requests import Checked


@dataclass(frozen=True, slots=True)
class Routed:
    """A decision as `on_route` left it, with the state and questions it left; `run_id` is that of its context."""

    decision: RouteDecision
    run_id: str | None
    state: Any
    questions: Any


@dataclass(frozen=True, slots=True)
class Member:
    """One request of a group."""

    request: Checked
    routed: Routed


class Group:
    """Requests that one checkpoint answers.

    Args:
        name: the checkpoint.
        members: its requests in input order.
        use: keeps a checkpoint in memory for the length of a `with` block.
        router: the router, for the contexts.
        call: settings of the call.
    """

    def __init__(
        self,
        name: str,
        members: Sequence[Member],
        use: Callable[[str], AbstractContextManager[Any]],
        router: Any,
        call: Call,
    ) -> None:
        self.members = members
        self._name = name
        self._use = use
        self._router = router
        self._call = call
        self._member_of: dict[PredictContext, Member] = {}

    def hold(self) -> AbstractContextManager[Any]:
        """The checkpoint's agent, loaded unless no request asks anything."""
        return self._use(self._name) if any(member.routed.questions for member in self.members) else nullcontext()

    def contexts(self, agent: Any) -> list[PredictContext]:
        """One context a request, complete."""
        for member in self.members:
            ctx = PredictContext(
                [member.routed.state],
                member.routed.questions,
                run_id=member.routed.run_id,
                decision=member.routed.decision,
                model=self._name,
                agent=agent,
                router=self._router,
                max_len=member.request.max_len,
                head_max_len=member.request.head_max_len,
                request_id=member.request.request_id,
                lang=_language(member),
                truncation=member.request.truncation,
            )
            self._member_of[ctx] = member
        return list(self._member_of)

    def infer(self, waiting: Sequence[PredictContext]) -> None:
        """Answer contexts: those with the same questions and budgets share forward passes."""
        for ctx in waiting:
            _check_states(ctx)
        for contexts in self._shares(waiting):
            self._infer_share(contexts)

    def infer_apart(self, waiting: Sequence[PredictContext]) -> None:
        """Like `infer`, but a failure fails only the requests that fail alone too, as their `ctx.error`."""
        sound = []
        for ctx in waiting:
            try:
                _check_states(ctx)
                bool(ctx.questions)  # a start hook may leave what has no truth value
            except Exception as exc:
                ctx.error = exc
            else:
                sound.append(ctx)
        for contexts in self._shares(sound):
            self._infer_in_halves(contexts)

    def _infer_in_halves(self, contexts: Sequence[PredictContext]) -> None:
        """What fails is asked again in halves, so that one bad state costs the others few forward passes."""
        try:
            self._infer_share(contexts)
        except Exception as exc:
            if len(contexts) == 1:
                contexts[0].error = exc
                return
            middle = len(contexts) // 2
            self._infer_in_halves(contexts[:middle])
            self._infer_in_halves(contexts[middle:])

    def _shares(self, waiting: Sequence[PredictContext]) -> list[list[PredictContext]]:
        """Contexts that one call of the agent answers; those without questions are answered here."""
        shares: dict[Any, list[PredictContext]] = {}
        for ctx in waiting:
            if ctx.raw_questions:
                shares.setdefault(self._share(ctx) if len(waiting) > 1 else None, []).append(ctx)
            else:
                ctx.results = [{"model": self._name, "answers": {}, "usage": empty_usage()}]
        return list(shares.values())

    def _share(self, ctx: PredictContext) -> Any:
        languages = getattr(ctx.agent, "lang_temperatures", None)
        key = content_key(ctx.questions)
        return (
            id(ctx.questions) if key is None else key,
            ctx.max_len,
            ctx.head_max_len,
            ctx.lang if languages else None,
            ctx.truncation,
        )

    def _infer_share(self, contexts: Sequence[PredictContext]) -> None:
        first = contexts[0]
        holding = self._use(self._name) if first.raw_agent is None else nullcontext(first.raw_agent)
        with holding as agent:
            budgets = {"max_len": first.raw_max_len, "head_max_len": first.raw_head_max_len, "lang": first.raw_lang}
            if first.raw_truncation != "allow":
                budgets["truncation"] = first.raw_truncation
            states = [ctx.raw_states[0] for ctx in contexts]
            try:
                results = Asked(agent, first, self._call).ask(states, first.raw_questions, budgets)
            except LayaError as exc:
                if self._call.numbered and (exc.question is not None or exc.index is not None):
                    raise self._numbered(exc, contexts) from exc
                raise
        if len(results) != len(contexts):
            raise HookResultError(
                f"the agent of {self._name!r} gave {len(results)} results for {len(contexts)} states, not one each"
            )
        for ctx, result in zip(contexts, results, strict=True):
            ctx.raw_results = [result]

    def _numbered(self, error: LayaError, contexts: Sequence[PredictContext]) -> LayaError:
        """The error of a question or state with the index of its request, in place of that among the shared states."""
        position = error.index or 0
        label = self._member_of[contexts[position if position < len(contexts) else 0]].request.label
        mine = copy_error(error)
        bare = error.message.removeprefix(f"state {error.index}: ")
        if label is not None:
            mine.index, mine.message = label, f"request {label}: {bare}"
        elif error.index is not None:  # it came alone, so its state is the first, whatever company it got
            mine.index, mine.message = 0, error.message if bare is error.message else f"state 0: {bare}"
        return mine

    def finish(self, ctx: PredictContext) -> None:
        """Add the routing where it is missing, then gate the answers."""
        member = self._member_of[ctx]
        results = ctx.raw_results or ()
        for result in results:
            result.setdefault("routing", member.routed.decision)
        apply_confidence_gate(results, member.request.min_confidence)


class Asked:
    """An agent that is called inside a Router call: ours, one with `predict_batch`, or one with `system_one` alone."""

    def __init__(self, agent: Any, parent: PredictContext, call: Call) -> None:
        self._agent = agent
        self._parent = parent
        self._call = call

    def ask(self, states: Sequence[Any], questions: Any, budgets: dict[str, Any]) -> list[Any]:
        """Results of states that share questions and budgets."""
        if self._call.windows is not None:
            options = {**budgets, **self._call.windows, "batch_size": self._call.batch_size}
            return [self._run("predict_long", state, questions, options) for state in states]
        if not hasattr(self._agent, "predict_batch"):
            return [self._run("system_one", state, questions, budgets) for state in states]
        options = {**budgets, "batch_size": self._call.batch_size}
        return list(self._run("predict_batch", list(states), questions, options))

    def _run(self, name: str, states: Any, questions: Any, options: dict[str, Any]) -> Any:
        within = getattr(self._agent, f"{name}_within", None)
        if within is not None:
            return within(self._parent, states, questions, **options)
        method = getattr(self._agent, name, None)
        if method is None:
            raise ArgumentTypeError(f"the attached {type(self._agent).__name__} has no {name}()")
        return detach(method(states, questions, **_accepted(method, options)))  # it may keep what it gives


def _accepted(method: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The options with a value that a foreign agent's method declares."""
    given = {key: value for key, value in options.items() if value is not None}
    parameters = inspect.signature(method).parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return given
    return {key: value for key, value in given.items() if key in parameters}


def _check_states(ctx: PredictContext) -> None:
    if len(ctx.raw_states) != 1:
        raise HookResultError(f"a Router call has exactly one state; a start hook left {len(ctx.states)}")


def _language(member: Member) -> str | None:
    if member.request.route.lang is not None:
        return str(member.request.route.lang)
    detection = member.routed.decision.get("detection")
    return detection.get("language") if isinstance(detection, dict) else None
