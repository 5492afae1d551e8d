"""What language a state is in, as far as routing needs to know: English, foreign, or undecided.

The texts of the state are taken apart by field, line and clause. Scripts are counted first; Latin-script prose is then
judged as a whole, and, where that reads English, clause by clause: the part that matters may be the foreign one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from typing_extensions import NotRequired, TypedDict

from laya.language.detect import Py3LangidDetector
from laya.language.judge import DETECTOR_CHARS, ENGLISH, judge
from laya.language.leaves import Leaf, sample, text_leaves
from laya.language.noise import strip_noise
from laya.language.script import (
    LANGUAGE_OF,
    LATIN,
    SEVERAL_LANGUAGES,
    UNKNOWN,
    fold,
    letter_script,
    profile_of,
    script_counts,
)
from laya.language.words import WORD, count_words, find_words

if TYPE_CHECKING:
    from collections.abc import Collection

    from laya.language.detect import LanguageDetector
    from laya.language.words import WordCount

ReasonCode = Literal[
    "no_letters",
    "non_latin_script",
    "foreign_script_segment",
    "foreign_language",
    "foreign_unnamed",
    "foreign_segment",
    "english",
    "undecided",
]
CLAUSE: Final = re.compile(r"(?<=[.!?;:…])\s+|\s[-\u2013\u2014|/]\s|\n")
MIN_CLAUSE_WORDS: Final = 3
MIN_CLAUSE_FOREIGN: Final = 2
MIN_CLAUSE_CONFIDENCE: Final = 0.8
MAX_CLAUSES: Final = 64
"""Clauses with unknown words that are shown to the detector at most."""
# foreign script inside Latin text matters from so many words, letters, or letters and share of all letters on
MATTERS_WORDS, MATTERS_LETTERS, MATTERS_FEW, MATTERS_SHARE = 3, 10, 4, 0.2
SHOWN: Final = 200
"""Characters of a foreign segment that are reported at most."""
REMEMBERED, REMEMBERED_CHARS = 256, 2000
"""Texts whose detection is kept, and their length at most: the same text is often asked several things."""


class Source(TypedDict):
    """Where a segment stands: path of the field, line inside it from 1."""

    path: str
    line: int


class Diagnostic(TypedDict):
    """Why, in detail.

    `stage` names the step that decided; `words` counts English words (own), words shared with other languages,
    foreign words and names; `sampled` says that a long state was judged by its head, middle and tail.
    """

    stage: Literal["script", "whole", "segment"]
    reason: ReasonCode
    source: Source | None
    words: dict[str, int]
    sampled: bool


class Detection(TypedDict):
    """What language a state is in.

    `is_english` means that the whole state may go to an English checkpoint; then `language` is "en". With
    `language_undecided` it is False and `language` None. A foreign state may have no name (`language` None).
    `script` is the script of most letters ("unknown" without letters), `script_profile` the share of each;
    `mixed_segment` the foreign part of a mostly English state; `confidence` the probability of the verdict.
    """

    script: str
    script_profile: dict[str, float]
    non_latin_fraction: float
    language: str | None
    is_english: bool
    language_undecided: bool
    mixed_segment: str | None
    confidence: float
    reason_code: ReasonCode
    diagnostic: NotRequired[Diagnostic]


class Segment(NamedTuple):
    """One line of one field, disguises and noise removed."""

    path: str
    line: int
    text: str


class Text(NamedTuple):
    """All that is judged of a state: its segments, their text, its letters by script, its words in Latin script."""

    segments: list[Segment]
    whole: str
    counts: dict[str, int]
    shares: dict[str, float]
    words: list[str]
    tally: WordCount


class Finding(NamedTuple):
    """The outcome of a step: reason, language, confidence, and the segment that decided, if one did."""

    reason: ReasonCode
    language: str | None = None
    confidence: float = 1.0
    segment: Segment | None = None


@lru_cache(maxsize=1)
def default_detector() -> LanguageDetector:
    """The detector used where none is given: py3langid over its usual languages, one per process."""
    return Py3LangidDetector()


def analyse(
    state: object,
    detector: LanguageDetector | None = None,
    languages: Collection[str] | None = None,
    *,
    explain: bool = False,
) -> Detection:
    """Say what language a state is in.

    Args:
        state: a text, or any JSON value; the texts in it are judged, keys and numbers are not. A state of more than
            `leaves.MAX_CHARS` characters is judged by its head, middle and tail.
        detector: names languages; None = `default_detector()`.
        languages: codes that may be reported; a foreign state in another language stays foreign, with no name.
        explain: add the `diagnostic`.
    """
    if type(state) is str and len(state) <= REMEMBERED_CHARS and detector is None and languages is None and not explain:
        return _copied(_remembered(state))
    return _analyse(state, detector, languages, explain=explain)


@lru_cache(maxsize=REMEMBERED)
def _remembered(text: str) -> Detection:
    return _analyse(text, None, None, explain=False)


def _copied(detection: Detection) -> Detection:
    """A copy that shares nothing that can be changed; for one without diagnostic."""
    copied = detection.copy()
    copied["script_profile"] = detection["script_profile"].copy()
    return copied


def _analyse(
    state: object, detector: LanguageDetector | None, languages: Collection[str] | None, *, explain: bool
) -> Detection:
    leaves, cut = sample(text_leaves(state))
    text = _read(leaves)
    finding = _by_script(text, detector) or _by_words(text, detector or default_detector())
    detection = _detection(text, finding, languages)
    if explain:
        detection["diagnostic"] = _diagnostic(finding, text.tally, sampled=cut)
    return detection


def _read(leaves: list[Leaf]) -> Text:
    segments = _segments(leaves)
    whole = "\n".join(segment.text for segment in segments)
    # of a single script only the presence matters
    counts = {LATIN: 1} if segments and whole.isascii() else script_counts(whole)
    words = find_words(whole) if LATIN in counts else []
    if len(counts) > 1:
        words = [word for word in words if letter_script(word[0]) == LATIN]
    return Text(segments, whole, counts, profile_of(counts), words, count_words(words))


def _detection(text: Text, finding: Finding, languages: Collection[str] | None) -> Detection:
    english = finding.reason == "english"
    known = languages is None or english or finding.language in languages
    return Detection(
        script=next(iter(text.shares), UNKNOWN),
        script_profile=text.shares,
        non_latin_fraction=1.0 - text.shares.get(LATIN, 0.0) if text.shares else 0.0,
        language=finding.language if known else None,
        is_english=english,
        language_undecided=finding.reason in {"no_letters", "undecided"},
        mixed_segment=finding.segment and finding.segment.text.strip()[:SHOWN],
        confidence=finding.confidence,
        reason_code=finding.reason,
    )


def _diagnostic(finding: Finding, count: WordCount, *, sampled: bool) -> Diagnostic:
    by_script = finding.reason in {"no_letters", "non_latin_script", "foreign_script_segment"}
    segment = finding.segment
    return Diagnostic(
        stage="script" if by_script else "segment" if segment else "whole",
        reason=finding.reason,
        source=Source(path=segment.path, line=segment.line) if segment else None,
        words={"own": count.own, "shared": count.shared, "foreign": len(count.foreign), "names": count.names},
        sampled=sampled,
    )


def _segments(leaves: list[Leaf]) -> list[Segment]:
    """The lines with something to judge. Tags ("open", "user") count only where there is nothing else."""
    prose: list[Segment] = []
    tags: list[Segment] = []
    for leaf in leaves:
        lines = _lines(leaf)
        tag = leaf.keyed and len(lines) == 1 and len(WORD.findall(lines[0].text)) == 1
        (tags if tag else prose).extend(lines)
    return prose or tags


def _lines(leaf: Leaf) -> list[Segment]:
    lines = enumerate(strip_noise(fold(leaf.text)).split("\n"), 1)
    return [Segment(leaf.path, number, line) for number, line in lines if WORD.search(line) or script_counts(line)]


def _by_script(text: Text, detector: LanguageDetector | None) -> Finding | None:
    """What the scripts alone decide, if they do."""
    if not text.counts:
        return Finding("no_letters")
    if next(iter(text.shares)) != LATIN:
        return Finding("non_latin_script", _name(_non_latin(text.whole), text.counts, detector))
    if len(text.counts) == 1:
        return None
    parts = [(segment, _non_latin(segment.text, names=False)) for segment in text.segments]
    words = [word for _, found in parts for word in found]
    size = sum(map(len, words))
    share = size / sum(text.counts.values())
    if len(words) < MATTERS_WORDS and size < MATTERS_LETTERS and (size < MATTERS_FEW or share < MATTERS_SHARE):
        return None
    segment, found = max(parts, key=lambda part: sum(map(len, part[1])))
    clause = " ".join(found)
    language = _name(found, script_counts(clause), detector)
    return Finding("foreign_script_segment", language, 1.0, segment._replace(text=clause))


def _non_latin(text: str, *, names: bool = True) -> list[str]:
    """Runs without blanks that start with a letter of another script; capitalised ones only with `names`."""
    found = []
    for token in text.split():
        word = token.lstrip("\"'([{«\u201c\u2018\u201e¿¡<")
        script = letter_script(word[:1]) if word and not word.isascii() else None
        if script not in {None, LATIN} and (names or not word[0].isupper()):
            found.append(word)
    return found


def _name(words: list[str], counts: dict[str, int], detector: LanguageDetector | None) -> str | None:
    """Language of words in another script: by the script where that suffices, else by the detector."""
    if "kana" in counts:
        return LANGUAGE_OF["kana"]
    script = next((script for script in profile_of(counts) if script != LATIN), UNKNOWN)
    if script not in SEVERAL_LANGUAGES:
        return LANGUAGE_OF.get(script)
    guess = (detector or default_detector()).identify(" ".join(words)[:DETECTOR_CHARS])
    return None if guess.language == ENGLISH else guess.language


def _by_words(text: Text, detector: LanguageDetector) -> Finding:
    """What the words of Latin-script text say."""
    if not text.words:
        return Finding("no_letters")
    verdict = judge(text.words, text.tally, detector)
    if verdict.english is False:
        reason: ReasonCode = "foreign_language" if verdict.language else "foreign_unnamed"
        return Finding(reason, verdict.language, verdict.confidence)
    if len(text.tally.foreign) >= MIN_CLAUSE_FOREIGN:
        clause = _foreign_clause(text.segments, detector)
        if clause:
            return clause
    if verdict.english:
        return Finding("english", ENGLISH, verdict.confidence)
    return Finding("undecided", None, verdict.confidence)


def _foreign_clause(segments: list[Segment], detector: LanguageDetector) -> Finding | None:
    """The first clause that is foreign beyond doubt."""
    clauses = (segment._replace(text=text) for segment in segments for text in CLAUSE.split(segment.text))
    suspects = (clause for clause in clauses if _suspicious(clause.text))
    for clause in islice(suspects, MAX_CLAUSES):
        words = find_words(clause.text)
        verdict = judge(words, count_words(words), detector)
        if verdict.english is False and verdict.language and verdict.confidence >= MIN_CLAUSE_CONFIDENCE:
            return Finding("foreign_segment", verdict.language, verdict.confidence, clause)
    return None


def _suspicious(text: str) -> bool:
    words = find_words(text)
    if len(words) < MIN_CLAUSE_WORDS:
        return False
    count = count_words(words)
    unknown = len(count.foreign)
    return unknown > count.own and (
        unknown > MIN_CLAUSE_FOREIGN or (unknown == MIN_CLAUSE_FOREIGN and count.giveaways > 0)
    )
