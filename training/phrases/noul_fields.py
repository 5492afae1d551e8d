"""Records with fields, and sentences in formal and casual words."""

from __future__ import annotations

from typing import Any, Final

from training.write.noul_ask import Concept

FIELDS: Final[dict[str, tuple[Any, ...]]] = {
    "status": ("open", "closed", "pending", "on hold", "resolved"), "priority": ("low", "normal", "high", "critical"),
    "channel": ("email", "phone", "chat", "web form"), "plan": ("free", "basic", "pro", "enterprise"),
        "country": ("France", "Japan", "Brazil", "Kenya", "Norway", "Canada"),
    "paid": (True, False), "active": (True, False), "verified": (True, False), "in_stock": (True, False),
        "weekend": (True, False), "vegetarian": (True, False),
    "amount": (5, 12, 40, 99, 150, 480, 1200, 7500), "seats": (1, 2, 4, 10, 25, 80), "age": (17, 24, 31, 45, 58, 72),
        "stars": (1, 2, 3, 4, 5),
    "price": (3, 9, 19, 45, 120, 600, 1500), "weight": (1, 3, 8, 20, 55, 140), "temperature": (-12, -3, 4, 15, 22, 31,
        38), "wind": (2, 10, 25, 60, 95),
    "colour": ("red", "blue", "green", "black", "white", "yellow"), "size": ("small", "medium", "large"),
        "category": ("shoes", "books", "toys", "garden tools", "kitchenware"),
    "department": ("sales", "support", "finance", "engineering", "legal"), "role": ("manager", "assistant", "engineer",
        "intern"), "language": ("German", "Spanish", "Korean", "Polish"),
    "sky": ("sunny", "cloudy", "rainy", "foggy"), "place": ("Oslo", "Lima", "Cairo", "Hanoi", "Dublin"),
        "mood": ("happy", "angry", "calm", "sad"),
    "cuisine": ("Italian", "Indian", "Mexican", "Thai"), "payment": ("card", "cash", "invoice", "transfer"),
        "delivery": ("express", "standard", "pick-up"),
}  # fmt: skip
"""Values that a field may have."""
RECORDS: Final[dict[str, tuple[str, ...]]] = {
    "ticket": ("status", "priority", "channel", "plan", "country", "verified", "language", "mood"),
    "order": ("status", "paid", "amount", "payment", "delivery", "country", "weight"),
    "account": ("plan", "active", "verified", "seats", "country", "language", "payment"),
    "product": ("price", "colour", "size", "category", "in_stock", "weight", "stars"),
    "employee": ("age", "department", "role", "active", "language", "place"),
    "forecast": ("temperature", "wind", "sky", "place", "weekend"),
    "restaurant": ("cuisine", "stars", "price", "vegetarian", "place", "seats"),
}
"""Fields of a kind of record."""
FORMAL: Final = Concept(
    "formal",
    be=("formal", "in a formal register", "written in a businesslike style", "official in tone"),
    clauses=("{A} ~write formally", "{T} ~use formal language", "the style of {T} = formal", "{T} ~sound official"),
    unbe=("informal", "casual", "colloquial", "written as one speaks to friends"),
    unclauses=("{A} ~write casually", "{T} ~use colloquial language", "{T} ~contain slang or everyday speech",
        "the style of {T} = casual"),
    yes=("formal: I would be grateful, please find, hereby", "official style"), no=("casual: hey, gonna, no worries",
        "everyday speech"),
)  # fmt: skip
PAIRS: Final = (
    ("I would be grateful if you could send me the documents.", "can u send me the docs"),
    ("Please accept our sincere apologies for the inconvenience.", "so sorry about that mess!"),
    ("We regret to inform you that the position has been filled.", "sorry mate, the job's gone"),
    ("I am writing to enquire about the availability of rooms.", "hey, got any rooms left?"),
    ("Kindly confirm receipt of this letter at your earliest convenience.", "lemme know if you got this"),
    ("The committee has resolved to postpone the session.", "they pushed the meeting back, lol"),
    ("We would appreciate your prompt attention to this matter.", "pls sort this out soon"),
    ("Should you require further information, do not hesitate to contact us.", "just shout if you need anything"),
    ("It is my pleasure to introduce our new director.", "meet the new boss, she's cool"),
    ("The undersigned hereby consents to the terms set out above.", "yeah I'm fine with that"),
    ("I wish to express my gratitude for your assistance.", "thanks a bunch for helping out!"),
    ("The goods were received in unsatisfactory condition.", "the stuff turned up totally busted"),
    ("We cordially invite you to attend the reception.", "come hang out at our place"),
    ("I must decline your invitation owing to a prior engagement.", "can't make it, got plans"),
    ("Passengers are requested to remain seated.", "stay in your seats, guys"),
    ("The results indicate a considerable increase in demand.", "wow, tons more people want it now"),
    ("Please be advised that the office will be closed.", "heads up, nobody's in the office"),
    ("I should like to draw your attention to the enclosed report.", "take a look at this thing I wrote"),
    ("He was dismissed on the grounds of repeated absence.", "he got the boot cos he never showed up"),
    ("The matter is currently under investigation.", "they're still poking around"),
    ("In accordance with your instructions, the account has been closed.", "done, killed the account like you said"),
    ("I have the honour to submit my application.", "hi! I wanna work for you"),
    ("The children appeared to be exhausted.", "the kids were wiped out"),
    ("We are not in a position to grant your request.", "nope, can't do that"),
    ("The purchase proved to be most disappointing.", "what a rip-off"),
    ("Yours faithfully, the Board of Trustees", "cheers, talk soon xx"),
    ("Permit me to congratulate you on your appointment.", "congrats on the new gig!!"),
    ("The applicant possesses considerable experience.", "she's been around, knows her stuff"),
    ("Payment is due upon delivery of the merchandise.", "just pay when you get it, no biggie"),
    ("I remain at your disposal for any questions.", "ping me whenever"),
)  # fmt: skip
"""Formal sentence, casual sentence."""
