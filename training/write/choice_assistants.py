"""What does the user want? Car, hotel, smart home and help-desk bots, and services that book things."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from training.examples import Example, Writer
from training.phrases import languages
from training.phrases.intents_assistants import BOT_SKILLS, BOTS, HOME, HOME_DOMAINS, RASA
from training.write.choice_intents import Known, Task, draw_label
from training.write.choice_pools import Row, grouped, one_hot
from training.write.choice_shapes import Option, Shape, ask, instructions, option_count
from training.write.choice_states import wrap

if TYPE_CHECKING:
    from random import Random

# botframework_intents

BOT: Final = "permissive/botframework_intents"
ASKED_SKILLS: Final = ("Calendar", "Email", "General", "Hospitality", "MusicSkill", "Settings", "ToDo", "WeatherSkill")


@lru_cache(maxsize=1)
def _bots() -> dict[tuple[str, str], dict[str, tuple[Row, ...]]]:
    tree: dict[tuple[str, str], dict[str, tuple[Row, ...]]] = {}
    for (skill, lang, label), members in grouped(BOT, lambda r: (r["skill"], r["lang"], r["label"])).items():
        tree.setdefault((skill, lang), {})[label] = members
    return tree


@lru_cache(maxsize=1)
def _bot_keys() -> tuple[tuple[str, str], ...]:
    keys = sorted(key for key, labels in _bots().items() if key[0] in ASKED_SKILLS and len(labels) > 1)
    # English is half of the draws.
    english = [key for key in keys if key[1] == "en"]
    return tuple(keys + english * max(1, len(keys) // max(1, len(english)) - 1))


def draw_bot(rng: Random) -> Example:
    """Intents inside one skill."""
    skill, lang = rng.choice(_bot_keys())
    return draw_label(rng, Task("botframework", f"choice/botframework/{skill}", "intent", BOTS), _bots()[skill, lang])


@lru_cache(maxsize=1)
def _bot_skills() -> dict[str, tuple[Row, ...]]:
    return grouped(BOT, lambda r: r["skill"] if r["skill"] in BOT_SKILLS and " " in r["text"].strip() else None)


def draw_bot_route(rng: Random) -> Example:
    """The skill that a message belongs to."""
    return draw_label(rng, Task("botframework", "choice/botframework/skills", "route", BOT_SKILLS), _bot_skills())


# home_assistant

HASS: Final = "permissive/home_assistant"


def _plain_hass(label: str) -> str:
    return label.removeprefix("Hass")


HASS_KNOWN: Final[Known] = {_plain_hass(label): words for label, words in HOME.items()}


@lru_cache(maxsize=1)
def _hass() -> dict[str, dict[str, tuple[Row, ...]]]:
    tree: dict[str, dict[str, tuple[Row, ...]]] = {}
    keyed = grouped(HASS, lambda r: (r["lang"], _plain_hass(r["label"])) if r["label"] != "HassRespond" else None)
    for (lang, label), members in keyed.items():
        tree.setdefault(lang, {})[label] = members
    return {lang: labels for lang, labels in tree.items() if len(labels) > 2}


def draw_hass(rng: Random) -> Example:
    """Intents of a smart home, in any of its languages."""
    tree = _hass()
    lang = "en" if rng.random() < 0.35 else rng.choice(sorted(tree))
    return draw_label(rng, Task("home_assistant", "choice/home_assistant/intents", "intent", HASS_KNOWN), tree[lang])


@lru_cache(maxsize=1)
def _hass_domains() -> dict[str, dict[str, tuple[Row, ...]]]:
    tree: dict[str, dict[str, tuple[Row, ...]]] = {}
    keyed = grouped(HASS, lambda r: (r["lang"], r["domain"]) if r["domain"] in HOME_DOMAINS else None)
    for (lang, domain), members in keyed.items():
        tree.setdefault(lang, {})[domain] = members
    return {lang: domains for lang, domains in tree.items() if len(domains) > 2}


def draw_hass_domain(rng: Random) -> Example:
    """The kind of device that a sentence is about."""
    tree = _hass_domains()
    lang = "en" if rng.random() < 0.35 else rng.choice(sorted(tree))
    return draw_label(rng, Task("home_assistant", "choice/home_assistant/domains", "route", HOME_DOMAINS), tree[lang])


# rasa_bots


@lru_cache(maxsize=1)
def _rasa() -> dict[str, dict[str, tuple[Row, ...]]]:
    tree: dict[str, dict[str, tuple[Row, ...]]] = {}
    keyed = grouped("permissive/rasa_bots", lambda r: (r["bot"], r["label"]) if r["label"] in RASA else None)
    for (bot, label), members in keyed.items():
        tree.setdefault(bot, {})[label] = members
    return tree


def draw_rasa(rng: Random) -> Example:
    """Intents of a help desk or of a bank."""
    tree = _rasa()
    bot = rng.choice(sorted(tree))
    return draw_label(rng, Task("rasa_bots", f"choice/rasa/{bot}", "intent", RASA), tree[bot])


# sgd_intents

SGD: Final = "sharealike/sgd_intents"


@lru_cache(maxsize=1)
def _sgd() -> tuple[dict[tuple[str, str], tuple[Row, ...]], dict[str, tuple[str, str]]]:
    members = grouped(SGD, lambda r: (r["label"], r["label_description"]))
    names = {f"{label}|{meaning}": (label, meaning) for label, meaning in members}
    return members, names


def draw_sgd(rng: Random) -> Example:
    """Intents with descriptions: those of the same service, and others."""
    members, names = _sgd()
    (label, meaning) = rng.choice(sorted(members))
    row = rng.choice(members[label, meaning])
    pool = {label: meaning} | {k: v for k, v in row["other_intents"].items() if k != label}
    count = option_count(rng, 30)
    for key in rng.sample(sorted(names), min(count, len(names))):
        other, text = names[key]
        # An intent of the same name, or of a service that does the same, would be right as well.
        if len(pool) < max(2, count) and other not in pool and not _alike(label, other):
            pool[other] = text
    options = [Option(name, text) for name, text in pool.items()]
    state, noun = wrap(rng, row["text"].strip(), "utterance")
    shape = Shape(opaque=0.3, bare=0.25)
    asked = ask(rng, instructions(rng, "intent", noun), options, one_hot(0, len(options)), shape)
    return Example(state, asked.question, asked.target, "sgd", "choice/sgd/intents")


ALIKE: Final[tuple[frozenset[str], ...]] = (
    frozenset({"SearchOnewayFlight", "SearchRoundtripFlights", "ReserveOnewayFlight", "ReserveRoundtripFlights"}),
    frozenset({"SearchHotel", "SearchHouse", "ReserveHotel", "BookHouse"}),
    frozenset({"FindBus", "BuyBusTicket"}),
    frozenset({"LookupSong", "LookupMusic", "PlaySong", "PlayMedia"}),
    frozenset({"FindMovies", "GetTimesForMovie", "RentMovie", "PlayMovie"}),
    frozenset({"FindEvents", "GetEventDates", "BuyEventTickets"}),
    frozenset({"GetCarsAvailable", "ReserveCar"}),
    frozenset({"FindApartment", "ScheduleVisit", "SearchHouse"}),
    frozenset({"FindProvider", "BookAppointment"}),
    frozenset({"GetEvents", "GetAvailableTime", "AddEvent"}),
    frozenset({"FindRestaurants", "ReserveRestaurant"}),
)


def _alike(one: str, other: str) -> bool:
    return one == other or any(one in group and other in group for group in ALIKE)


NAMED: Final = {
    "Services_1": "HairSalons",
    "Services_2": "Dentists",
    "Services_3": "Doctors",
    "Services_4": "Therapists",
}


@lru_cache(maxsize=1)
def _services() -> dict[str, tuple[Row, ...]]:
    return grouped(SGD, lambda r: NAMED.get(r["service"], r["service"].rsplit("_", 1)[0]))


def draw_sgd_service(rng: Random) -> Example:
    """The service that can help, by name and description."""
    groups = _services()
    gold = rng.choice(sorted(groups))
    row = rng.choice(groups[gold])
    near = (
        {"Homes", "Hotels"}
        if gold in {"Homes", "Hotels"}
        else {"Movies", "Media"}
        if gold in {"Movies", "Media"}
        else {gold}
    )
    others = [service for service in sorted(groups) if service not in near]
    chosen = rng.sample(others, min(len(others), option_count(rng, len(others))))
    options = [Option(gold, row["service_description"])]
    options += [Option(name, rng.choice(groups[name])["service_description"]) for name in chosen]
    state, noun = wrap(rng, row["text"].strip(), "utterance")
    shape = Shape(opaque=0.25, bare=0.3)
    asked = ask(rng, instructions(rng, "route", noun), options, one_hot(0, len(options)), shape)
    return Example(state, asked.question, asked.target, "sgd", "choice/sgd/services")


WRITERS: Final[tuple[Writer, ...]] = (
    Writer(
        "bot_intents",
        "choice",
        (BOT,),
        languages.BOTS,
        draw_bot,
        4.0,
        tuple(f"choice/botframework/{s}" for s in ASKED_SKILLS),
    ),
    Writer("bot_skills", "choice", (BOT,), languages.BOTS, draw_bot_route, 1.5, ("choice/botframework/skills",)),
    Writer("home_intents", "choice", (HASS,), languages.HASS, draw_hass, 3.0, ("choice/home_assistant/intents",)),
    Writer(
        "home_domains", "choice", (HASS,), languages.HASS, draw_hass_domain, 1.0, ("choice/home_assistant/domains",)
    ),
    Writer(
        "rasa",
        "choice",
        ("permissive/rasa_bots",),
        ("en",),
        draw_rasa,
        1.5,
        ("choice/rasa/financial-demo", "choice/rasa/helpdesk-assistant"),
    ),
    Writer("sgd_intents", "choice", (SGD,), ("en",), draw_sgd, 4.0, ("choice/sgd/intents",)),
    Writer("sgd_services", "choice", (SGD,), ("en",), draw_sgd_service, 2.0, ("choice/sgd/services",)),
)
