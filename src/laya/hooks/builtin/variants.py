"""The same choice question asked in other words: options reordered, labels renamed."""

from __future__ import annotations

import random
import zlib
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Probe = Literal["reorder", "rename"]

FAST: Final = ("reversed", "letters_reversed")
RENAMES: Final = ("letters", "letters_reversed", "letters_shuffle")


@dataclass(frozen=True, slots=True)
class Variant:
    """One other form of a choice question.

    Attributes:
        name: "reversed", "shuffle1", "letters", ...
        probe: what it changes: "reorder" the order of the options, "rename" also their labels.
        definition: the question to ask.
        labels: label in the variant's answer to label of the original.
    """

    name: str
    probe: Probe
    definition: dict[str, Any]
    labels: Mapping[Any, Any]


def variant_names(n_shuffles: int) -> tuple[str, ...]:
    """Names of all variants, in the order in which they are made."""
    return ("reversed", *(f"shuffle{i + 1}" for i in range(n_shuffles)), *RENAMES)


def make_variants(
    question: str | int,
    definition: Mapping[str, Any],
    *,
    names: Iterable[str] | None = None,
    n_shuffles: int = 3,
    rename_max_options: int = 20,
    seed: int | str | None = None,
) -> list[Variant]:
    """Other forms of a choice question.

    A renaming variant calls the options A, B, C ... in the order of its name and shows each description, or the
    label where there is none. Variants that equal the original or each other are left out; shuffles depend on the
    question's id and the seed alone, so that a question has the same variants for every state.

    Args:
        question: id of the question.
        definition: a choice question; anything else has no variants.
        names: which variants to make; None makes all.
        n_shuffles: number of "shuffle<i>" variants.
        rename_max_options: most options (at most 26) for which labels are renamed.
        seed: other shuffles for another seed.
    """
    labels = _labels(definition)
    if len(labels) < 2:
        return []
    wanted = variant_names(n_shuffles) if names is None else tuple(names)
    shown = _shown(definition, len(labels))
    orders = _orders(len(labels), n_shuffles, zlib.crc32(f"{seed}|{question}".encode("utf-8", "surrogatepass")))
    made: list[Variant] = []
    seen: set[tuple[str, tuple[int, ...]]] = {("reorder", shown)}
    for name, positions in orders.items():
        probe: Probe = "rename" if name in RENAMES else "reorder"
        order = tuple(shown[i] for i in positions)
        too_many = probe == "rename" and len(labels) > min(rename_max_options, len(ascii_uppercase))
        if name not in wanted or too_many or (probe, order) in seen:
            continue
        seen.add((probe, order))
        made.append(
            _renamed(name, definition, labels, order) if probe == "rename" else _moved(name, definition, labels, order)
        )
    return made


def _labels(definition: Mapping[str, Any]) -> list[Any]:
    criteria = definition.get("criteria")
    if definition.get("type") != "choice" or not isinstance(criteria, (dict, list)):
        return []
    labels = list(criteria)
    scalar = all(isinstance(label, (str, int, float)) for label in labels)
    return labels if scalar and len(set(labels)) == len(labels) else []


def _shown(definition: Mapping[str, Any], k: int) -> tuple[int, ...]:
    order = definition.get("option_order")
    valid = isinstance(order, (list, tuple)) and all(type(i) is int for i in order) and sorted(order) == list(range(k))
    return tuple(order) if order is not None and valid else tuple(range(k))


def _orders(k: int, n_shuffles: int, seed: int) -> dict[str, Sequence[int]]:
    """Positions of the original that each variant shows, in its order."""
    rng = random.Random(seed)  # noqa: S311 - repeatable shuffles, nothing secret
    straight = list(range(k))
    orders: dict[str, Sequence[int]] = {"reversed": straight[::-1]}
    for i in range(n_shuffles):
        orders[f"shuffle{i + 1}"] = rng.sample(straight, k)
    orders |= {"letters": straight, "letters_reversed": straight[::-1], "letters_shuffle": rng.sample(straight, k)}
    return orders


def _moved(name: str, definition: Mapping[str, Any], labels: Sequence[Any], order: Sequence[int]) -> Variant:
    return Variant(name, "reorder", {**definition, "option_order": list(order)}, {label: label for label in labels})


def _renamed(name: str, definition: Mapping[str, Any], labels: Sequence[Any], order: Sequence[int]) -> Variant:
    criteria = definition["criteria"]
    described = criteria if isinstance(criteria, dict) else {}
    renamed: dict[str, Any] = {}
    back: dict[str, Any] = {}
    for letter, index in zip(ascii_uppercase, order, strict=False):
        label = labels[index]
        text = described.get(label)
        renamed[letter] = str(label) if text is None or text == "" else text
        back[letter] = label
    rest = {key: value for key, value in definition.items() if key != "option_order"}
    return Variant(name, "rename", {**rest, "criteria": renamed}, back)
