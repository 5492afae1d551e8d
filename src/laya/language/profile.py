"""What language a state is in, as far as routing needs to know: English, foreign, or undecided.

The texts of the state are taken apart by field, line and clause. Scripts are counted first; Latin-script prose is then
judged as a whole, and, where that reads English, clause by clause: the part that matters may be the foreign one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from typing_extensions import NotRequired, TypedDict

from laya.language.detect import Guess, Py3LangidDetector
from laya.language.judge import DETECTOR_CHARS, ENGLISH, Verdict, judge
from laya.language.leaves import Leaf, sample, text_leaves
from laya.language.noise import strip_noise
from laya.language.script import LATIN, UNKNOWN, fold, letter_script, profile_of, script_counts
from laya.language.words import WORD, count_words, find_words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from laya.language.detect import LanguageDetector

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
