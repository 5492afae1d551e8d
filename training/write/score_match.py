"""How well do two things match? A message and an intent, or two messages: the tree of a label set gives the degrees."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases.intents_assistants import MEDICAL
from training.phrases.intents_clinc import CLINC
from training.write.choice_pools import Row, grouped, usable
from training.write.choice_states import wrap
from training.write.score_pairs import pair
from training.write.score_shapes import grade

if TYPE_CHECKING:
    from random import Random

SAME: Final = 1.0
SAME_AREA: Final = 0.35
APART: Final = 0.0


@lru_cache(maxsize=1)
def _clinc() -> dict[str, dict[str, tuple[Row, ...]]]:
    tree: dict[str, dict[str, tuple[Row, ...]]] = {}
    keyed = grouped(
        "clinc150",
        lambda r: (r["domain"], r["label"]) if r["domain"] and r["domain"] not in {"meta", "small_talk"} else None,
    )
    for (domain, label), members in keyed.items():
        tree.setdefault(domain, {})[label] = members
    return tree


def _two_intents(rng: Random) -> tuple[str, str, str, str, float]:
    """Domain and intent of two messages, and how close they are."""
    tree = _clinc()
    domain = rng.choice(sorted(tree))
    label = rng.choice(sorted(tree[domain]))
    roll = rng.random()
    if roll < 0.4:
        return domain, label, domain, label, SAME
    if roll < 0.65:
        return domain, label, domain, rng.choice([other for other in sorted(tree[domain]) if other != label]), SAME_AREA
    far = rng.choice([other for other in sorted(tree) if other != domain])
    return domain, label, far, rng.choice(sorted(tree[far])), APART


def draw_fit(rng: Random) -> Example:
    """How well a heading fits a message."""
    if rng.random() < 0.2:
        groups = _medical()
        gold, asked = rng.choice(sorted(groups)), rng.choice(sorted(groups))
        gold, value = (asked, SAME) if rng.random() < 0.5 else (gold, SAME if gold == asked else SAME_AREA / 2)
        text, name, task, family = rng.choice(groups[gold])["text"], MEDICAL[asked], "medquad", "score/match/medquad"
    else:
        domain, label, _, other, value = _two_intents(rng)
        text, name, task, family = (
            rng.choice(_clinc()[domain][label])["text"],
            CLINC[other],
            "clinc150",
            "score/match/clinc150",
        )
    heading = name[0] if rng.random() < 0.5 else name[1]
    state, noun = wrap(rng, text, "utterance")
    graded = grade(rng, "match", noun, value, sharpness=0.5, slots={"heading": heading})
    return Example(state, graded.question, graded.target, task, family)


@lru_cache(maxsize=1)
def _medical() -> dict[str, tuple[Row, ...]]:
    wanted = {
        "symptoms",
        "treatment",
        "causes",
        "exams and tests",
        "brand names",
        "side effects",
        "storage and disposal",
        "forget a dose",
        "frequency",
        "prevention",
    }
    return grouped("permissive/medquad", lambda r: r["label"] if r["label"] in wanted else None)


def draw_alike(rng: Random) -> Example:
    """How close in meaning two English questions or messages are."""
    names = rng.choice(
        (("first", "second"), ("text a", "text b"), ("question1", "question2"), ("message", "other message"))
    )
    if rng.random() < 0.5:
        row = rng.choice(usable("permissive/disfl_qa"))
        same = rng.random() < 0.5
        other = row["meant"] if same else rng.choice(usable("permissive/disfl_qa"))["meant"]
        first, second, value, task = row["text"], other, SAME if same else APART, "disfl_qa"
    else:
        domain, label, far, other_label, value = _two_intents(rng)
        first, second = rng.choice(_clinc()[domain][label])["text"], rng.choice(_clinc()[far][other_label])["text"]
        # The same intent is not yet the same meaning.
        value, task = value * 0.65, "clinc150"
    graded = grade(rng, "similarity", "the text", value, sharpness=0.6)
    return Example(pair(rng, first, second, names), graded.question, graded.target, task, f"score/similarity/{task}")


WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "score_match",
        "score",
        ("clinc150", "permissive/medquad"),
        ("en",),
        draw_fit,
        2.0,
        ("score/match/clinc150", "score/match/medquad"),
    ),
    Writer(
        "score_alike",
        "score",
        ("clinc150", "permissive/disfl_qa"),
        ("en",),
        draw_alike,
        1.0,
        ("score/similarity/clinc150", "score/similarity/disfl_qa"),
    ),
)
