"""The questions of a support inbox: what a customer wants, how urgent it is and how they feel."""

from __future__ import annotations

from typing import Any


def triage_questions() -> dict[str, dict[str, Any]]:
    """Questions about one customer message, in the state key `message`."""
    return {
        "intent": {
            "type": "choice",
            "instructions": "What does the customer want in `message`?",
            "criteria": {
                "refund": "I want my money back for a purchase or a wrong charge",
                "technical_help": "something is broken, shows an error or does not work",
                "billing_question": "explain this charge, payment or amount on my invoice or bill",
                "information": "how do I, do you offer, how long does it take: shipping, features or plans",
                "cancellation": "cancel my subscription, close my account or stop the contract",
                "other": "thank you, great job, hello, just some feedback",
            },
        },
        "is_urgent": {
            "type": "noul",
            "instructions": "Does `message` put the matter under time pressure or name a deadline?",
            "criteria": {
                "true": "urgent: we are losing money, help me immediately, right now, before Friday, within an hour",
                "false": "no rush, whenever you have time: how do I, what is, thank you, great service",
            },
        },
        "frustration": {
            "type": "score",
            "instructions": "How frustrated does the customer sound in `message`?",
            "criteria": [
                "calm and friendly: thank you, fantastic, great, a question, could you please explain",
                "slightly unhappy: there is a small problem, something does not work",
                "annoyed: very disappointed, I am still waiting, it happens again and again",
                "furious: this is ridiculous, outrageous and unacceptable, I have had enough of you",
            ],
        },
        "refund_requested": {
            "type": "noul",
            "instructions": "Does the customer ask for money back in `message`?",
            "criteria": {
                "true": "please send my money back, I want a refund for a double charge or a return",
                "false": "how does it work, fix this error, explain an invoice, cancel my plan, great service, thanks",
            },
        },
        "churn_risk": {
            "type": "noul",
            "instructions": "Does `message` suggest that the customer may leave or cancel?",
            "criteria": {
                "true": "cancel my subscription, close my account, I will leave and switch to another provider",
                "false": "a question, a bug report, a bill or thanks from a customer who stays",
            },
        },
    }
