"""Reading banks of made-up messages: headings with a meaning, messages below them, slots in braces."""

# A table reads best with a row a line.
# ruff: noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from random import Random

SLOT: Final = re.compile(r"\{(\w+)\}")
FILLS: Final[dict[str, tuple[str, ...]]] = {
    "n": ("4411", "20931", "88-172", "A-5520", "7003", "31", "195", "60224"), "small": ("two", "three", "four", "five", "six", "ten"),
    "name": ("Anna", "Mr Okafor", "Lena", "Ms Rossi", "Dr Tan", "Jonas", "Priya", "Mrs Novak", "Sam", "Yusuf"),
    "city": ("Lyon", "Oslo", "Austin", "Krakow", "Osaka", "Leeds", "Porto", "Nairobi", "Basel", "Toronto"),
    "country": ("Portugal", "Kenya", "Japan", "Chile", "Norway", "Canada", "Vietnam", "Poland", "Morocco"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "the weekend"), "month": ("January", "March", "May", "July", "October", "November"),
    "time": ("9 am", "half past two", "noon", "6 pm", "8:30", "ten o'clock"), "amount": ("$40", "19.99 euros", "£250", "$1,200", "89 dollars", "35 euros"),
    "product": ("kettle", "headset", "sofa", "raincoat", "laptop", "bicycle", "coffee grinder", "desk lamp", "printer", "tent", "phone case", "blender"),
    "device": ("laptop", "phone", "tablet", "router", "printer", "monitor", "watch"), "app": ("the app", "the website", "the dashboard", "the desktop client", "the portal"),
    "lang": ("Python", "Java", "Rust", "JavaScript", "Go", "SQL"), "team": ("Rovers", "United", "the Lions", "the Hawks", "City", "the Comets"),
    "company": ("Norvik", "Telman", "Brightwater", "Acorn Foods", "Solace", "Pinewood", "Kestrel Air"), "percent": ("3 percent", "12%", "a fifth", "40 percent", "half"),
    "course": ("biology", "statistics", "history", "linear algebra", "French", "chemistry"), "body": ("knee", "back", "shoulder", "stomach", "left ear", "throat"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading of a bank.

    Attributes:
        name: short name in words.
        description: what belongs under it.
        messages: texts with slots.
    """

    name: str
    description: str
    messages: tuple[str, ...]


def read_bank(text: str) -> dict[str, tuple[Entry, ...]]:
    """Groups of headings: lines `= group`, `# name | description`, and one message a line below."""
    groups: dict[str, list[Entry]] = {}
    entries: list[Entry] = groups.setdefault("", [])
    for line in filter(None, (raw.strip() for raw in text.splitlines())):
        if line.startswith("= "):
            entries = groups.setdefault(line[2:], [])
        elif line.startswith("# "):
            name, _, description = line[2:].partition("|")
            entries.append(Entry(name.strip(), description.strip(), ()))
        else:
            last = entries[-1]
            entries[-1] = Entry(last.name, last.description, (*last.messages, line))
    return {group: tuple(members) for group, members in groups.items() if members}


def fill(rng: Random, message: str) -> str:
    """A message with its slots filled at random."""
    return SLOT.sub(lambda found: rng.choice(FILLS[found[1]]), message)
