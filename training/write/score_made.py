"""How much? Scores whose degree is true by construction: urgency, temper, manners, harm, effort, counts, lengths."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from training.examples import Example, Writer
from training.phrases.graded import DIFFICULTY, HARM, MANNERS, TEMPER, URGENCY
from training.write.choice_banks import message
from training.write.choice_pools import usable
from training.write.choice_states import wrap
from training.write.score_shapes import VAGUE_SCORES, grade, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from training.phrases.banks import Entry

LADDERS: Final[Mapping[str, tuple[str, tuple[Entry, ...], str]]] = {
    "urgency": ("urgency", URGENCY["low"], "ticket"),
    "frustration": ("frustration", TEMPER["temper"], "ticket"),
    "politeness": ("politeness", MANNERS["manners"], "ticket"),
    "harm": ("harm", HARM["harm"], "prompt"),
    "difficulty": ("effort", DIFFICULTY["difficulty"], "prompt"),
}


def draw_ladder(name: str) -> Callable[[Random], Example]:
    """A drawer of one bank, its headings low to high."""
    scale, entries, form = LADDERS[name]

    def draw(rng: Random) -> Example:
        place = rng.randrange(len(entries))
        state, noun = wrap(rng, message(rng, entries[place]), form, plain=0.75)
        value = place / (len(entries) - 1)
        if rng.random() < 0.25:
            # The headings of the bank themselves are a rubric: bare, or with their meaning.
            described = rng.random() < 0.6
            criteria = [
                f"{e.name}: {e.description}" if described and e.description != e.name else e.name for e in entries
            ]
            asked = grade(rng, scale, noun, value).question["instructions"]
            question = {"type": "score", "instructions": asked, "criteria": criteria}
            return Example(state, question, spread(value, len(entries), 0.3), "ladders", f"score/{name}/made")
        graded = grade(rng, scale, noun, value, sharpness=0.6)
        return Example(state, graded.question, graded.target, "ladders", f"score/{name}/made")

    return draw


# Counting

THINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "fruits": ("apples", "pears", "plums", "cherries", "figs", "grapes", "melons", "lemons"),
    "animals": ("a dog", "a cat", "two horses", "a parrot", "some hens", "a goat", "a donkey"),
    "cities": ("Lyon", "Oslo", "Porto", "Leeds", "Krakow", "Osaka", "Austin", "Basel"),
    "people": ("Anna", "Ben", "Chen", "Dana", "Emil", "Fatima", "Jonas", "Kofi"),
    "problems": (
        "the login fails",
        "the page is slow",
        "photos do not load",
        "the total is wrong",
        "the search finds nothing",
        "mails arrive twice",
        "the logo is missing",
    ),
    "tools": ("a hammer", "a saw", "a drill", "two screwdrivers", "a file", "a spirit level", "pliers"),
    "languages": ("French", "Polish", "Hindi", "Swahili", "Turkish", "Korean", "Dutch"),
    "courses": ("soup", "fish", "salad", "roast", "cheese", "cake", "coffee"),
    "questions": (
        "how long it takes",
        "what it costs",
        "who will come",
        "where to park",
        "what to bring",
        "whether dogs are allowed",
        "when it ends",
    ),
}
FRAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "fruits": ("We bought {}.", "In the bowl there are {}.", "Please bring {}."),
    "animals": ("On the farm live {}.", "They keep {}.", "In the yard I saw {}."),
    "cities": ("The tour goes to {}.", "We have offices in {}.", "She has lived in {}."),
    "people": ("At the table sit {}.", "The mail went to {}.", "Invited are {}."),
    "problems": ("Since the update we see this: {}.", "Our complaints: {}.", "Please look at the following: {}."),
    "tools": ("The box holds {}.", "For the shelf you need {}."),
    "languages": ("He speaks {}.", "The manual comes in {}.", "The course is offered in {}."),
    "courses": ("The menu: {}.", "For dinner there is {}."),
    "questions": ("I would like to know {}.", "Please tell me {}.", "The guests ask {}."),
}
NOTHING: Final = (
    "The list is empty.",
    "There is nothing to report.",
    "No entries.",
    "We have not received anything yet.",
)
WORDS: Final = ("none", "one", "two", "three", "four", "five", "six", "seven")
COUNTED: Final = (
    "How many {things} are named in {text}?",
    "Count the {things} in {text}.",
    "How many {things} does {text} list?",
    "Number of {things}?",
    "How many {things} are there?",
    "How long is the list of {things}?",
)


def draw_count(rng: Random) -> Example:
    """How many things a sentence lists."""
    kind = rng.choice(sorted(THINGS))
    count = rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6))
    picked = rng.sample(THINGS[kind], min(count, len(THINGS[kind])))
    if not picked:
        text = rng.choice(NOTHING)
    elif rng.random() < 0.25 and count > 1:
        text = rng.choice(FRAMES[kind]).format("").rstrip(" .:") + ":\n" + "\n".join(f"- {thing}" for thing in picked)
    else:
        joined = picked[0] if count == 1 else f"{', '.join(picked[:-1])} and {picked[-1]}"
        text = rng.choice(FRAMES[kind]).format(joined)
    criteria, target = _counted(rng, len(picked))
    state, noun = wrap(rng, text, "sentence")
    asked = rng.choice(COUNTED).format(things=kind, text=noun)
    question = {"type": "score", "instructions": asked, "criteria": criteria}
    return Example(state, question, target, "counts", "score/count/made")


def _counted(rng: Random, count: int) -> tuple[list[str], tuple[float, ...]]:
    form = rng.randrange(4)
    if form == 0:
        bounds = rng.choice(((0, 1, 3), (0, 1, 2, 4), (0, 2), (0, 1, 5)))
        names = {
            (0, 1, 3): ("none", "one or two", "three or more"),
            (0, 1, 2, 4): ("none", "one", "two or three", "four or more"),
            (0, 2): ("at most one", "two or more"),
            (0, 1, 5): ("none", "one to four", "five or more"),
        }[bounds]
        place = sum(count >= bound for bound in bounds) - 1
        return list(names), tuple(float(i == place) for i in range(len(names)))
    most = max(count, rng.choice((3, 4, 5, 6)))
    open_ended = count < most and rng.random() < 0.5
    names = [WORDS[i] if form == 1 else str(i) if form == 2 else f"{i} item{'s' * (i != 1)}" for i in range(most + 1)]
    if open_ended:
        names[-1] += " or more"
    # Counting is hard for a small reader: neighbours are nearly right.
    return names, spread(count / most, most + 1, 0.45)


# Length


@lru_cache(maxsize=1)
def _lengths() -> tuple[tuple[str, ...], ...]:
    bins: list[list[str]] = [[], [], [], []]
    for name in ("goemotions", "permissive/ukp_stance_rank", "sharealike/emobank", "permissive/condaqa"):
        for row in usable(name):
            words = row["text"].count(" ") + 1
            bins[0 if words <= 4 else 1 if words <= 14 else 2 if words <= 45 else 3].append(row["text"])
    return tuple(tuple(texts) for texts in bins)


LONG: Final = (
    ("a few words", "a sentence", "a few sentences", "a long paragraph"),
    ("under 5 words", "5 to 14 words", "15 to 45 words", "over 45 words"),
    ("very short", "short", "medium", "long"),
    ("tiny", "small", "large", "huge"),
    ("XS", "S", "M", "L"),
)


def draw_length(rng: Random) -> Example:
    """How long a text is."""
    place = rng.randrange(4)
    text = rng.choice(_lengths()[place]).strip()
    names, target = rng.choice(LONG), spread(place / 3, 4, 0.35)
    if rng.random() < 0.1:
        names, target = names[::-1], target[::-1]
    asks = (
        "How long is {}?",
        "How much text is it?",
        "Length of {}?",
        "How many words does {} have?",
        "Is {} short or long?",
        "size",
        *VAGUE_SCORES[:1],
    )
    question: dict[str, Any] = {
        "type": "score",
        "instructions": rng.choice(asks).replace("{text}", "{}").format("the text"),
        "criteria": list(names),
    }
    return Example(text, question, target, "lengths", "score/length/made")


def _writer(name: str, draw: Callable[[Random], Example], share: float, family: str) -> Writer:
    return Writer(f"score_{name}", "score", (), ("en",), draw, share, (f"score/{family}/made",))


WRITERS: Final[tuple[Writer, ...]] = (
    _writer("urgency", draw_ladder("urgency"), 1.6, "urgency"),
    _writer("temper", draw_ladder("frustration"), 0.9, "frustration"),
    _writer("politeness", draw_ladder("politeness"), 0.8, "politeness"),
    _writer("harm_made", draw_ladder("harm"), 0.8, "harm"),
    _writer("difficulty", draw_ladder("difficulty"), 0.8, "difficulty"),
    _writer("count", draw_count, 1.0, "count"),
    Writer(
        "score_length",
        "score",
        ("goemotions", "permissive/ukp_stance_rank", "sharealike/emobank", "permissive/condaqa"),
        ("en",),
        draw_length,
        0.5,
        ("score/length/made",),
    ),
)
