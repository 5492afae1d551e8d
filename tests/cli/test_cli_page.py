"""The page of the command line is true: its examples run, and print what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from doc_pages import same_output
from laya.cli.app import _WORDS, FAILED, INTERRUPTED, READER_GONE

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BLOCKS = re.findall(r"^```console\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def steps(block):
    """Commands of a block, each with the output that is shown after it."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0][2:40])
def test_the_examples_run_and_print_what_the_page_says(block, tmp_path):
    script = tmp_path / "bin" / "laya"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m laya "$@"\n')
    script.chmod(0o755)
    env = {**os.environ, "PATH": f"{script.parent}:{os.environ['PATH']}", "PYTHONIOENCODING": "utf-8"}
    for command, wanted in steps(block):
        line = ["bash", "-euo", "pipefail", "-c", command]
        done = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, timeout=120, check=False)  # noqa: S603 - our own page
        assert done.returncode == 0, (command, done.stderr.decode())
        assert not wanted or same_output(done.stdout.decode(), wanted), done.stdout.decode()


def test_every_command_and_exit_code_is_on_the_page():
    text = PAGE.read_text(encoding="utf-8")
    assert [word for word in _WORDS if f"| `laya {word}` |" not in text] == []
    assert re.findall(r"^\| (\d+) \|", text, re.MULTILINE) == [
        "0", "1", str(FAILED), str(INTERRUPTED), str(READER_GONE)
    ]  # fmt: skip
