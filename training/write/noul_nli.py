"""Writers of questions about what a premise supports, rules out or leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases import noul_nli as said
from training.phrases.noul_frames import VAGUE
from training.write.noul_bind import TRUE, target
from training.write.noul_pairs import by_label, forms, put, tidy
from training.write.noul_states import code, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from random import Random


@dataclass(frozen=True, slots=True)
class Relation:
    """A way to ask for the relation of the two sentences.

    Attributes:
        frames: frames for the hypothesis.
        right: labels for which the question is true.
        weight: how often it is asked.
        criteria: criteria for true and false that fit it.
    """

    frames: Sequence[str]
    right: frozenset[str]
    weight: float
    criteria: Sequence[tuple[str, str]] = ()


ENTAILED: Final = frozenset({"entailment"})
REFUTED: Final = frozenset({"contradiction"})
UNPROVEN: Final = frozenset({"neutral", "contradiction", "non-entailment"})
NO_SUPPORT: Final = tuple((no, yes) for yes, no in said.SUPPORT_CRITERIA)
SUPPORT: Final = Relation((*said.BARE * 3, *said.SUPPORTED), ENTAILED, 0.46, said.SUPPORT_CRITERIA)
ASKED: Final = Relation(said.MOVED, ENTAILED, 0.18, said.SUPPORT_CRITERIA)
DENIED: Final = Relation(said.DENIED, REFUTED, 0.12)
UNSUPPORTED: Final = Relation(said.UNSUPPORTED, UNPROVEN, 0.14, NO_SUPPORT)
TWO_WAY: Final = (SUPPORT, ASKED, UNSUPPORTED)
THREE_WAY: Final = (
    SUPPORT,
    ASKED,
    DENIED,
    UNSUPPORTED,
    Relation(said.CONTRADICTED, REFUTED, 0.11, said.CONFLICT_CRITERIA),
    Relation(said.CONSISTENT, frozenset({"neutral", "entailment"}), 0.06),
    Relation(said.UNKNOWN, frozenset({"neutral"}), 0.03),
    Relation(said.KNOWN, ENTAILED | REFUTED, 0.03),
)
MOVING: Final = frozenset({ASKED.frames, DENIED.frames})
TRIES: Final = 8
"""Rows that are looked at for one whose verb can be moved."""
PLENTY: Final = 50
"""Rows of a label from which on it is asked for."""


def inference(name: str, family: str, sure: float, lang: str) -> Callable[[Random], Example]:
    """Questions over the premises and hypotheses of a set."""
    local = [
        Relation(said.LOCAL[lang][0], ENTAILED, 0.3),
        Relation(said.LOCAL[lang][1], UNPROVEN, 0.12),
    ] if lang in said.LOCAL else []  # fmt: skip

    def draw(rng: Random) -> Example:
        groups = by_label(name)
        three = len(groups.get("contradiction", ())) > PLENTY
        relations = [*(THREE_WAY if three else TWO_WAY), *local]
        asked = rng.choices(relations, [relation.weight for relation in relations])[0]
        true = rng.random() < TRUE
        labels = [label for label in groups if (label in asked.right) == true]
        row = rng.choice(groups[rng.choice(labels)])
        for _ in range(TRIES if asked.frames in MOVING else 0):
            if "q" in forms(row["hypothesis"]):
                break
            row = rng.choice(groups[rng.choice(labels)])
        else:
            if asked.frames in MOVING:
                asked = SUPPORT if asked is ASKED else UNSUPPORTED
                true = row["label"] in asked.right
        state, _ = wrap(rng, tidy(row["premise"]), code(row))
        task = name.rpartition("/")[2]
        return Example(state, _question(rng, asked, row), target(sure if true else 1 - sure), task, family, code(row))

    return draw


def _question(rng: Random, asked: Relation, row: dict[str, Any]) -> dict[str, Any]:
    if asked is SUPPORT and rng.random() < 0.06:
        return {"type": "noul", "instructions": rng.choice(VAGUE), "criteria": {"true": tidy(row["hypothesis"])}}
    question = {"type": "noul", "instructions": put(rng, asked.frames, row["hypothesis"])}
    if asked.criteria and rng.random() < 0.12:
        yes, no = rng.choice(asked.criteria)
        return {**question, "criteria": {"true": yes, "false": no}}
    return question


def _writer(source: str, share: float, sure: float = 0.97, lang: str = "en") -> Writer:
    short = source.rpartition("/")[2]
    family = f"noul/nli/{short}"
    return Writer(
        f"noul/{short}", "noul", (source,), (lang,), inference(source, family, sure, lang), share, (family,)
    )  # fmt: skip


WRITERS: Final[tuple[Writer, ...]] = (
    _writer("sharealike/mnli_dev", 8.0),
    _writer("sharealike/snli_devtest", 6.0),
    _writer("permissive/conjnli", 3.0, 0.95),
    _writer("permissive/hans_generated", 1.0),
    _writer("sharealike/negation_nli", 2.0, 0.95),
    _writer("sharealike/med", 1.5),
    _writer("sharealike/help", 1.0),
    _writer("sharealike/breaking_nli", 2.0),
    _writer("sharealike/klue_nli_ko", 1.5, 0.97, "ko"),
    _writer("sharealike/jnli_ja", 1.5, 0.97, "ja"),
)
