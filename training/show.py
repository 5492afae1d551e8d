"""Print drawn examples of a writer: `python -m training.show WRITER [N] [SEED]`; without a writer, list them all."""

from __future__ import annotations

import importlib
import json
import pkgutil
import sys
from random import Random
from typing import TYPE_CHECKING

import training.write

if TYPE_CHECKING:
    from training.examples import Example, Writer


def writers() -> dict[str, Writer]:
    """Every writer that a module of `training.write` exports, by name."""
    found: dict[str, Writer] = {}
    for module in pkgutil.iter_modules(training.write.__path__):
        exported = getattr(importlib.import_module(f"training.write.{module.name}"), "WRITERS", ())
        found.update({writer.name: writer for writer in exported})
    return found


def pretty(example: Example) -> str:
    """An example in a few lines."""
    state = example.state if isinstance(example.state, str) else json.dumps(example.state, ensure_ascii=False)
    question = example.question
    criteria = question.get("criteria") or question.get("levels") or []
    if question["type"] == "noul":
        options = [
            f"false: {criteria.get('false')}" if criteria else "false",
            f"true: {criteria.get('true')}" if criteria else "true",
        ]
    elif isinstance(criteria, dict):
        options = [repr(label) + (f": {text}" if text is not None else "") for label, text in criteria.items()]
    else:
        options = [repr(label) for label in criteria]
    lines = [
        f"[{example.family} | {example.task} | {example.lang}]",
        f"  STATE  {state!r}",
        f"  ASKED  {question['instructions']!r}",
    ]
    shown = (
        sorted(zip(example.target, options, strict=True), key=lambda pair: -pair[0])
        if question["type"] == "choice"
        else zip(example.target, options, strict=True)
    )
    lines += [f"    {share:.2f}  {option}" for share, option in list(shown)[:14]]
    if len(options) > 14:
        lines.append(f"    ... {len(options) - 14} more")
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Run the command."""
    known = writers()
    if not arguments:
        total: dict[str, float] = {}
        for writer in known.values():
            total[writer.kind] = total.get(writer.kind, 0.0) + writer.share
        for writer in known.values():
            print(
                f"{writer.kind:7} {writer.name:24} {writer.share / total[writer.kind]:6.1%}"
                f" {len(writer.families):4} families"
            )
        return
    if arguments[0] not in known:
        sys.exit(f"no writer {arguments[0]!r}; there are {', '.join(sorted(known))}")
    rng = Random(int(arguments[2]) if len(arguments) > 2 else 0)
    for _ in range(int(arguments[1]) if len(arguments) > 1 else 5):
        print(pretty(known[arguments[0]].draw(rng)))


if __name__ == "__main__":
    main(sys.argv[1:])
