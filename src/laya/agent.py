"""Agent: one checkpoint, ready to answer."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from laya.calibration import apply_confidence_gate, read_calibration, write_calibration
from laya.calibration.files import Identity
from laya.calibration.temperature import parse_language_overrides
from laya.engine import WINDOW, CallSettings, run
from laya.errors import ArgumentTypeError, ClosedError, StateTypeError
from laya.hooks import HookRegistry, PredictContext
from laya.hooks.lifecycle import run as run_lifecycle
from laya.loading import Loaded, open_model
from laya.options import AgentOptions, as_states, check_batch_size, check_call, check_options, drop_torch_options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from typing_extensions import Self, Unpack

    from laya.calibration import BinningMap
    from laya.decode import Calibration
    from laya.engine import Model
    from laya.options import CallOptions
    from laya.types import Questions, Result, State


class Agent(HookRegistry):
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
        self._closed = False
        self._loaded = self._open(model_id_or_path, given)
        self._model: Model = self._loaded.model
        temperatures = self._loaded.calibration.temperatures
        temperatures.warn_if_replaced("this checkpoint ships")
        self._calibration: Calibration = replace(
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

    # -- facts ---------------------------------------------------------------------------------------------------

    @property
    def model_id(self) -> str:
        """Name of the checkpoint: what was asked for, or "embedded/english"."""
        return self._model.name

    model_id_or_path = model_id

    @property
    def cfg(self) -> dict[str, Any]:
        """The checkpoint's configuration as read from disk."""
        return dict(self._loaded.config)

    @property
    def subfolder(self) -> str | None:
        """Folder inside a bundle repository, if one was named."""
        return self._loaded.subfolder

    @property
    def revision(self) -> str | None:
        """Commit that a hub checkpoint was resolved to."""
        return self._loaded.revision

    @property
    def device(self) -> str:
        """Where the forward pass runs."""
        return self._model.runtime.capabilities.device

    @property
    def runtime(self) -> str:
        """Name of the engine that runs the forward pass."""
        return self._model.runtime.capabilities.name

    @property
    def precision(self) -> str:
        """Arithmetic of the forward pass: "fp32", "bf16" or "int8"."""
        return self._model.runtime.capabilities.precision

    @property
    def temperature(self) -> list[float]:
        """Applied temperatures of choice, score and noul."""
        return self._calibration.temperatures.by_type

    @property
    def temperature_raw(self) -> list[Any]:
        """The same as they were given, before limits were applied."""
        return list(self._calibration.temperatures.by_type_raw)

    @property
    def temperature_by_options(self) -> dict[str, float]:
        """Applied temperatures of buckets such as "choice:3-5"."""
        return self._calibration.temperatures.by_options

    @property
    def temperature_by_options_raw(self) -> dict[str, Any]:
        """The same as they were given, before limits were applied."""
        return dict(self._calibration.temperatures.by_options_raw)

    @property
    def lang_temperatures(self) -> dict[str, dict[str, Any]]:
        """Applied temperature overrides by language."""
        return {
            lang: {"temperature": entry.by_type, "temperature_by_options": entry.by_options}
            for lang, entry in self._calibration.languages.items()
        }

    @property
    def binning_map(self) -> BinningMap | None:
        """Histogram binning of a loaded calibration."""
        return self._calibration.binning

    @property
    def fingerprint(self) -> str:
        """SHA-256 over the weights, the precision and the calibration: equal fingerprints give equal answers."""
        calibration = self._calibration
        parts = {
            "checkpoint": self._loaded.digest(),
            "runtime": [self.runtime, self.precision],
            "temperature": [repr(value) for value in calibration.temperatures.by_type],
            "by_options": calibration.temperatures.by_options,
            "languages": self.lang_temperatures,
            "binning": calibration.binning.to_json() if calibration.binning else None,
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def __repr__(self) -> str:
        state = ", closed" if self._closed else ""
        return (
            f"{type(self).__name__}({self.model_id!r}, runtime={self.runtime!r}, device={self.device!r}, "
            f"precision={self.precision!r}{state})"
        )

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
    ) -> list[Result]:
        if self._closed:
            raise ClosedError(f"{self!r} is closed; load it again to predict")
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
            lambda calls: self._infer(calls, settings),
            finish=lambda call: apply_confidence_gate(call.results or (), gate),
        )
        return ctx.results  # type: ignore[return-value]  # the lifecycle has checked that there is one per state

    def _infer(self, calls: Sequence[PredictContext], settings: CallSettings) -> None:
        for ctx in calls:
            if not isinstance(ctx.states, (list, tuple)):
                raise StateTypeError(
                    f"predict_batch expects a list of states, got {type(ctx.states).__name__}; "
                    "pass a single state to predict()/system_one()."
                )
            budgets = replace(settings, max_len=ctx.max_len, head_max_len=ctx.head_max_len)
            ctx.results = run(self._model, ctx.states, ctx.questions, self._calibration, budgets)

    # -- operation -----------------------------------------------------------------------------------------------

    def warmup(self, lengths: Sequence[int] = (16, 64)) -> float:
        """Run one forward per state length (in words), without hooks, so that the first real call is not the slowest.

        Returns:
            Seconds spent.
        """
        if self._closed:
            raise ClosedError(f"{self!r} is closed; load it again to warm it up")
        question = {"warmup": {"type": "noul", "instructions": "Is this a test?"}}
        start = time.perf_counter()
        for words in lengths:
            run(self._model, ["word " * words], question, self._calibration, CallSettings())
        return time.perf_counter() - start

    def load_calibration(self, path: str | Path) -> None:
        """Replace the temperatures and the binning by those of a calibration file.

        Warns:
            UserWarning: it was fitted for another checkpoint.

        Raises:
            CalibrationError: the file is missing or corrupt; the calibration in use stays.
        """
        temperatures, binning = read_calibration(path, self._identity())
        self._calibration = replace(self._calibration, temperatures=temperatures, binning=binning)

    def save_calibration(self, path: str | Path) -> None:
        """Write the temperatures and the binning in use to a file, whole or not at all.

        Raises:
            CalibrationError: the folder does not exist.
        """
        write_calibration(path, self._calibration.temperatures, self._calibration.binning, self._identity())

    def _identity(self) -> Identity:
        return Identity(self.model_id, self.subfolder, self._loaded.config)

    def close(self) -> None:
        """Free the weights. Calls in flight finish; later ones raise ClosedError. Safe to call twice."""
        self._closed = True
        self._model.runtime.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()
