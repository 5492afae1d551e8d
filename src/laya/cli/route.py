"""`laya route`: which checkpoint would answer, and why."""

from typing import Annotated, Any

import typer

from laya.cli import arguments as a
from laya.cli.asking import asked_questions, asked_state, open_router
from laya.cli.console import write_json, write_table

EXAMPLES = """Examples:

    laya route "Je voudrais un remboursement"

    laya route "hola, que tal" --models hub --explain --json
"""


def route(
    text: a.Text = None,
    *,
    state: a.StateFile = None,
    preset: a.Preset = None,
    questions: a.Questions = None,
    models: Annotated[
        str, typer.Option("--models", help="'embedded', 'hub', or a JSON file of name to source.")
    ] = "embedded",
    model: Annotated[str | None, typer.Option("--model", help="Name of a checkpoint; wins over everything.")] = None,
    task: a.Task = None,
    lang: a.Lang = None,
    lang_guess: Annotated[
        str | None, typer.Option("--lang-guess", help="A language that is likely, where no other rule decides.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Add what language detection looked at.")] = False,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """Tell which checkpoint would answer, without loading it."""
    asked = None if preset is None and questions is None else asked_questions(preset, questions)
    judged = asked_state(text, state, asked)
    ids = None if asked is None else dict(asked.questions)
    with open_router(models) as router:
        decision = router.route(judged, ids, model=model, task=task, lang=lang, lang_guess=lang_guess, explain=explain)
    if as_json or form is not a.Format.TABLE:
        write_json(decision, lines=form is a.Format.JSONL and not as_json)
    else:
        write_table(("", ""), list(_facts(decision)))


def _facts(decision: dict[str, Any]) -> list[tuple[str, Any]]:
    facts = [(name, decision[name]) for name in ("model", "repo", "reason", "reason_code", "workflow")]
    detection = decision.get("detection") or {}
    return [*facts, *((name, value) for name, value in detection.items() if not isinstance(value, dict))]
