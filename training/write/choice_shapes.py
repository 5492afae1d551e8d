"""Choice questions in the many shapes that callers write: label styles, descriptions, opaque labels, none-of-these."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from training.phrases.instructions import KINDS, VAGUE, VAGUE_KINDS

if TYPE_CHECKING:
    from random import Random

WIDEST: Final = 255
RIGHT: Final = 0.1
"""Share from which an option counts as right: it goes when the right one is taken away."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen.

    Attributes:
        name: short name in words ("book a flight"), or an identifier that only the styles of `label` open up.
        description: what it means; empty where nobody wrote one.
        examples: texts that carry it, for descriptions by example.
    """

    name: str
    description: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of type choice with the probability of each of its options."""

    question: dict[str, Any]
    target: tuple[float, ...]


HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
LEADS: Final = ("about {}", "topic: {}", "{} (category)", "it is {}", "label: {}", "“{}”", "→ {}", "{}!", "case: {}")
"""Labels that say more than the name, in a few questions."""


def _words(name: str) -> list[str]:
    return HUMP.sub(" ", name.replace("_", " ").replace("/", " ").replace("-", " ")).split()


def _camel(words: Sequence[str]) -> str:
    return words[0].lower() + "".join(word[:1].upper() + word[1:] for word in words[1:])


STYLES: Final[tuple[tuple[Callable[[list[str]], str], int], ...]] = (
    (" ".join, 8),
    ("_".join, 6),
    (lambda words: " ".join(words)[:1].upper() + " ".join(words)[1:], 3),
    (lambda words: " ".join(word[:1].upper() + word[1:] for word in words), 3),
    (lambda words: "".join(word[:1].upper() + word[1:] for word in words), 2),
    (_camel, 2),
    (lambda words: "_".join(words).upper(), 2),
    ("-".join, 1),
    (lambda words: " ".join(words).upper(), 1),
)
"""Ways to write a name as a label, with weights."""

Coder = Callable[[int], Any]
ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


def _coder(rng: Random, count: int) -> Coder:
    """A way to number `count` options with labels that say nothing."""
    offset = rng.randrange(1, 90)
    coders: list[Coder] = [
        lambda i: f"opt_{i + 1}",
        lambda i: f"option {i + 1}",
        lambda i: f"code {offset + i}",
        lambda i: i + 1,
        str,
        lambda i: f"class_{i}",
        lambda i: f"Q{offset + i}",
        lambda i: f"#{i + 1}",
    ]
    if count <= 26:
        coders += [lambda i: chr(65 + i), lambda i: chr(97 + i), lambda i: f"({chr(97 + i)})"]
    if count <= len(ROMAN):
        coders.append(lambda i: ROMAN[i])
    return rng.choice(coders)


NONE_LABELS: Final = (
    "none of these",
    "none of the above",
    "other",
    "something else",
    "anything else",
    "not listed",
    "no match",
    "unknown",
    "out of scope",
    "none",
    "does not fit any of these",
    "else",
    "not in this list",
    "misc",
    "unsupported",
    "no suitable option",
    "different topic",
)
NONE_DESCRIPTIONS: Final = (
    "anything that the other options do not cover",
    "none of the other options fits",
    "everything else",
    "the text is about something else",
    "not covered by this list",
    "use this if no other option applies",
    "all remaining cases",
    "any other matter",
)


def pick(rng: Random, weighted: Sequence[tuple[Any, float]]) -> Any:
    """One of the values, by weight."""
    return rng.choices([value for value, _ in weighted], [weight for _, weight in weighted])[0]


def instructions(rng: Random, kind: str, noun: str) -> str:
    """An instruction for a kind of task, with the state called `noun` ("the message", "`body`")."""
    templates = VAGUE if kind in VAGUE_KINDS and rng.random() < 0.18 else KINDS[kind]
    text = rng.choice(templates).replace("{text}", noun)
    text = text[:1].upper() + text[1:]
    roll = rng.random()
    if roll < 0.06:
        return text.rstrip("?.:") + ":"
    return text.lower() if roll < 0.1 and "`" not in text else text


def option_count(rng: Random, most: int) -> int:
    """How many options to show: mostly few, now and then very many."""
    roll = rng.random()
    if roll < 0.55:
        count = rng.randint(2, 6)
    elif roll < 0.85:
        count = rng.randint(5, 12)
    elif roll < 0.97:
        count = rng.randint(10, 30)
    else:
        count = rng.randint(25, WIDEST)
    return max(1, min(count, most))


@dataclass(frozen=True, slots=True)
class Shape:
    """What may be done with the options of a task.

    Attributes:
        none: how often a none-of-these option is offered; half of those times the right option is taken away.
        restyle: whether labels may be written as identifiers.
        opaque: how often the labels say nothing and the descriptions say all.
        bare: how often labels stand alone although there are descriptions.
        example: how often an example text serves as description.
    """

    none: float = 0.12
    restyle: bool = True
    opaque: float = 0.1
    bare: float = 0.45
    example: float = 0.08


def ask(rng: Random, text: str, options: Sequence[Option], gold: Sequence[float], shape: Shape) -> Asked:
    """A choice question over options, shuffled and shaped at random.

    Args:
        rng: decides everything.
        text: the instructions.
        options: at least two, or one where `shape.none` is 1.
        gold: probability of each option; all zero means that none of them fits, and then a none option is offered.
        shape: what may be done with the options.
    """
    if not any(gold) or rng.random() < shape.none or len(options) < 2:
        options, gold = _with_none(rng, options, gold)
    order = rng.sample(range(len(options)), len(options))
    shown = [options[i] for i in order]
    return Asked(
        {"type": "choice", "instructions": text, "criteria": _criteria(rng, shown, shape)},
        tuple(float(gold[i]) for i in order),
    )


def _with_none(
    rng: Random, options: Sequence[Option], gold: Sequence[float]
) -> tuple[Sequence[Option], Sequence[float]]:
    none = Option(rng.choice(NONE_LABELS), rng.choice(NONE_DESCRIPTIONS) if rng.random() < 0.7 else "")
    if none.name.casefold() in {option.name.casefold() for option in options}:
        return options, gold
    if not any(gold):
        return [*options, none], [*gold, 1.0]
    kept = [i for i, share in enumerate(gold) if share < RIGHT]
    if kept and len(options) > 2 and rng.random() < 0.5:
        return [*(options[i] for i in kept), none], [*(0.0 for _ in kept), 1.0]
    return [*options, none], [*gold, 0.0]


def _criteria(rng: Random, options: Sequence[Option], shape: Shape) -> Any:
    described = all(option.description for option in options[:-1]) and any(option.description for option in options)
    exampled = sum(bool(option.examples) for option in options) >= len(options) - 1 > 0
    roll = rng.random()
    if exampled and roll < shape.example:
        return _by_example(rng, options, shape)
    if described and roll < shape.example + shape.opaque:
        return _opaque(rng, options)
    if described and roll > shape.example + shape.opaque + shape.bare:
        return _described(rng, options, shape)
    return _labels(rng, [option.name for option in options], shape)


def _labels(rng: Random, names: Sequence[str], shape: Shape) -> list[Any]:
    """Labels of the names in one style; names that become one label are told apart by keeping them as they are."""
    if not shape.restyle:
        return list(names)
    if rng.random() < 0.02:
        lead = rng.choice(LEADS)
        return [lead.format(" ".join(_words(name))) for name in names]
    style = pick(rng, STYLES)
    made = [style(_words(name)) if name.isascii() and "'" not in name else name for name in names]
    return made if len({label.casefold() for label in made}) == len(made) else list(names)


def _described(rng: Random, options: Sequence[Option], shape: Shape) -> dict[Any, Any]:
    labels = _labels(rng, [option.name for option in options], shape)
    edit = _editor(rng)
    return {label: edit(option.description) or None for label, option in zip(labels, options, strict=True)}


def _opaque(rng: Random, options: Sequence[Option]) -> Any:
    """Descriptions that say all: under codes, or as the labels themselves."""
    texts = [option.description or option.name for option in options]
    if len({text.casefold() for text in texts}) < len(texts):
        texts = [f"{option.name}: {text}" for option, text in zip(options, texts, strict=True)]
    if rng.random() < 0.35:
        return texts
    name_only = rng.random() < 0.25
    coder = _coder(rng, len(options))
    return {
        coder(i): option.name if name_only and option.name.isascii() else text
        for i, (option, text) in enumerate(zip(options, texts, strict=True))
    }


def _by_example(rng: Random, options: Sequence[Option], shape: Shape) -> dict[Any, Any]:
    form = rng.choice(
        ("{}", "{}", "e.g. {}", "for example: {}", 'such as "{}"', "{}, {}", "{}; {}", 'like "{}" or "{}"')
    )
    used = form.count("{}")
    texts = [_quoted(rng, option, form, used) for option in options]
    labels = _labels(rng, [option.name for option in options], shape)
    if rng.random() < 0.25:
        coder = _coder(rng, len(options))
        labels = [
            coder(i) if option.examples else label
            for i, (option, label) in enumerate(zip(options, labels, strict=True))
        ]
    return dict(zip(labels, texts, strict=True))


def _quoted(rng: Random, option: Option, form: str, used: int) -> str | None:
    if not option.examples:
        return option.description or None
    if len(option.examples) < used:
        return option.examples[0]
    return form.format(*rng.sample(option.examples, used))


def _editor(rng: Random) -> Callable[[str], str]:
    """A way to write all descriptions of a question."""
    roll = rng.random()
    if roll < 0.7:
        return str
    if roll < 0.85:
        return lambda text: text and text[:1].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")
    lead = rng.choice(
        ("about {}", "use this for: {}", "{} etc.", "when it is about {}", "- {}", "means: {}", "({})", "“{}”")
    )
    return lambda text: text and lead.format(text)
