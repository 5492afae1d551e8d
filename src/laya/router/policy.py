"""The routing rules: pure functions from a request to a decision.

Rules are tried in order and the first that answers wins: model, task, workflow, lang, lang_guess of the call,
lang_guess of the Router, detection, default. Each has a stable `reason_code`, listed in `REASONS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laya.language.codes import language_code
from laya.router.decision import RouteDecision
from laya.router.names import ENGLISH, MULTILINGUAL, TYPED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from laya.router.registry import Registry

Pick = tuple[str, str, str]
"""Name of the checkpoint, reason, reason code."""

REASONS: Final[Mapping[str, str]] = {
    "explicit_model": "the caller named the checkpoint",
    "explicit_task": "the caller named the task",
    "workflow": "the question ids are those of a typed workflow, and auto_task_detection is on",
    "explicit_lang": "the caller named the language",
    "lang_guess": "lang_guess of the call named the language",
    "router_lang_guess": "lang_guess of the Router named the language",
    "no_letters": "nothing in the state is a letter; the default answers",
    "non_latin_script": "the letters are not Latin",
    "foreign_script_segment": "a part of the state is in a script that is not Latin",
    "foreign_language": "the text reads as a language other than English",
    "foreign_unnamed": "the text reads as foreign, though which language is not clear",
    "foreign_segment": "a line, field or clause reads as a language other than English",
    "undecided": "the language is not clear; the default answers",
    "english": "the text reads as English",
    "on_route": "an on_route hook decided, and gave no reason of its own",
}
"""Every reason code, and what it means."""

WORKFLOWS: Final[Mapping[str, frozenset[str]]] = {
    "agent_trace_observability": frozenset({"action", "needs_review", "outcome", "risk", "urgency"}),
    "customer_service": frozenset({"action", "category", "churn_risk", "needs_human", "urgency"}),
    "invoice_processing": frozenset({"discrepancy_severity", "disposition", "duplicate", "matches_order", "urgency"}),
    "security_incidents": frozenset({"credential_compromise", "disposition", "severity", "true_positive", "urgency"}),
}
"""Question ids of the workflows that the typed-decisions checkpoint was made for."""

_FALLS_TO_DEFAULT: Final = frozenset({"no_letters", "undecided"})


@dataclass(frozen=True, slots=True)
class Request:
    """What routing looks at."""

    state: Any
    questions: Mapping[Any, Any] | None = None
    model: Any = None
    task: Any = None
    lang: Any = None
    lang_guess: Any = None


@dataclass(frozen=True, slots=True)
class Policy:
    """The settings that routing depends on.

    Attributes:
        registry: known checkpoints by name; those that declare languages take part in automatic routing.
        detect: language detection of a state.
        default: checkpoint for what detection cannot decide.
        lang_guess: language code, or function of the state, for every request.
        auto_task_detection: send known workflows to the typed-decisions checkpoint.
    """

    registry: Registry
    detect: Callable[[Any], dict[str, Any]]
    default: str
    lang_guess: Any = None
    auto_task_detection: bool = False

    def decide(self, request: Request) -> RouteDecision:
        """Route one request.

        Raises:
            ArgumentError: a name or a language code is unknown.
        """
        workflow = workflow_of(request.questions)
        detection: dict[str, Any] | None = None
        pick = next(self._without_detection(request, workflow), None)
        if pick is None:
            detection = self.detect(request.state)
            pick = self._by_detection(detection)
        name, reason, code = pick
        explicit = code in {"explicit_model", "explicit_task"}
        return RouteDecision(
            model=name,
            repo=self.registry.source(name).repo,
            reason=reason,
            reason_code=code,
            detection=detection,
            workflow=None if explicit else workflow,
        )

    def _without_detection(self, request: Request, workflow: str | None) -> Iterator[Pick]:
        if request.model is not None:
            yield self.registry.resolve(request.model), f"explicit model={request.model!r}", "explicit_model"
        if request.task is not None:
            yield self.resolve_task(request.task), f"explicit task={request.task!r}", "explicit_task"
        if workflow is not None and self.auto_task_detection:
            yield TYPED, f"question ids match the {workflow!r} typed-decisions workflow", "workflow"
        lang = language_code(request.lang)
        if lang is not None:
            yield self.for_language(lang), f"explicit lang={request.lang!r}", "explicit_lang"
        guesses = (
            (request.lang_guess, "lang_guess", "lang_guess"),
            (self.lang_guess, "Router(lang_guess=...)", "router_lang_guess"),
        )
        for guess, who, code in guesses:
            lang = language_code(guess(request.state) if callable(guess) else guess)
            if lang is not None:
                kind = "English" if lang == "en" else "non-English"
                yield self.for_language(lang), f"{who}: the caller identified this as {kind} text", code

    def resolve_task(self, task: Any) -> str:
        """Checkpoint of a task: the typed-decisions one for its own name, else the checkpoint of that name."""
        is_typed = isinstance(task, str) and task.strip().lower().replace("_", "-") == TYPED
        return TYPED if is_typed else self.registry.resolve(task)

    def for_language(self, lang: str | None) -> str:
        """The checkpoint for a language: one that declares it, else English for English and multilingual for the rest.

        The checkpoint registered last wins among those that declare the same language.
        """
        declared = [name for name, source in self.registry.sources.items() if lang in source.languages]
        if declared:
            return declared[-1]
        return ENGLISH if lang == "en" else MULTILINGUAL

    def _by_detection(self, detection: Mapping[str, Any]) -> Pick:
        code = detection["reason_code"]
        if code in _FALLS_TO_DEFAULT:
            what = "no letters detected in state" if code == "no_letters" else "language not identified"
            return self.default, f"{what}; using default ({self.default})", code
        name = self.for_language("en" if code == "english" else detection["language"])
        return name, _sentence(code, detection), code


def _sentence(code: str, detection: Mapping[str, Any]) -> str:
    if code == "english":
        return "English Latin text"
    script, language = detection["script"], detection["language"]
    segment = (detection.get("mixed_segment") or "")[:60]
    sentences = {
        "non_latin_script": f"non-Latin script ({script}, {detection['non_latin_fraction']:.0%} of letters); "
        "the English checkpoint cannot read it",
        "foreign_script_segment": f"a part of the state is not in Latin script ({segment!r}); "
        "the English checkpoint cannot read it",
        "foreign_language": f"Latin script but language looks like {language!r}, not English",
        "foreign_unnamed": "Latin script, language not identified but foreign; not safe for the English checkpoint",
        "foreign_segment": f"mostly English, but a line or field reads as {language!r} ({segment!r}); "
        "the English checkpoint cannot read it",
    }
    return sentences[code]


def workflow_of(questions: Mapping[Any, Any] | None) -> str | None:
    """Name of the workflow whose question ids these are exactly."""
    ids = set(questions or ())
    return next((name for name, wanted in WORKFLOWS.items() if wanted == ids), None)
