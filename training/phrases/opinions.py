"""Label vocabularies of opinions, emotions, offence and entailment."""

# A table reads best with a row a line.
# ruff: noqa: E501

from __future__ import annotations

from typing import Final

Pair = tuple[str, str]

POLARITY: Final[tuple[tuple[Pair, Pair], ...]] = (
    (("positive", "the writer likes it"), ("negative", "the writer dislikes it")),
    (("good", "it is well spoken of"), ("bad", "it is badly spoken of")),
    (("praise", "something is praised"), ("complaint", "something is complained about")),
    (("thumbs up", "the author approves"), ("thumbs down", "the author disapproves")),
    (("favourable", "a kind judgement"), ("unfavourable", "a harsh judgement")),
    (("like", "they like it"), ("dislike", "they do not like it")),
    (("approval", "the writer approves"), ("criticism", "the writer criticises")),
    (("great", "this was great"), ("terrible", "this was terrible")),
    (("compliment", "kind words"), ("reproach", "angry or disappointed words")),
    (("optimistic", "a bright view"), ("pessimistic", "a gloomy view")),
    (("pleasant", "a nice experience"), ("unpleasant", "an unpleasant experience")),
    (("pro", "speaks for it"), ("contra", "speaks against it")),
    (("fan", "somebody who enjoys it"), ("critic", "somebody who finds fault with it")),
    (("endorses", "the author backs it"), ("rejects", "the author turns it down")),
    (("yes", "the writer is pleased"), ("no", "the writer is not pleased")),
    (("warm", "said with liking"), ("cold", "said with dislike")),
    (("upbeat", "cheerful about it"), ("downbeat", "gloomy about it")),
    (("strength", "something that is good"), ("weakness", "something that is bad")),
    (("admiring", "full of admiration"), ("scathing", "full of scorn")),
    (("not a complaint", "nothing is found wanting"), ("complaint", "something is found wanting")),
    (("👍", "liked"), ("👎", "disliked")),
    (("POS", "positive opinion"), ("NEG", "negative opinion")),
    (("rave", "enthusiastic words"), ("rant", "angry words")),
)  # fmt: skip
"""What speaks well of something, and what speaks badly of it."""

VERDICTS: Final[tuple[tuple[Pair, Pair], ...]] = (
    (("happy customer", "the customer is pleased"), ("unhappy customer", "the customer is displeased")),
    (("satisfied", "content with what was got"), ("dissatisfied", "not content with what was got")),
    (("recommended", "others should get it"), ("not recommended", "others should stay away from it")),
    (("promoter", "would tell friends to buy it"), ("detractor", "would warn friends about it")),
    (("success", "things went well"), ("failure", "things went wrong")),
    (("delighted", "it exceeded what was hoped for"), ("disappointed", "it fell short of what was hoped for")),
    (("works well", "it does what it should"), ("has problems", "something is wrong with it")),
    (("worth it", "money well spent"), ("not worth it", "a waste of money")),
    (("impressed", "the writer is impressed"), ("unimpressed", "the writer is not impressed")),
    (("keep", "I am glad that I have it"), ("return", "I would send it back")),
    (("kudos", "well done"), ("grievance", "something must be put right")),
    (("5 stars", "excellent"), ("1 star", "awful")),
    (("good experience", "it went well for the person"), ("bad experience", "it went badly for the person")),
    (("positive review", "speaks for the product"), ("negative review", "speaks against the product")),
    (("praise", "the product is praised"), ("complaint", "the product is complained about")),
    (("would buy again", "no regrets"), ("would not buy again", "regrets the purchase")),
    (("satisfied buyer", "got what was hoped for"), ("dissatisfied buyer", "did not get what was hoped for")),
    (("meets expectations", "does what was promised"), ("below expectations", "does not do what was promised")),
)  # fmt: skip
"""The same of things that were bought or used."""

MIDDLE: Final[tuple[Pair, ...]] = (
    ("neutral", "neither good nor bad"), ("no opinion", "no judgement is given"), ("neither", "neither the one nor the other"),
    ("factual", "a plain fact without judgement"), ("mixed or neutral", "balanced, or no feeling at all"),
    ("indifferent", "the writer does not care"), ("informative", "it only informs"), ("so-so", "average"),
    ("objective", "no feelings are shown"), ("balanced", "no clear leaning"), ("NEU", "no opinion"), ("okay", "nothing special"),
)  # fmt: skip

ASKING: Final[tuple[Pair, ...]] = (
    ("question", "the writer asks something"), ("inquiry", "the writer wants information"), ("asks something", "a question to the company"),
)  # fmt: skip
OFF_TOPIC: Final[tuple[Pair, ...]] = (
    ("off topic", "about something else"), ("unrelated", "does not speak about the subject"), ("irrelevant", "has nothing to do with it"),
)  # fmt: skip

PROS_CONS: Final[tuple[tuple[Pair, Pair], ...]] = (
    (("pro", "speaks for the product"), ("con", "speaks against the product")),
    (("advantage", "a good thing about it"), ("drawback", "a bad thing about it")),
    (("strength", "what it does well"), ("weakness", "what it does badly")),
    (("plus", "counts in its favour"), ("minus", "counts against it")),
    (("benefit", "useful to the buyer"), ("downside", "annoying to the buyer")),
    (("what I liked", "pleased the reviewer"), ("what I disliked", "bothered the reviewer")),
    (("reason to buy", "makes one want it"), ("reason not to buy", "puts one off")),
    (("upside", "the bright side"), ("shortcoming", "something is missing or bad")),
    (("good point", "a merit"), ("bad point", "a fault")),
    (("keep as is", "nothing to improve"), ("needs improvement", "the maker should change it")),
)  # fmt: skip

EMOTIONS: Final[dict[str, tuple[Pair, ...]]] = {
    "admiration": (("admiration", "finding somebody or something impressive"), ("respect", "thinking highly of somebody")),
    "amusement": (("amusement", "finding it funny"), ("laughter", "being made to laugh")),
    "anger": (("anger", "being furious at somebody"), ("rage", "being very angry")),
    "annoyance": (("annoyance", "being bothered or irritated"), ("irritation", "something gets on one's nerves")),
    "approval": (("approval", "agreeing or finding it right"), ("agreement", "taking the same view")),
    "caring": (("caring", "concern for somebody's well-being"), ("compassion", "wishing somebody well, giving support")),
    "confusion": (("confusion", "not understanding what is going on"), ("puzzlement", "being unsure what to make of it")),
    "curiosity": (("curiosity", "wanting to know more"), ("interest", "asking because one would like to know")),
    "desire": (("desire", "wishing to have or do something"), ("longing", "wanting something badly")),
    "disappointment": (("disappointment", "it fell short of what was hoped for"), ("letdown", "hopes were not met")),
    "disapproval": (("disapproval", "finding it wrong"), ("disagreement", "being against it")),
    "disgust": (("disgust", "finding it revolting"), ("revulsion", "being repelled by it")),
    "embarrassment": (("embarrassment", "feeling awkward or ashamed"), ("shame", "wanting to hide")),
    "excitement": (("excitement", "eager and thrilled"), ("enthusiasm", "can hardly wait")),
    "fear": (("fear", "being afraid"), ("worry", "dreading that something bad happens")),
    "gratitude": (("gratitude", "being thankful"), ("thanks", "thanking somebody")),
    "grief": (("grief", "mourning a loss"), ("mourning", "sorrow after a death")),
    "joy": (("joy", "being happy"), ("happiness", "being glad about something")),
    "love": (("love", "strong affection"), ("affection", "being very fond of something")),
    "nervousness": (("nervousness", "being uneasy about what may come"), ("anxiety", "feeling tense")),
    "optimism": (("optimism", "expecting that it turns out well"), ("hope", "hoping for the best")),
    "pride": (("pride", "being proud of something done"), ("feeling proud", "pleased with one's own or another's success")),
    "realization": (("realisation", "suddenly noticing or understanding something"), ("insight", "having just become aware of something")),
    "relief": (("relief", "being glad that a worry is over"), ("feeling relieved", "a burden has gone")),
    "remorse": (("remorse", "being sorry for what one did"), ("apology", "regretting a deed")),
    "sadness": (("sadness", "feeling down"), ("sorrow", "being unhappy about something")),
    "surprise": (("surprise", "something unexpected happened"), ("astonishment", "not having expected this")),
    "neutral": (("neutral", "no particular feeling"), ("no emotion", "a plain statement")),
    "anticipation": (("anticipation", "looking ahead to what comes"), ("expectation", "waiting for something to happen")),
    "trust": (("trust", "relying on somebody"), ("confidence in somebody", "believing that somebody is good or right")),
}  # fmt: skip
"""Emotion -> names and what they mean."""

KINDRED: Final[tuple[frozenset[str], ...]] = (
    frozenset({"anger", "annoyance", "disgust", "disapproval"}), frozenset({"sadness", "grief", "disappointment", "remorse"}),
    frozenset({"joy", "excitement", "amusement", "love", "relief", "optimism"}), frozenset({"admiration", "approval", "love", "pride"}),
    frozenset({"fear", "nervousness"}), frozenset({"confusion", "curiosity", "surprise", "realization"}),
    frozenset({"caring", "love", "optimism"}), frozenset({"desire", "optimism", "excitement"}), frozenset({"neutral", "approval", "realization"}),
)  # fmt: skip
"""Emotions that readers often confuse."""

COARSE: Final[dict[str, frozenset[str]]] = {
    "anger": frozenset({"anger", "annoyance", "disapproval"}), "disgust": frozenset({"disgust"}), "fear": frozenset({"fear", "nervousness"}),
    "joy": frozenset({"joy", "amusement", "approval", "excitement", "gratitude", "love", "optimism", "relief", "pride", "admiration", "desire", "caring"}),
    "sadness": frozenset({"sadness", "disappointment", "embarrassment", "grief", "remorse"}),
    "surprise": frozenset({"surprise", "realization", "confusion", "curiosity"}), "neutral": frozenset({"neutral"}),
}  # fmt: skip
PLEASANT: Final = frozenset(
    {"joy", "amusement", "approval", "excitement", "gratitude", "love", "optimism", "relief", "pride", "admiration"}
)
PAINFUL: Final = frozenset({"anger", "annoyance", "disapproval", "disgust", "fear", "nervousness", "sadness", "disappointment", "grief", "remorse", "embarrassment"})  # fmt: skip

NLI: Final[tuple[tuple[Pair, Pair, Pair], ...]] = (
    (("entailment", "the hypothesis follows from the premise"), ("neutral", "the premise leaves it open"), ("contradiction", "the hypothesis conflicts with the premise")),
    (("supported", "the text backs the statement"), ("not mentioned", "the text does not say"), ("refuted", "the text shows that it is false")),
    (("true", "must be true given the text"), ("undetermined", "may be true or false"), ("false", "must be false given the text")),
    (("yes", "the text says so"), ("maybe", "it cannot be told from the text"), ("no", "the text says otherwise")),
    (("follows", "it can be concluded"), ("unrelated or open", "no conclusion can be drawn"), ("conflicts", "both cannot be true")),
    (("agrees", "the two texts agree"), ("independent", "one does not settle the other"), ("disagrees", "the two texts disagree")),
    (("definitely correct", "the description makes it certain"), ("might be correct", "the description allows it"), ("definitely incorrect", "the description excludes it")),
    (("SUPPORTS", "the evidence supports the claim"), ("NOT ENOUGH INFO", "the evidence does not decide"), ("REFUTES", "the evidence refutes the claim")),
    (("confirmed", "the source confirms it"), ("unverifiable", "the source is silent about it"), ("denied", "the source denies it")),
    (("implied", "it is implied"), ("possible", "it is possible but not implied"), ("impossible", "it is ruled out")),
    (("faithful", "nothing is added or changed"), ("unsupported addition", "something is added that the source does not give"), ("wrong", "the source says the opposite")),
    (("grounded", "the source gives it"), ("not stated", "the source does not give it"), ("contradicted", "the source gives something else")),
    (("consistent", "one follows from the other"), ("can't tell", "not enough is known"), ("inconsistent", "they exclude each other")),
    (("proven", "shown by the text"), ("unproven", "not decided by the text"), ("disproven", "shown to be false by the text")),
)  # fmt: skip
"""Entailment, neutral, contradiction."""

NLI_TWO: Final[tuple[tuple[Pair, Pair], ...]] = (
    (("entailed", "it follows from the text"), ("not entailed", "it does not follow from the text")),
    (("supported", "the text backs it"), ("not supported", "the text does not back it")),
    (("must be true", "there is no way around it"), ("need not be true", "it could be false")),
    (("yes", "the text says so"), ("no", "the text does not say so")),
    (("follows", "a valid conclusion"), ("does not follow", "not a valid conclusion")),
    (("valid conclusion", "the text makes it certain"), ("invalid conclusion", "the text does not make it certain")),
    (("correct", "the text makes it true"), ("unwarranted", "the text does not show it")),
)  # fmt: skip

YES_NO: Final[tuple[tuple[Pair, Pair, Pair], ...]] = (
    (("yes", "the text says yes"), ("no", "the text says no"), ("not stated", "the text does not say")),
    (("yes", "it is so"), ("no", "it is not so"), ("don't know", "it cannot be told")),
    (("true", "the text confirms it"), ("false", "the text denies it"), ("unclear", "the text leaves it open")),
    (("affirmative", "the answer is yes"), ("negative", "the answer is no"), ("not enough information", "no answer is given")),
    (("it is", "the passage supports it"), ("it is not", "the passage speaks against it"), ("unanswerable", "the passage is silent")),
    (("confirmed", "the evidence is in favour"), ("rejected", "the evidence is against"), ("inconclusive", "the evidence is mixed or missing")),
)  # fmt: skip
"""Yes, no, unknown."""

OFFENCE: Final[tuple[tuple[Pair, Pair], ...]] = (
    (("offensive", "rude, insulting or vulgar language"), ("not offensive", "nothing rude in it")),
    (("abusive", "attacks or insults somebody"), ("acceptable", "fit for a civil community")),
    (("remove", "breaks the rules: insults or hate"), ("keep", "no reason to remove it")),
    (("toxic", "likely to drive people out of a discussion"), ("civil", "a polite or neutral remark")),
    (("violation", "against the community rules"), ("no violation", "within the community rules")),
    (("rude", "impolite"), ("polite enough", "no rude words")),
    (("flag", "a moderator should look"), ("pass", "nothing to do")),
    (("insulting", "somebody is insulted"), ("harmless", "nobody is insulted")),
    (("profane", "bad language"), ("clean", "clean language")),
    (("unsafe", "not for all readers"), ("safe", "fine for all readers")),
    (("hostile", "aggressive words"), ("friendly or neutral", "no aggression")),
    (("block", "must not be shown"), ("allow", "may be shown")),
)  # fmt: skip
HATE: Final[tuple[tuple[Pair, Pair], ...]] = (
    (("hateful", "attacks people for the group they belong to"), ("not hateful", "no attack on a group")),
    (("hate speech", "contempt or threats against a group"), ("no hate speech", "also where hate is quoted, condemned or denied")),
    (("discriminating", "puts a group of people down"), ("not discriminating", "puts no group down")),
    (("bigoted", "full of prejudice against a group"), ("fair", "without prejudice")),
    (("attack on a group", "against people of one kind"), ("no attack on a group", "at most a harsh word about something else")),
    (("ban", "hateful conduct"), ("no action", "no hateful conduct")),
)  # fmt: skip
"""Breaks the rule, keeps it."""

OFFENCE_LOCAL: Final[dict[str, tuple[tuple[Pair, Pair], ...]]] = {
    "de": ((("beleidigend", "jemand wird beleidigt oder beschimpft"), ("unbedenklich", "keine Beleidigung")), (("anstößig", "verletzende Sprache"), ("in Ordnung", "zulässig"))),
    "fr": ((("haineux", "attaque un groupe de personnes"), ("non haineux", "n'attaque aucun groupe")),), "es": ((("odio", "ataca a un grupo de personas"), ("sin odio", "no ataca a ningún grupo")),),
    "it": ((("odio", "attacca un gruppo di persone"), ("non odio", "non attacca nessun gruppo")),), "pt": ((("discurso de ódio", "ataca um grupo"), ("sem ódio", "não ataca nenhum grupo")),),
    "nl": ((("haatdragend", "valt een groep mensen aan"), ("niet haatdragend", "valt niemand aan")),), "pl": ((("nienawiść", "atak na grupę ludzi"), ("brak nienawiści", "nikogo nie atakuje")),),
}  # fmt: skip

POLARITY_LOCAL: Final[dict[str, tuple[tuple[Pair, Pair, Pair], ...]]] = {
    "de": ((("positiv", "gutes Urteil"), ("neutral", "kein Urteil"), ("negativ", "schlechtes Urteil")), (("Lob", "etwas wird gelobt"), ("sachlich", "ohne Wertung"), ("Kritik", "etwas wird kritisiert"))),
    "ko": ((("긍정", "좋은 평가"), ("중립", "평가 없음"), ("부정", "나쁜 평가")), (("추천", "볼 만하다"), ("보통", "그저 그렇다"), ("비추천", "볼 만하지 않다"))),
    "th": ((("บวก", "พูดถึงในทางที่ดี"), ("เป็นกลาง", "ไม่มีความเห็น"), ("ลบ", "พูดถึงในทางที่ไม่ดี")),),
    "he": ((("חיובי", "דעה טובה"), ("ניטרלי", "ללא דעה"), ("שלילי", "דעה רעה")),), "da": ((("positiv", "godt omtalt"), ("neutral", "uden vurdering"), ("negativ", "dårligt omtalt")),),
    "id": ((("positif", "pendapat baik"), ("netral", "tanpa pendapat"), ("negatif", "pendapat buruk")), (("pujian", "memuji"), ("biasa", "tidak menilai"), ("keluhan", "mengeluh"))),
    "ja": ((("肯定的", "よい評価"), ("中立", "評価なし"), ("否定的", "悪い評価")),),
}  # fmt: skip

PROMPTS: Final[dict[str, tuple[Pair, ...]]] = {
    "jailbreak": (("jailbreak", "tries to lift the rules of the assistant, often by role play"), ("rule evasion", "wants an assistant without restrictions")),
    "harmful request": (("harmful request", "asks for something dangerous, illegal or hateful"), ("dangerous", "help with doing harm")),
    "embedded instruction": (("embedded instruction", "a short order or task slipped into other text"), ("injected command", "tells the system to do some other task or run code")),
    "ordinary prompt": (("ordinary prompt", "a normal task for the assistant, such as acting as a teacher"), ("benign", "nothing wrong with it")),
}  # fmt: skip
COMPARISONS: Final[dict[str, tuple[Pair, ...]]] = {
    "not comparative": (("no comparison", "nothing is compared"), ("not comparative", "a plain remark")),
    "unequal comparison": (("better or worse", "one thing surpasses another"), ("unequal comparison", "more or less than another thing")),
    "superlative": (("superlative", "the best or worst of all"), ("top of all", "one thing beats all the others")),
    "equal comparison": (("equal", "two things are alike or as good as each other"), ("equal comparison", "the same as another thing")),
    "non-gradable comparison": (("contrast", "things are set side by side without saying which is better"), ("different kinds", "a difference without a ranking")),
}  # fmt: skip
GENRES: Final[dict[str, Pair]] = {
    "fiction": ("fiction", "a story or a novel"), "letters": ("letter", "a letter to somebody, often asking for donations"), "blog": ("blog", "a personal web log"),
    "newspaper": ("newspaper", "a report in a paper"), "essays": ("essay", "an essay on a subject"), "travel-guides": ("travel guide", "a guide for tourists"), "SemEval": ("headline", "the headline of a news report"),
}  # fmt: skip
SOURCES: Final[dict[str, Pair]] = {
    "bible": ("bible", "holy scripture"), "biomed": ("biomedical paper", "a scientific article on biology or medicine"), "europarl": ("parliament", "a speech in the European Parliament"),
}  # fmt: skip
PRODUCTS: Final[dict[str, Pair]] = {
    "Creative Labs Nomad Jukebox Zen Xtra 40GB": ("music player", "a portable MP3 player"), "MicroMP3": ("music player", "a portable MP3 player"), "ipod": ("music player", "a portable MP3 player"),
    "Apex AD2600 Progressive scan DVD player": ("DVD player", "a device that plays discs on television"), "Canon G3": ("camera", "a digital camera"), "Canon S100": ("camera", "a digital camera"),
    "Nikon coolpix 4300": ("camera", "a digital camera"), "Canon PowerShot SD500": ("camera", "a digital camera"), "Linksys Router": ("router", "a device for the home network"), "Hitachi router": ("power tool", "a wood router for the workshop"),
    "Nokia 6610": ("mobile phone", "a phone to carry around"), "Nokia 6600": ("mobile phone", "a phone to carry around"), "norton": ("antivirus software", "a program against viruses"), "Diaper Champ": ("diaper pail", "a bin for nappies"),
}  # fmt: skip
OTHER_PRODUCTS: Final[tuple[Pair, ...]] = (
    ("television", "a TV set"), ("vacuum cleaner", "cleans the floor"), ("laptop", "a portable computer"), ("headphones", "worn on the ears"), ("coffee machine", "brews coffee"),
    ("printer", "prints documents"), ("toothbrush", "for the teeth"), ("car tyre", "a wheel of a car"), ("washing machine", "for the laundry"), ("game console", "for video games"), ("toaster", "for bread"), ("bicycle", "a bike"),
)  # fmt: skip
DEBATES: Final[dict[str, tuple[str, tuple[tuple[str, str], tuple[str, str]]]]] = {
    "evolution vs creation": ("evolution or creation", (("evolution", "evolution"), ("creation", "creation"))),
    "gay marriage right or wrong": ("gay marriage", (("allowing gay marriage is wrong", "gay marriage is wrong"), ("allowing gay marriage is right", "gay marriage is right"))),
    "human growth and development should parents use spanking as an option to discipline": ("spanking of children", (("yes", "parents may spank"), ("no", "parents should not spank"))),
    "if your spouse committed murder and he or she confided in you would you turn them in": ("reporting a spouse who committed murder", (("yes", "turn the spouse in"), ("no", "do not turn the spouse in"))),
    "india has the potential to lead the world": ("India as a leader of the world", (("yes for", "India can lead the world"), ("no against", "India cannot lead the world"))),
    "is the school uniform a good or bad idea": ("school uniforms", (("good", "school uniforms are good"), ("bad", "school uniforms are bad"))),
    "pro choice vs pro life": ("abortion", (("pro choice", "the woman may choose"), ("pro life", "the unborn child must live"))),
    "tv is better than books": ("television or books", (("tv", "television is better"), ("books", "books are better"))),
    "is it better to have a lousy father or to be fatherless": ("bad fathers", (("lousy father", "a bad father is better than none"), ("fatherless", "no father is better than a bad one"))),
    "personal pursuit or advancing the common good": ("the individual and the common good", (("advancing the common good", "the common good comes first"), ("personal pursuit", "personal goals come first"))),
    "william farquhar ought to be honoured as the rightful founder of singapore": ("the founder of Singapore", (("yes of course", "Farquhar founded Singapore"), ("no it is raffles", "Raffles founded Singapore"))),
    "ban plastic water bottles": ("plastic water bottles", (("yes emergencies only", "plastic bottles should be banned"), ("no bad for the economy", "plastic bottles should stay"))),
    "christianity or atheism": ("belief in God", (("christianity", "Christianity is right"), ("atheism", "atheism is right"))),
    "is porn wrong": ("pornography", (("yes porn is wrong", "pornography is wrong"), ("no is is not", "pornography is not wrong"))),
    "should physical education be mandatory in schools": ("sports lessons at school", (("yes", "sports lessons should be compulsory"), ("no", "sports lessons should be optional"))),
    "firefox vs internet explorer": ("web browsers", (("it has a cute logo oh and extensions err add ons", "Firefox is better"), ("there s more browsers than the ie firefox is an animal", "Internet Explorer is better"))),
}  # fmt: skip
LANGUAGES: Final[dict[str, str]] = {
    "en": "English", "de": "German", "pl": "Polish", "nl": "Dutch", "da": "Danish", "fr": "French", "ro": "Romanian", "hu": "Hungarian", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "ru": "Russian", "tr": "Turkish", "cs": "Czech", "sv": "Swedish", "fi": "Finnish", "nb": "Norwegian", "no": "Norwegian", "el": "Greek", "he": "Hebrew", "ar": "Arabic", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
    "uk": "Ukrainian", "bg": "Bulgarian", "hr": "Croatian", "sk": "Slovak", "sl": "Slovenian", "et": "Estonian", "lv": "Latvian", "lt": "Lithuanian", "vi": "Vietnamese", "th": "Thai", "id": "Indonesian", "hi": "Hindi",
    "fa": "Persian", "ca": "Catalan", "gl": "Galician", "eu": "Basque", "is": "Icelandic", "ga": "Irish", "cy": "Welsh", "sr": "Serbian", "ka": "Georgian", "ml": "Malayalam", "ta": "Tamil", "te": "Telugu", "bn": "Bengali",
    "ur": "Urdu", "sw": "Swahili", "af": "Afrikaans", "lb": "Luxembourgish", "mn": "Mongolian", "kn": "Kannada", "gu": "Gujarati", "mr": "Marathi", "ne": "Nepali", "ms": "Malay", "kw": "Cornish",
}  # fmt: skip
