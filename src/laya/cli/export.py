"""`laya export`: a checkpoint as one ONNX graph."""

from pathlib import Path
from typing import Annotated

import typer

import laya
from laya.cli.console import write

EXAMPLES = """Examples:

    laya export path/to/checkpoint --output laya.onnx
"""


def export(
    checkpoint: Annotated[str, typer.Argument(help="Checkpoint folder or hub id.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The .onnx file to write.")],
    *,
    verify: Annotated[bool, typer.Option("--verify/--no-verify", help="Compare the graph with the engine.")] = True,
) -> None:
    """Write a checkpoint as one ONNX graph."""
    written = laya.export(checkpoint, output, verify=verify)
    write(f"wrote {written} ({written.stat().st_size / 1e6:.1f} MB)")
