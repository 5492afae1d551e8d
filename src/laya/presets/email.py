"""The questions of a shared mailbox: who should read an email, and whether it can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

CATEGORIES: Final[dict[str, str]] = {
    "billing": "invoices, payments, refunds and charges",
    "technical": "a bug, an error, an outage or help with using the product",
    "sales": "prices, quotes, a demo or buying more licences",
    "security": "a vulnerability, a data leak, a hacked account or suspicious access",
    "hr": "job applications, holidays, payroll, contracts and staff matters",
    "other": "anything else, such as a newsletter, a greeting or a personal note",
}
"""Default teams of `email_questions`: label to what their mail is about."""


def email_questions(categories: Mapping[str, str] | None = None) -> dict[str, dict[str, Any]]:
    """Questions about one email, in the state key `body`.

    Args:
        categories: label to description of the teams that mail can go to; None or empty means `CATEGORIES`.
    """
    return {
        "category": {
            "type": "choice",
            "instructions": "Which team should handle the email in `body`?",
            "criteria": dict(categories or CATEGORIES),
        },
        "is_spam": {
            "type": "noul",
            "instructions": "Is `body` unsolicited bulk mail?",
            "criteria": {
                "true": "an unwanted mass advertisement: buy now, limited offer, click here, unsubscribe",
                "false": "a personal or business message written to the recipient",
            },
        },
        "is_phishing": {
            "type": "noul",
            "instructions": "Does `body` try to trick the reader into giving away money, passwords or access?",
            "criteria": {
                "true": "click here to verify your password or your account will be closed, send gift cards",
                "false": "an ordinary message about an invoice, a meeting, an error, a job, a quote or a product",
            },
        },
        "urgency": {
            "type": "score",
            "instructions": "How soon does `body` need attention?",
            "criteria": [
                "no hurry: a newsletter, an automated message, for your information",
                "soon: please answer this week, next week or before the due date",
                "immediately: production is down, work is blocked, the deadline is today",
            ],
        },
        "needs_reply": {
            "type": "noul",
            "instructions": "Does the sender of `body` expect an answer?",
            "criteria": {
                "true": "could you, can you please confirm, how can I, we would like, let me know",
                "false": "automated notification, newsletter, for your information, no need to answer",
            },
        },
    }
