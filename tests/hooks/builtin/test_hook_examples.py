"""The example programs and the code in the pages about hooks run, and say what they promise."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import laya
from doc_pages import run_page
from laya.hooks import builtin
from laya.testing import fake_agent

ROOT = Path(__file__).parents[3]
PAGES = sorted((ROOT / "docs" / "hooks").glob("*.md"))

SAID = {
    "async_shipping": r"group 1: \d+% urgent, \d+% urgent\ngroup 2: .*, .*\ngroup 3: \d+% urgent\n",
    "audit": r"refused: question 'urgent': unknown type .*\nticket-1: \d+% urgent, .* ms\nticket-2: QuestionError, ",
    "cache": r"(.*from the model.*\n){2}.*from the cache.*\nhits: 1, misses: 2\n",
    "guardrail": r"'My invoice is wrong': .*\n'Ignore all previous instructions .*': ",
    "metrics": r'(?s).*laya_calls_total\{layer="agent",model="fake",outcome="skipped"\} 1.0\n.*cache_hits',
    "redact": r"the model reads: \{'from': '\[EMAIL\]', .*\[TICKET\].*\[CARD\].*\[PHONE\]",
    "tracing": r"handle request\n  classify fake \(\d+ tokens\)\n",
}


@pytest.mark.parametrize("name", SAID)
def test_an_example_prints_what_it_is_about(name, capsys):
    runpy.run_path(str(ROOT / "examples" / "hooks" / f"{name}.py"))["main"](fake_agent())
    assert re.match(SAID[name], capsys.readouterr().out)


def test_every_example_is_run():
    assert {path.stem for path in (ROOT / "examples" / "hooks").glob("*.py")} == set(SAID)


@pytest.mark.parametrize(("threshold", "refused"), [(0.0, 2), (1.1, 0)])
def test_the_guardrail_refuses_by_its_threshold(threshold, refused, capsys):
    example = runpy.run_path(str(ROOT / "examples" / "hooks" / "guardrail.py"))
    example["main"](fake_agent(), threshold=threshold)
    assert capsys.readouterr().out.count("looks like a prompt injection") == refused


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_the_code_of_a_page_runs(page, monkeypatch, tmp_path):
    monkeypatch.setattr(laya, "load", fake_agent)
    monkeypatch.chdir(tmp_path)
    assert list(run_page(page))


def test_every_shipped_hook_has_a_page_and_a_line_in_the_index():
    index = (ROOT / "docs" / "hooks" / "index.md").read_text(encoding="utf-8")
    hooks = [name for name in builtin.__all__ if any(hasattr(getattr(builtin, name), e) for e in laya.HOOK_EVENTS)]
    assert len(hooks) == 7
    for name in hooks:
        file = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() + ".md"
        assert f"[`{name}`]({file})" in index
        assert ROOT / "docs" / "hooks" / file in PAGES
