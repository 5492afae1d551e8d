"""A batch of requests, from checked requests to results: route all, then one checkpoint after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laya.hooks.lifecycle import run as run_lifecycle
from laya.hooks.lifecycle import run_isolated
from laya.router.group import Group, Member
from laya.router.routing import route_one

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.hooks.dispatch import Dispatcher
    from laya.router.policy import Policy
    from laya.router.pool import Pool
    from laya.router.requests import Checked


def run_batch(
    requests: Sequence[Checked | Exception],
    policy: Policy,
    dispatcher: Dispatcher,
    pool: Pool,
    router: Any,
    *,
    batch_size: int | None,
    isolate: bool,
) -> list[Any]:
    """Answer requests.

    Args:
        requests: checked requests; an exception in place of one that failed its checks (`isolate` only).
        policy: the routing rules.
        dispatcher: hooks of the call.
        pool: the checkpoints in memory.
        router: the Router, for contexts.
        batch_size: states tokenised and packed together.
        isolate: a request that fails has its exception in the place of its result.
    """
    results: list[Any] = [request if isinstance(request, Exception) else None for request in requests]
    members: list[Member] = []
    for request in requests:
        if isinstance(request, Exception):
            continue
        try:
            members.append(Member(request, route_one(request.route, policy, dispatcher, router)))
        except Exception as exc:
            if not isolate:
                raise
            results[request.index] = exc
    for name, group in _by_checkpoint(members).items():
        answers = _run_group(Group(name, group, pool.use, router, batch_size), dispatcher, isolate=isolate)
        for member, answer in zip(group, answers, strict=True):
            results[member.request.index] = answer
    return results


def _by_checkpoint(members: Sequence[Member]) -> dict[str, list[Member]]:
    """Members by checkpoint, in order of first appearance."""
    groups: dict[str, list[Member]] = {}
    for member in members:
        groups.setdefault(member.routed.decision["model"], []).append(member)
    return groups


def _run_group(group: Group, dispatcher: Dispatcher, *, isolate: bool) -> list[Any]:
    try:
        with group.hold() as agent:
            contexts = group.contexts(agent)
            if isolate:
                failures = run_isolated(contexts, dispatcher, group.infer_apart, finish=group.finish)
                return [
                    failure if failure is not None else ctx.results[0]  # type: ignore[index]  # one each, checked
                    for ctx, failure in zip(contexts, failures, strict=True)
                ]
            run_lifecycle(contexts, dispatcher, group.infer, finish=group.finish)
            return [ctx.results[0] for ctx in contexts]  # type: ignore[index]  # as above
    except Exception as exc:
        if not isolate:
            raise
        return [exc] * len(group.members)
