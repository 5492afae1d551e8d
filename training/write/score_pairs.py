"""How hard is the word, how well formed the question, how close are two texts, how well is a claim supported?"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.write.choice_states import wrap
from training.write.score_rated import binned, clip, draw_row
from training.write.score_shapes import grade

if TYPE_CHECKING:
    from random import Random

    from training.write.choice_pools import Row


@lru_cache(maxsize=1)
def _complex() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("permissive/complex_words", lambda r: clip(float(r["label"]) * 1.1), 1)


def draw_complex(rng: Random) -> Example:
    """How hard a word is."""
    value, row = draw_row(rng, _complex())
    word = row["word"]
    if rng.random() < 0.2:
        state, noun = {"word": word, "sentence": row["text"].strip()}, "the sentence"
    else:
        state, noun = row["text"].strip(), "the sentence"
    graded = grade(
        rng, "difficulty", noun, value, sharpness=0.7, slots={"word": word.replace("{", "").replace("}", "")}
    )
    return Example(state, graded.question, graded.target, "complex_words", "score/difficulty/words")


@lru_cache(maxsize=1)
def _queries() -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned("sharealike/query_wellformedness", lambda r: float(r["label"]), 1)


def draw_query(rng: Random) -> Example:
    """How well formed a search query is as a question."""
    value, row = draw_row(rng, _queries())
    state, noun = wrap(rng, row["text"].strip(), "question")
    graded = grade(rng, "wellformed", noun, value, sharpness=0.6)
    return Example(state, graded.question, graded.target, "query_wellformedness", "score/wellformed/queries")


@cache
def _similar(name: str) -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned(name, lambda r: float(r["label"]) / 5)


def pair(rng: Random, first: str, second: str, names: tuple[str, str]) -> Any:
    """Two texts as one state."""
    roll = rng.random()
    if roll < 0.35:
        return {names[0]: first, names[1]: second}
    if roll < 0.6:
        return f"{names[0].capitalize()}: {first}\n{names[1].capitalize()}: {second}"
    if roll < 0.8:
        return [first, second]
    return f"{first}\n{second}" if roll < 0.9 else f"{first} | {second}"


def draw_similar(rng: Random) -> Example:
    """How close in meaning two Japanese or Korean sentences are."""
    name, lang = rng.choice(
        (("sharealike/jsts_ja", "ja"), ("sharealike/jsts_ja", "ja"), ("sharealike/klue_sts_ko", "ko"))
    )
    value, row = draw_row(rng, _similar(name))
    names = rng.choice((("first", "second"), ("text a", "text b"), ("sentence1", "sentence2")))
    state = pair(rng, row["premise"].strip(), row["hypothesis"].strip(), names)
    graded = grade(rng, "similarity", "the text", value, sharpness=0.5)
    return Example(
        state, graded.question, graded.target, "jsts" if lang == "ja" else "klue", f"score/similarity/{lang}", lang
    )


SUPPORT: Final = {"contradiction": 0.0, "neutral": 0.5, "entailment": 1.0}
SUPPORT_SETS: Final = {
    "permissive/conjnli": ("conjnli", "en"),
    "sharealike/snli_devtest": ("snli", "en"),
    "sharealike/mnli_dev": ("mnli", "en"),
    "sharealike/negation_nli": ("negation_nli", "en"),
    "sharealike/klue_nli_ko": ("klue", "ko"),
    "sharealike/jnli_ja": ("jnli", "ja"),
}


@cache
def _support(name: str) -> tuple[tuple[tuple[float, Row], ...], ...]:
    return binned(name, lambda r: SUPPORT.get(r["label"]))


def draw_support(rng: Random) -> Example:
    """How well a text supports a statement."""
    name = rng.choice(sorted(SUPPORT_SETS))
    task, lang = SUPPORT_SETS[name]
    value, row = draw_row(rng, _support(name))
    premise, statement = row["premise"].strip(), row["hypothesis"].strip()
    graded = grade(
        rng, "support", "the text", value, sharpness=0.35, wanted=rng.choice((3, 3, 3, 5, 0 if value != 0.5 else 3))
    )
    question = graded.question
    state: Any = premise
    if rng.random() < 0.5:
        state = pair(
            rng, premise, statement, rng.choice((("text", "statement"), ("premise", "hypothesis"), ("source", "claim")))
        )
    else:
        form = rng.choice(('{} Statement: "{}"', "{} Claim: {}", "{}\n{}", "{} “{}”"))
        question = {**question, "instructions": form.format(question["instructions"], statement)}
    return Example(state, question, graded.target, task, f"score/support/{task}", lang)


WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "score_words", "score", ("permissive/complex_words",), ("en",), draw_complex, 3.0, ("score/difficulty/words",)
    ),
    Writer(
        "score_queries",
        "score",
        ("sharealike/query_wellformedness",),
        ("en",),
        draw_query,
        1.5,
        ("score/wellformed/queries",),
    ),
    Writer(
        "score_similar",
        "score",
        ("sharealike/jsts_ja", "sharealike/klue_sts_ko"),
        ("ja", "ko"),
        draw_similar,
        1.0,
        ("score/similarity/ja", "score/similarity/ko"),
    ),
    Writer(
        "score_support",
        "score",
        tuple(SUPPORT_SETS),
        ("en", "ko", "ja"),
        draw_support,
        2.5,
        tuple(f"score/support/{t}" for t in ("conjnli", "snli", "mnli", "negation_nli", "klue", "jnli")),
    ),
)
