"""States to tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from laya.request import EncodedState
from laya.state import render_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from laya.encoding.tokenizer import TextEncoder


def encode_states(encoder: TextEncoder, states: Sequence[object], start_index: int = 0) -> list[EncodedState]:
    """Tokenise states, uncut.

    Args:
        encoder: tokenizer of the checkpoint.
        states: strings or JSON values.
        start_index: index of the first of them in the caller's batch, for errors.

    Raises:
        StateError: a state cannot be written as text.
        StateTypeError: a state is None.
    """
    texts = [render_state(state, start_index + i) for i, state in enumerate(states)]
    return [
        EncodedState(index=start_index + i, ids=ids, keep_tail=isinstance(states[i], list))
        for i, ids in enumerate(encoder.encode(texts))
    ]
