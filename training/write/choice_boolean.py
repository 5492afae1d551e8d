"""Yes/no questions of the noul writers as choices between words such as yes and no.

Its examples keep the families of their concepts ("noul/urgent"): where a concept is held out, it is held out here as
well. The writer itself lists no family, for it has none of its own to hold out.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.write import noul

if TYPE_CHECKING:
    from random import Random

PAIRS: Final[tuple[tuple[Any, Any], ...]] = (
    ("yes", "no"),
    ("yes", "no"),
    ("Yes", "No"),
    ("true", "false"),
    ("true", "false"),
    ("True", "False"),
    ("YES", "NO"),
    (True, False),
    ("y", "n"),
    (1, 0),
    ("correct", "incorrect"),
    ("right", "wrong"),
    ("applies", "does not apply"),
    ("holds", "does not hold"),
    ("it is", "it is not"),
    ("agree", "disagree"),
    ("positive", "negative"),
    ("confirmed", "denied"),
    ("present", "absent"),
    ("match", "no match"),
    ("yes, it is so", "no, it is not so"),
)
UNSURE: Final = ("unclear", "cannot tell", "maybe", "unknown", "not sure")
_TOTALS: Final = tuple(accumulate(writer.share for writer in noul.WRITERS))


def draw_noul(rng: Random) -> Example:
    """An example of any noul writer."""
    return rng.choices(noul.WRITERS, cum_weights=_TOTALS)[0].draw(rng)


def draw_boolean(rng: Random) -> Example:
    """A yes/no question as a choice, at times with a way out."""
    asked = draw_noul(rng)
    yes, no = rng.choice(PAIRS)
    false, true = asked.target
    criteria = asked.question.get("criteria") or {}
    told = {yes: criteria.get("true"), no: criteria.get("false")}
    shares = {yes: true, no: false}
    if isinstance(yes, str) and rng.random() < 0.12:
        told[rng.choice(UNSURE)] = None
    labels = rng.sample(list(told), len(told))
    options: Any = {label: told[label] for label in labels} if criteria else labels
    question = {"type": "choice", "instructions": asked.question["instructions"], "criteria": options}
    return Example(
        asked.state, question, tuple(shares.get(label, 0.0) for label in labels), asked.task, asked.family, asked.lang
    )


LANGUAGES: Final = tuple(sorted({language for writer in noul.WRITERS for language in writer.languages}))
SOURCES: Final = tuple(sorted({source for writer in noul.WRITERS for source in writer.sources}))
WRITERS: Final[tuple[Writer, ...]] = (Writer("boolean", "choice", SOURCES, LANGUAGES, draw_boolean, 5.0, ()),)
