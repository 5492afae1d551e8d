"""Writers that ask of an utterance whether it has a given intent, topic or label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases.intents_assistants import BOTS, HOME, HOME_DOMAINS, HWU, MEDICAL, MEDICAL_GROUPS, RASA
from training.phrases.intents_clinc import CLINC, CLINC_DOMAINS
from training.phrases.noul_intents import SERVICES, concept, described, service
from training.write.noul_bind import DENIED, TRUE, Binding, Pool, compose, writer
from training.write.noul_pools import PLAIN, plain, pool
from training.write.noul_states import Item, items, kept

if TYPE_CHECKING:
    from random import Random

    from training.write.noul_ask import Concept

Field = Callable[[dict[str, Any]], Any]
FAR: Final = plain()
SPOKEN: Final = (
    "ar",
    "bg",
    "bn",
    "ca",
    "cs",
    "da",
    "de",
    "el",
    "en",
    "es",
    "et",
    "eu",
    "fa",
    "fi",
    "fr",
    "ga",
    "gl",
    "he",
    "hi",
    "hr",
    "hu",
    "id",
    "is",
    "it",
    "ja",
    "ka",
    "ko",
    "kw",
    "lb",
    "lt",
    "lv",
    "ml",
    "mn",
    "ms",
    "nb",
    "ne",
    "nl",
    "pl",
    "pt",
    "ro",
    "ru",
    "sk",
    "sl",
    "sr",
    "sv",
    "sw",
    "te",
    "th",
    "tr",
    "uk",
    "ur",
    "vi",
    "zh",
)
"""Languages of the smart home sentences."""


@dataclass(frozen=True, slots=True)
class Labels:
    """A label set asked of its own texts.

    Attributes:
        source: the set.
        concepts: label to concept.
        label: reads the label of a row.
        group: reads what near labels have in common, for hard negatives.
        sure: probability that a text with another label does not, and that one with the label does have the intent.
    """

    source: str
    concepts: Mapping[str, Concept]
    label: Field
    group: Field
    sure: tuple[float, float] = (0.03, 0.97)

    def draw(self, rng: Random) -> Example:
        """A question about one label, over a text that has it, a near one, another one, or none."""
        texts = by_label(self)
        name = rng.choice(tuple(self.concepts))
        denied = rng.random() < DENIED
        holds = (rng.random() < TRUE) != denied
        item = rng.choice(texts[name]) if holds else self._other(rng, name)
        return compose(rng, self.concepts[name], item, denied=denied, holds=holds, sure=self.sure)

    def _other(self, rng: Random, name: str) -> Item:
        chance = rng.random()
        if chance < 0.15:
            return rng.choice(FAR())
        near, texts = by_group(self), by_label(self)
        others = [label for label in (near[name] if chance < 0.6 else tuple(texts)) if label != name]
        return rng.choice(texts[rng.choice(others or [label for label in texts if label != name])])


@cache
def _read(source: str, label: Field) -> dict[Any, tuple[Item, ...]]:
    found: dict[Any, list[dict[str, Any]]] = {}
    for row in kept(source):
        found.setdefault(label(row), []).append(row)
    return {name: items(source, group) for name, group in found.items()}


def by_label(labels: Labels) -> dict[Any, tuple[Item, ...]]:
    """Texts of a label set by label."""
    return _read(labels.source, labels.label)


def by_group(labels: Labels) -> dict[Any, tuple[Any, ...]]:
    """Label to the labels of its group."""
    return _near(labels.source, labels.label, labels.group)


@cache
def _near(source: str, label: Field, group: Field) -> dict[Any, tuple[Any, ...]]:
    members: dict[Any, dict[Any, None]] = {}
    for row in kept(source):
        members.setdefault(group(row), {})[label(row)] = None
    return {name: tuple(group) for group in members.values() for name in group}


def _label(row: dict[str, Any]) -> Any:
    return row["label"]


def _domain(row: dict[str, Any]) -> Any:
    return row["domain"]


def _skill(row: dict[str, Any]) -> Any:
    return row["skill"]


def _bot(row: dict[str, Any]) -> Any:
    return row["bot"]


def _first_part(row: dict[str, Any]) -> str:
    text: str = row["label"]
    return text.partition("_")[0]


def _any(_: dict[str, Any]) -> None:
    return None


def _concepts(prefix: str, names: Mapping[str, tuple[str, str]]) -> dict[str, Concept]:
    return {label: concept(f"{prefix}/{label}", *words) for label, words in names.items()}


SGD: Final = "sharealike/sgd_intents"
FUNCTIONS: Final[dict[str, str]] = {
    "FindApartment": "find an apartment in a city", "ScheduleVisit": "schedule a visit to a property",
        "GetRide": "book a taxi ride",
    "FindEvents": "find concerts or games", "BuyEventTickets": "buy tickets for an event",
        "FindProvider": "find a doctor, dentist, therapist or hair stylist",
    "GetWeather": "get the weather at a place", "BookAppointment": "book an appointment",
        "SearchHotel": "search for a hotel",
    "SearchOnewayFlight": "search for a one-way flight", "CheckBalance": "check the balance of an account",
        "FindMovies": "find films",
    "GetAvailableTime": "find free time on a day in the calendar",
        "SearchRoundtripFlights": "search for a return flight", "GetEventDates": "find out when a performer has events",
    "GetCarsAvailable": "find cars to rent", "ReserveCar": "rent a car", "FindRestaurants": "find a restaurant",
        "AddEvent": "add an event to the calendar",
    "BuyBusTicket": "buy a bus ticket", "FindAttractions": "browse tourist attractions",
        "GetTimesForMovie": "get show times of a film",
    "SearchHouse": "search for a house to stay in", "LookupSong": "search for a song",
        "ReserveHotel": "reserve a hotel room", "PlaySong": "play a song",
    "FindBus": "find a bus between cities", "TransferMoney": "transfer money", "LookupMusic": "search for music",
        "PlayMedia": "play music or a film",
    "PlayMovie": "play a film", "GetEvents": "see what is on the calendar", "ReserveRestaurant": "reserve a table",
}  # fmt: skip
"""Functions of services that a user may ask for, said without their slots."""
OVERLAP: Final = {"GetEvents", "LookupMusic", "PlayMedia"}
"""Functions that other services offer under another name: never asked of their texts."""

SETS: Final[tuple[tuple[str, Labels, float, tuple[str, ...]], ...]] = (
    ("noul/clinc150", Labels("clinc150", _concepts("clinc150", CLINC), _label, _domain), 6.0, ("en",)),
    ("noul/clinc_domains", Labels("clinc150", {name: service(f"clinc_domains/{name}", words) for name,
        words in CLINC_DOMAINS.items()}, _domain, _any, (0.06, 0.94)), 1.5, ("en",)),
    ("noul/hwu64", Labels("hwu64", _concepts("hwu64", HWU), _label, _first_part, (0.05, 0.94)), 2.0, ("en",)),
    ("noul/bots", Labels("permissive/botframework_intents", _concepts("bots", BOTS), _label, _skill, (0.05, 0.94)), 2.0,
        ("en", "de", "es", "fr", "it", "zh")),
    ("noul/home", Labels("permissive/home_assistant", _concepts("home", HOME), _label, _domain, (0.04, 0.95)), 2.0,
        SPOKEN),
    ("noul/home_domains", Labels("permissive/home_assistant", {name: service(f"home_domains/{name}", words) for name,
        words in HOME_DOMAINS.items()}, _domain, _any, (0.05, 0.94)), 0.7, SPOKEN),
    ("noul/rasa", Labels("permissive/rasa_bots", _concepts("rasa", RASA), _label, _bot, (0.05, 0.95)), 0.7, ("en",)),
    ("noul/medquad", Labels("permissive/medquad", _concepts("medquad", MEDICAL), _label, _any, (0.04, 0.96)), 1.5,
        ("en",)),
    ("noul/sgd", Labels(SGD, {label: described(f"sgd/{label}", label, act) for label,
        act in FUNCTIONS.items() if label not in OVERLAP}, _label, lambda row: row["service"].partition("_")[0], (0.06,
        0.94)), 2.5, ("en",)),
)  # fmt: skip


def _services() -> list[Binding]:
    bound = []
    for name, (words, marks) in SERVICES.items():
        yes = pool(SGD, lambda row, marks=marks: any(mark in row["service_description"] for mark in marks))
        every = [mark for other, (_, theirs) in SERVICES.items() for mark in theirs if other == name]
        no = pool(SGD, lambda row, every=every: not any(mark in row["service_description"] for mark in every))
        bound.append(Binding(service(f"service/{name}", words), yes, no, (0.04, 0.93)))
    return bound


def _medical() -> list[Binding]:
    bound = []
    for name, (words, labels) in MEDICAL_GROUPS.items():
        inside = frozenset(labels)
        outside = frozenset(label for other, (_, theirs) in MEDICAL_GROUPS.items() if other != name for label in theirs)
        yes: Pool = pool("permissive/medquad", lambda row, inside=inside: row["label"] in inside)
        no: Pool = pool("permissive/medquad", lambda row, outside=outside: row["label"] in outside)
        bound.append(
            Binding(service(f"medical/{name}", (words[0].removeprefix("about "), words[1])), yes, no, (0.05, 0.95))
        )
    return bound


def _writer(name: str, labels: Labels, share: float, languages: Sequence[str]) -> Writer:
    families = tuple(f"noul/{asked.name}" for asked in labels.concepts.values())
    return Writer(
        name, "noul", tuple({labels.source: 0} | dict.fromkeys(PLAIN)), tuple(languages), labels.draw, share, families
    )


WRITERS: Final[tuple[Writer, ...]] = (
    *(_writer(*row) for row in SETS),
    writer("noul/services", _services(), 1.5, (SGD,)),
    writer("noul/medical", _medical(), 0.5, ("permissive/medquad",)),
)
