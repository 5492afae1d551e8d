"""An email as a state: subject, body, sender, and what else the caller knows."""

from __future__ import annotations

import difflib
import email
import email.policy
from email.message import EmailMessage, Message
from typing import Any, Final

from laya.email.clean import clean_email_body
from laya.errors import ArgumentError, ArgumentTypeError

_OWN: Final = ("subject", "body", "sender", "clean", "max_chars")
FORWARD_RULE: Final = "---------- Forwarded message ----------"


def email_state(
    subject: str | None,
    body: str | None,
    sender: str | None = None,
    clean: bool = True,
    max_chars: int = 3000,
    **extra: Any,
) -> dict[str, Any]:
    """State of one email.

    Args:
        subject: subject line.
        body: text or HTML.
        sender: becomes `from`, where given.
        clean: pass the body through `clean_email_body`; otherwise it is used whole.
        max_chars: most characters of a cleaned body.
        extra: more fields of the state; those that are None are left out.

    Raises:
        ArgumentTypeError: `subject` or `body` is not a str, or an extra name is nearly that of a parameter.
        ArgumentError: `max_chars` cannot work, or `from` is given twice.
        MissingExtraError: see `clean_email_body`.
    """
    if subject is not None and not isinstance(subject, str):
        raise ArgumentTypeError(f"an email subject must be a str, got {type(subject).__name__}")
    if body is not None and not isinstance(body, str):
        raise ArgumentTypeError(f"an email body must be a str, got {type(body).__name__}; decode it first")
    for name in extra:
        near = difflib.get_close_matches(name, _OWN, n=1, cutoff=0.8)
        if near:
            raise ArgumentTypeError(f"email_state got an unexpected option {name!r}; did you mean {near[0]!r}?")
    if sender and "from" in extra:
        raise ArgumentError("pass sender= or the extra field 'from', not both")
    state: dict[str, Any] = {
        "subject": (subject or "").strip(),
        "body": clean_email_body(body, max_chars) if clean else body or "",
    }
    if sender:
        state["from"] = sender
    return {**state, **{name: value for name, value in extra.items() if value is not None}}


def email_state_from_message(
    message: bytes | Message, *, clean: bool = True, max_chars: int = 3000, **extra: Any
) -> dict[str, Any]:
    """State of a whole message: MIME parts decoded, the plain text preferred, attached messages read as forwarded.

    Args:
        message: the bytes of a message (an .eml file), or a message of the standard library.
        clean: as in `email_state`.
        max_chars: as in `email_state`.
        extra: as in `email_state`.

    Raises:
        ArgumentTypeError: `message` is something else.
        ArgumentError, MissingExtraError: as `email_state`.
    """
    parsed = _as_message(message)
    return email_state(
        _printable(parsed["subject"] or ""),
        _body(parsed),
        _printable(parsed["from"] or "") or None,
        clean,
        max_chars,
        **extra,
    )


def _as_message(message: Any) -> EmailMessage:
    if isinstance(message, EmailMessage):
        return message
    if isinstance(message, Message):
        message = message.as_bytes()  # a message of the old policy cannot find its body
    if not isinstance(message, (bytes, bytearray)):
        raise ArgumentTypeError(
            f"a message must be bytes or an email.message.EmailMessage, got {type(message).__name__}; "
            "for a subject and a body use email_state"
        )
    return email.message_from_bytes(bytes(message), policy=email.policy.default)


def _body(message: EmailMessage) -> str:
    texts = [_text(part) for part in (message.get_body((kind,)) for kind in ("plain", "html")) if part is not None]
    body = next((text for text in texts if text.strip()), "")
    if message.get_content_type() != "message/rfc822" and message.is_multipart():
        for part in message.iter_attachments():
            if part.get_content_type() == "message/rfc822":
                inner: Any = part.get_payload(0)
                body += f"\n\n{FORWARD_RULE}\n{_body(inner)}"
    return body


def _text(part: Any) -> str:
    try:
        return _printable(part.get_content())
    except (LookupError, UnicodeError):  # an unknown or a wrong charset
        data = part.get_payload(decode=True) or b""
        return str(data.decode("utf-8", "replace"))


def _printable(value: Any) -> str:
    """Text without lone surrogates, which stand for bytes that could not be decoded."""
    return str(value).encode("utf-8", "replace").decode("utf-8")
