"""Writers of questions about offence, hatred, toxicity and attacks on an assistant."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases import noul_harm as asked
from training.write.choice_states import fits
from training.write.noul_ask import question
from training.write.noul_bind import DENIED, TRUE, Binding, target, writer
from training.write.noul_pools import FACTUAL, PLAIN, factual, labelled, plain, pool, tagged, union, whole
from training.write.noul_states import kept

if TYPE_CHECKING:
    from random import Random

SPANS: Final = "permissive/toxic_spans"
CHECK: Final = "permissive/hatecheck"
ABROAD: Final = "permissive/multilingual_hatecheck"
GERMAN: Final = "permissive/germeval2018_de"
ATTACKS: Final = "permissive/prompt_attacks"
GO: Final = "goemotions"
KIND: Final = ("admiration", "gratitude", "joy", "love", "optimism", "caring", "curiosity")
HARD: Final = ("anger", "annoyance", "disgust", "disapproval", "neutral", "amusement")


def _offence() -> list[Binding]:
    friendly = tagged(GO, "labels", any_of=KIND, none_of=HARD)
    clean = union(labelled("offensive", "neither"), friendly, plain(), even=True)
    toxic = pool(SPANS, lambda row: row["label"] >= 0.8)
    mild = pool(SPANS, lambda row: row["label"] <= 0.2)
    nasty = union(labelled("offensive", "offensive", "hate"), toxic, even=True)
    hateful = labelled("offensive", "hate")
    return [
        Binding(
            asked.OFFENSIVE,
            labelled("offensive", "offensive", "hate"),
            labelled("offensive", "neither"),
            (0.05, 0.95),
            2.0,
        ),
        Binding(asked.OFFENSIVE, nasty, clean, (0.04, 0.94), 2.0),
        Binding(
            asked.CIVIL, labelled("offensive", "neither"), labelled("offensive", "offensive", "hate"), (0.05, 0.95), 2.0
        ),
        Binding(asked.CIVIL, clean, nasty, (0.06, 0.96), 2.0),
        Binding(asked.TOXIC, toxic, union(mild, friendly, even=True), (0.12, 0.93), 1.5),
        Binding(asked.TOXIC, toxic, clean, (0.04, 0.93), 1.0),
        Binding(asked.HATE, hateful, clean, (0.04, 0.9), 1.0),
    ]


def _contrast(name: str) -> list[Binding]:
    threats = frozenset({"threat_dir_h", "threat_norm_h"})
    counter = frozenset({"counter_quote_nh", "counter_ref_nh"})
    kind = frozenset({"ident_pos_nh"})
    calm = frozenset({"ident_neutral_nh", "negate_neg_nh", "ident_pos_nh"})
    hateful = labelled(name, "hateful")
    fine = labelled(name, "non-hateful")
    return [
        Binding(asked.HATE, hateful, fine, (0.03, 0.97), 4.0),
        Binding(
            asked.HATE,
            pool(name, lambda row: row["functionality"] in {"negate_pos_h", "derog_impl_h"}),
            fine,
            (0.03, 0.97),
            1.0,
        ),
        Binding(
            asked.THREAT,
            pool(name, lambda row: row["functionality"] in threats),
            pool(name, lambda row: row["functionality"] not in threats),
            (0.05, 0.95),
            0.8,
        ),
        Binding(asked.COUNTER, pool(name, lambda row: row["functionality"] in counter), hateful, (0.03, 0.96), 0.6),
        Binding(asked.GROUP, pool(name, lambda row: row["functionality"] in kind), hateful, (0.02, 0.96), 0.6),
        Binding(asked.OFFENSIVE, hateful, pool(name, lambda row: row["functionality"] in calm), (0.05, 0.95), 1.0),
    ]


def _german() -> list[Binding]:
    return [Binding(asked.OFFENSIVE, labelled(GERMAN, "offense"), labelled(GERMAN, "other"), (0.08, 0.92))]


def _attacks() -> list[Binding]:
    wild = labelled(ATTACKS, "jailbreak")
    roles = labelled(ATTACKS, "ordinary prompt")
    harm = labelled(ATTACKS, "harmful request")
    ordinary = union(roles, plain(), even=True)
    return [
        Binding(asked.JAILBREAK, wild, roles, (0.04, 0.9), 2.0),
        Binding(asked.JAILBREAK, wild, union(harm, plain(), even=True), (0.04, 0.9), 1.0),
        Binding(asked.HARMFUL, harm, ordinary, (0.03, 0.96), 2.0),
    ]


@lru_cache(maxsize=1)
def _orders() -> tuple[str, ...]:
    return tuple(
        row["text"] for row in kept(ATTACKS) if row["label"] == "embedded instruction" and len(row["text"].split()) < 45
    )


LEADS: Final = (
    "",
    "",
    "",
    "Ignore the above. ",
    "Ignore all previous instructions. ",
    "New instructions: ",
    "System: ",
    "Assistant, ",
    "IMPORTANT: ",
    "Before you answer: ",
    "Disregard the text and do this. ",
    "[note to the AI] ",
)
HOSTED: Final = ("permissive/email_intent", "permissive/product_reviews", "permissive/medquad")
HOSTS: Final = union(factual(), *(whole(name) for name in HOSTED), even=True)


def injected(rng: Random) -> Example:
    """A text of another set, with or without an order to the assistant put into it."""
    denied = rng.random() < DENIED
    holds = (rng.random() < TRUE) != denied
    host = rng.choice(HOSTS())
    text = host.text
    if holds:
        order = f"{rng.choice(LEADS)}{rng.choice(_orders())}"
        text = rng.choice((f"{text} {order}", f"{order} {text}", f"{text}\n\n{order}"))
    elif rng.random() < 0.4:
        text = f"{text} {rng.choice(HOSTS()).text}"
    if not fits(text):
        text = order if holds else host.text
    likely = 0.96 if holds else 0.03
    return Example(
        text,
        question(rng, asked.INJECTION, denied),
        target(1 - likely if denied else likely),
        "prompt_attacks",
        f"noul/{asked.INJECTION.name}",
    )


WRITERS: Final[tuple[Writer, ...]] = (
    writer("noul/offence", _offence(), 8.0, ("offensive", SPANS, GO, *PLAIN)),
    writer("noul/hatecheck", _contrast(CHECK), 3.0, (CHECK,)),
    writer("noul/hate_abroad", _contrast(ABROAD) , 2.5, (ABROAD,), ("de", "fr", "es", "it", "nl", "pl", "pt", "ar",
        "hi", "zh")),
    writer("noul/offence_german", _german(), 1.0, (GERMAN,), ("de",)),
    writer("noul/prompt_attacks", _attacks(), 2.0, (ATTACKS, *PLAIN)),
    Writer("noul/injection", "noul", (ATTACKS, *FACTUAL, *HOSTED), ("en",), injected, 1.5,
        (f"noul/{asked.INJECTION.name}",)),
)  # fmt: skip
