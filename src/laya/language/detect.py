# ruff: noqa: SIM905 -- short lists read better as one string
"""Who names the language of a text: a small protocol, py3langid behind it, lingua as an extra.

A detector sees prose in one Latin or non-Latin script, already stripped of links, code and the like. It abstains
(`language` None) rather than guess: the caller treats that as no evidence.
"""

from __future__ import annotations

import copy
import threading
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable

import numpy as np

from laya.errors import ArgumentError
from laya.extras import require

if TYPE_CHECKING:
    from collections.abc import Iterable

NOT_LANGUAGE: Final = "zxx"
MIN_CONFIDENCE: Final = 0.1
DEFAULT_LANGUAGES: Final = tuple(
    (
        "af ar be bg bn ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk kn ko lt lv "
        "mk ml mn mr ms mt my ne nl no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh"
    ).split()
)
"""Languages named unless told otherwise. Near-English classes (Scots, pidgins) are left out on purpose."""


class Guess(NamedTuple):
    """What a detector says of a text.

    Attributes:
        language: ISO 639 code of two or three letters, None when the detector abstains.
        confidence: 0..1, of the best language even when abstaining.
    """

    language: str | None
    confidence: float


@runtime_checkable
class LanguageDetector(Protocol):
    """Anything that names languages. `identify` may be called from many threads at once."""

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes that `identify` may answer."""
        ...

    def identify(self, text: str) -> Guess:
        """Name the language of a text."""
        ...


class Py3LangidDetector:
    """py3langid, restricted to the languages in play.

    The model (about 5 MB, shared by all instances of the process) is read at the first call of `identify`.

    Args:
        languages: codes to choose among.
        min_confidence: below it the detector abstains. The probabilities of short texts are flat on purpose (the
            model divides its scores by the root of the length), so a low bound is also a bound on the margin.

    Raises:
        ArgumentError: fewer than two languages, or one that py3langid does not know.
    """

    def __init__(self, languages: Iterable[str] = DEFAULT_LANGUAGES, *, min_confidence: float = MIN_CONFIDENCE) -> None:
        self._languages = tuple(dict.fromkeys(languages))
        if len(self._languages) < 2:
            raise ArgumentError(f"languages must name at least two codes to choose among, got {self._languages!r}")
        self._min_confidence = min_confidence
        self._identifier: Any = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._languages)} languages)"

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes that `identify` may answer."""
        return self._languages

    def identify(self, text: str) -> Guess:
        """Name the language of a text; abstains on flat distributions and on what is no language.

        Raises:
            ArgumentError: py3langid does not know one of the languages (at the first call only).
        """
        language, confidence = self._loaded().classify(text)
        unsure = confidence < self._min_confidence or language == NOT_LANGUAGE
        return Guess(None if unsure else language, confidence)

    def _loaded(self) -> Any:
        if self._identifier is None:
            with self._lock:
                if self._identifier is None:
                    self._identifier = _restricted(self._languages)
        return self._identifier


@lru_cache(maxsize=1)
def _model() -> Any:
    from py3langid import langid  # noqa: PLC0415 -- reading the module is the slow part of its import

    return langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)


_MODEL_LOCK = threading.Lock()


def _restricted(languages: tuple[str, ...]) -> Any:
    with _MODEL_LOCK:
        identifier = copy.copy(_model())  # the tables are shared, only the columns are chosen anew
    unknown = sorted(set(languages) - set(identifier.labels))
    if unknown:
        raise ArgumentError(
            f"py3langid does not know the languages {unknown}; choose among {', '.join(sorted(identifier.labels))}, "
            "or pass another detector"
        )
    identifier.set_languages({*languages, NOT_LANGUAGE})
    # rows in one piece and in the type of the product: a quarter less time a text, for some 28 MB
    identifier.nb_ptc = np.ascontiguousarray(identifier.nb_ptc, dtype=np.float32)
    return identifier


class LinguaDetector:
    """lingua: slower and larger (about 100 MB on disk, 0.5 GB in memory), better on single words.

    Args:
        languages: codes to choose among; None = all that lingua has.
        min_confidence: below it the detector abstains.

    Raises:
        MissingExtraError: the extra `lingua` is not installed.
        ArgumentError: fewer than two languages, or one that lingua does not know.
    """

    def __init__(self, languages: Iterable[str] | None = None, *, min_confidence: float = 0.3) -> None:
        lingua = require("lingua", "lingua", "the lingua language detector")
        known = {_lingua_code(language): language for language in lingua.Language.all()}
        self._languages = tuple(known) if languages is None else tuple(dict.fromkeys(languages))
        unknown = sorted(set(self._languages) - known.keys())
        if unknown or len(self._languages) < 2:
            raise ArgumentError(
                f"languages must name at least two codes that lingua knows ({', '.join(sorted(known))}); "
                f"got {self._languages!r}"
            )
        chosen = [known[code] for code in self._languages]
        self._detector = lingua.LanguageDetectorBuilder.from_languages(*chosen).build()
        self._min_confidence = min_confidence

    @property
    def languages(self) -> tuple[str, ...]:
        """Codes that `identify` may answer."""
        return self._languages

    def identify(self, text: str) -> Guess:
        """Name the language of a text; abstains below the confidence asked for."""
        ranked = self._detector.compute_language_confidence_values(text)
        if not ranked:
            return Guess(None, 0.0)
        best = ranked[0]
        return Guess(_lingua_code(best.language) if best.value >= self._min_confidence else None, float(best.value))


def _lingua_code(language: Any) -> str:
    code: str = language.iso_code_639_1.name.lower()
    return {"nb": "no"}.get(code, code)
