"""Situations about text that is too long, options that are too many, and numbers at the edge."""

import datetime as dt
import decimal
import math
from concurrent.futures import ThreadPoolExecutor

import pytest

import laya
from laya import errors
from laya.testing import fake_agent

Q = {"d": {"type": "choice", "instructions": "which?", "criteria": {"billing": "invoices", "tech": "bugs"}}}
SMALL = {"max_len": 256, "head_max_len": 120}


def options(count, text="option {}"):
    return {"d": {"type": "choice", "instructions": "?", "criteria": [text.format(i) for i in range(count)]}}


def test_the_newest_turn_of_a_conversation_counts_however_long_the_old_ones_are():
    agent = fake_agent(**SMALL)
    old = {"role": "user", "content": "words " * 500}
    results = [agent.predict([old, {"content": last}], Q)["answers"] for last in ("refund", "thanks")]
    assert results[0] != results[1]


def test_a_field_of_an_object_that_is_cut_off_is_reported_and_can_be_refused():
    agent = fake_agent(**SMALL)
    states = [{"old": "words " * 500, "latest": last} for last in ("refund", "thanks")]
    first, second = agent.predict_batch(states, Q)
    assert first["answers"] == second["answers"]
    assert first["usage"]["truncated"]
    assert first["usage"]["truncated_questions"] == ["d"]
    assert first["usage"]["state_tokens_dropped"] > len("refund")
    with pytest.raises(errors.TruncationError, match="state 0"):
        agent.predict_batch(states, Q, truncation="error")
    assert agent.predict_long(states[0], Q)["answers"] != agent.predict_long(states[1], Q)["answers"]


def test_options_cut_until_they_look_alike_are_counted():
    usage = fake_agent(**SMALL).predict("x", options(45))["usage"]
    assert usage["options"] == {"d": {"total": 45, "distinct": 1, "tokens_per_option": 4}}
    assert usage["option_tokens_dropped"] > 0
    with pytest.raises(errors.TruncationError, match="option tokens"):
        fake_agent(**SMALL).predict("x", options(45), truncation="error")


def test_more_options_than_a_row_holds_are_refused_with_both_counts():
    with pytest.raises(errors.BudgetError, match=r"question 'd': only \d+ of its 300 option markers fit") as caught:
        fake_agent(**SMALL).predict("x", options(300))
    assert caught.value.question == "d"


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (dt.datetime(2026, 1, 1, tzinfo=dt.timezone.utc), "datetime"),
        (decimal.Decimal("9.99"), "Decimal"),
        ({1, 2}, "set"),
        (b"raw", "bytes"),
        (math.nan, "nan"),
        ("bad \ud83d text", "lone surrogate"),
        ({(1, 2): "x"}, "tuple"),
    ],
)
def test_a_value_that_cannot_be_written_is_named_by_request_and_path(make, value, what):
    state = {"order": {"field": value}}
    with pytest.raises(errors.StateError, match=what) as caught:
        fake_agent().predict_batch(["fine", state], Q)
    assert caught.value.index == 1
    assert caught.value.path.startswith("$.order.field")
    with pytest.raises(errors.StateError, match=what):
        make().predict(state, Q, model="a")


@pytest.mark.parametrize("count", [1, 2, 9, 300])
def test_probabilities_sum_to_one_however_many_options_there_are(count):
    agent = fake_agent(max_len=40_000, head_max_len=20_000)
    answer = agent.predict("x", options(count))["answers"]["d"]
    assert math.isclose(sum(answer["probabilities"].values()), 1.0, abs_tol=1e-9)
    assert len(answer["probabilities"]) == count


@pytest.mark.parametrize("layout", ["sequential", "parallel", "reader"])
def test_a_single_option_and_a_single_level_are_certain(layout):
    questions = {**options(1), "s": {"type": "score", "instructions": "?", "criteria": ["only"]}}
    answers = fake_agent(layout=layout).predict("x", questions)["answers"]
    assert [(a["confidence"], list(a["probabilities"].values())) for a in answers.values()] == [(1.0, [1.0])] * 2


@pytest.mark.parametrize("bad", [math.nan, 1.5, -0.1, True, "0.5"])
def test_a_confidence_threshold_that_is_no_share_is_refused_everywhere(make, bad):
    router = make()
    calls = (
        lambda: fake_agent().predict("x", Q, min_confidence=bad),
        lambda: fake_agent().predict_long("x", Q, min_confidence=bad),
        lambda: router.predict("x", Q, model="a", min_confidence=bad),
        lambda: router.predict_batch([], min_confidence=bad),
    )
    for call in calls:
        with pytest.raises((ValueError, TypeError), match="min_confidence"):
            call()


def test_texts_cut_at_different_places_in_many_threads_keep_their_own_counts():
    agent = laya.load()
    questions = {
        "d": {"type": "choice", "instructions": "?", "criteria": [f"label {i} " + "word " * 60 for i in (1, 2)]}
    }
    states = ["refund please " * 5, "my parcel is late " * 400, "hi", "the lamp is broken " * 90]
    alone = [agent.predict(state, questions) for state in states]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(3):
            together = list(pool.map(lambda i: agent.predict(states[i % 4], questions), range(16)))
            assert [r["usage"] for r in together] == [alone[i % 4]["usage"] for i in range(16)]
    agent.close()
