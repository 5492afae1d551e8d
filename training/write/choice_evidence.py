"""What does the text say of the statement? Entailment, yes/no/unknown, and questions with their own answers."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases import opinions as say
from training.write.choice_pools import Row, grouped, one_hot, usable
from training.write.choice_shapes import Option, Shape, ask, instructions
from training.write.choice_states import wrap

if TYPE_CHECKING:
    from random import Random

FEW: Final = Shape(none=0.0, opaque=0.15, bare=0.45)
LABELS: Final = ("entailment", "neutral", "contradiction")
THREE: Final[dict[str, tuple[str, str, float]]] = {
    "permissive/conjnli": ("conjnli", "en", 20),
    "sharealike/snli_devtest": ("snli", "en", 22),
    "sharealike/mnli_dev": ("mnli", "en", 28),
    "sharealike/breaking_nli": ("breaking_nli", "en", 8),
    "sharealike/negation_nli": ("negation_nli", "en", 8),
    "sharealike/klue_nli_ko": ("klue", "ko", 7),
    "sharealike/jnli_ja": ("jnli", "ja", 7),
}
TWO: Final[dict[str, tuple[str, float]]] = {
    "permissive/hans_generated": ("hans", 10),
    "sharealike/med": ("med", 5),
    "sharealike/help": ("help", 5),
    "sharealike/mnli_dev": ("mnli", 10),
    "permissive/conjnli": ("conjnli", 6),
}
NAMES: Final = (
    ("premise", "hypothesis"),
    ("text", "statement"),
    ("source", "claim"),
    ("evidence", "claim"),
    ("document", "summary"),
    ("context", "answer"),
    ("passage", "conclusion"),
)


@cache
def _nli(name: str) -> dict[str, tuple[Row, ...]]:
    return grouped(name, lambda r: r["label"])


def put_pair(rng: Random, premise: str, statement: str, kind: str) -> tuple[Any, str]:
    """State and instructions for a text and a statement about it: both in the state, or one in the instructions."""
    first, second = rng.choice(NAMES)
    roll = rng.random()
    text = instructions(rng, kind, "the text")
    if roll < 0.2:
        return {first: premise, second: statement}, text
    if roll < 0.35:
        return f"{first.capitalize()}: {premise}\n{second.capitalize()}: {statement}", text
    if roll < 0.4:
        return [premise, statement], text
    form = rng.choice(('{} Statement: "{}"', "{} {}", '{} Claim: "{}"', "{}\n{}", "{} “{}”", "{} ({})"))
    if rng.random() < 0.25:
        asks = (
            'Is it true that: "{}"',
            'The text says: "{}" Right?',
            "Check: {}",
            "Claim: {}",
            "{}",
            'How about this: "{}"',
        )
        return premise, rng.choice(asks).format(statement)
    return premise, form.format(text, statement)


def draw_three(rng: Random) -> Example:
    """Entailment, neutral or contradiction."""
    name = rng.choices(tuple(THREE), [share for *_, share in THREE.values()])[0]
    task, lang, _ = THREE[name]
    groups = _nli(name)
    gold = rng.choice(LABELS)
    row = rng.choice(groups[gold])
    labels = list(rng.choice(say.NLI))
    state, text = put_pair(rng, row["premise"].strip(), row["hypothesis"].strip(), "nli")
    asked = ask(rng, text, [Option(*label) for label in labels], one_hot(LABELS.index(gold), 3), FEW)
    return Example(state, asked.question, asked.target, task, f"choice/nli/{task}", lang)


def draw_two(rng: Random) -> Example:
    """Entailed or not."""
    name = rng.choices(tuple(TWO), [share for _, share in TWO.values()])[0]
    groups = _nli(name)
    gold = rng.random() < 0.5
    row = rng.choice(groups["entailment" if gold else rng.choice(sorted(set(groups) - {"entailment"}))])
    state, text = put_pair(rng, row["premise"].strip(), row["hypothesis"].strip(), "nli")
    labels = rng.choice(say.NLI_TWO)
    asked = ask(rng, text, [Option(*label) for label in labels], one_hot(int(not gold), 2), FEW)
    return Example(state, asked.question, asked.target, TWO[name][0], f"choice/entailed/{TWO[name][0]}")


@lru_cache(maxsize=1)
def _premises() -> tuple[tuple[str, dict[str, tuple[str, ...]]], ...]:
    """Premises of which more than one statement is known, with the statements by label."""
    found: dict[str, dict[str, list[str]]] = {}
    for name in ("sharealike/snli_devtest", "sharealike/mnli_dev"):
        for row in usable(name):
            found.setdefault(row["premise"].strip(), {}).setdefault(row["label"], []).append(row["hypothesis"].strip())
    kept = sorted((p, {k: tuple(v) for k, v in labels.items()}) for p, labels in found.items() if len(labels) == 3)
    return tuple((premise, labels) for premise, labels in kept)


def draw_follows(rng: Random) -> Example:
    """Which of several statements does the text support, or rule out?"""
    premise, labels = rng.choice(_premises())
    denied = rng.random() < 0.25
    gold, rest = (
        ("contradiction", ("neutral", "entailment")) if denied else ("entailment", ("neutral", "contradiction"))
    )
    options = [rng.choice(labels[gold])]
    options += [rng.choice(labels[other]) for other in rest]
    if rng.random() < 0.4:
        # Statements about another scene are easy to tell apart, and make the list longer.
        for _ in range(rng.randint(1, 3)):
            options.append(rng.choice(rng.choice(_premises())[1]["neutral"])) if not denied else None
    options = list(dict.fromkeys(options))
    if len(options) < 2:
        return draw_follows(rng)
    state, noun = wrap(rng, premise, "passage", plain=0.9)
    shape = Shape(none=0.0, restyle=False, bare=1.0, opaque=0.0)
    if rng.random() < 0.3:
        shape = Shape(none=0.0, opaque=1.0)
    made = [Option(option, option) for option in options]
    asked = ask(rng, instructions(rng, "denied" if denied else "follows", noun), made, one_hot(0, len(made)), shape)
    return Example(
        state, asked.question, asked.target, "snli", "choice/follows/denied" if denied else "choice/follows/supported"
    )


# Questions with an answer


def _asked(rng: Random, question: str, kind: str, noun: str) -> str:
    question = question.strip()
    question = question if question.endswith("?") else f"{question}?"
    roll = rng.random()
    if roll < 0.6:
        return question
    form = rng.choice(("{} {}", "{1} {0}", "{}\n{}", '{} "{}"'))
    return form.format(instructions(rng, kind, noun), question)


def draw_bbq(rng: Random) -> Example:
    """A scene, a question and its three answers, one of which is that nobody knows."""
    row = rng.choice(usable("permissive/bbq"))
    options = [Option(option) for option in row["options"]]
    state, noun = wrap(rng, row["text"].strip(), "passage", plain=0.9)
    gold = one_hot(row["options"].index(row["label"]), len(options))
    asked = ask(rng, _asked(rng, row["question"], "answer", noun), options, gold, Shape(none=0.0, restyle=False))
    return Example(state, asked.question, asked.target, "bbq", "choice/answers/bbq")


ENOUGH: Final = (
    (
        ("enough information", "the scene answers the question"),
        ("not enough information", "the scene leaves the question open"),
    ),
    (("answerable", "the text says it"), ("unanswerable", "the text does not say it")),
    (("known", "it can be told"), ("unknown", "it cannot be told")),
)


def draw_enough(rng: Random) -> Example:
    """Does the text settle the question at all?"""
    if rng.random() < 0.6:
        row = rng.choice(usable("permissive/bbq"))
        question, gold, task, text = row["question"], row["context"] == "disambig", "bbq", row["text"]
    else:
        gold, task = rng.random() < 0.5, "qnli"
        row = rng.choice(_nli("sharealike/qnli_dev")["answers" if gold else "does not answer"])
        question, text = row["hypothesis"], row["premise"]
    state, noun = wrap(rng, text.strip(), "passage", plain=0.9)
    asks = (
        'Does the text answer "{}"',
        "Can this be answered from the text? {}",
        "Is there enough information to answer: {}",
        'Does {noun} say "{}"',
        "Answerable? {}",
    )
    form = rng.choice(asks).replace("{noun}", noun)
    labels = rng.choice(ENOUGH)
    asked = ask(
        rng, form.format(question.strip()), [Option(*label) for label in labels], one_hot(int(not gold), 2), FEW
    )
    return Example(state, asked.question, asked.target, task, f"choice/answerable/{task}")


def draw_yes_no(rng: Random) -> Example:
    """A question about a passage, answered yes, no or not stated."""
    name, task, unknown = rng.choice(
        (
            ("permissive/condaqa", "condaqa", "don't know"),
            ("permissive/pubmedqa", "pubmedqa", "maybe"),
            ("permissive/strategyqa", "strategyqa", ""),
        )
    )
    groups = _nli(name)
    sides = [side for side in ("yes", "no", unknown) if side in groups]
    gold = rng.choices(sides, (4, 4, 2)[: len(sides)])[0]
    row = rng.choice(groups[gold])
    three = len(sides) == 3 and (gold == unknown or rng.random() < 0.7)
    labels = list(rng.choice(say.YES_NO))
    labels = labels if three else labels[:2]
    text = row["text"].strip()
    state, noun = wrap(rng, text, "passage", plain=0.9)
    gold_at = ("yes", "no", unknown).index(gold)
    asked = ask(
        rng,
        _asked(rng, row["question"], "yesno", noun),
        [Option(*label) for label in labels],
        one_hot(gold_at, len(labels)),
        FEW,
    )
    return Example(state, asked.question, asked.target, task, f"choice/yesno/{task}")


JAPANESE: Final = (
    "質問の答えを選んでください。",
    "最も適切な答えはどれですか。",
    "正しい答えを選ぶ。",
    "質問に答えてください。",
    "Which answer is right?",
    "Answer the question.",
    "Choose the best answer to the question.",
)


def draw_commonsense(rng: Random) -> Example:
    """A Japanese question of common sense with its own options."""
    row = rng.choice(usable("sharealike/jcommonsenseqa_ja"))
    others = [option for option in row["options"] if option != row["label"]]
    options = [row["label"], *rng.sample(others, rng.randint(1, len(others)))]
    made = [Option(option) for option in dict.fromkeys(options)]
    asked = ask(rng, rng.choice(JAPANESE), made, one_hot(0, len(made)), Shape(none=0.05, restyle=False))
    return Example(
        row["text"].strip(), asked.question, asked.target, "jcommonsenseqa", "choice/answers/jcommonsenseqa", "ja"
    )


# Arguments


@lru_cache(maxsize=1)
def _stances() -> dict[str, dict[str, tuple[Row, ...]]]:
    tree: dict[str, dict[str, tuple[Row, ...]]] = {}
    for (topic, side), members in grouped("permissive/ukp_stance_rank", lambda r: (r["topic"], r["side"])).items():
        tree.setdefault(topic, {})[side] = members
    return tree


def draw_stance(rng: Random) -> Example:
    """The side that an argument takes; several topics may be mixed."""
    topic = rng.choice(sorted(say.DEBATES))
    name, sides = say.DEBATES[topic]
    gold = rng.randrange(2)
    row = rng.choice(_stances()[topic][sides[gold][0]])
    options = [Option(sides[gold][1]), Option(sides[1 - gold][1])]
    if rng.random() < 0.3:
        options += [
            Option(say.DEBATES[other][1][rng.randrange(2)][1])
            for other in rng.sample(sorted(set(say.DEBATES) - {topic}), rng.randint(1, 4))
        ]
    state, noun = wrap(rng, row["text"].strip(), "post")
    text = instructions(rng, "stance", noun)
    text = f"{text} Topic: {name}" if rng.random() < 0.3 else text
    asked = ask(rng, text, options, one_hot(0, len(options)), Shape(none=0.05, restyle=False))
    return Example(state, asked.question, asked.target, "ukp", "choice/stance/ukp")


def draw_debate(rng: Random) -> Example:
    """The topic of an argument."""
    topic = rng.choice(sorted(say.DEBATES))
    row = rng.choice(_stances()[topic][rng.choice(sorted(_stances()[topic]))])
    others = rng.sample(sorted(set(say.DEBATES) - {topic}), rng.randint(1, 15))
    options = [Option(say.DEBATES[key][0]) for key in (topic, *others)]
    state, noun = wrap(rng, row["text"].strip(), "post")
    asked = ask(rng, instructions(rng, "topic", noun), options, one_hot(0, len(options)), Shape(none=0.1))
    return Example(state, asked.question, asked.target, "ukp", "choice/topic/ukp")


def draw_convincing(rng: Random) -> Example:
    """The more convincing of two arguments; readers differ."""
    row = rng.choice(usable("permissive/ukp_convincing"))
    pairs = (
        (("first", "the first argument"), ("second", "the second argument")),
        (("A", "argument A"), ("B", "argument B")),
        (("argument 1", "the one at the top"), ("argument 2", "the one below")),
    )
    labels = rng.choice(pairs)
    first, second = row["premise"].strip(), row["hypothesis"].strip()
    names = [label[0] if len(label[0]) > 1 else f"argument {label[0]}" for label in labels]
    state: Any = (
        {names[0]: first, names[1]: second} if rng.random() < 0.5 else f"{names[0]}: {first}\n\n{names[1]}: {second}"
    )
    target = (0.8, 0.2) if row["label"] == "first" else (0.2, 0.8)
    asked = ask(
        rng, instructions(rng, "convincing", "the text"), [Option(*label) for label in labels], target, Shape(none=0.0)
    )
    return Example(state, asked.question, asked.target, "ukp", "choice/convincing/ukp")


WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "nli_three",
        "choice",
        tuple(THREE),
        ("en", "ko", "ja"),
        draw_three,
        5.0,
        tuple(f"choice/nli/{t}" for t, *_ in THREE.values()),
    ),
    Writer(
        "nli_two", "choice", tuple(TWO), ("en",), draw_two, 2.0, tuple(f"choice/entailed/{t}" for t, _ in TWO.values())
    ),
    Writer(
        "nli_follows",
        "choice",
        ("sharealike/snli_devtest", "sharealike/mnli_dev"),
        ("en",),
        draw_follows,
        4.0,
        ("choice/follows/supported", "choice/follows/denied"),
    ),
    Writer("bbq", "choice", ("permissive/bbq",), ("en",), draw_bbq, 2.0, ("choice/answers/bbq",)),
    Writer(
        "answerable",
        "choice",
        ("permissive/bbq", "sharealike/qnli_dev"),
        ("en",),
        draw_enough,
        1.5,
        ("choice/answerable/bbq", "choice/answerable/qnli"),
    ),
    Writer(
        "yes_no",
        "choice",
        ("permissive/condaqa", "permissive/pubmedqa", "permissive/strategyqa"),
        ("en",),
        draw_yes_no,
        2.0,
        ("choice/yesno/condaqa", "choice/yesno/pubmedqa", "choice/yesno/strategyqa"),
    ),
    Writer(
        "commonsense_ja",
        "choice",
        ("sharealike/jcommonsenseqa_ja",),
        ("ja",),
        draw_commonsense,
        1.5,
        ("choice/answers/jcommonsenseqa",),
    ),
    Writer("stance", "choice", ("permissive/ukp_stance_rank",), ("en",), draw_stance, 1.0, ("choice/stance/ukp",)),
    Writer("debates", "choice", ("permissive/ukp_stance_rank",), ("en",), draw_debate, 1.0, ("choice/topic/ukp",)),
    Writer(
        "convincing",
        "choice",
        ("permissive/ukp_convincing",),
        ("en",),
        draw_convincing,
        0.3,
        ("choice/convincing/ukp",),
    ),
)
