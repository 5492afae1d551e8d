"""All writers of choice questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from training.write import (
    choice_assistants,
    choice_banks,
    choice_boolean,
    choice_evidence,
    choice_intents,
    choice_offence,
    choice_opinions,
    choice_questions,
    choice_texts,
    choice_wordnet,
)

if TYPE_CHECKING:
    from training.examples import Writer

WRITERS: Final[tuple[Writer, ...]] = (
    *choice_assistants.WRITERS,
    *choice_banks.WRITERS,
    *choice_boolean.WRITERS,
    *choice_evidence.WRITERS,
    *choice_intents.WRITERS,
    *choice_offence.WRITERS,
    *choice_opinions.WRITERS,
    *choice_questions.WRITERS,
    *choice_texts.WRITERS,
    *choice_wordnet.WRITERS,
)
