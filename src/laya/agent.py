"""Agent: one checkpoint, ready to answer."""

from __future__ import annotations

import asyncio
import itertools
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laya.calibration import ConformalSets, apply_confidence_gate
from laya.calibration.temperature import parse_language_overrides
from laya.encoding import ReaderLayout
from laya.engine import WINDOW, CallSettings, logits, run
from laya.errors import ArgumentError, ArgumentTypeError, ClosedError, StateTypeError
from laya.facts import CheckpointFacts
from laya.hooks import HookRegistry, PredictContext
from laya.hooks.lifecycle import run as run_lifecycle
from laya.loading import Loaded, open_model
from laya.options import (
    AgentOptions,
    as_states,
    check_batch_size,
    check_call,
    check_long,
    check_options,
    drop_torch_options,
)
from laya.plan import plan_model
from laya.scan import run_long
from laya.structured import decide, decide_batch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from typing_extensions import Self, Unpack

    from laya.decode import Calibration
    from laya.options import CallOptions, LongOptions
    from laya.plan import Plan
    from laya.request import FloatArray
    from laya.types import Questions, Result, State

    Infer = Callable[[PredictContext, CallSettings], list[Result]]


class Agent(CheckpointFacts, HookRegistry):
    """Answers typed questions about states with one checkpoint. Safe to call from many threads.

    Args:
        model_id_or_path: checkpoint directory or hub id; None is the checkpoint inside the package; a `Loaded` model is
            taken as it is.
        options: see `laya.options.AgentOptions`.

    Attributes:
        model_id: what was loaded, and the `model` of every result.
        cfg: the checkpoint's `rl_agent_config.json` as read.
        hooks: installed hooks, in order.

    Raises:
        CheckpointNotFoundError, CheckpointError, DigestError: the checkpoint cannot be loaded.
        ArgumentError, ArgumentTypeError, HookConfigError: an option cannot work; checked before anything is read.
    """

    def __init__(self, model_id_or_path: str | Path | Loaded | None = None, **options: Unpack[AgentOptions]) -> None:
        given = drop_torch_options(dict(options))
        check_options(given, AgentOptions.__annotations__, type(self).__name__)
        self._init_hooks(
            given.pop("hooks", None),
            given.pop("on_predict_start", None),
            given.pop("on_predict_end", None),
            hooks_raise=given.pop("hooks_raise", True),
            hooks_concurrent=given.pop("hooks_concurrent", True),
            hooks_timeout=given.pop("hooks_timeout", None),
        )
        calibration, languages = given.pop("calibration", None), given.pop("lang_temperatures", None)
        self._source, self._options = model_id_or_path, dict(given)
        self._closed = False
        self._loaded = self._open(model_id_or_path, given)
        self._model = self._loaded.model
        temperatures = self._loaded.calibration.temperatures
        temperatures.warn_if_replaced("this checkpoint ships")
        self._calibration = replace(
            self._loaded.calibration, languages=parse_language_overrides(languages, temperatures)
        )
        if calibration is not None:
            self.load_calibration(calibration)

    def _open(self, source: str | Path | Loaded | None, given: dict[str, Any]) -> Loaded:
        if not isinstance(source, Loaded):
            return open_model(source, **given)
        if given:
            raise ArgumentTypeError(f"a model that is already open takes no {', '.join(given)}")
        return source

    def __reduce__(self) -> tuple[Any, ...]:
        if isinstance(self._source, Loaded):
            raise ArgumentTypeError(f"{self!r} was made from an open model; only a folder or id travels")
        hooks = {
            "hooks": list(self._hooks),
            "hooks_raise": self.hooks_raise,
            "hooks_concurrent": self.hooks_concurrent,
            "hooks_timeout": self.hooks_timeout,
        }
        return _reopen, (type(self), self._sources(), {**self._options, **hooks}, self._calibration)

    def _sources(self) -> tuple[Any, ...]:
        """The positional arguments that open this checkpoint again."""
        return (self._source,)

    def __repr__(self) -> str:
        state = ", closed" if self._closed else ""
        return (
            f"{type(self).__name__}({self.model_id!r}, runtime={self.runtime!r}, device={self.device!r}, "
            f"precision={self.precision!r}{state})"
        )

    @property
    def abstention(self) -> dict[str, float]:
        """Confidence thresholds that the checkpoint was shipped with, usable as `min_confidence`; {} for none."""
        return dict(self._loaded.config.get("abstention") or {})

    @property
    def conformal(self) -> ConformalSets | None:
        """Prediction sets that the checkpoint was shipped with, None for none.

        Raises:
            CalibrationError: the checkpoint's entry is damaged.
        """
        stored = self._loaded.config.get("conformal")
        return None if stored is None else ConformalSets.from_json(stored)

    # -- answering -----------------------------------------------------------------------------------------------

    def predict_batch(
        self,
        states: Iterable[State],
        questions: Questions,
        batch_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> list[Result]:
        """Answer every question about every state.

        Args:
            states: a list, or any ordered iterable, of texts, JSON values or conversations.
            questions: question id to definition; {} gives an empty result per state.
            batch_size: states that are tokenised and packed together; None packs by tokens over a wide window.
            options: see `laya.options.CallOptions`.

        Returns:
            One result per state, in input order (`laya.types.Result`).

        Raises:
            ArgumentError, ArgumentTypeError, HookConfigError: an option is wrong; no hook has run.
            QuestionError, StateError, BudgetError, TruncationError, ForwardError: see `laya.errors`.
            Exception: whatever a hook raised, under the strict policy.
        """
        return self._answer(as_states(states), questions, batch_size, dict(options), "predict_batch")

    def system_one(self, state: State, questions: Questions, **options: Unpack[CallOptions]) -> Result:
        """Answer every question about one state: `predict_batch` of one."""
        return self._answer([state], questions, None, dict(options), "predict")[0]

    predict = system_one

    def predict_batch_within(
        self,
        parent: PredictContext,
        states: Iterable[State],
        questions: Questions,
        batch_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> list[Result]:
        """`predict_batch` inside another call, such as a Router's.

        Its hooks see the `run_id` of that call as `parent_run_id` and its `request_id`; process-wide hooks, which that
        call has run, do not run again.
        """
        given = {"request_id": parent.request_id, **options}
        return self._answer(as_states(states), questions, batch_size, given, "predict_batch", parent=parent)

    def predict_iter(
        self,
        states: Iterable[State],
        questions: Questions,
        batch_size: int = WINDOW,
        **options: Unpack[CallOptions],
    ) -> Iterator[Result]:
        """Answer a stream of any length, holding `batch_size` states at a time; each such batch is one call.

        Raises:
            ArgumentError, ArgumentTypeError: an option is wrong; raised at once, not at the first result.
        """
        check_call(batch_size, options, "predict_iter")
        check_batch_size(batch_size)
        return self._stream(iter(states), questions, batch_size, options)

    def _stream(
        self, states: Iterator[State], questions: Questions, batch_size: int, options: CallOptions
    ) -> Iterator[Result]:
        while chunk := list(itertools.islice(states, batch_size)):
            yield from self.predict_batch(chunk, questions, **options)

    def predict_long(self, state: State, questions: Questions, **options: Unpack[LongOptions]) -> Result:
        """Answer questions about one document of any length, read in overlapping windows.

        A yes/no question is answered by the window where it most probably holds, a choice or score by the window that
        is surest; `answer["window"]` says where that is. Hooks see the document as the one state.

        Args:
            state: the document.
            questions: question id to definition.
            options: see `laya.options.LongOptions`.

        Raises:
            ArgumentError: a window option is wrong, or the document would take more than `max_windows` windows.
            BudgetError: the questions leave no room for the document.
        """
        return self._scan(state, questions, dict(options), None)

    def predict_long_within(
        self, parent: PredictContext, state: State, questions: Questions, **options: Unpack[LongOptions]
    ) -> Result:
        """`predict_long` inside another call; see `predict_batch_within`."""
        return self._scan(state, questions, {"request_id": parent.request_id, **options}, parent)

    def _scan(self, state: Any, questions: Any, options: dict[str, Any], parent: PredictContext | None) -> Result:
        rest, windows = check_long(options)

        def scan(ctx: PredictContext, settings: CallSettings) -> list[Result]:
            (document,) = ctx.states
            return [run_long(self._model, document, ctx.questions, self._calibration, settings, options=windows)]

        size = options.get("batch_size")
        return self._answer([state], questions, size, rest, "predict_long", parent=parent, infer=scan)[0]

    def logits(self, states: Iterable[State], questions: Questions) -> list[dict[Any, list[float]]]:
        """Raw logits, for fitting calibrations: before any temperature, at the checkpoint's own budgets, no hooks.

        Returns:
            For each state, question id to one logit per option, in the order of the criteria.
        """
        self._check_open()
        return logits(self._model, list(states), questions, CallSettings())

    def plan(
        self, state: State, questions: Questions, *, max_len: int | None = None, head_max_len: int | None = None
    ) -> Plan:
        """What `predict` would cost and cut: no forward pass, no hooks; see `laya.plan.plan`."""
        self._check_open()
        return plan_model(self._model, state, questions, max_len=max_len, head_max_len=head_max_len)

    def embed(self, texts: Sequence[str]) -> FloatArray:
        """Unit vectors [n, D] of texts, from a checkpoint of the reader layout such as the embedded one.

        Raises:
            ArgumentError: this checkpoint reads questions and states together and has no text vectors.
        """
        self._check_open()
        if not isinstance(self._model.layout, ReaderLayout):
            raise ArgumentError(
                f"{self.model_id!r} reads questions and states together and has no text vectors; "
                "use a checkpoint of the reader layout, such as laya.load()"
            )
        return self._model.layout.embed(list(texts), self._model.max_len)

    def decide(self, state: State, schema: Any = None, **options: Any) -> Any:
        """Fill a JSON Schema or pydantic model from a state; see `laya.structured.decide`."""
        decided: Any = decide(self, state, schema, **options)
        return decided

    def decide_batch(self, states: Iterable[State], schema: Any = None, **options: Any) -> list[Any]:
        """Fill a JSON Schema or pydantic model from each state; see `laya.structured.decide_batch`."""
        decided: list[Any] = decide_batch(self, list(states), schema, **options)
        return decided

    async def apredict(self, state: State, questions: Questions, **options: Unpack[CallOptions]) -> Result:
        """Await `predict` without blocking the event loop; context variables of the caller are visible to hooks."""
        return await asyncio.to_thread(self.system_one, state, questions, **options)

    async def apredict_batch(
        self,
        states: Iterable[State],
        questions: Questions,
        batch_size: int | None = None,
        **options: Unpack[CallOptions],
    ) -> list[Result]:
        """Await `predict_batch` without blocking the event loop."""
        return await asyncio.to_thread(self.predict_batch, states, questions, batch_size, **options)

    def _answer(
        self,
        states: Any,
        questions: Any,
        batch_size: Any,
        options: dict[str, Any],
        what: str,
        *,
        parent: PredictContext | None = None,
        infer: Infer | None = None,
    ) -> list[Result]:
        self._check_open()
        settings, gate = check_call(batch_size, options, what)
        self._model.budget(settings.max_len, settings.head_max_len)
        dispatcher = self._dispatcher(
            options.get("hooks"),
            options.get("on_predict_start"),
            options.get("on_predict_end"),
            hooks_raise=options.get("hooks_raise"),
            hooks_timeout=options.get("hooks_timeout"),
            use_defaults=parent is None,
        )
        ctx = PredictContext(
            states,
            questions,
            model=self.model_id,
            agent=self,
            max_len=settings.max_len,
            head_max_len=settings.head_max_len,
            parent_run_id=parent.run_id if parent is not None and dispatcher.hooks else None,
            request_id=options.get("request_id"),
            lang=settings.lang,
            truncation=settings.truncation,
        )
        run_lifecycle(
            [ctx],
            dispatcher,
            lambda calls: self._infer(calls, settings, infer or self._run),
            finish=lambda call: apply_confidence_gate(call.results or (), gate),
        )
        return ctx.results  # type: ignore[return-value]  # the lifecycle has checked that there is one per state

    def _infer(self, calls: Sequence[PredictContext], settings: CallSettings, infer: Infer) -> None:
        for ctx in calls:
            if not isinstance(ctx.states, (list, tuple)):
                raise StateTypeError(
                    f"predict_batch expects a list of states, got {type(ctx.states).__name__}; "
                    "pass a single state to predict()/system_one()."
                )
            ctx.results = infer(ctx, replace(settings, max_len=ctx.max_len, head_max_len=ctx.head_max_len))

    def _run(self, ctx: PredictContext, settings: CallSettings) -> list[Result]:
        return run(self._model, ctx.states, ctx.questions, self._calibration, settings)

    def _check_open(self) -> None:
        if self._closed:
            raise ClosedError(f"{self!r} is closed; load it again")

    # -- operation -----------------------------------------------------------------------------------------------

    def warmup(self, lengths: Sequence[int] = (16, 64)) -> float:
        """Run one forward per state length (in words), without hooks, so that the first real call is not the slowest.

        Returns:
            Seconds spent.
        """
        self._check_open()
        question = {"warmup": {"type": "noul", "instructions": "Is this a test?"}}
        start = time.perf_counter()
        for words in lengths:
            run(self._model, ["word " * words], question, self._calibration, CallSettings())
        return time.perf_counter() - start

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later ones raise ClosedError. Safe to call twice."""
        self._closed = True
        self._model.runtime.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def _reopen(cls: type[Agent], sources: tuple[Any, ...], options: dict[str, Any], calibration: Calibration) -> Agent:
    """Load an agent in another process as it was configured here, weights from disk."""
    agent = cls(*sources, **options)
    agent._calibration = calibration
    return agent
