"""Whether a choice survives a change of order and names of its options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError, ArgumentTypeError, QuestionError
from laya.hooks.builtin.reliability import NEVER, check_number, decide_reliability
from laya.hooks.builtin.variants import FAST, Probe, Variant, make_variants, variant_names

if TYPE_CHECKING:
    from laya.hooks import PredictContext

MARK: Final = "::rel"
"""What the ids of variant questions have between the id of their question and a number."""

_PROBES: Final[dict[str, tuple[Probe, ...]]] = {
    "auto": ("reorder", "rename"),
    "all": ("reorder", "rename"),
    "reorder": ("reorder",),
    "rename": ("rename",),
}


@dataclass(frozen=True, slots=True)
class _Plan:
    layout: str
    original: Any
    asked: Mapping[Any, Any]
    variants: Mapping[Any, Mapping[str, Variant]]
    """Id of each choice question to its variants by their id."""


class OptionStability:
    """Asks every choice question in other forms too, and says how stable its answer is.

    Each choice answer gets `reliability`: `probes` and `option_layout` that were used, `decision` ("ACCEPT",
    "VERIFY", "ESCALATE" or None), `soft_stability` (mean probability of the chosen label over all forms, the
    original included), `stability`, `reorder_stability` and `rename_stability` (share of variants that choose the
    same label), `n_variants`, `distinct_choices`, and by variant name `variant_choices` and `variant_support` (the
    probability of the chosen label). A question that was not probed has no probes and None for the numbers.

    Variants are answered in the same call and removed at the end; the tokens that they cost stay in `usage`. Where
    the checkpoint's layout ("parallel", "reader") cannot see the order of options, reordering is left out.

    Args:
        accept: least soft stability to accept, in [0, 1.01]; None decides nothing.
        escalate: soft stability below which to escalate, in [0, 1] and not above `accept`; None never escalates.
        probes: "reorder", "rename", "all" or several in a list; None and "auto" take both where `relabel` allows.
        n_shuffles: random orders besides the reversed one.
        relabel: False leaves renaming out unless `probes` asks for it.
        rename_max_options: most options for which labels are renamed; letters end at 26.
        variants: "full", "fast" (one variant of each kind) or names from `make_variants`.
        seed: other shuffles for another seed.

    Raises:
        ArgumentError, ArgumentTypeError: an argument cannot work.
        QuestionError: from a call: a question id contains "::rel".
    """

    def __init__(
        self,
        *,
        accept: float | None,
        escalate: float | None,
        probes: str | Iterable[str] | None = None,
        n_shuffles: int = 3,
        relabel: bool = True,
        rename_max_options: int = 20,
        variants: str | Iterable[str] | None = "full",
        seed: int | str | None = None,
    ) -> None:
        self._accept = None if accept is None else check_number("accept", accept, NEVER)
        self._escalate = None if escalate is None else check_number("escalate", escalate, 1.0)
        if self._accept is not None and self._escalate is not None and self._escalate > self._accept:
            raise ArgumentError(f"escalate must not be above accept, got escalate={escalate!r}, accept={accept!r}")
        if not isinstance(relabel, bool):
            raise ArgumentTypeError(f"relabel must be a bool, got {relabel!r}")
        self._n_shuffles = _whole("n_shuffles", n_shuffles, 0)
        self._rename_max = _whole("rename_max_options", rename_max_options, 2)
        self._probes = _chosen_probes(probes, relabel=relabel)
        self._names = _chosen_names(variants, self._n_shuffles)
        self._seed = seed
        self._slot = f"laya.stability.{id(self)}"

    def on_predict_start(self, ctx: PredictContext) -> None:
        """Add the variants to the questions of the call."""
        if ctx.results is not None or not isinstance(ctx.questions, dict):
            return
        for qid in ctx.questions:
            if isinstance(qid, str) and MARK in qid:
                raise QuestionError(f"question {qid!r}: an id must not contain {MARK!r}; rename it", question=qid)
        layout = _layout(ctx.agent)
        variants = {
            qid: {f"{qid}{MARK}{i}": variant for i, variant in enumerate(self._variants(qid, definition, layout))}
            for qid, definition in ctx.questions.items()
            if isinstance(definition, Mapping) and definition.get("type") == "choice"
        }
        if variants:
            added = {vid: variant.definition for group in variants.values() for vid, variant in group.items()}
            asked = {**ctx.questions, **added}  # originals first: a mistake is reported under the caller's own id
            ctx.scratch[self._slot] = _Plan(layout, ctx.questions, asked, variants)
            ctx.questions = asked

    def on_error(self, ctx: PredictContext) -> None:
        """Forget the variants of a failed call."""
        self._take(ctx)

    def on_predict_end(self, ctx: PredictContext) -> None:
        """Write `reliability` into the answers and remove what belongs to the variants."""
        plan = self._take(ctx)
        if plan is None or ctx.error is not None:
            return
        added = {vid for group in plan.variants.values() for vid in group}
        for result in ctx.results or ():
            answers = result["answers"]
            said = {vid: answers.pop(vid) for vid in added if vid in answers}
            for qid, group in plan.variants.items():
                if isinstance(answers.get(qid), dict):
                    given = [(variant, said[vid]) for vid, variant in group.items() if vid in said]
                    answers[qid]["reliability"] = self._reliability(plan.layout, answers[qid], given)
            _clean_usage(result.get("usage"), added)

    def _variants(self, qid: str | int, definition: Mapping[str, Any], layout: str) -> list[Variant]:
        probes = self._probes if layout == "sequential" else tuple(p for p in self._probes if p == "rename")
        made = make_variants(
            qid,
            definition,
            names=self._names,
            n_shuffles=self._n_shuffles,
            rename_max_options=self._rename_max,
            seed=self._seed,
        )
        return [variant for variant in made if variant.probe in probes]

    def _take(self, ctx: PredictContext) -> _Plan | None:
        plan: _Plan | None = ctx.scratch.pop(self._slot, None)
        if plan is not None and ctx.questions == plan.asked:
            ctx.questions = plan.original
        return plan

    def _reliability(
        self, layout: str, answer: Mapping[str, Any], given: list[tuple[Variant, Mapping[str, Any]]]
    ) -> dict[str, Any]:
        chosen = answer["choice"]
        choices = {variant.name: variant.labels[said["choice"]] for variant, said in given}
        support = {variant.name: _probability(variant, said, chosen) for variant, said in given}
        agrees = {variant.name: choices[variant.name] == chosen for variant, _ in given}
        by_probe = {
            probe: _mean([agrees[variant.name] for variant, _ in given if variant.probe == probe])
            for probe in ("reorder", "rename")
        }
        soft = _mean([answer["probabilities"][chosen], *support.values()]) if given else None
        return {
            "probes": [probe for probe, share in by_probe.items() if share is not None],
            "option_layout": layout,
            "decision": decide_reliability(soft, self._accept, self._escalate),
            "soft_stability": soft,
            "stability": _mean(list(agrees.values())),
            "rename_stability": by_probe["rename"],
            "reorder_stability": by_probe["reorder"],
            "n_variants": len(given),
            "distinct_choices": sorted({chosen, *choices.values()}, key=str) if given else None,
            "variant_choices": choices if given else None,
            "variant_support": support if given else None,
        }


def _layout(agent: Any) -> str:
    """Option layout of an agent's checkpoint; checkpoints that do not name one are sequential."""
    config = getattr(agent, "cfg", None)
    return str(config.get("option_layout") or "sequential") if isinstance(config, Mapping) else "sequential"


def _probability(variant: Variant, said: Mapping[str, Any], chosen: Any) -> float:
    return next(float(p) for label, p in said["probabilities"].items() if variant.labels[label] == chosen)


def _mean(values: list[Any]) -> float | None:
    return sum(values) / len(values) if values else None


def _clean_usage(usage: Any, added: set[Any]) -> None:
    if not isinstance(usage, dict):
        return
    if isinstance(usage.get("truncated_questions"), list):
        usage["truncated_questions"] = [qid for qid in usage["truncated_questions"] if qid not in added]
    if isinstance(usage.get("options"), dict):
        usage["options"] = {qid: seen for qid, seen in usage["options"].items() if qid not in added}


def _whole(name: str, value: Any, low: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < low:
        raise ArgumentError(f"{name} must be an int of at least {low}, got {value!r}")
    return value


def _chosen_probes(probes: Any, *, relabel: bool) -> tuple[Probe, ...]:
    if probes is None or probes == "auto":
        return ("reorder", "rename") if relabel else ("reorder",)
    names = (probes,) if isinstance(probes, str) else tuple(probes) if isinstance(probes, Iterable) else ()
    unknown = [name for name in names if name not in _PROBES]
    if not names or unknown:
        raise ArgumentError(f"probes must be among {', '.join(_PROBES)}, got {probes!r}")
    found = {probe for name in names for probe in _PROBES[name]}
    return tuple(probe for probe in _PROBES["all"] if probe in found)


def _chosen_names(variants: Any, n_shuffles: int) -> tuple[str, ...]:
    known = variant_names(n_shuffles)
    if variants is None or variants == "full":
        return known
    if variants == "fast":
        return FAST
    names = (variants,) if isinstance(variants, str) else tuple(variants) if isinstance(variants, Iterable) else ()
    if not names or any(name not in known for name in names):
        raise ArgumentError(f"variants must be 'full', 'fast' or names among {', '.join(known)}, got {variants!r}")
    return tuple(name for name in known if name in names)
