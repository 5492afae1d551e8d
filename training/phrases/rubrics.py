"""Rubrics of score questions, low to high, in many vocabularies and lengths."""

# A table reads best with a row a line.
# ruff: noqa: E501

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Scale:
    """What a score question can measure.

    Attributes:
        asks: instructions; `{text}` stands for what the state is called.
        low: adjectives or phrases of the lowest end ("awful"), all of them fit "very" where `graded`.
        high: those of the highest end, each the opposite of the phrase of `low` at the same place.
        rubrics: hand-written level lists, low to high, of any length.
        middle: phrases for the middle of the scale.
        one_sided: the low end is the absence of the high end ("not at all rude").
    """

    asks: tuple[str, ...]
    low: tuple[str, ...]
    high: tuple[str, ...]
    rubrics: tuple[tuple[str, ...], ...]
    middle: tuple[str, ...] = ("neutral", "neither", "in between", "average", "medium")
    one_sided: bool = False


DEGREES: Final[dict[int, tuple[tuple[str, ...], ...]]] = {
    2: (("not {}", "{}"), ("hardly {}", "very {}"), ("not {} at all", "clearly {}")),
    3: (("not {}", "somewhat {}", "very {}"), ("not at all {}", "moderately {}", "extremely {}"), ("barely {}", "fairly {}", "highly {}"), ("not {}", "a bit {}", "{}")),
    4: (("not {}", "slightly {}", "quite {}", "very {}"), ("not at all {}", "a little {}", "rather {}", "extremely {}"), ("hardly {}", "somewhat {}", "clearly {}", "exceptionally {}")),
    5: (("not at all {}", "slightly {}", "moderately {}", "very {}", "extremely {}"), ("not {}", "a little {}", "fairly {}", "quite {}", "very {}"), ("hardly {}", "a bit {}", "somewhat {}", "rather {}", "totally {}")),
    6: (("not at all {}", "barely {}", "slightly {}", "moderately {}", "very {}", "extremely {}"),),
    7: (("not at all {}", "barely {}", "slightly {}", "moderately {}", "quite {}", "very {}", "extremely {}"),),
}  # fmt: skip
"""One-sided degrees of an adjective by number of levels."""

TWO_SIDED: Final[dict[int, tuple[tuple[str, ...], ...]]] = {
    2: (("{low}", "{high}"), ("rather {low}", "rather {high}"), ("more {low} than {high}", "more {high} than {low}")),
    3: (("{low}", "{mid}", "{high}"), ("very {low}", "{mid}", "very {high}"), ("mostly {low}", "{mid}", "mostly {high}")),
    4: (("very {low}", "rather {low}", "rather {high}", "very {high}"), ("clearly {low}", "slightly {low}", "slightly {high}", "clearly {high}")),
    5: (("very {low}", "{low}", "{mid}", "{high}", "very {high}"), ("extremely {low}", "somewhat {low}", "{mid}", "somewhat {high}", "extremely {high}"), ("strongly {low}", "mildly {low}", "{mid}", "mildly {high}", "strongly {high}")),
    6: (("extremely {low}", "{low}", "a bit {low}", "a bit {high}", "{high}", "extremely {high}"),),
    7: (("extremely {low}", "very {low}", "slightly {low}", "{mid}", "slightly {high}", "very {high}", "extremely {high}"),),
    9: (("extremely {low}", "very {low}", "{low}", "slightly {low}", "{mid}", "slightly {high}", "{high}", "very {high}", "extremely {high}"),),
}  # fmt: skip

SCALES: Final[dict[str, Scale]] = {
    "opinion": Scale(
        ("How positive is {text}?", "How much does the writer like it?", "How satisfied is the customer?", "Rate the opinion in {text}.",
         "How good does the product sound in {text}?", "What rating goes with {text}?", "How many stars would the author give?", "Score the sentiment.",
         "How favourable is the judgement in {text}?", "How pleased is the person who wrote {text}?", "sentiment score", "How well is it spoken of?",
         "How strongly does the author recommend it?", "What grade would the writer give?", "Does the writer like it, and how much?"),
        ("negative", "bad", "unhappy", "dissatisfied", "unfavourable", "critical", "displeased", "disappointed"),
        ("positive", "good", "happy", "satisfied", "favourable", "full of praise", "pleased", "delighted"),
        (("terrible", "bad", "okay", "good", "excellent"), ("1 star", "2 stars", "3 stars", "4 stars", "5 stars"), ("one star", "two stars", "three stars", "four stars", "five stars"),
         ("hates it", "dislikes it", "does not care", "likes it", "loves it"), ("complaint", "no opinion", "praise"), ("negative", "neutral", "positive"), ("bad", "mixed", "good"),
         ("awful: I want my money back", "poor: it has many faults", "average: it does its job", "good: I am glad I bought it", "superb: the best I ever had"),
         ("would warn others", "would not recommend it", "no recommendation", "would recommend it", "would urge everyone to get it"), ("disappointed", "indifferent", "impressed"),
         ("very poor", "poor", "fair", "good", "very good", "outstanding"), ("unacceptable", "weak", "acceptable", "strong"), ("thumbs down", "undecided", "thumbs up"),
         ("worst", "bad", "below average", "average", "above average", "good", "best"), ("F: fails", "D: poor", "C: average", "B: good", "A: excellent"),
         ("detractor: unhappy, will tell others to avoid it", "passive: neither pleased nor displeased", "promoter: happy, will tell others to buy it")),
        middle=("neutral", "mixed", "neither", "average", "so-so"),
    ),
    "valence": Scale(
        ("How pleasant is what {text} describes?", "How happy does {text} sound?", "What is the mood of {text}?", "How positive is the feeling in {text}?",
         "Rate the feeling from unpleasant to pleasant.", "How would a reader feel after {text}?", "How cheerful is {text}?", "emotional valence", "How bright or dark is {text}?"),
        ("unpleasant", "sad", "negative", "gloomy", "unhappy", "bitter"), ("pleasant", "happy", "positive", "cheerful", "joyful", "sweet"),
        (("misery, death or disaster", "unpleasant things", "neither pleasant nor unpleasant", "pleasant things", "great joy"), ("sad", "neutral", "happy"), ("dark", "bright"),
         ("devastating", "sad", "slightly sad", "neutral", "slightly happy", "happy", "wonderful"), ("bad news", "no news", "good news"), ("despair", "sadness", "calm", "contentment", "delight")),
        middle=("neutral", "neither", "neither pleasant nor unpleasant"),
    ),
    "arousal": Scale(
        ("How excited is {text}?", "How much energy is in {text}?", "How calm or agitated does {text} sound?", "How intense is the feeling in {text}?", "How lively is {text}?",
         "Rate the excitement in {text}.", "How strongly would {text} stir a reader?", "arousal", "How worked up is the writer?", "How dramatic is {text}?"),
        ("calm", "quiet", "sleepy", "relaxed", "dull"), ("excited", "agitated", "lively", "stirred up", "thrilling"),
        (("calm", "moderate", "excited"), ("boring", "exciting"), ("flat: a dry statement", "some feeling", "strong feeling", "overwhelming feeling: shouting, panic or ecstasy"), ("relaxed", "a little stirred", "agitated", "frantic")),
        middle=("moderate", "medium", "normal"),
    ),
    "dominance": Scale(
        ("How much in control does the writer of {text} seem?", "How powerful does the person sound?", "How confident is {text}?", "Is the person in {text} helpless or in charge?", "How dominant is the tone of {text}?"),
        ("helpless", "weak", "submissive", "powerless"), ("in control", "strong", "dominant", "powerful"),
        (("helpless", "neither", "in control"), ("at the mercy of others", "somewhat dependent", "independent", "in command"), ("insecure", "self-assured")),
        middle=("neither", "moderate"),
    ),
    "toxicity": Scale(
        ("How toxic is {text}?", "How rude is {text}?", "How offensive would readers find {text}?", "How badly does {text} break the rules of a civil community?", "How hostile is {text}?", "toxicity",
         "Rate the severity of the abuse in {text}.", "How aggressive is {text}?", "How much would {text} hurt somebody?", "How likely is it that a moderator removes {text}?", "How insulting is {text}?"),
        ("polite", "civil", "harmless", "friendly", "acceptable"), ("toxic", "rude", "offensive", "hostile", "insulting", "abusive", "aggressive", "disrespectful"),
        (("fine", "borderline", "toxic"), ("civil", "impolite", "insulting", "hateful"), ("no problem", "mild", "serious", "severe"), ("acceptable: an opinion or a question", "rude: sharp or mocking words", "abusive: insults or threats"),
         ("nobody would mind", "some readers would mind", "most readers would mind", "every reader would mind"), ("keep", "watch", "warn the author", "remove"), ("harmless", "slightly rude", "rude", "very rude", "vicious")),
        one_sided=True,
        middle=("borderline", "doubtful", "so-so"),
    ),
    "difficulty": Scale(
        ("How hard is the word “{word}” for a reader?", "How difficult is “{word}” in {text}?", "How well known is the word “{word}”, from everyday to expert?", "Would a learner understand “{word}”?", "How complex is the term {word}?",
         "Rate the difficulty of “{word}”.", "How much schooling does one need to understand “{word}”?", "Should “{word}” be explained to readers?"),
        ("easy", "simple", "common", "plain"), ("hard", "difficult", "rare", "technical", "complex", "specialised"),
        (("every child knows it", "most adults know it", "educated readers know it", "only experts know it"), ("easy", "medium", "hard"), ("very easy", "easy", "neutral", "difficult", "very difficult"), ("needs no explanation", "may need an explanation", "must be explained"),
         ("A1: beginner", "A2: elementary", "B1: intermediate", "B2: upper intermediate", "C1: advanced", "C2: expert")),
        one_sided=True,
        middle=("medium", "average", "intermediate"),
    ),
    "wellformed": Scale(
        ("How well formed is {text} as a question?", "How good is the grammar of {text}?", "Is {text} a proper question?", "Rate the form of {text}.", "How carefully is {text} written?", "How complete and correct is the question?", "query quality"),
        ("malformed", "sloppy", "ungrammatical", "garbled"), ("well formed", "careful", "grammatical", "clear"),
        (("not a question at all, or broken grammar", "understandable but faulty", "a correct and complete question"), ("keywords only", "almost a question", "a proper question"), ("bad", "passable", "good"), ("broken", "poor", "fair", "good", "flawless")),
        middle=("passable", "fair", "mediocre"),
    ),
    "similarity": Scale(
        ("How similar are the two sentences in meaning?", "How close are the two texts?", "Do both say the same?", "Rate the similarity of the sentences.", "How much do the two sentences have in common?", "semantic similarity", "How well does the second text paraphrase the first?"),
        ("different", "unrelated", "dissimilar"), ("similar", "alike", "equivalent", "close in meaning"),
        (("unrelated", "same topic", "partly the same", "almost the same", "the same meaning"), ("completely different", "not the same but on the same topic", "share some details", "roughly the same, something important differs", "the same but for details", "completely equivalent"),
         ("different", "related", "same"), ("no overlap in meaning", "some overlap", "large overlap", "full overlap")),
        one_sided=True,
        middle=("partly alike", "related", "half alike"),
    ),
    "support": Scale(
        ("How well does the text support the statement?", "How likely is the statement, given the text?", "Rate the support for the claim.", "How sure can one be of the statement after reading the text?", "Degree of evidence for the claim", "How well is the claim backed by its source?"),
        ("contradicted", "refuted", "unlikely", "false"), ("supported", "confirmed", "likely", "true"),
        (("contradicted", "not stated", "supported"), ("false", "possible", "true"), ("ruled out", "open", "certain"), ("the text says the opposite", "the text leaves it open", "the text says so"), ("no", "maybe", "yes"), ("impossible", "unknown", "sure"), ("refutes", "is silent", "supports")),
        middle=("undecided", "unknown", "possible"),
    ),
    "urgency": Scale(
        ("How urgent is {text}?", "Which priority should {text} get?", "How soon must somebody act?", "How quickly is an answer needed?", "Rate the urgency.", "priority", "How long can {text} wait?", "How pressing is the matter in {text}?", "What is the severity of the incident?"),
        ("unhurried", "minor", "low in priority"), ("urgent", "pressing", "critical", "time-critical"),
        (("low", "medium", "high", "critical"), ("low", "medium", "high"), ("P4", "P3", "P2", "P1: drop everything"), ("can wait", "this week", "today", "right now"), ("no hurry", "soon", "immediately"), ("no hurry: for your information", "soon: within the next days", "urgent: today", "emergency: people, money or safety are at stake this minute"),
         ("trivial", "minor", "major", "blocker"), ("routine", "elevated", "emergency"), ("whenever you have time", "in the coming days", "as soon as possible", "drop everything"), ("sev4: cosmetic", "sev3: a nuisance with a way around", "sev2: many are hindered", "sev1: everything is down")),
        one_sided=True,
        middle=("normal", "medium", "ordinary"),
    ),
    "match": Scale(
        ("How well does the heading “{heading}” fit {text}?", "How relevant is {text} to: {heading}?", "Is {text} about {heading}, and how much?", "Relevance to “{heading}”", "How closely does {text} match: {heading}",
         "To what degree is this about {heading}?", "Rate how well “{heading}” describes {text}.", "How near is {text} to the topic “{heading}”?"),
        ("unrelated", "irrelevant", "off topic"), ("relevant", "related", "fitting", "on topic"),
        (("no match", "same area", "exact match"), ("unrelated", "related", "the same"), ("irrelevant", "somewhat relevant", "relevant", "highly relevant"), ("does not fit", "fits"), ("off topic", "on topic"), ("miss", "near miss", "hit"), ("not about it", "partly about it", "fully about it"), ("0: no relation", "1: loose relation", "2: close relation", "3: just that")),
        middle=("loosely related", "partly", "in between"),
        one_sided=True,
    ),
    "effort": Scale(
        ("How hard is {text} for a language model?", "How difficult is {text}?", "How much work is {text}?", "How complex is the task in {text}?", "Which size of model does {text} need?", "Estimate the difficulty of {text}.", "How much thinking does {text} take?"),
        ("easy", "simple", "trivial"), ("hard", "difficult", "complex", "demanding"),
        (("trivial", "easy", "moderate", "hard"), ("easy", "medium", "hard"), ("trivial: hello or a simple fact", "easy: a short text or a translation", "moderate: several steps or some code", "hard: a proof or the design of a large system"), ("seconds", "minutes", "hours", "days"), ("a child could do it", "most adults could do it", "needs training", "only experts can do it"), ("small model", "medium model", "large model")),
        one_sided=True,
        middle=("medium", "moderate", "average"),
    ),
    "frustration": Scale(
        ("How frustrated does the customer sound in {text}?", "How angry is the writer?", "How upset is the person?", "Rate the frustration.", "How annoyed is the author of {text}?", "How tense is the customer?"),
        ("calm", "patient", "relaxed", "friendly"), ("frustrated", "angry", "upset", "furious", "irritated"),
        (("calm", "slightly annoyed", "annoyed", "furious"), ("friendly", "matter-of-fact", "impatient", "angry"), ("not upset", "upset"), ("calm: a question or thanks", "unhappy: something is wrong", "angry: it happened again and I have had enough", "enraged: threats and shouting"), ("green", "yellow", "red")),
        one_sided=True,
        middle=("matter-of-fact", "neutral", "a little tense"),
    ),
    "politeness": Scale(
        ("How polite is {text}?", "How friendly is the tone of {text}?", "Rate the courtesy of {text}.", "How well-mannered is the writer?", "Tone of {text}"),
        ("rude", "impolite", "unfriendly", "brusque"), ("polite", "courteous", "friendly", "well-mannered"),
        (("insulting", "brusque", "neutral", "polite", "very courteous"), ("rude", "neutral", "polite"), ("an order or an insult", "a plain request", "a kind request with please or thank you"), ("hostile", "cold", "warm")),
        middle=("neutral", "plain", "neither"),
    ),
    "harm": Scale(
        ("How much harm could come from doing what {text} asks?", "How dangerous is {text}?", "Rate the risk of {text}.", "How unsafe would an answer to {text} be?", "Harm level of {text}"),
        ("harmless", "safe", "innocent"), ("dangerous", "harmful", "risky", "unsafe"),
        (("harmless", "slight", "serious", "severe"), ("safe", "questionable", "dangerous"), ("harmless: an everyday task", "doubtful: tries to lift rules", "severe: weapons, crime, hate or abuse"), ("allow", "review", "block")),
        one_sided=True,
        middle=("questionable", "doubtful", "borderline"),
    ),
    "emotion_strength": Scale(
        ("How strongly does {text} express {emotion}?", "How much {emotion} is in {text}?", "Rate the {emotion} in {text}.", "Level of {emotion} in {text}", "Does {text} show {emotion}, and how much?"),
        (), (),
        (("none", "some", "a lot"), ("no trace of {emotion}", "a hint of {emotion}", "clear {emotion}", "overwhelming {emotion}"), ("absent", "weak", "strong"), ("no {emotion}", "mild {emotion}", "strong {emotion}"), ("no {emotion}", "{emotion}"), ("0: none", "1: faint", "2: clear", "3: intense"))
    ),
}  # fmt: skip
