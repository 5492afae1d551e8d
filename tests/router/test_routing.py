"""Which checkpoint answers: the order of the rules, their reasons, what hooks may change, and the decision itself."""

import copy
import json
import pickle

import pytest

from laya.errors import ArgumentError, ArgumentTypeError, HookResultError
from laya.language import Guess
from laya.router import REASONS, WORKFLOWS, RouteDecision
from laya.testing import fake_agent
from router_builders import CHOICE, Calls, Recorder

Q = {"team": CHOICE}
ENGLISH = "Where is my invoice? I would like to talk to somebody about it, please."
GERMAN = "Ich habe zweimal bezahlt, bitte helfen Sie mir."
WORKFLOW = {name: {"type": "noul", "instructions": "Is it so?"} for name in WORKFLOWS["customer_service"]}
ALL = {"model": "a", "task": "b", "lang": "en", "lang_guess": "en"}


class Names:
    """A detector that always says the same, and remembers what it was shown."""

    languages = ("de", "en")

    def __init__(self, language, confidence=0.99):
        self.guess, self.texts = Guess(language, confidence), []

    def identify(self, text):
        self.texts.append(text)
        return self.guess


def route_hook(change):
    return Calls("on_route", change)


# -- precedence ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("without", "model", "code", "reason"),
    [
        ([], "a", "explicit_model", "explicit model='a'"),
        (["model"], "b", "explicit_task", "explicit task='b'"),
        (
            ["model", "task"],
            "typed-decisions",
            "workflow",
            "question ids match the 'customer_service' typed-decisions workflow",
        ),
        (["model", "task", "questions"], "english", "explicit_lang", "explicit lang='en'"),
        (
            ["model", "task", "questions", "lang"],
            "english",
            "lang_guess",
            "lang_guess: the caller identified this as English text",
        ),
        (
            ["model", "task", "questions", "lang", "lang_guess"],
            "multilingual",
            "router_lang_guess",
            "Router(lang_guess=...): the caller identified this as non-English text",
        ),
    ],
)
def test_rules_in_order_of_precedence(make, without, model, code, reason):
    router = make(auto_task_detection=True, lang_guess="fr")
    options = {key: value for key, value in ALL.items() if key not in without}
    decision = router.route(GERMAN, None if "questions" in without else WORKFLOW, **options)
    assert (decision.model, decision.reason_code, decision.reason) == (model, code, reason)
    assert decision.detection is None


@pytest.mark.parametrize("lang", [None, "", "und", "zxx", "mul", "C", "POSIX", " "])
def test_a_language_that_says_nothing_falls_through_to_the_next_rule(make, lang):
    router = make(lang_guess=lang)
    assert router.route(GERMAN, lang=lang, lang_guess=lambda state: lang).reason_code == "foreign_language"
    assert router.route(GERMAN, lang=lang, lang_guess="de").reason_code == "lang_guess"


REACHED = {
    "explicit_model": (ENGLISH, {"model": "a"}),
    "explicit_task": (ENGLISH, {"task": "a"}),
    "workflow": (ENGLISH, {"questions": WORKFLOW}),
    "explicit_lang": (ENGLISH, {"lang": "de"}),
    "lang_guess": (ENGLISH, {"lang_guess": "de"}),
    "router_lang_guess": ("use the router's guess", {}),
    "no_letters": ("12345 !?", {}),
    "non_latin_script": ("где мой счёт", {}),
    "foreign_script_segment": ("Hello, my order is late, can you tell me why?\n訂單在哪裡我要退款謝謝", {}),
    "foreign_language": (GERMAN, {}),
    "foreign_unnamed": ("zxcv qwrt", {}),
    "foreign_segment": (f"{ENGLISH * 4}\n{GERMAN}", {}),
    "undecided": ("brumf", {}),
    "english": (ENGLISH, {}),
    "on_route": (ENGLISH, {"hooks": [route_hook(lambda ctx: setattr(ctx, "decision", {"model": "a"}))]}),
}


DETECTED = {code for code in REASONS if code.startswith(("foreign", "no", "undecided", "english"))}


@pytest.mark.parametrize("code", sorted(REASONS))
def test_every_reason_code_can_be_reached_and_goes_to_its_checkpoint(make, code):
    state, options = REACHED[code]
    abstains = {"foreign_unnamed", "undecided"}
    router = make(
        auto_task_detection=True,
        lang_guess=lambda text: "fr" if text == "use the router's guess" else None,
        detector=Names(None, 0.0) if code in abstains else None,
        default="b",
    )
    decision = router.route(state, **options)
    assert decision.reason_code == code
    wanted = {
        "english": "english",
        "workflow": "typed-decisions",
        **dict.fromkeys(["explicit_model", "explicit_task", "on_route"], "a"),
        **dict.fromkeys(["no_letters", "undecided"], "b"),
    }
    assert decision.model == wanted.get(code, "multilingual")
    detected = code in DETECTED
    assert (decision.detection is not None) == detected


def test_the_foreign_part_of_an_english_state_is_named_in_the_reason(make):
    state, _ = REACHED["foreign_segment"]
    reason = make().route(state).reason
    assert "a line or field reads as 'de'" in reason
    assert GERMAN[:20] in reason


@pytest.mark.parametrize(
    ("task", "model"),
    [("typed_decisions", "typed-decisions"), (" Typed-Decisions ", "typed-decisions"), ("ml", "multilingual")],
)
def test_a_task_is_the_typed_workflows_or_a_checkpoint(make, task, model):
    decision = make().route("x", task=task)
    assert (decision.model, decision.reason) == (model, f"explicit task={task!r}")


@pytest.mark.parametrize("name", list(WORKFLOWS))
def test_workflows_are_found_by_their_exact_question_ids(make, name):
    ids = sorted(WORKFLOWS[name])
    questions = {qid: {"type": "noul", "instructions": "?"} for qid in ids}
    found = make(auto_task_detection=True).route(ENGLISH, questions)
    assert (found.workflow, found.reason_code) == (name, "workflow")
    off = make().route(ENGLISH, questions)
    assert (off.workflow, off.reason_code) == (name, "english")
    more = make(auto_task_detection=True).route(ENGLISH, {**questions, "more": questions[ids[0]]})
    assert (more.workflow, more.reason_code) == (None, "english")
    assert make().route(ENGLISH, questions, model="a").workflow is None


@pytest.mark.parametrize(
    ("lang", "model"),
    [("en", "english"), ("EN-us", "english"), ("en_GB.UTF-8", "english"), ("english", "english")]
    + [(code, "multilingual") for code in ["de", "pt-BR", "zh_Hant", "nb", "german", "sco"]],
)
def test_a_language_code_picks_the_checkpoint(make, lang, model):
    assert make().route(ENGLISH, lang=lang).model == model


@pytest.mark.parametrize("lang", ["zz", "e n", "not a code", "x", "12"])
def test_a_code_that_names_no_language_is_refused_wherever_it_comes_from(make, lang):
    for options in [{"lang": lang}, {"lang_guess": lang}, {"lang_guess": lambda state: lang}]:
        with pytest.raises(ArgumentError, match="is not a language code"):
            make().route(ENGLISH, **options)
    with pytest.raises(ArgumentError, match="is not a language code"):
        make(lang_guess=lang).route(ENGLISH)


def test_a_checkpoint_that_declares_a_language_is_chosen_for_it_and_the_last_one_wins(make):
    router = make()
    router.register("german", "somewhere", languages=["de", "nl"])
    router.register("alpine", "somewhere", languages=["de-AT"])
    assert router.route(GERMAN).model == "alpine"
    assert router.route(ENGLISH, lang="nl").model == "german"
    assert router.route(ENGLISH).model == "english"
    router.unregister("alpine")
    assert router.route(GERMAN).model == "german"
    router.register("plain", "somewhere", languages=["en"])
    assert router.route(ENGLISH).model == "plain"


# -- lang_guess and detectors -------------------------------------------------------------------------------------


def test_lang_guess_may_be_a_function_of_the_state(make):
    seen = []
    router = make(lang_guess=lambda state: seen.append(("router", state)))
    decision = router.route({"text": "x"}, lang_guess=lambda state: seen.append(("call", state)) or "de")
    assert decision.reason_code == "lang_guess"
    assert seen == [("call", {"text": "x"})]
    router.route({"text": "12"}, lang_guess=lambda state: None)
    assert seen[1:] == [("router", {"text": "12"})]


def test_a_lang_guess_that_raises_raises_out_of_the_call_and_no_hook_runs(make):
    log = []

    def broken(state):
        raise ZeroDivisionError

    router = make(hooks=[Recorder("A", log)])
    with pytest.raises(ZeroDivisionError):
        router.predict("x", Q, lang_guess=broken)
    assert log == []


def test_a_detector_of_ones_own_names_the_languages(make):
    detector = Names("de")
    decision = make(detector=detector).route("brumf")
    assert (decision.model, decision.detection["language"]) == ("multilingual", "de")
    assert detector.texts
    assert make(detector=Names("en")).route("brumf").model == "english"


def test_explain_adds_what_detection_looked_at(make):
    router = make()
    assert "diagnostic" not in router.route(GERMAN).detection
    assert router.route(GERMAN, explain=True).detection["diagnostic"]["reason"] == "foreign_language"
    (decision,) = router.route_batch([{"state": GERMAN, "questions": Q}], explain=True)
    assert decision.detection["diagnostic"]["stage"]


# -- route --------------------------------------------------------------------------------------------------------


def test_route_and_route_batch_load_nothing(make, factory):
    router = make()
    assert [router.route(text).model for text in [ENGLISH, GERMAN]] == ["english", "multilingual"]
    decisions = router.route_batch([{"state": text, "questions": Q} for text in [GERMAN, ENGLISH]])
    assert [decision.model for decision in decisions] == ["multilingual", "english"]
    assert factory.built == router.loaded == []


def test_route_takes_no_state_and_no_questions(make):
    assert make().route(None).reason_code == "no_letters"
    assert make().route(ENGLISH, None).workflow is None


@pytest.mark.parametrize("questions", [[], "q", 5, {("a", "b")}])
def test_route_refuses_questions_that_are_no_dict(make, questions):
    with pytest.raises(ArgumentTypeError, match="questions must be a dict or None"):
        make().route("x", questions)


def test_route_refuses_options_it_does_not_have(make):
    with pytest.raises(ArgumentTypeError, match="did you mean 'lang'"):
        make().route("x", langs="de")
    with pytest.raises(ArgumentTypeError, match="'max_len'"):
        make().route("x", max_len=5)


@pytest.mark.parametrize("name", ["nope", "", 5, "auto", "convaiinnovations/laya"])
def test_an_unknown_model_is_refused_with_the_known_ones(make, name):
    with pytest.raises(ArgumentError) as caught:
        make().route("x", model=name)
    assert str(caught.value).startswith(f"unknown model {name!r}; choose one of ['a', 'b', 'c', 'english'")


# -- on_route -----------------------------------------------------------------------------------------------------

BREAKS = {
    "no decision": lambda ctx: setattr(ctx, "decision", None),
    "a string": lambda ctx: setattr(ctx, "decision", "a"),
    "no model": lambda ctx: setattr(ctx, "decision", {"reason": "x"}),
    "model removed": lambda ctx: ctx.decision.pop("model"),
    "unknown model": lambda ctx: setattr(ctx, "decision", {"model": "nope"}),
    "a number": lambda ctx: setattr(ctx, "decision", {"model": 5}),
    "two states": lambda ctx: setattr(ctx, "states", ["x", "y"]),
    "no states": lambda ctx: ctx.states.clear(),
    "a string of states": lambda ctx: setattr(ctx, "states", "x"),
}


@pytest.mark.parametrize("breach", list(BREAKS))
def test_what_on_route_must_leave_is_checked_and_the_hook_is_named(make, factory, breach):
    router = make(hooks=[route_hook(BREAKS[breach])])
    for call in [
        lambda: router.route("x", Q, model="a"),
        lambda: router.predict("x", Q, model="a"),
        lambda: router.predict_batch([{"state": "x", "questions": Q, "model": "a"}]),
    ]:
        with pytest.raises(
            HookResultError, match=r"laya: hook Calls\.on_route left .*on_route must leave ctx.decision"
        ):
            call()
    assert factory.built == []


@pytest.mark.parametrize("breach", list(BREAKS))
def test_under_the_lenient_policy_the_decision_goes_back_to_what_it_was(make, breach):
    router = make(hooks=[route_hook(BREAKS[breach])], hooks_raise=False)
    with pytest.warns(RuntimeWarning, match=r"Calls\.on_route"):
        result = router.predict("x", Q, model="a")
    assert result["routing"]["model"] == "a"
    assert result["answers"] == fake_agent().predict("x", Q)["answers"]


def test_a_failing_on_route_hook_stops_the_later_ones(make):
    log = []

    def refuse(ctx):
        raise PermissionError("not today")

    router = make(hooks=[route_hook(refuse), Recorder("A", log)])
    with pytest.raises(PermissionError):
        router.route("x", Q)
    assert log == []


def test_a_plain_dict_with_a_model_is_completed(make):
    router = make(hooks=[route_hook(lambda ctx: setattr(ctx, "decision", {"model": " EN ", "note": 1}))])
    decision = router.route("x", Q)
    assert isinstance(decision, RouteDecision)
    assert dict(decision) == {
        "model": "english",
        "repo": "embedded/english",
        "reason": "decided by an on_route hook",
        "reason_code": "on_route",
        "detection": None,
        "workflow": None,
        "note": 1,
    }


def test_on_route_may_register_the_checkpoint_it_picks(make):
    def pick(ctx):
        ctx.router.register("fresh", "somewhere")
        ctx.decision = {"model": "fresh"}

    assert make(hooks=[route_hook(pick)]).predict("x", Q)["routing"]["repo"] == "somewhere"


def test_the_state_and_questions_that_on_route_sets_reach_the_prediction(make):
    spam = {"spam": {"type": "noul", "instructions": "Is it spam?"}}

    def redact(ctx):
        ctx.states = ["secret removed"]
        ctx.questions = spam

    seen = []
    router = make(hooks=[route_hook(redact)], on_predict_start=lambda ctx: seen.append((ctx.states, ctx.questions)))
    result = router.predict("my secret", Q, model="a")
    assert seen == [(["secret removed"], spam)]
    assert result["answers"] == fake_agent().predict("secret removed", spam)["answers"]


def test_on_route_sees_the_request_and_no_agent(make):
    seen = []
    router = make(hooks=[route_hook(seen.append)])
    router.route("x", Q, model="a")
    (ctx,) = seen
    assert (ctx.states, ctx.questions, ctx.router) == (["x"], Q, router)
    assert ctx.model is ctx.agent is None


# -- the decision -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, lambda d: d.copy(), lambda d: pickle.loads(pickle.dumps(d))]
)
def test_a_decision_is_copied_and_pickled_as_what_it_is(make, clone):
    decision = make().route(GERMAN)
    decision["note"] = ["mine"]
    other = clone(decision)
    assert type(other) is RouteDecision
    assert other == decision
    other.model = "b"
    assert decision.model == "multilingual"


def test_a_deep_copy_shares_nothing(make):
    decision = make().route(GERMAN)
    copy.deepcopy(decision).detection["language"] = "xx"
    assert decision.detection["language"] == "de"


def test_a_decision_is_a_dict_that_json_can_write_with_attributes(make):
    decision = make().route(GERMAN)
    assert json.loads(json.dumps(decision)) == decision
    assert list(decision) == ["model", "repo", "reason", "reason_code", "detection", "workflow"]
    for key, value in decision.items():
        assert getattr(decision, key) is value
    with pytest.raises(AttributeError, match="a route decision has no 'modle'; it has model, repo"):
        _ = decision.modle
