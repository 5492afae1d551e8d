"""An answer does not depend on what it was batched with: not in one bit, for forty clients at once."""

import asyncio
import random

import pytest
from engine_room import engine_room, play

import laya
from golden import directory, needs_golden

CLIENTS = 40
TEXT = "I was charged twice for my invoice and the app crashes at the login so please help me with a refund or reset it"
QUESTIONS = [
    {"team": {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "invoices", "tech": "bugs"}}},
    {"spam": {"type": "noul", "instructions": "Is it spam?"}},
    {
        "spam": {"type": "noul", "instructions": "Is it spam?"},
        "urgent": {"type": "score", "instructions": "How urgent is it?", "criteria": ["not", "a bit", "very"]},
    },
]


def requests_of(seed):
    rng = random.Random(seed)
    return [
        {
            "state": " ".join(rng.choices(TEXT.split(), k=rng.randint(1, 30))),
            "questions": rng.choice(QUESTIONS),
            "model": "english",
        }
        for _ in range(CLIENTS)
    ]


def check_company(models):
    """Requests alone, and merged in another order, give equal results to the last bit."""
    with laya.Router(models) as router:
        requests = requests_of(1)
        alone = [router.predict(**request) for request in requests]

        async def scene(order):
            async with engine_room(router) as room:
                calls = [room.submit([requests[place]], client=str(place)) for place in order]
                return dict(zip(order, await asyncio.gather(*calls), strict=True)), room.stats()

        order = random.Random(2).sample(range(CLIENTS), CLIENTS)
        merged, stats = play(scene, order)
        assert stats.largest_batch > CLIENTS // 2
        assert [merged[place] for place in range(CLIENTS)] == [[result] for result in alone]


def test_company_changes_no_bit_on_the_embedded_checkpoint():
    check_company(None)


@needs_golden
@pytest.mark.parametrize("name", ["tiny-seq", "tiny-par", "tiny-bert"])
def test_company_changes_no_bit_on_a_golden_checkpoint(name):
    check_company({"english": str(directory(name))})
