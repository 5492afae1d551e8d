from __future__ import annotations

import gzip
import json
from dataclasses import replace

import pytest

from laya.errors import ArgumentError
from laya.evals import Outcome, Row, Task, build_tasks, evaluate
from laya.evals.report import Report, recorded
from laya.evals.tasks import spoken
from laya.evals.wording import ABOUT, Flips, flip_rates

SETS = {
    "banking77": [f"topic_{i}" for i in range(12)],
    "snips": ["RateBook", "GetWeather"],
    "askubuntu": ["Make Update", "Setup Printer"],
    "webapps": ["Filter Spam", "Sync Accounts"],
    "chatbot": ["FindConnection", "DepartureTime"],
    "xsid": ["weather/find", "PlayMusic"],
}


KEPT = {
    "goemotions": [{"labels": ["joy"]}, {"labels": ["anger"]}, {"labels": ["joy", "anger"]}],
    "offensive": [{"label": "hate"}, {"label": "neither"}],
    "sharealike/nusax": [{"label": label, "lang": "english"} for label in ("positive", "negative", "neutral")],
    "permissive/email_intent": [{"label": "yes"}, {"label": "no"}],
    "sharealike/emobank": [{"valence": 1.0}, {"valence": 4.6}],
    "sharealike/query_wellformedness": [{"label": 0.0}, {"label": 1.0}],
    "permissive/complex_words": [{"label": 0.5, "word": "w"}],
}


def write(path, rows):
    path.parent.mkdir(exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def data(tmp_path):
    for name, kinds in KEPT.items():
        rows = [{"split": "test", "text": f"{kind} {i}"} | kind for kind in kinds for i in range(12 // len(kinds))]
        write(tmp_path / f"{name}.jsonl.gz", rows)
    for name, labels in SETS.items():
        rows = [{"split": "train", "text": f"{label} {i}", "label": label} for label in labels for i in range(5)]
        if name == "xsid":
            rows = [row | {"lang": lang} for row in rows for lang in ("en", "de")]
        write(tmp_path / f"{name}.jsonl.gz", rows)
    return tmp_path


class Knowing:
    """Answers from the state, which holds the answer, and counts calls."""

    def __init__(self):
        self.calls = 0

    def predict_batch(self, states, questions):
        self.calls += 1
        return [{"answers": {key: self.answer(state, q) for key, q in questions.items()}} for state in states]

    def answer(self, state, question):
        if question["type"] == "noul":
            return {"type": "noul", "noul": 0.8 if state == "yes" else 0.4}
        if question["type"] == "score":
            return {"type": "score", "score": 1.5, "probabilities": {"0": 0.1, "1": 0.3, "2": 0.6}}
        return {"type": "choice", "probabilities": {x: float(x == state) for x in question["criteria"]}}


CHOICE = {"type": "choice", "instructions": "?", "criteria": ["a", "b"]}
NOUL = {"type": "noul", "instructions": "?"}
SCORE = {"type": "score", "instructions": "?", "criteria": ["x", "y", "z"]}


def test_answers_are_measured_against_the_rows():
    tasks = [
        Task("c", "choice", (Row("a", CHOICE, "a"), Row("b", CHOICE, "a"))),
        Task("n", "noul", (Row("yes", NOUL, True), Row("no", NOUL, False), Row("yes", NOUL, False))),
        Task("s", "score", (Row("?", SCORE, 2),)),
    ]
    choice, noul, score = evaluate(Knowing(), tasks)
    assert (choice.accuracy, choice.rows, choice.options, choice.mae) == (0.5, 2, 2, None)
    assert (noul.accuracy, noul.brier) == (pytest.approx(2 / 3), pytest.approx(2 * (0.04 + 0.16 + 0.64) / 3))
    assert (score.accuracy, score.mae, score.options) == (1.0, 0.5, 3)


def test_rows_with_the_same_question_share_a_call_and_keep_their_order():
    agent, other = Knowing(), CHOICE | {"criteria": ["b", "a"]}
    rows = (Row("a", CHOICE, "a"), Row("b", other, "b"), Row("b", CHOICE, "b"), Row("a", other, "a"))
    (outcome,) = evaluate(agent, [Task("c", "choice", rows)])
    assert (agent.calls, outcome.accuracy) == (2, 1.0)


def test_tasks_are_the_same_every_time(data):
    assert build_tasks(data, limit=8) == build_tasks(data, limit=8)
    assert build_tasks(data, limit=8) != build_tasks(data, limit=8, seed=1)


def test_the_right_option_is_offered(data):
    tasks = {task.name: task for task in build_tasks(data, limit=8)}
    for task in tasks.values():
        assert len(task.rows) == 8
        if task.kind == "choice":
            assert all(row.answer in row.question["criteria"] for row in task.rows)
    assert {len(row.question["criteria"]) for row in tasks["banking77 10-way"].rows} == {10}
    assert {len(row.question["criteria"]) for row in tasks["banking77 77-way"].rows} == {12}
    assert {"xsid de", "xsid en"} < set(tasks)


def test_half_of_the_yes_no_rows_hold_and_the_negated_ones_are_turned(data):
    tasks = {task.name: task for task in build_tasks(data, limit=8)}
    for row, negated in zip(tasks["snips yes/no"].rows, tasks["snips yes/no negated"].rows, strict=True):
        right = "rate book" if row.state.startswith("RateBook") else "get weather"
        assert row.answer == (right in row.question["instructions"])
        assert (negated.state, negated.answer) == (row.state, not row.answer)
    assert sum(row.answer for row in tasks["snips yes/no"].rows) == 4


@pytest.mark.parametrize("name", ["snips", "goemotions"])
def test_a_missing_set_is_named(data, name):
    (data / f"{name}.jsonl.gz").unlink()
    with pytest.raises(ArgumentError, match=rf"{name}\.jsonl\.gz"):
        build_tasks(data)


def test_opposite_and_negated_wordings_hold_where_the_concept_does_not(data):
    tasks = {task.name: task for task in build_tasks(data, limit=8)}
    for wording in ("opposite", "negated"):
        pairs = zip(tasks["goemotions sentiment"].rows, tasks[f"goemotions sentiment {wording}"].rows, strict=True)
        assert all(row.answer == ("joy" in row.state) and other.answer == (not row.answer) for row, other in pairs)
    assert sum(row.answer for row in tasks["tweets offensive"].rows) == 4


def test_scores_are_the_levels_nearest_to_the_raters_means(data):
    tasks = {task.name: task for task in build_tasks(data, limit=8)}
    assert {row.answer for row in tasks["emobank valence"].rows} == {0, 4}
    assert {row.answer for row in tasks["query form"].rows} == {0, 3}
    assert tasks["word difficulty"].rows[0].question["instructions"] == "How hard is the word 'w' for a reader?"


@pytest.mark.parametrize(
    ("label", "words"),
    [("RateBook", "rate book"), ("card_arrival", "card arrival"), ("weather/find", "weather find")],
)
def test_labels_are_spoken(label, words):
    assert spoken(label) == words


def test_a_report_is_written_in_three_forms():
    outcome = Outcome("snips", "choice", 300, 4, 0.75, 0.7, 0.3, 0.1, None)
    report = Report("m", "1.0", "python -m laya.evals", [outcome])
    assert "| snips | choice | 300 | 4 | 0.250 | 0.750 | 0.700 | 0.300 | 0.100 |  |" in report.markdown()
    assert json.loads(report.json())["outcomes"][0]["accuracy"] == 0.75
    assert report.table().row_count == 1


class Wavering(Knowing):
    """Answers by the length of the words it reads, so other words give other answers."""

    def answer(self, state, question):
        if question["type"] == "noul":
            return {"type": "noul", "noul": len(question["instructions"]) % 2}
        return {"type": "choice", "choice": max(question["criteria"], key=len)}


def test_flips_count_the_answers_that_other_words_change():
    about = {"type": "noul", "instructions": "Is this about cars?"}
    tasks = [Task("c", "choice", (Row("a", CHOICE, "a"),) * 2), Task("n yes/no", "noul", (Row("x", about, True),))]
    tasks.append(Task("xsid de", "choice", (Row("a", CHOICE, "a"),)))
    found = {(flip.task, flip.change): flip for flip in flip_rates(Wavering(), tasks)}
    assert set(found) == {
        ("c", "instructions"), ("c", "labels"), ("n yes/no", "statement"), ("n yes/no", "yes/no as labels"),
    }  # fmt: skip
    assert (found["c", "instructions"].rows, found["c", "instructions"].flipped) == (8, 0.0)
    odd = [len(words.format("cars")) % 2 for words in ABOUT]
    assert found["n yes/no", "statement"].flipped == odd.count(0) / 4  # "Is this about cars?" has an odd length


def test_a_report_beside_the_matcher_has_its_numbers_and_a_summary():
    outcome = Outcome("t", "choice", 2, 2, 0.75, 0.5, 0.2, 0.1, None, ((0.9, True), (0.6, False)))
    other = Outcome("t", "choice", 2, 2, 0.5, 0.7, 0.3, 0.2, None, ((0.5, True), (0.5, False)))
    report = Report("m", "1", "c", [outcome], [other], [Flips("t", "labels", 6, 0.25)])
    assert report.summary() == ["choice: 1 tasks, mean accuracy 0.750 (matcher 0.500), ECE 0.350"]
    assert "| 0.500 | 0.700 |  |" in report.markdown()
    assert "| t | labels | 6 | 0.250 |" in report.markdown()
    assert "sure" not in report.json()


def test_a_report_can_be_put_beside_a_recorded_one(tmp_path):
    outcomes = [outcome_of("a", "choice", 0.75), outcome_of("b", "choice", 0.5)]
    (tmp_path / "r.json").write_text(Report("m", "1", "c", outcomes).json())
    assert recorded(tmp_path / "r.json", outcomes[:1]) == outcomes[:1]
    with pytest.raises(ArgumentError, match="0 rows of 'c' instead of 1"):
        recorded(tmp_path / "r.json", [outcome_of("c", "choice", 0.5)])
    (tmp_path / "r.json").write_text("{}")
    with pytest.raises(ArgumentError, match="not a report"):
        recorded(tmp_path / "r.json", outcomes)


def test_the_summary_of_scores_has_their_mean_error():
    near, far = (replace(outcome_of("s", "score", 0.5), mae=mae) for mae in (0.25, 0.5))
    assert Report("m", "1", "c", [near], [far]).summary() == [
        "score: 1 tasks, mean accuracy 0.500 (matcher 0.500), MAE 0.250 (matcher 0.500), ECE 0.500"
    ]


def outcome_of(task, kind, accuracy, sure=0.5):
    return Outcome(task, kind, 1, 2, accuracy, 0.5, 0.2, 0.1, None, ((sure, accuracy > 0.5),))


def test_slices_are_summed_up_apart_from_the_types():
    outcomes = [
        outcome_of("snips", "choice", 0.8, sure=1.0),
        outcome_of("xsid de", "choice", 0.1),
        outcome_of("tweets boolean", "choice", 0.6),
        outcome_of("tweets", "noul", 0.9, sure=0.7),
        outcome_of("tweets negated", "noul", 0.7, sure=0.7),
        outcome_of("tweets opposite", "noul", 0.5, sure=0.6),
    ]
    assert Report("m", "1", "c", outcomes).summary() == [
        "choice: 1 tasks, mean accuracy 0.800, ECE 0.000",
        "noul: 3 tasks, mean accuracy 0.700, ECE 0.400",
        "yes/no, negated: 1 tasks, mean accuracy 0.700",
        "yes/no, by the opposite: 1 tasks, mean accuracy 0.500",
        "choice of yes or no: 1 tasks, mean accuracy 0.600",
        "xsid: 1 tasks, mean accuracy 0.100",
    ]


def test_a_yes_no_question_is_also_put_as_a_choice_of_words(data):
    tasks = {task.name: task for task in build_tasks(data)}
    plain, words = tasks["tweets offensive"], tasks["tweets offensive boolean"]
    assert words.kind == "choice"
    assert [row.state for row in words.rows] == [row.state for row in plain.rows]
    assert {row.answer for row in words.rows} == {"yes", "no"}
    assert [row.answer == "yes" for row in words.rows] == [row.answer for row in plain.rows]
    assert all(row.question["criteria"] == ["yes", "no"] for row in words.rows)
    assert not [flip for flip in flip_rates(Wavering(), list(tasks.values())) if flip.task.endswith("boolean")]
