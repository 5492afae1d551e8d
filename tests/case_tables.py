"""Tables of situations and the tests that show them, as the files of `cases` hold them."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent


def missing(table):
    """Tests of a table (situation to `path::name`, from the folder of tests) that do not exist."""
    named = [name for names in table.values() for name in names]
    return [name for name in named if name.partition("::")[2] not in _tests(name.partition("::")[0])]


def _tests(path):
    file = TESTS / path
    body = ast.parse(file.read_text(encoding="utf-8")).body if file.is_file() else []
    return {node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
