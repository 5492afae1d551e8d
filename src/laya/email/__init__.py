"""Email as a state: cleaned bodies, MIME messages."""

from laya.email.clean import clean_email_body
from laya.email.state import email_state, email_state_from_message

__all__ = ["clean_email_body", "email_state", "email_state_from_message"]
