"""Router: picks the checkpoint of each request, and manages which checkpoints are in memory."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final, cast

from laya.calibration import check_min_confidence
from laya.errors import ArgumentError, ArgumentTypeError, ClosedError
from laya.hooks import HookRegistry, PredictContext
from laya.language import analyse
from laya.options import HookOptions, check_batch_size, check_long, check_options, check_positive
from laya.router.batch import Call, run_batch
from laya.router.builder import Builder
from laya.router.catalogue import Catalogue
from laya.router.causes import beside
from laya.router.names import MULTILINGUAL, STANDALONE
from laya.router.options import WINDOW_KEYS, BatchOptions, LongOptions, PredictOptions, RouteOptions, RouterOptions
from laya.router.policy import Policy
from laya.router.pool import Loads, Pool
from laya.router.registry import Registry
from laya.router.requests import check_request, check_requests, check_route
from laya.router.routing import route_one
from laya.structured import decide, decide_batch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from typing_extensions import Self, Unpack

    from laya.hooks.dispatch import Dispatcher
    from laya.router.decision import RouteDecision
    from laya.router.requests import Checked, RouterRequest
    from laya.types import Questions, Result, State

_HOOK_OPTIONS: Final = frozenset(HookOptions.__annotations__)
_HOOK_KEYS: Final = ("hooks", "on_predict_start", "on_predict_end")


class Router(Catalogue, HookRegistry):
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
        self._models, self._options = models, {key: given[key] for key in given if key not in _HOOK_KEYS}
        if given.get("standalone_repos"):
            models = {**STANDALONE, **(models if isinstance(models, dict) else {})}
        self._registry = Registry(models)
        self._builder = Builder.from_options(given, self._registry.resolve)
        max_bytes = given.get("max_bytes")
        self._pool = Pool(
            Loads(
                build=lambda name: self._builder.build(name, self._registry.source(name)),
                size=lambda name: self._builder.size(self._registry.source(name)),
                announce=self._announce,
            ),
            check_positive("max_loaded", given.get("max_loaded", 2)),
            None if max_bytes is None else check_positive("max_bytes", max_bytes, "or None"),
        )
        self._default = self._registry.resolve(given.get("default", MULTILINGUAL))
        self._detector = given.get("detector")
        self.lang_guess = given.get("lang_guess")
        self.auto_task_detection = bool(given.get("auto_task_detection", False))
        self._closed = False
        if given.get("preload"):
            self.preload()

    def __reduce__(self) -> tuple[Any, ...]:
        hooks = {
            "hooks": list(self._hooks),
            "hooks_raise": self.hooks_raise,
            "hooks_concurrent": self.hooks_concurrent,
            "hooks_timeout": self.hooks_timeout,
        }
        return _reopen, (self._models, {**self._options, **hooks})

    def __repr__(self) -> str:
        state = ", closed" if self._closed else ""
        return f"Router(loaded={self.loaded}, max_loaded={self.max_loaded}, default={self.default!r}{state})"

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
        self._pool.max_bytes = None if value is None else check_positive("max_bytes", value, "or None")

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

    def unload_idle(self, seconds: float) -> list[str]:
        """Free the checkpoints that no call has used for some time; `on_evict` fires for each. Attached ones stay.

        Returns:
            Their names.
        """
        return self._pool.unload_idle(seconds)

    def close(self) -> None:
        """Free everything. Later calls raise ClosedError. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        with beside(error):
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
        return route_one(request, policy, dispatcher, self).decision

    def checkpoint_for(self, request: RouterRequest) -> str:
        """The checkpoint that routing picks for a request, before any `on_route` hook. No hook runs, nothing is loaded.

        Raises:
            ArgumentError, ArgumentTypeError: something is wrong with the request.
        """
        policy = self._policy()
        return str(policy.decide(check_request(request, policy).route)["model"])

    def route_batch(self, requests: Iterable[RouterRequest], **options: Unpack[RouteOptions]) -> list[RouteDecision]:
        """`route` for each request, after all of them were checked."""
        self._check_open()
        check_options(options, ("explain", "hooks", "hooks_raise", "hooks_timeout"), "route_batch")
        policy = self._policy(explain=bool(options.get("explain", False)))
        checked = cast("list[Checked]", check_requests(requests, policy))
        dispatcher = self._hooks_of(options)
        return [route_one(request.route, policy, dispatcher, self).decision for request in checked]

    def _policy(self, *, explain: bool = False) -> Policy:
        return Policy(
            registry=self._registry,
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
        return self._answer_one(state, questions, options, "predict")

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
        self._check_open()
        check_options(options, BatchOptions.__annotations__, "predict_batch")
        errors = options.get("errors", "raise")
        if errors not in {"raise", "return"}:
            raise ArgumentError(f"errors must be 'raise' or 'return', got {errors!r}")
        gate = check_min_confidence(options.get("min_confidence"))
        call = Call(check_batch_size(batch_size), self._hooks_of(options), isolate=errors == "return", numbered=True)
        policy = self._policy()
        checked = check_requests(requests, policy, gate, keep_errors=call.isolate, labels=options.get("labels"))
        return run_batch(checked, policy, call, self._pool, self)

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

    def predict_long(self, state: State, questions: Questions, **options: Unpack[LongOptions]) -> Result:
        """Route one document of any length and answer it in windows; see `Agent.predict_long`.

        Args:
            state: the document.
            questions: question id to definition.
            options: see `laya.router.options.LongOptions`.
        """
        check_options(options, LongOptions.__annotations__, "predict_long")
        _, windows = check_long({key: options[key] for key in WINDOW_KEYS if key in options})
        rest = {key: value for key, value in options.items() if key not in WINDOW_KEYS}
        return self._answer_one(
            state, questions, rest, "predict_long", windows=asdict(windows), batch_size=options.get("batch_size")
        )

    def decide(self, state: State, schema: Any = None, **options: Any) -> Any:
        """Fill a JSON Schema or pydantic model from a state; see `laya.structured.decide`."""
        return decide(self, state, schema, **options)

    def decide_batch(self, states: Iterable[State], schema: Any = None, **options: Any) -> list[Any]:
        """Fill a JSON Schema or pydantic model from each state; see `laya.structured.decide_batch`."""
        decided: list[Any] = decide_batch(self, list(states), schema, **options)
        return decided

    def _answer_one(
        self,
        state: Any,
        questions: Any,
        options: Mapping[str, Any],
        what: str,
        *,
        windows: dict[str, Any] | None = None,
        batch_size: Any = None,
    ) -> Result:
        self._check_open()
        check_options(options, PredictOptions.__annotations__, what)
        request = {"state": state, "questions": questions}
        request.update((key, value) for key, value in options.items() if key not in _HOOK_OPTIONS)
        policy = self._policy()
        checked = check_request(request, policy)
        call = Call(check_batch_size(batch_size), self._hooks_of(options), windows=windows)
        answered: Result = run_batch([checked], policy, call, self._pool, self)[0]
        return answered

    def _announce(self, evicted: list[str], loaded: str | None, agent: Any) -> None:
        """Fire the events of a change of residency on the installed hooks; every event reaches every hook."""
        dispatcher = self._dispatcher()
        events = [("on_evict", PredictContext([], {}, model=name, router=self)) for name in evicted]
        if loaded is not None:
            events.append(("on_load", PredictContext([], {}, model=loaded, agent=agent, router=self)))
        dispatcher.fire_all(events)

    def _hooks_of(self, options: Mapping[str, Any]) -> Dispatcher:
        get = options.get
        return self._dispatcher(
            get("hooks"),
            get("on_predict_start"),
            get("on_predict_end"),
            hooks_raise=get("hooks_raise"),
            hooks_timeout=get("hooks_timeout"),
        )

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"{self!r} is closed; make a new one")


def _reopen(models: Any, options: dict[str, Any]) -> Router:
    """A Router as it was made, with the hooks it had: what was registered, attached or loaded since does not travel."""
    return Router(models, **options)
