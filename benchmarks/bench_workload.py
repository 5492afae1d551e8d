"""States and questions of the benchmark, made from a seed so that every run and every engine reads the same."""

from __future__ import annotations

import random
from typing import Any

State = Any
Questions = dict[str, dict[str, Any]]

VOCABULARY = """
the customer was charged twice for this invoice and the payment team has not replied please refund the order
the login does not work since the account is locked and the password reset was late delivery of a broken price
the system has a technical issue with the export feature and the agent will review the document in english
"""
WORDS = VOCABULARY.split()

FIVE: Questions = {
    "team": {
        "type": "choice",
        "instructions": "Which team must answer this message?",
        "criteria": {
            "billing": "invoice, payment, refund",
            "technical": "login, export, system issue",
            "sales": "price, order",
            "legal": None,
        },
    },
    "urgency": {
        "type": "score",
        "instructions": "How urgent is this ticket?",
        "criteria": ["low", "medium", "high", "critical"],
    },
    "refund": {"type": "noul", "instructions": "The customer asks for a refund."},
    "language": {
        "type": "choice",
        "instructions": "The language of the message",
        "criteria": ["english", "german", "french", "spanish", "japanese"],
    },
    "risk": {
        "type": "noul",
        "instructions": "Is there a privacy or security risk?",
        "criteria": {"true": "a risk holds", "false": "not a risk"},
    },
}
ONE: Questions = {"team": FIVE["team"]}

LENGTHS = {"short": 27, "long": 210}
"""Words of a state: near 43 and near 315 tokens under the golden vocabularies."""


def text(rng: random.Random, words: int) -> str:
    """A text of that many words, in sentences."""
    chosen = [rng.choice(WORDS) for _ in range(words)]
    for i in range(8, words, 9):
        chosen[i] += "."
    return " ".join(chosen).capitalize()


def variants(kind: str, count: int = 8) -> list[State]:
    """States of one length and different words: no engine may answer from memory."""
    rng = random.Random(f"state {kind}")
    return [text(rng, LENGTHS[kind]) for _ in range(count)]


def mixed(count: int) -> list[State]:
    """States as a queue brings them: mostly short, a few beyond the budget, some objects and conversations."""
    rng = random.Random("mixed")
    states: list[State] = []
    for i in range(count):
        words = min(420, max(5, round(rng.lognormvariate(3.7, 0.9))))
        if i % 7 == 3:
            third = max(1, words // 3)
            roles = ("user", "assistant", "user")
            states.append([{"role": role, "content": text(rng, third)} for role in roles])
        elif i % 5 == 1:
            states.append({"subject": text(rng, 5), "body": text(rng, words), "amount": 12.5, "vip": i % 2 == 0})
        else:
            states.append(text(rng, words))
    return states


def predict_scenarios() -> dict[str, tuple[list[State], Questions]]:
    """Name of each single-request scenario, with its states and its questions."""
    return {f"{kind}, {len(questions)}q": (variants(kind), questions) for kind in LENGTHS for questions in (ONE, FIVE)}


QUESTION_SETS: tuple[Questions, ...] = (FIVE, ONE, {name: FIVE[name] for name in ("team", "urgency", "refund")})


def requests(count: int, models: list[str]) -> list[dict[str, Any]]:
    """Requests as a queue brings them: mixed states, three sets of questions, the models by turns in pairs."""
    return [
        {"state": state, "questions": QUESTION_SETS[i % len(QUESTION_SETS)], "model": models[i // 2 % len(models)]}
        for i, state in enumerate(mixed(count))
    ]
