"""Results for the eye: in a terminal, in a notebook, or as a fragment of HTML.

Payloads stay plain dicts. `print_result` writes one to a terminal; `Pretty` wraps one so that rich consoles, the
interactive prompt and notebooks show it well. Numbers are rounded here and nowhere else.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Final, TextIO, cast

from rich.console import Console, Group
from rich.constrain import Constrain
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from laya.errors import ArgumentTypeError

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderableType, RenderResult

_WIDTH: Final = 80
_WIDTH_MAX: Final = 100
_LABEL_MAX: Final = 26
_BAR_MAX: Final = 40
_ROWS_MAX: Final = 10
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"
_HTML_BAR: Final = "background:#4c78a8;height:0.7em;display:inline-block"


@dataclass(frozen=True, slots=True)
class _Row:
    """One option: its label, its probability, and whether it is the answer."""

    label: str
    probability: float
    chosen: bool


@dataclass(frozen=True, slots=True)
class _Block:
    """What is shown of one question."""

    title: str
    answer: str
    note: str
    rows: tuple[_Row, ...] = ()
    rest: str = ""


@dataclass(frozen=True, slots=True)
class _Bar:
    """A horizontal bar in eighths of a cell, or of # where the terminal has only ASCII."""

    share: float
    style: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, _BAR_MAX)
        eighths = round(self.share * width * 8)
        if options.ascii_only:
            yield Segment("#" * round(self.share * width), Style.parse(self.style))
        else:
            yield Segment("█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip(), Style.parse(self.style))

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(4, min(options.max_width, _BAR_MAX))


class _Lossy:
    """A text file that replaces what its encoding cannot carry: a label must not break the printing of a result."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.encoding = getattr(file, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        return self._file.write(text.encode(self.encoding, "replace").decode(self.encoding))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def render(
    result: Mapping[str, Any],
    *,
    question_text: Mapping[Any, str] | None = None,
    elapsed_ms: float | None = None,
) -> RenderableType:
    """A rich renderable of one result: per question its answer, confidence and a bar for each option.

    Choices are sorted by probability and cut after ten options; score levels keep their order.

    Args:
        result: what `predict` returned.
        question_text: question id to the text shown under the id, such as the instructions.
        elapsed_ms: duration to show in the last line, in milliseconds.

    Raises:
        ArgumentTypeError: `result` is not a result.
    """
    texts = question_text or {}
    parts: list[RenderableType] = []
    blocks = {key: _block(key, answer) for key, answer in _answers(result).items()}
    width = _label_width(blocks.values())
    for key, block in blocks.items():
        parts.append(_heading(block, width))
        if key in texts:
            parts.append(Text("  " + _line(texts[key]), style="dim", no_wrap=True, overflow="ellipsis"))
        if block.rows:
            parts.append(_bars(block, width))
        parts.append(Text())
    parts.append(Text(_footer(result, elapsed_ms), style="dim"))
    return Constrain(Group(*parts), _WIDTH_MAX)


def print_result(
    result: Mapping[str, Any],
    elapsed_ms: float | None = None,
    file: TextIO | None = None,
    *,
    question_text: Mapping[Any, str] | None = None,
) -> None:
    """Print one result; colour appears only when `file` (default: standard output) is a terminal.

    Args:
        result: what `predict` returned.
        elapsed_ms: duration to show, in milliseconds.
        file: where to write.
        question_text: question id to the text shown under the id.

    Raises:
        ArgumentTypeError: `result` is not a result.
    """
    console = Console(file=cast("TextIO", _Lossy(file or sys.stdout)), highlight=False)
    if not console.is_terminal:
        console = Console(file=console.file, highlight=False, width=_WIDTH, color_system=None)
    console.print(render(result, question_text=question_text, elapsed_ms=elapsed_ms))


def to_html(
    result: Mapping[str, Any],
    *,
    question_text: Mapping[Any, str] | None = None,
    elapsed_ms: float | None = None,
) -> str:
    """One result as an HTML fragment without scripts or outside resources; every text in it is escaped.

    The arguments are those of `render`.

    Raises:
        ArgumentTypeError: `result` is not a result.
    """
    texts = question_text or {}
    lines = ["<table class='laya-result'>"]
    for key, answer in _answers(result).items():
        block = _block(key, answer)
        lines.append(
            f"<tr><th style='text-align:left'>{escape(block.title)}</th>"
            f"<th style='text-align:left'>{escape(block.answer)}</th><td>{escape(block.note)}</td></tr>"
        )
        if key in texts:
            lines.append(f"<tr><td colspan='3'><em>{escape(_line(texts[key]))}</em></td></tr>")
        lines.extend(_html_row(row) for row in block.rows)
        if block.rest:
            lines.append(f"<tr><td colspan='3'>{escape(block.rest)}</td></tr>")
    lines.append(f"</table><small>{escape(_footer(result, elapsed_ms))}</small>")
    return "".join(lines)


@dataclass(frozen=True, slots=True, repr=False)
class Pretty:
    """A result that shows itself well at the prompt, in rich consoles and in notebooks.

    Attributes:
        result: the plain dict, unchanged.
        elapsed_ms: duration to show, in milliseconds.
        question_text: question id to the text shown under the id.
    """

    result: Mapping[str, Any]
    elapsed_ms: float | None = None
    question_text: Mapping[Any, str] | None = field(default=None, kw_only=True)

    def __rich__(self) -> RenderableType:
        return render(self.result, question_text=self.question_text, elapsed_ms=self.elapsed_ms)

    def _repr_html_(self) -> str:
        return to_html(self.result, question_text=self.question_text, elapsed_ms=self.elapsed_ms)

    def __repr__(self) -> str:
        out = io.StringIO()
        print_result(self.result, self.elapsed_ms, out, question_text=self.question_text)
        return out.getvalue().rstrip("\n")


def _answers(result: object) -> Mapping[Any, Mapping[str, Any]]:
    answers = result.get("answers") if isinstance(result, Mapping) else None
    if not isinstance(answers, Mapping) or not all(isinstance(a, Mapping) for a in answers.values()):
        raise ArgumentTypeError(
            f"a result is a dict whose 'answers' map question ids to dicts, got {type(result).__name__}; "
            "pass what predict returned, or one entry of what predict_batch returned"
        )
    return answers


def _line(value: object) -> str:
    """`value` as one printable line: control characters of a caller's label must not reach the terminal."""
    return "".join(c if c.isprintable() else " " for c in str(value)).strip()


def _block(key: object, answer: Mapping[str, Any]) -> _Block:
    kind = answer.get("type")
    title, note = _line(key), _note(answer)
    if kind == "choice":
        chosen = answer["choice"]
        ranked = sorted(_probabilities(answer), key=lambda item: -item[1])
        rows = [_Row(_line(label), p, str(label) == str(chosen)) for label, p in ranked]
        return _Block(title, _line(chosen), note, tuple(rows[:_ROWS_MAX]), _rest(rows[_ROWS_MAX:]))
    if kind == "score":
        return _score_block(title, note, answer)
    if kind == "noul":
        p = float(answer["noul"])
        holds = p >= 0.5
        rows = [_Row("true", p, holds), _Row("false", 1 - p, not holds)]
        return _Block(title, "true" if holds else "false", note, tuple(rows))
    return _Block(title, _line(dict(answer)), note)


def _score_block(title: str, note: str, answer: Mapping[str, Any]) -> _Block:
    legend = answer.get("legend", {})
    levels = _probabilities(answer)
    top = max((p for _, p in levels), default=0.0)
    rows = [_Row(_line(f"{level} {legend.get(level, '')}"), p, p == top) for level, p in levels]
    return _Block(title, f"{answer['score']:.2f} of {max(len(levels) - 1, 0)}", note, tuple(rows))


def _probabilities(answer: Mapping[str, Any]) -> list[tuple[Any, float]]:
    return [(label, float(p)) for label, p in answer.get("probabilities", {}).items()]


def _rest(rows: list[_Row]) -> str:
    return f"and {len(rows)} more, {sum(row.probability for row in rows):.1%} together" if rows else ""


def _note(answer: Mapping[str, Any]) -> str:
    confidence = answer.get("confidence")
    note = f"confidence {confidence:.2f}" if isinstance(confidence, int | float) else ""
    return f"low {note}".strip() if answer.get("low_confidence") else note


def _label_width(blocks: Any) -> int:
    lengths = [len(text) for block in blocks for text in (block.title, *(f"  {r.label}" for r in block.rows))]
    return min(max(lengths, default=0), _LABEL_MAX)


def _grid(width: int, last: int) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True, pad_edge=False)
    grid.add_column(width=width, no_wrap=True, overflow="ellipsis")
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(width=last, justify="right", no_wrap=True)
    return grid


def _heading(block: _Block, width: int) -> Table:
    grid = _grid(width, len(block.note))
    grid.add_row(Text(block.title, style="bold"), Text(block.answer, style="bold green"), Text(block.note, style="dim"))
    return grid


def _bars(block: _Block, width: int) -> Table:
    grid = _grid(width, 6)
    for row in block.rows:
        style = "green" if row.chosen else "blue"
        grid.add_row(Text(f"  {row.label}"), _Bar(row.probability, style), Text(f"{row.probability:.1%}"))
    if block.rest:
        grid.add_row(Text("  ..."), Text(block.rest, style="dim"), Text())
    return grid


def _html_row(row: _Row) -> str:
    weight = "bold" if row.chosen else "normal"
    bar = f"<span style='{_HTML_BAR};width:{12 * row.probability:.2f}em'></span>"
    return (
        f"<tr><td style='text-align:left;padding-left:1.5em;font-weight:{weight}'>{escape(row.label)}</td>"
        f"<td style='text-align:left'>{bar}</td><td>{row.probability:.1%}</td></tr>"
    )


def _footer(result: Mapping[str, Any], elapsed_ms: float | None) -> str:
    return ", ".join(_facts(result, elapsed_ms))


def _facts(result: Mapping[str, Any], elapsed_ms: float | None) -> Iterator[str]:
    usage = result.get("usage") or {}
    yield _line(result.get("model", "unknown model"))
    if "input_tokens" in usage:
        yield f"{usage['input_tokens']} tokens"
    if usage.get("truncated"):
        yield f"{usage.get('state_tokens_dropped', 'some')} tokens of the text were cut"
    if elapsed_ms is not None:
        yield f"{elapsed_ms:.1f} ms"
