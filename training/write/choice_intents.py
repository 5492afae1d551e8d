"""What does the user want? Intents, skills and services of assistants and bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases.intents_assistants import HWU
from training.phrases.intents_clinc import CLINC, CLINC_DOMAINS
from training.write.choice_pools import Row, code, described, grouped, one_hot, texts
from training.write.choice_shapes import Option, Shape, ask, instructions, option_count
from training.write.choice_states import wrap

if TYPE_CHECKING:
    from random import Random

Texts = Mapping[str, tuple[Row, ...]]
Known = Mapping[str, tuple[str, str]]


PLAIN: Final = Shape()


@dataclass(frozen=True, slots=True)
class Task:
    """One label set to ask about."""

    task: str
    family: str
    kind: str
    known: Known
    shape: Shape = PLAIN


def options_of(rng: Random, labels: Sequence[str], known: Known, members: Texts, but: str) -> list[Option]:
    """Options of labels: under their own name or a name in words, with meaning and examples."""
    raw = rng.random() < 0.5
    exampled = rng.random() < 0.12
    made, seen = [], set()
    for label in labels:
        name, meaning = described(label, known)
        shown = label if raw or name.casefold() in seen else name
        seen.add(shown.casefold())
        made.append(Option(shown, meaning, texts(rng, members[label], 2, but) if exampled else ()))
    return made


def draw_label(rng: Random, task: Task, members: Texts, most: int = 0) -> Example:
    """One row of a label set, with the right label among others."""
    gold = rng.choice(sorted(members))
    row = rng.choice(members[gold])
    others = [label for label in sorted(members) if label != gold]
    count = option_count(rng, min(most or len(members), len(members)))
    labels = [gold, *rng.sample(others, max(1, count - 1) if others else 0)]
    return _example(rng, task, row, labels, members, one_hot(0, len(labels)))


def _example(  # noqa: PLR0917 - the parts of an example, in the order of its text
    rng: Random, task: Task, row: Row, labels: Sequence[str], members: Texts, gold: Sequence[float]
) -> Example:
    text = row["text"].strip()
    state, noun = wrap(rng, text, "utterance")
    options = options_of(rng, labels, task.known, members, text)
    asked = ask(rng, instructions(rng, task.kind, noun), options, gold, task.shape)
    return Example(state, asked.question, asked.target, task.task, task.family, code(row.get("lang", "en")))


# clinc150


@lru_cache(maxsize=1)
def _clinc() -> dict[str, dict[str, tuple[Row, ...]]]:
    """Domain -> intent -> rows; out-of-scope rows under "" -> "" ."""
    tree: dict[str, dict[str, tuple[Row, ...]]] = {}
    for (domain, label), members in grouped("clinc150", lambda r: (r["domain"] or "", r["label"] or "")).items():
        tree.setdefault(domain, {})[label] = members
    return tree


def _clinc_intents() -> dict[str, tuple[Row, ...]]:
    return {label: members for domain, labels in _clinc().items() if domain for label, members in labels.items()}


def draw_clinc_domain(rng: Random) -> Example:
    """Intents of one domain."""
    domain = rng.choice(sorted(CLINC_DOMAINS))
    return draw_label(rng, Task("clinc150", f"choice/clinc150/{domain}", "intent", CLINC), _clinc()[domain])


def draw_clinc_mixed(rng: Random) -> Example:
    """Intents of all domains, now and then all 150, and texts that no intent covers."""
    members = _clinc_intents()
    task = Task("clinc150", "choice/clinc150/mixed", "intent", CLINC)
    if rng.random() > 0.1:
        return draw_label(rng, task, members)
    row = rng.choice(_clinc()[""][""])
    labels = rng.sample(sorted(members), option_count(rng, 60) + 1)
    task = Task("clinc150", "choice/clinc150/out-of-scope", "intent", CLINC)
    return _example(rng, task, row, labels, members, [0.0] * len(labels))


def _document(rng: Random, groups: Texts, label: str, most: int) -> Any:
    count = rng.choice((1, 1, 1, *range(2, most + 1)))
    drawn = [row["text"].strip() for row in rng.sample(groups[label], min(count, len(groups[label])))]
    return drawn[0] if len(drawn) == 1 else drawn


def draw_route(rng: Random, task: Task, groups: Texts) -> Example:
    """A domain for one message, or for several messages of the same domain."""
    labels = sorted(groups)
    gold = rng.choice(labels)
    drawn = _document(rng, groups, gold, 4)
    if isinstance(drawn, str):
        state, noun = wrap(rng, drawn, "ticket")
    else:
        joined = rng.random() < 0.5
        state, noun = (" ".join(f"{t.rstrip('.')}." for t in drawn) if joined else drawn), "the messages"
        task = replace(task, kind="share")
    count = min(len(labels), option_count(rng, len(labels)) + 1)
    chosen = [gold, *rng.sample([label for label in labels if label != gold], count - 1)]
    options = [Option(*described(label, task.known)) for label in chosen]
    asked = ask(rng, instructions(rng, task.kind, noun), options, one_hot(0, len(options)), task.shape)
    return Example(state, asked.question, asked.target, task.task, task.family)


@lru_cache(maxsize=1)
def _clinc_domains() -> dict[str, tuple[Row, ...]]:
    return grouped("clinc150", lambda r: r["domain"])


def draw_clinc_route(rng: Random) -> Example:
    """The domain of a message: which team takes it?"""
    return draw_route(rng, Task("clinc150", "choice/clinc150/domains", "route", CLINC_DOMAINS), _clinc_domains())


# hwu64

HWU_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "time": ("alarm", "calendar", "datetime"),
    "media": ("audio", "music", "play"),
    "home": ("iot", "cooking"),
    "knowledge": ("qa", "news", "weather", "recommendation"),
    "people": ("email", "social", "lists", "general"),
    "errands": ("takeaway", "transport"),
}


@lru_cache(maxsize=1)
def _hwu() -> dict[str, tuple[Row, ...]]:
    return grouped("hwu64", lambda r: r["label"])


def draw_hwu(rng: Random) -> Example:
    """Intents of one area, or of all."""
    members = _hwu()
    group = rng.choice((*sorted(HWU_GROUPS), "all", "all", "all"))
    if group != "all":
        members = {label: rows for label, rows in members.items() if label.split("_", 1)[0] in HWU_GROUPS[group]}
    return draw_label(rng, Task("hwu64", f"choice/hwu64/{group}", "intent", HWU), members)


WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "clinc_domain",
        "choice",
        ("clinc150",),
        ("en",),
        draw_clinc_domain,
        6.0,
        tuple(f"choice/clinc150/{d}" for d in CLINC_DOMAINS),
    ),
    Writer(
        "clinc_mixed",
        "choice",
        ("clinc150",),
        ("en",),
        draw_clinc_mixed,
        5.0,
        ("choice/clinc150/mixed", "choice/clinc150/out-of-scope"),
    ),
    Writer("clinc_route", "choice", ("clinc150",), ("en",), draw_clinc_route, 2.5, ("choice/clinc150/domains",)),
    Writer(
        "hwu", "choice", ("hwu64",), ("en",), draw_hwu, 5.0, tuple(f"choice/hwu64/{g}" for g in (*HWU_GROUPS, "all"))
    ),
)
