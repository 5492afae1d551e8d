"""What language a text is in, as far as routing needs to know.

`analyse` says of a state whether an English checkpoint can read it; `LanguageDetector` is the protocol behind it,
`Py3LangidDetector` the default and `LinguaDetector` the extra; `language_code` reads codes that callers give.
"""

from laya.language.codes import language_code
from laya.language.detect import DEFAULT_LANGUAGES, Guess, LanguageDetector, LinguaDetector, Py3LangidDetector
from laya.language.profile import Detection, Diagnostic, ReasonCode, Source, analyse, default_detector
from laya.language.script import detect_script, script_profile

__all__ = [
    "DEFAULT_LANGUAGES",
    "Detection",
    "Diagnostic",
    "Guess",
    "LanguageDetector",
    "LinguaDetector",
    "Py3LangidDetector",
    "ReasonCode",
    "Source",
    "analyse",
    "default_detector",
    "detect_script",
    "language_code",
    "script_profile",
]
