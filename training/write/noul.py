"""All writers of yes/no questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from training.write import (
    noul_acts,
    noul_answers,
    noul_feeling,
    noul_harm,
    noul_intents,
    noul_kinds,
    noul_nli,
    noul_surface,
    noul_wordnet,
)

if TYPE_CHECKING:
    from training.examples import Writer

WRITERS: Final[tuple[Writer, ...]] = (
    *noul_feeling.WRITERS,
    *noul_harm.WRITERS,
    *noul_nli.WRITERS,
    *noul_answers.WRITERS,
    *noul_intents.WRITERS,
    *noul_surface.WRITERS,
    *noul_kinds.WRITERS,
    *noul_acts.WRITERS,
    *noul_wordnet.WRITERS,
)
"""Writers by subject; their shares are relative to each other."""
