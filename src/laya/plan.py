"""What a call would cost and cut, told without a forward pass: the numbers of `usage` before anything is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from typing_extensions import NotRequired, TypedDict

from laya.encoding import encode_states
from laya.errors import ArgumentError, ArgumentTypeError, ClosedError
from laya.questions import parse_questions
from laya.usage import count_usage, empty_usage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from laya.engine import Model
    from laya.request import Budget, EncodedRow, EncodedState, Head
    from laya.types import Questions, State, Usage

_ROUTING: Final = ("model", "task", "lang", "lang_guess")


class QuestionPlan(TypedDict):
    """What one question costs and loses.

    `tokens` of the question; `state_tokens_read` of the state beside it. `options_distinct` below `options` says that
    the encoder would read some options as equal; `tokens_per_option` is what each was cut to, None where none was.
    """

    type: Literal["choice", "score", "noul"]
    tokens: int
    state_tokens_read: int
    state_tokens_dropped: int
    instruction_tokens_dropped: int
    option_tokens_dropped: int
    options: int
    options_distinct: int
    tokens_per_option: int | None


class Plan(TypedDict):
    """What a call would read. `usage` is, key for key, that of the result that `predict` would return.

    `fits` is true when nothing is cut and all options stay distinct. `kept` says which end of a state is kept when it
    must be cut, and `state_room` how many of its tokens fit. `routing` is there for a Router.
    """

    model: str
    max_len: int
    head_max_len: int
    fits: bool
    state_room: int
    kept: Literal["start", "end"]
    questions: dict[Any, QuestionPlan]
    usage: Usage
    routing: NotRequired[dict[str, Any]]


def plan(
    agent_or_router: Any,
    state: State,
    questions: Questions,
    *,
    max_len: int | None = None,
    head_max_len: int | None = None,
    **routing: Any,
) -> Plan:
    """Tell what a call would cost and cut. Runs no forward pass, and no hook but the `on_route` of a Router.

    Args:
        agent_or_router: an `Agent`, or a `Router`, which loads the checkpoint that it picks.
        state: what would be judged.
        questions: question id to definition.
        max_len: token budget of a row; None takes the checkpoint's.
        head_max_len: token budget of a question; None takes the checkpoint's.
        routing: `model`, `task`, `lang` and `lang_guess` of a Router's `predict`.

    Raises:
        ArgumentError, ArgumentTypeError: an argument cannot work, or the agent of a Router cannot tell.
        QuestionError, StateError, BudgetError: as `predict` would raise.
    """
    unknown = next((name for name in routing if name not in _ROUTING), None)
    if unknown is not None:
        raise ArgumentTypeError(f"plan got an unexpected option {unknown!r}; it takes {', '.join(_ROUTING)}")
    budgets = {"max_len": max_len, "head_max_len": head_max_len}
    if not getattr(agent_or_router, "takes_requests", False):
        if any(value is not None for value in routing.values()):
            raise ArgumentError("an agent is one checkpoint, so there is nothing to route; plan with a Router")
        return _of_agent(agent_or_router, state, questions, budgets)
    decision = agent_or_router.route(state, questions, **routing)
    try:
        planned = _of_agent(agent_or_router.load(decision["model"]), state, questions, budgets)
    except ClosedError:
        # another call evicted it right after it was loaded; a Router that is closed itself says so again
        planned = _of_agent(agent_or_router.load(decision["model"]), state, questions, budgets)
    return {**planned, "routing": decision}


def _of_agent(agent: Any, state: Any, questions: Any, budgets: Mapping[str, int | None]) -> Plan:
    method = getattr(agent, "plan", None)
    if method is None:
        raise ArgumentTypeError(f"{type(agent).__name__} has no plan(state, questions), so its costs are not known")
    planned: Plan = method(state, questions, **budgets)
    return planned


def plan_model(model: Model, state: Any, questions: Any, *, max_len: int | None, head_max_len: int | None) -> Plan:
    """`plan` for the model of an agent."""
    asked = parse_questions(questions)
    budget = model.budget(max_len, head_max_len)
    heads = [model.layout.measure(question, budget) for question in asked]
    (encoded,) = encode_states(model.layout.encoder, [state])
    if not heads:
        return _planned(model.name, budget, encoded, heads, [], room=budget.max_len, usage=empty_usage())
    rows = model.layout.rows([encoded], heads, budget)
    (usage,) = count_usage([encoded], heads, rows, model.layout.tokens_read)
    room = model.layout.state_room(heads, budget)
    return _planned(model.name, budget, encoded, heads, rows, room=room, usage=usage)


def _planned(
    name: str,
    budget: Budget,
    state: EncodedState,
    heads: Sequence[Head],
    rows: Sequence[EncodedRow],
    *,
    room: int,
    usage: Usage,
) -> Plan:
    # a layout has one row for each question, or one for all of them
    of_question = rows if len(rows) == len(heads) else [rows[0]] * len(heads)
    pairs = zip(heads, of_question, strict=True)
    planned = {head.question.id: _question(head, row, len(state.ids)) for head, row in pairs}
    dropped = ("state_tokens_dropped", "instruction_tokens_dropped", "option_tokens_dropped")
    return {
        "model": name,
        "max_len": budget.max_len,
        "head_max_len": budget.head_max_len,
        "fits": not any(usage[key] for key in dropped) and not usage["options"],  # type: ignore[literal-required]  # all are keys
        "state_room": room,
        "kept": "end" if state.keep_tail else "start",
        "questions": planned,
        "usage": usage,
    }


def _question(head: Head, row: EncodedRow, state_tokens: int) -> QuestionPlan:
    return {
        "type": head.question.type,
        "tokens": head.tokens,
        "state_tokens_read": row.state_used,
        "state_tokens_dropped": state_tokens - row.state_used,
        "instruction_tokens_dropped": head.instruction_dropped,
        "option_tokens_dropped": head.options_dropped,
        "options": head.question.k,
        "options_distinct": head.options_distinct,
        "tokens_per_option": head.tokens_per_option,
    }
