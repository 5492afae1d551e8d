"""The pieces of text inside a state, with their paths, cut to a bounded sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, takewhile
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_CHARS: Final = 12_000
"""Characters judged at most. Of a longer text the head, the middle and the tail are judged, a third each."""
MIN_SHARE: Final = 600
"""Characters that each text keeps at least when many share the sample."""
MAX_DEPTH: Final = 64
EDGE: Final = 40
"""How far from a cut a blank is looked for, so that words stay whole."""


class Leaf(NamedTuple):
    """One text inside a state.

    Attributes:
        path: where it stands, as in `$.mail.body` or `$[2].content`.
        text: the text, possibly a sample of it.
        keyed: it is the value of a key, so one word alone is a tag ("open", "user") rather than prose.
    """

    path: str
    text: str
    keyed: bool


def text_leaves(state: object) -> list[Leaf]:
    """All texts of a state in order: itself, the values of mappings, the items of lists and tuples.

    Keys, numbers and everything else are skipped; a container met twice is read once, so cycles end.
    """
    if isinstance(state, str):
        return [Leaf("$", state, False)]
    return list(_walk(state, "$", False, 0, set()))


def _walk(value: Any, path: str, keyed: bool, depth: int, seen: set[int]) -> Iterator[Leaf]:
    if isinstance(value, str):
        yield Leaf(path, value, keyed)
        return
    if not isinstance(value, (Mapping, Sequence)) or isinstance(value, (bytes, bytearray)):
        return
    if id(value) in seen or depth >= MAX_DEPTH:
        return
    seen.add(id(value))
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _walk(item, f"{path}.{key}", True, depth + 1, seen)
    else:
        for index, item in enumerate(value):
            yield from _walk(item, f"{path}[{index}]", False, depth + 1, seen)


def sample(leaves: list[Leaf]) -> tuple[list[Leaf], bool]:
    """Cut leaves to about `MAX_CHARS` characters together.

    Long leaves keep their head, middle and tail (`thirds`). Where that is not enough, the first leaves, those from
    the middle on and the last ones are kept, a third of the characters each.

    Returns:
        The leaves kept, in order, and whether anything was cut.
    """
    if sum(len(leaf.text) for leaf in leaves) <= MAX_CHARS:
        return leaves, False
    share = max(MIN_SHARE, MAX_CHARS // len(leaves))
    leaves = [leaf._replace(text=thirds(leaf.text, share)) for leaf in leaves]
    if sum(len(leaf.text) for leaf in leaves) <= MAX_CHARS + len(leaves):
        return leaves, True
    middle = len(leaves) // 2
    kept = _fill(leaves, range(len(leaves)))
    kept |= _fill(leaves, range(middle, len(leaves)))
    kept |= _fill(leaves, range(len(leaves) - 1, -1, -1))
    return [leaves[index] for index in sorted(kept)], True


def _fill(leaves: list[Leaf], order: range) -> set[int]:
    """Indices from the start of `order` whose texts fill a third of the sample."""
    sums = accumulate(len(leaves[index].text) for index in order)
    return {index for index, _ in zip(order, takewhile(lambda size: size <= MAX_CHARS // 3, sums), strict=False)}


def thirds(text: str, size: int) -> str:
    """Head, middle and tail of a text, about `size` characters together, as three lines cut at blanks."""
    if len(text) <= size:
        return text
    part = size // 3
    middle = (len(text) - part) // 2
    head, centre, tail = text[:part], text[middle : middle + part], text[-part:]
    return "\n".join((_whole_end(head), _whole_end(_whole_start(centre)), _whole_start(tail)))


def _whole_start(text: str) -> str:
    for index, char in enumerate(text[:EDGE]):
        if char.isspace():
            return text[index + 1 :]
    return text


def _whole_end(text: str) -> str:
    for index in range(1, min(EDGE, len(text)) + 1):
        if text[-index].isspace():
            return text[:-index]
    return text
