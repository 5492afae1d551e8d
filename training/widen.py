"""Choices between more options than their label sets have, to train on and to calibrate with.

Options are taken from other label sets of the same kind, where none can fit the text.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

from training.mix import CHOICE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from training.examples import Asked, Example

ROUTES: Final = ("choice/rasa/*", "choice/botframework/*", "choice/sgd/*", "choice/desk/*")
"""Label sets of what people want: an option of one does not fit a text of another."""
FEWEST, MOST = 12, 80
"""Options of a widened question."""
DOMAINS: Final = ("choice/clinc150/*", "choice/hwu64/*", "choice/botframework/*")
"""Label sets of which each covers a domain of its own; so the others of its task hold only wrong options."""
ACROSS: Final = ("*/mixed", "*/domains", "*/out-of-scope", "*/all", "*/skills")
"""Those that cover more than one domain."""
SHARE: Final = 0.5
"""Share of the questions that are widened in training."""
LARGEST: Final = 60
"""Options of a question that is trained on."""


class Wider:
    """Widens some of the choices that are trained on, anew each time they are met.

    Args:
        examples: everything that is trained on.
        texts: texts by number.
    """

    def __init__(self, examples: Sequence[Asked], texts: Sequence[str]) -> None:
        self._texts = texts
        pools: defaultdict[tuple[str, object], defaultdict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
        for example in examples:
            if _can_widen(example):
                pools[example.task, self._style(example)][example.family].update(example.options)
        self._pools = {key: {name: sorted(found) for name, found in pool.items()} for key, pool in pools.items()}

    def __call__(self, rng: Random, example: Asked) -> Asked:
        """The example, or the same with more options."""
        if not _can_widen(example) or rng.random() >= SHARE:
            return example
        pool = self._pools[example.task, self._style(example)]
        others = [option for family, options in pool.items() if family != example.family for option in options]
        free = sorted(set(others) - set(example.options))
        more = round(FEWEST * (LARGEST / FEWEST) ** rng.random()) - len(example.options)
        added = tuple(rng.sample(free, max(0, min(more, len(free)))))
        return replace(example, options=example.options + added, target=example.target + (0.0,) * len(added))

    def _style(self, example: Asked) -> object:
        """How the options are written: labels or descriptions, with capitals or without."""
        text = self._texts[example.options[0]]
        return "(" in text, text[:1].isupper(), text.endswith(".")


def _can_widen(example: Asked) -> bool:
    """Whether it is a choice of one domain; between `yes` and `no` alone it is read as a yes/no question."""
    named = any(fnmatchcase(example.family, pattern) for pattern in DOMAINS)
    return example.kind == CHOICE and named and not any(fnmatchcase(example.family, pattern) for pattern in ACROSS)


def widened(rng: Random, examples: Sequence[Example], count: int) -> list[Example]:
    """Questions of some examples with options of other families put among their own.

    Args:
        rng: source of choices.
        examples: where questions and options come from; those outside `ROUTES` are left aside.
        count: how many to make.
    """
    routes = [e for e in examples if any(fnmatchcase(e.family, pattern) for pattern in ROUTES)]
    single = [e for e in routes if max(e.target) == 1.0]
    return [_widened(rng, e, routes) for e in rng.choices(single, k=count)] if single else []


def _widened(rng: Random, example: Example, routes: Sequence[Example]) -> Example:
    mine = _options(example)
    seen = {str(name).casefold() for name in mine}
    others = [other for other in routes if other.family != example.family]
    wanted = round(FEWEST * (MOST / FEWEST) ** rng.random())
    added: dict[Any, Any] = {}
    for other in rng.sample(others, len(others)):
        for name, text in _options(other).items():
            if len(mine) + len(added) < wanted and str(name).casefold() not in seen:
                seen.add(str(name).casefold())
                added[name] = text
    right = list(mine)[example.target.index(1.0)]
    options = list((mine | added).items())
    rng.shuffle(options)
    target = tuple(float(name == right) for name, _ in options)
    return replace(example, question={**example.question, "criteria": dict(options)}, target=target)


def _options(example: Example) -> dict[Any, Any]:
    criteria = example.question["criteria"]
    return dict(criteria) if isinstance(criteria, dict) else dict.fromkeys(criteria)
