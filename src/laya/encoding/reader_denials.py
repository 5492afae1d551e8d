"""Plain English denials, read as the statement that they deny.

"The text does not mention a price" holds exactly where "The text mentions a price" does not. A trunk reads both nearly
alike, or the first as its opposite ("does not express joy" as displeasure), so the answer is better had from the second
one and turned round. Taken off is a denial of the sentence itself: of its verb, after a subject that stands for the
state, a side of it or its writer, or by the words around it ("It is not true that ..."). What denies in other ways, in
other languages, or a part of a sentence is left to the reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

NOUN: Final = (
    r"(?:text|message|passage|input|content|statement|document|sentence|comment|review|tweet|post|e?-?mail|letter|ticket|"
    r"request|query|question|prompt|article|paragraph|conversation|dialogue|chat|transcript|note|headline|title|"
    r"description|answer|reply|response|feedback|complaint|entry|record|report|state|utterance|turn|claim|command|"
    r"instruction|story|experience|topic|subject|theme|tone|sentiment|style|intent|mood|label|author|writer|speaker|"
    r"person|user|sender|customer|client|caller|buyer|reviewer|commenter|patient|guest)"
)
"""What stands for the state, for a side of it, or for who wrote it."""
WHO: Final = (
    rf"(?P<who>it|this|that|there|one|somebody|someone|whoever wrote (?:it|this)|`[^`]{{1,40}}`|"
    rf"(?:the|this|that|my|our|your|a|an)(?: [\w'-]+){{0,2}}? {NOUN}"
    rf"(?: (?:of|for|in) (?:it|this|(?:the|this) {NOUN}))?(?: (?:expressed|shown|described|written) here)?)"
)
ORDER: Final = (
    r"(?:answer|check|claim|confirm|consider|decide|determine|find|flag|given|hypothesis|judge|mark|please|read|reply|"
    r"respond|return|say|see|statement|task|tell|true or false|verify|yes or no|you (?:get|are|will)|your task)"
)
"""Words that tell what to do with a sentence, and say nothing themselves."""
LEAD: Final = (
    rf"(?P<lead>(?:(?:{ORDER}|it is|it's|one can|is it|would you|can (?:one|you)|do you|we|true|a careful)\b"
    r"[^.?!:]{0,50}?(?::|\b(?:that|whether|if|where|when|unless)) )?)"
)
WHOLE: Final = (
    r"(?!(?:only|just|merely|simply|necessarily|always|all|every|entirely|completely|sure|certain|clear|be that|yet)\b)"
)
"""A denial in front of these is not one of the whole."""
REST: Final = (
    rf"(?P<rest>{WHOLE}(?:(?!,? but |,? and (?:it|he|she|they|the|this|does|is|has|was) )[^.?!:;]|\.(?=\d))+?)"
    r"(?: at all)?"
)
END: Final = r"(?P<end>[.?!]*)"
FALSE: Final = r"(?:false|untrue|wrong|incorrect|a mistake|not true|not the case|not correct|not right|not so)"
HOLDS: Final = (
    r"(?:contains?|mentions?|shows?|gives?|names?|includes?|express(?:es)?|makes?|offers?|states?|asks? for|uses?)"
)
HINT: Final = r"(?:no|not any) (?:sign|indication|evidence|hint|suggestion)"
FRAME: Final = re.compile(rf"{ORDER}\b(?![^.?!:]*\b(?:if|unless|no if|that|whether)\b)[^.?!:]*[.:] ", re.IGNORECASE)
"""A sentence in front that says what is to be done."""
ANY: Final = re.compile(r"\bany(?=\b|thing\b|one\b|body\b|where\b)", re.IGNORECASE)
IRREGULAR: Final = {"have": "has", "do": "does", "go": "goes"}
LONGEST: Final = 400
"""Characters of instructions that may be one denied sentence."""
DEPTH: Final = 4
"""Denials of denials that are followed."""

Turn = Callable[["re.Match[str]"], str]


def affirmed(instructions: str) -> tuple[str, bool]:
    """The instructions of a yes/no question without denials, and whether the answer turns round with that.

    Returns:
        The same text and False where nothing was denied; a denial of a denial turns the answer back.
    """
    if len(instructions) > LONGEST:
        return instructions, False
    frame, text, turned = "", " ".join(instructions.replace("’", "'").split()), False  # noqa: RUF001 - typeset
    while found := FRAME.match(text):
        frame, text = frame + found[0], text[found.end() :]
    plain = text
    for _ in range(DEPTH):
        told = _without_one(plain)
        if told is None:
            break
        plain, turned = told, not turned
    return (instructions, False) if plain is text else (frame + plain, turned)


def _without_one(text: str) -> str | None:
    for pattern, turn in RULES:
        if found := _compiled(pattern).fullmatch(text):
            told = turn(found)
            return told[:1].upper() + told[1:] if text[:1].isupper() else told
    return None


def third_person(verb: str) -> str:
    """A verb as it follows he, she or it."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _verb(found: re.Match[str]) -> str:
    verb, aux = found["verb"], found["aux"].lower()
    told = third_person(verb) if aux == "does" else f"did {verb}" if aux == "did" else verb
    return _joined(found, f"{found['lead']}{found['who']} {told}")


def _joined(found: re.Match[str], start: str) -> str:
    """The start of a sentence and its rest; "any" wants a denial, so it becomes "some"."""
    return f"{start} {ANY.sub('some', found['rest'] or '')}".rstrip() + (found["end"] or "")


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when first wanted: importing the package should not wait for it."""
    return re.compile(pattern, re.IGNORECASE)


def _rule(pattern: str, told: str | Turn) -> tuple[str, Turn]:
    """A pattern, and what comes before the rest: a format string over its groups, or a function."""
    if isinstance(told, str):
        return pattern, lambda m: _joined(m, told.format_map(m.groupdict())).lstrip()
    return pattern, told


RULES: Final[tuple[tuple[str, Turn], ...]] = (
    _rule(rf"(?:say (?:whether|if) )?it(?:'s| is| would be) {FALSE}(?: to (?:say|claim))? that {REST}{END}", ""),
    _rule(rf"it isn't (?:true|the case|correct|right) that {REST}{END}", ""),
    _rule(rf"(?:is|would) it (?:be )?{FALSE}(?: to (?:say|claim))? that {REST}{END}", "Is it true that"),
    _rule(rf"(?:there is|is there) {HINT} that {REST}{END}", ""),
    _rule(rf"(?:nothing suggests|by no means can (?:one|you) say|(?:one|you) cannot say) that {REST}{END}", ""),
    _rule(rf"(?:nobody|no one) would say that {REST}{END}", ""),
    _rule(
        rf"the claim that (?P<said>.+?) (?:does not hold|is false|is not true|is wrong){END}",
        lambda m: m["said"] + m["end"],
    ),
    _rule(rf"answer no if (?P<rest>.+?),? (?:and|or|else) yes(?: otherwise)?{END}", "Answer yes if"),
    _rule(rf"(?:false|no) if (?P<rest>.+?),? (?:else|otherwise) (?:true|yes){END}", "True if"),
    _rule(rf"return false if (?P<rest>.+?),? (?:and|else) true(?: otherwise)?{END}", "Return true if"),
    _rule(rf"(?P<do>true|yes|flag it|mark it) unless {REST}{END}", "{do} if"),
    _rule(rf"{LEAD}{WHO} (?P<aux>does|do|did)(?: not|n't) {WHOLE}(?P<verb>[\w-]+)(?: {REST})?{END}", _verb),
    _rule(rf"{LEAD}{WHO} (?P<aux>is|are|was|were|has|have|had|would)(?: not|n't) {REST}{END}", "{lead}{who} {aux}"),
    _rule(rf"{LEAD}(?P<aux>does|do|did|is|are|was|were|has) {WHO} not {REST}{END}", "{lead}{aux} {who}"),
    _rule(rf"{LEAD}(?P<who>it|this|that|there)'s not {REST}{END}", "{lead}{who} is"),
    _rule(rf"{LEAD}{WHO} never {REST}{END}", "{lead}{who}"),
    _rule(rf"{LEAD}{WHO} (?P<verb>is|are|has|have|{HOLDS}) no {REST}{END}", "{lead}{who} {verb}"),
    _rule(rf"{LEAD}(?P<aux>is|are) there (?:no|not any) {REST}{END}", "{lead}{aux} there"),
    _rule(rf"{LEAD}does {WHO} (?P<verb>have|{HOLDS}) no {REST}{END}", "{lead}does {who} {verb}"),
    _rule(rf"{LEAD}{WHO} (?:lacks|is (?:free of|without)) {REST}{END}", "{lead}{who} contains"),
    _rule(
        rf"{LEAD}(?P<ask>(?:(?:is|does) )?){WHO}(?P<verb>(?: \w+){{0,2}}) (?:some|any)thing other than {REST}{END}",
        "{lead}{ask}{who}{verb}",
    ),
    _rule(rf"(?:(?:some|any)thing )?other than {REST}{END}", ""),
    _rule(rf"anything (?:but|except) {REST}{END}", ""),
    _rule(rf"not {REST}{END}", ""),
)
"""What is looked for, and what comes in its place; the first that fits counts."""
