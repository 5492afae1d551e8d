"""The questions that choose a language model for a request."""

from __future__ import annotations

from typing import Any


def router_questions() -> dict[str, dict[str, Any]]:
    """Questions about one request to a language model, in the state key `request`."""
    return {
        "difficulty": {
            "type": "score",
            "instructions": "How hard is `request` for a language model?",
            "criteria": [
                "trivial: hello, who, when or where, a simple fact or a one-word answer",
                "easy: rewrite or translate this email, explain a word, a short text",
                "moderate: write a function or a query, compare options, several steps",
                "hard: prove a theorem, design a distributed system, deep analysis, a large program",
            ],
        },
        "domain": {
            "type": "choice",
            "instructions": "What kind of work does `request` ask for?",
            "criteria": {
                "code": "write, fix or explain program code, a script, a function or a query",
                "math_or_logic": "solve an equation, calculate, prove a theorem or crack a puzzle",
                "writing": "write, rewrite, translate or summarise an email, an essay, a story or a poem",
                "factual_lookup": "who, when, where or what is: a fact about the world, history or people",
                "data_analysis": "analyse a table, a spreadsheet, statistics, a trend or a chart of data",
                "chitchat": "hello, how are you, small talk, jokes and feelings",
            },
        },
        "needs_tools": {
            "type": "noul",
            "instructions": "Does answering `request` need a tool, a search or private data?",
            "criteria": {
                "true": "today's weather, latest news or price, search the web, my calendar, my files, our database",
                "false": "hello, explain, write, translate, prove or calculate from general knowledge",
            },
        },
        "is_sensitive": {
            "type": "noul",
            "instructions": "Could a wrong answer to `request` cost money, rights, health or safety?",
            "criteria": {
                "true": "medicine, drugs, symptoms, legal rights, contracts, taxes, investments or danger",
                "false": "greetings, code, writing style, sport, history, hobbies or entertainment",
            },
        },
    }
