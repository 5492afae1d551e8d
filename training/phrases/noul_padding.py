"""What stands around a text in mail, chats and records; nothing here has a tone, a request or a topic of note."""

from __future__ import annotations

from typing import Final

KEYS: Final = ("message", "body", "text", "comment", "content", "post", "note", "description", "input", "utterance")
CHANNELS: Final = ("web", "email", "chat", "phone", "app", "forum", "sms")
NAMES: Final = ("Sam", "Alex", "Mira", "J. Novak", "Chris", "Dana", "Lee", "Priya", "Tom", "Ines", "R. Khan", "Olu")
SUBJECTS: Final = (
    "Re:",
    "Note",
    "Your message",
    "Hello",
    "Following up",
    "Message from the site",
    "FYI",
    "(no subject)",
)
GREETINGS: Final = ("Hello,", "Hi,", "Hi all,", "Good morning,", "Dear team,", "Hello there,", "Dear all,")
CLOSINGS: Final = ("Regards,", "Best,", "Kind regards,", "Best regards,", "All the best,", "Yours,")
PADDING: Final = (
    "This was written on a laptop.", "The window was open.", "It is an ordinary weekday.",
        "There is a table in the room.",
    "The page has a grey border.", "The file is stored with the others.", "A list follows further down.",
    "The form has several fields.", "The building has a side entrance.", "The clock on the wall ticks.",
    "The meeting room is on the second floor.", "The notebook lies on the desk.",
        "The street runs from north to south.",
    "The text was copied from another page.", "Some of the chairs are made of wood.",
)  # fmt: skip
TURNS: Final = (
    ("Hello", "Hello. How can I help?"),
    ("Hi", "Hi, you are connected with support."),
    ("Hey there", "Go ahead."),
    ("Hello", "Hello, this is the assistant."),
    ("Are you there", "Yes, I am listening."),
    ("Hi", "Hi! What is it about?"),
)
