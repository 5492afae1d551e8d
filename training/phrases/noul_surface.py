"""Concepts that a program can decide by looking at a text, and sentences that make them true."""

from __future__ import annotations

from typing import Final

from training.write.noul_ask import Concept


def mention(kind: str, one: str, many: str, about: tuple[str, ...]) -> Concept:
    """The concept that a text mentions something of a kind."""
    clauses = [
        f"{{T}} ~mention {one}",
        f"{{T}} ~refer to {one}",
        f"{{T}} ~contain a word for {one}",
        f"{many} =are mentioned in the text",
        f"{{A}} ~name {one}",
    ]
    if one.startswith(("a ", "an ")):
        clauses.append(f"there = {one} in the text")
    clauses += [f"{{T}} ~mention {other}" for other in about]
    return Concept(
        f"mentions/{kind}",
        clauses=tuple(clauses),
        unclauses=(f"{{T}} ~mention no {many}", f"{{T}} ~leave {many} out"),
        yes=(f"mentions {one}", one, many), no=(f"no {many}", f"does not mention {one}", f"nothing about {many}"),
    )  # fmt: skip


def holding(
    name: str, things: tuple[str, ...], be: tuple[str, ...] = (), more: tuple[str, ...] = (), **rest: tuple[str, ...]
) -> Concept:
    """The concept that a text contains something: noun phrases with article."""
    clauses = [
        clause
        for thing in things
        for clause in (f"{{T}} ~contain {thing}", f"{{T}} ~include {thing}", f"there = {thing} in the text")
    ]
    bare = [thing.removeprefix("an ").removeprefix("a ").removeprefix("the ") for thing in things]
    unclauses = [f"{{T}} ~contain no {thing}" for thing in bare] + [f"{{T}} = free of any {bare[0]}"]
    return Concept(
        f"has/{name}", be=be, clauses=(*clauses, *more), unclauses=tuple(unclauses),
        yes=rest.get("yes", (f"contains {things[0]}", *things)), no=rest.get("no", (f"no {bare[0]}",
            f"without {things[0]}")),
    )  # fmt: skip


HAS: Final = {
    "number": holding("number", ("a number", "a figure or number word"), more=("{T} ~mention a number",
        "{T} ~state a quantity", "a number = given in the text")),
    "digit": holding("digit", ("a digit", "digits"), more=("{T} ~have digits in it",)),
    "weekday": holding("weekday", ("a day of the week", "the name of a weekday"),
        more=("{T} ~mention a day of the week", "{T} ~name a weekday")),
    "month": holding("month", ("the name of a month", "a month"), more=("{T} ~mention a month",
        "{T} ~name a month of the year")),
    "date": holding("date", ("a date", "a calendar date"), more=("{T} ~mention a date", "{T} ~give a date",
        "{A} ~name a date")),
    "time": holding("time", ("a time of day", "a clock time"), more=("{T} ~mention a time of day",
        "{T} ~say at what hour", "{A} ~give a clock time")),
    "year": holding("year", ("a year", "a four-digit year"), more=("{T} ~mention a year",
        "{T} ~say in which year something was")),
    "money": holding("money", ("an amount of money", "a price", "a sum of money"),
        more=("{T} ~mention an amount of money", "{T} ~state a price or sum")),
    "percentage": holding("percentage", ("a percentage", "a per cent figure"), more=("{T} ~mention a percentage",
        "{T} ~give a share in per cent")),
    "url": holding("url", ("a link", "a web address", "a URL"), more=("{T} ~link to a web page",
        "{T} ~point to a website")),
    "email": holding("email", ("an email address", "a mail address"), more=("{T} ~give an email address",
        "{T} ~reveal somebody's email address")),
    "phone": holding("phone", ("a phone number", "a telephone number"), more=("{T} ~give a phone number",
        "{A} ~leave a telephone number")),
    "address": holding("address", ("a street address", "a postal address"), more=("{T} ~give a street address",
        "{T} ~say where somebody lives, with street and number")),
    "person_name": holding("person_name", ("the name of a person", "a person's name"), more=("{T} ~name a person",
        "{T} ~mention somebody by name")),
    "card": holding("card", ("a card number", "payment card details"), more=("{T} ~reveal a card number",
        "{A} ~share payment card details")),
    "password": holding("password", ("a password", "login credentials"), more=("{T} ~reveal a password",
        "{A} ~share a password or other secret", "{T} ~give away credentials")),
    "negation": holding("negation", ("a negation", "a negative word such as not, no or never"),
        more=("{T} ~use a word of negation", "something = negated in the text", "{T} ~say that something is not so")),
    "question_mark": holding("question_mark", ("a question mark",), more=("{T} ~end with a question mark",)),
    "exclamation": holding("exclamation", ("an exclamation mark",), be=("an exclamation", "exclamatory"),
        more=("{A} ~use exclamation marks",)),
    "repeated_marks": holding("repeated_marks", ("repeated punctuation",
        "several exclamation or question marks in a row"), more=("{A} ~repeat punctuation marks",)),
    "quotation": holding("quotation", ("a quotation", "words in quotation marks"), more=("{T} ~quote somebody",
        "{T} ~use quotation marks", "somebody's words =are quoted in the text")),
    "parentheses": holding("parentheses", ("a remark in brackets", "parentheses"),
        more=("{T} ~put something in brackets",)),
    "code": holding("code", ("program code", "a piece of source code", "a code snippet"),
        more=("{T} ~show program code", "part of {T} = written in a programming language")),
    "list": holding("list", ("an enumeration", "a list of things"), more=("{T} ~list several things",
        "{A} ~enumerate several items", "{T} ~name three or more things in a row")),
    "hashtag": holding("hashtag", ("a hashtag",), more=("{A} ~use a hashtag",)),
    "emoji": holding("emoji", ("an emoji", "a smiley or emoji"), more=("{A} ~use emoji",)),
    "condition": holding("condition", ("a condition", "the word if"), be=("conditional",),
        more=("{T} ~state a condition", "{T} ~say what happens if something is the case")),
    "reason": holding("reason", ("a reason", "an explanation of why"), more=("{A} ~give a reason", "{T} ~say why",
        "{T} ~name a cause", "{A} ~explain why something is so")),
    "contrast": holding("contrast", ("a contrast", "the word but"), more=("{T} ~contrast two things",
        "{A} ~qualify what was said with a but")),
    "future": holding("future", ("a statement about the future",), be=("about the future",),
        more=("{T} ~refer to the future", "{T} ~speak of something still to come", "{T} ~say what will happen")),
    "obligation": holding("obligation", ("an obligation", "a statement of what must be done"),
        more=("{T} ~say that something must be done", "{T} ~speak of a duty or need")),
    "possibility": holding("possibility", ("a possibility", "the word maybe or might"), be=("tentative", "uncertain"),
        more=("{A} ~hedge", "{T} ~express uncertainty", "{A} = unsure about something")),
    "please": holding("please", ("the word please",), more=("{A} ~say please",)),
    "thanks": holding("thanks", ("a word of thanks", "thanks"), more=("{A} ~thank somebody", "{A} ~say thank you")),
    "greeting": holding("greeting", ("a greeting", "a hello"), more=("{A} ~greet somebody",
        "{T} ~open with a greeting")),
    "first_person": Concept("has/first_person", be=("written in the first person", "about the author"),
        clauses=("{A} ~speak of themselves", "{T} ~use the first person", "{A} ~use the word I, me, my, we or our",
        "{A} ~refer to themselves"), unclauses=("{T} ~avoid the first person", "{A} ~leave themselves out"),
        yes=("I, me, my, we", "first person"), no=("no first person", "about others only")),
    "second_person": Concept("has/second_person", be=("addressed to the reader", "written in the second person"),
        clauses=("{T} ~address somebody as you", "{T} ~use the word you", "{A} ~speak to somebody directly"),
        unclauses=("{T} ~address nobody", "{T} ~avoid the word you"), yes=("you, your", "addresses somebody"),
        no=("addresses nobody", "no you")),
    "past": Concept("has/past", be=("about the past", "in the past tense", "about something that is over"),
        clauses=("{T} ~speak of the past", "{T} ~use the past tense", "{T} ~tell what happened",
        "{T} ~describe a past event"), unbe=("in the present tense", "about the present"),
        unclauses=("{T} ~speak of the present", "{T} ~use the present tense"), yes=("past tense: was, did, went",
        "something that happened"), no=("present tense: is, are, does", "something that is so now")),
    "question": Concept("has/question", be=("a question", "an interrogative sentence", "an enquiry"),
        clauses=("{A} ~ask something", "{T} ~ask a question", "{A} ~want to know something", "{T} ~end in a question"),
        unbe=("a statement", "a declarative sentence", "a plain statement"), unclauses=("{T} ~state something",
        "{T} ~ask nothing", "{A} ~make a statement"), yes=("a question", "asks something"), no=("a statement",
        "asks nothing", "a declarative sentence")),
    "command": Concept("has/command", be=("a command", "an order or request", "an instruction", "in the imperative"),
        clauses=("{A} ~tell somebody to do something", "{T} ~give a command", "{T} ~ask for something to be done",
        "{A} ~want something done"), unbe=("not a request", "a mere statement or question of fact"),
        yes=("do this, set that, please send", "a command"), no=("no command", "a fact")),
    "several_sentences": Concept("has/several_sentences", be=("more than one sentence long",
        "made up of several sentences"), clauses=("{T} ~consist of several sentences",
        "{T} ~have more than one sentence", "there =are two or more sentences"), unbe=("a single sentence",
        "one sentence long"), unclauses=("{T} ~consist of one sentence", "{T} ~have only one sentence"),
        yes=("two or more sentences",), no=("one sentence",)),
    "capitals": Concept("has/capitals", be=("in capital letters", "written in upper case", "all caps", "shouted"),
        clauses=("{T} ~use capital letters only", "{A} ~write in capitals", "{A} ~shout"), unbe=("in normal case",
        "in ordinary letters"), yes=("ALL CAPITALS",), no=("ordinary letters",)),
    "lower": Concept("has/lower", be=("in lower case throughout", "without any capital letter"),
        clauses=("{T} ~use small letters only", "{A} ~avoid capital letters"), unclauses=("{T} ~use capital letters",
        "{T} ~have at least one capital letter"), yes=("small letters only",), no=("has capital letters",)),
    "short": Concept("has/short", be=("short", "brief", "only a few words long"),
        clauses=("{T} ~consist of a few words", "{A} = brief"), unbe=("long", "lengthy", "more than a few words long"),
        unclauses=("{T} ~run long", "{T} ~take many words"), yes=("a few words", "short"), no=("many words", "long")),
    "counterfactual": Concept("has/counterfactual", be=("counterfactual",
        "about something that did not happen or is not so", "a what-if", "hypothetical"),
        clauses=("{T} ~describe an unreal situation", "{A} ~imagine that things were otherwise",
        "{T} ~wish for something that is not so", "{T} ~tell what would have been",
        "{A} ~express a wish or regret about what is not the case"), unclauses=("{T} ~tell what is or was really so",),
        unbe=("about real events and facts only",), yes=("I wish it had, it would have been better if",
        "not real, only imagined"), no=("tells what is or was so", "no wish and no what-if")),
    "comparative": Concept("has/comparative", be=("comparative", "a comparison"), clauses=("{T} ~compare two things",
        "{T} ~say that one thing is more or less than another", "{T} ~contain a comparison"),
        yes=("more than, better than", "compares"), no=("no comparison",)),
}  # fmt: skip

PLANTS: Final = {
    "phone": ("Call me on {phone}.", "My number is {phone}.", "You can ring {phone}.", "Tel. {phone}",
        "Reach us under {phone}."),
    "email": ("Write to {mail}.", "My address is {mail}.", "Contact: {mail}", "Send it to {mail}, please.",
        "cc {mail}"),
    "url": ("See {url}.", "More at {url}", "The page is {url}.", "{url}", "Details are on {url}."),
    "address": ("I live at {street}.", "Deliver it to {street}.", "Our office is at {street}.", "Address: {street}"),
    "card": ("My card number is {card}.", "Charge {card}, valid until {expiry}.", "Card: {card} CVC {cvc}",
        "Please use {card}."),
    "password": ("The password is {secret}.", "login: {user}, password: {secret}", "Use {secret} as the password.",
        "My PIN is {pin}.", "API key: {key}", "export TOKEN={key}"),
    "money": ("It was {money}.", "The price is {money}.", "That makes {money} in all.", "We paid {money} for it.",
        "The invoice says {money}."),
    "percentage": ("That is {percent}.", "It rose by {percent}.", "About {percent} of them agreed.",
        "The rate is {percent}."),
    "time": ("It starts at {clock}.", "I will be there by {clock}.", "The call is at {clock}.", "We left at {clock}."),
    "date": ("It is due on {date}.", "The meeting is on {date}.", "That was on {date}.", "Valid until {date}."),
    "weekday": ("See you on {weekday}.", "It is open on {weekday}.", "The parcel came on {weekday}.",
        "{weekday} is best."),
    "month": ("It happened in {month}.", "We move in {month}.", "The course begins in {month}."),
    "year": ("That was in {year}.", "It was built in {year}.", "Since {year} nothing has changed."),
    "person_name": ("{person} told me so.", "I spoke to {person}.", "Ask {person} about it.",
        "{person} will be there."),
    "code": ("print(x[{n}])", "for i in range({n}): total += i", "SELECT name FROM users WHERE id = {n};",
        "if (x === {n}) {{ return null; }}", "const a = await load({n});", "def f(x):\n    return x + {n}",
        '<div class="row">{n}</div>', "git commit -m 'v{n}'", "#include <stdio.h>", "x = np.zeros({n})"),
    "emoji": ("🙂", "😂😂", "👍", "😡", "❤️", ":-)", "🎉", "😢"),
    "hashtag": ("#travel", "#monday", "#fail", "#love", "#news", "#music2day"),
    "repeated_marks": ("!!!", "???", "!!", "?!?!"),
    "capitals": (),
}  # fmt: skip
NEAR_MISSES: Final = {
    "phone": ("Call me.", "My phone is broken.", "I have {n} missed calls.", "Give me a ring some time.",
        "Order {card}"),
    "email": ("Write to me.", "I sent an email.", "My inbox is full.", "Send it by post, please.",
        "Ask {person} by mail."),
    "url": ("See the website.", "More online.", "The page does not load.", "I lost the link."),
    "address": ("I live nearby.", "Deliver it soon.", "Our office has moved.", "The street is long.",
        "There are {n} houses."),
    "card": ("My card is blocked.", "Charge my card.", "I lost my card.", "Order number {n}",
        "Which cards do you take?"),
    "password": ("I forgot the password.", "The password must be changed.", "How do I log in?",
        "Never share a password.", "My PIN does not work.", "Where do I find the API key?"),
    "money": ("It was expensive.", "The price is too high.", "That makes {n} in all.", "We paid for it.",
        "There are {n} of them."),
    "percentage": ("That is {n}.", "It rose a lot.", "Most of them agreed.", "The rate is high."),
    "time": ("It starts soon.", "I will be there by then.", "The call is later.", "We left early.",
        "It took {n} attempts."),
    "date": ("It is due soon.", "The meeting is later.", "That was long ago.", "Room {n}"),
    "weekday": ("See you soon.", "It is open every day.", "The parcel came yesterday.", "Tomorrow is best."),
    "month": ("It happened last year.", "We move soon.", "The course begins in spring."),
    "year": ("That was long ago.", "It is old.", "There were {n} of them."),
    "person_name": ("Somebody told me so.", "I spoke to the manager.", "Ask my neighbour about it.",
        "They will be there."),
    "code": ("The program does not start.", "I am learning to code.", "There is a bug in the script.",
        "Version {n} is out."),
    "emoji": ("", ":", "(smile)"), "hashtag": ("number one", "C# is a language"), "repeated_marks": ("!", "?", "."),
}  # fmt: skip
PEOPLE: Final = (
    "Anna Schmidt",
    "John Miller",
    "Priya Patel",
    "Carlos Ruiz",
    "Mr Brown",
    "Mrs Okafor",
    "Yuki Tanaka",
    "Tom",
    "Sarah",
    "Dr. Evans",
    "Fatima",
    "Peter",
    "Lena Novak",
    "Ahmed Hassan",
    "Emily Clark",
)
STREETS: Final = (
    "Elm Street",
    "Main Road",
    "Kings Avenue",
    "Park Lane",
    "Mill Road",
    "Station Street",
    "Oak Drive",
    "Harbour Way",
)
SITES: Final = ("example.com", "shop.example.org", "news.example.net", "my-blog.example", "docs.example.io")
LANGUAGES: Final = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch", "pl": "Polish",
        "pt": "Portuguese",
    "ru": "Russian", "ar": "Arabic", "zh": "Chinese", "ja": "Japanese", "ko": "Korean", "tr": "Turkish", "th": "Thai",
    "he": "Hebrew", "el": "Greek", "fi": "Finnish", "cs": "Czech", "hu": "Hungarian", "sv": "Swedish", "da": "Danish",
        "ro": "Romanian",
    "bg": "Bulgarian", "id": "Indonesian",
}  # fmt: skip


NATIVE: Final = {
    "de": (("Ist der Text auf Deutsch?", "Der Text ist deutsch."), ("Der Text ist nicht auf Deutsch.",)),
    "fr": (("Le texte est-il en français ?",), ("Le texte n'est pas en français.",)),
    "es": (("¿Está el texto en español?",), ("El texto no está en español.",)),
    "it": (("Il testo è in italiano?",), ("Il testo non è in italiano.",)),
    "pt": (("O texto está em português?",), ("O texto não está em português.",)),
    "nl": (("Is de tekst in het Nederlands?",), ("De tekst is niet in het Nederlands.",)),
    "pl": (("Czy tekst jest po polsku?",), ("Tekst nie jest po polsku.",)),
    "ru": (("Текст на русском языке?",), ("Текст не на русском языке.",)),
    "ja": (("日本語の文章ですか。",), ("日本語の文章ではない。",)),
    "ko": (("한국어 글입니까?",), ("한국어 글이 아니다.",)),
    "zh": (("这是中文吗?",), ("这不是中文。",)),
}  # fmt: skip
"""The question and its denial in the language that is asked for."""


def language(code: str) -> Concept:
    """The concept that a text is in a language."""
    name = LANGUAGES[code]
    return Concept(
        f"language/{code}", be=(f"in {name}", f"written in {name}"),
        clauses=(f"the language of {{T}} = {name}", f"{{A}} ~write in {name}", f"{{T}} ~use the {name} language"),
        unbe=(f"in a language other than {name}",), unclauses=(f"{{T}} ~use another language than {name}",),
        yes=(name, f"{name} text"), no=("another language", f"not {name}"),
    )  # fmt: skip
