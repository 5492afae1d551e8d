# ruff: noqa: SIM905 -- short lists read better as one string
"""Language codes as callers write them, checked by langcodes."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from laya.errors import ArgumentError, ArgumentTypeError

ABSTAIN: Final = frozenset({"", "c", "mul", "posix", "und", "zxx"})
"""What says nothing about a language: an empty setting, the locales C and POSIX, "several", "undetermined", "none"."""
NAMES: Final = dict(
    pair.split(":")
    for pair in (
        "arabic:ar bengali:bn bulgarian:bg catalan:ca chinese:zh croatian:hr czech:cs danish:da dutch:nl english:en "
        "estonian:et finnish:fi french:fr german:de greek:el hebrew:he hindi:hi hungarian:hu indonesian:id italian:it "
        "japanese:ja korean:ko norwegian:no polish:pl portuguese:pt romanian:ro russian:ru spanish:es swedish:sv "
        "thai:th turkish:tr ukrainian:uk urdu:ur vietnamese:vi"
    ).split()
)
"""English names that are taken for codes."""


MACRO: Final = {"nb": "no", "nn": "no"}
"""Beside what langcodes folds into a macrolanguage itself (cmn, arb, ...)."""


def language_code(value: object, *, index: int | None = None) -> str | None:
    """Read a language code: "en", "EN-us", "en_US.UTF-8", "eng", "english".

    Args:
        value: a BCP 47 tag, an ISO 639 code of two or three letters, a locale, or an English name of a common
            language; None says nothing.
        index: position of the request, for errors.

    Returns:
        The code of the language alone, as short as possible ("en", "pt", "zh"), or None where the value says nothing
        (None, blank, "und", "zxx", "mul", "C", "POSIX").

    Raises:
        ArgumentTypeError: not a string.
        ArgumentError: no language has this code.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise ArgumentTypeError(
            f"lang must be a language code such as 'en' or 'pt-BR', got {value!r} of type {type(value).__name__}",
            index=index,
            path="lang",
        )
    code = _read(value)
    if code is None:
        raise ArgumentError(
            f"lang {value!r} is not a language code; use an ISO 639 code or a BCP 47 tag such as 'en' or 'pt-BR', "
            "or leave it out to have the language detected",
            index=index,
            path="lang",
        )
    return code or None


@lru_cache(maxsize=512)
def _read(value: str) -> str | None:
    """The code, "" where the value says nothing, None where it is no code."""
    tag = value.strip().split(".")[0].split("@")[0].replace("_", "-").lower()
    if tag in ABSTAIN:
        return ""
    if tag in NAMES:
        return NAMES[tag]
    import langcodes  # noqa: PLC0415 -- its tables take longer to import than the rest of a cheap `import laya`

    try:
        if not tag.isascii() or not langcodes.tag_is_valid(tag):
            return None
        language = langcodes.Language.get(tag).prefer_macrolanguage().language
    except ValueError:
        return None
    if language is not None and not 2 <= len(language) <= 3:
        return None
    return "" if language is None or language in ABSTAIN else MACRO.get(language, language)
