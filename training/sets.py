"""Reading the labelled texts of the data folder (gzipped JSON lines)."""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from pathlib import Path
from typing import Any, Final

DATA: Final = Path(os.environ.get("LAYA_TRAINING_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
TRAINED: Final = frozenset({"train", "valid"})
EVALUATED: Final = frozenset({"banking77", "snips", "askubuntu", "webapps", "chatbot", "xsid"})
"""Sets that decide between recipes: never trained on, in whatever split."""


@cache
def rows(name: str, splits: frozenset[str] = TRAINED) -> tuple[dict[str, Any], ...]:
    """Rows of `NAME.jsonl.gz` in the given splits.

    Raises:
        ValueError: the set is for evaluation.
        FileNotFoundError: there is no such file.
    """
    if name in EVALUATED:
        raise ValueError(f"{name} decides between recipes and is never trained on; choose another set")
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        read = (json.loads(line) for line in lines)
        return tuple(row for row in read if row["split"] in splits)
