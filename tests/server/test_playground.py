"""The files of the playground: what they are served with, that they refer to nothing elsewhere, and their examples."""

import json
import re
from pathlib import Path

import pytest

import laya.server
from laya.presets import PRESETS, preset, state_field
from laya.server import load_settings
from laya.server.reading import Reader
from server_builders import client, fake_router

FOLDER = Path(laya.server.__file__).parent / "playground"
FILES = sorted(path.name for path in FOLDER.iterdir())
TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
ELSEWHERE = re.compile(r"""(?:https?:)?//[\w.]|\burl\(|@import|(?:src|href)="/""")
EXAMPLES = {example["name"]: example["body"] for example in json.loads((FOLDER / "examples.json").read_text("utf-8"))}


@pytest.fixture(scope="module")
def api():
    with client(fake_router(), ready=False, api_key="k", preload=False) as made:
        yield made


@pytest.mark.parametrize("name", ["", *FILES])
def test_a_file_needs_no_key_and_says_what_it_may_do(api, name):
    found = api.get(f"/playground/{name}")
    assert found.status_code == 200
    assert TYPES[Path(name or "index.html").suffix] in found.headers["content-type"]
    policy = dict(rule.split(" ", 1) for rule in found.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert {policy[f"{kind}-src"] for kind in ("script", "style", "img", "connect")} == {"'self'"}
    assert found.headers["referrer-policy"] == "no-referrer"
    assert found.headers["x-content-type-options"] == "nosniff"


def test_the_folder_is_reached_with_and_without_its_slash(api):
    assert api.get("/playground").url.path == "/playground/"
    assert api.get("/playground/nothing.js").status_code == 404
    assert api.get("/playground/../app.py").status_code == 404
    assert api.get("/playground/%2e%2e/app.py").status_code == 404


@pytest.mark.parametrize("name", FILES)
def test_a_file_refers_to_nothing_elsewhere(name):
    text = (FOLDER / name).read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
    code = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE) if name.endswith(".js") else text
    assert not ELSEWHERE.findall(code)


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".js")])
def test_a_script_makes_no_markup_from_text_and_keeps_nothing(name):
    text = (FOLDER / name).read_text("utf-8")
    sinks = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|localStorage|sessionStorage|cookie"
    )
    assert not re.findall(sinks, text)


def test_the_presets_are_those_of_the_library():
    found = {name.removeprefix("Preset: "): body for name, body in EXAMPLES.items() if name.startswith("Preset: ")}
    assert {name: body["questions"] for name, body in found.items()} == {name: preset(name) for name in PRESETS}
    assert {name: [*body["state"]] for name, body in found.items()} == {n: [state_field(preset(n))] for n in PRESETS}


@pytest.mark.parametrize("name", [name for name, body in EXAMPLES.items() if body["questions"]])
def test_an_example_is_a_good_request(name):
    _, problems = Reader(load_settings(), names=None).questions(EXAMPLES[name]["questions"])
    assert not problems
