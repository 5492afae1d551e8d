import math
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from laya.errors import QuestionError, QuestionTypeError
from laya.questions import QuestionWarning, parse_questions

CHOICE = {"type": "choice", "instructions": "Which team?", "criteria": {"billing": "money", "tech": None, "other": ""}}
SCORE = {"type": "score", "instructions": "How bad?", "criteria": ["low", 2.5, {"d": "ü"}]}
NOUL = {"type": "noul", "instructions": "Is it spam?"}


def parse(definition, qid="q"):
    (question,) = parse_questions({qid: definition})
    return question


def test_choice_texts():
    question = parse(CHOICE | {"option_order": [2, 0, 1]})
    assert question.labels == question.names == ("billing", "tech", "other")
    assert question.options == ("billing: money", "tech", "other")
    assert question.descriptions == ("money", None, None)
    assert question.order == (2, 0, 1)
    assert (question.k, question.type_index) == (3, 0)


def test_choice_keeps_the_callers_labels_and_real_descriptions():
    question = parse(CHOICE | {"criteria": {1: 0, 2.5: False, False: ["a", {"b": 1}]}})
    assert question.labels == (1, 2.5, False)
    assert question.options == ("1: 0", "2.5: false", 'False: ["a", {"b": 1}]')
    assert parse(CHOICE | {"criteria": ["solo"]}).options == ("solo",)


def test_score_texts():
    question = parse(SCORE)
    assert question.labels == (0, 1, 2)
    assert question.options == ("level 0: low", "level 1: 2.5", 'level 2: {"d": "ü"}')
    assert question.names == ("low", "2.5", '{"d": "ü"}')
    assert question.order == (0, 1, 2)


def test_noul_texts():
    plain = parse(NOUL)
    assert plain.labels == (False, True)
    assert plain.options == ("false: no, the statement does not hold", "true: yes, the statement holds")
    assert plain.descriptions == (None, None)
    named = parse(NOUL | {"labels": {"false": " no ", "true": "ja"}, "criteria": {"TRUE": "it is", False: ""}})
    assert named.options == ("no: no, the statement does not hold", "ja: it is")
    assert named.names == ("no", "ja")
    assert named.descriptions == (None, "it is")


def test_instructions_may_be_json():
    assert parse(NOUL | {"instructions": {"task": "röute", "n": [1]}}).instructions == '{"task": "röute", "n": [1]}'
    assert parse(NOUL | {"instructions": 0}).instructions == "0"


def test_order_ids_and_no_questions():
    assert parse_questions({}) == []
    assert [question.id for question in parse_questions({"b": NOUL, "a": SCORE, 3: CHOICE})] == ["b", "a", 3]


@pytest.mark.parametrize("value", [None, [], "text", [("q", NOUL)]])
def test_questions_must_be_a_dict(value):
    with pytest.raises(QuestionTypeError) as caught:
        parse_questions(value)
    kind = type(value).__name__
    assert str(caught.value) == f"questions must be a dict of question id -> definition, got {kind}"


@pytest.mark.parametrize(
    ("qid", "message"),
    [
        (None, "question id must not be None"),
        ("", "question id must be a non-empty string, got ''"),
        ("  ", "question id must be a non-empty string, got '  '"),
        (True, "question id must be a non-empty string, got True"),
        (1.5, "question id must be a non-empty string, got 1.5"),
    ],
)
def test_ids_are_text_or_ints(qid, message):
    for questions in ({qid: NOUL}, {"a": NOUL, qid: NOUL}):
        with pytest.raises(QuestionError) as caught:
            parse_questions(questions)
        assert str(caught.value).startswith(message)


def test_ids_that_are_one_json_key_are_refused():
    with pytest.raises(QuestionError, match="question '1': the id is the same JSON key as the id 1"):
        parse_questions({1: NOUL, "1": NOUL})


ORDER_TEXT = "'option_order' must be a permutation of range(3) -- one slot per option, each option once -- got "
LABELS_TEXT = "noul labels must map exactly 'false' and 'true' to distinct non-empty strings"
REFUSED = [
    (7, "definition must be a dict, got int"),
    (CHOICE | {"critera": []}, "unknown key 'critera'; did you mean 'criteria'?"),
    (CHOICE | {"zzz": 1}, "unknown key 'zzz'; the keys are type, instructions, criteria, option_order, labels"),
    (CHOICE | {4: 1}, "unknown key 4; "),
    (CHOICE | {"type": "rank"}, "unknown type 'rank'; use one of ['choice', 'noul', 'score']"),
    (
        CHOICE | {"type": "Choice"},
        "unknown type 'Choice'; use one of ['choice', 'noul', 'score'] (types are lower case: 'choice')",
    ),
    (CHOICE | {"type": ["choice"]}, "unknown type ['choice']; use one of"),
    ({"instructions": "x"}, "unknown type None; use one of"),
    ({"type": "noul"}, "no 'instructions'; add the text the model should answer"),
    (NOUL | {"instructions": None}, "'instructions' must not be None; "),
    (NOUL | {"instructions": " \n"}, "'instructions' must not be empty; "),
    (NOUL | {"instructions": {}}, "'instructions' must not be empty; "),
    (NOUL | {"instructions": []}, "'instructions' must not be empty; "),
    (NOUL | {"instructions": ("a",)}, "'instructions' must be a string, dict, or list, got tuple"),
    (NOUL | {"instructions": b"a"}, "'instructions' must be a string, dict, or list, got bytes"),
    (NOUL | {"instructions": True}, "'instructions' must be a string, dict, or list, got bool"),
    (NOUL | {"instructions": math.nan}, "'instructions' must be a string, dict, or list, got nan"),
    (NOUL | {"instructions": [math.inf]}, "'instructions' cannot be written as JSON"),
    (NOUL | {"instructions": [{1, 2}]}, "'instructions' cannot be written as JSON"),
    (NOUL | {"instructions": "a \ud800"}, "'instructions' holds a lone surrogate"),
    (
        CHOICE | {"criteria": ("a", "b")},
        "a choice question takes 'criteria' as a dict of label -> description, or a list of labels",
    ),
    ({"type": "choice", "instructions": "x"}, "a choice question takes 'criteria' as a dict"),
    (CHOICE | {"criteria": {}}, "a choice question needs at least one criterion"),
    (CHOICE | {"criteria": []}, "a choice question needs at least one criterion"),
    (CHOICE | {"criteria": ["a", ["b"]]}, "choice label 1 is a list; "),
    (CHOICE | {"criteria": {("a",): 1}}, "choice label 0 is a tuple; "),
    (CHOICE | {"criteria": [None, "b"]}, "choice label 0 is null; "),
    (CHOICE | {"criteria": [math.nan, "b"]}, "choice label 0 is nan"),
    (CHOICE | {"criteria": ["a", " "]}, "choice label 1 is blank"),
    (CHOICE | {"criteria": {"a": None, "": None}}, "choice label 1 is blank"),
    (CHOICE | {"criteria": ["a", "b", "a"]}, "choice label 2 ('a') repeats label 0; "),
    (CHOICE | {"criteria": [1, True]}, "choice label 1 (True) repeats label 0; "),
    (CHOICE | {"criteria": [1, "1"]}, "choice label 1 ('1') is the same JSON key as label 0 (1)"),
    (
        CHOICE | {"criteria": {"true": None, True: None}},
        "choice label 1 (True) is the same JSON key as label 0 ('true')",
    ),
    (CHOICE | {"criteria": {"1.0": None, 1.0: None}}, "choice label 1 (1.0) is the same JSON key as label 0 ('1.0')"),
    (CHOICE | {"criteria": ["a\udfff"]}, "choice label 0 holds a lone surrogate"),
    (CHOICE | {"criteria": {"a": [math.nan]}}, "the description of label 'a' cannot be written as JSON"),
    (CHOICE | {"criteria": {"a": {(1,): 2}}}, "the description of label 'a' cannot be written as JSON"),
    (
        SCORE | {"criteria": {"a": 1}},
        "a score question takes 'criteria' as a list of level descriptions, index 0 first",
    ),
    (SCORE | {"criteria": []}, "a score question needs at least one level"),
    (SCORE | {"criteria": ["a", None]}, "score level 1 is null; give every level a description, index 0 first"),
    (SCORE | {"criteria": [math.nan]}, "score level 0 cannot be written as JSON"),
    (SCORE | {"criteria": ["\ud800"]}, "score level 0 holds a lone surrogate"),
    (
        NOUL | {"criteria": ["a"]},
        "a noul question takes 'criteria' as a dict with optional 'true'/'false' descriptions, or omits it",
    ),
    (NOUL | {"criteria": {"yes": 1, "no": 2}}, "noul criteria keys must be 'true' and 'false', got ['no', 'yes']"),
    (NOUL | {"criteria": {True: "a", "true": "b"}}, "noul criteria keys True and 'true' both mean 'true'"),
    (NOUL | {"criteria": {"FALSE": "a", "false": "b"}}, "noul criteria keys 'FALSE' and 'false' both mean 'false'"),
    (CHOICE | {"option_order": None}, ORDER_TEXT + "None"),
    (CHOICE | {"option_order": [0, 1]}, ORDER_TEXT + "[0, 1]"),
    (CHOICE | {"option_order": [0, 1, 1]}, ORDER_TEXT + "[0, 1, 1]"),
    (CHOICE | {"option_order": [0, True, 2]}, ORDER_TEXT + "[0, True, 2]"),
    (CHOICE | {"option_order": [0.0, 1, 2]}, ORDER_TEXT),
    (CHOICE | {"option_order": "012"}, ORDER_TEXT),
    (CHOICE | {"labels": {"false": "a", "true": "b"}}, "'labels' is only supported for noul questions"),
    (NOUL | {"labels": ["a", "b"]}, LABELS_TEXT),
    (NOUL | {"labels": {"false": "a"}}, LABELS_TEXT),
    (NOUL | {"labels": {"false": "a", "true": "b", "x": "c"}}, LABELS_TEXT),
    (NOUL | {"labels": {"false": "a", "true": " a "}}, LABELS_TEXT),
    (NOUL | {"labels": {"false": " ", "true": "b"}}, LABELS_TEXT),
    (NOUL | {"labels": {"false": 1, "true": "b"}}, LABELS_TEXT),
]


@pytest.mark.parametrize(("definition", "problem"), REFUSED)
def test_a_broken_definition_is_refused_with_its_id(definition, problem):
    for _ in range(2):  # a refusal is not remembered as anything else
        with pytest.raises(QuestionError) as caught:
            parse_questions({"good": NOUL, "it's": definition})
        assert str(caught.value).startswith(f'question "it\'s": {problem}')
        assert caught.value.question == "it's"


def test_what_the_format_allows_stays_allowed():
    assert parse(SCORE | {"criteria": ["only"]}).k == 1
    assert parse(SCORE | {"criteria": ["", "x"]}).options == ("level 0: ", "level 1: x")
    assert parse(NOUL | {"labels": None, "criteria": None}).names == ("false", "true")
    assert parse(NOUL | {"option_order": (1, 0)}).order == (1, 0)
    assert parse(CHOICE | {"criteria": {"a": object}}).options == ("a: \"<class 'object'>\"",)


@pytest.mark.parametrize(
    ("definition", "problem"),
    [
        (CHOICE | {"criteria": ["Warn", "other", "warn "]}, "labels 'Warn' and 'warn ' differ only in case"),
        (SCORE | {"criteria": ["low", "mid", "Low"]}, "score levels 0 and 2 have the same description"),
    ],
)
def test_probable_mistakes_warn_once_while_remembered(definition, problem):
    qid = f"warned {problem}"
    with pytest.warns(QuestionWarning) as caught:
        parse(definition, qid)
    assert str(caught[0].message).startswith(f"question {qid!r}: {problem}")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse(definition, qid)


def test_a_remembered_definition_is_the_same_question():
    first = parse(CHOICE, "memory")
    assert parse(dict(CHOICE), "memory") is first
    assert parse(CHOICE, "another id").id == "another id"


def test_a_mutated_definition_is_read_again():
    definition = {"type": "choice", "instructions": "x", "criteria": ["a"]}
    assert parse(definition).options == ("a",)
    definition["criteria"].append("b")
    assert parse(definition).options == ("a", "b")


def test_equal_but_different_labels_are_not_confused():
    kinds = [parse(CHOICE | {"criteria": [label, "x"]}).labels[0] for label in (1, True, 1.0, "1", "True")]
    assert [type(kind) for kind in kinds] == [int, bool, float, str, str]


def test_ids_of_another_type_are_not_confused():
    assert [type(parse(NOUL, qid).id) for qid in (1, "1", 1)] == [int, str, int]


def test_odd_content_is_parsed_every_time():
    class Text(str):
        __slots__ = ()

    definition = NOUL | {"instructions": Text("subclass")}
    question = parse(definition, "odd")
    assert question.key is None
    assert parse(definition, "odd") is not question


def test_threads_agree():
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda i: parse(CHOICE | {"instructions": f"t{i % 3}"}, "t").instructions, range(60)))
    assert found == [f"t{i % 3}" for i in range(60)]
