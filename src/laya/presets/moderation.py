"""The questions of a community moderator."""

from __future__ import annotations

from typing import Any


def moderation_questions() -> dict[str, dict[str, Any]]:
    """Questions about one post, in the state key `post`."""
    return {
        "toxic": {
            "type": "noul",
            "instructions": "Is `post` rude or hostile?",
            "criteria": {
                "true": "you stupid idiot, shut up, you are disgusting trash",
                "false": "thank you, I agree or disagree, does anyone know, an interesting point",
            },
        },
        "harassment": {
            "type": "noul",
            "instructions": "Does `post` attack or demean a particular person?",
            "criteria": {
                "true": "you are a pathetic loser and a moron, nobody likes you, go away",
                "false": "a remark or a question about a topic, a product, an article or a place",
            },
        },
        "threat": {
            "type": "noul",
            "instructions": "Does `post` threaten someone with harm?",
            "criteria": {
                "true": "I will find you, hurt you, break your bones or kill you",
                "false": "an opinion, an insult, an advert, a question or thanks",
            },
        },
        "spam": {
            "type": "noul",
            "instructions": "Is `post` advertising or bulk promotion?",
            "criteria": {
                "true": "buy now, earn money from home, click this link, follow my channel, discount code",
                "false": "an opinion, an argument, an insult or a question from a person in the discussion",
            },
        },
        "severity": {
            "type": "score",
            "instructions": "How badly does `post` break the rules of a civil community?",
            "criteria": [
                "fine: thanks, a question, an opinion or helpful advice",
                "mild: sarcastic, impolite or off topic",
                "bad: insults, idiot, loser, or spam that sells something",
                "severe: hate, threats, I will hurt or kill you",
            ],
        },
    }
