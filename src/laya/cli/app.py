"""The program: its commands, its exit codes, and what becomes of errors."""

from __future__ import annotations

import contextlib
import difflib
import sys
import warnings
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer

import laya
from laya.cli import batch, calibrate, doctor, export, mcp, models, plan, predict, presets, route, serve
from laya.cli.console import ReaderGoneError, note, one_line, write
from laya.errors import ArgumentError, LayaError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FAILED: Final = 2
INTERRUPTED: Final = 130
READER_GONE: Final = 141
_OWN_OPTIONS: Final = ("--help", "--version", "--install-completion", "--show-completion")
_ALIKE: Final = 0.8

_EXIT_CODES: Final = """Exit codes:

- 0: done
- 1: done, and something was wrong: rows that could not be answered, a check that failed
- 2: not done; standard error says why
- 130: interrupted
- 141: whoever read the output has closed it
"""

# typer carries its own copy of click in some versions and imports it in others; this is its usage error in both.
_UsageError = cast("type[Exception]", typer.BadParameter.__mro__[1])

app = typer.Typer(
    help='Typed decisions over text. `laya "text"` is short for `laya predict "text"`.',
    epilog=_EXIT_CODES,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

_COMMANDS: Final[dict[str, tuple[Callable[..., None], str]]] = {
    "predict": (predict.predict, predict.EXAMPLES),
    "batch": (batch.batch, batch.EXAMPLES),
    "route": (route.route, route.EXAMPLES),
    "plan": (plan.plan, plan.EXAMPLES),
    "presets": (presets.presets, presets.EXAMPLES),
    "serve": (serve.serve, serve.EXAMPLES),
    "mcp": (mcp.mcp, mcp.EXAMPLES),
    "calibrate": (calibrate.calibrate, calibrate.EXAMPLES),
    "export": (export.export, export.EXAMPLES),
    "doctor": (doctor.doctor, doctor.EXAMPLES),
}
for _name, (_function, _examples) in _COMMANDS.items():
    app.command(_name, epilog=_examples)(_function)
app.add_typer(models.app, name="models")
_WORDS: Final = (*_COMMANDS, "models")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: the arguments after the program's name; None reads `sys.argv`.

    Returns:
        The exit code: 0 done; 1 done, and something was wrong; 2 not done, after a message on standard error that
        says what was wrong; 130 interrupted; 141 whoever read the output has closed it.
    """
    args = list(sys.argv[1:] if argv is None else argv)
    try:
        with _short_warnings():
            code = app(_with_command(args), prog_name="laya", standalone_mode=False)
    except LayaError as exc:
        return _fail(str(exc))
    except _UsageError as exc:
        return _fail(cast("Any", exc).format_message())
    except ReaderGoneError:
        return READER_GONE
    except OSError as exc:
        return _fail(str(exc))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    return code if isinstance(code, int) else 0


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Print the version and stop.", is_eager=True)] = False,
) -> None:
    if version:
        write(f"laya-engine {laya.__version__}")
        raise typer.Exit


def _with_command(args: list[str]) -> list[str]:
    """Put `predict` in front unless the arguments start with a command or an option of `laya` itself.

    Raises:
        ArgumentError: the first of several arguments is nearly a command.
    """
    if args and (args[0] in _WORDS or args[0].split("=")[0] in _OWN_OPTIONS):
        return args
    word = args[0] if len(args) > 1 and not args[0].startswith("-") else ""
    near = difflib.get_close_matches(word, _WORDS, n=1, cutoff=_ALIKE)
    if near:
        raise ArgumentError(
            f"there is no command {word!r}; did you mean {near[0]!r}? For a text that starts so, run: "
            f'laya predict "{word} ..."'
        )
    return ["predict", *args]


@contextlib.contextmanager
def _short_warnings() -> Iterator[None]:
    """Warnings as one line each: where in our code they come from says nothing to the user."""

    def show(message: Warning | str, *_args: Any, **_kwargs: Any) -> None:
        note(f"warning: {one_line(str(message)).removeprefix('laya: ')}")

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _fail(message: str) -> int:
    note(one_line(message))
    return FAILED
