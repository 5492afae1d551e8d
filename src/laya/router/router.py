"""Router: picks the checkpoint of each request, and manages which checkpoints are in memory."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from laya.calibration import check_min_confidence
from laya.errors import ArgumentError, ArgumentTypeError, ClosedError
from laya.hooks import HookRegistry, PredictContext
from laya.language import Py3LangidDetector, analyse
from laya.options import HookOptions, check_batch_size, check_options, check_positive
from laya.router.batch import run_batch
from laya.router.builder import Builder, takes_agent_interface
from laya.router.names import CATALOGUES, MULTILINGUAL, STANDALONE
from laya.router.options import BatchOptions, PredictOptions, RouteOptions, RouterOptions
from laya.router.policy import Policy
from laya.router.pool import Pool
from laya.router.registry import Registry
from laya.router.requests import check_batch, check_request, check_route
from laya.router.routing import route_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Self, Unpack

    from laya.hooks.dispatch import Dispatcher
    from laya.router.decision import RouteDecision
    from laya.router.requests import Checked, RouterRequest
    from laya.types import Questions, Result, State

_HOOK_KEYS: Final = ("hooks", "on_predict_start", "on_predict_end")


class Router(HookRegistry):
    """Answers each request with the checkpoint that suits it. Safe to call from many threads.

    Args:
        models: "embedded" or None for what is inside the package, "hub" for the published checkpoints, or a dict of
            name to source (folder, hub id, or (repository, subfolder)) on top of the embedded ones.
        options: see `laya.router.options.RouterOptions`.

    Raises:
        ArgumentError, ArgumentTypeError, HookConfigError: an option cannot work.
    """

    takes_requests: Final = True

    def __init__(self, models: str | Mapping[str, Any] | None = None, **options: Unpack[RouterOptions]) -> None:
        given: dict[str, Any] = dict(options)
        check_options(given, RouterOptions.__annotations__, "Router")
        self._init_hooks(
            *(given.get(key) for key in _HOOK_KEYS),
            hooks_raise=given.get("hooks_raise", True),
            hooks_concurrent=given.get("hooks_concurrent", True),
            hooks_timeout=given.get("hooks_timeout"),
        )
        if given.get("standalone_repos"):
            models = {**STANDALONE, **(models if isinstance(models, dict) else {})}
        self._registry = Registry(models)
        self._builder = self._make_builder(given)
        max_bytes = given.get("max_bytes")
        self._pool = Pool(
            _Owner(self),
            check_positive("max_loaded", given.get("max_loaded", 2)),
            None if max_bytes is None else check_positive("max_bytes", max_bytes),
        )
        self._default = self._registry.resolve(given.get("default", MULTILINGUAL))
        self._detector = given.get("detector") or Py3LangidDetector()
        self.lang_guess = given.get("lang_guess")
        self.auto_task_detection = bool(given.get("auto_task_detection", False))
        self._closed = False
        if given.get("preload"):
            self.preload()

    def _make_builder(self, given: dict[str, Any]) -> Builder:
        by_name = {
            option: {self._registry.resolve(name): value for name, value in (given.get(option) or {}).items()}
            for option in ("revisions", "sha256_digests")
        }
        return Builder(
            device=given.get("device"),
            token=given.get("token"),
            revision=(given.get("revision") or "").strip() or None,
            revisions=by_name["revisions"],
            digests=by_name["sha256_digests"],
            agent_kwargs=given.get("agent_kwargs") or {},
            factory=given.get("build"),
        )

    def __repr__(self) -> str:
        state = ", closed" if self._closed else ""
        return f"Router(loaded={self.loaded}, max_loaded={self.max_loaded}, default={self.default!r}{state})"

    # -- which checkpoints there are -----------------------------------------------------------------------------

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
        key = name.strip().lower() if isinstance(name, str) else name
        known = key in self._registry.sources or key in self._registry.aliases
        self._pool.attach(self._registry.resolve(name) if known else self._registry.add(name, None)[0], agent)
        return agent

    # -- what is in memory ---------------------------------------------------------------------------------------

    @property
    def loaded(self) -> list[str]:
        """Checkpoints in memory, least recently used first."""
        return self._pool.names

    @property
    def loaded_revisions(self) -> dict[str, str | None]:
        """Hub commit of each checkpoint in memory."""
        return {name: getattr(self._pool.peek(name), "revision", None) for name in self.loaded}

    @property
    def max_loaded(self) -> int:
        """Most checkpoints in memory besides attached ones."""
        return self._pool.max_loaded

    @max_loaded.setter
    def max_loaded(self, value: int) -> None:
        self._pool.max_loaded = check_positive("max_loaded", value)

    @property
    def max_bytes(self) -> int | None:
        """Most bytes of weights in memory besides attached checkpoints; None is no limit."""
        return self._pool.max_bytes

    @max_bytes.setter
    def max_bytes(self, value: int | None) -> None:
        self._pool.max_bytes = None if value is None else check_positive("max_bytes", value)

    def load(self, name: str) -> Any:
        """The agent of a checkpoint; built if it is not in memory.

        `on_evict` fires for what had to go, oldest first, then `on_load`. If `on_load` raises, the checkpoint stays.
        """
        return self._pool.load(self._registry.resolve(name))

    def preload(self, names: Iterable[str] | None = None) -> Self:
        """Load several checkpoints, by default all that have a source, raising `max_loaded` to hold them."""
        if names is None:
            wanted = [name for name, source in self._registry.sources.items() if source.location is not None]
        else:
            wanted = [self._registry.resolve(name) for name in names]
        self._pool.reserve(wanted)
        for name in wanted:
            self.load(name)
        return self

    def unload(self, name: str | None = None) -> None:
        """Free one checkpoint, or all; `on_evict` fires for each. Calls that use it finish first."""
        self._pool.unload(None if name is None else self._registry.resolve(name))

    def close(self) -> None:
        """Free everything. Later calls raise ClosedError. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    # -- which checkpoint answers --------------------------------------------------------------------------------

    def route(
        self, state: State | None, questions: Questions | None = None, **options: Unpack[RouteOptions]
    ) -> RouteDecision:
        """Decide which checkpoint answers, without loading it; `on_route` may change the decision.

        Raises:
            ArgumentError, ArgumentTypeError: a name, code or option is wrong.
            HookResultError: `on_route` left a decision without a known "model".
        """
        self._check_open()
        check_options(options, RouteOptions.__annotations__, "route")
        if questions is not None and not isinstance(questions, dict):
            raise ArgumentTypeError(f"questions must be a dict or None, got {type(questions).__name__}")
        policy = self._policy(explain=bool(options.get("explain", False)))
        request = check_route(state, questions, options, policy)
        dispatcher = self._hooks_of(options)
        return route_all([request], policy, dispatcher, self)[0].decision

    def route_batch(self, requests: Iterable[RouterRequest], **options: Unpack[RouteOptions]) -> list[RouteDecision]:
        """`route` for each request, after all of them were checked."""
        self._check_open()
        check_options(options, ("explain", "hooks", "hooks_raise", "hooks_timeout"), "route_batch")
        policy = self._policy(explain=bool(options.get("explain", False)))
        checked = [check_request(i, request, policy, None) for i, request in enumerate(check_batch(requests))]
        dispatcher = self._hooks_of(options)
        return [routed.decision for routed in route_all([c.route for c in checked], policy, dispatcher, self)]

    def _policy(self, *, explain: bool = False) -> Policy:
        return Policy(
            sources=self._registry.sources,
            resolve=self._registry.resolve,
            detect=lambda state: dict(analyse(state, self._detector, explain=explain)),
            default=self.default,
            lang_guess=self.lang_guess,
            auto_task_detection=self.auto_task_detection,
        )

    # -- answering -----------------------------------------------------------------------------------------------

    def predict(self, state: State, questions: Questions, **options: Unpack[PredictOptions]) -> Result:
        """Route one request and answer it: `predict_batch` of one.

        Args:
            state: what is judged.
            questions: question id to definition.
            options: see `laya.router.options.PredictOptions`.

        Returns:
            The result, with the decision under "routing".
        """
        check_options(options, PredictOptions.__annotations__, "predict")
        request = {key: value for key, value in options.items() if key not in HookOptions.__annotations__}
        return self._answer([{"state": state, "questions": questions, **request}], None, options)[0]

    system_one = predict

    def predict_batch(
        self,
        requests: Iterable[RouterRequest],
        batch_size: int | None = None,
        **options: Unpack[BatchOptions],
    ) -> list[Result]:
        """Route and answer many requests; those of one checkpoint with the same questions share forward passes.

        Args:
            requests: dicts with `state`, `questions` and the options of `predict`.
            batch_size: states tokenised and packed together.
            options: see `laya.router.options.BatchOptions`.

        Returns:
            Results in input order; with errors="return", exceptions in the places of requests that failed.

        Raises:
            ArgumentError, ArgumentTypeError, HookConfigError: a request (named by its index) or option is wrong; no
                hook has run.
            Exception: what the first failing checkpoint raised; requests of later checkpoints were not started.
        """
        check_options(options, BatchOptions.__annotations__, "predict_batch")
        return self._answer(requests, batch_size, options)

    predict_many = predict_batch

    async def apredict(self, state: State, questions: Questions, **options: Unpack[PredictOptions]) -> Result:
        """Await `predict` without blocking the event loop."""
        return await asyncio.to_thread(self.predict, state, questions, **options)

    async def apredict_batch(
        self,
        requests: Iterable[RouterRequest],
        batch_size: int | None = None,
        **options: Unpack[BatchOptions],
    ) -> list[Result]:
        """Await `predict_batch` without blocking the event loop."""
        return await asyncio.to_thread(self.predict_batch, requests, batch_size, **options)

    def _answer(self, requests: Any, batch_size: Any, options: Mapping[str, Any]) -> list[Any]:
        self._check_open()
        size = check_batch_size(batch_size)
        isolate = options.get("errors", "raise")
        if isolate not in {"raise", "return"}:
            raise ArgumentError(f"errors must be 'raise' or 'return', got {isolate!r}")
        gate = check_min_confidence(options.get("min_confidence"))
        dispatcher = self._hooks_of(options)
        policy = self._policy()
        checked: list[Checked | Exception] = []
        for index, request in enumerate(check_batch(requests)):
            try:
                checked.append(check_request(index, request, policy, gate))
            except Exception as exc:
                if isolate == "raise":
                    raise
                checked.append(exc)
        return run_batch(checked, policy, dispatcher, self._pool, self, batch_size=size, isolate=isolate == "return")

    def _hooks_of(self, options: Mapping[str, Any]) -> Dispatcher:
        return self._dispatcher(
            *(options.get(key) for key in _HOOK_KEYS),
            hooks_raise=options.get("hooks_raise"),
            hooks_timeout=options.get("hooks_timeout"),
        )

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"{self!r} is closed; make a new one")


class _Owner:
    """What the pool asks of its Router."""

    def __init__(self, router: Router) -> None:
        self._router = router

    def build(self, name: str) -> Any:
        return self._router._builder.build(name, self._router._registry.sources[name])

    def size(self, name: str) -> int:
        return self._router._builder.size(self._router._registry.sources[name])

    def announce(self, evicted: list[str], loaded: str | None, agent: Any) -> None:
        """Every event reaches every hook; the first failure is raised afterwards."""
        router = self._router
        dispatcher = router._dispatcher()
        if not dispatcher.hooks:
            return
        events = [("on_evict", PredictContext([], {}, model=name, router=router)) for name in evicted]
        if loaded is not None:
            events.append(("on_load", PredictContext([], {}, model=loaded, agent=agent, router=router)))
        dispatcher.fire_all(events)
