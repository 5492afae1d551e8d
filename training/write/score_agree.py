"""Yes/no questions of the noul writers as scores: how far does it hold?

Like the boolean choices, the examples keep the families of their concepts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.write.choice_boolean import LANGUAGES, SOURCES, draw_noul
from training.write.score_shapes import spread

if TYPE_CHECKING:
    from random import Random

LEVELS: Final = (
    ("no", "yes"),
    ("false", "true"),
    ("does not hold", "holds"),
    ("no", "partly", "yes"),
    ("not at all", "partly", "completely"),
    ("false", "uncertain", "true"),
    ("disagree", "undecided", "agree"),
    ("no", "perhaps", "yes"),
    ("certainly not", "probably not", "probably", "certainly"),
    ("strongly disagree", "disagree", "agree", "strongly agree"),
    ("definitely not", "rather not", "unclear", "rather yes", "definitely"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("0: no", "1", "2", "3: yes"),
    ("does not apply", "applies a little", "applies mostly", "applies fully"),
    ("0%", "25%", "50%", "75%", "100%"),
    ("impossible", "unlikely", "possible", "likely", "certain"),
)
FORMS: Final = (
    "{}",
    "{}",
    "{}",
    "How true is this: {}",
    "How far does this hold? {}",
    "Rate the statement: {}",
    "To what extent: {}",
    "How sure can one be? {}",
    "Degree of agreement: {}",
)


def draw_agree(rng: Random) -> Example:
    """How far a statement holds of a state."""
    asked = draw_noul(rng)
    levels = rng.choice(LEVELS)
    target = spread(asked.target[1], len(levels), 0.35) if len(levels) > 2 else asked.target
    criteria = list(levels)
    if rng.random() < 0.1:
        criteria, target = criteria[::-1], target[::-1]
    text = rng.choice(FORMS).format(asked.question["instructions"])
    return Example(
        asked.state,
        {"type": "score", "instructions": text, "criteria": criteria},
        target,
        asked.task,
        asked.family,
        asked.lang,
    )


WRITERS: Final[tuple[Writer, ...]] = (Writer("score_agree", "score", SOURCES, LANGUAGES, draw_agree, 3.0, ()),)
