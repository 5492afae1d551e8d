import json
from collections import Counter
from pathlib import Path

import pytest

from laya.language import analyse

ROWS = [json.loads(line) for line in (Path(__file__).parent / "corpus.jsonl").read_text("utf-8").splitlines()]
SLICES = {
    "plain",
    "all_caps",
    "code",
    "urls",
    "names",
    "digits_emoji",
    "romanised",
    "code_mixed",
    "one_word",
    "long_mixed",
}


@pytest.fixture(scope="module")
def judged():
    return [(row, analyse(row["text"])) for row in ROWS]


def test_the_corpus_is_as_large_and_as_wide_as_it_must_be():
    assert len(ROWS) >= 600
    assert {row["slice"] for row in ROWS} == SLICES
    assert len({row["language"] for row in ROWS} - {None, "mul"}) >= 25
    assert all(row["source"] and row["licence"] and row["text"].strip() for row in ROWS)
    assert max(Counter(row["text"] for row in ROWS).values()) <= 2


def test_english_is_kept_on_english(judged):
    english = [seen["is_english"] for row, seen in judged if row["language"] == "en"]
    assert sum(english) >= 0.97 * len(english)


def test_foreign_latin_text_is_not_sent_to_english(judged):
    foreign = [seen for row, seen in judged if row["language"] not in {"en", None} and seen["script"] == "latin"]
    assert sum(seen["is_english"] for seen in foreign) <= 0.01 * len(foreign)


def test_what_has_no_language_is_undecided(judged):
    assert [row["text"] for row, seen in judged if row["language"] is None and not seen["language_undecided"]] == []


@pytest.mark.parametrize("name", ["romanised", "code_mixed", "long_mixed", "all_caps", "code", "urls", "digits_emoji"])
def test_the_hard_slices_are_right_throughout(judged, name):
    wrong = [
        row["text"]
        for row, seen in judged
        if row["slice"] == name and row["language"] and seen["is_english"] != (row["language"] == "en")
    ]
    assert wrong == []
