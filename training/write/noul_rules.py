"""Rules that tell whether a text has something, and that leave out what they cannot tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from training.phrases import noul_words as words

Test = Callable[[str], "bool | None"]
"""True where a text has it, False where it does not, None where a reader might say either."""
WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?")
CLOCK: Final = re.compile(
    r"\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b|\bo'clock\b|\bnoon\b|\bmidnight\b", re.IGNORECASE
)
MONEY: Final = re.compile(r"[$€£¥]\s?\d|\b\d[\d,.]* ?(?:dollars?|euros?|pounds|cents|usd|eur|bucks)\b", re.IGNORECASE)
PERCENT: Final = re.compile(r"\d ?%|\bper ?cent\b|\bpercentage\b", re.IGNORECASE)
YEAR: Final = re.compile(r"\b(?:1[5-9]\d\d|20[0-4]\d)s?\b")
DATE: Final = re.compile(
    r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:%s) \d{1,2}(?:st|nd|rd|th)?\b|\b\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:%s)\b"
    % (("|".join(sorted(words.MONTHS | {"may"})),) * 2),
    re.IGNORECASE,
)
ENDS: Final = re.compile(r"[.!?][\"')]?\s+[A-Z\"'(]")
PAST: Final = words.listed(
    "was were did had went said came took got saw made knew told became thought found left felt began ran died born "
    "won lost"
)
PRESENT: Final = words.listed(
    "is are am has have do does can will would could may should says goes makes takes gets knows thinks likes lives "
    "needs wants looks works"
)
UNREAL: Final = re.compile(
    r"\bi (?:do )?wish\b|\bif only\b|\b(?:would|could|should|might)(?:n't| not)? have (?:\w+ "
    r")?(?:been|\w+ed|had|gone|done|made|taken|bought|got|gotten|known)\b"
    r"|\bif (?:it|they|he|she|we|you|i|this|that) (?:had|were)\b",
    re.IGNORECASE,
)
ABBREVIATED: Final = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|vs|etc|No|Inc|U\.S|[A-Z])\.")


def tokens(text: str) -> list[str]:
    """Lower-cased words."""
    return WORD.findall(text.lower().replace("\u2019", "'"))


def has(kind: frozenset[str]) -> Test:
    """Whether a text has a word of a list."""
    return lambda text: not kind.isdisjoint(tokens(text))


def _negated(text: str) -> bool:
    found = tokens(text)
    return any(word in words.NEGATIONS or word.endswith("n't") for word in found)


def _number(text: str) -> bool | None:
    if any(letter.isdigit() for letter in text):
        return True
    spelled = words.NUMBERS.intersection(tokens(text))
    return None if "one" in spelled or "second" in spelled else bool(spelled)


def _unreal(text: str) -> bool | None:
    if UNREAL.search(text):
        return True
    return None if not {"if", "wish", "would", "could", "should", "hope", "might"}.isdisjoint(tokens(text)) else False


def _question(text: str) -> bool | None:
    first = next(iter(tokens(text)), "")
    if text.rstrip().endswith("?"):
        return True
    return None if "?" in text or first in words.ASKERS or not text.rstrip().endswith(".") else False


def _command(text: str) -> bool | None:
    found = tokens(text)
    if found and found[0] in words.COMMANDS and not text.rstrip().endswith("?"):
        return True
    return (
        None
        if not words.COMMANDS.isdisjoint(found[:4]) or "?" in text or not {"you", "please"}.isdisjoint(found)
        else False
    )


def _past(text: str) -> bool | None:
    found = set(tokens(text))
    was, now = bool(found & PAST), bool(found & PRESENT)
    return None if was == now or "?" in text else was


def _sentences(text: str) -> bool | None:
    if ABBREVIATED.search(text) or "\n" in text:
        return None
    return len(ENDS.findall(text)) >= 1 or (None if re.search(r"[.!?;] ", text) else False)


def _first(text: str) -> bool | None:
    found = tokens(text)
    return None if '"' in text else not words.FIRST.isdisjoint(found)


def _listed(text: str) -> bool | None:
    if re.search(r"\w+, \w+(?: \w+)?,? and \w+", text):
        return True
    return False if "," not in text and " and " not in text else None


def _capitals(text: str) -> bool | None:
    letters = [letter for letter in text if letter.isalpha()]
    return all(letter.isupper() for letter in letters) if len(letters) > 8 else None


def _length(text: str) -> bool | None:
    count = len(text.split())
    return True if count <= 7 else False if count >= 22 else None


def _marks(pattern: str, barred: str | None = None) -> Test:
    wanted, other = re.compile(pattern, re.IGNORECASE), re.compile(barred, re.IGNORECASE) if barred else None

    def test(text: str) -> bool | None:
        if wanted.search(text):
            return True
        return None if other and other.search(text) else False

    return test


def _date(text: str) -> bool | None:
    if DATE.search(text):
        return True
    return (
        None
        if not (words.MONTHS | words.DAYS | {"today", "tomorrow", "yesterday", "may"}).isdisjoint(tokens(text))
        or YEAR.search(text)
        else False
    )


def _year(text: str) -> bool | None:
    return True if YEAR.search(text) else None if re.search(r"\d{3,}|\d0s|'\d\d", text) else False


def _time(text: str) -> bool | None:
    return (
        True
        if CLOCK.search(text)
        else None
        if not {"clock", "morning", "evening", "time", "night", "am", "pm"}.isdisjoint(tokens(text))
        else False
    )


def _money(text: str) -> bool | None:
    return (
        True
        if MONEY.search(text)
        else None
        if re.search(r"dollar|euro|pound|cent\b|\bfree\b|[$€£]", text, re.IGNORECASE)
        else False
    )


TESTS: Final[dict[str, Test]] = {
    "number": _number, "digit": lambda text: any(letter.isdigit() for letter in text), "weekday": has(words.DAYS),
        "month": has(words.MONTHS),
    "date": _date, "time": _time, "year": _year, "money": _money, "percentage": lambda text: bool(PERCENT.search(text)),
    "negation": _negated, "question_mark": lambda text: "?" in text, "exclamation": lambda text: "!" in text,
    "repeated_marks": _marks(r"[!?]{2,}", r"\.\.|--"), "quotation": _marks(r"\"[^\"]{3,}\"|“[^”]{3,}”",
        r"[\"“”]|\bsaid\b|'\w+ \w+'"),
    "parentheses": _marks(r"\(\w[^)]+\)", r"[()\[\]]"), "list": _listed, "hashtag": _marks(r"#[a-z]\w+", "#"),
    "condition": _marks(r"\b(?:if|unless|provided that)\b", r"\b(?:when|whether|in case|as long as)\b"),
    "reason": _marks(r"\b(?:because|due to|since|therefore|that is why)\b",
        r"\b(?:as|so|for|thus|why|cause|reason|make|makes)\b"),
    "contrast": _marks(r"\b(?:but|however|although|though)\b", r"\b(?:while|yet|despite|whereas|instead|still)\b"),
    "future": _marks(r"\b(?:will|going to|shall|i'll|we'll|won't|gonna)\b",
        r"\b(?:would|tomorrow|next|plan|want|should|hope|soon|may|might|can|could|to)\b"),
    "obligation": _marks(r"\b(?:must|have to|has to|need to|needs to|should|ought to)\b",
        r"\b(?:need|had to|supposed|required|necessary|shall|please)\b|^\w+ \w+ \w+$"),
    "possibility": _marks(r"\b(?:maybe|might|perhaps|possibly|i think|not sure|i guess|probably)\b",
        r"\b(?:may|could|would|seems?|likely|if|believe|should|can|\?)\b|\?"),
    "please": has(frozenset({"please"})), "thanks": _marks(r"\b(?:thanks|thank you|thank u)\b",
        r"\b(?:thank|thankful|appreciate|grateful)\w*"),
    "greeting": _marks(r"^(?:hi|hello|hey|good morning|good evening|dear)\b", r"\b(?:hi|hello|hey|greet|dear|morning)"),
    "first_person": _first,
        "second_person": lambda text: None if '"' in text else not words.SECOND.isdisjoint(tokens(text)),
    "past": _past, "question": _question, "command": _command, "several_sentences": _sentences, "capitals": _capitals,
    "lower": lambda text: text == text.lower() if len(text) > 8 and not text.isdigit() else None, "short": _length,
    "counterfactual": _unreal,
    "comparative": _marks(r"\b(?:more|less|better|worse|bigger|smaller|larger|faster|older|cheaper|higher|lower) "
        r"(?:\w+ )?than\b", r"\b(?:than|as|like|\w+er|\w+est|more|most|less|same|different|best|worst)\b"),
}  # fmt: skip
