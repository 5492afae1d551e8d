"""What an act of a message is: how it is asked for, sentences that perform it, and sentences that nearly do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from training.write.noul_ask import Concept

CUSTOMER: Final = (
    "the customer",
    "the user",
    "the sender",
    "the author",
    "the writer",
    "the person",
    "the client",
    "whoever wrote this",
)
MESSAGE: Final = (
    "the message",
    "the text",
    "the email",
    "this message",
    "the ticket",
    "the request",
    "`message`",
    "`body`",
    "this",
    "it",
)


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a message does.

    Attributes:
        be: ends of "The message is ...".
        clauses: clauses with a marked verb, see `training.write.noul_ask`.
        says: sentences that do it.
        misses: sentences with the same words that do not.
        near: acts that do it as well, or may be taken to: they never stand in a message that must not do it.
        yes: descriptions of messages that do it.
        no: descriptions of messages that do not.
        unclauses: clauses that are true where the message does not do it.
    """

    be: tuple[str, ...]
    clauses: tuple[str, ...]
    says: tuple[str, ...]
    misses: tuple[str, ...]
    near: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    unclauses: tuple[str, ...] = ()

    def concept(self, name: str, others: tuple[str, ...] = ()) -> Concept:
        """The act as a concept.

        Args:
            name: name of the act.
            others: what messages do that do not do this act, for the criterion of the false side.
        """
        return Concept(
            f"act/{name}",
            be=self.be,
            clauses=self.clauses,
            unclauses=self.unclauses,
            yes=(*self.yes, *self.yes, *self.be, *_spoken(self.says)),
            no=(*self.no, f"not {self.be[0]}", "something else", *others, *_spoken(self.misses)[:2]),
            text=MESSAGE,
            author=CUSTOMER,
        )


def _spoken(sentences: tuple[str, ...]) -> tuple[str, ...]:
    """Sentences without slots, as they stand in a list of examples."""
    return tuple(sentence.rstrip(".").lower() for sentence in sentences if "{" not in sentence)


SLOTS: Final[dict[str, tuple[str, ...]]] = {
    "thing": (
        "the headphones", "the washing machine", "the jacket", "the laptop", "the blender", "the course", "the tickets",
            "the shoes",
        "the sofa", "the phone", "the router", "the subscription", "the bicycle", "the printer", "the vacuum cleaner",
            "the watch",
        "the camera", "the tent", "the coffee machine", "the licence", "the hotel room", "the theatre seats",
            "the backpack", "the keyboard",
    ),
    "service": (
        "the app", "the website", "the portal", "the dashboard", "the booking page", "the online shop",
            "the mobile app", "the checkout",
        "the editor", "the sync", "the export", "the search", "the player", "the calendar", "the report page",
            "the login page",
    ),
    "company": ("your company", "Northwind", "your shop", "your team", "Acme", "your service", "BlueRiver", "your bank",
        "Fabrikam", "your firm"),
    "person": ("Maria", "Mr Lee", "Jonas", "Priya", "our manager", "Sarah", "the new colleague", "Dr. Evans", "Omar",
        "the accountant", "Ms Novak", "Ben"),
    "name": ("Maria", "Jonas", "Priya", "Sarah", "Omar", "Ben", "Ms Novak", "Mr Lee", "Kofi", "Lena"),
    "day": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "tomorrow", "next week"),
    "time": ("9 am", "10:30", "noon", "2 pm", "15:00", "half past four", "6 pm"),
    "sum": ("$49", "120 euros", "£15.99", "$1,200", "35 dollars", "80 euros", "$9.99", "400 pounds"),
    "place": ("Berlin", "the second floor", "Madrid", "the office", "Chicago", "the warehouse", "Leeds", "the lobby",
        "Osaka", "the café"),
    "project": ("the migration", "the budget", "the new logo", "the contract", "the website", "the presentation",
        "the hiring plan", "the report", "the survey", "the garden", "the trip", "the schedule"),
    "n": ("4411", "20873", "A-119", "553", "7702", "K2-881"),
    "month": ("January", "March", "April", "June", "August", "October", "November"),
    "topic": ("remote work", "the new tax", "electric cars", "the film", "school uniforms", "the coach",
        "the new design", "nuclear power", "the proposal", "social media"),
}  # fmt: skip
CONTEXT: Final = (
    "I bought {thing} from {company} in {month}.", "My order number is {n}.", "This is about {thing}.",
        "I have been using {service} since {month}.",
    "I am writing about {thing}.", "We talked about {project} in {month}.", "I am in {place} at the moment.",
    "It concerns order {n}.", "{person} gave me this address.", "I use {service} at work.", "The case number is {n}.",
        "I am a member since {month}.",
    "We have {project} on the list.", "I found you through a friend.", "It is about {project}.",
)  # fmt: skip
OPENERS: Final = (
    "",
    "",
    "",
    "",
    "Hi,",
    "Hello,",
    "Hi there,",
    "Dear team,",
    "Good morning,",
    "hey",
    "Hello {name},",
    "Hi {name},",
)
CLOSERS: Final = (
    "",
    "",
    "",
    "",
    "",
    "Regards",
    "Best, {name}",
    "Kind regards, {name}",
    "- {name}",
    "Sent from my phone",
)
