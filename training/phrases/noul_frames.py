"""Frames that a clause or a predicate is put into, and nouns for a text and for who wrote it.

Forms of a clause: `s` statement, `q` question, `n` denial, `nq` denied question; in capitals with a capital letter.
Forms of a predicate: `x` as it is, `X` with a capital letter, `b` without its article.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = (
    "the text", "the text", "this text", "the message", "this message", "the passage", "the input", "this", "it",
    "the statement", "the content", "the document",
)  # fmt: skip
AUTHOR: Final = (
    "the author", "the writer", "the speaker", "the person", "the user", "the sender", "whoever wrote this",
)  # fmt: skip

STRAIGHT: Final = (
    "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?", "{Q}?",
    "{S}.", "{S}.", "{S}.", "{S}.", "{S}.", "{S}.", "{S}.", "{S}.",
    "Check whether {s}.", "Check if {s}.", "Determine whether {s}.", "Decide if {s}.", "Judge whether {s}.",
    "Verify that {s}.", "Say whether {s}.", "Tell me if {s}.", "Find out whether {s}.",
    "Is it true that {s}?", "Is it correct that {s}?", "Is it the case that {s}?", "Is it fair to say that {s}?",
    "Would you say that {s}?", "Can one say that {s}?", "Does it look as if {s}?", "Do you think that {s}?",
    "True or false: {s}.", "Yes or no: {q}?", "Claim: {S}.", "Statement: {s}", "It is true that {s}.",
    "Answer yes if {s}.", "Answer yes if {s}, and no otherwise.", "True if {s}, else false.", "Flag it if {s}.",
    "Answer with yes or no. {Q}?", "One can tell that {s}.", "We need to know: {q}?", "Please check: {q}?",
    "Read the text and decide: {q}?", "You get a text. {Q}?", "Your task is to say whether {s}.", "Return true if {s}.",
    "We want to find texts where {s}.", "{Q}? Give the probability.", "To be checked: {s}.", "Mark it when {s}.",
    "A careful reader would say that {s}.", "Given what is written, {q}?", "Evidently, {s}.",
)  # fmt: skip
DENIED: Final = (
    "{N}.", "{N}.", "{N}.", "{N}.", "{N}.", "{N}.", "{N}.", "{N}.", "{N}.",
    "{NQ}?", "{NQ}?", "Check that {n}.", "Check whether {n}.", "Decide if {n}.", "Verify that {n}.",
    "Is it true that {n}?", "Is it the case that {n}?", "Is it fair to say that {n}?", "True or false: {n}.",
    "It is false that {s}.", "It is not the case that {s}.", "It is not true that {s}.",
        "It would be wrong to say that {s}.",
    "Is it false that {s}?", "Is it untrue that {s}?", "Is it wrong to say that {s}?", "Is it incorrect that {s}?",
    "Answer yes if {n}.", "Answer no if {s}, and yes otherwise.", "True unless {s}.", "False if {s}, else true.",
    "Nothing suggests that {s}.", "One cannot say that {s}.", "Claim: {N}.", "Statement: {n}", "It is true that {n}.",
    "Read the text and decide: {nq}?", "Return true if {n}.", "Return false if {s}, and true otherwise.",
        "Mark it when {n}.",
    "We want to find texts where {n}.", "Is there no sign that {s}?", "A careful reader would say that {n}.",
    "The claim that {s} does not hold.", "There is no indication that {s}.", "Is it a mistake to say that {s}?",
    "Flag it unless {s}.", "By no means can one say that {s}.", "{N} at all.", "Does it fail to hold that {s}?",
    "Nobody would say that {s}.", "Say whether it is false that {s}.", "It would be untrue to claim that {s}.",
)  # fmt: skip
TERSE: Final = ("{X}", "{x}", "{x}?", "{X}?", "{b}", "{b}?", "Label: {b}", "Is it {x}?", "Is this {x}?", "yes if {x}")
TERSE_DENIED: Final = (
    "Not {x}", "not {x}", "not {x}?", "anything but {x}", "Is it anything other than {x}?", "no if {x}, else yes",
    "Not {b}", "Is this not {x}?", "Is this something other than {x}?", "other than {b}",
    "Anything except {x}", "the opposite of {x}", "never {x}",
)  # fmt: skip
VAGUE: Final = (
    "Which one applies?", "Is it so?", "Decide.", "Does it hold?", "Judge the text.", "Answer.", "Check the text.",
    "Does the description fit?", "Classify this.", "Which description fits better?", "Apply the criteria.", "True?",
    "See the criteria.", "Is it true?", "Assess the input.",
)  # fmt: skip
