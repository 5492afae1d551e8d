"""A batch of requests, from checked requests to results: route all, then one checkpoint after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from laya.hooks.lifecycle import run as run_lifecycle
from laya.hooks.lifecycle import run_isolated
from laya.router.group import Group, Member
from laya.router.routing import route_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.hooks import PredictContext
    from laya.hooks.dispatch import Dispatcher
    from laya.router.policy import Policy
    from laya.router.pool import Pool
    from laya.router.requests import Checked


@dataclass(frozen=True, slots=True)
class Call:
    """Settings of one Router call.

    Attributes:
        batch_size: states tokenised and packed together.
        dispatcher: hooks of the call.
        numbered: errors name the index of the request.
        isolate: a request that fails has its exception in the place of its result.
        windows: window options of a long document, or None for an ordinary call.
    """

    batch_size: int | None
    dispatcher: Dispatcher
    numbered: bool = False
    isolate: bool = False
    windows: dict[str, Any] | None = None


def run_batch(
    requests: Sequence[Checked | Exception], policy: Policy, call: Call, pool: Pool, router: Any
) -> list[Any]:
    """Answer requests.

    Args:
        requests: checked requests; an exception in place of one that failed its checks (isolated calls only).
        policy: the routing rules.
        call: settings of the call.
        pool: the checkpoints in memory.
        router: the Router, for contexts.
    """
    results: list[Any] = [request if isinstance(request, Exception) else None for request in requests]
    members: list[Member] = []
    for request in requests:
        if isinstance(request, Exception):
            continue
        try:
            routed = route_one(request.route, policy, call.dispatcher, router, request.request_id)
            members.append(Member(request, routed))
        except Exception as exc:
            if not call.isolate:
                raise
            results[request.index] = exc
    for name, group in _by_checkpoint(members).items():
        answers = _run_group(Group(name, group, pool.use, router, call), call)
        for member, answer in zip(group, answers, strict=True):
            results[member.request.index] = answer
    return results


def _by_checkpoint(members: Sequence[Member]) -> dict[str, list[Member]]:
    """Members by checkpoint, in order of first appearance."""
    groups: dict[str, list[Member]] = {}
    for member in members:
        groups.setdefault(member.routed.decision["model"], []).append(member)
    return groups


def _run_group(group: Group, call: Call) -> list[Any]:
    try:
        with group.hold() as agent:
            contexts = group.contexts(agent)
            if call.isolate:
                failures = run_isolated(contexts, call.dispatcher, group.infer_apart, finish=group.finish)
                pairs = zip(contexts, failures, strict=True)
                return [_result(ctx) if failure is None else failure for ctx, failure in pairs]
            run_lifecycle(contexts, call.dispatcher, group.infer, finish=group.finish)
            return [_result(ctx) for ctx in contexts]
    except Exception as exc:
        if not call.isolate:
            raise
        return [exc] * len(group.members)


def _result(ctx: PredictContext) -> Any:
    return ctx.raw_results[0]
