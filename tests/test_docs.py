"""The documentation is true: its code runs and prints what it says, its links lead somewhere, its tables are whole."""

import re
from pathlib import Path

import pytest

import laya
from doc_pages import read_blocks, run_page, same_output
from laya.router import REASONS

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = [page for page in PAGES if page.parent.name != "hooks" and "```python" in page.read_text(encoding="utf-8")]
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)(?:#([^)\s]*))?\)")


def name_of(page):
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", RUN, ids=name_of)
def test_the_code_of_a_page_prints_what_the_page_says(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for printed, wanted in run_page(page):
        assert wanted is not None or not printed, f"the page does not show the output:\n{printed}"
        assert wanted is None or same_output(printed, wanted), printed


def test_the_first_example_is_run():
    blocks = read_blocks((ROOT / "README.md").read_text(encoding="utf-8"))
    assert blocks[0].runs
    assert blocks[0].output


@pytest.mark.parametrize(
    ("printed", "same"),
    [
        ("refund  0.98 of 3 ███▍", True),
        ("refund  0.99 of 3 ██", True),
        ("refund  0.91 of 3 ███▍", False),
        ("refund  0.98 of 4 ███▍", False),
        ("bug  0.98 of 3 ███▍", False),
        ("refund of 3", False),
    ],
)
def test_outputs_may_differ_in_the_last_digits_alone(printed, same):
    assert same_output(printed, "refund 0.98 of 3 ███▍\n") is same


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CHANGELOG.md", ROOT / "benchmarks" / "README.md"], ids=name_of)
def test_every_relative_link_leads_to_a_file(page):
    broken = [
        target for target, _ in LINK.findall(page.read_text(encoding="utf-8")) if not (page.parent / target).exists()
    ]
    assert not broken


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = [page.relative_to(ROOT / "docs").as_posix() for page in PAGES[1:]]
    assert not [page for page in pages if page.count("/") == 0 and page != "index.md" and f"({page})" not in index]


def test_every_public_name_is_in_the_documentation():
    words = set(re.findall(r"\w+", "\n".join(page.read_text(encoding="utf-8") for page in PAGES)))
    assert not [name for name in laya.__all__ if name not in words]


def test_the_table_of_reasons_is_that_of_the_code():
    text = (ROOT / "docs" / "router.md").read_text(encoding="utf-8")
    table = text.split("| `reason_code` | |", 1)[1].split("\n\n", 1)[0]
    assert dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", table, re.MULTILINE)) == dict(REASONS)


def test_the_readme_fits_a_few_screens():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 120
