"""Token budgets: how long a row, and its question half, may be."""

from __future__ import annotations

from laya.errors import ArgumentError
from laya.request import Budget


def check_budget(
    max_len: object, head_max_len: object, config_max_len: int, config_head_max_len: int, positions: int
) -> Budget:
    """Budget of a call: what the call asks for, else what the checkpoint's config says.

    Args:
        max_len: most tokens of a row, or None for the config's.
        head_max_len: tokens that the question half may take, or None for the config's. Floors per option and for the
            instructions can exceed it, and it may be larger than `max_len`.
        config_max_len: `max_len` of the checkpoint.
        config_head_max_len: `head_max_len` of the checkpoint.
        positions: tokens that the encoder can tell apart by position.

    Raises:
        ArgumentError: a value is not a positive int, or `max_len` exceeds `positions`.
    """
    length = _positive("max_len", config_max_len if max_len is None else max_len)
    head = _positive("head_max_len", config_head_max_len if head_max_len is None else head_max_len)
    if length > positions:
        origin = "of the checkpoint's config " if max_len is None else ""
        raise ArgumentError(
            f"max_len={length} {origin}exceeds the {positions} positions of this checkpoint's encoder; "
            f"pass max_len={positions} or less"
        )
    return Budget(max_len=length, head_max_len=head)


def _positive(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ArgumentError(f"{name} must be a positive int (a number of tokens) or None, got {value!r}")
    return value
