"""`laya predict`: answers about one text."""

import time

from laya.cli import arguments as a
from laya.cli.asking import How, Whom, asked_questions, asked_state, open_answerer
from laya.cli.console import write_json, write_rich

EXAMPLES = """Examples:

    laya "I was charged twice, please refund" --preset triage

    echo "You won a prize, click here" | laya predict --preset email --json

    laya predict --state ticket.json --questions mine.json --truncation error
"""


def predict(
    text: a.Text = None,
    *,
    state: a.StateFile = None,
    preset: a.Preset = None,
    questions: a.Questions = None,
    model: a.Model = None,
    models: a.Models = None,
    task: a.Task = None,
    lang: a.Lang = None,
    calibration: a.Calibration = None,
    max_len: a.MaxLen = None,
    head_max_len: a.HeadMaxLen = None,
    min_confidence: a.MinConfidence = None,
    truncation: a.Truncate = a.Truncation.ALLOW,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """Answer questions about one text. `laya "text"` is short for this."""
    asked = asked_questions(preset, questions)
    judged = asked_state(text, state, asked)
    how = How(max_len, head_max_len, min_confidence, lang, truncation.value)
    with open_answerer(Whom(model, models, task, calibration), how) as answerer:
        started = time.perf_counter()
        result = answerer.one(judged, asked.questions)
        elapsed_ms = 1000 * (time.perf_counter() - started)
    if as_json or form is not a.Format.TABLE:
        write_json(result, lines=form is a.Format.JSONL and not as_json)
        return
    from laya.pretty import render  # noqa: PLC0415 - imports rich

    write_rich(render(result, elapsed_ms=elapsed_ms), width=80)
