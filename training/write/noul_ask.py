"""Yes/no concepts, and the many ways to ask whether one holds of a text, straight or denied.

A concept is written down as predicates and clauses. A clause marks its verb, so that the statement, the question and
the denial can be made of it: "{T} ~express joy" gives "The text expresses joy", "Does the text express joy?" and "The
text does not express joy"; "{A} = glad" gives "The author is glad" and so on; "{A} =was late" names another auxiliary.
`{T}` stands for the text and `{A}` for who wrote it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from laya.encoding.reader_denials import third_person
from training.phrases.noul_frames import AUTHOR, DENIED, STRAIGHT, TERSE, TERSE_DENIED, TEXT, VAGUE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

Phrasings = tuple[tuple[str, ...], tuple[str, ...]]
"""Questions and statements that are true where the concept holds, and those that are true where it does not."""
MARK: Final = re.compile(r"^(?P<who>.*?) (?:~(?P<verb>\w+)|=(?P<aux>\w*))(?: (?P<rest>.*))?$")
ARTICLE: Final = re.compile(r"^(?:an?|some|the) ")
PLURAL: Final = frozenset({"are", "were"})
JOINED: Final = 0.15
"""Share of adjectives that are asked with a second one of their concept: "polite and harmless"."""


class Plain(str):
    """Instructions without words that turn them round."""

    __slots__ = ()
    turned = False


class Denied(Plain):
    """Instructions that words such as "not" or "unless" turn round."""

    __slots__ = ()
    turned = True


@dataclass(frozen=True, slots=True)
class Concept:
    """What is asked of a text.

    Attributes:
        name: unit that is held out, without "noul/".
        be: ends of "The text is ...": adjectives, noun phrases with article, "about ...".
        clauses: clauses with a marked verb that are true exactly where the concept holds.
        unbe: as `be`, for the opposite: true exactly where the concept does not hold.
        unclauses: as `clauses`, for the opposite.
        yes: descriptions of texts that the concept holds of.
        no: descriptions of texts that it does not hold of.
        text: nouns for `{T}`.
        author: nouns for `{A}`.
        foreign: phrasings in other languages, by code.
    """

    name: str
    be: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    unbe: tuple[str, ...] = ()
    unclauses: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    text: tuple[str, ...] = TEXT
    author: tuple[str, ...] = AUTHOR
    foreign: Mapping[str, Phrasings] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence in the four forms that frames are filled with."""

    statement: str
    question: str
    denial: str
    denied_question: str

    @classmethod
    def of(cls, marked: str) -> Clause:
        """Read a clause with a marked verb.

        Raises:
            ValueError: no verb is marked.
        """
        found = MARK.match(marked)
        if found is None:
            raise ValueError(f"clause {marked!r} has no verb marked with '~' or '='; mark one")
        who, rest = found["who"], f" {found['rest']}" if found["rest"] else ""
        if found["verb"]:
            verb = found["verb"]
            return cls(
                f"{who} {third_person(verb)}{rest}",
                f"does {who} {verb}{rest}",
                f"{who} does not {verb}{rest}",
                f"does {who} not {verb}{rest}",
            )
        aux = found["aux"] or "is"
        denial = f"{who} {'cannot' if aux == 'can' else f'{aux} not'}{rest}"
        if who == "there":
            return cls(
                f"there {aux}{rest}", f"{aux} there{rest}", f"there {aux} no{bare(rest)}", f"{aux} there no{bare(rest)}"
            )
        return cls(f"{who} {aux}{rest}", f"{aux} {who}{rest}", denial, f"{aux} {who} not{rest}")


def bare(phrase: str) -> str:
    """A noun phrase without its article, with the space that stood before it."""
    return f" {ARTICLE.sub('', phrase.strip())}"


def capital(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def instructions(rng: Random, concept: Concept, denied: bool, noun: str | None = None, lang: str = "en") -> str:
    """A question or statement that is true where the concept holds, or, if denied, where it does not.

    Args:
        rng: source of choices.
        concept: what is asked.
        denied: whether the answer is turned round.
        noun: how to speak of the text, in place of the concept's own nouns.
        lang: language of the text; where the concept has phrasings in it they are used now and then.
    """
    if lang in concept.foreign and rng.random() < 0.4:
        return rng.choice(concept.foreign[lang][denied])
    opposite = bool(concept.unbe or concept.unclauses) and rng.random() < (0.7 if denied else 0.04)
    be = concept.unbe if opposite else concept.be
    clauses = concept.unclauses if opposite else concept.clauses
    turned = denied != opposite
    if be and rng.random() < (0.12 if clauses else 0.3):
        return (Denied if turned else Plain)(_framed(rng, TERSE_DENIED if turned else TERSE, predicate(rng, be)))
    clause = pick_clause(rng, be, clauses, concept, noun)
    return (Denied if turned else Plain)(fill(rng, rng.choice(DENIED if turned else STRAIGHT), clause))


def predicate(rng: Random, be: Sequence[str]) -> str:
    """One of the predicates, or two of a single word joined."""
    chosen, others = rng.choice(be), [other for other in be if " " not in other]
    if chosen not in others or len(others) < 2 or rng.random() >= JOINED:
        return chosen
    second = rng.choice([other for other in others if other != chosen])
    return f"{chosen} {rng.choice(('and', 'and', 'or'))} {second}"


def pick_clause(
    rng: Random, be: Sequence[str], clauses: Sequence[str], concept: Concept, noun: str | None = None
) -> Clause:
    """One of the clauses, or of the predicates made into one, with nouns filled in."""
    marked = rng.choice(clauses) if clauses and (not be or rng.random() < 0.65) else f"{{T}} = {predicate(rng, be)}"
    text = noun or rng.choice(concept.text)
    return Clause.of(marked.replace("{T}", text).replace("{A}", rng.choice(concept.author)))


def fill(rng: Random, frame: str, clause: Clause) -> str:
    """Put the forms of a clause into a frame, and sometimes change what does not matter."""
    filled = frame.format(
        s=clause.statement,
        S=capital(clause.statement),
        q=clause.question,
        Q=capital(clause.question),
        n=clause.denial,
        N=capital(clause.denial),
        nq=clause.denied_question,
        NQ=capital(clause.denied_question),
    )
    chance = rng.random()
    if chance < 0.06:
        return filled.lower()
    return filled.rstrip(".?") if chance < 0.16 else filled


def _framed(rng: Random, frames: Sequence[str], what: str) -> str:
    return rng.choice(frames).format(x=what, X=capital(what), b=bare(what).strip())


def describe(rng: Random, concept: Concept, holds: bool) -> str:
    """A criterion: what a text is like that the concept holds of, or does not."""
    ready = concept.yes if holds else concept.no
    if ready and rng.random() < 0.7:
        return rng.choice((", ", "; ", ", ", " or ")).join(
            rng.sample(ready, min(len(ready), rng.choice((1, 1, 1, 2, 3))))
        )
    if not holds and (concept.unbe or concept.unclauses) and rng.random() < 0.6:
        clause = pick_clause(rng, concept.unbe, concept.unclauses, concept)
        return capital(clause.statement) if rng.random() < 0.5 else clause.statement
    if concept.be and rng.random() < 0.5:
        written = rng.choice(concept.be)
        return written if holds else f"not {written}"
    clause = pick_clause(rng, concept.be, concept.clauses, concept)
    sentence = clause.statement if holds else clause.denial
    return capital(sentence) if rng.random() < 0.5 else sentence


def question(rng: Random, concept: Concept, denied: bool, noun: str | None = None, lang: str = "en") -> dict[str, Any]:
    """A noul question about the concept, in one of its shapes: instructions alone, or with one or two criteria."""
    asked = instructions(rng, concept, denied, noun, lang)
    if rng.random() < 0.76:
        return {"type": "noul", "instructions": asked}
    criteria = {"true": describe(rng, concept, not denied), "false": describe(rng, concept, denied)}
    kept = rng.random()
    if kept < 0.15:
        del criteria["false"]
    elif kept < 0.25:
        del criteria["true"]
    elif kept < 0.5:
        asked = rng.choice(VAGUE)
    return {"type": "noul", "instructions": asked, "criteria": criteria}
