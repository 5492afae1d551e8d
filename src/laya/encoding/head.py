"""The question half of a row: CLS, instructions, SEP, a marker and a text per option, SEP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from laya.request import Head

if TYPE_CHECKING:
    from laya.encoding.tokenizer import TextEncoder
    from laya.request import Budget, IntArray, Question

OPTION_TOKENS: Final = 48
"""Tokens of an option's text that are read at most."""
INSTRUCTION_ROOM: Final = 16
"""Tokens that the options leave to the instructions, or else are cut."""
SLOT_FLOOR: Final = 4
"""Tokens, marker included, that every slot may keep however small the budget."""
INSTRUCTION_FLOOR: Final = 8
"""Tokens that the instructions may keep however small the budget."""


def build_head(encoder: TextEncoder, question: Question, budget: Budget, *, parallel: bool) -> Head:
    """Tokenise a question and cut it to `budget.head_max_len`.

    The floors win over the budget, so a question with many options can be longer than it.
    """
    # Options begin with a space so that their first word is the same token as inside a sentence.
    texts = [f" {question.options[i]}" for i in question.order]
    instructions, *options = encoder.encode([f"{question.type} question: {question.instructions}", *texts])
    slots, per = _cut_slots(options, encoder.mask_id, budget.head_max_len)
    kept = max(INSTRUCTION_FLOOR, budget.head_max_len - sum(map(len, slots)))
    asked = instructions[:kept]
    sep = np.array([encoder.sep_id], dtype=np.int64)
    ids = np.concatenate([np.array([encoder.cls_id], dtype=np.int64), asked, sep, *slots, sep])
    sizes = np.array([len(slot) for slot in slots], dtype=np.int64)
    markers = np.cumsum(sizes) - sizes + len(asked) + 2
    positions, spans, state_position = _spread(len(ids), markers, sizes, parallel=parallel)
    return Head(
        question=question,
        ids=ids,
        markers=markers,
        positions=positions,
        options=spans,
        state_position=state_position,
        tokens=len(ids),
        instruction_dropped=len(instructions) - len(asked),
        options_dropped=sum(map(len, options)) + len(slots) - int(sizes.sum()),
        options_distinct=len({slot.tobytes() for slot in slots}),
        tokens_per_option=per,
    )


def _cut_slots(options: list[IntArray], mask_id: int, head_max_len: int) -> tuple[list[IntArray], int | None]:
    """Marker and text of each slot, and the tokens per slot where the budget did not suffice."""
    mask = np.array([mask_id], dtype=np.int64)
    slots = [np.concatenate([mask, option[:OPTION_TOKENS]]) for option in options]
    if head_max_len - sum(map(len, slots)) >= INSTRUCTION_ROOM:
        return slots, None
    per = max(SLOT_FLOOR, (head_max_len - INSTRUCTION_ROOM) // len(slots))
    return [slot[:per] for slot in slots], per


def _spread(length: int, markers: IntArray, sizes: IntArray, *, parallel: bool) -> tuple[IntArray, IntArray, int]:
    """Positions and option numbers of the head's tokens, and the position of the first state token."""
    positions = np.arange(length, dtype=np.int64)
    spans = np.zeros(length, dtype=np.int64)
    if not parallel:
        return positions, spans, length
    # Every option starts at the same position, so that their order cannot matter.
    start = int(markers[0])
    spans[start:-1] = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    positions[start:-1] -= np.repeat(markers - start, sizes)
    positions[-1] = start + int(sizes.max())
    return positions, spans, int(positions[-1]) + 1
