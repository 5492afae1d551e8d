"""Where personal data lies in a text.

A detector is a pattern for candidates and a measure that says how much of a candidate is real. Every pattern starts
at a boundary and is bounded in length or linear, so a long text costs linear time.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Detector:
    """Finds one kind of data.

    Attributes:
        name: what masks and counts call it.
        pattern: candidates.
        measure: length of the real part at the start of a candidate, 0 for none.
    """

    name: str
    pattern: re.Pattern[str]
    measure: Callable[[str], int] = len

    def find(self, text: str) -> Iterator[tuple[int, int]]:
        """Start and end of each find, left to right."""
        position = 0
        while match := self.pattern.search(text, position):
            length = self.measure(match.group())
            if length:
                yield match.start(), match.start() + length
            # A candidate that starts too early may hide a real one that starts inside it.
            position = match.start() + max(length, 1)


def spans(text: str, detectors: Sequence[Detector]) -> list[tuple[int, int, str]]:
    """Start, end and name of everything found; finds that overlap are one, named by the earliest detector."""
    found = sorted((start, end, rank) for rank, detector in enumerate(detectors) for start, end in detector.find(text))
    merged: list[tuple[int, int, int]] = []
    for start, end, rank in found:
        if merged and start < merged[-1][1]:
            first, last, best = merged[-1]
            merged[-1] = (first, max(last, end), min(best, rank))
        else:
            merged.append((start, end, rank))
    return [(start, end, detectors[rank].name) for start, end, rank in merged]


def luhn(digits: str) -> bool:
    """Whether the check digit of a card number is right."""
    total = 0
    for i, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + i % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def iban_valid(iban: str) -> bool:
    """Whether the check digits of an IBAN without spaces are right."""
    turned = iban[4:] + iban[:4]
    return int("".join(str(int(c, 36)) for c in turned)) % 97 == 1


def _card(candidate: str) -> int:
    for end in _group_ends(candidate):
        digits = re.sub(r"\D", "", candidate[:end])
        if 13 <= len(digits) <= 19 and luhn(digits):
            return end
    return 0


def _iban(candidate: str) -> int:
    for end in _group_ends(candidate):
        compact = candidate[:end].replace(" ", "")
        if 15 <= len(compact) <= 34 and iban_valid(compact):
            return end
    return 0


def _group_ends(candidate: str) -> Iterator[int]:
    """Ends of ever fewer of the candidate's groups, the whole first."""
    yield len(candidate)
    for i in range(len(candidate) - 1, 0, -1):
        if candidate[i] in " -":
            yield i


def _ip(candidate: str) -> int:
    for address in (candidate, candidate.rstrip("."), candidate.rstrip(".:")):
        try:
            ipaddress.ip_address(address)
        except ValueError:
            continue
        return len(address) if any(c.isalnum() for c in address) else 0  # "::" alone is more often punctuation
    return 0


_DATE: Final = re.compile(r"\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d{2})(?!\d)")


def _phone(candidate: str) -> int:
    count = sum(c.isdigit() for c in candidate)
    return 0 if _DATE.match(candidate) or not 8 <= count <= 15 else len(candidate)


_SEP: Final = r"[ .\-/]?"
_PHONE: Final = re.compile(
    r"(?<![\w.+])(?:"
    rf"(?:\+|00)[1-9](?:{_SEP}\(?\d\)?){{6,14}}"  # +49 (0)171 1234567
    rf"|\(?0\d{{1,5}}\)?(?:{_SEP}\d){{6,10}}"  # 030 1234567, 01 23 45 67 89
    r"|(?:1[ .\-])?(?:\([2-9]\d\d\)[ ]?|[2-9]\d\d[ .\-])[2-9]\d\d[ .\-]\d{4}"  # (415) 555-0132
    r")(?!\w)",
    re.ASCII,
)
_IP: Final = re.compile(
    r"(?<![\w.])(?:\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)|[\da-f:]{0,39}:[\da-f:.]{0,45}(?!\w))",
    re.ASCII | re.IGNORECASE,
)

DETECTORS: Final[dict[str, Detector]] = {
    detector.name: detector
    for detector in (
        Detector("email", re.compile(r"(?<![\w.+%\-])[\w.+%\-]+@[\w\-]+(?:\.[\w\-]+)+")),
        Detector("iban", re.compile(r"(?<!\w)[A-Z]{2}\d\d(?: ?[A-Z\d]){11,30}(?!\w)", re.ASCII | re.IGNORECASE), _iban),
        Detector("card", re.compile(r"(?<!\w)[2-6]\d{3}(?:[ \-]?\d){9,15}(?!\w)", re.ASCII), _card),
        Detector("ip", _IP, _ip),
        Detector("phone", _PHONE, _phone),
    )
}
