"""The examples of the page about the server, as they are there but for the address of the server."""

import contextlib
import io
import re

import pytest
from client_adapters import JS_FOLDER, needs_js, run_node

from doc_pages import read_blocks
from server_builders import Running

ADDRESS = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def server():
    """A server that takes any key."""
    with Running() as running:
        yield running


@pytest.fixture(scope="module")
def page(pytestconfig):
    return (pytestconfig.rootpath / "docs" / "server.md").read_text(encoding="utf-8")


def run_python(page, server, word):
    (code,) = [block.code for block in read_blocks(page) if word in block.code]
    assert ADDRESS in code
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code.replace(ADDRESS, server.url), "server.md", "exec"), {})  # noqa: S102 - our own page
    return printed.getvalue().split()


def test_the_examples_in_python_have_the_same_answers(page, server):
    model, refund, team = run_python(page, server, "typesafe_sdk")
    assert (model, team) == ("english", "billing")
    assert run_python(page, server, "openai") == [model, refund]


@pytest.mark.skipif(bool(needs_js()), reason=needs_js() or "it can run")
def test_the_example_in_javascript_has_the_answers_of_the_one_in_python(page, server):
    (code,) = re.findall(r"^```js\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert ADDRESS in code
    # the package is found from the folder of the script, so the script is given as text in that folder
    printed = run_node("--input-type=module", code.replace(ADDRESS, server.url), folder=JS_FOLDER)
    assert printed.split() == run_python(page, server, "typesafe_sdk")
