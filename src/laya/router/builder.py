"""Builds the agent of a checkpoint from its source."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from laya.agent import Agent
from laya.errors import ArgumentError, ArgumentTypeError
from laya.loading import weight_bytes
from laya.options import AgentOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from laya.router.names import Source

_OWNED: Final = frozenset(
    {"device", "token", "subfolder", "revision", "hooks", "on_predict_start", "on_predict_end"}
    | {"hooks_raise", "hooks_concurrent", "hooks_timeout"}
)
"""Options of an agent that the Router itself decides."""


@dataclass
class Builder:
    """How a Router builds agents.

    Attributes:
        device, token: given to every agent.
        revision: hub revision for all; `revisions` by name win.
        digests: expected SHA-256 by checkpoint name, then by file.
        agent_kwargs: further options for every agent.
        factory: builds an agent from a name and a source in place of all this.
    """

    device: str | None = None
    token: str | None = None
    revision: str | None = None
    revisions: Mapping[str, str | None] = field(default_factory=dict)
    digests: Mapping[str, Mapping[str, str] | None] = field(default_factory=dict)
    agent_kwargs: Mapping[str, Any] = field(default_factory=dict)
    factory: Callable[[str, Source], Any] | None = None

    def __post_init__(self) -> None:
        for name in self.agent_kwargs:
            if name in _OWNED:
                raise ArgumentError(f"agent_kwargs must not set {name!r}; the Router decides it")
            if name not in AgentOptions.__annotations__:
                known = sorted(set(AgentOptions.__annotations__) - _OWNED)
                raise ArgumentError(f"agent_kwargs has {name!r}, which Agent does not take; it takes {known}")

    @classmethod
    def from_options(cls, options: Mapping[str, Any], resolve: Callable[[Any], str]) -> Builder:
        """Take what concerns building from the options of a Router.

        Raises:
            ArgumentError: `revisions` or `sha256_digests` name an unknown checkpoint, or see `agent_kwargs`.
        """
        revisions, digests = (
            {resolve(name): value for name, value in (options.get(key) or {}).items()}
            for key in ("revisions", "sha256_digests")
        )
        return cls(
            device=options.get("device"),
            token=options.get("token"),
            revision=(options.get("revision") or "").strip() or None,
            revisions=revisions,
            digests=digests,
            agent_kwargs=options.get("agent_kwargs") or {},
            factory=options.get("build"),
        )

    def build(self, name: str, source: Source) -> Any:
        """Build an agent.

        Raises:
            ArgumentError: the checkpoint has no source.
            ArgumentTypeError: the factory made something that is no agent.
        """
        if self.factory is not None:
            made = self.factory(name, source)
            if not takes_agent_interface(made):
                raise ArgumentTypeError(
                    f"build made a {type(made).__name__} for checkpoint {name!r}; it must return an agent with "
                    "predict_batch() or system_one()"
                )
            return made
        if source.location is None:
            raise ArgumentError(
                f"checkpoint {name!r} is not inside the package and has no source; use Router(models='hub') for the "
                f"published one, register({name!r}, path) for a folder, or attach({name!r}, agent)"
            )
        options: dict[str, Any] = {"device": self.device, **self.agent_kwargs}
        revision = self.revisions.get(name) or self.revision
        digests = self.digests.get(name)
        if digests is not None:
            options["expected_sha256"] = {**(options.get("expected_sha256") or {}), **digests}
        return Agent(source.location, subfolder=source.subfolder, revision=revision, token=self.token, **options)

    def size(self, source: Source) -> int:
        """Bytes that the weights will take, where that can be told before they are read; else 0."""
        if self.factory is not None or source.location is None:
            return 0
        return weight_bytes(source.location, source.subfolder)


def takes_agent_interface(agent: Any) -> bool:
    """Whether an object can be attached: it has `predict_batch` or `system_one`."""
    return any(inspect.isroutine(getattr(agent, name, None)) for name in ("predict_batch", "system_one"))
