"""HTML mail as text."""

from __future__ import annotations

import re
from typing import Any, Final

from laya.extras import require

MAX_HTML: Final = 400_000
"""Characters of HTML that are read: more is style sheets and tracking."""

_DOCUMENT = re.compile(r"\s{0,100}(?:\ufeff)?\s{0,100}<(?:!doctype|html|head|body)\b", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:html|body|div|p|br|table|tr|td|span|ul|ol|li|b|strong|i|em|blockquote|h[1-6]|a)\b[^<>]{0,500}>",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"<blockquote\b[^<>]{0,500}\b(?:type=[\"']?cite|gmail_quote)[^<>]{0,500}>", re.IGNORECASE)
_ANY_TAG = re.compile(r"<[^<>]{0,2000}>")


def looks_like_html(text: str) -> bool:
    """Whether a body is HTML: it starts like a document, or has at least two tags, one of them closing or a break."""
    if _DOCUMENT.match(text):
        return True
    tags = [found.group().lower() for found in _TAG.finditer(text[:MAX_HTML])]
    return len(tags) >= 2 and any(tag.startswith(("</", "<br")) for tag in tags)


def html_to_text(html: str) -> str:
    """Visible text of HTML, hidden elements left out, quoted messages under a ruler.

    Raises:
        MissingExtraError: the extra "email" is not installed.
    """
    inscriptis: Any = require("inscriptis", "email", "cleaning an HTML email")
    marked = _QUOTE.sub(lambda found: f"<div>-----Original Message-----</div>{found.group()}", html[:MAX_HTML])
    try:
        return str(inscriptis.get_text(marked))
    except Exception:  # lxml refuses documents without any element, each kind with an error of its own
        return _ANY_TAG.sub(" ", html[:MAX_HTML])
