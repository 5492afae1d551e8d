"""What mail programs write around a message, in the languages of their users: facts as tables.

Every pattern is used on a single line of bounded length (or a few joined ones), so that no mail can make it slow.
"""

from __future__ import annotations

# ruff: noqa: RUF001 - letters and punctuation of other scripts are what these patterns look for
import re
from typing import Final

MAX_LINE: Final = 400
"""Longer lines are never a mark."""

_WROTE: Final = (
    r"wrote|schrieb|geschrieben|a écrit|escribió|escribio|escreveu|ha scritto|schreef|skrev|napsal(?:\(a\)|a)?|"
    r"napisał(?:\(a\)|a)?|kirjoitti|написал(?:\(а\)|а)?|пишет|yazdı"
)
_WHEN: Final = r"On|Am|Le|El|Em|Il|Op|Den|Dne|W dniu|Dnia"

ATTRIBUTION: Final = re.compile(
    rf"^\W{{0,4}}(?:(?:{_WHEN})\b.{{3,250}}?\s(?:{_WROTE})\b.{{0,120}}[:：]"
    rf"|.{{0,120}}<[^<>\s]{{1,80}}@[^<>\s]{{1,80}}>.{{0,60}}?\s(?:{_WROTE})\b.{{0,120}}[:：]"
    r"|\d{4}[-/年].{4,120}<[^<>\s]{1,80}@[^<>\s]{1,80}>.{0,20}[:：]"
    r"|.{0,160}(?:写道|寫道|님이 작성|님이 씀)[:：])\s*$",
    re.IGNORECASE,
)
"""The line above a quoted message: who wrote it, and when."""

ATTRIBUTION_START: Final = re.compile(rf"^\W{{0,4}}(?:{_WHEN}|\d{{4}}[-/年])(?:\b|\d)", re.IGNORECASE)
"""How an attribution that is wrapped over lines begins."""

_FORWARDED: Final = (
    r"forwarded message|begin forwarded message|weitergeleitete nachricht|anfang der weitergeleiteten nachricht|"
    r"message transféré|message transfere|début du message transféré|mensaje reenviado|mensagem encaminhada|"
    r"messaggio inoltrato|doorgestuurd bericht|vidarebefordrat meddelande|videresendt meddelelse|"
    r"przekazana wiadomość|přeposlaná zpráva|пересылаемое сообщение|転送メッセージ|转发的邮件|전달된 메시지"
)
_ORIGINAL: Final = (
    r"original message|original-nachricht|ursprüngliche nachricht|message d'origine|message original|"
    r"mensaje original|mensagem original|messaggio originale|oorspronkelijk bericht|originalmeddelande|"
    r"oprindelig meddelelse|oryginalna wiadomość|wiadomość oryginalna|původní zpráva|исходное сообщение|"
    r"元のメッセージ|原始邮件|원본 메시지"
)
FORWARD_MARK: Final = re.compile(rf"^[\s\-–—_=*>]{{0,60}}(?:{_FORWARDED})[\s\-–—_=*:]{{0,60}}$", re.IGNORECASE)
"""A ruler above a forwarded message."""
ORIGINAL_MARK: Final = re.compile(rf"^[\s\-–—_=*>]{{2,60}}(?:{_ORIGINAL})[\s\-–—_=*:]{{0,60}}$", re.IGNORECASE)
"""A ruler above the message that was answered."""
UNDERSCORES: Final = re.compile(r"^\s{0,8}_{8,120}\s{0,8}$")
"""A ruler of underscores."""

_SENDER: Final = r"from|von|de|da|van|från|fra|od|от|差出人|发件人|보낸 사람"
_SUBJECT: Final = r"subject|betreff|objet|asunto|assunto|oggetto|onderwerp|ämne|emne|temat|předmět|тема|件名|主题|제목"
_OTHER: Final = (
    r"sent|date|to|cc|reply-to|gesendet|datum|an|antwort an|envoyé|à|enviado(?: el)?|fecha|data|para|inviato|a|"
    r"verzonden|aan|skickat|till|sendt|til|wysłano|do|dw|odesláno|komu|kopie|дата|кому|"
    r"送信日時|宛先|发送时间|收件人|보낸 날짜|받는 사람"
)
SENDER_HEADER: Final = re.compile(rf"^[\s>*]{{0,8}}(?:{_SENDER})\*?\s?[:：]\*?\s?\S", re.IGNORECASE)
"""The first header of a message that was copied with its headers."""
ANY_HEADER: Final = re.compile(rf"^[\s>*]{{0,8}}(?:{_SENDER}|{_SUBJECT}|{_OTHER})\*?\s?[:：]", re.IGNORECASE)
"""A header of such a message."""
SUBJECT_OR_ADDRESS: Final = re.compile(rf"^[\s>*]{{0,8}}(?:{_SUBJECT})\*?\s?[:：]|\S@\S", re.IGNORECASE)
"""What tells the headers of a message from a form that somebody filled in."""

POINTER: Final = re.compile(
    r"\b(?:fyi|f\.y\.i|below|forward\w{0,3}|fwd|see the thread|zur info|zur kenntnis|z\.\s?k\.|siehe unten|s\.\s?u\."
    r"|unten|weitergeleitet|weiterleitung|ci-dessous|ci-joint|pour info|abajo|más abajo|para tu información|abaixo"
    r"|segue|sotto|per conoscenza|zie onder|hieronder|ter info|se nedan|se nedenfor|poniżej|níže|ниже)\b",
    re.IGNORECASE,
)
"""Words of a short note that says: read the message under it."""

SIGNATURE_RULE: Final = re.compile(r"^\s{0,4}(?:--|—)\s{0,4}$")
POSTSCRIPT: Final = re.compile(r"^\W{0,4}p\.?\s?p?\.?s\b", re.IGNORECASE)
CLOSING: Final = re.compile(
    r"^\W{0,4}(?:(?:many |with |my )?(?:best|kind|kindest|warm|warmest|sincere) ?(?:regards|wishes)?|regards|cheers|"
    r"thanks(?: again| in advance| a lot| so much)?|many thanks|thank you(?: very much| in advance| so much)?|"
    r"yours(?: sincerely| faithfully| truly)?|sincerely(?: yours)?|all the best|take care|"
    r"mit freundlichen grüßen|mit freundlichen gruessen|freundliche grüße|viele grüße|liebe grüße|beste grüße|"
    r"herzliche grüße|schöne grüße|viele gruesse|grüße|gruß|lg|vg|mfg|vielen dank|danke|"
    r"cordialement|bien cordialement|bien à vous|salutations|merci(?: d'avance)?|"
    r"saludos(?: cordiales)?|un saludo|atentamente|(?:muchas )?gracias|cordialmente|"
    r"atenciosamente|abraços|(?:muito )?obrigad[oa]|cumprimentos|"
    r"cordiali saluti|distinti saluti|saluti|grazie|met vriendelijke groet(?:en)?|groeten|groetjes|"
    r"(?:med )?vänliga hälsningar|mvh|(?:med )?venlig hilsen|pozdrawiam|z poważaniem|s pozdravem|с уважением)"
    r"\W{0,4}(?P<name>[\w.'\- ]{0,40})$",
    re.IGNORECASE,
)
"""A closing phrase, with at most a name behind it."""
FOOTER: Final = re.compile(
    r"^\W{0,4}(?:sent from (?:my|outlook|mail|yahoo|samsung)|get outlook for|von meinem .{0,30} gesendet|"
    r"gesendet (?:von|mit)|envoyé (?:de|depuis)|enviado (?:desde|do|a partir)|inviato da|verzonden vanaf|"
    r"verstuurd vanaf|skickat från|sendt fra|wysłane z|odesláno z|отправлено с)\b.{0,60}$",
    re.IGNORECASE,
)
"""A line that a phone or a mail program adds."""

_MAIL: Final = r"(?:e-?mail|message|nachricht|mail|courriel|courrier|mensaje|mensagem|correo|messaggio|bericht)"
DISCLAIMER: Final = re.compile(
    rf"\b{_MAIL}\b.{{0,160}}\b(?:confidential|privileged|vertraulich\w{{0,4}}|confidentiels?|confidencia(?:l|is|les)|"
    r"riservat[oe]|vertrouwelijk|intended (?:only|solely|recipient)|solely for the|ausschließlich für)\b"
    rf"|\b(?:intended recipient|received this {_MAIL} in error|not the (?:named )?addressee|irrtümlich erhalten|"
    r"versehentlich erhalten|reçu (?:ce|cet) .{0,20}par erreur|recibido este .{0,20}por error|"
    r"recebeu esta .{0,20}por engano)\b"
    r"|\b(?:before printing|bevor sie diese .{0,20}ausdrucken|avant d'imprimer|antes de imprimir)\b"
    r"|^\W{0,4}(?:confidentiality notice|disclaimer|vertraulichkeitshinweis)\b",
    re.IGNORECASE,
)
"""A sentence about who may read the mail, or about paper."""
