"""Pages of the documentation, as tests read them: their code is run and its printed output compared."""

import contextlib
import io
import math
import re
from typing import NamedTuple

NOT_RUN = "<!-- not run -->"
_BLOCK = re.compile(
    rf"^(?P<mark>{NOT_RUN}\n)?```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```$)?",
    re.DOTALL | re.MULTILINE,
)
_NUMBER = re.compile(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?")
_BAR = re.compile("[█▉▊▋▌▍▎▏]+")
TOLERANCE = 0.02


class Block(NamedTuple):
    """A block of Python, and the block of text right after it, if there is one."""

    code: str
    output: str | None
    runs: bool


def read_blocks(text):
    """Every block of Python of a page."""
    return [Block(found["code"], found["output"], found["mark"] is None) for found in _BLOCK.finditer(text)]


def run_page(page):
    """Run the blocks of a page in one namespace.

    Yields:
        What each block that is run prints, and what the page says that it prints (None where it says nothing).
    """
    namespace = {"__name__": "page"}
    for block in read_blocks(page.read_text(encoding="utf-8")):
        if block.runs:
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                exec(compile(block.code, str(page), "exec"), namespace)  # noqa: S102 - our own pages
            yield printed.getvalue(), block.output


def same_output(printed, wanted):
    """Whether two outputs agree: texts exactly, decimal fractions nearly, bars and spacing not at all."""
    texts = [_NUMBER.sub("#", " ".join(_BAR.sub(" ", text).split())) for text in (printed, wanted)]
    numbers = [[float(number) for number in _NUMBER.findall(text)] for text in (printed, wanted)]
    return texts[0] == texts[1] and all(map(_near, *numbers))


def _near(a, b):
    # a percentage is a hundred times as coarse as a share
    return math.isclose(a, b, abs_tol=TOLERANCE * (100 if max(abs(a), abs(b)) > 1.0 else 1))
