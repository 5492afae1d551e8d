"""Writers of yes/no questions: valid, balanced, repeatable, and right about what a denial turns round."""

import gzip
import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.sets import DATA, EVALUATED
from training.write import noul
from training.write.noul_acts import ACTS, CONCEPTS, others
from training.write.noul_ask import Clause, Concept, instructions, predicate, question
from training.write.noul_bind import Binding, compose
from training.write.noul_bind import draw as draw_bound
from training.write.noul_states import Item, wrap
from training.write.noul_surface import TESTS

from laya.questions import parse_questions

needs_data = pytest.mark.skipif(not DATA.exists(), reason="the training data is not beside the checkout")
READY = [writer for writer in noul.WRITERS if not writer.sources or DATA.exists()]
GLAD = Concept("glad", be=("glad",), clauses=("{A} = glad",), text=("the text",), author=("the author",))


def drawn(writer, seed, count=20):
    rng = Random(seed)
    return [writer.draw(rng) for _ in range(count)]


def word_count(state):
    return len((state if isinstance(state, str) else json.dumps(state)).split())


@needs_data
@pytest.mark.parametrize("writer", READY, ids=lambda writer: writer.name)
def test_examples_are_valid_questions_of_a_known_family(writer):
    for example in drawn(writer, 7):
        (parsed,) = parse_questions({"q": dict(example.question)})
        assert parsed.type == writer.kind == "noul"
        assert "{" not in parsed.instructions
        assert example.family in writer.families
        assert example.lang in writer.languages
        assert sum(example.target) == pytest.approx(1.0)
        assert len(example.target) == 2
        assert min(example.target) >= 0.0
        assert 0 < word_count(example.state) < 170


@needs_data
@pytest.mark.parametrize("writer", READY, ids=lambda writer: writer.name)
def test_equal_seeds_give_equal_examples(writer):
    assert drawn(writer, 3, 10) == drawn(writer, 3, 10)
    assert drawn(writer, 3, 10) != drawn(writer, 4, 10)


def test_only_single_words_of_a_concept_are_joined():
    be = ("rude", "an insult", "offensive language", "crude")
    said = {predicate(Random(seed), be) for seed in range(300)}
    assert said - set(be) == {"rude and crude", "rude or crude", "crude and rude", "crude or rude"}
    assert {predicate(Random(seed), ("rude", "an insult")) for seed in range(100)} == {"rude", "an insult"}


@needs_data
def test_no_state_is_a_text_of_the_evaluated_sets():
    barred = set()
    for name in EVALUATED:
        with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            barred.update(json.loads(line)["text"].strip().lower() for line in lines)
    for writer in READY:
        for example in drawn(writer, 11, 60):
            held = example.state if isinstance(example.state, list) else [example.state]
            texts = [value for one in held for value in (one.values() if isinstance(one, dict) else [one])]
            texts = [text for text in texts if text not in ("Hello", "Hi")]
            assert barred.isdisjoint(str(text).strip().lower() for text in texts)


@needs_data
def test_the_mix_is_balanced():
    rng = Random(5)
    shares = [writer.share for writer in READY]
    mix = [rng.choices(READY, shares)[0].draw(rng) for _ in range(3000)]
    assert 0.43 < sum(example.target[1] for example in mix) / len(mix) < 0.53
    negated = [example for example in mix if " not " in f" {example.question['instructions'].lower()} "]
    assert len(negated) > 200
    assert 0.38 < sum(example.target[1] for example in negated) / len(negated) < 0.58


def test_names_of_writers_and_their_families():
    names = [writer.name for writer in noul.WRITERS]
    families = {family for writer in noul.WRITERS for family in writer.families}
    assert len(names) == len(set(names))
    assert len(families) > 400
    assert all(family.startswith("noul/") for family in families)


@given(seed=st.integers(0, 10**6), name=st.sampled_from(sorted(CONCEPTS)), holds=st.booleans())
def test_a_denied_question_has_the_opposite_answer(seed, name, holds):
    item = Item("a text", "test")
    plain = compose(Random(seed), CONCEPTS[name], item, denied=False, holds=holds)
    turned = compose(Random(seed), CONCEPTS[name], item, denied=True, holds=holds)
    assert plain.target == pytest.approx(turned.target[::-1])
    assert (plain.target[1] > 0.5) == holds


@given(seed=st.integers(0, 10**6))
def test_denials_deny_and_plain_questions_do_not(seed):
    words = ("not", "n't", "false", "untrue", "wrong", "incorrect", "no ", "nothing", "unless", "cannot", "anything")
    words += ("nobody", "never", "other than", "opposite", "mistake", "fail to hold")
    asked = instructions(Random(seed), GLAD, denied=False).lower()
    turned = instructions(Random(seed), GLAD, denied=True).lower()
    neutral = ("true or false", "else false", "yes or no", "and no otherwise")
    for phrase in neutral:
        asked, turned = asked.replace(phrase, ""), turned.replace(phrase, "no " if "else true" in turned else "")
    assert not any(word in asked for word in words)
    assert any(word in turned for word in words)


@given(seed=st.integers(0, 10**6), denied=st.booleans())
def test_criteria_follow_the_polarity_of_the_question(seed, denied):
    concept = Concept("glad", be=("glad",), yes=("YES",), no=("NO",), unbe=("sad",))
    criteria = question(Random(seed), concept, denied).get("criteria", {})
    wrong = "YES" if denied else "NO"
    assert criteria.get("true") != wrong
    assert criteria.get("false") != ("NO" if denied else "YES")


@pytest.mark.parametrize(
    ("marked", "forms"),
    [
        ("it ~express joy", ("it expresses joy", "does it express joy", "it does not express joy")),
        ("she = late", ("she is late", "is she late", "she is not late")),
        ("it =can wait", ("it can wait", "can it wait", "it cannot wait")),
        ("there = a deadline", ("there is a deadline", "is there a deadline", "there is no deadline")),
        ("he ~deny it", ("he denies it", "does he deny it", "he does not deny it")),
        ("he ~stay", ("he stays", "does he stay", "he does not stay")),
    ],
)  # fmt: skip
def test_forms_of_a_clause(marked, forms):
    clause = Clause.of(marked)
    assert (clause.statement, clause.question, clause.denial) == forms


def test_a_clause_without_a_verb_is_refused():
    with pytest.raises(ValueError, match="no verb marked"):
        Clause.of("the text is glad")


def test_acts_are_far_from_those_that_may_stand_in_their_place():
    assert all(near in ACTS for act in ACTS.values() for near in act.near)
    for name in ACTS:
        assert len(others(name)) > 40
        assert not set(ACTS[name].near) & set(others(name))
    for act in ACTS.values():
        assert not set(act.says) & set(act.misses)


@pytest.mark.parametrize(
    ("name", "yes", "no", "unclear"),
    [
        ("number", "There are 3 of them.", "There are some of them.", "This one is blue."),
        ("counterfactual", "I wish it had a zoom.", "It has a zoom.", "It would work."),
        ("date", "It is due on May 4, 2021.", "It is due soon.", "It is due in May."),
        ("time", "We meet at 5 pm.", "We meet there.", "We meet in the morning."),
        ("money", "It costs $20.", "It costs nothing here.", "It is free."),
        ("question", "Where is it?", "It is there.", "where is it"),
        ("several_sentences", "It rained. We left.", "It rained all day.", "Mr. Brown left."),
        ("past", "We went home.", "We live here and like it, she says.", "He was told that it is late."),
        ("capitals", "STOP SHOUTING", "Stop shouting", "OK"),
    ],
)
def test_rules_leave_out_what_they_cannot_tell(name, yes, no, unclear):
    rule = TESTS[name]
    assert [rule(yes), rule(no), rule(unclear)] == [True, False, None]


@given(seed=st.integers(0, 10**6), text=st.from_regex(r"[a-z ]{5,40}", fullmatch=True))
def test_a_wrapped_state_holds_its_text(seed, text):
    state, noun = wrap(Random(seed), text)
    assert text in str(state)
    if isinstance(state, dict) and noun and noun.startswith("`"):
        assert state[noun.strip("`")] == text


@given(seed=st.integers(0, 10**6))
def test_certainty_of_the_pools_is_the_target(seed):
    bound = Binding(
        GLAD, lambda: (Item("yes text", "test"),), lambda: (Item("no text", "test"),), (0.1, 0.8), plain=True
    )
    example = draw_bound(Random(seed), bound)
    expected = (0.8, 0.2) if example.state == "yes text" else (0.1, 0.9)
    assert any(example.target[1] == pytest.approx(value) for value in expected)
