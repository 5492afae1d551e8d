"""What carries no language: links, addresses, paths, code, markup, identifiers, numbers."""

from __future__ import annotations

import re
from typing import Final

# most texts have none of these and are returned as they are
SUSPECT: Final = re.compile(r"[@\\_=|<>{}\[\]$#~^/`&%*\d(;-]")
DOTTED: Final = re.compile(r"\.\w")
SCOPED: Final = re.compile(r"\w::\w")
CAMEL: Final = re.compile(r"[a-z][A-Z]")
BLOCK: Final = re.compile(
    r"```.*?(?:```|\Z)|<(script|style|pre|code)\b[^>]{0,300}>.{0,4000}?</\1>", re.DOTALL | re.IGNORECASE
)
MARKUP: Final = re.compile(
    r"`[^`\n]{1,200}`"  # inline code
    r"|</?[a-zA-Z][^<>\n]{0,300}>|<!--[^\n]{0,300}?-->"  # tags and comments
    r"|&(?:[a-zA-Z]{2,10}|#\w{1,6});"  # entities
    r"|\{\{[^{}\n]{0,100}\}\}|\$\{[^{}\n]{0,100}\}|%\([a-zA-Z_]{1,60}\)[sdf]"  # placeholders
)
MARKED: Final = re.compile(r"[`<&{%]")
"""Blocks and markup hold one of these."""
TOKEN: Final = re.compile(r"[!-~À-ɏ]+")
"""Runs of ASCII and accented Latin: a number inside Chinese is a token of its own."""
ODD_TOKEN: Final = re.compile(r"(?<![!-~À-ɏ])[A-Za-zÀ-ɏ]*[!-@\[-`{-~][!-~À-ɏ]*")
"""A token that is not letters alone."""
NOT_A_WORD: Final = re.compile(
    r"[@\\_=|<>{}\[\]$#~^\d]|:/|::|(?:^|[^\w.])(?:www)?\.\w"  # addresses, assignments, snake_case, numbers, extensions
    r"|\w/\w*[./-]|/\w+/|^[.~]?/\w"  # paths
    r"|\w\.[^\WA-Z]\w|\w(?:[(;]\w|\(\))|^--?\w|^[a-z]+[A-Z]"  # dotted names, calls, options, camelCase
)
LINE_OF_CODE: Final = re.compile(
    r"[{}]\s*$|[=(){}<>\[\]+*][^;]{0,200};\s*$|^\s*[}\]]"
    r"|^\s*(?:#include|def \w+\(|class \w+\(|(?:const|let|var) \w+ =|>>> |\$ \w)"
    r"|^\s*(?:if|for|while|switch|catch) \(.{0,200}[=<>;{!]|\bfunction\b.{0,200}\{"
    r"|\bSELECT [^.!?*(]{0,200}[*(][^.!?]{0,200} FROM \w"
    r"|=>|->\w|\w\(\w*\)\.\w|\s(?:==|!=|&&|\|\||\+=|:=)\s"
    r"|^\s*(?:git|npm|pip|docker|kubectl|sudo|curl|ssh|brew|yarn) [\w-]+(?: (?:--?\w|\S*[./:=-]\w)\S*)+\s*$"
)
"""Signs of a line of code; each holds a character of `SUSPECT`."""
CODE_MARK: Final = re.compile(r"[{}\[\]()=<>#$&|*+]")
COMMAND: Final = re.compile(r"\s*(?:git|npm|pip|docker|kubectl|sudo|curl|ssh|brew|yarn) ")
"""Every line of code holds a mark or begins with a command: quicker to look for than the signs."""


def strip_noise(text: str) -> str:
    """The text without what carries no language; lines stay lines, everything removed becomes a blank.

    Lines of code vanish as a whole, since their keywords look like English.
    """
    dotted = ("." in text and DOTTED.search(text)) or ("::" in text and SCOPED.search(text))
    camel = CAMEL.search(text)
    if not (dotted or camel or SUSPECT.search(text)):
        return text
    if MARKED.search(text):
        text = MARKUP.sub(" ", BLOCK.sub(_blank_lines, text))
    token = TOKEN if camel else ODD_TOKEN
    return "\n".join("" if _is_code(line) else token.sub(_keep_word, line) for line in text.split("\n"))


def _is_code(line: str) -> bool:
    return bool((CODE_MARK.search(line) or COMMAND.match(line)) and LINE_OF_CODE.search(line))


def _blank_lines(block: re.Match[str]) -> str:
    return " " + "\n" * block[0].count("\n")


def _keep_word(token: re.Match[str]) -> str:
    return " " if NOT_A_WORD.search(token[0]) else token[0]
