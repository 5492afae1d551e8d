"""All writers of score questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from training.write import score_agree, score_made, score_match, score_pairs, score_rated

if TYPE_CHECKING:
    from training.examples import Writer

WRITERS: Final[tuple[Writer, ...]] = (
    *score_agree.WRITERS,
    *score_made.WRITERS,
    *score_match.WRITERS,
    *score_pairs.WRITERS,
    *score_rated.WRITERS,
)
