"""`laya plan`: what a call would cost and cut, without running it."""

from typing import Annotated, Any

import typer

from laya.cli import arguments as a
from laya.cli.asking import asked_questions, asked_state, load_agent, open_router
from laya.cli.console import write, write_json, write_table
from laya.errors import ArgumentError

EXAMPLES = """Examples:

    laya plan "I was charged twice" --preset triage

    laya plan --strict --questions mine.json < long.txt
"""


def plan(
    text: a.Text = None,
    *,
    state: a.StateFile = None,
    preset: a.Preset = None,
    questions: a.Questions = None,
    model: a.Model = None,
    models: a.Models = None,
    task: a.Task = None,
    lang: a.Lang = None,
    max_len: a.MaxLen = None,
    head_max_len: a.HeadMaxLen = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 where anything would be cut.")] = False,
    form: a.Form = a.Format.TABLE,
    as_json: a.AsJson = False,
) -> None:
    """Tell what questions about a text cost in tokens, what would be cut, and which options would read as equal.

    Nothing is run, so this is quick.
    """
    asked = asked_questions(preset, questions)
    judged = asked_state(text, state, asked)
    budgets = {"max_len": max_len, "head_max_len": head_max_len}
    if models is None and task is not None:
        raise ArgumentError(f"--task {task} chooses among several checkpoints; pass --models too")
    planned = _planned(judged, asked.questions, budgets, models, {"model": model, "task": task, "lang": lang})
    if as_json or form is not a.Format.TABLE:
        write_json(planned, lines=form is a.Format.JSONL and not as_json)
    else:
        _show(planned)
    if strict and not planned["fits"]:
        raise typer.Exit(1)


def _planned(state: Any, questions: Any, budgets: dict[str, Any], models: str | None, route: dict[str, Any]) -> Any:
    from laya.plan import plan as plan_call  # noqa: PLC0415 - loads the engine

    if models is not None:
        with open_router(models) as router:
            return plan_call(router, state, questions, **budgets, **route)
    with load_agent(route["model"]) as agent:
        return plan_call(agent, state, questions, **budgets)


def _show(planned: dict[str, Any]) -> None:
    columns = ("question", "type", "tokens", "options", "distinct", "state read", "state cut", "question cut")
    rows = [
        (
            qid,
            entry["type"],
            entry["tokens"],
            entry["options"],
            entry["options_distinct"],
            entry["state_tokens_read"],
            entry["state_tokens_dropped"],
            entry["instruction_tokens_dropped"] + entry["option_tokens_dropped"],
        )
        for qid, entry in planned["questions"].items()
    ]
    write_table(columns, rows)
    usage = planned["usage"]
    fits = "nothing is cut" if planned["fits"] else "something is cut, or options read as equal"
    budget = f"max_len {planned['max_len']}, head_max_len {planned['head_max_len']}"
    write(f"\n{planned['model']} ({budget}): {usage['input_tokens']} tokens would be read; {fits}")
