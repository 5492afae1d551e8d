"""RouteDecision: which checkpoint answers a request, and why."""

from __future__ import annotations

from typing import Any


class RouteDecision(dict[str, Any]):
    """A dict with attributes, so that it goes into results and onto the wire as it is.

    Attributes:
        model: name of the checkpoint.
        repo: where it comes from; None for one that was only attached.
        reason: one sentence for people.
        reason_code: stable identifier of the rule that decided, for programs.
        detection: what language detection found; None when it did not run.
        workflow: the typed workflow whose question ids these are, if any.
    """

    def __init__(
        self,
        *,
        model: str,
        repo: str | None,
        reason: str,
        reason_code: str,
        detection: dict[str, Any] | None = None,
        workflow: str | None = None,
    ) -> None:
        super().__init__(
            model=model, repo=repo, reason=reason, reason_code=reason_code, detection=detection, workflow=workflow
        )

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"a route decision has no {name!r}; it has {', '.join(self)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __reduce__(self) -> tuple[Any, ...]:
        return RouteDecision._restore, (dict(self),)

    @staticmethod
    def _restore(items: dict[str, Any]) -> RouteDecision:
        decision = RouteDecision.__new__(RouteDecision)
        decision.update(items)
        return decision

    def copy(self) -> RouteDecision:
        """A shallow copy that is a RouteDecision too."""
        return RouteDecision._restore(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> RouteDecision:
        from copy import deepcopy  # noqa: PLC0415 - only here

        return RouteDecision._restore({key: deepcopy(value, memo) for key, value in self.items()})
