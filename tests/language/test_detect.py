import importlib.util
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

from laya.errors import ArgumentError, MissingExtraError
from laya.language import (
    DEFAULT_LANGUAGES,
    Guess,
    LanguageDetector,
    LinguaDetector,
    Py3LangidDetector,
    analyse,
    default_detector,
)

TEXTS = {
    "en": "I would like to return the shoes that I bought yesterday",
    "de": "Ich möchte die Schuhe zurückgeben, die ich gestern gekauft habe",
    "fr": "Je voudrais rendre les chaussures que j'ai achetées hier",
    "ru": "Я хочу вернуть обувь, которую купил вчера",
    "ja": "昨日買った靴を返品したいのですが",
}


@pytest.mark.parametrize("language", TEXTS)
def test_py3langid_names_whole_sentences(language):
    guess = default_detector().identify(TEXTS[language])
    assert guess.language == language
    assert 0.5 < guess.confidence <= 1


@pytest.mark.parametrize("text", ["", "ok", "12 34", "{}", "???", "😀"])
def test_it_abstains_where_there_is_nothing_to_tell(text):
    assert default_detector().identify(text).language is None


def test_it_chooses_among_the_languages_in_play_only():
    detector = Py3LangidDetector(["en", "it"])
    assert detector.languages == ("en", "it")
    assert detector.identify(TEXTS["fr"]).language in {"en", "it"}
    assert default_detector().identify(TEXTS["fr"]).language == "fr"


def test_a_higher_bound_abstains_more():
    sure = Py3LangidDetector(min_confidence=1.1)
    assert sure.identify(TEXTS["de"]) == Guess(None, default_detector().identify(TEXTS["de"]).confidence)


def test_languages_that_it_cannot_name_are_refused():
    with pytest.raises(ArgumentError, match="at least two"):
        Py3LangidDetector(["en"])
    with pytest.raises(ArgumentError, match=r"does not know the languages \['tlh'\]"):
        Py3LangidDetector(["en", "tlh"]).identify("nuqneH")


def test_detectors_satisfy_the_protocol_and_read_well():
    assert isinstance(default_detector(), LanguageDetector)
    assert default_detector().languages == DEFAULT_LANGUAGES
    assert repr(Py3LangidDetector(["en", "de"])) == "Py3LangidDetector(2 languages)"
    assert pickle.loads(pickle.dumps(Guess("en", 0.5))) == Guess("en", 0.5)


def test_threads_agree():
    detector = Py3LangidDetector(["en", "de", "fr", "ru", "ja"])  # not loaded yet: all threads load it
    texts = list(TEXTS.values()) * 40
    alone = [default_detector().identify(text).language for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert [guess.language for guess in pool.map(detector.identify, texts)] == alone


def test_any_object_with_the_two_members_will_do():
    class Always:
        languages = ("en", "xx")

        def identify(self, text):
            return Guess("xx", 1.0)

    assert isinstance(Always(), LanguageDetector)
    assert analyse("blorp zamf quux", Always())["language"] == "xx"


def test_lingua_is_an_extra_that_satisfies_the_protocol():
    if importlib.util.find_spec("lingua") is None:
        with pytest.raises(MissingExtraError, match=r"pip install 'laya-engine\[lingua\]'"):
            LinguaDetector()
        return
    detector = LinguaDetector(["en", "de", "fr"])
    assert isinstance(detector, LanguageDetector)
    assert [detector.identify(TEXTS[code]).language for code in ("en", "de", "fr")] == ["en", "de", "fr"]
    assert detector.identify("12 34").language is None
    with pytest.raises(ArgumentError, match="at least two codes"):
        LinguaDetector(["en"])
