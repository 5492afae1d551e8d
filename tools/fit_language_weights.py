# ruff: noqa: SIM905 -- lists of names read better as one string
"""Fit the weights of `laya.language.judge` on development texts and print them with the errors they leave.

    python tools/fit_language_weights.py ../shared/data CATALOGUES

The development texts are samples of the sets below and of Django's message catalogues (CATALOGUES, an unpacked
wheel): rows that `build_language_words.py` did not read, where it reads the set too. Names put into English texts,
capitals, single words and phrases mixed of two languages are made from them. The corpus in `tests/language` is never
read here.
"""

from __future__ import annotations

import random
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
from build_language_words import CODES, LATIN, catalogue_texts, rows

from laya.language.detect import Py3LangidDetector
from laya.language.judge import ENGLISH, Weights, ask, signs
from laya.language.noise import strip_noise
from laya.language.script import fold
from laya.language.words import count_words, find_words

ENGLISH_SETS = (
    "banking77",
    "hwu64",
    "clinc150",
    "snips",
    "permissive/pros_cons",
    "permissive/home_assistant",
    "xsid",
    "permissive/xed_emotions",
    "permissive/product_reviews",
)
FOREIGN_SETS = ("permissive/home_assistant", "xsid", "permissive/xed_emotions", "permissive/multilingual_hatecheck")
NAMES = (
    "José García|Müller GmbH|São Paulo|Łódź|Björn Åkesson|François Lefèvre|Nguyễn Văn An|Düsseldorf|Zürich|Málaga|"
    "Çelik|Jürgen Groß|Ana Sofía|Peña Nieto|Søren Kierkegaard|Château Margaux|Rio de Janeiro|Los Angeles|Las Vegas"
).split("|")
RIDGE = 0.5


class Row(NamedTuple):
    """One development text: whether it may go to an English checkpoint, and the kind of row."""

    text: str
    english: bool
    kind: str


def development_rows(data: Path, catalogues: Path, pick: random.Random) -> list[Row]:
    """Real texts, and those made of them."""
    english = []
    for source in ENGLISH_SETS:
        texts = [row["text"] for row in rows(data, source) if row.get("lang") in (None, "en")]
        english += pick.sample(texts, min(400, len(texts)))
    by_language: defaultdict[str, list[str]] = defaultdict(list)
    for source in FOREIGN_SETS:
        for number, row in enumerate(rows(data, source)):
            language = CODES.get(row["lang"], row["lang"]).split("-")[0]
            if language in LATIN and (number % 2 or source == "xsid"):
                by_language[language].append(row["text"])
    messages = set()
    for language, message, text in catalogue_texts(catalogues):
        if "%" not in text and len(re.findall(r"[^\W\d_]{2,}", text)) > 1 < len(re.findall(r"[^\W\d_]{2,}", message)):
            by_language[f"django {language}"].append(text)
            messages.add(message)
    english += pick.sample(sorted(messages), min(400, len(messages)))
    foreign = [text for texts in by_language.values() for text in pick.sample(texts, min(60, len(texts)))]
    real = [Row(text, True, "real") for text in english] + [Row(text, False, "real") for text in foreign]
    return real + made_rows(english, foreign, pick)


def made_rows(english: list[str], foreign: list[str], pick: random.Random) -> list[Row]:
    """Names, capitals, single words and mixed phrases."""
    made = [Row(text.upper(), True, "capitals") for text in pick.sample(english, 500)]
    made += [Row(text.upper(), False, "capitals") for text in pick.sample(foreign, 500)]
    made += [Row(" ".join(text.split()[: pick.randint(1, 2)]), True, "short") for text in pick.sample(english, 500)]
    made += [Row(" ".join(text.split()[: pick.randint(1, 2)]), False, "short") for text in pick.sample(foreign, 500)]
    for text in pick.sample(english, 500):
        words = text.split()
        for _ in range(pick.randint(1, 2)):
            words.insert(pick.randint(1, len(words)), pick.choice(NAMES))
        made.append(Row(" ".join(words), True, "names"))
    for _ in range(600):
        first, second = _phrase(pick.choice(english), pick), _phrase(pick.choice(foreign), pick)
        mixed = pick.sample([first, second], 2)
        if len(first.split()) > 2 and len(second.split()) > 2:
            made.append(Row(" ".join(mixed), False, "mixed"))
    return made


def _phrase(text: str, pick: random.Random) -> str:
    words = re.findall(r"[^\W\d_]+", text.lower())
    start = pick.randint(0, max(0, len(words) - 4))
    return " ".join(words[start : start + pick.randint(3, 5)])


def features(text: str, detector: Py3LangidDetector) -> tuple[float, ...] | None:
    """The signs of a text, None where it has no words."""
    words = find_words(strip_noise(fold(text)))
    if not words:
        return None
    count = count_words(words)
    return signs(count, *ask(words, count, detector))


def fit(values: np.ndarray, target: np.ndarray, importance: np.ndarray) -> np.ndarray:
    """Ridge logistic regression by Newton steps; the bias is free."""
    weights = np.zeros(values.shape[1])
    ridge = np.full(values.shape[1], RIDGE)
    ridge[0] = 1e-6
    for _ in range(60):
        sure = 1 / (1 + np.exp(-values @ weights))
        gradient = values.T @ (importance * (sure - target)) + ridge * weights
        curvature = (values.T * (importance * sure * (1 - sure))) @ values + np.diag(ridge)
        weights -= np.linalg.solve(curvature, gradient)
    return weights


def main() -> None:
    """Fit and print."""
    detector = Py3LangidDetector()
    found = development_rows(Path(sys.argv[1]), Path(sys.argv[2]), random.Random(3))
    pairs = [(row, features(row.text, detector)) for row in found]
    used = [(row, values) for row, values in pairs if values]
    values = np.array([each for _, each in used])
    target = np.array([row.english for row, _ in used], dtype=float)
    kinds = np.array([row.kind for row, _ in used])
    weights = fit(values, target, np.where(kinds == "mixed", 2.0, 1.0) * np.where(target > 0, 1.0, 1.5))
    for name, weight in zip(Weights._fields, weights, strict=True):
        print(f"    {name}: float = {weight:.2f}")
    total = values @ weights
    for kind in sorted(set(kinds)):
        for english in (1.0, 0.0):
            chosen = total[(kinds == kind) & (target == english)]
            if len(chosen):
                side = ENGLISH if english else "foreign"
                print(f"{kind:9} {side:8} {len(chosen):5} scored English: {100 * np.mean(chosen > 0):5.1f} %")
    worst = np.argsort(np.where(target > 0, total, -total))[: int(sys.argv[3]) if len(sys.argv) > 3 else 0]
    for index in worst:
        print(f"{total[index]:6.1f} {used[index][0]}")


if __name__ == "__main__":
    main()
