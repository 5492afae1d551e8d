"""Keep personal data away from the model, and from every hook that comes later.

Run it: python examples/hooks/redact.py
"""

from __future__ import annotations

import laya
from laya.hooks.builtin import Redact

QUESTIONS = {"refund": {"type": "noul", "instructions": "Does the customer ask for money back?"}}
TICKET = {
    "from": "jane.doe@example.org",
    "message": "Ticket T-4711: please refund card 4111 1111 1111 1111 and call me on +44 20 7946 0958.",
}


def show(ctx: laya.PredictContext) -> None:
    print(f"the model reads: {ctx.states[0]}")
    print(f"masked: {ctx.scratch['laya.redact']}")


def main(agent: laya.Agent) -> None:
    redact = Redact({"ticket": r"T-\d+"})
    result = agent.predict(TICKET, QUESTIONS, hooks=[redact], on_predict_start=show)
    print(f"refund: {result['answers']['refund']['noul']:.0%}")
    print(f"the caller still has: {TICKET['from']}")


if __name__ == "__main__":
    main(laya.load())
