"""What commands ask, and whom: questions and states from arguments, an agent or a Router to answer them."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

import laya
from laya.cli.console import standard_input
from laya.cli.questions_file import QuestionSet, read_json_file, read_questions
from laya.errors import ArgumentError, LayaError
from laya.presets import preset, state_field

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

DEFAULT_PRESET: Final = "triage"
_STANDARD_INPUT: Final = Path("-")
_CATALOGUES: Final = ("embedded", "hub")


@dataclass(frozen=True, slots=True)
class Whom:
    """Which checkpoint answers. `models` not None means a Router."""

    model: str | None = None
    models: str | None = None
    task: str | None = None
    calibration: Path | None = None


@dataclass(frozen=True, slots=True)
class How:
    """Options of every call."""

    max_len: int | None = None
    head_max_len: int | None = None
    min_confidence: float | None = None
    lang: str | None = None
    truncation: str = "allow"

    def call(self) -> dict[str, Any]:
        """The options that were given, as keyword arguments of `predict`."""
        truncation = "error" if self.truncation == "error" else None
        given = {
            "max_len": self.max_len,
            "head_max_len": self.head_max_len,
            "min_confidence": self.min_confidence,
            "lang": self.lang,
            "truncation": truncation,
        }
        return {name: value for name, value in given.items() if value is not None}


class Answerer(Protocol):
    """Answers states that share questions."""

    def one(self, state: Any, questions: Mapping[Any, Any]) -> Mapping[str, Any]:
        """The result for one state."""

    def many(self, states: list[Any], questions: Mapping[Any, Any]) -> Sequence[Mapping[str, Any] | Exception]:
        """A result for each state, or the error in its place."""


@contextlib.contextmanager
def open_answerer(whom: Whom, how: How) -> Iterator[Answerer]:
    """Load what was asked for, and free it at the end.

    Raises:
        ArgumentError: the options do not go together.
    """
    if whom.models is None:
        if whom.task is not None:
            raise ArgumentError(f"--task {whom.task} chooses among several checkpoints; pass --models too")
        with contextlib.closing(load_agent(whom.model, whom.calibration)) as agent:
            yield _OneAgent(agent, how)
        return
    if whom.calibration is not None:
        raise ArgumentError("--calibration belongs to one checkpoint and --models to several; pass one of them")
    with open_router(whom.models) as router:
        yield _ByRoute(router, how, {"model": whom.model, "task": whom.task})


def load_agent(model: str | None, calibration: Path | None = None) -> Any:
    """The agent of a checkpoint, with a calibration if one is given."""
    from laya.inventory import model_argument  # noqa: PLC0415 - loads numpy

    name = model_argument(model)
    return laya.load(name) if calibration is None else laya.load(name, calibration=calibration)


@contextlib.contextmanager
def open_router(models: str) -> Iterator[Any]:
    """A Router over "embedded", "hub" or the sources in a JSON file.

    Raises:
        ArgumentError: the file cannot be used.
    """
    sources: Any = models
    if models not in _CATALOGUES:
        path = Path(models)
        sources = read_json_file(path, "models")
        if not isinstance(sources, dict) or not sources:
            raise ArgumentError(f"models file {models!r} must hold an object of name to source", path=models)
    with laya.Router(sources) as router:
        yield router


def asked_questions(preset_name: str | None, path: Path | None) -> QuestionSet:
    """The questions of `--preset` and `--questions`.

    Raises:
        ArgumentError: both are given, or the one that is cannot be used.
    """
    if path is None:
        asked = preset(DEFAULT_PRESET if preset_name is None else preset_name)
        return QuestionSet(asked, state_field(asked))
    if preset_name is not None:
        raise ArgumentError(f"--preset {preset_name} and --questions {path} exclude each other; pass one of them")
    return read_questions(path)


def asked_state(words: Sequence[str] | None, state_file: Path | None, questions: QuestionSet | None) -> Any:
    """The state of a command: its text under the key of the questions, or the content of `--state`.

    Raises:
        ArgumentError: there is no text, or the file cannot be used.
    """
    if state_file is not None:
        if words:
            raise ArgumentError(f"--state {state_file} and a text exclude each other; pass one of them")
        if state_file == _STANDARD_INPUT:
            return _json_state(standard_input())
        return read_json_file(state_file, "state")
    text = " ".join(words) if words else standard_input()
    if not text.strip():
        raise ArgumentError('no text given; run: laya "your text" --preset triage, or pipe text into laya')
    return text if questions is None else questions.state_of(text)


def _json_state(text: str) -> Any:
    from laya.batch.strict import parse_json  # noqa: PLC0415 - needed for piped JSON alone

    try:
        return parse_json(text)
    except ValueError as exc:
        raise ArgumentError(f"standard input {exc}") from exc


class _OneAgent:
    """One checkpoint."""

    def __init__(self, agent: Any, how: How) -> None:
        self._agent = agent
        self._options = how.call()
        self._scan = how.truncation == "scan"

    def one(self, state: Any, questions: Mapping[Any, Any]) -> Any:
        ask = self._agent.predict_long if self._scan else self._agent.predict
        return ask(state, questions, **self._options)

    def many(self, states: list[Any], questions: Mapping[Any, Any]) -> list[Any]:
        try:
            if self._scan and len(states) > 1:
                return [self.many([state], questions)[0] for state in states]
            if self._scan:
                return [self.one(states[0], questions)]
            return list(self._agent.predict_batch(states, questions, **self._options))
        except LayaError as exc:
            if len(states) == 1:
                return [exc]
            half = len(states) // 2
            return [*self.many(states[:half], questions), *self.many(states[half:], questions)]


class _ByRoute:
    """Several checkpoints behind a Router."""

    def __init__(self, router: Any, how: How, route: Mapping[str, str | None]) -> None:
        self._router = router
        self._scan = how.truncation == "scan"
        self._options = {**how.call(), **{name: value for name, value in route.items() if value is not None}}

    def one(self, state: Any, questions: Mapping[Any, Any]) -> Any:
        ask = self._router.predict_long if self._scan else self._router.predict
        return ask(state, questions, **self._options)

    def many(self, states: list[Any], questions: Mapping[Any, Any]) -> list[Any]:
        if self._scan:
            return [self._scanned(state, questions) for state in states]
        requests = [{"state": state, "questions": questions, **self._options} for state in states]
        return list(self._router.predict_batch(requests, errors="return"))

    def _scanned(self, state: Any, questions: Mapping[Any, Any]) -> Any:
        try:
            return self.one(state, questions)
        except LayaError as exc:
            return exc
