"""What kind of question is it? Aspects of health questions, types of answer, form and fluency."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases.intents_assistants import MEDICAL, MEDICAL_GROUPS
from training.write.choice_pools import Row, grouped, one_hot, soften, usable
from training.write.choice_shapes import Option, Shape, ask, instructions, option_count
from training.write.choice_states import wrap

if TYPE_CHECKING:
    from random import Random

FEW: Final = Shape(none=0.04, opaque=0.12, bare=0.45)


@cache
def by_field(name: str, field: str = "label") -> dict[str, tuple[Row, ...]]:
    """Rows of a set by the value of a field; rows without one are left out."""
    return grouped(name, lambda r: r[field] or None)


def finish(  # noqa: PLR0917 - the parts of an example, in the order of its text
    rng: Random,
    text: str,
    form: str,
    kind: str,
    options: list[Option],
    gold: tuple[float, ...],
    shape: Shape,
    task: str,
    family: str,
    lang: str = "en",
) -> Example:
    """An example of one text under some options."""
    state, noun = wrap(rng, text.strip(), form)
    asked = ask(rng, instructions(rng, kind, noun), options, gold, shape)
    return Example(state, asked.question, asked.target, task, family, lang)


SPECIFIC: Final = tuple(sorted(set(MEDICAL) - {"information", "other information", "considerations"}))
MERGED: Final[tuple[frozenset[str], ...]] = (
    frozenset({"inheritance", "genetic changes", "causes", "susceptibility"}),
    frozenset({"usage", "dose", "indication", "dietary"}),
    frozenset({"precautions", "important warning", "side effects", "interactions with medications"}),
    frozenset({"brand names", "brand names of combination products"}),
    frozenset({"complications", "outlook", "symptoms"}),
)


def draw_medical(rng: Random) -> Example:
    """What a health question asks about."""
    groups = by_field("permissive/medquad")
    gold = rng.choice(SPECIFIC) if rng.random() < 0.92 else "information"
    row = rng.choice(groups[gold])
    others = [other for other in SPECIFIC if other != gold and not any(gold in m and other in m for m in MERGED)]
    chosen = [gold, *rng.sample(others, min(len(others), option_count(rng, len(others))))]
    raw = rng.random() < 0.4
    options = [Option(kind if raw else MEDICAL[kind][0], MEDICAL[kind][1]) for kind in chosen]
    return finish(
        rng,
        row["text"],
        "question",
        "question_type",
        options,
        one_hot(0, len(options)),
        Shape(),
        "medquad",
        "choice/medquad/types",
    )


def draw_medical_group(rng: Random) -> Example:
    """Whether a health question is about an illness or a medicine, or something that is not about health."""
    gold = rng.choice((*sorted(MEDICAL_GROUPS), "else"))
    order = [*sorted(MEDICAL_GROUPS), "else"]
    options = [Option(*MEDICAL_GROUPS[key][0]) for key in order[:-1]] + [
        Option("not about health", "any other question")
    ]
    if gold == "else":
        row = rng.choice(usable("permissive/disfl_qa" if rng.random() < 0.5 else "sharealike/query_wellformedness"))
        # A web query may well be about health; those from an encyclopaedia rarely are.
        gold_target = soften(one_hot(2, 3), 0.06)
    else:
        row = rng.choice(
            by_field("permissive/medquad")[
                rng.choice([k for k in MEDICAL_GROUPS[gold][1] if k in by_field("permissive/medquad")])
            ]
        )
        gold_target = one_hot(order.index(gold), 3)
    return finish(rng, row["text"], "question", "topic", options, gold_target, FEW, "medquad", "choice/medquad/groups")


ANSWERS: Final[tuple[tuple[str, str, tuple[str, ...], re.Pattern[str]], ...]] = (
    (
        "person",
        "somebody's name",
        ("human being", "who", "a name of a person"),
        re.compile(r"^(who|whose|whom)\b", re.IGNORECASE),
    ),
    (
        "date or time",
        "a day, a year or a moment",
        ("when", "time", "a date"),
        re.compile(r"^(when|(in )?(what|which) (year|month|day|date|century|decade))\b", re.IGNORECASE),
    ),
    (
        "place",
        "a location",
        ("where", "location", "a country, town or spot"),
        re.compile(
            r"^(where|(in )?(what|which) (country|city|state|county|town|continent|place|region))\b", re.IGNORECASE
        ),
    ),
    (
        "number",
        "how many or how much",
        ("quantity", "a count", "amount"),
        re.compile(
            r"^(how (many|much|old|tall|long|far|high|deep|big|fast|large)|what (percentage|percent|number))\b",
            re.IGNORECASE,
        ),
    ),
    ("reason", "why something is so", ("why", "cause", "explanation of a cause"), re.compile(r"^why\b", re.IGNORECASE)),
    (
        "way",
        "how something is done",
        ("how", "method", "instructions"),
        re.compile(r"^how (do|to|can|does|did|should) (you|i|we|a|one|to|the)?\b", re.IGNORECASE),
    ),
    (
        "yes or no",
        "the answer is yes or no",
        ("confirmation", "true or false", "polar question"),
        re.compile(r"^(is|are|was|were|does|do|did|can|could|will|would|has|have|should) \w+", re.IGNORECASE),
    ),
    (
        "definition",
        "what something is or means",
        ("meaning", "description", "explanation of a term"),
        re.compile(r"^(what (is|are) (a |an |the meaning|the definition)|define|what does .* mean)", re.IGNORECASE),
    ),
)


@lru_cache(maxsize=1)
def _answers() -> dict[str, tuple[Row, ...]]:
    found: dict[str, list[Row]] = {}
    for name in ("sharealike/query_wellformedness", "permissive/disfl_qa"):
        for row in usable(name):
            if row["label"] == "self-corrected" or (isinstance(row["label"], float) and row["label"] < 0.5):
                continue
            kinds = [kind for kind, _, _, pattern in ANSWERS if pattern.search(row["text"])]
            if len(kinds) == 1:
                found.setdefault(kinds[0], []).append(row)
    return {kind: tuple(members) for kind, members in found.items()}


def draw_answer_type(rng: Random) -> Example:
    """What kind of answer a question expects."""
    groups = _answers()
    gold = rng.choice([kind for kind, *_ in ANSWERS if kind in groups])
    row = rng.choice(groups[gold])
    others = rng.sample([entry for entry in ANSWERS if entry[0] != gold], rng.randint(1, len(ANSWERS) - 1))
    chosen = [next(entry for entry in ANSWERS if entry[0] == gold), *others]
    options = [Option(name if rng.random() < 0.6 else rng.choice(also), meaning) for name, meaning, also, _ in chosen]
    text = row["text"].strip()
    if rng.random() < 0.2:
        text = text.rstrip("? ").lower()
    return finish(
        rng,
        text,
        "question",
        "answer_type",
        options,
        one_hot(0, len(options)),
        Shape(none=0.06),
        "query_wellformedness",
        "choice/answer_type/questions",
    )


FLUENCY: Final = (
    (("self-corrected", "the speaker corrects a word"), ("fluent", "no correction")),
    (("has a correction", "something is taken back and said anew"), ("smooth", "said in one go")),
    (("slip of the tongue", "first a wrong word, then the right one"), ("no slip", "no wrong word")),
    (("needs cleaning", "words must be deleted"), ("clean", "nothing to delete")),
)
FORMS: Final = (
    (("well-formed question", "a complete and correct question"), ("keywords or faulty", "not a proper question")),
    (("good question", "grammatical and clear"), ("poor query", "garbled or incomplete")),
    (("complete sentence", "a whole question"), ("fragment", "pieces of a question")),
    (("ready", "can be shown as it is"), ("needs rewriting", "must be corrected first")),
)


def draw_fluency(rng: Random) -> Example:
    """Whether a speaker corrected themself."""
    gold = rng.choice(("self-corrected", "fluent"))
    row = rng.choice(by_field("permissive/disfl_qa")[gold])
    options = [Option(*label) for label in rng.choice(FLUENCY)]
    return finish(
        rng,
        row["text"],
        "question",
        "fluency",
        options,
        one_hot(int(gold == "fluent"), 2),
        FEW,
        "disfl_qa",
        "choice/form/disfl_qa",
    )


@lru_cache(maxsize=1)
def _formed() -> dict[bool, tuple[Row, ...]]:
    return grouped("sharealike/query_wellformedness", lambda r: None if 0.2 < r["label"] < 0.8 else r["label"] >= 0.8)


def draw_form(rng: Random) -> Example:
    """Whether a query is a proper question."""
    gold = rng.random() < 0.5
    row = rng.choice(_formed()[gold])
    options = [Option(*label) for label in rng.choice(FORMS)]
    return finish(
        rng,
        row["text"],
        "question",
        "form",
        options,
        soften(one_hot(int(not gold), 2), 0.08),
        FEW,
        "query_wellformedness",
        "choice/form/queries",
    )


WRITERS: Final[tuple[Writer, ...]] = (
    Writer("medquad", "choice", ("permissive/medquad",), ("en",), draw_medical, 3.0, ("choice/medquad/types",)),
    Writer(
        "medquad_groups",
        "choice",
        ("permissive/medquad", "permissive/disfl_qa", "sharealike/query_wellformedness"),
        ("en",),
        draw_medical_group,
        0.6,
        ("choice/medquad/groups",),
    ),
    Writer(
        "answer_type",
        "choice",
        ("sharealike/query_wellformedness", "permissive/disfl_qa"),
        ("en",),
        draw_answer_type,
        2.5,
        ("choice/answer_type/questions",),
    ),
    Writer("fluency", "choice", ("permissive/disfl_qa",), ("en",), draw_fluency, 0.6, ("choice/form/disfl_qa",)),
    Writer("form", "choice", ("sharealike/query_wellformedness",), ("en",), draw_form, 0.6, ("choice/form/queries",)),
)
