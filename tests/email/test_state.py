import email
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.email import email_state, email_state_from_message
from laya.errors import ArgumentError, ArgumentTypeError


def test_a_state_has_what_is_given():
    assert email_state(" Lamp ", "Hi\n> old") == {"subject": "Lamp", "body": "Hi"}
    state = email_state("s", "b", "bob@x.com", folder="inbox", thread=None, importance=0)
    assert state == {"subject": "s", "body": "b", "from": "bob@x.com", "folder": "inbox", "importance": 0}
    assert email_state(None, None, "") == {"subject": "", "body": ""}


def test_cleaning_can_be_switched_off_and_limited():
    assert email_state("s", "Hi\n> old", clean=False)["body"] == "Hi\n> old"
    assert email_state("s", "long text", max_chars=4)["body"] == "long"


@pytest.mark.parametrize(("name", "meant"), [("max_char", "max_chars"), ("sendr", "sender"), ("cleaned", "clean")])
def test_misspelt_options_do_not_become_fields(name, meant):
    with pytest.raises(ArgumentTypeError, match=f"unexpected option '{name}'; did you mean '{meant}'"):
        email_state("s", "b", **{name: "x"})


def test_wrong_arguments_are_refused():
    with pytest.raises(ArgumentTypeError, match="an email subject must be a str, got bytes"):
        email_state(b"s", "b")
    with pytest.raises(ArgumentTypeError, match="an email body must be a str, got bytes"):
        email_state("s", b"b", clean=False)
    with pytest.raises(ArgumentError, match="not both"):
        email_state("s", "b", "bob", **{"from": "tom"})
    with pytest.raises(ArgumentTypeError, match=r"must be bytes or an email\.message.EmailMessage, got str"):
        email_state_from_message("From: x")


def message(text=None, html=None, subject="Lampe für Köln", sender="Bob Köhler <bob@x.com>"):
    built = EmailMessage()
    built["Subject"] = subject
    built["From"] = sender
    if text is not None:
        built.set_content(text)
    if html is not None:
        (built.add_alternative if text is not None else built.set_content)(html, subtype="html")
    return built


@pytest.mark.parametrize("as_bytes", [True, False])
def test_a_message_is_decoded(as_bytes):
    built = message("Größe passt nicht.\n\nOn Monday, Shop <s@x.com> wrote:\n> Passt es?\n", "<p>other</p>")
    built.add_attachment(b"\x00\x01", maintype="image", subtype="png", filename="a.png")
    state = email_state_from_message(built.as_bytes() if as_bytes else built, folder="inbox")
    assert state == {
        "subject": "Lampe für Köln",
        "body": "Größe passt nicht.",
        "from": "Bob Köhler <bob@x.com>",
        "folder": "inbox",
    }


def test_html_is_read_where_there_is_no_text():
    assert email_state_from_message(message(None, "<p>Hello <b>you</b></p>"))["body"] == "Hello you"
    assert email_state_from_message(message(" \n", "<p>Hello</p><br>"))["body"] == "Hello"


def test_a_message_of_the_old_policy_is_read_too():
    old = email.message_from_bytes(message("Hello there, friend.").as_bytes())
    assert email_state_from_message(old)["body"] == "Hello there, friend."


def test_an_attached_message_counts_as_forwarded():
    outer = message("see attached")
    outer.add_attachment(message("My lamp is broken."))
    assert email_state_from_message(outer)["body"] == "see attached\n\nMy lamp is broken."


def test_unknown_charsets_do_not_fail():
    raw = b"Subject: caf\xe9\nContent-Type: text/plain; charset=klingon\n\nna\xefve \xc3\xa9"
    state = email_state_from_message(raw)
    state["subject"].encode()
    assert "é" in state["body"]


@given(st.binary(max_size=300))
def test_any_bytes_are_read(data):
    state = email_state_from_message(data)
    assert set(state) >= {"subject", "body"}
    str(state).encode()
