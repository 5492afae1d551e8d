"""Write what the examples print into the pages of the documentation, after a change of the embedded checkpoint.

    python tools/refresh_docs.py                  every page
    python tools/refresh_docs.py docs/router.md   some

Outputs that still agree (see `tests/doc_pages.py`) are left as they are. Read the difference before you commit it: the
prose around an example may no longer be true.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from doc_pages import _BLOCK, NOT_RUN, same_output  # noqa: E402 - the path comes first

CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def refresh_python(page: Path) -> None:
    """Run the blocks of Python of a page in one namespace, and put what they print behind them."""
    namespace: dict[str, Any] = {"__name__": "page"}
    text = page.read_text(encoding="utf-8")

    def rerun(found: re.Match[str]) -> str:
        if found["mark"] == NOT_RUN + "\n":
            return found[0]
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(found["code"], str(page), "exec", dont_inherit=True), namespace)
        if found["output"] is None or same_output(printed.getvalue(), found["output"]):
            return found[0]
        return found[0].replace(found["output"], printed.getvalue())

    page.write_text(_BLOCK.sub(rerun, text), encoding="utf-8")


def refresh_console(page: Path) -> None:
    """Run the commands of a page; blocks share nothing, the commands of a block share a folder."""

    def rerun(found: re.Match[str]) -> str:
        block = found[0]
        with tempfile.TemporaryDirectory() as folder:
            for part in re.split(r"^\$ ", found[1], flags=re.MULTILINE)[1:]:
                command, _, output = part.partition("\n")
                env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
                line = ["bash", "-c", command]
                done = subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, check=False)
                if output and not same_output(done.stdout, output):
                    block = block.replace(output, done.stdout)
        return block

    page.write_text(CONSOLE.sub(rerun, page.read_text(encoding="utf-8")), encoding="utf-8")


def main() -> None:
    """Refresh the pages that are named, or all."""
    pages = [Path(name).resolve() for name in sys.argv[1:]] or [
        ROOT / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]
    for page in pages:
        if page.parent.name == "hooks":
            continue
        before = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            try:
                refresh_python(page)
                if page.name == "cli.md":
                    refresh_console(page)
            except Exception as failure:
                print(f"{page.relative_to(ROOT)}: {type(failure).__name__}: {failure}")
                continue
        if page.read_text(encoding="utf-8") != before:
            print(f"{page.relative_to(ROOT)}: refreshed")


if __name__ == "__main__":
    main()
