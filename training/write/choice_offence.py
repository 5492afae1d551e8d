"""Is it offensive, hateful or an attack on the assistant? Moderation with many label vocabularies."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases import languages
from training.phrases import opinions as say
from training.write.choice_opinions import options_of, put
from training.write.choice_pools import Row, code, grouped, one_hot, soften
from training.write.choice_shapes import Option, Shape

if TYPE_CHECKING:
    from random import Random

Labels = tuple[tuple[str, str], ...]


GERMAN_KINDS: Final[dict[str, Labels]] = {
    "other": (("nothing offensive", "a normal remark"), ("acceptable", "no offence")),
    "abuse": (("abuse", "puts a whole group of people down"),),
    "insult": (("insult", "one person is insulted"),),
    "profanity": (("profanity", "swear words that are aimed at nobody"),),
}


@cache
def _by_label(name: str, field: str = "label") -> dict[str, tuple[Row, ...]]:
    return grouped(name, lambda r: r[field] or None)


def draw_offensive(rng: Random) -> Example:
    """Offensive or not, hateful or not: tweets in English."""
    groups = _by_label("offensive")
    roll = rng.random()
    if roll < 0.5:
        gold = rng.choice(("neither", "offensive"))
        bad, fine = rng.choice(say.OFFENCE)
        options, target = options_of((bad, fine)), one_hot(int(gold == "neither"), 2)
    else:
        gold = rng.choice(("neither", "offensive", "hate"))
        fine = rng.choice(
            (
                ("neither", "neither vulgar nor hateful"),
                ("clean", "no bad language"),
                ("acceptable", "nothing wrong with it"),
            )
        )
        rude = rng.choice(
            (("offensive", "vulgar or insulting language"), ("vulgar", "coarse words"), ("rude language", "swearing"))
        )
        hate = rng.choice(
            (("hate", "contempt for a group of people"), ("hate speech", "attacks people for what they are"))
        )
        options = options_of((fine, rude, hate))
        # Raters of this set often took hate for mere rudeness, and the other way round.
        target = {"neither": (0.94, 0.04, 0.02), "offensive": (0.06, 0.84, 0.1), "hate": (0.04, 0.26, 0.7)}[gold]
    row = rng.choice(groups[gold])
    state, question, target = put(rng, row["text"].strip(), "post", "offence", options, target)
    return Example(state, question, target, "offensive", "choice/offence/tweets")


def draw_german(rng: Random) -> Example:
    """German tweets: offence or not, and which kind."""
    if rng.random() < 0.65:
        gold = rng.choice(("offense", "other"))
        row = rng.choice(_by_label("permissive/germeval2018_de")[gold])
        pairs = say.OFFENCE_LOCAL["de"] if rng.random() < 0.25 else say.OFFENCE
        options, target = options_of(rng.choice(pairs)), soften(one_hot(int(gold == "other"), 2), 0.05)
    else:
        groups = _by_label("permissive/germeval2018_de", "fine")
        kinds = sorted(groups)
        gold = rng.choice(kinds)
        row = rng.choice(groups[gold])
        options = options_of([rng.choice(GERMAN_KINDS[kind]) for kind in kinds])
        target = soften(one_hot(kinds.index(gold), len(kinds)), 0.15)
    state, question, target = put(rng, row["text"].strip(), "post", "offence", options, target)
    return Example(state, question, target, "germeval2018", "choice/offence/germeval", "de")


HATE_SETS: Final = ("permissive/hatecheck", "permissive/multilingual_hatecheck")
TARGETS: Final = {
    "black people": "Black people",
    "jews": "Jews",
    "jewish people": "Jews",
    "Lower Caste": "lower castes",
}


def draw_hate(rng: Random) -> Example:
    """Hateful or not, where quoting, denying and condemning hate is not hateful."""
    name = rng.choice(HATE_SETS)
    gold = rng.choice(("hateful", "non-hateful"))
    row = rng.choice(_by_label(name)[gold])
    lang = code(row.get("lang", "en"))
    pairs = say.OFFENCE_LOCAL[lang] if lang in say.OFFENCE_LOCAL and rng.random() < 0.2 else say.HATE
    target = one_hot(int(gold == "non-hateful"), 2)
    state, question, target = put(rng, row["text"].strip(), "post", "offence", options_of(rng.choice(pairs)), target)
    return Example(state, question, target, name.split("/")[1], "choice/offence/hatecheck", lang)


@cache
def _targets(name: str) -> dict[str, tuple[Row, ...]]:
    return grouped(name, lambda r: TARGETS.get(r["target"], r["target"]) or None)


def draw_target(rng: Random) -> Example:
    """The group that a text speaks of, for or against."""
    name = rng.choice(HATE_SETS)
    groups = _targets(name)
    gold = rng.choice(sorted(groups))
    row = rng.choice(groups[gold])
    near = {gold} | (
        {"immigrants", "refugees", "foreigners"} if gold in {"immigrants", "refugees", "foreigners"} else set()
    )
    others = [other for other in sorted(groups) if other not in near]
    chosen = [gold, *rng.sample(others, min(len(others), rng.randint(1, 7)))]
    state, question, target = put(
        rng,
        row["text"].strip(),
        "post",
        "target",
        [Option(group) for group in chosen],
        one_hot(0, len(chosen)),
        Shape(none=0.15),
    )
    return Example(state, question, target, name.split("/")[1], "choice/target/hatecheck", code(row.get("lang", "en")))


def draw_attack(rng: Random) -> Example:
    """What a prompt is up to."""
    groups = _by_label("permissive/prompt_attacks")
    kinds = sorted(groups)
    gold = rng.choice(kinds)
    row = rng.choice(groups[gold])
    if rng.random() < 0.35:
        fine = ("safe", "an ordinary task for the assistant")
        bad = rng.choice(
            (
                ("attack", "tries to misuse the assistant"),
                ("unsafe", "must be stopped by the guard"),
                ("block", "harmful, or lifts the rules"),
            )
        )
        kind_of = int(gold != "ordinary prompt")
        options, target = options_of((fine, bad)), soften(one_hot(kind_of, 2), 0.08)
    else:
        chosen = [gold, *rng.sample([kind for kind in kinds if kind != gold], rng.randint(1, 3))]
        options = options_of([rng.choice(say.PROMPTS[kind]) for kind in chosen])
        target = soften(one_hot(0, len(chosen)), 0.1)
    state, question, target = put(rng, row["text"].strip(), "prompt", "attack", options, target)
    return Example(state, question, target, "prompt_attacks", "choice/prompts/attacks")


WRITERS: Final[tuple[Writer, ...]] = (
    Writer("offensive", "choice", ("offensive",), ("en",), draw_offensive, 1.5, ("choice/offence/tweets",)),
    Writer(
        "germeval", "choice", ("permissive/germeval2018_de",), ("de",), draw_german, 0.8, ("choice/offence/germeval",)
    ),
    Writer("hate", "choice", HATE_SETS, languages.HATE, draw_hate, 1.5, ("choice/offence/hatecheck",)),
    Writer("hate_target", "choice", HATE_SETS, languages.HATE, draw_target, 1.2, ("choice/target/hatecheck",)),
    Writer("attacks", "choice", ("permissive/prompt_attacks",), ("en",), draw_attack, 1.2, ("choice/prompts/attacks",)),
)
