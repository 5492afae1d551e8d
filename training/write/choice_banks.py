"""Which department, subject or kind of message? Texts from our own banks, several sentences put together at times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases.banks import Entry, fill
from training.phrases.desk import DESK
from training.phrases.graded import DIFFICULTY, HARM, MANNERS, TEMPER, URGENCY
from training.phrases.subjects import MAIL, NEWS, PROMPTING
from training.write.choice_pools import one_hot, soften
from training.write.choice_shapes import Option, Shape, ask, instructions, option_count
from training.write.choice_states import wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from random import Random

BANKED: Final = Shape(none=0.15, opaque=0.12, bare=0.4, example=0.12)
GREETINGS: Final = ("Hello, ", "Hi, ", "Hi there! ", "Good morning. ", "Dear team, ")
NEAR: Final[tuple[frozenset[str], ...]] = (
    # Headings under which the same message could stand.
    frozenset({"politics", "war and conflict", "law"}),
    frozenset({"business", "finance", "work and careers", "cars and traffic", "energy"}),
    frozenset({"science", "space", "technology", "health"}),
    frozenset({"entertainment", "art and literature", "games"}),
    frozenset({"environment", "animals", "farming", "weather"}),
    frozenset({"crime", "law"}),
    frozenset({"food", "health"}),
    frozenset({"advertisement", "newsletter", "phishing"}),
    frozenset({"security alert", "phishing"}),
    frozenset({"complaint", "bug report", "refund request", "legal threat"}),
    frozenset({"question", "order", "meeting"}),
    frozenset({"thanks", "praise"}),
    frozenset({"advice", "health question", "legal question", "shopping", "planning", "brainstorming"}),
    frozenset({"writing", "summary", "translation"}),
    frozenset({"history", "war and conflict", "politics"}),
    frozenset({"delivery notice", "reminder"}),
    frozenset({"facts", "health question", "legal question"}),
    frozenset({"family and relationships", "education"}),
    frozenset({"religion", "history"}),
    frozenset({"cancellation", "refund request"}),
    frozenset({"out of office", "meeting"}),
)


def _near(one: str, other: str) -> bool:
    return any(one in group and other in group for group in NEAR)


def message(rng: Random, entry: Entry, most: int = 1) -> str:
    """A text under a heading: one or several of its messages."""
    count = min(len(entry.messages), rng.choice((1,) * 3 + tuple(range(1, most + 1))))
    text = " ".join(fill(rng, chosen) for chosen in rng.sample(entry.messages, count))
    if rng.random() < 0.1:
        text = rng.choice(GREETINGS) + text
    if rng.random() < 0.08:
        text = text.lower()
    return text


def _options(rng: Random, entries: Sequence[Entry], exampled: bool, but: Sequence[str]) -> list[Option]:
    made = []
    for entry in entries:
        examples = [m for m in entry.messages if m not in but] if exampled else []
        made.append(Option(entry.name, entry.description, tuple(fill(rng, m) for m in examples[:3])))
    return made


def draw_entry(  # noqa: PLR0917 - the parts of an example, in the order of its text
    rng: Random, entries: Sequence[Entry], form: str, kind: str, task: str, family: str, most: int = 1
) -> Example:
    """One text of a heading, with headings that could not hold it as well."""
    gold = rng.choice(entries)
    held = list(gold.messages)
    rng.shuffle(held)
    shown = Entry(gold.name, gold.description, tuple(held[: max(1, len(held) // 2)]))
    text = message(rng, shown, most)
    others = [entry for entry in entries if entry is not gold and not _near(gold.name, entry.name)]
    chosen = [gold, *rng.sample(others, min(len(others), max(1, option_count(rng, len(others)) - 1)))]
    state, noun = wrap(rng, text, form, plain=0.75)
    options = _options(rng, chosen, rng.random() < 0.2, shown.messages)
    asked = ask(rng, instructions(rng, kind, noun), options, one_hot(0, len(options)), BANKED)
    return Example(state, asked.question, asked.target, task, family)


def draw_desk(rng: Random) -> Example:
    """The department of one organisation; now and then departments of all kinds of organisations."""
    sector = rng.choice(sorted(DESK))
    return draw_entry(rng, DESK[sector], "ticket", "route", "desk", f"choice/desk/{sector.replace(' ', '-')}", 2)


def draw_sector(rng: Random) -> Example:
    """The kind of organisation that a message is meant for."""
    names = {
        "shop": "online shop",
        "it": "IT help desk",
        "hr": "human resources",
        "city": "city council",
        "clinic": "doctor's practice",
        "travel": "airline or hotel",
        "software": "software maker",
        "school": "university",
        "insurance": "insurance company",
        "home utilities": "power supplier",
        "newsroom": "newspaper",
        "law office": "law office",
    }
    sectors = rng.sample(sorted(names), rng.randint(2, len(names)))
    # What any organisation may be asked belongs nowhere.
    vague = {
        "billing",
        "complaints",
        "cancellation",
        "change of details",
        "subscriptions",
        "contracts",
        "praise",
        "subscription",
    }
    entry = rng.choice([entry for entry in DESK[sectors[0]] if entry.name not in vague])
    state, noun = wrap(rng, message(rng, entry), "ticket")
    options = [Option(names[sector], ", ".join(e.name for e in DESK[sector][:4])) for sector in sectors]
    target = soften(one_hot(0, len(options)), 0.06)
    asked = ask(rng, instructions(rng, "route", noun), options, target, BANKED)
    return Example(state, asked.question, asked.target, "desk", "choice/desk/sectors")


def draw_news(rng: Random) -> Example:
    """The subject of a sentence, or of a short text on one subject."""
    return draw_entry(
        rng,
        NEWS["news"],
        rng.choice(("headline", "sentence", "passage")),
        "topic",
        "subjects",
        "choice/subjects/news",
        4,
    )


def draw_mail(rng: Random) -> Example:
    """The kind of a mail."""
    return draw_entry(
        rng, MAIL["mail"], "ticket", rng.choice(("intent", "mail", "mail")), "mail", "choice/mail/kinds", 2
    )


def draw_prompt(rng: Random) -> Example:
    """What a prompt wants of a language model."""
    return draw_entry(
        rng, PROMPTING["kind"], "prompt", rng.choice(("work", "work", "intent")), "prompting", "choice/prompts/work", 1
    )


LADDERS: Final[Mapping[str, tuple[tuple[Entry, ...], str, str]]] = {
    "urgency": (URGENCY["low"], "urgency", "ticket"),
    "temper": (TEMPER["temper"], "emotion", "ticket"),
    "manners": (MANNERS["manners"], "manners", "ticket"),
    "harm": (HARM["harm"], "risk", "prompt"),
    "difficulty": (DIFFICULTY["difficulty"], "effort", "prompt"),
}
RENAMED: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "urgency": (
        ("low", "medium", "high", "critical"),
        ("P4", "P3", "P2", "P1"),
        ("can wait", "this week", "today", "right now"),
        ("minor", "normal", "major", "blocker"),
        ("backlog", "soon", "next", "drop everything"),
    ),
    "temper": (
        ("calm", "slightly annoyed", "annoyed", "furious"),
        ("relaxed", "a little unhappy", "irritated", "enraged"),
        ("green", "yellow", "orange", "red"),
    ),
    "manners": (
        ("insulting", "brusque", "plain", "polite", "very courteous"),
        ("abusive", "rude", "neutral", "friendly", "exceptionally kind"),
    ),
    "harm": (
        ("harmless", "slight", "serious", "severe"),
        ("allow", "allow with care", "refuse", "refuse and report"),
        ("safe", "naughty", "illegal", "life-threatening"),
    ),
    "difficulty": (
        ("trivial", "easy", "moderate", "hard"),
        ("tiny model", "small model", "large model", "reasoning model"),
        ("S", "M", "L", "XL"),
    ),
}


def draw_ladder(rng: Random) -> Example:
    """A degree as a choice: priorities, tempers, risks."""
    name = rng.choice(sorted(LADDERS))
    entries, kind, form = LADDERS[name]
    names = rng.choice(RENAMED[name])
    gold = rng.randrange(len(entries))
    state, noun = wrap(rng, message(rng, entries[gold]), form)
    options = [Option(label, entry.description) for label, entry in zip(names, entries, strict=True)]
    near = [0.0] * len(entries)
    for at in (gold - 1, gold + 1):
        if 0 <= at < len(entries):
            near[at] = 0.06
    near[gold] = 1 - sum(near)
    asked = ask(rng, instructions(rng, kind, noun), options, near, Shape(none=0.0, opaque=0.15, bare=0.3))
    return Example(state, asked.question, asked.target, "ladders", f"choice/ladder/{name}")


def _writer(name: str, draw: Callable[[Random], Example], share: float, families: tuple[str, ...]) -> Writer:
    return Writer(name, "choice", (), ("en",), draw, share, families)


WRITERS: Final[tuple[Writer, ...]] = (
    _writer("desk", draw_desk, 5.0, tuple(f"choice/desk/{sector.replace(' ', '-')}" for sector in DESK)),
    _writer("desk_sectors", draw_sector, 1.0, ("choice/desk/sectors",)),
    _writer("news", draw_news, 2.5, ("choice/subjects/news",)),
    _writer("mail_kinds", draw_mail, 2.2, ("choice/mail/kinds",)),
    _writer("prompt_work", draw_prompt, 1.5, ("choice/prompts/work",)),
    _writer("ladders", draw_ladder, 2.0, tuple(f"choice/ladder/{name}" for name in LADDERS)),
)
