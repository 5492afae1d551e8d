"""Fit the scale of the cosine, the yes/no bias and the temperatures of a reader checkpoint without reader layers.

    python tools/fit_temperatures.py src/laya/data/english ../shared/data

Reads train rows only, of sets that may be trained on. For each question type, every set counts the same; the scale (and
for yes/no the bias) minimises the mean negative log-likelihood. It prints the temperature that brings the checkpoint's
own `tau` to that scale; the numbers are copied by hand into the `trunk_*` tool that wrote the checkpoint.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from laya.encoding import ReaderLayout, TextEncoder, encode_states, pack_rows, unpack
from laya.model.checkpoint import Checkpoint
from laya.questions import parse_questions
from laya.request import TYPE_INDEX, Budget
from laya.runtime.registry import create_runtime

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy.typing as npt

    from laya.request import EncodedRow, RowOutput

    Example = tuple[str, Mapping[str, Any], int]
    """Text, definition of the question, index of the right option."""
    Fitted = list[tuple[npt.NDArray[np.float64], int]]
    """Of each example the logits at a scale of 1, and the right option."""

SCALES: Final = np.geomspace(1.0, 60.0, 120)
BIASES: Final = np.arange(0.0, 0.6, 0.01)
ABOUT: Final = ("Is this about {}?", "Is the user asking about {}?", "Does the message concern {}?", "The topic is {}.")
FEELS: Final = ("Does the text express {}?", "Does the writer feel {}?", "The text shows {}.")
RUDE: Final = ("Is this offensive language?", "Does the message contain insults?", "The text is rude or abusive.")
OTHERWISE: Final = ("anything else", "something else", "another topic", "none of this")
SPEECH: Final = {
    "neither": "ordinary, harmless text",
    "offensive": "vulgar or insulting words",
    "hate": "hatred against a group of people",
}
SATISFACTION: Final = (
    "very dissatisfied",
    "dissatisfied",
    "neither satisfied nor dissatisfied",
    "satisfied",
    "very satisfied",
)


class Sets:
    """Train rows, and the questions made of them."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder = folder
        self.count = count
        self.draw = random.Random(11)

    def read(self, name: str) -> list[dict[str, Any]]:
        """Train rows of a set that have one label."""
        with gzip.open(self.folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        for row in rows:
            if len(row.get("labels", ())) == 1:
                row["label"] = row["labels"][0]
        return [row for row in rows if row["split"] == "train" and row.get("label") not in (None, "neutral")]

    def sample(self, rows: Sequence[dict[str, Any]], count: int | None = None) -> list[dict[str, Any]]:
        """Some rows."""
        return self.draw.sample(list(rows), min(count or self.count, len(rows)))

    def others(self, label: str, labels: Sequence[str], count: int) -> list[str]:
        """Wrong labels."""
        return self.draw.sample([other for other in labels if other != label], count)

    def choice(self, name: str, options: int) -> list[Example]:
        """The right label among some others."""
        rows = self.read(name)
        labels = sorted({row["label"] for row in rows})
        made: list[Example] = []
        for row in self.sample(rows):
            offered = [row["label"], *self.others(row["label"], labels, options - 1)]
            made.append((row["text"], {"type": "choice", "instructions": "Which one?", "criteria": offered}, 0))
        return made

    def yes_no(self, name: str, wordings: Sequence[str], *, described: bool = False) -> list[Example]:
        """Whether a label holds, right half of the time; with criteria, the denial is a catch-all or another label."""
        rows = self.read(name)
        labels = sorted({row["label"] for row in rows})
        made: list[Example] = []
        for i, row in enumerate(self.sample(rows)):
            wrong = self.others(row["label"], labels, 1)[0]
            topic, other = (row["label"], wrong) if i % 2 == 0 else (wrong, row["label"])
            words = topic.replace("_", " ")
            question: dict[str, Any] = {"type": "noul", "instructions": self.draw.choice(wordings).format(words)}
            if described:
                rival = other.replace("_", " ") if i % 4 < 2 else self.draw.choice(OTHERWISE)
                question["criteria"] = {"true": words, "false": rival}
            made.append((row["text"], question, int(i % 2 == 0)))
        return made

    def speech(self, kind: str) -> list[Example]:
        """The offensive language set as any type; its classes count the same."""
        rows, made = self.read("offensive"), list[tuple[str, Any, int]]()
        for level, label in enumerate(SPEECH):
            for row in self.sample([row for row in rows if row["label"] == label], self.count // 3):
                if kind == "choice":
                    question: dict[str, Any] = {"type": kind, "instructions": "Which one?", "criteria": SPEECH}
                elif kind == "score":
                    question = {"type": kind, "instructions": "How abusive?", "criteria": list(SPEECH.values())}
                else:
                    question = {"type": kind, "instructions": self.draw.choice(RUDE)}
                made.append((row["text"], question, min(1, level) if kind == "noul" else level))
        return made

    def reviews(self) -> list[Example]:
        """Sentences of product reviews by the strength of their opinion."""
        made: list[Example] = []
        for row in self.sample([row for row in self.read("permissive/product_reviews") if row["strength"]]):
            level = int(np.clip(row["strength"], -2, 2)) + 2
            question = {"type": "score", "instructions": "How satisfied?", "criteria": list(SATISFACTION)}
            made.append((row["text"], question, level))
        return made


def examples(sets: Sets) -> dict[str, dict[str, list[Example]]]:
    """Type to set to examples."""
    return {
        "choice": {
            "clinc150 10-way": sets.choice("clinc150", 10),
            "hwu64 6-way": sets.choice("hwu64", 6),
            "goemotions 6-way": sets.choice("goemotions", 6),
            "offensive": sets.speech("choice"),
        },
        "score": {"offensive": sets.speech("score"), "product reviews": sets.reviews()},
        "noul": {
            "clinc150": sets.yes_no("clinc150", ABOUT),
            "hwu64": sets.yes_no("hwu64", ABOUT),
            "goemotions": sets.yes_no("goemotions", FEELS),
            "offensive": sets.speech("noul"),
        },
        "noul with criteria": {
            "clinc150": sets.yes_no("clinc150", ABOUT, described=True),
            "hwu64": sets.yes_no("hwu64", ABOUT, described=True),
            "goemotions": sets.yes_no("goemotions", FEELS, described=True),
        },
    }


class Scorer:
    """Logits of a checkpoint at a scale of 1 and, for lone statements, a bias of 0."""

    def __init__(self, folder: Path) -> None:
        checkpoint = Checkpoint.open(folder)
        runtime = create_runtime(checkpoint, runtime=None, device="cpu", threads=None, precision="fp32")
        self.config = checkpoint.config
        self.layout = ReaderLayout(TextEncoder.from_directory(folder / "tokenizer"), self.config.reader or {}, runtime)
        self.layout.rules = replace(self.layout.rules, tau=(1.0, 1.0, 1.0), noul_bias=0.0)
        self.budget = Budget(self.config.max_len, self.config.head_max_len)
        self.runtime = runtime

    def __call__(self, made: Sequence[Example]) -> Fitted:
        """Logits of examples in slot order, which is the order of the criteria."""
        fitted: Fitted = []
        for text, definition, right in made:
            (question,) = parse_questions({"q": definition})
            head = self.layout.head(question, self.budget)
            states = encode_states(self.layout.encoder, [text])
            rows = self.layout.rows(states, [head], self.budget)
            (scores,) = self.layout.scores(states, [head], rows, self.read(rows))
            fitted.append((scores.logits.astype(np.float64), right))
        return fitted

    def read(self, rows: Sequence[EncodedRow]) -> list[RowOutput]:
        """What the trunk says of one row."""
        (batch,) = pack_rows(rows, [0])
        return [output for _, output in unpack(batch, self.runtime.forward(batch))]


def loss(fitted: Fitted, scale: float, bias: float = 0.0) -> float:
    """Mean negative log-likelihood; the bias counts against the last option."""
    total = 0.0
    for logits, right in fitted:
        z = scale * logits
        z[-1] -= scale * bias
        total += float(np.logaddexp.reduce(z) - z[right])
    return total / len(fitted)


def accuracy(fitted: Fitted, bias: float = 0.0) -> float:
    """Share of examples whose right option has the largest logit."""
    return float(np.mean([np.argmax([*z[:-1], z[-1] - bias]) == right for z, right in fitted]))


def best(measure: Callable[[float], float], candidates: npt.NDArray[np.float64]) -> float:
    """The candidate with the smallest loss."""
    return float(min(candidates, key=measure))


def fit_scale(groups: Sequence[Fitted], biases: Sequence[float]) -> float:
    """Scale that suits all groups, which count the same."""

    def mean_loss(scale: float) -> float:
        return float(np.mean([loss(group, scale, bias) for group, bias in zip(groups, biases, strict=True)]))

    return best(mean_loss, SCALES)


def fit_bias(groups: Sequence[Fitted], scale: float) -> float:
    """Bias that suits all groups at a scale."""
    return best(lambda bias: float(np.mean([loss(group, scale, bias) for group in groups])), BIASES)


def main() -> None:
    """Score the examples, fit, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=600, help="most rows of a set (default: %(default)s)")
    arguments = parser.parse_args()
    scorer = Scorer(arguments.checkpoint)
    made = examples(Sets(arguments.data, arguments.rows))
    fitted = {kind: {name: scorer(rows) for name, rows in sets.items()} for kind, sets in made.items()}
    lone, paired = list(fitted["noul"].values()), list(fitted["noul with criteria"].values())
    scale, bias = 10.0, 0.2
    for _ in range(10):  # the two settle within a few rounds
        bias = fit_bias(lone, scale)
        scale = fit_scale([*lone, *paired], [bias] * len(lone) + [0.0] * len(paired))
    scales = {"noul": scale, "noul with criteria": scale}
    for kind in ("choice", "score"):
        scales[kind] = fit_scale(list(fitted[kind].values()), [0.0] * len(fitted[kind]))
    for kind, groups in fitted.items():
        for name, group in groups.items():
            shift = bias if kind == "noul" else 0.0
            own = fit_scale([group], [shift])
            print(
                f"{kind:18} {name:16} rows {len(group):4}  accuracy {accuracy(group, shift):.3f}  "
                f"NLL {loss(group, scales[kind], shift):.3f}, at its own scale {own:4.1f} {loss(group, own, shift):.3f}"
            )
    print(f"noul_bias {bias:.2f}")
    taus = dict(zip(TYPE_INDEX, (scorer.config.reader or {})["tau"], strict=True))
    for kind, tau in taus.items():
        print(f"{kind}: scale {scales[kind]:.1f}, so with tau {tau} temperature {tau / scales[kind]:.2f}")


if __name__ == "__main__":
    main()
