"""The playground in a real browser, against a running server."""

import ast
import json
import os
import re
import shutil
import urllib.request

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playground_page import Page, contrast, execute, luminance

from fuzzing import examples
from server_builders import ENOUGH, Running, fake_router

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and os.environ.get("CI") != "true",
    reason="no browser: needs chromium and chromedriver (Debian: chromium, chromium-driver)",
)

KEY = "key of a test"
NASTY = (
    "it's \"quoted\" \\n `id` $(id) $HOME %s ! \t tab\nJSON\nEOF\n' ''' \"\"\" {x} "
    "é 漢字 🎈 \u2028 \x00 \x7f </script><!--"
)
ATTACK = "<img src=x onerror=\"document.title='attacked'\">"
QUESTIONS = {
    "refund": {"type": "noul", "instructions": "Money back?"},
    "team": {"type": "choice", "instructions": "Which team?", "criteria": {"10": "ten", "b": None, "2": "two"}},
    "anger": {"type": "score", "instructions": "How angry?", "criteria": ["calm", "cross", "furious"]},
}


@pytest.fixture(scope="module")
def server():
    with fake_router() as router, Running(router) as running:
        yield running


@pytest.fixture(scope="module")
def locked():
    with fake_router() as router, Running(router, api_key=KEY.replace(" ", "-")) as running:
        yield running


@pytest.fixture(scope="module")
def driver():
    assert CHROMIUM, "CI tests the playground, so it needs chromium"
    assert DRIVER, "CI tests the playground, so it needs chromedriver (Debian: chromium-driver)"
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # containers run the tests as root, and have little shared memory
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1400,1000"):
        options.add_argument(argument)
    made = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    try:
        yield made
    finally:
        made.quit()


@pytest.fixture
def page(driver, server):
    made = Page(driver, server.url)
    yield made
    refused = [entry for entry in driver.get_log("browser") if entry["source"] not in {"network", "recommendation"}]
    assert not refused, "the console of the browser is empty"


def ask(server, body, key=None):
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    request = urllib.request.Request(f"{server.url}/v1/systemone", json.dumps(body).encode(), headers)  # noqa: S310 - ours
    with urllib.request.urlopen(request, timeout=ENOUGH) as answer:  # noqa: S310 - ours
        return json.load(answer)


def percent(p):
    return f"{p * 100:.1f} %"


def near(bars):
    return [(label, text, pytest.approx(float(text.split()[0]), abs=0.06)) for label, text in bars]


# -- answers ---------------------------------------------------------------------------------------------------------


def test_a_mixed_request_is_run_by_a_key_and_drawn(page, server):
    from selenium.webdriver.common.keys import Keys

    page.fill("I was charged twice", QUESTIONS)
    page.one("#state-text").send_keys(Keys.CONTROL, Keys.ENTER)
    page.until(lambda: page.all(".answer"))
    wanted = ask(server, {"state": "I was charged twice", "questions": QUESTIONS})
    noul, team, anger = (wanted["answers"][name] for name in QUESTIONS)
    assert page.bars("refund") == near([("yes", percent(noul["noul"])), ("no", percent(1 - noul["noul"]))])
    ranked = sorted(team["probabilities"].items(), key=lambda item: -item[1])
    assert page.bars("team") == near([(label, percent(p)) for label, p in ranked])
    assert page.bars("anger") == near([(level, percent(p)) for level, p in anger["probabilities"].items()])
    headlines = page.texts(".headline")
    assert headlines == ["yes" if noul["noul"] >= 0.5 else "no", team["choice"], f"{anger['score']:.2f} of 2"]
    assert f"confidence {team['confidence']:.3f}" in page.texts(".answer[data-id=team] .chip")
    facts = dict(zip(page.texts(".facts dt"), page.texts(".facts dd"), strict=True))
    assert facts["Model"] == "english"
    assert wanted["x_routing"]["reason"] in facts["Why this model"]
    assert wanted["x_routing"]["reason_code"] in facts["Why this model"]
    assert facts["Read"].startswith(f"{wanted['usage']['input_tokens']} tokens")
    assert facts["Cut"] == "nothing"
    assert json.loads(page.js("return document.querySelector('.raw pre').textContent"))["answers"] == wanted["answers"]


def test_what_is_cut_and_what_is_unsure_is_told(page):
    page.fill("very long " * 3000, QUESTIONS)
    page.one("#options summary").click()
    page.write(page.one("#min-confidence"), "1")
    page.run()
    assert re.fullmatch(
        r"[\d,]+ tokens of [\d,]+ of the state were not read \(refund, team, anger\)", page.one(".cuts").text
    )
    assert page.texts(".chip.low") == ["unsure: below 1"] * 3
    page.run("plan")
    assert page.one(".verdict").text == "Something would be cut."
    assert page.texts(".costs tbody th") == list(QUESTIONS)
    page.select(page.one("#truncation"), "refuse it")
    assert page.all("#results.old"), "an answer to another request is marked"
    page.run()
    assert page.texts(".failure .path") == ["state"]
    assert not page.all("#results.old")


def test_many_options_are_folded(page):
    page.fill("x", {"q": {"type": "choice", "instructions": "Which?", "criteria": [f"o{i}" for i in range(40)]}})
    page.run()
    assert page.one(".rest summary").text == "28 more"
    assert len(page.bars("q")) == 40


# -- form and JSON ---------------------------------------------------------------------------------------------------


def test_the_form_writes_the_json(page):
    page.select(page.one("#examples"), "Nothing")
    page.until(lambda: page.json == {})
    for kind in ("noul", "choice", "score"):
        page.one(f"[data-add={kind}]").click()
    noul, choice, score = page.all(".card")
    noul.find_element("css selector", ".instructions").send_keys("Is it?")
    noul.find_elements("css selector", ".sides textarea")[0].send_keys("so")
    for element, text in zip(choice.find_elements("css selector", ".option :is(input, textarea)"), "aAb", strict=False):
        element.send_keys(text)
    for element, text in zip(score.find_elements("css selector", ".option textarea"), ("low", "high"), strict=True):
        element.send_keys(text)
    assert page.json == {
        "is_it": {"type": "noul", "instructions": "Is it?", "criteria": {"true": "so"}},
        "which": {"type": "choice", "criteria": {"a": "A", "b": None}},
        "how_much": {"type": "score", "criteria": ["low", "high"]},
    }
    choice.find_element("css selector", ".add-row").click()
    page.all(".card")[1].find_elements("css selector", ".option input")[2].send_keys("c")
    page.all(".card")[1].find_elements("css selector", ".option .remove")[0].click()
    page.all(".card")[0].find_element("css selector", ".down").click()
    assert [*page.json] == ["which", "is_it", "how_much"]
    assert page.json["which"]["criteria"] == {"b": None, "c": None}
    page.select(page.all(".card")[2].find_element("css selector", "select"), "choice")
    assert page.json["how_much"] == {"type": "choice", "criteria": {"low": None, "high": None}}
    page.all(".card")[1].find_element("css selector", ".card-tools .remove").click()
    assert [*page.json] == ["which", "how_much"]
    assert page.one("#question-count").text == "2"


def test_the_json_writes_the_form(page):
    page.switch("questions-mode", "json")
    page.write(page.one("#questions-json"), json.dumps(QUESTIONS))
    page.switch("questions-mode", "form")
    assert page.js("return [...document.querySelectorAll('.card .id')].map(e => e.value)") == list(QUESTIONS)
    labels = page.js("return [...document.querySelectorAll('.card .option > input')].map(e => e.value)")
    assert labels == ["10", "b", "2"], "in the order in which they were written"


def test_what_the_form_cannot_show_is_kept(page):
    odd = {
        "a": {"type": "noul", "instructions": {"ask": [1.0, 1e400]}, "labels": {"true": "ja", "false": "nein"}},
        "b": {"type": "box", "instructions": "Where?"},
        "c": {
            "type": "choice",
            "instructions": "Which?",
            "criteria": {"x": {"deep": True}, "y": None},
            "option_order": [1, 0],
        },
        "d": 5,
    }
    text = json.dumps(odd).replace("Infinity", "1e400")
    page.write(page.one("#questions-json"), text)
    page.all(".card .id")[0].send_keys("2")
    assert page.json == {"a2": odd["a"], **{name: odd[name] for name in "bcd"}}
    assert "[1.0, 1e400]" in page.value("#questions-json"), "numbers keep their digits"
    assert len(page.all(".opaque")) == 2


def test_json_that_is_not_valid_is_told_with_its_place(page):
    before = page.json
    page.switch("questions-mode", "json")
    page.write(page.one("#questions-json"), '{\n  "a": {"type": "noul"},\n  "a": é\n}')
    assert page.one("#questions-problem p").text == 'Line 3, column 3: the key "a" is there twice'
    page.write(page.one("#questions-json"), '{\n  "é": {"type" "noul"}\n}')
    assert page.one("#questions-problem p").text == "Line 2, column 16: a colon should be here, not '\"'"
    page.one("#questions-problem button").click()
    assert page.js("return document.activeElement.selectionStart") == 17
    page.run()
    assert page.one(".failure li").text.startswith("Questions: line 2, column 16: a colon")
    page.switch("questions-mode", "form")
    assert page.all("#questions-form[inert]")
    page.one("#undo-json").click()
    assert page.json == before
    assert not page.all("#questions-form[inert]")


def test_ids_and_labels_that_are_there_twice_are_told(page):
    page.write(page.one("#questions-json"), json.dumps(QUESTIONS))
    before = page.json
    first = page.all(".card .id")[0]
    page.write(first, "team")
    assert page.texts(".card > .problem")[1] == 'The id "team" is there twice.'
    assert page.json == before
    page.run()
    assert page.one(".failure li").text == 'Questions: The id "team" is there twice.'
    page.write(first, " ")
    assert page.texts(".card > .problem")[0] == "A question needs an id."
    page.write(first, "teams")
    page.write(page.all(".card .option > input")[0], "b")
    assert page.texts(".card > .problem")[1] == 'The label "b" is there twice.'
    page.write(page.all(".card .option > input")[0], "bb")
    assert [*page.json["team"]["criteria"]] == ["bb", "b", "2"]
    assert not [text for text in page.texts(".card > .problem") if text]


def test_a_state_goes_through_its_three_forms(page):
    turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello\n"}]
    page.switch("state-mode", "json")
    page.write(page.one("#state-json"), json.dumps(turns))
    page.switch("state-mode", "chat")
    assert len(page.all(".turn")) == 2
    page.one("#add-turn").click()
    page.driver.switch_to.active_element.send_keys("Bye")
    page.all(".turn .remove")[0].click()
    page.switch("state-mode", "json")
    wanted = [turns[1], {"role": "user", "content": "Bye"}]
    assert json.loads(page.value("#state-json")) == wanted
    page.switch("state-mode", "text")
    assert json.loads(page.value("#state-text")) == wanted
    page.switch("state-mode", "chat")
    assert page.js("return [...document.querySelectorAll('.turn textarea')].map(e => e.value)") == ["Hello\n", "Bye"]
    page.switch("state-mode", "text")
    page.write(page.one("#state-text"), "plain")
    page.switch("state-mode", "json")
    assert page.value("#state-json") == '"plain"'
    page.write(page.one("#state-json"), "{,}")
    assert page.one("#state-problem p").text.startswith("Line 1, column 2: a key in double quotes")


# -- errors and keys -------------------------------------------------------------------------------------------------


def test_what_the_server_refuses_is_told_with_its_path(page):
    page.fill("x", {**QUESTIONS, "odd": {"type": "choise"}, "bare": {"type": "score"}})
    page.run()
    assert page.one(".failure h3").text == "422 Unprocessable Entity invalid_question"
    assert page.texts(".failure .path") == ["questions.odd", "questions.bare"]
    told = [text for text in page.texts(".card > .problem") if text]
    assert len(told) == 2
    assert "unknown type 'choise'" in told[0]


def test_a_key_is_asked_for_used_and_kept_out_of_links_and_code(driver, locked, tmp_path):
    page = Page(driver, locked.url)
    page.run()
    assert page.one(".failure h3").text == "401 Unauthorized invalid_api_key"
    assert page.texts("#model option") == ["jev-latest"]
    key = KEY.replace(" ", "-")
    page.one("#key").send_keys(key)
    page.one("#run").click()
    page.until(lambda: page.all(".answer"))
    page.until(lambda: len(page.all("#model option")) > 1)
    assert page.texts("#model option")[0] == "jev-latest (server chooses)"
    page.one("#link").click()
    page.until(lambda: "#r=" in driver.current_url)
    assert key not in driver.page_source
    assert page.js("return [localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    for kind in ("curl", "sdk", "requests"):
        code = page.code(kind)
        assert key not in code
        assert "0." in execute(kind, code, tmp_path, TYPESAFE_API_KEY=key)


def test_a_server_that_is_gone_is_told(driver):
    with fake_router() as router:
        with Running(router) as running:
            page = Page(driver, running.url)
        page.run()
    assert page.one(".failure h3").text == "No answer"


# -- code and links --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "state", [NASTY, {NASTY: [NASTY, None, True, False, -1.5e-3]}, "x" * 300_000], ids=["text", "json", "long"]
)
def test_copied_code_asks_the_same(page, server, tmp_path, state):
    questions = {
        NASTY: {"type": "choice", "instructions": NASTY, "criteria": {NASTY: NASTY, "other": None}},
        "listed": {"type": "choice", "instructions": "Which?", "criteria": ["a", "b"]},
        "yes": {"type": "noul", "instructions": "Is it?", "criteria": {"true": NASTY}},
        "level": {"type": "score", "instructions": "How much?", "criteria": [NASTY, "high"]},
    }
    page.fill(state, questions)
    wanted = ask(server, {"state": state, "questions": questions})["answers"]
    for kind in ("curl", "requests"):
        assert json.loads(execute(kind, page.code(kind), tmp_path))["answers"] == wanted
    printed = execute("sdk", page.code("sdk"), tmp_path)
    assert all(str(wanted[name]["confidence"]) in printed for name in ("listed", "level"))
    assert str(wanted["yes"]["noul"]) in printed


def test_the_sdk_takes_questions_that_it_has_no_class_for_and_the_options(page, tmp_path):
    page.fill("x " * 5000, {"q": {"type": "noul", "instructions": "Is it?", "labels": {"true": "ja", "false": "nein"}}})
    page.one("#options summary").click()
    page.select(page.one("#truncation"), "read it in windows")
    code = page.code("sdk")
    assert 'extra_body={"x_truncation": "scan"}' in code
    assert "q" in execute("sdk", code, tmp_path)


def test_a_link_carries_the_request(page):
    page.fill({"k": NASTY, "n": [1.0]}, QUESTIONS)
    page.one("#options summary").click()
    page.select(page.one("#truncation"), "refuse it")
    page.select(page.one("#model"), "english")
    code = page.code("curl")
    page.one("#link").click()
    page.until(lambda: page.one("#said").text)
    fragment = "#" + page.driver.current_url.partition("#")[2]
    assert re.fullmatch(r"#r=[\w-]+", fragment)
    page.open(fragment)
    assert page.code("curl") == code
    assert not page.all(".answer"), "a link runs nothing"
    page.open(fragment[:-9])
    assert page.one("#notice").text == "The link cannot be read: it is damaged or was cut off."
    assert page.json, "the page starts as without a link"


# -- safety ----------------------------------------------------------------------------------------------------------


def test_markup_stays_text(page):
    questions = {
        ATTACK: {"type": "choice", "instructions": ATTACK, "criteria": {ATTACK: ATTACK, "b": None}},
        "s": {"type": "score", "instructions": ATTACK, "criteria": [ATTACK, "b"]},
        "n": {"type": "noul", "instructions": ATTACK, "labels": {"true": ATTACK, "false": "b"}},
    }
    page.fill(ATTACK, questions)
    page.run()
    assert ATTACK in page.js("return [...document.querySelectorAll('.bar-label')].map(e => e.firstChild.textContent)")
    assert ATTACK in page.texts(".answer h3")
    page.write(page.one("#questions-json"), json.dumps({ATTACK: {"type": ATTACK}}))
    page.run()
    assert any(ATTACK in text for text in page.texts(".failure li"))
    page.write(page.one("#questions-json"), f'{{"{ATTACK}')
    page.code("curl")
    assert page.driver.title == "laya playground"
    assert len(page.all("img")) == 1, "the icon of the page"


def test_nothing_leaves_the_origin(page, server):
    page.run()
    page.run("plan")
    page.one("#link").click()
    names = page.js("return performance.getEntriesByType('resource').map(entry => entry.name)")
    assert any(name.endswith("/v1/systemone") for name in names)
    assert not [name for name in names if not name.startswith(server.url)]
    script = "const done = arguments[0]; fetch('http://localhost:9/').then(() => done('sent'), () => done('refused'));"
    broken = "addEventListener('securitypolicyviolation', event => { window.broken = event.effectiveDirective; });"
    page.js(broken)
    assert page.driver.execute_async_script(script) == "refused"
    assert page.until(lambda: page.js("return window.broken")) == "connect-src"
    page.driver.get_log("browser")


# -- for everybody ---------------------------------------------------------------------------------------------------


def test_every_control_has_a_name(page):
    page.select(page.one("#examples"), "Conversation")
    page.until(lambda: page.all(".turn"))
    for summary in page.all("summary"):
        summary.click()
    controls = [control for control in page.all("button, input, select, textarea") if control.is_displayed()]
    assert len(controls) > 40
    assert not [control.get_attribute("outerHTML") for control in controls if not control.accessible_name.strip()]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read_in_light_and_dark(page, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    try:
        page.write(page.one("#questions-json"), json.dumps({**QUESTIONS, "odd": 5}))
        page.run()
        failure = contrast(page, ".failure h3", ".results")
        page.write(page.one("#questions-json"), json.dumps(QUESTIONS))
        page.run()
        pairs = {"h2": ".panel", ".field": ".panel", ".asked": ".results", ".headline": ".results", "#run": "#run"}
        found = {text: contrast(page, text, behind) for text, behind in {**pairs, ".bar-number": ".results"}.items()}
        assert min(failure, *found.values()) >= 4.5, found
        lightness = luminance(page, "body", "backgroundColor")
        assert lightness > 0.8 if scheme == "light" else lightness < 0.1
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


# -- the reading and writing of JSON ---------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=()), max_size=8)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
).map(lambda value: json.loads(json.dumps(value)))  # two halves of a character become it, so that no key is there twice
IN_BROWSER = """
const [url, texts, done] = arguments;
import(url).then(({ parse, compact, pretty, python }) => done(texts.map((text) => {
  try {
    const value = parse(text);
    return [compact(value), pretty(value), python(value)];
  } catch (error) {
    return error.line ? null : String(error);
  }
})));
"""
FEW = settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def in_browser(page, texts):
    return page.driver.execute_async_script(IN_BROWSER, f"{page.url}/playground/json.js", texts)


@given(st.lists(VALUES, min_size=1, max_size=10), st.sampled_from([None, 1]))
@FEW
def test_json_is_read_and_written_as_python_does(page, values, indent):
    for value, found in zip(values, in_browser(page, [json.dumps(v, indent=indent) for v in values]), strict=True):
        short, long, literal = found
        assert "\n" not in short
        wanted = json.dumps(value)
        assert [json.dumps(json.loads(text)) for text in (short, long)] == [wanted, wanted]
        assert json.dumps(ast.literal_eval(literal)) == wanted


def strict(text):
    def pairs(found):
        if len({name for name, _ in found}) < len(found):
            raise ValueError("a key is there twice")
        return dict(found)

    def constant(name):
        raise ValueError(name)

    return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)


@st.composite
def slips(draw):
    text = json.dumps(draw(VALUES), ensure_ascii=True)
    at = draw(st.integers(0, len(text)))
    inserted = draw(st.sampled_from([*'{}[]",:\\0-.e \n\tu', "", "NaN", "true", "\x01", "é", "1"]))
    return text[:at] + inserted + text[at + draw(st.integers(0, 2)) :]


@given(st.lists(slips(), min_size=1, max_size=20))
@FEW
def test_a_slip_in_json_is_found_where_python_finds_one(page, texts):
    for text, found in zip(texts, in_browser(page, texts), strict=True):
        try:
            wanted = strict(text)
        except ValueError:
            assert found is None, text
        else:
            assert isinstance(found, list), (text, found)
            assert json.dumps(json.loads(found[0])) == json.dumps(wanted)
