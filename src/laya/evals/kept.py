"""Yes/no and score questions on texts that no checkpoint was trained on.

They come from the test splits of sets whose other rows a checkpoint may have seen, and from what was left out of
training: `nusax` in English, and the question of `email_intent` (whose train texts serve other questions). Both answers
are equally frequent in every yes/no task, and each concept is asked straight, by its opposite and negated, so that a
model without polarity cannot do well on all three.
"""

from __future__ import annotations

import gzip
import json
import random
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError
from laya.evals.rows import Row, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

PLEASED: Final = frozenset(
    ("joy", "love", "admiration", "gratitude", "excitement", "optimism", "amusement", "approval", "pride", "relief")
)
DISPLEASED: Final = frozenset(
    ("anger", "annoyance", "disappointment", "disapproval", "disgust", "embarrassment", "fear", "grief", "sadness")
)
SENTIMENT: Final = (
    ("", "Is the text positive?", True),
    (" opposite", "The writer is unhappy or annoyed.", False),
    (" negated", "The text does not express a positive feeling.", False),
)
OPINION: Final = (
    ("", "Does the writer have a good opinion of it?", True),
    (" opposite", "Is this a complaint or a bad review?", False),
    (" negated", "The writer is not satisfied.", False),
)
OFFENCE: Final = (
    ("", "Is the text offensive?", True),
    (" opposite", "The text is polite and harmless.", False),
    (" negated", "The text is not insulting or hateful.", False),
)
REQUEST: Final = (
    ("", "Does the sentence ask the reader to do something?", True),
    (" negated", "The sentence does not ask for any action.", False),
)
BOOLEAN: Final = " boolean"
"""End of the names of choices between yes and no: they are a slice of their own."""
VALENCE: Final = ("very negative", "negative", "neutral", "positive", "very positive")
WELL_FORMED: Final = (
    "not a question at all",
    "a badly formed question",
    "a nearly correct question",
    "a well-formed question",
)
HARD: Final = ("very easy to understand", "easy", "neither easy nor hard", "hard", "very hard to understand")


def kept_tasks(data: Path, *, limit: int, seed: int) -> list[Task]:
    """The tasks of this module.

    Args:
        data: folder with the training sets (`offensive.jsonl.gz`, `sharealike/nusax.jsonl.gz`, ...).
        limit: most rows of a task.
        seed: seed of the samples.

    Raises:
        ArgumentError: a file is missing.
    """
    emotions = _read(data, "goemotions", _is_test)
    opinions = _read(data, "sharealike/nusax", lambda row: row["lang"] == "english" and row["label"] != "neutral")
    tweets, mails = _read(data, "offensive", _is_test), _read(data, "permissive/email_intent", _is_test)
    tasks = [
        *_yes_no("goemotions sentiment", emotions, _feeling, SENTIMENT, (limit, seed)),
        *_yes_no("nusax sentiment", opinions, lambda row: row["label"] == "positive", OPINION, (limit, seed)),
        *_yes_no("tweets offensive", tweets, lambda row: row["label"] != "neither", OFFENCE, (limit, seed)),
        *_yes_no("mail request", mails, lambda row: row["label"] == "yes", REQUEST, (limit, seed)),
    ]
    emobank = _read(data, "sharealike/emobank", _is_test)
    queries = _read(data, "sharealike/query_wellformedness", _is_test)
    words = _read(data, "permissive/complex_words", _is_test)
    return [
        *tasks,
        _score(
            "emobank valence",
            emobank,
            ("How positive is the text?", VALENCE),
            lambda row: row["valence"] - 1,
            (limit, seed),
        ),
        _score(
            "query form",
            queries,
            ("How well is this question formed?", WELL_FORMED),
            lambda row: 3 * row["label"],
            (limit, seed),
        ),
        _score(
            "word difficulty",
            words,
            ("How hard is the word {word!r} for a reader?", HARD),
            lambda row: 4 * row["label"],
            (limit, seed),
        ),
    ]


def _is_test(row: dict[str, Any]) -> bool:
    return bool(row["split"] == "test")


def _read(data: Path, name: str, wanted: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    path = data / f"{name}.jsonl.gz"
    if not path.is_file():
        raise ArgumentError(f"no set at {str(path)!r}; pass the folder that holds {name}.jsonl.gz", path=str(path))
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if wanted(row)]


def _feeling(row: dict[str, Any]) -> bool | None:
    """Whether all emotions of a row are pleasant; None where they are mixed or neutral."""
    labels = set(row["labels"])
    if labels <= PLEASED:
        return True
    return False if labels <= DISPLEASED else None


def _yes_no(
    name: str,
    rows: Sequence[dict[str, Any]],
    truth: Callable[[dict[str, Any]], bool | None],
    asked: Sequence[tuple[str, str, bool]],
    sample: tuple[int, int],
) -> list[Task]:
    """One task a wording, and the first one as a choice between the words yes and no.

    A wording with False holds where the concept does not.
    """
    limit, seed = sample
    draw = random.Random(seed)  # noqa: S311 - a fixed sample, not a secret
    sides = [[row for row in rows if truth(row) is side] for side in (False, True)]
    count = min(limit // 2, *map(len, sides))
    chosen = [(row["text"], bool(side)) for side, part in enumerate(sides) for row in draw.sample(part, count)]
    tasks = [
        Task(
            name + suffix,
            "noul",
            tuple(Row(text, {"type": "noul", "instructions": words}, side is straight) for text, side in chosen),
        )
        for suffix, words, straight in asked
    ]
    words = {"type": "choice", "instructions": asked[0][1], "criteria": ["yes", "no"]}
    boolean = tuple(Row(text, words, "yes" if side else "no") for text, side in chosen)
    return [*tasks, Task(name + BOOLEAN, "choice", boolean)]


def _score(
    name: str,
    rows: Sequence[dict[str, Any]],
    asked: tuple[str, Sequence[str]],
    level: Callable[[dict[str, Any]], float],
    sample: tuple[int, int],
) -> Task:
    """A rubric; the answer is the level that is nearest to the raters' mean."""
    (instructions, levels), (limit, seed) = asked, sample
    draw = random.Random(seed)  # noqa: S311 - a fixed sample, not a secret
    made = []
    for row in draw.sample(rows, min(limit, len(rows))):
        question = {"type": "score", "instructions": instructions.format_map(row), "criteria": list(levels)}
        made.append(Row(row["text"], question, round(level(row))))
    return Task(name, "score", tuple(made))
