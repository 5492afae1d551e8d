"""Writers of questions that the rows bring along: yes/no questions, whether a text answers one, sameness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases import noul_nli as said
from training.sets import rows
from training.write.choice_states import fits
from training.write.noul_bind import DENIED, TRUE, target
from training.write.noul_pairs import Rows, by_label, put, tidy
from training.write.noul_states import body, code, kept, wrap

if TYPE_CHECKING:
    from random import Random

Read = Callable[[dict[str, Any]], tuple[str, "bool | None"]]
"""The question of a row, and whether yes is right; None leaves the row out."""
Frames = tuple[Sequence[str], Sequence[str]]
"""Frames for the question, and those that ask for the opposite."""
ASKED: Final[Frames] = (said.QUESTIONS, said.DENIED_QUESTIONS)
ANSWERED: Final[Frames] = (said.ANSWERS, said.NO_ANSWER)
ALIKE: Final[Frames] = (said.SAME, said.DIFFERENT)


def answering(name: str, family: str, sure: float, read: Read, frames: Frames) -> Callable[[Random], Example]:
    """Questions of the rows of a set."""

    @lru_cache(maxsize=1)
    def groups() -> dict[bool, Rows]:
        right = [(row, read(row)[1]) for row in kept(name)]
        return {side: tuple(row for row, answer in right if answer is side) for side in (True, False)}

    def draw(rng: Random) -> Example:
        denied = rng.random() < DENIED
        true = rng.random() < TRUE
        row = rng.choice(groups()[true != denied])
        asked = {"type": "noul", "instructions": put(rng, frames[denied], read(row)[0])}
        state, _ = wrap(rng, tidy(body(row)), code(row))
        return Example(state, asked, target(sure if true else 1 - sure), name.rpartition("/")[2], family, code(row))

    return draw


def _yes_no(row: dict[str, Any]) -> tuple[str, bool | None]:
    return row["question"], {"yes": True, "no": False}.get(row["label"])


def _known(row: dict[str, Any]) -> tuple[str, bool | None]:
    return row["question"], row["context"] == "disambig"


def _answered(row: dict[str, Any]) -> tuple[str, bool | None]:
    return row["hypothesis"], row["label"] == "answers"


def _same_korean(row: dict[str, Any]) -> tuple[str, bool | None]:
    return row["hypothesis"], bool(row["same"]) if not 2.0 < row["label"] < 3.5 else None


def _same_japanese(row: dict[str, Any]) -> tuple[str, bool | None]:
    near, far = row["label"] >= 4.2, row["label"] <= 2.4
    return row["hypothesis"], near if near or far else None


def _meant(rng: Random) -> Example:
    """A question with a slip against what was meant, or against another question."""
    row, other = rng.sample(by_label("permissive/disfl_qa")["self-corrected"], 2)
    denied, true = rng.random() < DENIED, rng.random() < TRUE
    second = row["meant"] if true != denied else other["meant"]
    asked = {"type": "noul", "instructions": put(rng, ALIKE[denied], second)}
    return Example(row["text"], asked, target(0.98 if true else 0.02), "disfl_qa", "noul/same_question")


@lru_cache(maxsize=1)
def _conclusions() -> dict[str, Rows]:
    found: dict[str, list[dict[str, Any]]] = {"yes": [], "no": [], "maybe": []}
    for row in rows("permissive/pubmedqa"):
        if fits(row["conclusion"]):
            found[row["label"]].append(row)
    return {label: tuple(group) for label, group in found.items()}


def _concluded(rng: Random) -> Example:
    """The conclusion of a study and the question that it looked into."""
    denied, true = rng.random() < DENIED, rng.random() < TRUE
    row = rng.choice(_conclusions()["yes" if true != denied else "no"])
    asked = {"type": "noul", "instructions": put(rng, ASKED[denied], row["question"])}
    return Example(row["conclusion"], asked, target(0.93 if true else 0.07), "pubmedqa", "noul/qa/pubmedqa")


def _writer(source: str, family: str, share: float, draw: Callable[[Random], Example], lang: str = "en") -> Writer:
    return Writer(f"noul/{source.rpartition('/')[2]}", "noul", (source,), (lang,), draw, share, (family,))


def _read(  # noqa: PLR0917 the rows of the table below are read by column
    source: str, family: str, share: float, sure: float, read: Read, frames: Frames, lang: str = "en"
) -> Writer:
    return _writer(source, family, share, answering(source, family, sure, read, frames), lang)


WRITERS: Final[tuple[Writer, ...]] = (
    _read("permissive/strategyqa", "noul/qa/strategyqa", 2.0, 0.93, _yes_no, ASKED),
    _read("permissive/condaqa", "noul/qa/condaqa", 1.5, 0.96, _yes_no, ASKED),
    _writer("permissive/pubmedqa", "noul/qa/pubmedqa", 0.6, _concluded),
    _read("sharealike/qnli_dev", "noul/answers", 3.0, 0.97, _answered, ANSWERED),
    _read("permissive/bbq", "noul/enough_information", 1.5, 0.97, _known, ANSWERED),
    _read("sharealike/klue_sts_ko", "noul/same/ko", 0.4, 0.95, _same_korean, ALIKE, "ko"),
    _read("sharealike/jsts_ja", "noul/same/ja", 0.8, 0.95, _same_japanese, ALIKE, "ja"),
    _writer("permissive/disfl_qa", "noul/same_question", 0.7, _meant),
)
