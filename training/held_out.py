"""Families that no example is trained on: they say when to stop, and the temperatures are fitted on them.

Whole label sets and whole concepts are kept out, never rows of trained ones: rows of trained families flatter.
"""

from __future__ import annotations

from typing import Final

HELD_OUT: Final[tuple[str, ...]] = (
    "choice/rasa/*",
    "choice/botframework/Hospitality",
    "choice/botframework/Email",
    "choice/sgd/services",
    "choice/sentiment/wisesight",
    "choice/nli/negation_nli",
    "choice/stance/*",
    "choice/topic/*",
    "choice/comparison/*",
    "choice/genre/*",
    "choice/desk/hr",
    "choice/headline/clickbait",
    "choice/action/email_intent",
    "choice/medquad/groups",
    "score/emobank/arousal",
    "score/support/negation_nli",
    "score/harm/*",
    "score/valence/lcc",
    "noul/nli/negation_nli",
    "noul/qa/condaqa",
    "noul/threat",
    "noul/emotion/fear",
    "noul/emotion/gratitude",
    "noul/emotion/confusion",
    "noul/recommends",
    "noul/advises_against",
    "noul/asks_to_act",
    "noul/act/bug",
    "noul/act/cancel",
    "noul/act/invoice",
    "noul/formal",
    "noul/clickbait",
    "noul/comparison",
    "noul/rasa/*",
    "noul/service/*",
    "noul/clinc_domains/*",
    "noul/medical/*",
    "noul/has/money",
    "noul/has/quotation",
    "noul/mentions/animal",
    "noul/mentions/vehicle",
)
