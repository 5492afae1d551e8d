"""The text that the sender of an email wrote, without quotes, signature and legal notices."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from laya.email import marks
from laya.email.html import html_to_text, looks_like_html
from laya.errors import ArgumentError, ArgumentTypeError

LOOKAHEAD: Final = 4
"""Characters read for each character that may be returned, at least."""
LEAST_READ: Final = 8000
"""Characters of a text that are read in any case."""

MAX_HEADERS: Final = 40
"""Header lines that are read as one block."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_BLANKS = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class _Part:
    """One message of the mail: the sender's own, one that was forwarded, or one that was answered."""

    kind: Literal["own", "forwarded", "answered"]
    lines: list[str]


def clean_email_body(body: str | None, max_chars: int = 3000) -> str:
    """What the sender wrote.

    HTML becomes text. Quoted messages, signatures, footers of mail programs and confidentiality notices go. A
    forwarded message stays, and so does a quoted one under a note that says nearly nothing by itself ("see below"):
    the result is never empty, and never only a marker, when the mail has text.

    Args:
        body: text or HTML of an email; None and "" give "".
        max_chars: most characters of the result.

    Raises:
        ArgumentTypeError: `body` is not a str.
        ArgumentError: `max_chars` is not an int of at least 0.
        MissingExtraError: the body is HTML and the extra "email" is not installed.
    """
    if isinstance(max_chars, bool) or not isinstance(max_chars, int) or max_chars < 0:
        raise ArgumentError(f"max_chars must be an int of at least 0, got {max_chars!r}")
    if body is None:
        return ""
    if not isinstance(body, str):
        raise ArgumentTypeError(
            f"an email body must be a str, got {type(body).__name__}; decode it, or pass a whole message "
            "to email_state_from_message"
        )
    text = html_to_text(body) if looks_like_html(body) else body
    text = _lines_of(text[: max(LEAST_READ, LOOKAHEAD * max_chars)])
    kept = _choose(_split(text.split("\n")))
    return (kept or _without_marks(text))[:max_chars].strip()


def _lines_of(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ").replace("\ufeff", "")
    # Line ends that were escaped once too often; in a text with real ones, "\n" may be part of a path.
    return text if "\n" in text else text.replace("\\r\\n", "\n").replace("\\n", "\n")


def _split(lines: list[str]) -> list[_Part]:
    """The messages of a mail, the sender's own first."""
    parts = [_Part("own", [])]
    i = 0
    while i < len(lines):
        mark = _mark_at(lines, i)
        if mark is None:
            parts[-1].lines.append(lines[i])
            i += 1
        else:
            kind, length = mark
            parts.append(_Part(kind, []))
            i += length
    return parts


def _mark_at(lines: list[str], i: int) -> tuple[Literal["forwarded", "answered"], int] | None:
    """Kind of the message that begins at line `i`, and how many lines its mark and headers take."""
    line = lines[i]
    if not line.strip() or len(line) > marks.MAX_LINE:
        return None
    if marks.FORWARD_MARK.match(line):
        return "forwarded", 1 + _header_count(lines, i + 1)
    if marks.ORIGINAL_MARK.match(line) or marks.UNDERSCORES.match(line):
        return "answered", 1 + _header_count(lines, i + 1)
    if marks.SENDER_HEADER.match(line):
        count = _header_count(lines, i)
        told = any(marks.SUBJECT_OR_ADDRESS.search(header) for header in lines[i : i + count])
        return ("answered", count) if count >= 2 and told else None
    wrapped = marks.ATTRIBUTION_START.match(line) is not None
    for length in (1, 2, 3) if wrapped else (1,):
        joined = " ".join(part.strip() for part in lines[i : i + length])
        if len(joined) <= marks.MAX_LINE and marks.ATTRIBUTION.match(joined):
            return "answered", length
    return None


def _header_count(lines: list[str], start: int) -> int:
    """Lines that headers take from `start` on, with blank lines before them; 0 where there are none."""
    i = start
    while i < len(lines) and not lines[i].strip():
        i += 1
    first = i
    while (
        i < min(len(lines), first + MAX_HEADERS)
        and len(lines[i]) <= marks.MAX_LINE
        and marks.ANY_HEADER.match(lines[i])
    ):
        i += 1
    return i - start if i > first else 0


def _choose(parts: list[_Part]) -> str:
    own = parts[0].lines + [line for part in parts[1:] for line in _replies_in(part)]
    text = _polish([line for line in own if not _is_quoted(line)])
    for part in parts[1:]:
        if part.kind == "forwarded" or _says_little(text):
            text = "\n\n".join(filter(None, (text, _polish([_unquoted(line) for line in part.lines]))))
    if not text:
        text = _polish([_unquoted(line) for line in own])
    return text


def _replies_in(part: _Part) -> list[str]:
    """Lines of a quoted message that stand between or under the quoted ones: the sender's answers."""
    if part.kind != "answered" or not any(_is_quoted(line) for line in part.lines):
        return []
    return ["", *(line for line in part.lines if not _is_quoted(line))]


def _is_quoted(line: str) -> bool:
    return line.lstrip().startswith(">")


def _unquoted(line: str) -> str:
    return line.lstrip().lstrip("> ") if _is_quoted(line) else line


def _says_little(text: str) -> bool:
    words = re.findall(r"\w+", text)
    short = len(words) < 3 and sum(map(len, words)) < 12
    return short or (len(words) <= 15 and marks.POINTER.search(text) is not None)


def _polish(lines: list[str]) -> str:
    """Text without signature, footers and notices; with them where nothing else is left."""
    whole = _tidy("\n".join(lines))
    kept = [line for line in whole.split("\n") if len(line) > marks.MAX_LINE or not marks.FOOTER.match(line)]
    text = _tidy("\n".join(_without_signature(kept)))
    text = _tidy(_without_notices(text))
    return text or whole


def _without_signature(lines: list[str]) -> list[str]:
    first = max(1, min(len(lines) * 6 // 10, len(lines) - 8))
    for i in range(first, len(lines)):
        line = lines[i]
        if len(line) <= 60 and (marks.SIGNATURE_RULE.match(line) or _is_closing(line)):
            after = next((j for j in range(i, len(lines)) if marks.POSTSCRIPT.match(lines[j])), len(lines))
            return [*lines[:i], *lines[after:]]
    return lines


def _is_closing(line: str) -> bool:
    found = marks.CLOSING.match(line)
    if found is None:
        return False
    name = found["name"].split()
    return len(name) <= 3 and not any(part[0].islower() for part in name)


def _without_notices(text: str) -> str:
    paragraphs = []
    for paragraph in _BLANKS.split(text):
        sentences = _SENTENCE.split(paragraph)
        kept = [sentence for sentence in sentences if not _is_notice(sentence)]
        paragraphs.append(paragraph if len(kept) == len(sentences) else " ".join(kept))
    return "\n\n".join(paragraphs)


def _is_notice(sentence: str) -> bool:
    return len(sentence) <= 3 * marks.MAX_LINE and marks.DISCLAIMER.search(" ".join(sentence.split())) is not None


def _tidy(text: str) -> str:
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", text).strip()


def _without_marks(text: str) -> str:
    """All lines but the marks, for a mail in which nothing else is left."""
    lines = text.split("\n")
    return _tidy("\n".join(_unquoted(line) for i, line in enumerate(lines) if _mark_at(lines, i) is None))
