"""Build `src/laya/language/words_en.txt`, the vocabulary that tells English words from foreign ones.

    python tools/build_language_words.py ../shared/data CATALOGUES

`CATALOGUES` is a folder with an unpacked Django wheel: its translations are the second source of foreign words.
A word is kept when it occurs often enough, in two sources at least, and mostly in lower case (so that names drop
out). It is marked with `~` when some other language uses it too: such a word does not speak for English.
"""

from __future__ import annotations

import gettext
import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OUT = Path(__file__).parents[1] / "src/laya/language/words_en.txt"
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
ENGLISH = {  # source: language wanted in its rows, None where all are English
    "goemotions": None,
    "permissive/toxic_spans": None,
    "permissive/email_intent": None,
    "permissive/botframework_intents": "en",
    "permissive/rasa_bots": None,
    "permissive/condaqa": None,
    "permissive/strategyqa": None,
    "permissive/pubmedqa": None,
}
FOREIGN = (
    "permissive/xed_emotions",
    "permissive/home_assistant",
    "permissive/multilingual_hatecheck",
    "permissive/botframework_intents",
    "permissive/germeval2018_de",
    "permissive/lcc_sentiment_da",
)
CODES = {
    **{"polish": "pl", "spanish": "es", "portuguese": "pt", "italian": "it", "german": "de", "french": "fr"},
    **{"dutch": "nl", "nb": "no", "nn": "no", "de-CH": "de", "sr-Latn": "hr"},
}
LATIN = set("af ca cs cy da de es et eu fi fr ga gl hr hu id is it lt lv ms nl no pl pt ro sk sl sq sv sw tr vi".split())
# what people type to a help desk and the sources above hardly hold
EXTRA = """
asap checkout checkouts chargeback cancelled cancelling cancellation dm faq fyi invoice invoiced invoices lgtm login
logins logout logged kinda laggy lockout locked outage outages paypal pls plz proration refund refunded refunding
refunds reinstall reset resets resetting resend resent rebook reimburse reimbursed reimbursement screenshot
screenshots signup shipped shipping subscription subscriptions subscribe subscribed tbh thanks thankyou thx tracking
undelivered unlock unlocked unsubscribe upgrade upgraded username usernames voucher vouchers wifi wi fi wont cant
warranty webhook webhooks timeout timeouts timed hotspot router routers firmware dropdown popup freezes frozen glitch
glitchy overcharged undercharged mischarged receipt receipts courier parcel parcels tracked misdelivered helpdesk
café cafés fiancé fiancée naïve résumé résumés
biweekly prepaid postpaid autopay billing billed bill charged charging payout payouts hello hi hey howdy greetings
""".split()
HOMOGRAPH = "al an café cafés das de den der des di die du e el en es et fi i il in la las le les los me mi no o se si te tu un via wi y".split()
MIN_COUNT, MIN_SOURCES, SHARED = 8, 2, 0.08


def rows(data: Path, source: str) -> Iterator[dict[str, str]]:
    """The rows of one data set."""
    with gzip.open(data / f"{source}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def words(text: str) -> list[str]:
    """The words of a text as written, with plain apostrophes."""
    return [word.replace("’", "'") for word in WORD.findall(text)]


def english_words(data: Path) -> tuple[Counter[str], set[str]]:
    """Counts of lower-cased words in all English sources, and the words worth keeping."""
    counts: Counter[str] = Counter()
    lower: Counter[str] = Counter()
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for source, language in ENGLISH.items():
        texts = {row.get("text", "") for row in rows(data, source) if language in (None, row.get("lang"))}
        for word in (word for text in texts for word in words(text)):
            counts[word.lower()] += 1
            sources[word.lower()].add(source)
            lower[word.lower()] += word.islower()
    kept = {
        word
        for word, count in counts.items()
        if count >= MIN_COUNT and len(sources[word]) >= MIN_SOURCES and lower[word] * 2 >= count and word.isascii()
    }
    return counts, {word for word in kept if len(word) > 1} | {"a", "i"} | set(EXTRA)


def foreign_texts(data: Path, catalogues: Path) -> Iterator[tuple[str, str]]:
    """(language, text) of every second row of the foreign sets, and of the translations."""
    for source in FOREIGN:
        for number, row in enumerate(rows(data, source)):
            language = CODES.get(row["lang"], row["lang"]).split("-")[0]
            if language in LATIN and number % 2 == 0:
                yield language, row["text"]
    for path in sorted(catalogues.glob("**/LC_MESSAGES/*.mo")):
        folder = path.parts[-3].split("_")[0]
        language = CODES.get(folder, folder)
        if language in LATIN:
            with path.open("rb") as file:
                catalogue = gettext.GNUTranslations(file)
            for key, text in catalogue._catalog.items():  # type: ignore[attr-defined]  # noqa: SLF001 -- no public iterator exists
                if text != key and "\n" not in text:
                    yield language, text


def shared_words(data: Path, catalogues: Path, counts: Counter[str], kept: set[str]) -> set[str]:
    """The kept words that another language uses about as often as English does."""
    foreign: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for language, text in foreign_texts(data, catalogues):
        foreign[language].update(word.lower() for word in words(text))
    total = counts.total()
    shared = set(HOMOGRAPH)
    for seen in foreign.values():
        size = seen.total()
        shared |= {w for w in kept if seen[w] > 1 and seen[w] / size > SHARED * (counts[w] + 1) / total}
    return shared


def main() -> None:
    """Write the list."""
    data, catalogues = Path(sys.argv[1]), Path(sys.argv[2])
    counts, kept = english_words(data)
    shared = shared_words(data, catalogues, counts, kept)
    head = "# Common English words; ~ marks those that another language uses too. Made by tools/build_language_words.py.\n"
    OUT.write_text(head + "".join(f"{w}{'~' * (w in shared)}\n" for w in sorted(kept)), encoding="utf-8")
    print(len(kept), "words,", len(kept & shared), "shared,", OUT.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
