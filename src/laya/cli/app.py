"""The commands. Each imports what it needs when it runs, so that `laya --help` stays quick."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path  # noqa: TC003 - typer reads the annotations at run time
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

import laya
from laya.cli.questions_file import QuestionSet, read_questions
from laya.errors import ArgumentError, LayaError
from laya.presets import PRESETS, preset, state_field

if TYPE_CHECKING:
    from collections.abc import Sequence

_FAILED: Final = 2
_BROKEN_PIPE: Final = 1
_INTERRUPTED: Final = 130
_OWN_OPTIONS: Final = ("--help", "--version", "--install-completion", "--show-completion")
_DEFAULT_PRESET: Final = "triage"

# typer carries its own copy of click in some versions and imports it in others; this is its usage error in both.
_UsageError = cast("type[Exception]", typer.BadParameter.__mro__[1])

app = typer.Typer(
    help='Typed decisions over text. `laya "text"` is short for `laya predict "text"`.',
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments after the program's name; None reads `sys.argv`.

    Returns:
        The exit code: 0, or 2 after one line on standard error that says what was wrong.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        code = app(_with_command(args), prog_name="laya", standalone_mode=False)
    except LayaError as exc:
        return _fail(str(exc))
    except _UsageError as exc:
        return _fail(cast("Any", exc).format_message())
    except OSError as exc:
        return _fail(str(exc))
    except (KeyboardInterrupt, typer.Abort):
        return _INTERRUPTED
    return code if isinstance(code, int) else 0


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    if version:
        _write(f"laya-engine {laya.__version__}")
        raise typer.Exit


@app.command()
def predict(
    text: Annotated[list[str] | None, typer.Argument(help="The text; without it, standard input is read.")] = None,
    *,
    preset_name: Annotated[
        str | None, typer.Option("--preset", help=f"A ready-made set of questions: {', '.join(PRESETS)}.")
    ] = None,
    questions: Annotated[Path | None, typer.Option(help="A JSON file of question id to definition.")] = None,
    model: Annotated[str | None, typer.Option(help="Checkpoint folder or hub id; the embedded one if absent.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    max_len: Annotated[int | None, typer.Option(help="Token budget of one question with its state.")] = None,
    head_max_len: Annotated[int | None, typer.Option(help="Token budget of the question alone.")] = None,
    min_confidence: Annotated[float | None, typer.Option(help="Mark answers below this as low, 0 to 1.")] = None,
    lang: Annotated[str | None, typer.Option(help="Language code, for checkpoints calibrated by language.")] = None,
) -> None:
    """Answer questions about one text."""
    asked = _questions(preset_name, questions)
    state = asked.state_of(_text(text or ()))
    options = {"max_len": max_len, "head_max_len": head_max_len, "min_confidence": min_confidence, "lang": lang}
    agent = laya.load(model)
    try:
        started = time.perf_counter()
        result = agent.predict(state, asked.questions, **cast("Any", options))
        elapsed_ms = 1000 * (time.perf_counter() - started)
    finally:
        agent.close()
    if as_json:
        _write_json(result)
    else:
        _write_pretty(result, elapsed_ms)


@app.command()
def export(
    checkpoint: Annotated[str, typer.Argument(help="Checkpoint folder or hub id.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The .onnx file to write.")],
    verify: Annotated[bool, typer.Option("--verify/--no-verify", help="Compare the graph with the engine.")] = True,
) -> None:
    """Write a checkpoint as one ONNX graph."""
    written = laya.export(checkpoint, output, verify=verify)
    _write(f"wrote {written} ({written.stat().st_size / 1e6:.1f} MB)")


@app.command()
def presets(
    name: Annotated[str | None, typer.Argument(help="Print this preset as JSON, to edit and pass back.")] = None,
) -> None:
    """List the ready-made sets of questions, or print one."""
    if name is not None:
        _write_json(preset(name))
        return
    for known in PRESETS:
        asked = preset(known)
        _write(f"{known:<12}{state_field(asked) or '-':<10}{', '.join(asked)}")


def _with_command(args: list[str]) -> list[str]:
    """Put `predict` in front unless the arguments start with a command or an option of `laya` itself."""
    commands = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    if args and (args[0] in commands or args[0].split("=")[0] in _OWN_OPTIONS):
        return args
    return ["predict", *args]


def _questions(preset_name: str | None, path: Path | None) -> QuestionSet:
    if path is None:
        asked = preset(_DEFAULT_PRESET if preset_name is None else preset_name)
        return QuestionSet(asked, state_field(asked))
    if preset_name is not None:
        raise ArgumentError(f"--preset {preset_name} and --questions {path} exclude each other; pass one of them")
    return read_questions(path)


def _text(words: Sequence[str]) -> str:
    text = " ".join(words) if words else _standard_input()
    if not text.strip():
        raise ArgumentError('no text given; run: laya "your text" --preset triage, or pipe text into laya')
    return text


def _standard_input() -> str:
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").strip()
    except UnicodeDecodeError as exc:
        raise ArgumentError(f"standard input is not UTF-8 (byte {exc.start}); convert it to UTF-8") from exc


def _write_json(value: Any) -> None:
    # a terminal or pipe that cannot carry every character still gets valid JSON
    ascii_only = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    _write(json.dumps(value, ensure_ascii=ascii_only, indent=2))


def _write_pretty(result: Any, elapsed_ms: float) -> None:
    from laya.pretty import print_result  # noqa: PLC0415 - imports rich

    print_result(result, elapsed_ms)
    _flush()


def _write(line: str) -> None:
    try:
        print(line)
    except BrokenPipeError:
        _stop_quietly()
    _flush()


def _flush() -> None:
    # what is still buffered would meet a closed pipe at interpreter exit, where Python complains about it
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _stop_quietly()


def _stop_quietly() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise SystemExit(_BROKEN_PIPE)


def _fail(message: str) -> int:
    print(f"laya: {' '.join(message.split())}", file=sys.stderr)
    return _FAILED
