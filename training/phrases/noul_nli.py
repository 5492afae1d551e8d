"""Ways to ask whether a text supports, contradicts or answers something. `{h}` and `{H}` are the other sentence."""

from __future__ import annotations

from typing import Final

BARE: Final = ("{H}", "{H}", "{H}", "{h}.")
SUPPORTED: Final = (
    "Is it true that {h}?", "Is it true that {h}?", "Does the text say that {h}?", "The text says that {h}.",
    "Does it follow that {h}?", "It follows that {h}.", "From the text one can conclude that {h}.",
        "Can we infer that {h}?",
    "Is the following supported by the text? {H}.", "Supported: {H}.", "The text supports this statement: {H}.",
    "Does the text imply that {h}?", "Check whether it is true that {h}.", "Is this claim backed by the text: {h}?",
    "True or false: {H}.", "Given the text, {h}.", "According to the text, {h}.", "It is certain that {h}.",
        "Claim: {H}.",
    "Does the passage state or imply this? {H}.", "Fact check against the text: {H}.", "If the text is true, then {h}.",
    'Is the claim "{H}" entailed?', 'Does "{H}" follow from the text?', 'The statement "{H}" is correct.',
    "Is the answer grounded in the document? Answer: {H}.", "Faithful to the source: {H}.",
        "A reader would agree that {h}.",
)  # fmt: skip
UNSUPPORTED: Final = (
    "The text does not say that {h}.", "It does not follow that {h}.", "Is it unproven that {h}?",
        "It is not certain that {h}.",
    "The text gives no support to this statement: {H}.", "Not supported: {H}.", "One cannot conclude that {h}.",
    "Does the text leave open or deny that {h}?", "Is this claim without support in the text: {h}?",
        'The claim "{H}" goes beyond the text or against it.',
    'Is the statement "{H}" not entailed?', "Answer yes if the text does not imply that {h}.", "Hallucinated: {H}.",
    "There is no evidence in the text that {h}.", "The text fails to establish that {h}.",
)  # fmt: skip
MOVED: Final = ("{Q}?", "{Q}?", "{Q}?", "Yes or no: {q}?", "Given the text, {q}?", "{Q}? Answer from the text.")
DENIED: Final = (
    "{N}.", "{N}.", "{N}.", "{n}", "Is it true that {n}?", "It follows that {n}.", "The text says or implies that {n}.",
        "True or false: {N}.",
)  # fmt: skip
"""`q` is the other sentence as a question, `n` is it with a not."""
LOCAL: Final = {
    "ja": (
        ("{H}", "次の文は正しいですか。{H}", "文章から「{H}」と言えますか。", "「{H}」は本文の内容と一致する。"),
        (
            "「{H}」とは言えない。", "「{H}」は本文からは分からないか、間違っている。",
            "次の文は本文と一致しませんか。{H}",
        ),
    ),
    "ko": (
        ("{H}", "다음 문장이 맞습니까? {H}", '본문에서 "{H}"라고 할 수 있습니까?', '"{H}"는 본문의 내용과 일치한다.'),
        (
            '"{H}"라고 할 수 없다.', '"{H}"는 본문에서 알 수 없거나 틀렸다.',
            "다음 문장은 본문으로 뒷받침되지 않습니까? {H}",
        ),
    ),
}  # fmt: skip
"""Supported and not supported, in the language of the texts."""
CONTRADICTED: Final = (
    "The text contradicts this: {H}.", "Does the text contradict that {h}?", "Is it false that {h}?",
        "It is false that {h}.",
    "It cannot be that {h}.", "The text rules out that {h}.", "Is this ruled out by the text? {H}.",
        "It is impossible that {h}.",
    'Does the claim "{H}" conflict with the text?', "If the text is true, it is not true that {h}.",
        "Wrong according to the text: {H}.",
    "Check whether the text denies that {h}.", '"{H}" is incompatible with the text.', "It is not the case that {h}.",
)  # fmt: skip
CONSISTENT: Final = (
    "It may be that {h}.", "Could it be that {h}?", "Is the text compatible with this? {H}.",
        "The text does not contradict this: {H}.",
    "It is possible that {h}.", "Nothing in the text rules out that {h}.", "No conflict with the text: {H}.",
        "Is it possible that {h}?",
)  # fmt: skip
UNKNOWN: Final = (
    "The text leaves open whether {h}.", "Is it unknown whether {h}?", "One cannot tell from the text whether {h}.",
    "The text neither confirms nor denies that {h}.", "There is too little information to say whether {h}.",
)  # fmt: skip
KNOWN: Final = (
    "The text settles whether {h}.", "Can one tell from the text whether {h}?",
        "The text either confirms or denies that {h}.",
    "There is enough information to say whether {h}.",
)  # fmt: skip
SUPPORT_CRITERIA: Final = (
    ("the text supports it", "the text does not support it"), ("entailed", "not entailed"), ("follows",
        "does not follow"),
    ("supported by the text", "contradicted or not mentioned"), ("correct", "wrong or unclear"),
        ("it follows from the text", "it does not follow"),
)  # fmt: skip
CONFLICT_CRITERIA: Final = (
    ("the text contradicts it", "the text does not contradict it"), ("contradiction", "entailment or neutral"),
    ("conflicts with the text", "agrees with the text or is not mentioned"), ("ruled out", "possible"),
)  # fmt: skip
ANSWERS: Final = (
    'Does the text answer the question "{H}"?', "The text answers this question: {H}",
        'Is the answer to "{H}" in the text?',
    'Can "{H}" be answered from the text?', "The passage contains the answer to: {H}",
        "Does the document help to answer this? {H}",
    "Answerable: {H}", "Is there enough information to answer this question? {H}",
        'Relevant answer to the question "{H}"',
    "Check whether the answer to the following is given. {H}", "One can find out from the text: {H}",
)  # fmt: skip
NO_ANSWER: Final = (
    "The text does not answer this question: {H}", 'Is "{H}" left unanswered?', 'The answer to "{H}" is missing.',
        "Unanswerable: {H}",
    'One cannot answer "{H}" from the text.', "Is there too little information to answer this? {H}",
        "The passage gives no answer to: {H}",
)  # fmt: skip
QUESTIONS: Final = (
    "{H}", "{H}", "{H}", "{H}", "{H}", "Answer from the text: {H}", "{H} Answer with yes or no.",
        "Based on these facts, {h}",
    "Given the passage: {H}", "Is the answer to this question yes? {H}", "Question: {H}",
        "The answer to this is yes: {H}",
    "Yes or no: {H}",
)  # fmt: skip
DENIED_QUESTIONS: Final = (
    "Is the answer to this question no? {H}", 'The answer to "{H}" is no.', 'Is "no" the right answer to this? {H}',
    "The text answers this with no: {H}", "Should this be answered in the negative? {H}", "The answer is not yes: {H}",
)  # fmt: skip
SAME: Final = (
    'Does it mean the same as "{H}"?', "This says the same as: {H}", 'Is "{H}" a paraphrase of the text?',
        "Same meaning: {H}",
    'The text and "{H}" are equivalent.', 'Could the text be reworded as "{H}"?', "Duplicate of: {H}",
        "Do the text and this ask the same? {H}",
)  # fmt: skip
DIFFERENT: Final = (
    'The meaning differs from "{H}".', 'Does it mean something other than "{H}"?',
        '"{H}" is not a paraphrase of the text.',
    "Not the same as: {H}", 'The text and "{H}" are about different things or say different things.',
)  # fmt: skip
