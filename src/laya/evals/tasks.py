"""The development sets, and texts kept out of training, as typed questions with known answers.

A set is a file `NAME.jsonl.gz` of JSON lines with `text`, `label`, `split` and, for xsid, `lang`. Rows are a sample
with a fixed seed, so two runs read the same ones. Nothing here was used to choose texts, rules or temperatures.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from typing import TYPE_CHECKING, Any, Final

from laya.errors import ArgumentError
from laya.evals.kept import kept_tasks
from laya.evals.rows import Row, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

SEED: Final = 20
LIMIT: Final = 300
"""Rows of a task by default, and fewest test rows that a set is judged by."""
WANT: Final = "What does the writer want?"
ASK: Final = "What is the question about?"


def build_tasks(data: Path, *, limit: int = LIMIT, seed: int = SEED) -> list[Task]:
    """All tasks of the development sets.

    Args:
        data: folder with the files.
        limit: most rows of a task.
        seed: seed of the samples.

    Raises:
        ArgumentError: a file is missing.
    """
    banking, snips = _read(data, "banking77"), _read(data, "snips")
    small = [(name, _read(data, name)) for name in ("askubuntu", "webapps", "chatbot")]
    tasks = [
        _choice("banking77 10-way", banking, WANT, limit, seed, options=10),
        _choice("banking77 77-way", banking, WANT, limit, seed),
        _choice("snips", snips, WANT, limit, seed),
        *(_choice(name, rows, ASK, limit, seed) for name, rows in small),
    ]
    for name, rows in (("banking77", banking), ("snips", snips), small[0]):
        tasks += [
            _yes_no(f"{name} yes/no", rows, _about, limit, seed),
            _yes_no(f"{name} yes/no negated", rows, _not_about, limit, seed),
            _yes_no(f"{name} yes/no criteria", rows, _described, limit, seed),
        ]
    tasks += kept_tasks(data, limit=limit, seed=seed)
    xsid = _read(data, "xsid")
    for language in sorted({row["lang"] for row in xsid}):
        spoken = [row for row in xsid if row["lang"] == language]
        tasks.append(_choice(f"xsid {language}", spoken, WANT, limit, seed, labels=_labels(xsid)))
    return tasks


def spoken(label: str) -> str:
    """A label of these sets as words in lower case: "RateBook" becomes "rate book"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", label)
    return re.sub(r"[_/ ]+", " ", words).lower()


def _read(data: Path, name: str) -> list[dict[str, Any]]:
    """The test rows of a set, or all rows of a small one."""
    path = data / f"{name}.jsonl.gz"
    if not path.is_file():
        raise ArgumentError(
            f"no development set at {str(path)!r}; pass the folder that holds {path.name}", path=str(path)
        )
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    test = [row for row in rows if row["split"] == "test"]
    return test if len(test) >= LIMIT else rows


def _labels(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted({row["label"] for row in rows})


def _sample(rows: Sequence[dict[str, Any]], limit: int, draw: random.Random) -> list[dict[str, Any]]:
    return draw.sample(rows, min(limit, len(rows)))


def _choice(
    name: str,
    rows: Sequence[dict[str, Any]],
    instructions: str,
    limit: int,
    seed: int,
    *,
    options: int | None = None,
    labels: Sequence[str] = (),
) -> Task:
    """Choice between all labels, or between the right one and some others drawn for each row."""
    draw = random.Random(seed)  # noqa: S311 - a fixed sample, not a secret
    known = labels or _labels(rows)
    made = []
    for row in _sample(rows, limit, draw):
        offered = list(known)
        if options is not None:
            wrong = [label for label in known if label != row["label"]]
            offered = sorted([row["label"], *draw.sample(wrong, options - 1)])
        question = {"type": "choice", "instructions": instructions, "criteria": offered}
        made.append(Row(row["text"], question, row["label"]))
    return Task(name, "choice", tuple(made))


def _yes_no(
    name: str,
    rows: Sequence[dict[str, Any]],
    ask: Callable[[str, bool], tuple[dict[str, Any], bool]],
    limit: int,
    seed: int,
) -> Task:
    """Yes/no questions about a label: the right one for every second row, a wrong one for the others."""
    draw = random.Random(seed)  # noqa: S311 - a fixed sample, not a secret
    known = _labels(rows)
    made = []
    for i, row in enumerate(_sample(rows, limit, draw)):
        holds = i % 2 == 0
        label = row["label"] if holds else draw.choice([other for other in known if other != row["label"]])
        question, answer = ask(spoken(label), holds)
        made.append(Row(row["text"], question, answer))
    return Task(name, "noul", tuple(made))


def _about(topic: str, holds: bool) -> tuple[dict[str, Any], bool]:
    return {"type": "noul", "instructions": f"Is this about {topic}?"}, holds


def _not_about(topic: str, holds: bool) -> tuple[dict[str, Any], bool]:
    return {"type": "noul", "instructions": f"Is this about something other than {topic}?"}, not holds


def _described(topic: str, holds: bool) -> tuple[dict[str, Any], bool]:
    criteria = {"true": topic, "false": "anything else"}
    return {"type": "noul", "instructions": f"Is this about {topic}?", "criteria": criteria}, holds
