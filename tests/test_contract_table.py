"""`docs/contract.md` names tests that exist, and all of `tests/contract`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "contract.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([\w/]+\.py)::(\w+)`", PAGE))
FILES = {file for file, _ in NAMED} | set(re.findall(r"`([\w/]+\.py)`", PAGE.split("## Situations")[1]))


def names_in(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


def rows() -> list[list[str]]:
    """Cells of every row of every table, without the heads."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:1] == "|"]
    return [row for row in cells if row[0] not in {"rule", "situation"} and set(row[0]) != {"-"}]


def test_every_test_that_the_page_names_exists():
    known = {file: names_in(TESTS / file) if (TESTS / file).is_file() else set() for file, _ in NAMED}
    assert [f"{file}::{name}" for file, name in sorted(NAMED) if name not in known[file]] == []
    assert len(NAMED) > 100


def test_every_file_that_the_page_names_holds_tests():
    assert [file for file in sorted(FILES) if not ((TESTS / file).is_file() and names_in(TESTS / file))] == []


def test_every_test_of_the_contract_is_on_the_page():
    there = {
        (f"contract/{path.name}", name) for path in (TESTS / "contract").glob("test_*.py") for name in names_in(path)
    }
    assert sorted(there - NAMED) == []
    assert len(there) > 100


def test_every_row_names_a_test():
    assert len(rows()) > 100
    assert [row for row in rows() if len(row) != 2 or re.search(r"`[\w/]+\.py", row[1]) is None] == []


def test_every_case_file_is_on_the_page():
    assert {f"cases/{path.name}" for path in (TESTS / "cases").glob("test_*.py")} <= FILES
