"""Which checkpoints a Router knows, where they come from, and which one is the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from laya.errors import ArgumentError, ArgumentTypeError
from laya.router.builder import takes_agent_interface
from laya.router.names import CATALOGUES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from laya.router.pool import Pool
    from laya.router.registry import Registry


class Catalogue:
    """The part of a Router that is about names; `Router` sets the attributes."""

    _registry: Registry
    _pool: Pool
    _default: str

    @property
    def models(self) -> dict[str, str | None]:
        """Every known checkpoint and where it comes from; None for one that was only attached."""
        return {name: source.repo for name, source in self._registry.sources.items()}

    @property
    def registered(self) -> dict[str, dict[str, Any]]:
        """Checkpoints that are not built in: source, description and declared languages."""
        built_in = CATALOGUES["embedded"]
        return {
            name: {"source": s.repo, "description": s.description, "languages": list(s.languages)}
            for name, s in self._registry.sources.items()
            if name not in built_in
        }

    @property
    def default(self) -> str:
        """The checkpoint for what detection cannot decide."""
        return self._default

    @default.setter
    def default(self, name: str) -> None:
        self._default = self._registry.resolve(name)

    def register(
        self, name: str, source: Any, description: str | None = None, *, languages: Iterable[str] | None = None
    ) -> str:
        """Add a checkpoint, or give a known one another source; one in memory under that name is then unloaded.

        Args:
            name: letters, digits, ".", "_" and "-"; an alias means the checkpoint it stands for.
            source: folder, hub id, (repository, subfolder), or None for one that will be attached.
            description: one line for people.
            languages: language codes it is for; texts in them are then routed to it.

        Returns:
            The canonical name.
        """
        key, moved = self._registry.add(name, source, description, languages)
        if moved:
            self._pool.unload(key)
        return key

    def unregister(self, name: str) -> None:
        """Forget a registered checkpoint, and unload it.

        Raises:
            ArgumentError: it is built in, the default, or unknown.
        """
        if self._registry.resolve(name) == self.default:
            raise ArgumentError(f"{name!r} is the default checkpoint; set another default first")
        self._pool.unload(self._registry.remove(name))

    def attach(self, name: str, agent: Any) -> Any:
        """Use an existing agent under a name. It is never evicted, and stays the caller's to close; no hook fires.

        Raises:
            ArgumentTypeError: it has neither `predict_batch` nor `system_one`.
        """
        if not takes_agent_interface(agent):
            raise ArgumentTypeError(
                f"attach takes an agent with predict_batch() or system_one(), got {type(agent).__name__}"
            )
        key = self._registry.resolve(name) if self._registry.knows(name) else self._registry.add(name, None)[0]
        self._pool.attach(key, agent)
        return agent
