"""Concepts that single sets are labelled with."""

from __future__ import annotations

from typing import Final

from training.write.noul_ask import Concept

HEADLINE: Final = ("the headline", "this headline", "the title", "the text", "it")
CLICKBAIT: Final = Concept(
    "clickbait",
    be=("clickbait", "a clickbait headline", "a teaser", "sensational", "a lure to click"),
    clauses=("{T} ~try to lure readers into clicking", "{T} ~tease the reader",
        "{T} ~arouse curiosity instead of informing", "{T} ~withhold what matters"),
    unbe=("news", "a news headline", "a report of an event", "informative"),
    unclauses=("{T} ~report news", "{T} ~tell what happened", "{T} ~come from a newspaper"),
    yes=("clickbait: quizzes, lists, you won't believe what", "lures the reader"), no=("a factual news headline",
        "news", "reports an event"),
    text=HEADLINE,
)  # fmt: skip
ASKS: Final = Concept(
    "asks_to_act",
    be=("a request to the reader", "a call to act", "a task for the reader"),
    clauses=(
        "{T} ~ask the reader to do something", "{A} ~want the reader to act", "{T} ~contain a request",
            "{A} ~expect something from the recipient",
        "the reader =should do something", "{T} ~require action", "there = a request in the text",
            "{A} ~ask for something", "{T} ~need a reply or action",
    ),
    unbe=("for information only", "a mere statement", "nothing that needs action"),
    unclauses=("{T} ~inform only", "{T} ~require no action", "the reader =can leave it at that",
        "{A} ~ask for nothing"),
    yes=("please send, could you, let me know", "asks the reader to act", "a request"), no=("for your information",
        "no request", "a statement"),
    text=("the sentence", "the email", "the message", "this sentence", "`body`", "the text"),
)  # fmt: skip
GRAMMATICAL: Final = Concept(
    "grammatical",
    be=("grammatical", "grammatically correct", "a correct English sentence", "well formed", "proper English",
        "acceptable English"),
    clauses=("{T} ~follow the rules of grammar", "{T} ~sound right to a native speaker", "the grammar of {T} = correct",
        "{T} ~make grammatical sense"),
    unbe=("ungrammatical", "grammatically wrong", "faulty English", "badly formed"),
    unclauses=("{T} ~contain a grammatical error", "{T} ~break a rule of grammar", "there = a mistake in the grammar",
        "{T} ~sound wrong to a native speaker"),
    yes=("correct grammar", "grammatical"), no=("a grammatical error", "ungrammatical"),
    text=("the sentence", "this sentence", "the text", "it"),
)  # fmt: skip
SELF_CORRECTED: Final = Concept(
    "self_corrected",
    be=("self-corrected", "disfluent", "corrected half way"),
    clauses=("{A} ~correct themselves", "{A} ~change their mind in mid-sentence",
        "{T} ~contain a slip and its correction", "{A} ~start over", "{A} ~take back a word"),
    unbe=("fluent", "free of corrections", "asked without hesitation"),
    unclauses=("{A} ~ask without a slip", "{T} ~run smoothly"),
    yes=("no wait, I mean, sorry", "a self-correction"), no=("fluent", "no correction"),
    text=("the question", "the utterance", "the text", "this question"),
)  # fmt: skip
WELL_FORMED: Final = Concept(
    "well_formed_question",
    be=("a well-formed question", "a proper question", "a complete question", "correctly worded"),
    clauses=("{T} ~form a complete question", "{A} ~ask a well-formed question", "{T} ~read like a proper question"),
    unbe=("a badly formed query", "a scrap of a question", "poorly worded", "incomplete"),
    unclauses=("{T} ~read like search keywords", "the wording of {T} = faulty", "{T} ~need rewording"),
    yes=("a grammatical, complete question", "well formed"), no=("keywords or broken wording", "badly formed"),
    text=("the query", "the question", "this query", "the text"),
)  # fmt: skip
COMPARES: Final = Concept(
    "comparison",
    be=("a comparison", "comparative"),
    clauses=(
        "{T} ~compare two things", "{T} ~contain a comparison", "{A} ~compare something with something else",
            "there = a comparison in the text",
        "{T} ~say that one thing is more or less than another, or the same", "{T} ~set one thing against another",
    ),
    yes=("better than, as good as, the best", "compares things"), no=("no comparison", "describes one thing only"),
    text=("the sentence", "the text", "this sentence", "the review", "it"),
)  # fmt: skip
SUPERLATIVE: Final = Concept(
    "superlative",
    be=("a superlative statement",),
    clauses=("{T} ~use a superlative", "{T} ~call something the best, worst or most of all",
        "{T} ~rank something first or last"),
    yes=("the best, the worst, the most", "superlative"), no=("no superlative", "no ranking"),
    text=("the sentence", "the text", "this sentence"),
)  # fmt: skip
THAI_QUESTION: Final = Concept(
    "is_question",
    be=("a question", "an enquiry", "asking something"),
    clauses=("{A} ~ask a question", "{A} ~want to know something", "{T} ~ask for information",
        "{A} ~enquire about something"),
    yes=("a question", "asks for information"), no=("a statement", "no question", "an opinion"),
    foreign={"th": (("นี่คือคำถามหรือไม่", "ข้อความนี้เป็นคำถาม"), ("ข้อความนี้ไม่ใช่คำถาม",))},
)  # fmt: skip
PRODUCTS: Final = {
    "camera": ("Canon G3", "Nikon coolpix 4300", "Canon S100", "Canon PowerShot SD500"),
    "mobile phone": ("Nokia 6610", "Nokia 6600"),
    "music player": ("Creative Labs Nomad Jukebox Zen Xtra 40GB", "MicroMP3", "ipod"),
    "DVD player": ("Apex AD2600 Progressive scan DVD player",),
    "network router": ("Linksys Router", "Hitachi router"),
    "security software": ("norton",),
    "nappy bin": ("Diaper Champ",),
}  # fmt: skip
PRODUCT_WORDS: Final = {
    "camera": ("camera", "picture", "photo", "lens", "flash", "zoom", "shot"),
    "mobile phone": ("phone", "nokia", "ringtone", "sms"),
    "music player": ("mp3", "ipod", "zen", "music", "song", "jukebox", "headphone"),
    "DVD player": ("dvd", "disc", "movie"),
    "network router": ("router", "linksys", "wireless", "network", "wifi"),
    "security software": ("norton", "virus", "firewall", "antivirus"),
    "nappy bin": ("diaper", "pail", "champ", "genie"),
}  # fmt: skip
GENRES: Final = {
    "biomed": ("a biomedical article", "from a medical or biological paper", "scientific", "about biology or medicine"),
    "bible": ("from the Bible", "scripture", "religious", "a verse of the Bible"),
    "europarl": ("from a parliamentary debate", "political", "a speech in the European Parliament",
        "about European politics"),
}  # fmt: skip
TOPICS: Final = {
    "evolution vs creation": ("evolution and creation", "the origin of life and species"),
    "tv is better than books": ("television and books", "whether TV is better than reading"),
    "ban plastic water bottles": ("plastic bottles", "banning plastic water bottles", "the environment and waste"),
    "is the school uniform a good or bad idea": ("school uniforms", "what pupils wear to school"),
    "gay marriage right or wrong": ("gay marriage", "same-sex marriage"),
    "christianity or atheism": ("Christianity and atheism", "belief in God"),
    "firefox vs internet explorer": ("web browsers", "Firefox and Internet Explorer", "software"),
    "pro choice vs pro life": ("abortion", "the right to an abortion"),
    "should physical education be mandatory in schools": ("physical education", "sport lessons at school"),
    "is porn wrong": ("pornography", "whether pornography is wrong"),
    "india has the potential to lead the world": ("India", "India's place in the world"),
    "human growth and development should parents use spanking as an option to discipline": ("spanking children",
        "how parents discipline children"),
    "is it better to have a lousy father or to be fatherless": ("fathers", "having a bad father or none"),
    "personal pursuit or advancing the common good": ("the common good and personal goals",
        "selfishness or helping others"),
}  # fmt: skip
TRAITS: Final = {
    "Age": ("the age of people", "young and old people"),
    "Nationality": ("where people come from", "nationality"),
    "Physical_appearance": ("what people look like", "physical appearance"),
    "Disability_status": ("disabled people", "a disability"),
    "Religion": ("religion", "the faith of people"),
    "Sexual_orientation": ("sexual orientation", "gay, straight or bisexual people"),
}
ARGUMENT: Final = Concept(
    "argument",
    be=("an argument in a debate", "argumentative", "a stance on a controversial question", "an attempt to convince"),
    clauses=("{A} ~argue for a position", "{T} ~try to convince the reader", "{A} ~take a side in a debate",
        "{T} ~defend an opinion"),
    yes=("argues for or against something", "takes a side"), no=("takes no side", "information or a request"),
)  # fmt: skip
