# ruff: noqa: SIM905 -- word lists read better as running text
"""Build the word lists of `src/laya/language`: common English words, and foreign words that give a language away.

    python tools/build_language_words.py ../shared/data CATALOGUES

`CATALOGUES` is a folder with an unpacked Django wheel: its translations are the second source of foreign words.
`words_foreign.txt` holds the most frequent words of each language that are not on the English list.
`words_en.txt`: a word is kept when it occurs often enough, in two sources at least, and mostly not as a name (a
capitalised word inside a sentence). It is marked with `~` when some other language uses it too: such a word does not
speak for English.
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

OUT = Path(__file__).parents[1] / "src/laya/language"
WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*")
NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z'\u2019]+")
"""A capitalised word inside a sentence."""
PLACEHOLDER = re.compile(r"\[\w+\]|<\w+>")
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
CODES = dict(
    pair.split(":")
    for pair in (
        "polish:pl spanish:es portuguese:pt italian:it german:de french:fr dutch:nl nb:no nn:no de-CH:de sr-Latn:hr"
    ).split()
)
LATIN = set(
    "af ca cs cy da de es et eu fi fr ga gl hr hu id is it lt lv ms nl no pl pt ro sk sl sq sv sw tr vi".split()
)
# what people type to a help desk and the sources above hardly hold
EXTRA = """
asap checkout checkouts chargeback cancelled cancelling cancellation dm faq fyi invoice invoiced invoices lgtm login
logins logout logged kinda laggy lockout locked outage outages paypal pls plz proration refund refunded refunding
refunds reinstall reset resets resetting resend resent rebook reimburse reimbursed reimbursement screenshot
screenshots signup shipped shipping subscription subscriptions subscribe subscribed tbh thanks thankyou thx tracking
undelivered unlock unlocked unpause unsubscribe upgrade upgraded username usernames voucher vouchers wifi wi fi wont
cant warranty webhook webhooks timeout timeouts timed hotspot router routers firmware dropdown popup freezes frozen
glitch glitchy overcharged undercharged mischarged receipt receipts courier parcel parcels tracked misdelivered helpdesk
café cafés carte facto fiancé fiancée hoc jour naïve versa résumé résumés
biweekly prepaid postpaid autopay billing billed bill charged charging payout payouts hello hi hey howdy greetings
monday tuesday wednesday thursday friday saturday sunday january february march june july august september october
november december english german french spanish italian portuguese dutch polish russian chinese japanese korean
turkish swedish danish norwegian finnish greek czech hungarian romanian american british canadian european
mr mrs ms dr mute unmute timer timers caller autofocus printer printers inexpensive flimsy website websites
""".split()
# foreign words that English texts quote, and that the counts above let through
NOT_ENGLISH = set(
    """
af al aus auf bei bi cha con da das de del dem den der des di du een el en er es et fi fil fin hij ich il ja je jest
kai la las le les lo los mana mas med mit mon nada nay nom ni och oder ole ou par por pour que san sans se si sur tan
te ter thay toi tu un una une van von vi vis wat wir ya yang yo y har ima hon kun som att jag nej nein oui si sin
""".split()
)
SHARED_ANYWAY = set(
    "ad café cafés carte die facto hoc jour versa fiancé fiancée hay i me mi naïve via résumé résumés".split()
)
# languages that people write in Latin letters and mix with English, and that the data above lack
ROMANISED = """
aap abhi accha acha aur bahut bhai bhi bolo chahiye chal dena diya didi gaya gayi gaye haan hai hain hoga hogaya hona
hota hua hui iska jaldi kab kaha kahan kaise kar karna karo karu karke kaun ki kisi kitna koi kripya kuch kya kyu
kyun liya lekin mera mere meri mein mujhe mujhko nahi nahin paisa paise pehle raha rahi rahe sakta sakte tha theek
thik tum tumhara wala wapas wapis woh yaar yahan yeh ako ang ano ba bakit hindi ito kasi kayo lang mga naman ng niyo
paano para po salamat sana sa sino wala yung esto eso pero porfa porque gracias hola ahora nomas ayuda mañana inshallah
wallah habibi yalla shukran mafi keda ana enta leh msh mesh tafadal saya tidak bisa tolong belum sudah pakai dong
banget gimana kenapa terima kasih
""".split()
MIN_COUNT, MIN_SOURCES = 4, 2
TOP, MIN_FOREIGN = 150, 4
"""How many words of each language are kept, and how often they must occur."""
SHARED, SHORT, SHARED_SHORT = 0.3, 3, 0.1
"""How often, against English, another language may use a word before it is marked; short words are marked sooner."""


def rows(data: Path, source: str) -> Iterator[dict[str, str]]:
    """The rows of one data set."""
    with gzip.open(data / f"{source}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def words(text: str) -> list[str]:
    """The words of a text as written, with plain apostrophes."""
    return [word.replace("\u2019", "'") for word in WORD.findall(text)]


def english_words(data: Path) -> tuple[Counter[str], set[str]]:
    """Counts of lower-cased words in all English sources, and the words worth keeping."""
    counts: Counter[str] = Counter()
    names: Counter[str] = Counter()
    sources: defaultdict[str, set[str]] = defaultdict(set)
    for source, language in ENGLISH.items():
        texts = {row.get("text", "") for row in rows(data, source) if language in (None, row.get("lang"))}
        for text in texts:
            inside = Counter(word.replace("\u2019", "'").lower() for word in NAME.findall(text))
            names.update(inside)
            for word in words(PLACEHOLDER.sub(" ", text)):
                counts[word.lower()] += 1
                sources[word.lower()].add(source)
    kept = {
        word
        for word, count in counts.items()
        if count >= MIN_COUNT and len(sources[word]) >= MIN_SOURCES and names[word] * 2 <= count and word.isascii()
    }
    return counts, {word for word in kept if len(word) > 1} | {"a", "i"} | set(EXTRA)


def catalogue_texts(catalogues: Path) -> Iterator[tuple[str, str, str]]:
    """(language, English text, translation) of the message catalogues of languages in Latin script."""
    for path in sorted(catalogues.glob("**/LC_MESSAGES/*.mo")):
        folder = path.parts[-3].split("_")[0]
        language = CODES.get(folder, folder)
        if language in LATIN:
            with path.open("rb") as file:
                catalogue = gettext.GNUTranslations(file)
            for key, text in catalogue._catalog.items():  # type: ignore[attr-defined]  # noqa: SLF001 -- no public iterator exists
                english = (key if isinstance(key, str) else key[0]).rpartition("\x04")[2]
                if text not in {key, english} and english and "\n" not in text:
                    yield language, english, text


def data_texts(data: Path) -> Iterator[tuple[str, str]]:
    """(language, text) of every second row of the foreign sets, languages in Latin script."""
    for source in FOREIGN:
        for number, row in enumerate(rows(data, source)):
            language = CODES.get(row["lang"], row["lang"]).split("-")[0]
            if language in LATIN and number % 2 == 0:
                yield language, row["text"]


Counts = dict[str, Counter[str]]


def counts_by_language(texts: Iterator[tuple[str, str]]) -> Counts:
    """Counts of lower-cased words by language."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for language, text in texts:
        found[language].update(word.lower() for word in words(text))
    return found


def used_elsewhere(foreign: Counts, english: Counter[str]) -> dict[str, float]:
    """For each word, how often the language that uses it most does so, in terms of its frequency in English."""
    total = english.total()
    ratios: defaultdict[str, float] = defaultdict(float)
    for seen in foreign.values():
        size = seen.total()
        for word, count in seen.items():
            if count > 2:
                ratios[word] = max(ratios[word], count / size * total / (english[word] + 1))
    return ratios


def giveaways(foreign: Counts, counts: Counter[str], kept: set[str]) -> set[str]:
    """The most frequent words of each language that English texts hardly hold."""
    found = set(ROMANISED) | (NOT_ENGLISH - kept)
    for seen in foreign.values():
        own = [w for w, n in seen.most_common() if n >= MIN_FOREIGN and w not in kept and counts[w] < MIN_COUNT]
        found.update([word for word in own if len(word) > 1 and word.removesuffix("s") not in kept][:TOP])
    return found - kept


def main() -> None:
    """Write the lists."""
    data, catalogues = Path(sys.argv[1]), Path(sys.argv[2])
    counts, kept = english_words(data)
    pairs = list(catalogue_texts(catalogues))
    messages = Counter(word.lower() for text in {english for _, english, _ in pairs} for word in words(text))
    lower = Counter(word for _, english, _ in pairs for word in words(english) if word.islower() and word.isascii())
    kept |= {word for word in lower if len(word) > SHORT}
    spoken, written = counts_by_language(data_texts(data)), counts_by_language((code, text) for code, _, text in pairs)
    ratios = used_elsewhere(spoken, counts)  # each kind of text against English of its kind
    for word, ratio in used_elsewhere(written, messages).items():
        ratios[word] = max(ratios[word], ratio)
    foreign = {code: spoken.get(code, Counter()) + written.get(code, Counter()) for code in {*spoken, *written}}
    kept -= NOT_ENGLISH
    kept -= set(ROMANISED) - {"para", "ki", "lang", "po", "mein"}
    shared = {word for word in kept if ratios[word] > (SHARED_SHORT if len(word) <= SHORT else SHARED)}
    shared |= kept & SHARED_ANYWAY
    alien = giveaways(foreign, counts, kept)
    made = "Made by tools/build_language_words.py.\n"
    write("words_en.txt", f"# Common English words; ~ marks those that another language uses too. {made}", kept, shared)
    write("words_foreign.txt", f"# Frequent words of other languages in Latin script. {made}", alien, set())
    print(len(kept), "English words,", len(shared), "of them shared;", len(alien), "foreign words")


def write(name: str, head: str, lines: set[str], marked: set[str]) -> None:
    """Write one list, sorted."""
    body = "".join(f"{word}{'~' * (word in marked)}\n" for word in sorted(lines))
    (OUT / name).write_text(head + body, encoding="utf-8")


if __name__ == "__main__":
    main()
