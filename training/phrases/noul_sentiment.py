"""Concepts of praise and blame. Those of a pair are asked of the same texts; neutral texts are neither."""

from __future__ import annotations

from typing import Final

from training.write.noul_ask import Concept

REVIEWER: Final = ("the reviewer", "the customer", "the author", "the writer", "the buyer", "the user", "the person")
REVIEW: Final = ("the review", "the text", "the comment", "this review", "the feedback", "the sentence", "this", "it")

POSITIVE: Final = (
    Concept(
        "positive",
        be=("positive", "positive in tone", "favourable", "a positive comment", "positive feedback",
            "good news for the maker"),
        clauses=(
            "{T} ~express a positive opinion", "{T} ~have a positive sentiment", "the sentiment of {T} = positive",
            "{T} ~say something good", "the tone of {T} = positive", "the overall sentiment = positive",
                "{T} ~speak well of it",
            "{T} ~show a positive attitude", "{T} ~cast a good light on it",
        ),
        yes=("great, love it, works well, excellent", "a positive opinion", "good", "praise and satisfaction",
            "positive"),
        no=("bad, broken, a waste of money", "criticism or a plain fact", "not good", "negative or neutral"),
        text=REVIEW, author=REVIEWER,
        foreign={
            "de": (("Ist der Text positiv?", "Der Text ist positiv.", "Drückt der Text Zufriedenheit aus?"),
                ("Der Text ist nicht positiv.", "Ist der Text nicht positiv?")),
            "fr": (("Le texte est-il positif ?", "Le texte exprime une opinion positive."),
                ("Le texte n'est pas positif.", "Le texte n'exprime pas d'opinion positive.")),
            "es": (("¿Es positivo el texto?", "El texto expresa una opinión positiva."), ("El texto no es positivo.",
                "El texto no expresa una opinión positiva.")),
            "ko": (("긍정적인 글인가요?", "이 글은 긍정적이다.", "글쓴이는 만족하고 있다."),
                ("이 글은 긍정적이지 않다.", "글쓴이는 만족하지 않는다.")),
            "id": (("Apakah teks ini positif?", "Teks ini bernada positif."), ("Teks ini tidak positif.",
                "Teks ini bukan ulasan positif.")),
            "he": (("האם הטקסט חיובי?", "הטקסט חיובי."), ("הטקסט אינו חיובי.",)),
            "th": (("ข้อความนี้เป็นเชิงบวกหรือไม่", "ข้อความนี้เป็นเชิงบวก"), ("ข้อความนี้ไม่ใช่เชิงบวก",)),
            "it": (("Il testo è positivo?", "Il testo esprime un sentimento positivo."), ("Il testo non è positivo.",
                "Il testo non è positivo?")),
            "pt": (("O texto é positivo?", "O texto expressa um sentimento positivo."), ("O texto não é positivo.",)),
            "nl": (("Is de tekst positief?", "De tekst is positief."), ("De tekst is niet positief.",
                "Is de tekst niet positief?")),
            "pl": (("Czy tekst jest pozytywny?", "Tekst jest pozytywny."), ("Tekst nie jest pozytywny.",)),
            "ru": (("Текст положительный?", "Текст выражает положительные эмоции."), ("Текст не положительный.",
                "Текст не выражает положительных эмоций.")),
            "tr": (("Metin olumlu mu?", "Metin olumlu."), ("Metin olumlu değil.",)),
            "ar": (("هل النص إيجابي؟", "النص إيجابي."), ("النص ليس إيجابياً.",)),
            "da": (("Er teksten positiv?", "Teksten er positiv."), ("Teksten er ikke positiv.",)),
        },
    ),
    Concept(
        "satisfied",
        be=("from a satisfied customer", "written by somebody who is pleased"),
        clauses=(
            "{A} = satisfied", "{A} = happy with it", "{A} = pleased", "{A} ~express satisfaction",
                "{A} ~sound content",
            "{A} ~like what is described", "{A} = glad about it", "{T} ~express satisfaction", "{A} ~enjoy it",
                "the customer = happy",
        ),
        yes=("a happy customer", "satisfied: I like it, works great", "pleased with it", "satisfied", "happy"),
        no=("an unhappy customer or no opinion", "disappointed, annoyed", "dissatisfied", "not pleased"),
        text=REVIEW, author=REVIEWER,
    ),
    Concept(
        "recommends",
        be=("a recommendation", "an endorsement", "a thumbs up"),
        clauses=(
            "{A} ~recommend it", "{A} =would recommend it", "{T} ~recommend what it describes",
                "{A} ~advise others to get it",
            "{A} =would give it a high rating", "{T} ~speak in favour of buying it", "{A} =would rate it well",
        ),
        yes=("recommended, you should get one", "a reason to buy", "four or five stars", "recommend"),
        no=("avoid it, do not buy", "a reason against buying", "one star", "not recommended"),
        text=REVIEW, author=REVIEWER,
    ),
    Concept(
        "praise",
        be=("praise", "a compliment", "praise for the product", "approving", "admiring", "complimentary"),
        clauses=(
            "{A} ~praise something", "{T} ~contain praise", "{T} ~name an advantage", "{T} ~name a strength",
                "{A} ~approve of it",
            "{T} ~point out something good", "{T} ~list a benefit", "there = praise in the text", "{A} ~compliment it",
        ),
        yes=("a compliment", "an advantage", "a strength or benefit", "pro", "what is good about it", "praise"),
        no=("a complaint", "a drawback", "con", "what is bad about it", "no praise"),
        text=REVIEW, author=REVIEWER,
    ),
    Concept(
        "good",
        be=("good", "a good review", "saying that it is good", "favourable to it"),
        clauses=(
            "{A} ~think that it is good", "{T} ~say that it is good", "it =was a good experience",
                "the experience =was good",
            "{A} ~consider it worth the money", "{A} ~find it good", "{A} ~have a good opinion of it",
                "things =went well",
        ),
        yes=("good", "a good experience", "thumbs up", "it was great"), no=("bad", "a bad experience", "thumbs down",
            "it was poor"),
        text=REVIEW, author=REVIEWER,
    ),
)  # fmt: skip
NEGATIVE: Final = (
    Concept(
        "negative",
        be=("negative", "negative in tone", "unfavourable", "a negative comment", "negative feedback", "critical"),
        clauses=(
            "{T} ~express a negative opinion", "{T} ~have a negative sentiment", "the sentiment of {T} = negative",
            "{T} ~say something bad", "the tone of {T} = negative", "the overall sentiment = negative",
                "{T} ~speak badly of it",
            "{T} ~show a negative attitude", "{T} ~criticise something",
        ),
        yes=("bad, broken, a waste of money", "a negative opinion", "bad", "criticism and frustration", "negative"),
        no=("great, love it, works well", "praise or a plain fact", "not bad", "positive or neutral"),
        text=REVIEW, author=REVIEWER,
        foreign={
            "de": (("Ist der Text negativ?", "Der Text ist negativ.", "Wird etwas kritisiert?"),
                ("Der Text ist nicht negativ.", "Ist der Text nicht negativ?")),
            "fr": (("Le texte est-il négatif ?", "Le texte exprime une opinion négative."),
                ("Le texte n'est pas négatif.",)),
            "es": (("¿Es negativo el texto?", "El texto expresa una opinión negativa."), ("El texto no es negativo.",)),
            "ko": (("부정적인 글인가요?", "이 글은 부정적이다.", "글쓴이는 불만이 있다."),
                ("이 글은 부정적이지 않다.", "글쓴이는 불만이 없다.")),
            "id": (("Apakah teks ini negatif?", "Teks ini bernada negatif."), ("Teks ini tidak negatif.",
                "Teks ini bukan keluhan.")),
            "he": (("האם הטקסט שלילי?", "הטקסט שלילי."), ("הטקסט אינו שלילי.",)),
            "th": (("ข้อความนี้เป็นเชิงลบหรือไม่", "ข้อความนี้เป็นเชิงลบ"), ("ข้อความนี้ไม่ใช่เชิงลบ",)),
            "it": (("Il testo è negativo?", "Il testo esprime un sentimento negativo."), ("Il testo non è negativo.",
                "Il testo non è negativo?")),
            "pt": (("O texto é negativo?", "O texto expressa um sentimento negativo."), ("O texto não é negativo.",)),
            "nl": (("Is de tekst negatief?", "De tekst is negatief."), ("De tekst is niet negatief.",
                "Is de tekst niet negatief?")),
            "pl": (("Czy tekst jest negatywny?", "Tekst jest negatywny."), ("Tekst nie jest negatywny.",)),
            "ru": (("Текст отрицательный?", "Текст выражает отрицательные эмоции."), ("Текст не отрицательный.",
                "Текст не выражает отрицательных эмоций.")),
            "tr": (("Metin olumsuz mu?", "Metin olumsuz."), ("Metin olumsuz değil.",)),
            "ar": (("هل النص سلبي؟", "النص سلبي."), ("النص ليس سلبياً.",)),
            "da": (("Er teksten negativ?", "Teksten er negativ."), ("Teksten er ikke negativ.",)),
        },
    ),
    Concept(
        "dissatisfied",
        be=("from an unhappy customer", "written by somebody who is displeased"),
        clauses=(
            "{A} = dissatisfied", "{A} = unhappy with it", "{A} = displeased", "{A} ~express dissatisfaction",
                "{A} = disappointed",
            "{A} ~dislike what is described", "{A} = annoyed about it", "{T} ~express disappointment",
                "the customer = unhappy",
            "{A} ~regret buying it", "{A} ~sound frustrated",
        ),
        yes=("an unhappy customer", "disappointed, annoyed", "dissatisfied", "unhappy", "displeased with it"),
        no=("a happy customer or no opinion", "satisfied: I like it", "pleased", "content"),
        text=REVIEW, author=REVIEWER,
    ),
    Concept(
        "advises_against",
        be=("a warning to other buyers", "a thumbs down", "a reason not to buy"),
        clauses=(
            "{A} ~advise against it", "{A} =would not recommend it" , "{T} ~warn others off",
                "{A} =would give it a low rating",
            "{T} ~speak against buying it", "{A} =would rate it badly",
        ),
        yes=("avoid it, do not buy", "one or two stars", "not recommended"), no=("recommended", "five stars",
            "get one"),
        text=REVIEW, author=REVIEWER,
    ),
    Concept(
        "complaint",
        be=("a complaint", "criticism", "a complaint about the product", "disapproving", "a grievance"),
        clauses=(
            "{A} ~complain about something", "{T} ~contain a complaint", "{T} ~name a drawback", "{T} ~name a weakness",
            "{A} ~disapprove of it", "{T} ~point out a problem", "{T} ~report a fault",
                "there = a complaint in the text",
            "{A} ~criticise it", "{A} ~find fault with it",
        ),
        yes=("a complaint", "a drawback", "a problem or weakness", "con", "what is bad about it", "criticism"),
        no=("a compliment", "an advantage", "pro", "what is good about it", "no complaint"),
        text=REVIEW, author=REVIEWER,
    ),
    Concept(
        "bad",
        be=("bad", "a bad review", "saying that it is bad", "hostile to it"),
        clauses=(
            "{A} ~think that it is bad", "{T} ~say that it is bad", "it =was a bad experience",
                "the experience =was bad",
            "{A} ~consider it a waste of money", "{A} ~find it poor", "{A} ~have a low opinion of it",
                "things =went badly",
        ),
        yes=("bad", "a bad experience", "thumbs down", "it was poor"), no=("good", "a good experience", "thumbs up",
            "it was great"),
        text=REVIEW, author=REVIEWER,
    ),
)  # fmt: skip
OPINION: Final = Concept(
    "opinion",
    be=("an opinion", "opinionated", "a matter of opinion", "subjective", "an evaluation", "a personal view"),
    clauses=(
        "{A} ~give an opinion", "{T} ~express an opinion", "{T} ~contain a judgement of value", "{A} ~take a position",
        "{T} ~express personal feelings", "{T} ~judge something", "{A} ~evaluate something",
    ),
    unbe=("objective", "a plain statement of fact", "neutral", "purely factual", "free of opinion", "descriptive only"),
    unclauses=("{T} ~state facts only", "{T} ~remain objective", "{A} ~report without judging", "{T} ~stay neutral"),
    yes=("an opinion or judgement", "subjective", "says what the author thinks of it", "praise or criticism"),
    no=("a fact or description", "objective", "no opinion", "neutral reporting"),
)  # fmt: skip
EMOTIONAL: Final = Concept(
    "emotional",
    be=("emotional", "full of feeling", "an expression of emotion"),
    clauses=("{T} ~express an emotion", "{A} ~show feelings", "{T} ~sound emotional", "there = an emotion in the text",
        "{A} = moved by something"),
    unbe=("neutral", "unemotional", "matter-of-fact", "without emotion"),
    unclauses=("{T} ~sound neutral", "{A} ~stay matter-of-fact", "{T} ~lack emotion"),
    yes=("an emotion is expressed", "joy, anger, fear, love ...", "emotional"), no=("neutral", "no emotion",
        "matter-of-fact"),
)  # fmt: skip
EXCITED: Final = Concept(
    "aroused",
    be=("excited", "agitated", "intense", "stirring"),
    clauses=("{T} ~sound excited", "{A} = stirred up", "{T} ~show strong feeling", "{T} ~convey intensity"),
    unbe=("calm", "relaxed", "quiet in tone", "subdued"),
    unclauses=("{T} ~sound calm", "{A} = calm", "{T} ~read as relaxed"),
    yes=("excited, intense", "strong feeling"), no=("calm, quiet", "little feeling"),
)  # fmt: skip
