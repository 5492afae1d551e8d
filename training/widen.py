"""Choices between more options than any held-out label set has, so that calibration knows such questions, too."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from training.examples import Example

ROUTES: Final = ("choice/rasa/*", "choice/botframework/*", "choice/sgd/*", "choice/desk/*")
"""Label sets of what people want: an option of one does not fit a text of another."""
FEWEST, MOST = 12, 80
"""Options of a widened question."""


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
    seen = {name.casefold() for name in mine}
    others = [other for other in routes if other.family != example.family]
    wanted = round(FEWEST * (MOST / FEWEST) ** rng.random())
    added: dict[str, Any] = {}
    for other in rng.sample(others, len(others)):
        for name, text in _options(other).items():
            if len(mine) + len(added) < wanted and name.casefold() not in seen:
                seen.add(name.casefold())
                added[name] = text
    right = list(mine)[example.target.index(1.0)]
    options = list((mine | added).items())
    rng.shuffle(options)
    target = tuple(float(name == right) for name, _ in options)
    return replace(example, question={**example.question, "criteria": dict(options)}, target=target)


def _options(example: Example) -> dict[str, Any]:
    criteria = example.question["criteria"]
    return dict(criteria) if isinstance(criteria, dict) else dict.fromkeys(criteria)
