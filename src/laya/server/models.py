"""Names of models: what clients call a checkpoint, and the list of what they can ask for."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from msgspec import UNSET

from laya.router.names import ALIASES as ROUTER_ALIASES
from laya.router.names import EMBEDDED_ENGLISH, canonical
from laya.server.errors import WireError
from laya.server.wire import ModelInfo, ModelList

if TYPE_CHECKING:
    from collections.abc import Mapping

    from laya.hooks import PredictContext
    from laya.router import Router
    from laya.server.settings import ServerSettings

RELEASED: Final = "2026-11-30"
"""Release date of the checkpoint inside the package, and of those whose files are not on this machine."""

_HUB_ID: Final = re.compile(r"\w[\w.-]*(/\w[\w.-]*)+")


class Residents:
    """A hook that remembers facts of the checkpoints in memory, so that telling them touches no checkpoint.

    Args:
        router: the Router it is installed on; what it has in memory already is noted.
    """

    def __init__(self, router: Router) -> None:
        self.facts: dict[str, dict[str, Any]] = {}
        self._agents: WeakValueDictionary[str, Any] = WeakValueDictionary()
        for name in router.loaded:
            self._note(name, router.load(name))

    def on_load(self, ctx: PredictContext) -> None:
        """Note a checkpoint that came into memory."""
        self._note(str(ctx.model), ctx.agent)

    def on_evict(self, ctx: PredictContext) -> None:
        """Forget one that left."""
        self.facts.pop(str(ctx.model), None)
        self._agents.pop(str(ctx.model), None)

    def calibration(self, name: str) -> dict[str, Any] | None:
        """Temperatures with which a checkpoint in memory answers now; None if it is not in memory, or has none."""
        agent: Any = self._agents.get(name)
        if not hasattr(agent, "temperature"):
            return None
        return {
            "temperature": dict(zip(("choice", "score", "noul"), agent.temperature, strict=True)),
            "temperature_by_options": dict(agent.temperature_by_options),
            "lang_temperatures": dict(agent.lang_temperatures),
            "binned": agent.binning_map is not None,
        }

    def _note(self, name: str, agent: Any) -> None:
        self.facts[name] = _facts(agent)
        self._agents[name] = agent


def _facts(agent: Any) -> dict[str, Any]:
    config = getattr(agent, "cfg", {})
    found = {name: getattr(agent, name, None) for name in ("device", "runtime", "precision")}
    found |= {name: config.get(name) for name in ("max_len", "head_max_len")}
    return {name: value for name, value in found.items() if value is not None}


class ModelNames:
    """Resolves what clients call a model.

    Args:
        router: knows the checkpoints.
        settings: has the aliases and limits.
        residents: knows the budgets of those in memory.
    """

    def __init__(self, router: Router, settings: ServerSettings, residents: Residents) -> None:
        self._router = router
        self._settings = settings
        self._residents = residents
        self._aliases = {name.lower(): target for name, target in settings.all_aliases.items()}

    def resolve(self, name: str | None) -> str | None:
        """The checkpoint that a name means; None lets the Router choose.

        Raises:
            WireError: 400, the name is not known; lists those that are.
        """
        if name is None:
            return None
        target = self._aliases.get(name.strip().lower(), name)
        if target == "auto":
            return None
        key = canonical(target)
        if key in self._known():
            return key
        known = ", ".join([*self._aliases, *self._known()])
        raise WireError(400, "unknown_model", f"unknown model {name!r:.80}; use one of {known}", path="model")

    def listing(self) -> ModelList:
        """Every model that can be asked, the one that means "choose for me" first."""
        auto = sorted(name for name, target in self._aliases.items() if target == "auto")
        first = ModelInfo(
            name="jev-latest",
            description="Lets the server choose the checkpoint that suits the text.",
            release_date=RELEASED,
            x_aliases=[name for name in auto if name != "jev-latest"],
            x_loaded=bool(self._router.loaded),
            x_languages=[],
            x_inputs=["text"],
            x_limits=self._limits({}),
        )
        return ModelList([first, *(self._info(name) for name in self._known())])

    def problems(self) -> list[str]:
        """Sentences about aliases that mean no checkpoint."""
        targets = {name: target for name, target in self._settings.aliases.items() if target != "auto"}
        found = {name: self.problem_with(target) for name, target in targets.items()}
        return [f"aliases: {name!r}: {problem}, or auto" for name, problem in found.items() if problem]

    def problem_with(self, name: str) -> str | None:
        """A sentence about a checkpoint that does not exist, or None."""
        known = self._known()
        return None if canonical(name) in known else f"{name!r} is no checkpoint; use one of {', '.join(known)}"

    def _known(self) -> list[str]:
        loaded = set(self._router.loaded)
        return [name for name, source in self._router.models.items() if source is not None or name in loaded]

    def _info(self, name: str) -> ModelInfo:
        source = self._router.models[name]
        registered = self._router.registered.get(name, {})
        public = public_source(source)
        return ModelInfo(
            name=name,
            description=registered.get("description") or (f"Checkpoint {public}." if public else "A local checkpoint."),
            release_date=_date(source),
            x_aliases=self._aliases_of(name),
            x_loaded=name in self._router.loaded,
            x_languages=list(registered.get("languages", ())),
            x_inputs=["text"],
            x_limits=self._limits(self._residents.facts.get(name, {})),
            x_calibration=self._residents.calibration(name) or UNSET,
        )

    def _aliases_of(self, name: str) -> list[str]:
        configured = [alias for alias, target in self._aliases.items() if canonical(target) == name]
        return sorted({*configured, *(alias for alias, target in ROUTER_ALIASES.items() if target == name)})

    def _limits(self, facts: Mapping[str, Any]) -> dict[str, int]:
        limits = {
            "max_questions": self._settings.max_questions,
            "max_options": self._settings.max_options,
            "max_levels": self._settings.max_levels,
            "max_states": self._settings.max_states,
            "max_body_bytes": self._settings.max_body_bytes,
        }
        budgets = {key: facts.get(key) for key in ("max_len", "head_max_len")}
        return limits | {key: value for key, value in budgets.items() if isinstance(value, int)}


def public_source(source: str | None) -> str | None:
    """A source that may be told to clients: a hub id or the embedded checkpoint, never a folder of this machine."""
    if source is None or not _HUB_ID.fullmatch(source):
        return None
    return source if source == EMBEDDED_ENGLISH or not Path(source).exists() else None


def _date(source: str | None) -> str:
    weights = Path(source).expanduser() / "model.safetensors" if source else None
    if source == EMBEDDED_ENGLISH or weights is None or not weights.is_file():
        return RELEASED
    return dt.datetime.fromtimestamp(weights.stat().st_mtime, dt.timezone.utc).date().isoformat()
