"""What kind of text is it? Headlines, tasks, comparisons, views, genres, products, languages."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases import languages
from training.phrases import opinions as say
from training.write.choice_pools import Row, code, grouped, one_hot, soften, usable
from training.write.choice_questions import FEW, by_field, finish
from training.write.choice_shapes import Option, Shape, ask, option_count

if TYPE_CHECKING:
    from random import Random

BAITS: Final = (
    (("clickbait", "a headline that lures the reader"), ("news", "a sober report")),
    (("bait", "meant to be clicked"), ("report", "says what happened")),
    (("sensational", "plays with curiosity"), ("factual", "states facts")),
    (("list or lure", "like '10 things that...'"), ("wire report", "like those of a press agency")),
    (("entertainment site", "quizzes, lists and lures"), ("newspaper", "serious reporting")),
    (("tabloid style", "loud and teasing"), ("agency style", "dry and exact")),
)

TASKS: Final = (
    (("task", "the reader is asked to do something"), ("information", "nothing to be done")),
    (("request", "the writer wants something done"), ("no request", "the writer only tells something")),
    (("action needed", "somebody has to act"), ("no action needed", "may be read and forgotten")),
    (("to do", "goes on the to-do list"), ("ignore", "does not go on the list")),
    (("wants a reply or deed", "ask or propose"), ("statement", "merely informs")),
)


def draw_headline(rng: Random) -> Example:
    """Clickbait or news."""
    gold = rng.choice(("clickbait", "news"))
    row = rng.choice(by_field("permissive/clickbait")[gold])
    options = [Option(*label) for label in rng.choice(BAITS)]
    return finish(
        rng,
        row["text"],
        "headline",
        "headline",
        options,
        one_hot(int(gold == "news"), 2),
        FEW,
        "clickbait",
        "choice/headline/clickbait",
    )


def draw_task(rng: Random) -> Example:
    """Whether a sentence of a mail asks the reader to act."""
    gold = rng.choice(("yes", "no"))
    row = rng.choice(by_field("permissive/email_intent")[gold])
    options = [Option(*label) for label in rng.choice(TASKS)]
    return finish(
        rng,
        row["text"],
        "ticket",
        "action",
        options,
        soften(one_hot(int(gold == "no"), 2), 0.06),
        FEW,
        "email_intent",
        "choice/action/email_intent",
    )


def draw_comparison(rng: Random) -> Example:
    """How a sentence compares things."""
    groups = by_field("permissive/comparative_sentences")
    kinds = sorted(groups)
    gold = rng.choice(kinds)
    row = rng.choice(groups[gold])
    chosen = [gold, *rng.sample([kind for kind in kinds if kind != gold], rng.randint(1, 4))]
    options = [Option(*rng.choice(say.COMPARISONS[kind])) for kind in chosen]
    target = soften(one_hot(0, len(options)), 0.08)
    return finish(
        rng,
        row["text"],
        "sentence",
        "comparison",
        options,
        target,
        FEW,
        "comparative_sentences",
        "choice/comparison/kinds",
    )


# Where a text comes from

VIEW: Final = (
    (("opinion", "somebody's view or judgement"), ("fact", "a statement of facts")),
    (("subjective", "shows the writer's feelings or views"), ("objective", "shows no feelings or views")),
    (("comment", "an evaluation"), ("report", "neutral information")),
    (("personal view", "what the author thinks"), ("neutral description", "what is or what happened")),
    (("evaluative", "judges"), ("descriptive", "describes")),
)


@lru_cache(maxsize=1)
def _views() -> tuple[tuple[tuple[str, tuple[str, ...]], ...], ...]:
    """Texts that voice a view, and texts that state facts, each by source."""
    reviews = grouped(
        "permissive/product_reviews",
        lambda r: (
            "view" if abs(r["strength"]) >= 2 else "fact" if not r["strength"] and r["label"] == "no opinion" else None
        ),
    )
    view = (
        ("product_reviews", tuple(r["text"] for r in reviews["view"])),
        ("pros_cons", tuple(r["text"] for r in usable("permissive/pros_cons"))),
        ("ukp", tuple(r["text"] for r in usable("permissive/ukp_stance_rank"))),
        (
            "goemotions",
            tuple(
                r["text"]
                for r in usable("goemotions")
                if set(r["labels"]) <= {"admiration", "disapproval", "annoyance", "disgust", "disappointment"}
            ),
        ),
    )
    fact = (
        ("product_reviews", tuple(r["text"] for r in reviews["fact"])),
        ("conjnli", tuple(sorted({r["premise"] for r in usable("permissive/conjnli")}))),
        ("clickbait", tuple(r["text"] for r in usable("permissive/clickbait") if r["label"] == "news")),
        ("strategyqa", tuple(r["text"] for r in usable("permissive/strategyqa"))),
    )
    return view, fact


def draw_view(rng: Random) -> Example:
    """Opinion or fact."""
    gold = rng.randrange(2)
    task, texts = rng.choice(_views()[gold])
    options = [Option(*label) for label in rng.choice(VIEW)]
    # Sentences of reviews without a rated opinion often carry a mild one.
    doubt = 0.2 if task == "product_reviews" and gold else 0.15 if task == "goemotions" else 0.06
    return finish(
        rng,
        rng.choice(texts),
        "sentence",
        "view",
        options,
        soften(one_hot(gold, 2), doubt),
        FEW,
        task,
        "choice/view/opinion",
    )


def draw_genre(rng: Random) -> Example:
    """The kind of writing that a sentence comes from; a guess."""
    groups = by_field("sharealike/emobank", "genre")
    kinds = sorted(say.GENRES)
    gold = rng.choice(kinds)
    text = rng.choice(groups[gold])["text"]
    chosen = [
        gold,
        *rng.sample([k for k in kinds if k != gold and {k, gold} != {"newspaper", "SemEval"}], rng.randint(1, 5)),
    ]
    options = [Option(*say.GENRES[kind]) for kind in chosen]
    return finish(
        rng,
        text,
        "sentence",
        "genre",
        options,
        soften(one_hot(0, len(options)), 0.2),
        FEW,
        "emobank",
        "choice/genre/emobank",
    )


def draw_source(rng: Random) -> Example:
    """Bible, biology or parliament."""
    groups = by_field("permissive/complex_words", "source")
    kinds = sorted(say.SOURCES)
    gold = rng.choice(kinds)
    text = rng.choice(groups[gold])["text"]
    chosen = [gold, *rng.sample([k for k in kinds if k != gold], rng.randint(1, 2))]
    options = [Option(*say.SOURCES[kind]) for kind in chosen]
    return finish(
        rng,
        text,
        "sentence",
        "genre",
        options,
        one_hot(0, len(options)),
        Shape(none=0.1),
        "complex_words",
        "choice/genre/complex_words",
    )


@lru_cache(maxsize=1)
def _products() -> dict[str, tuple[Row, ...]]:
    return grouped(
        "permissive/product_reviews", lambda r: say.PRODUCTS[r["product"]][0] if len(r["text"]) < 160 else None
    )


def draw_product(rng: Random) -> Example:
    """The kind of product that several remarks speak of."""
    groups = _products()
    meanings = dict(say.PRODUCTS.values())
    gold = rng.choice(sorted(groups))
    text = " ".join(row["text"].strip() for row in rng.sample(groups[gold], rng.randint(3, 5)))
    others = [(name, meanings[name]) for name in sorted(groups) if name != gold] + list(say.OTHER_PRODUCTS)
    chosen = [(gold, meanings[gold]), *rng.sample(others, rng.randint(1, 9))]
    options = [Option(*label) for label in chosen]
    return finish(
        rng,
        text,
        "review",
        "product",
        options,
        one_hot(0, len(options)),
        Shape(none=0.05),
        "product_reviews",
        "choice/topic/products",
    )


@lru_cache(maxsize=1)
def _spoken() -> dict[str, tuple[tuple[str, str], ...]]:
    """Texts with their set by language name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for name in (
        "permissive/home_assistant",
        "permissive/xed_emotions",
        "permissive/multilingual_hatecheck",
        "permissive/botframework_intents",
    ):
        for row in usable(name):
            lang = code(row["lang"])
            if lang in say.LANGUAGES and len(row["text"]) > 12:
                found.setdefault(say.LANGUAGES[lang], []).append((row["text"], name.split("/")[1]))
    return {language: tuple(texts) for language, texts in found.items()}


CLOSE: Final[tuple[frozenset[str], ...]] = (
    frozenset({"Danish", "Norwegian"}),
    frozenset({"Serbian", "Croatian", "Slovenian"}),
    frozenset({"Malay", "Indonesian"}),
    frozenset({"Czech", "Slovak"}),
    frozenset({"Galician", "Portuguese", "Spanish"}),
)


def draw_language(rng: Random) -> Example:
    """The language of a sentence."""
    groups = _spoken()
    gold = rng.choice(sorted(groups))
    text, task = rng.choice(groups[gold])
    others = [o for o in sorted(groups) if o != gold and not any(gold in pair and o in pair for pair in CLOSE)]
    chosen = [gold, *rng.sample(others, min(len(others), option_count(rng, 25)))]
    lang = next(key for key, language in say.LANGUAGES.items() if language == gold)
    options = [Option(language) for language in chosen]
    return finish(
        rng,
        text,
        "sentence",
        "language",
        options,
        one_hot(0, len(options)),
        Shape(none=0.06),
        task,
        "choice/language/names",
        "no" if lang == "nb" else lang,
    )


def draw_grammar(rng: Random) -> Example:
    """Which of two sentences is grammatical: both are the options, the state says where they belong."""
    row = rng.choice(usable("permissive/blimp"))
    names = rng.choice((("first", "second"), ("A", "B"), ("sentence 1", "sentence 2"), ("left", "right")))
    first = rng.random() < 0.5
    pair = (row["text"], row["bad"]) if first else (row["bad"], row["text"])
    state: Any = (
        dict(zip(names, pair, strict=True))
        if rng.random() < 0.6
        else "\n".join(f"{n}: {t}" for n, t in zip(names, pair, strict=True))
    )
    text = rng.choice(
        (
            "Which sentence is grammatical?",
            "Which one is correct English?",
            "Which sentence would a native speaker say?",
            "Pick the well-formed sentence.",
            "Which sentence is right?",
        )
    )
    asked = ask(rng, text, [Option(name) for name in names], one_hot(int(not first), 2), Shape(none=0.0, restyle=False))
    return Example(state, asked.question, asked.target, "blimp", "choice/grammar/blimp")


WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "headline", "choice", ("permissive/clickbait",), ("en",), draw_headline, 1.2, ("choice/headline/clickbait",)
    ),
    Writer("action", "choice", ("permissive/email_intent",), ("en",), draw_task, 1.2, ("choice/action/email_intent",)),
    Writer(
        "comparison",
        "choice",
        ("permissive/comparative_sentences",),
        ("en",),
        draw_comparison,
        1.0,
        ("choice/comparison/kinds",),
    ),
    Writer(
        "view",
        "choice",
        (
            "permissive/product_reviews",
            "permissive/pros_cons",
            "permissive/ukp_stance_rank",
            "goemotions",
            "permissive/conjnli",
            "permissive/clickbait",
            "permissive/strategyqa",
        ),
        ("en",),
        draw_view,
        2.0,
        ("choice/view/opinion",),
    ),
    Writer("genre", "choice", ("sharealike/emobank",), ("en",), draw_genre, 0.8, ("choice/genre/emobank",)),
    Writer(
        "source", "choice", ("permissive/complex_words",), ("en",), draw_source, 0.5, ("choice/genre/complex_words",)
    ),
    Writer(
        "products", "choice", ("permissive/product_reviews",), ("en",), draw_product, 1.0, ("choice/topic/products",)
    ),
    Writer(
        "language",
        "choice",
        (
            "permissive/home_assistant",
            "permissive/xed_emotions",
            "permissive/multilingual_hatecheck",
            "permissive/botframework_intents",
        ),
        languages.HASS,
        draw_language,
        1.0,
        ("choice/language/names",),
    ),
    Writer("grammar", "choice", ("permissive/blimp",), ("en",), draw_grammar, 0.2, ("choice/grammar/blimp",)),
)
