"""Languages of the sets that have many."""

from __future__ import annotations

from typing import Final

# fmt: off
HASS: Final = (
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "eu", "fa", "fi", "fr", "ga", "gl",
    "he", "hi", "hr", "hu", "id", "is", "it", "ja", "ka", "ko", "kw", "lb", "lt", "lv", "ml", "mn", "ms",
    "ne", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "sw", "te", "th", "tr", "uk", "ur",
    "vi", "zh",
)
XED: Final = (
    "ar", "bg", "cs", "da", "de", "el", "en", "es", "fi", "fr", "he", "hr", "hu", "it", "nl", "no", "pl",
    "pt", "ro", "ru", "sl", "sr", "sv", "tr",
)
HATE: Final = ("en", "ar", "nl", "fr", "de", "hi", "it", "zh", "pl", "pt", "es")
BOTS: Final = ("en", "de", "es", "fr", "it", "zh")
# fmt: on
